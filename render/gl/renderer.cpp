// SPDX-License-Identifier: MIT
// This file implements renderer.hpp. A frame has these stages: uploads, a shadow map of the sun, and the scene in the
// renderer's own framebuffer (multisampled in high quality). That framebuffer is resolved and copied to the caller's
// one, and text is drawn on top. Drawing straight into the caller's framebuffer was refused: GLES resolves only
// between equal formats, and the caller chooses the format.
#include <render/gl/renderer.hpp>

#include <render/gl/layers.hpp>
#include <render/gl/tubes.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace capstan::render {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int kShadowHigh = 2048, kShadowLow = 1024, kSamples = 4;

} // namespace

struct Renderer::Inside {
    Tubes tubes;
    Solids solids;
    Triangles triangles;
    Hair hair;
    Backdrop backdrop;
    Overlay overlay;
    Buffer block;
    Texture shadowMap;
    Framebuffer shadow, scene, resolved;
    Renderbuffer color, depth, flat;
    int shadowSize = 0, width = 0, height = 0, samples = -1;
    DrawTimes times;

    Status init();
    void sizeShadow(int size);
    void size(int w, int h, int wantedSamples);
    FrameBlock blockOf(const SceneView& view, const Camera& camera, const DrawOptions& options, int w,
                       int h) const;
    void send(const FrameBlock& b);
    void drawScene(const SceneView& view, bool depthOnly, bool fine);
    void drawShadow(const SceneView& view, FrameBlock b, bool fine);
};

Status Renderer::Inside::init() {
    if (Status s = tubes.init(); !s) return s;
    if (Status s = solids.init(); !s) return s;
    if (Status s = triangles.init(); !s) return s;
    if (Status s = hair.init(); !s) return s;
    if (Status s = backdrop.init(); !s) return s;
    if (Status s = overlay.init(); !s) return s;
    block = makeBuffer();
    shadow = makeFramebuffer();
    scene = makeFramebuffer();
    resolved = makeFramebuffer();
    color = makeRenderbuffer();
    depth = makeRenderbuffer();
    flat = makeRenderbuffer();
    return done();
}

void Renderer::Inside::sizeShadow(int wanted) {
    if (wanted == shadowSize) return;
    shadowSize = wanted;
    shadowMap = makeTexture();
    glBindTexture(GL_TEXTURE_2D, shadowMap);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, wanted, wanted);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadowMap, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
}

void Renderer::Inside::size(int w, int h, int wantedSamples) {
    if (w == width && h == height && wantedSamples == samples) return;
    width = w;
    height = h;
    samples = wantedSamples;
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    const GLsizei s = std::min(samples, int(most));
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, s, GL_RGBA8, w, h);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, s, GL_DEPTH_COMPONENT24, w, h);
    glBindRenderbuffer(GL_RENDERBUFFER, flat);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, w, h);
    glBindFramebuffer(GL_FRAMEBUFFER, scene);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, flat);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
}

