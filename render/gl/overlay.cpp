// SPDX-License-Identifier: MIT
// This file implements Backdrop and Overlay of layers.hpp. The font is stb_easy_font, a few hundred bytes in a
// header.
#include <render/gl/layers.hpp>
#include <render/gl/shaders.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <stb/stb_easy_font.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace capstan::render {
namespace {

constexpr std::uint32_t kWhite = 0xffffffffu, kBlack = 0xff000000u, kPanel = 0x90201810u;

// withPrefix formats a value with three digits and an SI prefix: "12.5 kN".
std::string withPrefix(float value, const char* unit) {
    static constexpr const char* prefixes[] = {"n", "u", "m", "", "k", "M", "G"};
    int p = 3;
    double v = double(value);
    for (; p > 0 && v != 0 && std::abs(v) < 0.9995; --p) v *= 1000;
    for (; p < 6 && std::abs(v) >= 999.5; ++p) v /= 1000;
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s%s", v, prefixes[p], unit);
    return text;
}

std::string heatText(Heat heat, float value) {
    if (heat != Heat::Stretch) return withPrefix(value, "N");
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %%", 100 * double(value));
    return text;
}

const char* heatTitle(Heat heat) {
    return heat == Heat::Tension ? "tension" : heat == Heat::Stretch ? "stretch" : "contact force";
}

} // namespace

Status Backdrop::init() {
    Result<Program> ground =
        makeProgram("ground", shaders::groundVertex, std::string(shaders::lit) + shaders::groundFragment);
    if (!ground) return ground.error();
    Result<Program> sky =
        makeProgram("sky", shaders::skyVertex, std::string(shaders::lit) + shaders::skyFragment);
    if (!sky) return sky.error();
    ground_ = std::move(*ground);
    sky_ = std::move(*sky);
    empty_ = makeVertexArray();
    return done();
}

void Backdrop::drawGround() const {
    glUseProgram(ground_);
    glBindVertexArray(empty_);
    glDisable(GL_CULL_FACE); // the ground is also visible from below
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEnable(GL_CULL_FACE);
}

