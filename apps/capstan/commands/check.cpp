// SPDX-License-Identifier: MIT
// capstan check runs scenes and compares the results with the conditions in their `expect`.
#include <apps/capstan/commands/print.hpp>
#include <apps/capstan/commands/progress.hpp>

#include <capstan/scene/playback.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

namespace capstan::cli {
namespace {

namespace fs = std::filesystem;

// scenesIn gives the scenes of a folder and its subfolders, sorted.
Result<std::vector<std::string>> scenesIn(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code code;
    fs::recursive_directory_iterator it(folder, code), end;
    for (; !code && it != end; it.increment(code)) {
        if (it->is_regular_file(code) && it->path().extension() == ".json")
            found.push_back(it->path().string());
    }
    if (code) return Error{code.message(), folder};
    if (found.empty()) return Error{"holds no scene (*.json)", folder};
    std::sort(found.begin(), found.end());
    return found;
}

std::string text(const CheckLine& line) {
    return fmt::format("{}: expected {}, got {}", line.what, line.expected, line.got);
}

int checkScene(const std::string& file, const WorldOptions& options, Progress& progress) {
    Result<Scene> scene = load(file, options);
    if (!scene) return fail(scene.error());
    Result<Playback> started = Playback::start(std::move(*scene));
    if (!started) return fail(started.error());
    // Linking numbers of closed ropes must not change while no rope is added, removed or cut. A change means that two
    // ropes have passed through each other.
    std::vector<int> linked = started->world().linkingNumbers();
    bool passed = false;
    while (!started->done()) {
        started->frame();
        std::vector<int> now = started->world().linkingNumbers();
        passed = passed || (started->scene().world.contact && now.size() == linked.size() && now != linked);
        linked = std::move(now);
        progress.show(file, started->summary().frames / static_cast<double>(started->scene().frames));
    }
    progress.wipe();
    int bad = 0;
    if (passed)
        fmt::print("{} {}: closed ropes have passed through each other\n", bad++ == 0 ? "FAIL" : "    ",
                   file);
    const std::vector<CheckLine> lines = started->check();
    for (const CheckLine& line : lines) {
        if (!line.ok) fmt::print("{} {}: {}\n", bad++ == 0 ? "FAIL" : "    ", file, text(line));
    }
    if (bad > 0) return failed;
    // `finite` is an expectation of every scene unless the scene sets it to false, so it does not count here.
    bool nothing = lines.size() == (started->scene().expect.finite ? 1u : 0u);
    fmt::print("ok   {} ({})\n", file,
               nothing ? std::string("no expectations") : fmt::format("{} hold", lines.size()));
    return success;
}

} // namespace

int check(const CheckOptions& options) {
    int code = success;
    Progress progress;
    for (const std::string& path : options.paths) {
        std::vector<std::string> scenes = {path};
        std::error_code ignored; // loadScene reports errors of the path
        if (fs::is_directory(path, ignored)) {
            Result<std::vector<std::string>> inside = scenesIn(path);
            if (!inside) code = std::max(code, fail(inside.error()));
            scenes = inside ? *inside : std::vector<std::string>{};
        }
        for (const std::string& scene : scenes)
            code = std::max(code, checkScene(scene, options.world, progress));
    }
    return code;
}

} // namespace capstan::cli
