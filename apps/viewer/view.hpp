// SPDX-License-Identifier: MIT
// The viewer as the command line calls it: a window until it is closed. Returns the exit code.
#pragma once

#include <apps/capstan/commands/commands.hpp>

namespace capstan::viewer {

int view(const cli::ViewOptions& options);

} // namespace capstan::viewer
