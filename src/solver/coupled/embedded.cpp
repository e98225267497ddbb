// SPDX-License-Identifier: MIT
// The coupled solver: embedded rows. Their elements were created in places that no motion reaches: ropes
// inside bodies, through meshes, or through each other. See island.hpp.
//
// No set of contact forces resolves such overlaps. If a rope passes through a ball, one segment is pushed up,
// the next one left, another one right. Multipliers that must satisfy all of these rows grow until something
// is flung away. So embedded rows have no multiplier. They pull the two sides apart at a recovery speed w:
//     F = rho (u - h w n),   w = 0.1 m/s
//
// The penalty is rho, the relative displacement of the points in this substep u, and the substep h. This is
// a damper in all directions, whose rest velocity is w along n. Its force is bounded, and it takes energy
// from everything that moves faster than w. All rows of a rope about one place share one direction n, so that
// the rope leaves as a whole. A mesh has no inside, so a rope can leave it only along itself: there w = 0,
// and the rope may slip.
// The step bound does not shorten the moves of such pairs (step_bound.cpp). The rope already passes through,
// and the bounds of neighbouring pairs would block it.
#include "solver/coupled/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

double distanceOf(const ContactRow& r) { return r.gap0 + r.D; }
bool ofMesh(const ContactRow& r) { return r.shape && r.pair.triangle >= 0; }

// Embedded: for a solid shape, its core is inside; otherwise, the cores are nearer than half of what the step
// bound guarantees.
bool isInside(const CoupledIsland& t, const ContactRow& r) {
    if (r.a >> 63) return false;
    return distanceOf(r) < (r.shape && !ofMesh(r) ? 0 : 0.5 * t.def.floor * r.D);
}

// Identifier of the other side of a row: the segment of another rope, or a shape with all its triangles.
std::uint64_t otherOf(const ContactRow& r) { return r.shape ? r.b >> 24 : r.b; }

// Returns the indices of a row's two elements in the island: its segment, and the other segment or the shape.
std::pair<int, int> sidesOf(const CoupledIsland& t, std::size_t k) {
    const ContactRow& r = t.rows[k];
    if (r.shape) return {r.pair.segment, r.pair.shape};
    const SegmentPair& p = t.segmentPairs[t.needed[k]];
    return {p.a, p.b};
}
void open(CoupledIsland& t, std::size_t k) {
    (t.rows[k].shape ? t.openShapes : t.openSegments).push_back(sidesOf(t, k));
}

// Calls f(index of a row) for the rows of neighbouring segments of the rope with the same other side.
template <class F> void eachBeside(const CoupledIsland& t, std::size_t k, const F& f) {
    const ContactRow& r = t.rows[k];
    const std::uint64_t spread = r.shape ? 0 : 1, other = otherOf(r);
    for (std::uint64_t a = r.a > 0 ? r.a - 1 : 0; a <= r.a + 1; ++a) {
        auto ahead = [&](const ContactRow& x, std::uint64_t want) {
            const bool body = x.b >> 63 != 0;
            if (body != r.shape || x.a >> 63) return !body && r.shape;
            return x.a != a ? x.a < a : otherOf(x) < want;
        };
        auto at = std::lower_bound(t.rows.begin(), t.rows.end(), other > spread ? other - spread : 0, ahead);
        for (; at != t.rows.end() && at->a == a && at->shape == r.shape && otherOf(*at) <= other + spread;
             ++at)
            f(std::size_t(at - t.rows.begin()));
    }
}

// Collects in t.run the rows about one place: embedded rows, and a few neighbouring rows, which may have
// other normals.
void gather(CoupledIsland& t, std::size_t seed) {
    std::vector<int>&run = t.run, &steps = t.steps;
    run.clear();
    run.push_back(int(seed));
    steps[seed] = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
        const std::size_t k = std::size_t(run[i]);
        const ContactRow& r = t.rows[k];
        const IslandSegment& s = t.segments[sidesOf(t, k).first];
        const int most = 2 + int(min(r.D / t.ropes[s.rope].length, 20.0));
        eachBeside(t, k, [&](std::size_t next) {
            const int far = isInside(t, t.rows[next]) ? 0 : steps[k] + 1;
            if (far > most || (steps[next] >= 0 && steps[next] <= far)) return;
            steps[next] = far;
            run.push_back(int(next));
        });
    }
    std::sort(run.begin(), run.end());
    run.erase(std::unique(run.begin(), run.end()), run.end());
}

// Returns whether the ends of a segment lie on different sides of its triangle.
bool pierces(const CoupledIsland& t, const ContactRow& r) {
    const IslandShape& s = t.shapes[r.pair.shape];
    const Pose at = t.bodies[s.body].current * s.local;
    const auto& f = s.shape->triangles[r.pair.triangle];
    const auto corner = [&](int k) { return at.point(s.shape->corners[f[k]]); };
    const Vec3d p = corner(0), n = normalize(cross(corner(1) - p, corner(2) - p), {0, 0, 0});
    const double a = dot(n, t.current[r.end[0].i] - p), b = dot(n, t.current[r.end[0].j] - p);
    return a * b <= 0 && max(abs(a), abs(b)) > 0.5 * t.def.floor * r.D;
}

// Returns whether the normal of this row points out of the overlap. It does not if the row is only a
// neighbour, or if the segment pierces the mesh.
bool leads(const CoupledIsland& t, const ContactRow& r) {
    return isInside(t, r) && !(ofMesh(r) && pierces(t, r));
}

