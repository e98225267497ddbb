// SPDX-License-Identifier: MIT
// These functions write "did you mean": the known word that is nearest to an unknown one.
#pragma once

#include <capstan/api.hpp>

#include <span>
#include <string>
#include <string_view>

namespace capstan {

// The result ends a message: `; did you mean "radius"?` or, when nothing is near, `; known are a, b, c`.
CAPSTAN_API std::string suggest(std::string_view unknown, std::span<const char* const> known);

// shorten cuts a text to a length that fits into a message.
CAPSTAN_API std::string shorten(std::string_view text);

} // namespace capstan
