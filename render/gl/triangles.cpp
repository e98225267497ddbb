// SPDX-License-Identifier: MIT
// This file implements Triangles of layers.hpp. A Geometry is uploaded once. Its buffers are deleted when no shared_ptr
// outside this file refers to it any more.
#include <render/gl/layers.hpp>
#include <render/gl/shaders.hpp>

#include <algorithm>

namespace capstan::render {

Result<Triangles::Shader> Triangles::makeShader(const char* name, const std::string& fragment) {
    Result<Program> made = makeProgram(name, shaders::pieceVertex, fragment);
    if (!made) return made.error();
    Shader s;
    s.position = glGetUniformLocation(*made, "uPlace");
    s.turn = glGetUniformLocation(*made, "uTurn");
    s.color = glGetUniformLocation(*made, "uColor");
    s.back = glGetUniformLocation(*made, "uBack");
    s.program = std::move(*made);
    return s;
}

Status Triangles::init() {
    Result<Shader> lit = makeShader("triangles", std::string(shaders::lit) + shaders::plainFragment);
    if (!lit) return lit.error();
    Result<Shader> twoSided = makeShader("cloth", std::string(shaders::lit) + shaders::meshFragment);
    if (!twoSided) return twoSided.error();
    Result<Shader> depth = makeShader("shadows of triangles", shaders::depthFragment);
    if (!depth) return depth.error();
    lit_ = std::move(*lit);
    twoSided_ = std::move(*twoSided);
    depth_ = std::move(*depth);
    return done();
}

long long Triangles::keep(const std::shared_ptr<const Geometry>& geometry) {
    Kept& k = kept_[geometry.get()];
    if (!k.of.expired()) return 0;
    const std::vector<FlatVertex> v = flatVertices(*geometry);
    k.of = geometry;
    k.count = int(v.size());
    k.twoSided = geometry->twoSided;
    k.array = makeVertexArray();
    k.vertices = makeBuffer();
    glBindVertexArray(k.array);
    const long long bytes = stream(k.vertices, v.data(), v.size() * sizeof(FlatVertex));
    attribute(0, 3, sizeof(FlatVertex), 0);
    attribute(1, 3, sizeof(FlatVertex), sizeof(Vec3));
    glBindVertexArray(0);
    return bytes;
}

long long Triangles::upload(const Mesh& mesh, Sheet& sheet) {
    long long bytes = 0;
    if (!sheet.array) {
        sheet.array = makeVertexArray();
        sheet.vertices = makeBuffer();
        sheet.index = makeBuffer();
        glBindVertexArray(sheet.array);
        glBindBuffer(GL_ARRAY_BUFFER, sheet.vertices);
        attribute(0, 3, sizeof(SheetVertex), 0);
        attribute(1, 3, sizeof(SheetVertex), sizeof(Vec3));
        attribute(2, 1, sizeof(SheetVertex), 2 * sizeof(Vec3));
    }
    glBindVertexArray(sheet.array);
    if (sheet.key != mesh.key || sheet.triangles != mesh.triangles.size() || mesh.key == 0) {
        bytes = static_cast<long long>(mesh.triangles.size() * sizeof mesh.triangles[0]);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, sheet.index);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(bytes), mesh.triangles.data(), GL_STATIC_DRAW);
        sheet.key = mesh.key;
        sheet.triangles = mesh.triangles.size();
    }
    glBindVertexArray(0);
    const std::vector<Vec3>* normals = &mesh.normals;
    if (mesh.normals.size() != mesh.points.size()) {
        smoothNormals(mesh.points, mesh.triangles, normals_);
        normals = &normals_;
    }
    vertices_.resize(mesh.points.size());
    const bool hot = mesh.heat.size() == mesh.points.size();
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        vertices_[i] = {mesh.points[i], (*normals)[i], hot ? mesh.heat[i] : 0};
    return bytes + stream(sheet.vertices, vertices_.data(), vertices_.size() * sizeof(SheetVertex));
}

long long Triangles::upload(const SceneView& view) {
    long long bytes = 0;
    for (auto k = kept_.begin(); k != kept_.end();)
        k = k->second.of.expired() ? kept_.erase(k) : std::next(k);
    for (const Piece& p : view.pieces)
        if (p.geometry) bytes += keep(p.geometry);
    if (sheets_.size() < view.meshes.size()) sheets_.resize(view.meshes.size());
    for (std::size_t i = 0; i < view.meshes.size(); ++i) bytes += upload(view.meshes[i], sheets_[i]);
    return bytes;
}

void Triangles::use(const Shader& s, const Transform& at, Color color, Color back, bool hot) const {
    const Vec3 p = at.position;
    const Quatf q = at.rotation;
    glUseProgram(s.program);
    glUniform4f(s.position, p.x, p.y, p.z, hot ? 1.0f : 0.0f);
    glUniform4f(s.turn, q.x, q.y, q.z, q.w);
    if (s.color >= 0) glUniform4f(s.color, color.x, color.y, color.z, 0.6f);
    if (s.back >= 0) glUniform4f(s.back, back.x, back.y, back.z, 0);
}

void Triangles::draw(const SceneView& view, bool depthOnly) const {
    for (const Piece& p : view.pieces) {
        const auto found = kept_.find(p.geometry.get());
        if (found == kept_.end()) continue;
        const Kept& k = found->second;
        use(depthOnly ? depth_ : k.twoSided ? twoSided_ : lit_, p.at, p.color, p.color, false);
        if (k.twoSided) glDisable(GL_CULL_FACE);
        glBindVertexArray(k.array);
        glVertexAttrib1f(2, 0);
        glDrawArrays(GL_TRIANGLES, 0, k.count);
        glEnable(GL_CULL_FACE);
    }
    glDisable(GL_CULL_FACE);
    for (std::size_t i = 0; i < view.meshes.size(); ++i) {
        const Mesh& m = view.meshes[i];
        const bool hot = view.heat != Heat::None && m.heat.size() == m.points.size();
        use(depthOnly ? depth_ : twoSided_, {}, m.color, m.back, hot);
        glBindVertexArray(sheets_[i].array);
        glDrawElements(GL_TRIANGLES, GLsizei(3 * m.triangles.size()), GL_UNSIGNED_INT, nullptr);
    }
    glEnable(GL_CULL_FACE);
}

} // namespace capstan::render
