// SPDX-License-Identifier: MIT
// This file implements Solids of layers.hpp.
#include <render/gl/layers.hpp>
#include <render/gl/shaders.hpp>

namespace capstan::render {

Status Solids::init() {
    Result<Program> lit =
        makeProgram("bodies", shaders::solidVertex, std::string(shaders::lit) + shaders::plainFragment);
    if (!lit) return lit.error();
    Result<Program> depth = makeProgram("shadows of bodies", shaders::solidVertex, shaders::depthFragment);
    if (!depth) return depth.error();
    lit_ = std::move(*lit);
    depth_ = std::move(*depth);
    instances_ = makeBuffer();
    for (int fine = 0; fine < 2; ++fine) {
        for (int kind = 0; kind < kinds; ++kind) {
            Drawn& d = drawn_[fine][kind];
            const ShapeMesh mesh = shapeMesh(SolidKind(kind), 1 + fine);
            d.array = makeVertexArray();
            d.vertices = makeBuffer();
            d.index = makeBuffer();
            d.indices = int(mesh.indices.size());
            glBindVertexArray(d.array);
            stream(d.vertices, mesh.vertices.data(), mesh.vertices.size() * sizeof(ShapeVertex));
            attribute(0, 3, sizeof(ShapeVertex), 0);
            attribute(1, 3, sizeof(ShapeVertex), sizeof(Vec3));
            glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, d.index);
            glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(2 * mesh.indices.size()), mesh.indices.data(),
                         GL_STATIC_DRAW);
        }
    }
    glBindVertexArray(0);
    return done();
}

void Solids::add(const Solid& s) {
    const Scaled size = scaled(s);
    const Vec3 p = s.at.position;
    const Quatf q = s.at.rotation;
    list_[int(s.kind)].push_back({{p.x, p.y, p.z, size.rounding},
                                  {q.x, q.y, q.z, q.w},
                                  {size.core.x, size.core.y, size.core.z, 0},
                                  {s.color.x, s.color.y, s.color.z, s.roughness}});
}

long long Solids::upload(const SceneView& view) {
    for (auto& list : list_) list.clear();
    for (const Solid& s : view.solids) add(s);
    const bool hot = view.heat != Heat::None && view.tubeHeat.size() == view.tubePoints.size();
    for (const Tube& t : view.tubes) {
        if (t.count < 2 || t.closed) continue;
        for (int end : {t.first, t.first + t.count - 1}) {
            const Vec4 p = view.tubePoints[end];
            Solid ball;
            ball.kind = SolidKind::Sphere;
            ball.at.position = {p.x, p.y, p.z};
            ball.size = {1.02f * t.radius, 0, 0};
            ball.color = hot ? heatColor(view.tubeHeat[end]) : 0.9f * t.color;
            ball.roughness = 0.9f;
            add(ball);
        }
    }
    all_.clear();
    for (int kind = 0; kind < kinds; ++kind) {
        count_[kind] = int(list_[kind].size());
        all_.insert(all_.end(), list_[kind].begin(), list_[kind].end());
    }
    return all_.empty() ? 0 : stream(instances_, all_.data(), all_.size() * sizeof(Instance));
}

void Solids::draw(bool depthOnly, bool fine) const {
    glUseProgram(depthOnly ? depth_ : lit_);
    std::size_t first = 0;
    for (int kind = 0; kind < kinds; ++kind) {
        if (count_[kind] == 0) continue;
        // Solids are drawn coarsely when there are 1000 or more.
        const Drawn& d = drawn_[fine && count_[kind] < 1000][kind];
        glBindVertexArray(d.array);
        // GLES 3.0 cannot start a draw at a given instance. So the vertex attributes get an offset.
        glBindBuffer(GL_ARRAY_BUFFER, instances_);
        for (GLuint i = 0; i < 4; ++i)
            attribute(2 + i, 4, sizeof(Instance), first * sizeof(Instance) + 16 * i, 1);
        glDrawElementsInstanced(GL_TRIANGLES, d.indices, GL_UNSIGNED_SHORT, nullptr, count_[kind]);
        first += std::size_t(count_[kind]);
    }
}

} // namespace capstan::render
