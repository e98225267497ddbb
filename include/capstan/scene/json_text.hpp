// SPDX-License-Identifier: MIT
// Pieces of JSON text for whoever writes it: scenes here, `--json` in the command line.
#pragma once

#include <capstan/api.hpp>

#include <string>
#include <string_view>

namespace capstan {

// The largest whole number up to which a double, and so a number of JSON, holds every one.
inline constexpr double maxExact = 9007199254740991.0;

// In quotes, with what must be escaped escaped.
CAPSTAN_API std::string jsonString(std::string_view text);

// The shortest text that reads back as the same number; null for what is not finite, which JSON cannot say.
CAPSTAN_API std::string jsonNumber(float value);
CAPSTAN_API std::string jsonNumber(double value);

} // namespace capstan
