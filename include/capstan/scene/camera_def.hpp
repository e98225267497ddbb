// SPDX-License-Identifier: MIT
// CameraDef is the recommended viewpoint of a scene. Only pictures and viewers use it. fields() gives the units.
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
    visit("eye", d.eye, any("m", "position of the camera"));
    visit("target", d.target, any("m", "point that the camera looks at"));
    visit("fieldOfView", d.fieldOfView,
          within(0.01, 3, "rad", "angle between the lower and the upper edge of the picture"));
}

} // namespace capstan
