// SPDX-License-Identifier: MIT
// MuJoCo models: a chain of bodies, each the child of the one before, or whatever one writes. Include only where MuJoCo
// is there.
#pragma once

#include <mujoco/mujoco.h>

#include <cstdio>
#include <functional>
#include <string>

namespace capstan::bench {

template <class... A> std::string print(const char* format, A... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

// `bodyXml` writes body i from its <body> tag on, without the tag that closes it; `stepTime` in seconds, with the
// implicit integrator. Null, with a line on stderr, if MuJoCo refuses it.
mjModel* loadMujocoChain(int bodies, const std::function<std::string(int)>& bodyXml, double stepTime);

// A whole model, nested no deeper than 100 tags. Null, with a line on stderr, if MuJoCo refuses it.
mjModel* loadMujoco(const std::string& xml);

// How often MuJoCo threw its state away because it had blown up.
int mujocoResets(const mjData& data);

} // namespace capstan::bench
