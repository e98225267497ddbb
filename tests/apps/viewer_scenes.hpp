// SPDX-License-Identifier: MIT
// Helpers of the viewer tests: temporary scene files, rays and steps.
#pragma once

#include <apps/viewer/session/session.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace capstan::viewer {

inline constexpr float kGravity = 9.81f;

inline render::Ray towards(Vec3 from, Vec3 to) { return {from, normalize(to - from)}; }

// A temporary file that is removed when the test ends.
struct TemporaryFile {
    std::filesystem::path path;
    explicit TemporaryFile(const std::string& text) {
        path = std::filesystem::temp_directory_path() /
               ("capstan_viewer_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".json");
        write(text);
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    void write(const std::string& text) const { std::ofstream(path) << text; }
};

inline void run(Session& session, int steps) {
    for (int i = 0; i < steps; ++i) session.step();
}

} // namespace capstan::viewer
