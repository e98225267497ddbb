// SPDX-License-Identifier: MIT
// The coupled solver: the step bound, the last part of a substep. It shortens moves so that no two segments,
// and no segment and shape, can cross.
//
// Moves go from `current`, where every pair is at least its floor apart, towards `goal`. The floor is 0.2 D
// or the distance of WorldDef::minSeparationRatio. The distance of a pair is d, and b = 0.9 (d - floor). Each
// pair needs one of four certificates:
//   U   by length: the longest moves of the two sides together are at most b. U is independent of the moves
//       of other pairs.
//   R   by difference: the longest difference of the (shortened) moves of the two sides is at most b. So
//       objects that move together do not block each other.
//   N   by normal: along the normal n of the closest points, the (shortened) moves leave a slab between the
//       sides of at least floor + 0.1 (slab - floor). The lower edge of one side is a concave function of
//       time, the upper edge of the other side a convex one. So the slab exists at all times. Objects
//       that slide along each other do not block each other.
//   P   by a plane between the two sides, with normal n: each side stays on its side of the plane.
//
// P shortens a node's move to the fraction t. P depends on the whole moves only, so the result does not
// depend on the order of the pairs. R and N are checked again with the final fractions. Where they fail, the
// pair gets P, until no pair fails. This terminates, because fractions only decrease, and a fraction of 0 is
// the start. So no pair comes nearer than its floor, in any substep, at any speed. (Divide and truncate,
// planar form: Zhang et al. 2026. The late check of R and N makes it Galilean invariant. A plane that moves
// with both sides was tried in place of P and refused. It leaves each side so little room that knots jam.)
// Pairs that begin below half of the lowest floor overlapped when they were created. Only the contact rows
// act on them.
#include "solver/coupled/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

enum Certificate : std::uint8_t { Safe, Together, Planar };

// Bounds of the motion of a point on a shape's surface.
struct Sweep {
    Vec3d shift = {0, 0, 0}; // displacement of the shape's centre [m]
    double turn = 0;         // further displacement by the rotation, in any direction [m]
};
Sweep sweepOf(const CoupledIsland& t, const IslandShape& s, const IslandBody& b) {
    if (!b.tree && !b.moves) return {};
    Sweep w;
    w.shift = b.goal.point(s.local.x) - b.current.point(s.local.x);
    const Vec3d turn = log(normalize(b.goal.q * conjugate(b.current.q)));
    const double angle = length(turn);
    Vec3d across = turn;
    if (s.round)
        across = {0, 0, 0};
    else if (dot(s.axis, s.axis) > 0) {
        const Vec3d axis = rotate(b.current.q, s.axis);
        across = turn - dot(turn, axis) * axis;
    }
    w.turn = length(across) * s.reach + 0.5 * angle * angle * (length(s.local.x) + s.reach);
    (void)t;
    return w;
}

struct Cut {
    CoupledIsland& t;
    Vec3d move(int node) const { return t.goal[node] - t.current[node]; }
    double& share(int node) { return t.cut[node]; }

    void limit(double& share, double room, double approach) {
        if (approach > 0 && approach > room) share = min(share, max(room / approach, 0.0));
    }

    // Shortens moves by a plane between two segments. n points from b to a.
    void plane(const SegmentPair& p, double d, Vec3d n) {
        const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
        const int node[4] = {a.i, a.j, b.i, b.j};
        double at[4], toward[4];
        for (int k = 0; k < 4; ++k) {
            at[k] = dot(n, t.current[node[k]]);
            toward[k] = (k < 2 ? -1 : 1) * dot(n, move(node[k]));
        }
        const double low = min(at[0], at[1]), high = max(at[2], at[3]), slab = low - high;
        if (!(slab > 0.5 * d)) { // no plane: no node moves farther than half of the available room
            const double room = 0.5 * t.def.gamma * max(0.0, d - floorOf(t, p, d));
            for (int k : node) limit(share(k), room, length(move(k)));
            return;
        }
        const double da = max(0.0, max(toward[0], toward[1])), db = max(0.0, max(toward[2], toward[3]));
        const double part = da + db > 0 ? clamp(db / (da + db), 0.05, 0.95) : 0.5;
        const double room = t.def.gamma * max(0.0, slab - floorOf(t, p, d));
        const double edgeA = low - (1 - part) * room, edgeB = high + part * room;
        for (int k = 0; k < 4; ++k) limit(share(node[k]), k < 2 ? at[k] - edgeA : edgeB - at[k], toward[k]);
    }

