// SPDX-License-Identifier: MIT
// This file implements tubes.hpp. Each node i has a unit vector u_i across the rope, which fixes the pattern's angle.
// It is computed from node to node by parallel transport (R. Bishop 1975) with positions p and tangents t:
//   u_i = u_(i-1) - t (u_(i-1) . t) / (t . t),      t = p_(i+1) - p_(i-1)
// So the pattern does not twist. Vectors made on the GPU from a fixed "up" were refused: they spin where the rope
// points up, which is common. The vector of the first node is transported from frame to frame in the same way.
//
// On the GPU the nodes of all ropes are in one array, with one extra node before and after each rope. So segment i
// reads its four nodes at i, i+1, i+2, i+3. Segments between ropes have radius 0 and are dropped.
#include <render/gl/tubes.hpp>

#include <render/gl/shaders.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace capstan::render {
namespace {

// Pitch of the pattern: strands per length of one rope radius. A strand then climbs at about 50 degrees.
constexpr float kLay = 3 / (1.3f * 6.2831853f);

std::uint32_t packDirection(Vec3 n) {
    const auto bits = [](float x) { return std::uint32_t(std::int32_t(511 * x)) & 1023u; };
    return bits(n.x) | bits(n.y) << 10 | bits(n.z) << 20;
}

std::size_t entriesOf(const Tube& t) { return std::size_t(t.count) + (t.closed ? 3u : 2u); }

bool same(const Tube& a, const Tube& b) {
    return a.count == b.count && a.closed == b.closed && a.radius == b.radius && a.spacing == b.spacing &&
           a.color == b.color && a.second == b.second;
}

} // namespace

Status Tubes::init() {
    Result<Program> lit =
        makeProgram("ropes", shaders::tubeVertex, std::string(shaders::lit) + shaders::tubeFragment);
    if (!lit) return lit.error();
    Result<Program> depth = makeProgram("shadows of ropes", shaders::tubeVertex, shaders::depthFragment);
    if (!depth) return depth.error();
    lit_ = std::move(*lit);
    depth_ = std::move(*depth);
    ring_ = makeBuffer();
    index_ = makeBuffer();
    nodes_ = makeBuffer();
    yarns_ = makeBuffer();
    heat_ = makeBuffer();
    makeRings();
    return done();
}

// makeRings makes three meshes of a tube segment, with different numbers of sides and of steps along the segment.
void Tubes::makeRings() {
    struct Fineness {
        int sides, steps;
    };
    static constexpr Fineness all[3] = {{5, 1}, {8, 2}, {12, 4}};
    std::vector<float> ring;
    std::vector<std::uint16_t> index;
    for (int k = 0; k < 3; ++k) {
        const auto [sides, steps] = all[k];
        rings_[k] = {6 * sides * steps, 2 * index.size(), int(ring.size() / 2)};
        for (int j = 0; j <= steps; ++j)
            for (int i = 0; i <= sides; ++i)
                ring.insert(ring.end(), {float(i) / float(sides), float(j) / float(steps)});
        for (int j = 0; j < steps; ++j) {
            for (int i = 0; i < sides; ++i) {
                const int a = j * (sides + 1) + i, b = a + sides + 1;
                for (int v : {a, a + 1, b + 1, a, b + 1, b}) index.push_back(std::uint16_t(v));
            }
        }
    }
    stream(ring_, ring.data(), ring.size() * sizeof(float));
    for (int k = 0; k < 3; ++k) {
        array_[k] = makeVertexArray();
        glBindVertexArray(array_[k]);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_);
        if (k == 0)
            glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(2 * index.size()), index.data(), GL_STATIC_DRAW);
        point(std::size_t(rings_[k].vertices) * 8);
    }
    glBindVertexArray(0);
}

void Tubes::point(std::size_t vertexOffset) {
    glBindBuffer(GL_ARRAY_BUFFER, ring_);
    attribute(0, 2, 8, vertexOffset);
    glBindBuffer(GL_ARRAY_BUFFER, nodes_);
    for (GLuint i = 0; i < 4; ++i) attribute(1 + i, 3, sizeof(Node), i * sizeof(Node), 1);
    const auto pointer = [](std::size_t bytes) { return reinterpret_cast<const void*>(bytes); };
    for (GLuint i = 0; i < 2; ++i) {
        glEnableVertexAttribArray(5 + i);
        glVertexAttribPointer(5 + i, 4, GL_INT_2_10_10_10_REV, GL_TRUE, sizeof(Node),
                              pointer((1 + i) * sizeof(Node) + 12));
        glVertexAttribDivisor(5 + i, 1);
    }
    glBindBuffer(GL_ARRAY_BUFFER, yarns_);
    for (GLuint i = 0; i < 2; ++i) {
        attribute(7 + i, 2, sizeof(Yarn), (1 + i) * sizeof(Yarn), 1);
        glEnableVertexAttribArray(9 + i);
        glVertexAttribPointer(9 + i, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Yarn),
                              pointer(sizeof(Yarn) + 8 + 4 * i));
        glVertexAttribDivisor(9 + i, 1);
    }
    glBindBuffer(GL_ARRAY_BUFFER, heat_);
    for (GLuint i = 0; i < 2; ++i) attribute(11 + i, 1, 4, 4 * (1 + i), 1);
}

