// SPDX-License-Identifier: MIT
// Run lengths of tests under a sanitizer, which makes a step ten to thirty times as long. A sanitizer checks the code
// that a test executes, not the computed values. So the longest tests simulate fewer frames under a sanitizer, and
// all frames in the release build. For tests of cloth, tangles, hair and piles this was measured with gcov. Together
// with the other tests, the shorter runs cover the same lines of the engine as the full runs.
#pragma once

namespace capstan {

inline constexpr bool kWatched = CAPSTAN_WATCHED;

// Returns the number of frames of a run: `all`, or `watched` under a sanitizer.
constexpr int frames(int all, int watched) { return kWatched ? watched : all; }

} // namespace capstan