// Limits the recovery speed of a row that is no longer embedded, or that overlaps only a little too much.
// Below the floor of the step bound a move would be cut to nothing. A body that is blocked that way would
// gain speed without end. So there the row replaces the step bound.
void slowDown(CoupledIsland& t, std::size_t k) {
    ContactRow& r = t.rows[k];
    if (!(r.gap0 < 0)) return;
    r.slow = true;
    r.allowed = comesOut(t, r.gap0);
    if (distanceOf(r) < 1.2 * t.def.floor * r.D) open(t, k);
}

// Returns whether the rows in t.run are those of a rope around a body that is too large for it. Then the
// overlap is small, no normal points along the rope, and neighbouring rows have similar normals. Such rows
// can all be satisfied, and they carry the rope's tension while it moves out.
bool wraps(const CoupledIsland& t) {
    const ContactRow* last = nullptr;
    for (int k : t.run) {
        const ContactRow& r = t.rows[k];
        if (!r.shape || ofMesh(r)) return false;
        if (!(r.gap0 < 0)) continue;
        const Vec3d along = normalize(t.current[r.end[0].j] - t.current[r.end[0].i]);
        if (distanceOf(r) < -5 * r.D || abs(dot(r.n, along)) > 0.6) return false;
        if (last && last->b == r.b && dot(last->n, r.n) < 0.8) return false;
        last = &r;
    }
    return true;
}

// Makes the rows of t.run embedded, with a common direction n. If the rope wraps a body, the rows only become
// slow.
void leave(CoupledIsland& t) {
    if (wraps(t)) {
        for (int k : t.run) slowDown(t, std::size_t(k));
        return;
    }
    Vec3d sum = {0, 0, 0}, deepest = {0, 1, 0};
    double all = 0, most = -1, walk = 0;
    for (int k : t.run) {
        const ContactRow& r = t.rows[k];
        if (!leads(t, r)) continue;
        const double depth = max(0.0, (r.shape && !ofMesh(r) ? 0 : r.D) - distanceOf(r));
        sum = sum + depth * r.n;
        all += depth;
        walk = t.def.pushOut;
        if (depth > most) {
            most = depth;
            deepest = r.n;
        }
    }
    const double size = length(sum);
    const Vec3d n = size > 0.1 * all ? (1 / size) * sum : deepest;
    for (int k : t.run) {
        ContactRow& r = t.rows[k];
        r.inside = true;
        r.n = n;
        r.walk = ofMesh(r) && !leads(t, r) ? 0 : walk;
        r.ln = 0;
        r.lt = {0, 0, 0};
        r.slipping = false;
        r.restitution = 0;
        t.presses[k] = 0;
        open(t, std::size_t(k));
        if (!r.shape) continue;
        // The rope may slip on through the hole where it is: its neighbouring segments are not bounded there
        // either.
        const IslandRope& rope = t.ropes[t.segments[r.pair.segment].rope];
        for (int next : {r.pair.segment - 1, r.pair.segment + 1})
            if (next >= rope.firstSegment && next < rope.firstSegment + rope.segments)
                t.openShapes.push_back({next, r.pair.shape});
        // The force acts on both sides at the same point. Otherwise the pair of forces would exert a torque.
        const IslandBody& b = t.bodies[r.end[1].body];
        const std::size_t i = std::size_t(r.end[0].i), j = std::size_t(r.end[0].j);
        r.end[1].surface = b.current.local((1 - r.end[0].c) * t.current[i] + r.end[0].c * t.current[j]);
    }
}

// Keeps rows slow that were embedded or slow in the previous substep.
void goOn(CoupledIsland& t) {
    std::size_t at = 0;
    auto before = [](const ContactRow& x, const ContactRow& y) {
        if (x.b >> 63 != y.b >> 63) return y.b >> 63 != 0;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    };
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        const ContactRow& r = t.rows[k];
        if (r.a >> 63) break;
        while (at < t.old.size() && !(t.old[at].a >> 63) && before(t.old[at], r)) ++at;
        if (at == t.old.size()) break;
        const ContactRow& o = t.old[at];
        const bool out = !o.inside && r.gap0 > -kOut * r.D;
        if (o.a == r.a && o.b == r.b && (o.inside || o.slow) && !out) slowDown(t, k);
    }
}

} // namespace

void markEmbedded(CoupledIsland& t) {
    bool any = false, slow = false;
    for (std::size_t k = 0; k < t.rows.size() && !(t.rows[k].a >> 63); ++k) {
        if (belowFloor(t, t.rows[k])) {
            any = true;
            slowDown(t, k);
        }
    }
    for (const ContactRow& r : t.old) slow = slow || r.inside || r.slow;
    if (slow) goOn(t);
    if (any) {
        t.steps.assign(t.rows.size(), -1);
        for (std::size_t k = 0; k < t.rows.size(); ++k)
            if (t.steps[k] < 0 && isInside(t, t.rows[k])) {
                gather(t, k);
                leave(t);
            }
    }
    std::sort(t.openShapes.begin(), t.openShapes.end());
    std::sort(t.openSegments.begin(), t.openSegments.end());
}

bool goesThrough(const CoupledIsland& t, const ShapePair& p) {
    const auto& list = t.openShapes;
    return !list.empty() && std::binary_search(list.begin(), list.end(), std::pair{p.segment, p.shape});
}
bool goesThrough(const CoupledIsland& t, const SegmentPair& p) {
    const auto& list = t.openSegments;
    return !list.empty() && std::binary_search(list.begin(), list.end(), std::pair{p.a, p.b});
}

} // namespace capstan