// layOut writes the nodes of one rope. It returns the vector across the rope at the first node, for the next frame.
Vec3 Tubes::layOut(const Tube& tube, const Vec4* p, Vec3 across, Node* out) const {
    const int n = tube.count;
    const auto at = [&](int i) { return Vec3{p[i].x, p[i].y, p[i].z}; };
    const Vec3 before = tube.closed ? at(n - 1) : 2 * at(0) - at(1);
    const Vec3 behind = tube.closed ? at(0) : 2 * at(n - 1) - at(n - 2);
    const Vec3 start = normalize(at(1) - before, {0, 1, 0});
    across = across - dot(across, start) * start;
    across = lengthSquared(across) > 0.01f ? normalize(across) : perpendicular(start);
    Vec3 u = across, last = before, here = at(0);
    out[0] = {before.x, before.y, before.z, 0};
    for (int i = 0; i < n; ++i) {
        const Vec3 next = i + 1 < n ? at(i + 1) : behind, t = next - last;
        u = u - (dot(u, t) / (dot(t, t) + 1e-20f)) * t;
        if ((i & 3) == 3) u = (1.5f - 0.5f * dot(u, u)) * u; // one Newton step keeps the length of u near 1
        out[i + 1] = {here.x, here.y, here.z, packDirection(u)};
        last = here;
        here = next;
    }
    out[n + 1] = {behind.x, behind.y, behind.z, packDirection(u)};
    if (tube.closed) {
        // In a closed rope, transport around the loop ends at an angle to the start. This angle is distributed over
        // all nodes.
        const Vec3 t = normalize(at(1) - at(n - 1), {0, 1, 0}), end = normalize(u - dot(u, t) * t, across);
        const float angle = std::atan2(dot(cross(end, across), t), dot(end, across)) / float(n);
        Vec3 v = across;
        for (int i = 0; i <= n; ++i) {
            const Vec3 a = at((i + n - 1) % n), b = at((i + 1) % n), axis = normalize(b - a, {0, 1, 0});
            v = normalize(v - dot(v, axis) * axis, across);
            const float turn = float(i) * angle;
            out[i + 1].across = packDirection(std::cos(turn) * v + std::sin(turn) * cross(axis, v));
        }
        const Vec3 second = at(1 % n);
        out[n + 2] = {second.x, second.y, second.z, 0};
    }
    return across;
}

void Tubes::layOut(const SceneView& view, Node* out) {
    if (across_.size() != view.tubes.size()) across_.assign(view.tubes.size(), {0, 0, 0});
    for (std::size_t i = 0; i < view.tubes.size(); ++i) {
        const Tube& t = view.tubes[i];
        if (t.count < 2) continue;
        across_[i] = layOut(t, view.tubePoints.data() + t.first, across_[i], out);
        out += entriesOf(t);
    }
}

// uploadYarns sends pattern phases, radii and colours. In a closed rope the pattern is stretched to fit the length.
long long Tubes::uploadYarns(const SceneView& view) {
    if (last_.size() == view.tubes.size() && std::equal(last_.begin(), last_.end(), view.tubes.begin(), same))
        return 0;
    last_ = view.tubes;
    yarn_.clear();
    for (const Tube& t : view.tubes) {
        if (t.count < 2) continue;
        float perNode = t.spacing * kLay / t.radius;
        if (t.closed) perNode = 3 * std::max(1.0f, std::round(perNode * float(t.count) / 3)) / float(t.count);
        const std::uint32_t color = packColor(t.color), second = packColor(t.second);
        const int entries = int(entriesOf(t)), drawn = t.closed ? t.count : t.count - 1;
        for (int k = 0; k < entries; ++k) {
            const int i = k - 1; // index of the node
            const float phase = perNode * float(t.closed ? i : t.count - 1 - i);
            yarn_.push_back({phase, i >= 0 && i < drawn ? t.radius : 0, color, second});
        }
    }
    return stream(yarns_, yarn_.data(), yarn_.size() * sizeof(Yarn));
}

long long Tubes::uploadHeat(const SceneView& view) {
    const bool hot = view.heat != Heat::None && view.tubeHeat.size() == view.tubePoints.size();
    if (!hot && heats_.size() == entries_) return 0;
    heats_.assign(entries_, 0.0f);
    std::size_t at = 0;
    for (const Tube& t : view.tubes) {
        if (t.count < 2) continue;
        if (hot) {
            std::copy_n(view.tubeHeat.begin() + t.first, t.count, heats_.begin() + long(at) + 1);
            if (t.closed) heats_[at + std::size_t(t.count) + 1] = view.tubeHeat[t.first];
        }
        at += entriesOf(t);
    }
    return stream(heat_, heats_.data(), heats_.size() * sizeof(float));
}

long long Tubes::upload(const SceneView& view) {
    entries_ = 0;
    for (const Tube& t : view.tubes)
        if (t.count >= 2) entries_ += entriesOf(t);
    if (entries_ == 0) return 0;
    const std::size_t bytes = entries_ * sizeof(Node);
    glBindBuffer(GL_ARRAY_BUFFER, nodes_);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
    // The loop writes directly into mapped GL memory, in one pass over the nodes.
    if (void* out = glMapBufferRange(GL_ARRAY_BUFFER, 0, GLsizeiptr(bytes),
                                     GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)) {
        layOut(view, static_cast<Node*>(out));
        glUnmapBuffer(GL_ARRAY_BUFFER);
    }
    return static_cast<long long>(bytes) + uploadYarns(view) + uploadHeat(view);
}

void Tubes::draw(bool depthOnly, bool fine) const {
    if (entries_ < 4) return;
    // A scene with many nodes shows them small, so it uses a coarser mesh.
    const std::size_t k = entries_ > 30000 ? 0 : entries_ > 4000 || !fine ? 1 : 2;
    glUseProgram(depthOnly ? depth_ : lit_);
    glBindVertexArray(array_[k]);
    glDrawElementsInstanced(GL_TRIANGLES, rings_[k].indices, GL_UNSIGNED_SHORT,
                            reinterpret_cast<const void*>(rings_[k].offset), GLsizei(entries_ - 3));
}

} // namespace capstan::render
