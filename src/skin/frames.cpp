// SPDX-License-Identifier: MIT
// See frames.hpp.
#include <capstan/skin/frames.hpp>

namespace capstan {
namespace {

// Returns the unit tangent at each point.
std::vector<Vec3> tangents(std::span<const Vec3> x, bool closed) {
    const std::size_t n = x.size();
    // Edge i is the direction from point i to the next point.
    std::vector<Vec3> edge(n, Vec3{0, 0, 0}), t(n, Vec3{0, 0, 0});
    for (std::size_t i = 0; i < n; ++i)
        if (i + 1 < n || closed) edge[i] = normalize(x[(i + 1) % n] - x[i]);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 before = i > 0 ? edge[i - 1] : closed ? edge[n - 1] : Vec3{0, 0, 0};
        // At a point where the curve reverses, the edge after the point is used.
        t[i] = normalize(before + edge[i], edge[i]);
    }
    Vec3 known = {0, 0, 1};
    for (std::size_t i = n; i-- > 0;) known = lengthSquared(t[i]) > 0 ? t[i] : known;
    for (std::size_t i = 0; i < n; ++i) {
        if (lengthSquared(t[i]) > 0) known = t[i];
        t[i] = known;
    }
    return t;
}

} // namespace

void carryFrames(std::span<const Vec3> points, bool closed, FrameMemory& memory, std::vector<Quatf>& to) {
    const std::size_t n = points.size();
    to.resize(n);
    if (n == 0) return;
    const std::vector<Vec3> t = tangents(points, closed);
    if (!memory.known) memory.start = Quatf::identity();
    memory.start = normalize(fromTo(axisZ(memory.start), t[0]) * memory.start);
    to[0] = memory.start;
    for (std::size_t i = 1; i < n; ++i) to[i] = normalize(fromTo(t[i - 1], t[i]) * to[i - 1]);
    if (closed && n > 1) {
        const Quatf back = normalize(fromTo(t[n - 1], t[0]) * to[n - 1]);
        const Vec3 x = axisX(back);
        const float turn = 6.28318531f, angle = -atan2(dot(x, axisY(to[0])), dot(x, axisX(to[0])));
        const float whole = memory.known ? roundToInteger((memory.closure - angle) / turn) : 0.0f;
        memory.closure = angle + whole * turn;
        for (std::size_t i = 1; i < n; ++i) {
            const float share = memory.closure * float(i) / float(n);
            to[i] = normalize(to[i] * Quatf::fromAxisAngle({0, 0, 1}, share));
        }
    }
    memory.known = true;
}

} // namespace capstan