    void plane(const ShapePair& p, double d, Vec3d n, Vec3d point) {
        const IslandSegment& s = t.segments[p.segment];
        const IslandShape& shape = t.shapes[p.shape];
        IslandBody& body = t.bodies[shape.body];
        const Sweep sweep = sweepOf(t, shape, body);
        const int node[2] = {s.i, s.j};
        double at[2], toward[2];
        for (int k : {0, 1}) {
            at[k] = dot(n, t.current[node[k]]);
            toward[k] = -dot(n, move(node[k]));
        }
        const double low = min(at[0], at[1]), high = dot(n, point), slab = low - high;
        if (!(slab > 0.5 * d)) {
            const double room = 0.5 * t.def.gamma * max(0.0, d - floorOf(t, p, d));
            for (int k : node) limit(share(k), room, length(move(k)));
            limit(body.cut, room, length(sweep.shift) + sweep.turn);
            return;
        }
        const double da = max(0.0, max(toward[0], toward[1]));
        const double db = max(0.0, dot(n, sweep.shift)) + sweep.turn;
        const double part = da + db > 0 ? clamp(db / (da + db), 0.05, 0.95) : 0.5;
        const double room = t.def.gamma * max(0.0, slab - floorOf(t, p, d));
        for (int k : {0, 1}) limit(share(node[k]), at[k] - (low - (1 - part) * room), toward[k]);
        limit(body.cut, part * room, db);
    }
};

// Applies certificate U: returns whether a pair of segments is safe with whole moves. If not, fills in `out`.
Certificate look(const CoupledIsland& t, SegmentPair& p, BoundPair& out) {
    if (2 * t.longest <= t.def.gamma * (p.far - t.travel - highestFloor(t, p.D))) return Safe;
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    const std::size_t pa = std::size_t(p.a), pb = std::size_t(p.b);
    const double moves = max(t.moved[a.i], t.moved[a.j]) + max(t.moved[b.i], t.moved[b.j]);
    if (moves == 0) return Safe;
    const double least = length(t.middle[pa] - t.middle[pb]) - t.half[pa] - t.half[pb];
    if (t.def.gamma * (least - highestFloor(t, p.D)) > 1.001 * moves) return Safe;
    const auto c = closestOf(a, b, t.current);
    const double d = sqrt(c.distanceSquared), floor = floorOf(t, p, d);
    p.far = d + t.travel;
    if (d < 0.5 * t.def.floor * p.D || moves <= t.def.gamma * (d - floor) || goesThrough(t, p)) return Safe;
    out = {0, Together, d, (1 / d) * (c.p - c.q), c.q};
    return Together;
}

Certificate look(const CoupledIsland& t, const ShapePair& p, BoundPair& out) {
    const IslandSegment& s = t.segments[p.segment];
    const IslandShape& shape = t.shapes[p.shape];
    const IslandBody& body = t.bodies[shape.body];
    const Sweep sweep = sweepOf(t, shape, body);
    const double moves = max(t.moved[s.i], t.moved[s.j]) + length(sweep.shift) + sweep.turn;
    if (moves == 0) return Safe;
    Pose at;
    const Nearest c = nearestTo(t, p, body.current, t.current[s.i], t.current[s.j], at);
    const double floor = floorOf(t, p, c.distance);
    if (c.distance < 0.5 * t.def.floor * p.D || moves <= t.def.gamma * (c.distance - floor) ||
        goesThrough(t, p))
        return Safe;
    out = {0, Together, c.distance, rotate(at.q, c.normal), at.point(c.point)};
    return Together;
}

// Returns whether the shortened moves are safe for the pair, by certificate R or N.
bool together(const CoupledIsland& t, const SegmentPair& p, const BoundPair& l) {
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    const int node[4] = {a.i, a.j, b.i, b.j};
    Vec3d move[4];
    for (int k = 0; k < 4; ++k) {
        const std::size_t i = std::size_t(node[k]);
        move[k] = t.cut[i] * (t.goal[i] - t.current[i]);
    }
    double most = 0;
    for (int i : {0, 1})
        for (int j : {2, 3}) most = max(most, lengthSquared(move[i] - move[j]));
    const double floor = floorOf(t, p, l.d), room = t.def.gamma * (l.d - floor);
    if (room > 0 && most <= room * room) return true;
    // Certificate N.
    double now[4], then[4];
    for (int k = 0; k < 4; ++k) {
        now[k] = dot(l.n, t.current[node[k]]);
        then[k] = now[k] + dot(l.n, move[k]);
    }
    const double slab = min(now[0], now[1]) - max(now[2], now[3]);
    const double left = min(then[0], then[1]) - max(then[2], then[3]);
    return slab > 0.5 * l.d && slab - left <= t.def.gamma * (slab - floor);
}
bool together(const CoupledIsland& t, const ShapePair& p, const BoundPair& l) {
    const IslandSegment& s = t.segments[p.segment];
    const IslandShape& shape = t.shapes[p.shape];
    const IslandBody& body = t.bodies[shape.body];
    const Sweep sweep = sweepOf(t, shape, body);
    const Vec3d shift = body.cut * sweep.shift;
    const double turn = body.cut * sweep.turn, high = dot(l.n, l.point);
    double most = 0, slab = 1e30, left = 1e30;
    for (int node : {s.i, s.j}) {
        const std::size_t i = std::size_t(node);
        const Vec3d move = t.cut[i] * (t.goal[i] - t.current[i]);
        const double now = dot(l.n, t.current[i]) - high;
        most = max(most, length(move - shift));
        slab = min(slab, now);
        left = min(left, now + dot(l.n, move - shift) - turn);
    }
    const double floor = floorOf(t, p, l.d);
    return most + turn <= t.def.gamma * (l.d - floor) ||
           (slab > 0.5 * l.d && slab - left <= t.def.gamma * (slab - floor));
}

