// SPDX-License-Identifier: MIT
// This file implements checks.hpp.
#include <apps/capstan/commands/checks.hpp>

#include <capstan/check.hpp>
#include <capstan/scene/playback.hpp>

#include <cstdio>
#include <mutex>
#include <utility>

namespace capstan::cli {
namespace {

constexpr int kMostLines = 10; // a mistake in a motion repeats in every frame

std::mutex guard;
std::string newest;
int count = 0;

void tell(const char* what, const char* where) {
    const std::string scene = Playback::where();
    std::lock_guard lock(guard);
    newest = (scene.empty() ? "" : scene + ": ") + where + ": " + what;
    if (++count > kMostLines) return;
    std::fprintf(stderr, "capstan: %s\n", newest.c_str());
    if (count == kMostLines) std::fprintf(stderr, "capstan: further failed checks are counted only\n");
}

} // namespace

void tellChecks() { setCheckHandler(tell); }

int failedChecks() {
    std::lock_guard lock(guard);
    return count;
}

std::string takeFailedCheck() {
    std::lock_guard lock(guard);
    return std::exchange(newest, "");
}

} // namespace capstan::cli
