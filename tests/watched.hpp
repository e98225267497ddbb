// SPDX-License-Identifier: MIT
// A sanitizer makes a step ten to thirty times as long, and it looks at the code that a test walks, not at the number
// that a test ends in. So the longest tests walk a shorter way under one; the release tree goes all of it. With those of
// cloth, tangles, hair and piles gcov was asked: the shorter runs and their neighbours reach the same lines of the engine.
#pragma once

namespace capstan {

inline constexpr bool kWatched = CAPSTAN_WATCHED;

// Frames of a run, all of them or as many as a sanitizer needs.
constexpr int frames(int all, int watched) { return kWatched ? watched : all; }

} // namespace capstan
