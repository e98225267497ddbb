// SPDX-License-Identifier: MIT
// These functions write pieces of JSON text, for scenes and for `--json` of the command line.
#pragma once

#include <capstan/api.hpp>

#include <string>
#include <string_view>

namespace capstan {

// maxExact is the largest integer up to which a double, and so a number of JSON, represents every integer.
inline constexpr double maxExact = 9007199254740991.0;

// The result has quotes, with escapes where they are needed.
CAPSTAN_API std::string jsonString(std::string_view text);

// The result is the shortest text that reads back as the same number. It is null for a value that is not finite, which
// JSON cannot express.
CAPSTAN_API std::string jsonNumber(float value);
CAPSTAN_API std::string jsonNumber(double value);

} // namespace capstan
