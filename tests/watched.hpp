// SPDX-License-Identifier: MIT
// A sanitizer makes a step ten to thirty times as long. It checks the code that a test runs, not the number that a test
// computes. So the longest tests run fewer frames under a sanitizer; the release build runs all of them. For the tests
// of cloth, tangles, hair and piles this was measured with gcov. There the shorter runs and their neighbours reach the
// same lines of the engine.
#pragma once

namespace capstan {

inline constexpr bool kWatched = CAPSTAN_WATCHED;

// Number of frames of a run: all of them, or as many as a sanitizer needs.
constexpr int frames(int all, int watched) { return kWatched ? watched : all; }

} // namespace capstan
