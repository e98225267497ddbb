// SPDX-License-Identifier: MIT
// Progress shows a progress bar or a line of text on a terminal, and nothing in a pipe or a file.
#pragma once

#include <chrono>
#include <string_view>

namespace capstan::cli {

class Progress {
public:
    Progress();
    ~Progress(); // erases the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::string_view what, double done); // done in [0, 1]
    // Shows a line instead of the bar, cut to the width of the terminal.
    void show(std::string_view text);
    void wipe();

private:
    bool due(); // true when enough time has passed since the last update

    bool terminal_ = false;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

} // namespace capstan::cli
