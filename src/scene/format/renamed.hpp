// SPDX-License-Identifier: MIT
// These functions map keys and words of scene files of version 0.1 to their present names. Only errors use them.
#pragma once

#include <string>
#include <string_view>

namespace capstan {

// The result is the present name of the key `old`, in quotes. It is empty if `old` never was a key. `object` is the title in DefInfo.
// `type` is the word of a joint's type; keys of other objects do not depend on it.
std::string keySince01(std::string_view object, std::string_view old, std::string_view type);

// The same for the word of an action.
std::string actSince01(std::string_view old);

} // namespace capstan
