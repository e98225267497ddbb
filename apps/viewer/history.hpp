// SPDX-License-Identifier: MIT
// History keeps the last samples of all plotted values.
#pragma once

#include <apps/viewer/session/frame.hpp>

#include <array>
#include <deque>

namespace capstan::viewer {

// Picture holds the times of one picture, in seconds of the window's thread.
struct Picture {
    float whole = 0;  // from one picture to the next
    float draw = 0;   // time of the renderer
    float panels = 0; // time of ImGui
    float swap = 0;   // time of the buffer swap, which mostly waits for the screen
};

struct History {
    static constexpr std::size_t most = 600;
    std::deque<Sample> samples;
    std::deque<Picture> pictures;

    void add(const std::vector<Sample>& more) {
        samples.insert(samples.end(), more.begin(), more.end());
        while (samples.size() > most) samples.pop_front();
    }
    void add(const Picture& picture) {
        pictures.push_back(picture);
        while (pictures.size() > most) pictures.pop_front();
    }
};

} // namespace capstan::viewer