void Backdrop::drawSky() const {
    glUseProgram(sky_);
    glBindVertexArray(empty_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

Status Overlay::init() {
    Result<Program> line = makeProgram("lines", shaders::lineVertex, shaders::colorFragment);
    if (!line) return line.error();
    Result<Program> flat = makeProgram("words", shaders::flatVertex, shaders::colorFragment);
    if (!flat) return flat.error();
    line_ = std::move(*line);
    flat_ = std::move(*flat);
    static constexpr float corners[8] = {-1, 0, 1, 0, -1, 1, 1, 1};
    corner_ = makeBuffer();
    lines_ = makeBuffer();
    flats_ = makeBuffer();
    lineArray_ = makeVertexArray();
    flatArray_ = makeVertexArray();
    const auto colors = [](GLuint location, std::size_t stride, std::size_t offset, GLuint divisor) {
        glEnableVertexAttribArray(location);
        glVertexAttribPointer(location, 4, GL_UNSIGNED_BYTE, GL_TRUE, GLsizei(stride),
                              reinterpret_cast<const void*>(offset));
        glVertexAttribDivisor(location, divisor);
    };
    glBindVertexArray(lineArray_);
    stream(corner_, corners, sizeof corners);
    attribute(0, 2, 8, 0);
    glBindBuffer(GL_ARRAY_BUFFER, lines_);
    attribute(1, 4, sizeof(LineInstance), 0, 1);
    attribute(2, 3, sizeof(LineInstance), 16, 1);
    colors(3, sizeof(LineInstance), 28, 1);
    glBindVertexArray(flatArray_);
    glBindBuffer(GL_ARRAY_BUFFER, flats_);
    attribute(0, 2, sizeof(Corner), 0);
    colors(1, sizeof(Corner), 8, 0);
    glBindVertexArray(0);
    return done();
}

void Overlay::drawLines(const SceneView& view, bool onTop) {
    instances_.clear();
    for (const Line& l : view.lines)
        if (l.onTop == onTop)
            instances_.push_back(
                {{l.from.x, l.from.y, l.from.z, 1.6f}, {l.to.x, l.to.y, l.to.z}, packColor(l.color)});
    for (const Dot& d : view.dots)
        if (d.onTop == onTop)
            instances_.push_back(
                {{d.at.x, d.at.y, d.at.z, d.pixels}, {d.at.x, d.at.y, d.at.z}, packColor(d.color)});
    if (instances_.empty()) return;
    stream(lines_, instances_.data(), instances_.size() * sizeof(LineInstance));
    if (onTop) glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glUseProgram(line_);
    glBindVertexArray(lineArray_);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(instances_.size()));
    glEnable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
}

void Overlay::drawLines(const SceneView& view) {
    drawLines(view, false);
    drawLines(view, true);
}

void Overlay::rectangle(float x, float y, float w, float h, std::uint32_t color) {
    const Corner a = {x, y, color}, b = {x + w, y, color}, c = {x + w, y + h, color}, d = {x, y + h, color};
    corners_.insert(corners_.end(), {a, b, c, a, c, d});
}

void Overlay::words(float x, float y, float scale, const std::string& text, std::uint32_t color) {
    struct Vertex { // vertex layout of stb_easy_font
        float x, y, z;
        unsigned char color[4];
    };
    static thread_local std::array<Vertex, 6000> quads;
    std::string copy = text;
    for (char& c : copy)
        if (c != '\n' && (c < 32 || c > 126)) c = '?';
    const int count = stb_easy_font_print(0, 0, copy.data(), nullptr, quads.data(), int(sizeof quads));
    for (int q = 0; q < count; ++q) {
        const Vertex* v = quads.data() + 4 * q;
        rectangle(x + scale * v[0].x, y + scale * v[0].y, scale * (v[2].x - v[0].x),
                  scale * (v[2].y - v[0].y), color);
    }
}

void Overlay::shadowed(float x, float y, float scale, const std::string& text, std::uint32_t color) {
    words(x + scale, y + scale, scale, text, kBlack);
    words(x, y, scale, text, color);
}

void Overlay::legend(const SceneView& view, float scale, int width) {
    const float w = std::min(160 * scale, 0.5f * float(width)), h = 10 * scale,
                x = float(width) - w - 16 * scale, y = 28 * scale;
    rectangle(x - 8 * scale, y - 20 * scale, w + 16 * scale, h + 42 * scale, kPanel);
    words(x, y - 13 * scale, scale, heatTitle(view.heat), kWhite);
    constexpr int steps = 64;
    for (int i = 0; i < steps; ++i)
        rectangle(x + w * float(i) / steps, y, w / steps + 0.5f, h,
                  packColor(heatColor((float(i) + 0.5f) / steps)));
    const std::string low = heatText(view.heat, view.heatLow), high = heatText(view.heat, view.heatHigh);
    words(x, y + h + 5 * scale, scale, low, kWhite);
    std::string copy = high;
    words(x + w - scale * float(stb_easy_font_width(copy.data())), y + h + 5 * scale, scale, high, kWhite);
}

void Overlay::drawWords(const SceneView& view, const Camera& camera, const DrawOptions& options, int width,
                        int height) {
    corners_.clear();
    const float scale = options.textScale;
    if (options.labels) {
        for (const Label& l : view.labels) {
            const Pixel p = camera.project(l.at, float(width), float(height));
            if (p.visible)
                shadowed(std::round(p.x + 6), std::round(p.y - 4), scale, l.text, packColor(l.color));
        }
    }
    if (options.legend && view.heat != Heat::None) legend(view, scale, width);
    if (!options.caption.empty()) {
        std::string copy = options.caption;
        const float lines = 1 + float(std::count(copy.begin(), copy.end(), '\n')), tall = 12 * scale;
        const float w = scale * float(stb_easy_font_width(copy.data())),
                    y = float(height) - lines * tall - 12 * scale;
        rectangle(8 * scale, y - 6 * scale, w + 14 * scale, lines * tall + 8 * scale, kPanel);
        words(15 * scale, y, scale, options.caption, kWhite);
    }
    if (corners_.empty()) return;
    stream(flats_, corners_.data(), corners_.size() * sizeof(Corner));
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(flat_);
    glBindVertexArray(flatArray_);
    glDrawArrays(GL_TRIANGLES, 0, GLsizei(corners_.size()));
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
}

} // namespace capstan::render