// The shadow map covers the bounding sphere of the scene. Points outside the map are lit.
FrameBlock Renderer::Inside::blockOf(const SceneView& view, const Camera& camera, const DrawOptions& options,
                                     int w, int h) const {
    const bool high = options.quality == Quality::High;
    const float aspect = float(w) / float(h);
    const bool some = view.upper.x >= view.lower.x;
    const Vec3 center = some ? 0.5f * (view.lower + view.upper) : camera.target;
    const float radius = std::max(some ? 0.5f * length(view.upper - view.lower) : 1.0f, 0.05f);
    const Vec3 sun = normalize(options.sun, {0, 1, 0}), eye = camera.eye();
    const float around = 1.05f * radius;
    const Mat4 light = orthographic(-around, around, -around, around, 0, 4 * around) *
                       lookAt(center + (2 * around) * sun, center, {0, 1, 0});
    const Mat4 half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
    const float tall = std::tan(0.5f * camera.fieldOfView);
    const auto put = [](float(&to)[4], Vec3 v, float last) {
        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = last;
    };
    FrameBlock b;
    b.clip = camera.projection(aspect) * camera.view();
    b.light = half * light;
    put(b.eye, eye, 0);
    put(b.sun, sun, options.shadows ? 1.0f : 0.0f);
    put(b.shadow, {high ? 4.0f : 2.0f, 1.4f / float(shadowSize), 2 * around / float(shadowSize)}, 0);
    put(b.view, {float(w), float(h), view.heat != Heat::None ? 1.0f : 0.0f}, 2 * tall / float(h));
    // The cells of the grid have 1 m for a scene of a person's size, and 0.1 m for a table: powers of ten.
    const float cell = std::pow(10.0f, std::round(std::log10(std::max(0.5f * radius, 1e-3f))));
    const float far = 7 * std::max(radius, 0.5f * camera.distance);
    put(b.ground, {view.groundHeight, options.grid ? 1.0f : 0.0f, far}, cell);
    put(b.center, {center.x, view.groundHeight, center.z}, radius);
    put(b.right, camera.right(), tall * aspect);
    put(b.above, camera.up(), tall);
    return b;
}

void Renderer::Inside::send(const FrameBlock& b) {
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof b, &b, GL_STREAM_DRAW);
}

void Renderer::Inside::drawScene(const SceneView& view, bool depthOnly, bool fine) {
    tubes.draw(depthOnly, fine);
    solids.draw(depthOnly, fine);
    triangles.draw(view, depthOnly);
    hair.draw(view, depthOnly);
}

void Renderer::Inside::drawShadow(const SceneView& view, FrameBlock b, bool fine) {
    const Mat4 whole = {{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -1, -1, -1, 1}};
    b.clip = whole * b.light;
    b.eye[3] = 1;
    send(b);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow);
    glViewport(0, 0, shadowSize, shadowSize);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2);
    drawScene(view, true, fine);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

Renderer::Renderer(std::unique_ptr<Inside> in) : in_(std::move(in)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Result<Renderer> Renderer::create() {
    auto in = std::make_unique<Inside>();
    if (Status s = in->init(); !s) return s.error();
    return Renderer(std::move(in));
}

const DrawTimes& Renderer::times() const { return in_->times; }

const char* Renderer::version() {
    const char* text = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    return text ? text : "no GL";
}

void Renderer::draw(const SceneView& view, const Camera& camera, const DrawOptions& options, int width,
                    int height) {
    if (width < 1 || height < 1) return;
    const Clock::time_point start = Clock::now();
    Inside& in = *in_;
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    const bool fine = options.quality == Quality::High;
    in.times.bytes =
        in.tubes.upload(view) + in.solids.upload(view) + in.triangles.upload(view) + in.hair.upload(view);
    in.times.upload = since(start);

    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glActiveTexture(GL_TEXTURE0);
    in.sizeShadow(fine ? kShadowHigh : kShadowLow);
    in.size(width, height, fine ? kSamples : 0);
    const FrameBlock block = in.blockOf(view, camera, options, width, height);
    glBindTexture(GL_TEXTURE_2D, 0);
    if (options.shadows) in.drawShadow(view, block, fine);

    in.send(block);
    glBindFramebuffer(GL_FRAMEBUFFER, in.scene);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindTexture(GL_TEXTURE_2D, in.shadowMap);
    in.drawScene(view, false, fine);
    if (options.ground) in.backdrop.drawGround();
    in.backdrop.drawSky();
    in.overlay.drawLines(view);
    glBindTexture(GL_TEXTURE_2D, 0);

    GLuint from = in.scene;
    const auto copy = [&](GLuint source, GLuint to) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    };
    if (fine) {
        copy(in.scene, in.resolved);
        from = in.resolved;
    }
    copy(from, GLuint(target));
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(target));
    in.overlay.drawWords(view, camera, options, width, height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(0);
    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    in.times.calls = since(start);
}

} // namespace capstan::render
