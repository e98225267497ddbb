// SPDX-License-Identifier: MIT
// Renderer: draws a SceneView with GLES 3.0 or desktop GL 3.3 core, whichever context is current. It knows no window and
// no simulation. All calls are made with the same context current; the destructor too.
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
    bool legend = true;             // of the heat map, when there is one
    bool labels = true;             // SceneView::labels
    float textScale = 1;            // of legend, labels and caption; 2 on screens with small pixels
    std::string caption;            // lower left; lines end with \n
    Vec3 sun = {0.45f, 0.8f, 0.4f}; // where light comes from
};

// Of the last draw, in seconds of this thread. GL may still be at work when draw() returns.
struct DrawTimes {
    double upload = 0; // frames of tubes and everything that is sent to GL
    double calls = 0;  // all of draw()
    long long bytes = 0;
};

class Renderer {
public:
    // Compiles the shaders. The error says what the context lacks.
    static Result<Renderer> create();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    // Fills width x height pixels of the framebuffer that is bound (GL_DRAW_FRAMEBUFFER), from its lower left corner. That
    // framebuffer is not multisampled: anti-aliasing is done inside. Afterwards the same framebuffer is bound, blending, depth
    // test, culling and scissor are off, no program, vertex array or texture is bound; Dear ImGui may draw on top.
    void draw(const SceneView& view, const Camera& camera, const DrawOptions& options, int width, int height);

    const DrawTimes& times() const;
    static const char* version(); // of the current context, as GL names it

private:
    struct Inside;
    explicit Renderer(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan::render
