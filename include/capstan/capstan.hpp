// SPDX-License-Identifier: MIT
// The header that a program includes to use the engine: World, Defs, checks. Layers above it have headers of their
// own (tangle/all.hpp, topology/all.hpp, skin/all.hpp, leash/all.hpp, scene/all.hpp).
#pragma once

#include <capstan/check.hpp>
#include <capstan/world.hpp>
