// SPDX-License-Identifier: MIT
// CameraDef is the recommended viewpoint of a scene. Only pictures and viewers use it.
#pragma once

#include <capstan/field.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

struct CameraDef {
    Vec3 eye = {3, 2, 5};
    Vec3 target = {0, 1, 0};
    float fieldOfView = 0.7f;
};

template <DefOf<CameraDef> D, class V> void fields(D& d, V&& visit) {
    visit("eye", d.eye, any("m", "where the camera is"));
    visit("target", d.target, any("m", "what it looks at"));
    visit("fieldOfView", d.fieldOfView,
          within(0.01, 3, "rad", "from the lower to the upper edge of the picture"));
}

} // namespace capstan
