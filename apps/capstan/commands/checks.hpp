// SPDX-License-Identifier: MIT
// A failed CAPSTAN_CHECK must not end the program: the call that failed did nothing, and the scene goes on.
#pragma once

#include <string>

namespace capstan::cli {

// tellChecks installs the handler. It prints the first ten failed checks on stderr, each with the place of the scene
// that led to it. It may be called from any thread.
void tellChecks();

int failedChecks(); // since tellChecks

// takeFailedCheck gives the newest message once, for a window to show; empty when there is no new one.
std::string takeFailedCheck();

} // namespace capstan::cli
