// SPDX-License-Identifier: MIT
// view opens the viewer for the command line and runs it until the window is closed. It returns the exit code.
#pragma once

#include <apps/capstan/commands/commands.hpp>

namespace capstan::viewer {

int view(const cli::ViewOptions& options);

} // namespace capstan::viewer
