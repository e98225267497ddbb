// SPDX-License-Identifier: MIT
//
// Triangle moves; see straighten.hpp.
#include <capstan/topology/straighten.hpp>

#include "topology/diagram/exact.hpp"

#include <algorithm>
#include <cstddef>

namespace capstan {
namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::size_t perBlock = 8; // number of segments in a block with a common box

struct Triangle {
    Vec3d a, b, c;
};

bool inLine(const Triangle& t) {
    return flatArea(t.a.x, t.a.y, t.b.x, t.b.y, t.c.x, t.c.y) == 0.0 &&
           flatArea(t.a.y, t.a.z, t.b.y, t.b.z, t.c.y, t.c.z) == 0.0 &&
           flatArea(t.a.z, t.a.x, t.b.z, t.b.x, t.c.z, t.c.x) == 0.0;
}

// Projects a triangle along the coordinate axis that is nearest to its normal.
struct Flat {
    int dropped;

    explicit Flat(const Triangle& t) {
        const Vec3d n = abs(cross(t.b - t.a, t.c - t.a));
        dropped = n.x >= n.y && n.x >= n.z ? 0 : n.y >= n.z ? 1 : 2;
    }
    // Returns the orientation of a, b, c in the projection: 1, 0 or -1.
    int side(Vec3d a, Vec3d b, Vec3d c) const {
        if (dropped == 0) return signum(flatArea(a.y, a.z, b.y, b.z, c.y, c.z));
        if (dropped == 1) return signum(flatArea(a.z, a.x, b.z, b.x, c.z, c.x));
        return signum(flatArea(a.x, a.y, b.x, b.y, c.x, c.y));
    }
};

// Returns true if the segment pq, which lies in the plane of the triangle, touches the triangle. Two convex figures
// in a plane are disjoint if the line through a side of one separates them.
bool touchesFlat(const Triangle& t, Vec3d p, Vec3d q) {
    const Flat flat(t);
    const int inside = flat.side(t.a, t.b, t.c);
    const auto parts = [&](Vec3d a, Vec3d b) {
        return flat.side(a, b, p) * inside < 0 && flat.side(a, b, q) * inside < 0;
    };
    if (parts(t.a, t.b) || parts(t.b, t.c) || parts(t.c, t.a)) return false;
    const int a = flat.side(p, q, t.a);
    return a == 0 || flat.side(p, q, t.b) != a || flat.side(p, q, t.c) != a;
}

// Returns true if the segment pq touches the triangle.
bool contacts(const Triangle& t, Vec3d p, Vec3d q) {
    const int atP = signum(spanVolume(t.a, t.b, t.c, p)), atQ = signum(spanVolume(t.a, t.b, t.c, q));
    if (atP * atQ > 0) return false;
    if (atP == 0 && atQ == 0) return touchesFlat(t, p, q);
    const int ab = signum(spanVolume(p, q, t.a, t.b)), bc = signum(spanVolume(p, q, t.b, t.c));
    if (ab * bc < 0) return false;
    const int ca = signum(spanVolume(p, q, t.c, t.a));
    return bc * ca >= 0 && ab * ca >= 0;
}

// Returns true if the segment from the triangle's corner c to d runs into the triangle.
bool leavesInto(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    if (spanVolume(a, b, c, d) != 0.0) return false;
    const Flat flat({a, b, c});
    const int inside = flat.side(a, b, c);
    if (flat.side(b, c, d) * inside < 0 || flat.side(c, a, d) * inside < 0) return false;
    return flat.side(c, d, a) * flat.side(c, d, b) <= 0;
}

} // namespace

// Calls visit(from, to) for every segment whose box overlaps the triangle of a corner, until a call returns false.
// The two segments at the corner are skipped.
template <class Visit>
bool Straightener::near(const Polylines& ropes, std::uint32_t corner, Visit visit) const {
    const std::uint32_t before = previous_[corner], after = next_[corner];
    const Vec3d a = ropes.points[before], b = ropes.points[corner], c = ropes.points[after];
    const Vec3d low = min(min(a, b), c), high = max(max(a, b), c);
    const auto away = [&](const Box& box) {
        return box.low.x > high.x || box.high.x < low.x || box.low.y > high.y || box.high.y < low.y ||
               box.low.z > high.z || box.high.z < low.z;
    };
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
        if (away(blocks_[block])) continue;
        const std::size_t end = std::min(segments_.size(), (block + 1) * perBlock);
        for (std::size_t k = block * perBlock; k < end; ++k) {
            const std::uint32_t s = segments_[k];
            if (away(boxes_[s]) || s == before || s == corner || gone_[s]) continue;
            if (!visit(s, next_[s])) return false;
        }
    }
    return true;
}

// The two segments next to the triangle share a point with it, so they are tested by leavesInto().
bool Straightener::isFree(const Polylines& ropes, std::uint32_t corner) const {
    const std::uint32_t before = previous_[corner], after = next_[corner];
    const Triangle t{ropes.points[before], ropes.points[corner], ropes.points[after]};
    if (inLine(t)) return true; // a corner without a turn, or with a turn by 180 degrees, sweeps no area
    return near(ropes, corner, [&](std::uint32_t from, std::uint32_t to) {
        const Vec3d p = ropes.points[from], q = ropes.points[to];
        if (from == after) return !leavesInto(t.a, t.b, t.c, q);
        if (to == before) return !leavesInto(t.c, t.b, t.a, p);
        return !contacts(t, p, q);
    });
}

