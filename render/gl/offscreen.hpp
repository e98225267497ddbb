// SPDX-License-Identifier: MIT
// Offscreen is a GLES 3 context with a framebuffer and no window. It uses EGL on Mesa's surfaceless platform, or the
// default display where that platform is missing. create() makes the context current for the calling thread.
#pragma once

#include <capstan/result.hpp>

#include <memory>

namespace capstan::render {

inline constexpr int kLargestSide = 8192; // pixels, largest width or height

class Offscreen {
public:
    // The error names the missing Debian package.
    static Result<Offscreen> create(int width, int height);
    ~Offscreen();
    Offscreen(Offscreen&&) noexcept;
    Offscreen& operator=(Offscreen&&) noexcept;

    void bind(); // makes the context current and binds the framebuffer, for drawing and reading
    int width() const;
    int height() const;

private:
    struct Inside;
    explicit Offscreen(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan::render
