// SPDX-License-Identifier: MIT
// Offscreen is a GLES 3 context and a framebuffer without a display. It uses EGL on Mesa's surfaceless platform, or
// the default display where that is missing. create() makes it current for the calling thread.
#pragma once

#include <capstan/result.hpp>

#include <memory>

namespace capstan::render {

inline constexpr int kLargestSide = 8192; // pixels, largest width or height

class Offscreen {
public:
    // The error names the Debian package that is missing.
    static Result<Offscreen> create(int width, int height);
    ~Offscreen();
    Offscreen(Offscreen&&) noexcept;
    Offscreen& operator=(Offscreen&&) noexcept;

    void bind(); // makes its context current and binds its framebuffer, for drawing and reading
    int width() const;
    int height() const;

private:
    struct Inside;
    explicit Offscreen(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan::render