// Returns whether an object of another island comes near the node's move. If none does, the node may leave
// the bounds of its rope.
bool hasContactPairs(const CoupledIsland& t, const IslandRope& r, int node) {
    Bounds way;
    for (int k : {node - 1, node, node + 1}) {
        const int i = k < r.first ? r.first : k >= r.first + r.count ? r.first + r.count - 1 : k;
        way.add(t.current[i]);
        way.add(t.goal[i]);
    }
    way.grow(r.radius);
    for (const MotionBounds& o : *t.others)
        if (o.islandKey != t.islandKey && o.box.meets(way)) return true;
    return false;
}

double shareInReach(const CoupledIsland& t, const IslandRope& r, int node) {
    const Vec3d from = t.current[node], d = t.goal[node] - from;
    double share = 1;
    auto axis = [&](double x, double dx, double low, double high) {
        if (x + dx > high) share = min(share, max(0.0, (high - x) / dx));
        if (x + dx < low) share = min(share, max(0.0, (low - x) / dx));
    };
    axis(from.x, d.x, r.reach.min.x, r.reach.max.x);
    axis(from.y, d.y, r.reach.min.y, r.reach.max.y);
    axis(from.z, d.z, r.reach.min.z, r.reach.max.z);
    return share < 1 && hasContactPairs(t, r, node) ? share : 1;
}

// Prepares a rope's moves before they are shortened. `first`: the goal becomes the result of the iterations.
// Returns the longest move [m].
double beginRope(CoupledIsland& t, IslandRope& r, bool first) {
    double longest = 0;
    if (first) {
        r.worn = false;
        for (std::size_t i = std::size_t(r.first); i < std::size_t(r.first + r.count); ++i) {
            t.goal[i] = t.x[i];
            r.worn = r.worn || (t.listGood && beyond(t, i, t.goal[i]));
        }
    }
    r.cut = false;
    for (int k = r.first; k < r.first + r.count; ++k) {
        const std::size_t i = std::size_t(k);
        t.cut[i] = shareInReach(t, r, k);
        t.moved[i] = length(t.goal[i] - t.current[i]);
        longest = max(longest, t.moved[i]);
        r.cut = r.cut || t.cut[i] < 1;
    }
    if (first) return longest; // the segments have not moved since they were measured for the rows
    for (std::size_t k = std::size_t(r.firstSegment); k < std::size_t(r.firstSegment + r.segments); ++k) {
        putBall(t, k, t.current[t.segments[k].i], t.current[t.segments[k].j]);
    }
    return longest;
}

// Lists the pairs that certificate U does not cover, in order.
template <class Pairs>
void lookAll(CoupledIsland& t, Threads& threads, Pairs& pairs, std::vector<BoundPair>& looks) {
    constexpr int kPart = 256;
    const int size = int(pairs.size()), parts = (size + kPart - 1) / kPart;
    if (int(t.lookParts.size()) < parts) t.lookParts.resize(std::size_t(parts));
    threads.run(parts, 1, [&](int begin, int end, int) {
        for (int part = begin; part < end; ++part) {
            std::vector<BoundPair>& list = t.lookParts[part];
            list.clear();
            BoundPair one;
            for (int k = part * kPart; k < std::min(size, (part + 1) * kPart); ++k) {
                if (look(t, pairs[k], one) == Safe) continue;
                one.pair = std::uint32_t(k);
                list.push_back(one);
            }
        }
    });
    looks.clear();
    for (int part = 0; part < parts; ++part) {
        const std::vector<BoundPair>& list = t.lookParts[part];
        looks.insert(looks.end(), list.begin(), list.end());
    }
}

