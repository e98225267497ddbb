// SPDX-License-Identifier: MIT
// This file implements offscreen.hpp.
#include <render/gl/offscreen.hpp>

#include <render/gl/gpu.hpp>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>

namespace capstan::render {
namespace {

// openDisplay returns an EGL display without a screen. Drivers of other vendors lack Mesa's extension; then it
// returns the default display.
EGLDisplay openDisplay() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const bool surfaceless =
        extensions && std::string(extensions).find("EGL_MESA_platform_surfaceless") != std::string::npos;
    const auto open =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (surfaceless && open) {
        EGLDisplay d = open(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (d != EGL_NO_DISPLAY && eglInitialize(d, nullptr, nullptr)) return d;
    }
    EGLDisplay d = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return d != EGL_NO_DISPLAY && eglInitialize(d, nullptr, nullptr) ? d : EGL_NO_DISPLAY;
}

constexpr const char* kInstall = "pictures need OpenGL ES 3: install libegl1 and libgl1-mesa-dri (Debian)";

} // namespace

struct Offscreen::Inside {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    Framebuffer framebuffer;
    Renderbuffer color;
    int width = 0, height = 0;

    ~Inside() {
        if (context != EGL_NO_CONTEXT) {
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
            framebuffer = {};
            color = {};
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            eglDestroyContext(display, context);
        }
        // eglTerminate is not called: the display belongs to the process, and other contexts may use it.
    }
};

Offscreen::Offscreen(std::unique_ptr<Inside> in) : in_(std::move(in)) {}
Offscreen::~Offscreen() = default;
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;

Result<Offscreen> Offscreen::create(int width, int height) {
    if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
        return Error{"a picture must be 1 to " + std::to_string(kLargestSide) +
                         " pixels wide and high, got " + std::to_string(width) + "x" + std::to_string(height),
                     ""};
    auto in = std::make_unique<Inside>();
    in->width = width;
    in->height = height;
    in->display = openDisplay();
    if (in->display == EGL_NO_DISPLAY) return Error{std::string("no EGL display; ") + kInstall, ""};
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    if (eglChooseConfig(in->display, wanted, &config, 1, &count) && count > 0)
        in->context = eglCreateContext(in->display, config, EGL_NO_CONTEXT, version);
    if (in->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(in->display, EGL_NO_SURFACE, EGL_NO_SURFACE, in->context))
        return Error{std::string("EGL gives no GLES 3 context; ") + kInstall, ""};
    in->framebuffer = makeFramebuffer();
    in->color = makeRenderbuffer();
    glBindRenderbuffer(GL_RENDERBUFFER, in->color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, in->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, in->color);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return Error{"this GL has no memory for a picture of " + std::to_string(width) + "x" +
                         std::to_string(height),
                     ""};
    return Offscreen(std::move(in));
}

void Offscreen::bind() {
    eglMakeCurrent(in_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, in_->context);
    glBindFramebuffer(GL_FRAMEBUFFER, in_->framebuffer);
}
int Offscreen::width() const { return in_->width; }
int Offscreen::height() const { return in_->height; }

} // namespace capstan::render
