// SPDX-License-Identifier: MIT
// All that a user reads from a walk of dogs, folded like the other outputs (worlds/outputs.hpp). It stands apart, because the
// library of leash walks may be missing from a build.
#pragma once

#include <worlds/outputs.hpp>

#include <capstan/leash/walk.hpp>

namespace capstan::golden {

void foldLeash(Fold& fold, const LeashWalk& walk);

} // namespace capstan::golden
