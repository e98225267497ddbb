// SPDX-License-Identifier: MIT
// A Renderer draws a SceneView with GLES 3.0 or desktop GL 3.3 core. It knows neither windows nor the simulation. All
// its calls, including the destructor, need the GL context in which create() was called to be current.
#pragma once

#include <capstan/result.hpp>
#include <render/view/camera.hpp>
#include <render/view/scene_view.hpp>

#include <memory>
#include <string>

namespace capstan::render {

enum class Quality {
    Low, // no anti-aliasing, fewer sides, a smaller and harder shadow: for software rendering
    High
};

struct DrawOptions {
    Quality quality = Quality::High;
    bool shadows = true;
    bool ground = true;
    bool grid = true;
    bool legend = true;             // shows the legend of the heat map, if there is one
    bool labels = true;             // shows SceneView::labels
    float textScale = 1;            // scale of legend, labels and caption; 2 on screens with small pixels
    std::string caption;            // text at the lower left; lines end with \n
    Vec3 sun = {0.45f, 0.8f, 0.4f}; // direction towards the sun
};

// DrawTimes are the times of the last draw() in this thread, in s. The GPU may still be working when draw() returns.
struct DrawTimes {
    double upload = 0; // s: frames along ropes, and all uploads
    double calls = 0;  // s: all of draw()
    long long bytes = 0;
};

class Renderer {
public:
    // create compiles the shaders. The error names the GL feature that the context lacks.
    static Result<Renderer> create();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    // draw fills width x height pixels of the framebuffer bound to GL_DRAW_FRAMEBUFFER, from its lower left corner.
    // That framebuffer must not be multisampled: the renderer does its own anti-aliasing. After the call it is bound
    // again. Blending, depth test, culling and scissor are then off, and no program, vertex array or texture is
    // bound. Dear ImGui may draw on top.
    void draw(const SceneView& view, const Camera& camera, const DrawOptions& options, int width, int height);

    const DrawTimes& times() const;
    static const char* version(); // version of the current context, as GL reports it

private:
    struct Inside;
    explicit Renderer(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan::render
