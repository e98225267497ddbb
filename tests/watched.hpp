// SPDX-License-Identifier: MIT
// A sanitizer makes a step ten to thirty times as long, and it looks at the code that a test walks, not at the number
// that a test ends in. So the longest tests walk a shorter way under one; the release tree goes all of it. What is cut
// was chosen by gcov: no line of the engine is left that a test under the sanitizer reached before.
#pragma once

namespace capstan {

inline constexpr bool kWatched = CAPSTAN_WATCHED;

// Frames of a run, all of them or as many as a sanitizer needs.
constexpr int frames(int all, int watched) { return kWatched ? watched : all; }

} // namespace capstan
