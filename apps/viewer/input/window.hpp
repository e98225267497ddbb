// SPDX-License-Identifier: MIT
// A Window is GLFW with a GL 3.3 core context and Dear ImGui. It gives the user's actions as a list of events in
// order. ImGui's own key state was refused for this: it misses a key that is pressed and released between two slow
// pictures.
#pragma once

#include <capstan/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace capstan::viewer {

struct UserEvent {
    enum class Kind { Press, Release, Move, Scroll, Key, Letter, Drop };
    Kind kind = Kind::Move;
    float x = 0, y = 0;  // cursor position from the upper left corner; scroll: y is the wheel
    int button = 0;      // 0 left, 1 right, 2 middle
    int key = 0;         // GLFW key code
    unsigned letter = 0; // typed character
    bool shift = false, control = false;
    std::string file; // path of a file that was dropped on the window
};

class Window {
public:
    // Opens a window. The error names the missing part: a display, or GL 3.3. `scale` enlarges all content for dense
    // screens; 0 uses the display's scale. Events and ImGui use units before scaling.
    static Result<Window> open(const std::string& title, int width, int height, float scale = 0);
    ~Window();
    Window(Window&&) noexcept;
    Window& operator=(Window&&) = delete;

    // Events since the last call; waits at most `waitSeconds` for one.
    std::vector<UserEvent> events(double waitSeconds);
    bool closing() const;
    void close();
    bool down(int key) const;
    void title(const std::string& text);
    void size(int& width, int& height) const;   // size of the framebuffer, in pixels
    void begin();                               // begins a picture; ImGui may be used from here
    void end();                                 // draws ImGui
    void swap();                                // shows the picture; may wait for the screen
    bool software() const { return software_; } // true: GL runs on the processor

    struct Inside; // defined in window.cpp

private:
    explicit Window(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
    bool software_ = false;
};

} // namespace capstan::viewer
