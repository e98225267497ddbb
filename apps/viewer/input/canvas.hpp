// SPDX-License-Identifier: MIT
// A Canvas is a GL texture. The renderer draws into it, and ImGui shows it between the panels.
#pragma once

#include <render/film/image.hpp>

namespace capstan::viewer {

class Canvas {
public:
    Canvas() = default;
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void resize(int width, int height); // sets the size, and binds the framebuffer for drawing and reading
    void unbind() const;
    void read(render::Image& image); // copies the drawn pixels
    unsigned texture() const { return texture_; }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    unsigned framebuffer_ = 0, texture_ = 0, depth_ = 0;
    int width_ = 0, height_ = 0;
};

} // namespace capstan::viewer
