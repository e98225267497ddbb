// SPDX-License-Identifier: MIT
// "did you mean": the known word nearest to one that is not known.
#pragma once

#include <capstan/api.hpp>

#include <span>
#include <string>
#include <string_view>

namespace capstan {

// `; did you mean "radius"?` or, when nothing is near, `; known are a, b, c`: to end a message with.
CAPSTAN_API std::string suggest(std::string_view unknown, std::span<const char* const> known);

// Cut to a length that fits in a message.
CAPSTAN_API std::string shorten(std::string_view text);

} // namespace capstan
