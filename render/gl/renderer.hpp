// SPDX-License-Identifier: MIT
// A Renderer draws a SceneView with GLES 3.0 or desktop GL 3.3 core, with the context that is current. It is
// independent of windows and of the simulation. All calls, including the destructor, need the same current context.
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
    bool legend = true;             // of the heat map, if there is one
    bool labels = true;             // SceneView::labels
    float textScale = 1;            // of legend, labels and caption; 2 on screens with small pixels
    std::string caption;            // at the lower left; lines end with \n
    Vec3 sun = {0.45f, 0.8f, 0.4f}; // direction towards the light
};

// DrawTimes are the seconds of the last draw() in this thread. GL may still be working when draw() returns.
struct DrawTimes {
    double upload = 0; // frames of tubes and all uploads
    double calls = 0;  // the whole of draw()
    long long bytes = 0;
};

class Renderer {
public:
    // create compiles the shaders. The error names the feature that the context lacks.
    static Result<Renderer> create();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    // draw fills width x height pixels of the framebuffer that is bound (GL_DRAW_FRAMEBUFFER), from its lower left
    // corner. That framebuffer must not be multisampled: the renderer does its own anti-aliasing. Afterwards the same
    // framebuffer is bound. Blending, depth test, culling and scissor are off, and no program, vertex array or texture
    // is bound. Dear ImGui may draw on top.
    void draw(const SceneView& view, const Camera& camera, const DrawOptions& options, int width, int height);

    const DrawTimes& times() const;
    static const char* version(); // of the current context, as GL reports it

private:
    struct Inside;
    explicit Renderer(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan::render
