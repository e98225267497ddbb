// SPDX-License-Identifier: MIT
// This file implements progress.hpp. Output goes to stderr, so that stdout holds results only.
#include <apps/capstan/commands/progress.hpp>

#include <fmt/core.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace capstan::cli {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { wipe(); }

bool Progress::due() {
    if (!terminal_) return false;
    auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    drawn_ = true;
    return true;
}

void Progress::show(std::string_view text) {
    if (!due()) return;
    winsize size{};
    std::size_t width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
    fmt::print(stderr, "\r\033[K{}", text.substr(0, width));
    std::fflush(stderr);
}

void Progress::show(std::string_view what, double done) {
    if (!due()) return;
    constexpr int width = 40;
    int full = static_cast<int>(width * std::clamp(done, 0.0, 1.0));
    fmt::print(stderr, "\r\033[K[{}{}] {:3.0f} % {}", std::string(static_cast<std::size_t>(full), '='),
               std::string(static_cast<std::size_t>(width - full), ' '), 100 * std::clamp(done, 0.0, 1.0),
               what.substr(0, 30));
    std::fflush(stderr);
}

void Progress::wipe() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    drawn_ = false;
}

} // namespace capstan::cli
