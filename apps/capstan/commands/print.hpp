// SPDX-License-Identifier: MIT
// These functions print messages and numbers of the command line.
#pragma once

#include <capstan/result.hpp>
#include <capstan/scene/scene.hpp>

#include <apps/capstan/commands/commands.hpp>

#include <string>
#include <string_view>

namespace capstan::cli {

// fail prints "capstan: where: what" on stderr and returns the code.
int fail(const Error& error, int code = badUse);

// quantity formats a value with three digits and an SI prefix: "29.4 kN".
std::string quantity(double value, const char* unit);

// percent formats a fraction in percent with two digits and no exponent: "0.0000084 %", since few read 8.4e-08
// easily.
std::string percent(double fraction);

// wrapped breaks the text into lines of at most 100 characters, each after the indent.
std::string wrapped(std::string_view text, std::string_view indent);

// load reads the scene from a file and applies the requested changes. It prints on stderr what the reader corrected or
// left out.
Result<Scene> load(const std::string& file, const WorldOptions& options);

} // namespace capstan::cli
