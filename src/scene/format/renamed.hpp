// SPDX-License-Identifier: MIT
// Functions that map keys and words of scene files of version 0.1 to their present names, for error messages.
#pragma once

#include <string>
#include <string_view>

namespace capstan {

// Returns the present name of the key `old`, in quotes, or an empty text if `old` never was a key. `object` is the
// title in DefInfo. `type` is the word of a joint's type; it is ignored for other objects.
std::string keySince01(std::string_view object, std::string_view old, std::string_view type);

// Returns the present word for an old word of an action, or an empty text.
std::string actSince01(std::string_view old);

} // namespace capstan
