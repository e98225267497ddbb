// SPDX-License-Identifier: MIT
// Loads MuJoCo models: a chain of bodies, each the child of the previous one, or any model as XML. Include this file
// only if MuJoCo is available.
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

// `bodyXml` writes body i from its <body> tag on, without the closing tag. `stepTime` is in seconds, and the integrator
// is the implicit one. If MuJoCo refuses the model, this prints a line on stderr and returns null.
mjModel* loadMujocoChain(int bodies, const std::function<std::string(int)>& bodyXml, double stepTime);

// Loads a whole model, nested at most 100 tags deep. If MuJoCo refuses it, this prints a line on stderr and returns
// null.
mjModel* loadMujoco(const std::string& xml);

// Returns the number of times that MuJoCo reset its state because it had diverged.
int mujocoResets(const mjData& data);

} // namespace capstan::bench
