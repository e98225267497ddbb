// SPDX-License-Identifier: MIT
// Ten Minute Physics scenes are the JSON files of M. Mueller's "Joint Simulation Made Simple" (Ten Minute Physics 25),
// exported from Blender. docs/reference/scene.md says how each part is imported.
#pragma once

#include "scene/format/json_tree.hpp"
#include <capstan/scene/scene.hpp>

namespace capstan {

bool isTenMinute(const JsonTree& tree);

// importTenMinute fills `scene`, whose name is already set. The notes of `scene` list what had to be left out.
Status importTenMinute(const JsonTree& tree, const ImportOptions& options, Scene& scene);

} // namespace capstan
