// SPDX-License-Identifier: MIT
// Window: GLFW with a GL 3.3 core context and Dear ImGui, and what the user did as a list of events in their order. The list
// is our own because a key tapped between two slow pictures is not seen by asking what is down now.
#pragma once

#include <capstan/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace capstan::viewer {

struct UserEvent {
    enum class Kind { Press, Release, Move, Scroll, Key, Letter, Drop };
    Kind kind = Kind::Move;
    float x = 0, y = 0;  // of the cursor, from the upper left; scroll: y is the wheel
    int button = 0;      // 0 left, 1 right, 2 middle
    int key = 0;         // GLFW's
    unsigned letter = 0; // a character that was typed
    bool shift = false, control = false;
    std::string file; // dropped on the window
};

class Window {
public:
    // The error says what is missing: a display, or GL 3.3. `scale` makes everything larger for dense screens; 0 asks the
    // display. All places and sizes of events and of ImGui are those before scaling.
    static Result<Window> open(const std::string& title, int width, int height, float scale = 0);
    ~Window();
    Window(Window&&) noexcept;
    Window& operator=(Window&&) = delete;

    std::vector<UserEvent> events(double waitSeconds); // what happened since; waits for something to happen
    bool closing() const;
    void close();
    bool down(int key) const;
    void title(const std::string& text);
    void size(int& width, int& height) const;   // of the framebuffer, pixels
    void begin();                               // a picture: ImGui may be used from here
    void end();                                 // ImGui is drawn
    void swap();                                // may wait for the screen
    bool software() const { return software_; } // GL runs on the processor

    struct Inside; // known in window.cpp

private:
    explicit Window(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
    bool software_ = false;
};

} // namespace capstan::viewer