// Lists the pairs that fail certificates R and N. All pairs are tested with the same fractions.
template <class Pairs>
void judge(const CoupledIsland& t, const Pairs& pairs, const std::vector<BoundPair>& looks,
           std::vector<std::uint32_t>& fails) {
    fails.clear();
    for (std::size_t k = 0; k < looks.size(); ++k)
        if (looks[k].kind == Together && !together(t, pairs[looks[k].pair], looks[k]))
            fails.push_back(std::uint32_t(k));
}

// All bodies of a mechanism move by the same fraction.
void cutTogether(CoupledIsland& t) {
    for (int k = 0; k < t.usedSystems; ++k) {
        double least = 1;
        for (const IslandBody& b : t.bodies)
            if (b.system == k) least = min(least, b.cut);
        for (IslandBody& b : t.bodies)
            if (b.system == k) b.cut = least;
    }
}

// Finds the fractions of all moves. Returns true if all moves are whole.
bool findShares(CoupledIsland& t) {
    Cut cut{t};
    bool whole = true;
    for (const IslandRope& r : t.ropes) whole = whole && !r.cut;
    do {
        judge(t, t.segmentPairs, t.segmentLooks, t.segmentFails);
        judge(t, t.shapePairs, t.shapeLooks, t.shapeFails);
        for (std::uint32_t k : t.segmentFails) {
            BoundPair& l = t.segmentLooks[k];
            cut.plane(t.segmentPairs[l.pair], l.d, l.n);
            l.kind = Planar;
        }
        for (std::uint32_t k : t.shapeFails) {
            BoundPair& l = t.shapeLooks[k];
            cut.plane(t.shapePairs[l.pair], l.d, l.n, l.point);
            l.kind = Planar;
        }
        cutTogether(t);
        whole = whole && t.segmentFails.empty() && t.shapeFails.empty();
    } while (!t.segmentFails.empty() || !t.shapeFails.empty());
    return whole;
}

// Moves everything by its fraction. Returns the number of shortened moves.
int moveOn(CoupledIsland& t, Threads& threads, bool whole) {
    t.sums.assign(t.ropes.size(), 0);
    const bool starts = t.current.data() == t.start.data(); // `start` must not be overwritten
    const std::span<Vec3d> there = starts ? t.spare : t.current;
    if (whole) {
        t.current = t.goal;
        t.goal = there;
    } else
        threads.run(int(t.ropes.size()), 1, [&](int from, int to, int) {
            for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k) {
                const std::size_t first = std::size_t(t.ropes[k].first);
                int cut = 0;
                for (std::size_t i = first; i < first + std::size_t(t.ropes[k].count); ++i) {
                    const double share = t.cut[i];
                    cut += share < 1;
                    there[i] = share < 1 ? t.current[i] + share * (t.goal[i] - t.current[i]) : t.goal[i];
                }
                t.sums[k] = cut;
            }
        });
    if (!whole) t.current = there;
    int count = 0;
    for (double cut : t.sums) count += int(cut);
    t.travel += 2 * t.longest;
    for (IslandBody& b : t.bodies) {
        if (!b.tree && !b.moves) continue;
        count += b.cut < 1;
        const Vec3d turn = log(normalize(b.goal.q * conjugate(b.current.q)));
        const Pose part = {b.current.x + b.cut * (b.goal.x - b.current.x),
                           integrate(b.current.q, b.cut * turn)};
        b.current = b.cut < 1 ? part : b.goal;
    }
    return count;
}

void beginRopes(CoupledIsland& t, Threads& threads, bool first) {
    t.sums.assign(t.ropes.size(), 0);
    threads.run(int(t.ropes.size()), 1, [&](int from, int to, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k)
            t.sums[k] = beginRope(t, t.ropes[k], first);
    });
    t.longest = 0;
    for (double way : t.sums) t.longest = max(t.longest, way);
}

int cutOnce(CoupledIsland& t, Threads& threads) {
    for (IslandBody& b : t.bodies) b.cut = 1;
    // If all moves are short, no pair of segments needs a test.
    if (2 * t.longest <= t.def.gamma * (t.room - t.travel))
        t.segmentLooks.clear();
    else
        lookAll(t, threads, t.segmentPairs, t.segmentLooks);
    lookAll(t, threads, t.shapePairs, t.shapeLooks);
    const bool whole = findShares(t);
    return moveOn(t, threads, whole);
}

} // namespace

bool cutMoves(CoupledIsland& t, const Model& m, Threads& threads) {
    for (IslandBody& b : t.bodies) b.goal = b.now;
    beginRopes(t, threads, true);
    if (listPairs(t, m, threads, t.current, t.goal)) beginRopes(t, threads, false);
    int left = 0;
    for (int round = 0; round < t.def.cuts; ++round) {
        if (round > 0) beginRopes(t, threads, false);
        left = cutOnce(t, threads);
        if (round == 0) t.truncated += left;
        if (left == 0) break;
    }
    return left > 0;
}

} // namespace capstan
