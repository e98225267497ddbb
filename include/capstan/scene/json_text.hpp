// SPDX-License-Identifier: MIT
// Functions that write pieces of JSON text, for scene files and for `--json` of the command line.
#pragma once

#include <capstan/api.hpp>

#include <string>
#include <string_view>

namespace capstan {

// The largest integer up to which a double represents every integer. Numbers of JSON are doubles.
inline constexpr double maxExact = 9007199254740991.0;

// Returns the text in quotes, with escapes where JSON needs them.
CAPSTAN_API std::string jsonString(std::string_view text);

// Returns the shortest text that reads back as the same number. A value that is not finite becomes null, because JSON
// cannot express it.
CAPSTAN_API std::string jsonNumber(float value);
CAPSTAN_API std::string jsonNumber(double value);

} // namespace capstan
