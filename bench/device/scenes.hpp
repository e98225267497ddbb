// SPDX-License-Identifier: MIT
// The scenes of capstan_device, built in code: it needs no scene files and no libraries but the core.
#pragma once

#include <capstan/capstan.hpp>

#include <functional>
#include <string>
#include <vector>

namespace capstan::device {

struct Scene {
    std::string name;
    WorldDef def;
    int frames = 600; // over which all backends are compared
    int size = 0;     // 1: too large for one scalar thread, 2: for few threads
    std::function<void(World&)> build;
    std::function<void(World&, int frame)> act = {}; // before each step
};

std::vector<Scene> ropeScenes();
std::vector<Scene> clothScenes();
std::vector<Scene> hairScenes();

} // namespace capstan::device
