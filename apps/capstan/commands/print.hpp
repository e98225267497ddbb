// SPDX-License-Identifier: MIT
// How the command line says things.
#pragma once

#include <capstan/result.hpp>
#include <capstan/scene/scene.hpp>

#include <apps/capstan/commands/commands.hpp>

#include <string>
#include <string_view>

namespace capstan::cli {

// Prints "capstan: where: what" on stderr; returns badUse.
int fail(const Error& error);

// "29.4 kN": three digits and a prefix.
std::string quantity(double value, const char* unit);

// "0.0000084 %": a fraction with two digits, written out because not everybody reads 8.4e-08.
std::string percent(double fraction);

// In lines of at most 100 characters, each after the indent.
std::string wrapped(std::string_view text, std::string_view indent);

// The scene read from a file, with the changes asked for. What the reader mended or left out is told on stderr.
Result<Scene> load(const std::string& file, const WorldOptions& options);

} // namespace capstan::cli
