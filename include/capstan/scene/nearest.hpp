// SPDX-License-Identifier: MIT
// Functions that make hints for error messages: the known word that is nearest to an unknown one.
#pragma once

#include <capstan/api.hpp>

#include <span>
#include <string>
#include <string_view>

namespace capstan {

// Returns the end of a message: `; did you mean "radius"?`, or `; known are a, b, c` if no word is near.
CAPSTAN_API std::string suggest(std::string_view unknown, std::span<const char* const> known);

// Returns the text, cut to a length that fits into a message.
CAPSTAN_API std::string shorten(std::string_view text);

} // namespace capstan
