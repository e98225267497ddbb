// SPDX-License-Identifier: MIT
// This file implements Hair of layers.hpp. Each segment of a strand is an instance of a ribbon and reads two points
// of one array, as in tubes.cpp. A point with negative w separates two strands; any other w is the position along the
// strand, 0 to 1.
#include <render/gl/layers.hpp>
#include <render/gl/shaders.hpp>

namespace capstan::render {

Status Hair::init() {
    Result<Program> lit =
        makeProgram("hair", shaders::strandVertex, std::string(shaders::lit) + shaders::strandFragment);
    if (!lit) return lit.error();
    Result<Program> depth = makeProgram("shadows of hair", shaders::strandVertex, shaders::depthFragment);
    if (!depth) return depth.error();
    lit_ = std::move(*lit);
    depth_ = std::move(*depth);
    static constexpr float corners[8] = {-1, 0, 1, 0, -1, 1, 1, 1};
    corner_ = makeBuffer();
    stream(corner_, corners, sizeof corners);
    return done();
}

long long Hair::upload(const SceneView& view) {
    long long bytes = 0;
    if (drawn_.size() < view.strands.size()) drawn_.resize(view.strands.size());
    for (std::size_t i = 0; i < view.strands.size(); ++i) {
        const Strands& s = view.strands[i];
        Drawn& d = drawn_[i];
        entries_.clear();
        entries_.push_back({0, 0, 0, -1});
        std::size_t at = 0;
        for (int count : s.counts) {
            for (int k = 0; k < count && at < s.points.size(); ++k, ++at) {
                const Vec3 p = s.points[at];
                entries_.push_back({p.x, p.y, p.z, count > 1 ? float(k) / float(count - 1) : 0});
            }
            entries_.push_back({0, 0, 0, -1});
        }
        entries_.push_back({0, 0, 0, -1});
        if (!d.array) {
            d.array = makeVertexArray();
            d.points = makeBuffer();
            glBindVertexArray(d.array);
            glBindBuffer(GL_ARRAY_BUFFER, corner_);
            attribute(0, 2, 8, 0);
            glBindBuffer(GL_ARRAY_BUFFER, d.points);
            for (GLuint k = 0; k < 4; ++k) attribute(1 + k, 4, 16, 16 * k, 1);
            glBindVertexArray(0);
        }
        d.entries = int(entries_.size());
        bytes += stream(d.points, entries_.data(), entries_.size() * sizeof(Vec4));
    }
    return bytes;
}

void Hair::draw(const SceneView& view, bool depthOnly) const {
    glDisable(GL_CULL_FACE);
    const GLuint program = depthOnly ? depth_ : lit_;
    for (std::size_t i = 0; i < view.strands.size(); ++i) {
        const Strands& s = view.strands[i];
        if (drawn_[i].entries < 5) continue;
        glUseProgram(program);
        glUniform4f(glGetUniformLocation(program, "uRoot"), s.root.x, s.root.y, s.root.z, s.width);
        glUniform4f(glGetUniformLocation(program, "uTip"), s.tip.x, s.tip.y, s.tip.z, 0);
        glBindVertexArray(drawn_[i].array);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, drawn_[i].entries - 3);
    }
    glEnable(GL_CULL_FACE);
}

} // namespace capstan::render
