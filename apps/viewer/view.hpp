// SPDX-License-Identifier: MIT
// view runs the viewer until its window is closed, and returns the exit code of the command line.
#pragma once

#include <apps/capstan/commands/commands.hpp>

namespace capstan::viewer {

int view(const cli::ViewOptions& options);

} // namespace capstan::viewer
