// SPDX-License-Identifier: MIT
// Ten Minute Physics scenes: the JSON that M. Mueller's "Joint Simulation Made Simple" (Ten Minute Physics 25) loads,
// exported from Blender. docs/scene_format.md tells what is taken over and how.
#pragma once

#include "scene/format/json_tree.hpp"
#include <capstan/scene/scene.hpp>

namespace capstan {

bool isTenMinute(const JsonTree& tree);

// Fills `scene`, whose name is set. What had to be left out is in its notes.
Status importTenMinute(const JsonTree& tree, const ImportOptions& options, Scene& scene);

} // namespace capstan
