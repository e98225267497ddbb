// SPDX-License-Identifier: MIT
// The scenes of capstan_device. They are built in code, so that the program needs only the core library.
#pragma once

#include <capstan/capstan.hpp>

#include <functional>
#include <string>
#include <vector>

namespace capstan::device {

struct Scene {
    std::string name;
    WorldDef def;
    int frames = 600; // number of frames after which all backends are compared
    int size = 0;     // 1: too large for one scalar thread; 2: too large for few threads
    std::function<void(World&)> build;
    std::function<void(World&, int frame)> act = {}; // called before each step
};

std::vector<Scene> ropeScenes();
std::vector<Scene> clothScenes();
std::vector<Scene> hairScenes();

} // namespace capstan::device
