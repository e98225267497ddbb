// SPDX-License-Identifier: MIT
// Scenes: any text must give a scene or an error. A scene must survive being written and read back. A small scene must
// also start and run a few frames.
#pragma once

#include <apps/fuzz/oracles.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capstan::fuzz {

// Reads the scene files of these folders; a name of a file stands for itself.
Result<std::vector<std::string>> readScenes(const std::vector<std::string>& places);

// Returns one of the scenes with one to six changes: numbers, lines, spans, bytes.
std::string mutated(const std::vector<std::string>& scenes, std::uint64_t seed);

Fault judgeScene(std::string_view text);

} // namespace capstan::fuzz
