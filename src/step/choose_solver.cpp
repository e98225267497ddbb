// SPDX-License-Identifier: MIT
// See choose_solver.hpp. Two bodies run through each other if boxes around each of them overlap by more than a tenth.
// The boxes are aligned with the principal axes of the bodies, and a body must have several shapes: convex shapes do
// not interlock. Boxes are compared by the separating axis test (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996).
#include "step/choose_solver.hpp"

#include "collision/geometry/nearest.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr double kShrunk = 0.9; // of a box: stacked tables and touching links side by side stay apart

// A box around all shapes of a body, in the world.
struct BodyBox {
    Vec3d center, half;
    Vec3d axis[3];
};

BodyBox boxOf(const Body& body, const BodyState& s) {
    Bounds box;
    for (const Shape& shape : body.shapes) {
        const Bounds one = boundsOf(shape, from(body.principal, shape.at));
        box.add(one.min);
        box.add(one.max);
    }
    const Mat3<double> R = toMat3(s.q);
    const auto column = [&](Vec3d e) { return R * e; };
    return {s.x + R * (0.5 * (box.min + box.max)),
            (0.5 * kShrunk) * (box.max - box.min),
            {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})}};
}

// Returns how far the box reaches from its centre along n.
double reachAlong(const BodyBox& a, Vec3d n) {
    return a.half.x * abs(dot(a.axis[0], n)) + a.half.y * abs(dot(a.axis[1], n)) +
           a.half.z * abs(dot(a.axis[2], n));
}

bool overlap(const BodyBox& a, const BodyBox& b) {
    const Vec3d d = b.center - a.center;
    const auto apart = [&](Vec3d n) { return abs(dot(d, n)) > reachAlong(a, n) + reachAlong(b, n); };
    for (int i = 0; i < 3; ++i)
        if (apart(a.axis[i]) || apart(b.axis[i])) return false;
    for (const Vec3d& u : a.axis)
        for (const Vec3d& v : b.axis)
            if (apart(cross(u, v))) return false; // parallel axes give 0 > 0, which is no separation
    return true;
}

} // namespace

void findInterlocked(ContactWorkspace& w, const Model& m, const State& s) {
    w.interlocked.clear();
    w.runThrough.assign(w.proxies.size(), 0);
    for (const IndexPair& p : w.pairs) {
        const BroadPhaseProxy &a = w.proxies[p.a], &b = w.proxies[p.b];
        if (a.body < 0 || b.body < 0) continue;
        const Body &A = m.bodies[a.body], &B = m.bodies[b.body];
        if (A.shapes.size() < 2 || B.shapes.size() < 2) continue;
        if (!overlap(boxOf(A, s.bodies[a.body]), boxOf(B, s.bodies[b.body]))) continue;
        for (const int proxy : {p.a, p.b})
            if (++w.runThrough[proxy] == 2 && !w.proxies[proxy].ground)
                w.interlocked.push_back(w.proxies[proxy].islandKey);
    }
    std::sort(w.interlocked.begin(), w.interlocked.end());
}

bool impulsesSolve(const ContactWorkspace& w, const CoupledIsland& t) {
    if (!t.ropes.empty()) return false;
    for (const IslandBody& b : t.bodies)
        if (t.mechanismOfBody[b.slot] >= 0) return false;
    return !std::binary_search(w.interlocked.begin(), w.interlocked.end(), t.islandKey);
}

} // namespace capstan
