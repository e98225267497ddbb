// SPDX-License-Identifier: MIT
// Import of Ten Minute Physics scenes: the JSON files of M. Mueller's "Joint Simulation Made Simple" (Ten Minute
// Physics 25), exported from Blender. docs/reference/scene.md says how each part is imported.
#pragma once

#include "scene/format/json_tree.hpp"
#include <capstan/scene/scene.hpp>

namespace capstan {

// Returns true if the file is a Ten Minute Physics scene (an object with "meshes").
bool isTenMinute(const JsonTree& tree);

// Fills `scene`, whose name is already set. The notes of `scene` list what was left out.
Status importTenMinute(const JsonTree& tree, const ImportOptions& options, Scene& scene);

} // namespace capstan