// When the corner moves to m, the rope sweeps the triangles a b m and m b c.
bool Straightener::mayMove(const Polylines& ropes, std::uint32_t corner, Vec3d m) const {
    const std::uint32_t before = previous_[corner], after = next_[corner];
    const Vec3d a = ropes.points[before], b = ropes.points[corner], c = ropes.points[after];
    return near(ropes, corner, [&](std::uint32_t from, std::uint32_t to) {
        const Vec3d p = ropes.points[from], q = ropes.points[to];
        const bool clearOfA = to == before ? !leavesInto(m, b, a, p) : !contacts({a, b, m}, p, q);
        return clearOfA && (from == after ? !leavesInto(m, b, c, q) : !contacts({m, b, c}, p, q));
    });
}

void Straightener::box(const Polylines& ropes, std::uint32_t from) {
    const Vec3d p = ropes.points[from], q = ropes.points[next_[from]];
    boxes_[from] = {min(p, q), max(p, q)};
    Box& block = blocks_[blockOf_[from]];
    block = {min(block.low, boxes_[from].low), max(block.high, boxes_[from].high)};
}

bool Straightener::pass(const Polylines& ropes) {
    bool any = false;
    for (std::size_t r = 0; r < ropes.ropes.size(); ++r) {
        const Polylines::Rope& rope = ropes.ropes[r];
        const auto first = static_cast<std::uint32_t>(rope.first);
        const auto end = static_cast<std::uint32_t>(rope.first + rope.count);
        for (std::uint32_t k = first; k < end; ++k) {
            if (previous_[k] == none || next_[k] == none || left_[r] <= 3) continue;
            if (!isFree(ropes, k)) continue;
            const std::uint32_t a = previous_[k], c = next_[k];
            next_[a] = c;
            previous_[c] = a;
            gone_[k] = true;
            box(ropes, a);
            --left_[r];
            any = true;
            ++k; // skips the next corner in this pass
        }
    }
    return any;
}

void Straightener::compact(Polylines& ropes) {
    std::size_t kept = 0;
    for (Polylines::Rope& rope : ropes.ropes) {
        const std::size_t first = kept;
        for (std::size_t k = rope.first; k < rope.first + rope.count; ++k) {
            if (gone_[k]) continue;
            ropes.points[kept] = ropes.points[k];
            ropes.origin[kept] = ropes.origin[k];
            ++kept;
        }
        rope.first = first;
        rope.count = kept - first;
    }
    ropes.points.resize(kept);
    ropes.origin.resize(kept);
}

void Straightener::prepare(const Polylines& ropes) {
    const std::size_t n = ropes.points.size();
    previous_.assign(n, none);
    next_.assign(n, none);
    gone_.assign(n, false);
    boxes_.resize(n);
    blockOf_.resize(n);
    blocks_.clear();
    segments_.clear();
    left_.clear();
    for (const Polylines::Rope& rope : ropes.ropes) {
        // An open rope may lose all its corners; a closed rope keeps three.
        left_.push_back(static_cast<std::uint32_t>(rope.closed ? rope.count : rope.count + 3));
        for (std::size_t k = rope.first; k < rope.first + rope.segments(); ++k) {
            const std::size_t to = rope.next(k);
            next_[k] = static_cast<std::uint32_t>(to);
            previous_[to] = static_cast<std::uint32_t>(k);
            if (segments_.size() % perBlock == 0) blocks_.push_back({ropes.points[k], ropes.points[k]});
            blockOf_[k] = static_cast<std::uint32_t>(blocks_.size() - 1);
            box(ropes, static_cast<std::uint32_t>(k));
            segments_.push_back(static_cast<std::uint32_t>(k));
        }
    }
}

void Straightener::cut(Polylines& ropes) {
    for (bool any = true; any; compact(ropes)) {
        prepare(ropes);
        any = pass(ropes);
    }
}

// Tries to move each corner by 1/2, 1/4 or 1/8 of the way to the middle of its neighbours, and takes the first free
// position. The new position is rounded before it is tested.
void Straightener::relax(Polylines& ropes) {
    prepare(ropes);
    for (std::size_t r = 0; r < ropes.ropes.size(); ++r) {
        const Polylines::Rope& rope = ropes.ropes[r];
        if (left_[r] <= 3) continue;
        for (auto k = static_cast<std::uint32_t>(rope.first); k < rope.first + rope.count; ++k) {
            const std::uint32_t a = previous_[k], c = next_[k];
            if (a == none || c == none) continue;
            const Vec3d b = ropes.points[k], middle = 0.5 * (ropes.points[a] + ropes.points[c]);
            for (const double share : {0.5, 0.25, 0.125}) {
                const Vec3d to = b + share * (middle - b);
                if (!mayMove(ropes, k, to)) continue;
                ropes.points[k] = to;
                box(ropes, a);
                box(ropes, k);
                break;
            }
        }
    }
}

} // namespace capstan
