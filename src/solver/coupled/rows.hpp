// SPDX-License-Identifier: MIT
// Functions that the source files of the coupled solver share. See island.hpp.
#pragma once

#include "collision/geometry/closest.hpp"
#include "core/threads.hpp"
#include "solver/coupled/mechanism_units.hpp"

namespace capstan {

// build.cpp
void addRope(CoupledIsland& t, const Model& m, const State& s, int slot, const Bounds& reach);
void addBody(CoupledIsland& t, const Model& m, const State& s, int slot);
// Returns the number of substeps that the island needs, at least `substeps`.
int buildIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int substeps);
// Loads the island from the State for substeps of length h [s]. `clock` is the time from the start of the
// step [s].
void loadIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int lanes, double h, double clock);

// substep.cpp. `mine` holds the indices of the island's contacts in `had`. Its contacts at the end are added
// to `has`.
void stepIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int lanes, int substeps,
                const std::vector<StoredContact>& had, const std::vector<int>& mine,
                std::vector<StoredContact>& has);

// store.cpp. Until a step ends, the State holds the pose of a kinematic body at the start of the step. Its
// path is computed from that pose.
void storeAll(CoupledIsland& t, TreeContext& c, Threads& threads, bool ends);
void storeContacts(CoupledIsland& t, Threads& threads, std::vector<StoredContact>& to);
void warmStart(CoupledIsland& t, Threads& threads, const std::vector<StoredContact>& from,
               const std::vector<int>& mine);

// halving.cpp. Returns whether the substep has moved a rope nearer to something than the world allows.
bool tooNear(CoupledIsland& t, Threads& threads);
// Returns whether the island takes BDF2 while nothing sudden happens.
bool remembers(const CoupledIsland& t, const Model& m);
// Returns whether friction may act in the island.
bool mayRub(const CoupledIsland& t, const Model& m);
// Returns the length of the last substep if BDF2 may use it for all objects of the island, else 0.
double commonHistory(const CoupledIsland& t, const Model& m, const State& s);
// Returns whether nothing sudden has happened in the substep, so that BDF2 may use it.
bool isSmooth(const CoupledIsland& t);

// x - x is 0 for every finite x, and NaN for infinities and NaN.
inline bool finite(Vec3d a) { return (a.x + a.y + a.z) - (a.x + a.y + a.z) == 0; }

// Sums f(from, to) over a range, in parts that do not depend on the number of threads.
template <class F> double sumOver(CoupledIsland& t, Threads& threads, std::size_t size, const F& f) {
    constexpr std::size_t kPart = 32;
    const std::size_t parts = (size + kPart - 1) / kPart;
    t.sums.assign(parts, 0);
    threads.run(int(parts), 1, [&](int begin, int end, int) {
        for (std::size_t part = std::size_t(begin); part < std::size_t(end); ++part)
            t.sums[part] = f(part * kPart, part * kPart + kPart < size ? part * kPart + kPart : size);
    });
    double sum = 0;
    for (double x : t.sums) sum += x;
    return sum;
}

// Calls f(group) for the groups of ropes of every width. A group is given to the worker that had it before.
template <class F> void eachGroupAtOnce(CoupledIsland& t, Threads& threads, const F& f) {
    const int a = int(t.ones.size()), b = a + int(t.fours.size()), c = b + int(t.eights.size());
    threads.run(c, 1, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            if (k < a)
                f(t.ones[k]);
            else if (k < b)
                f(t.fours[k - a]);
            else
                f(t.eights[k - b]);
        }
    });
}

// candidates.cpp
double pairDistance(const CoupledIsland& t, const IslandSegment& a,
                    const IslandSegment& b); // 0: no contact between the two
// If the list of candidates is stale, rebuilds it for moves from `from` to `to`, and returns true. The caller
// must have set IslandRope::worn.
bool listPairs(CoupledIsland& t, const Model& m, Threads& threads, std::span<const Vec3d> from,
               std::span<const Vec3d> to);
// Returns whether the position `there` of the node is outside its margin.
inline bool beyond(const CoupledIsland& t, std::size_t node, Vec3d there) {
    return !(lengthSquared(there - t.listed[node]) <= t.margin[node] * t.margin[node]);
}

// near_segments.cpp
// Measures the segments of a rope: a ball around each, and the longest move of its nodes.
void measureRope(CoupledIsland& t, IslandRope& rope, std::span<const Vec3d> from, std::span<const Vec3d> to);
// Sets a ball around a segment from a to b, a little larger than necessary. While the ball still encloses the
// segment it is not rewritten, so it stays in every core's cache.
inline void putBall(CoupledIsland& t, std::size_t segment, Vec3d a, Vec3d b) {
    constexpr double kLoose = 0.01;
    const Vec3d middle = 0.5 * (a + b);
    const double half = 0.50001 * length(a - b), room = t.half[segment] - half;
    if (room >= 0 && room <= 2 * kLoose * half &&
        lengthSquared(middle - t.middle[segment]) <= 0.999 * room * room)
        return;
    t.middle[segment] = middle;
    t.half[segment] = (1 + kLoose) * half;
}
// Writes the indices of the pairs of segments that need a row to CoupledIsland::needed. Resizes the rows.
void rowsOfSegments(CoupledIsland& t, Threads& threads, std::span<const Vec3d> from,
                    std::span<const Vec3d> to);

// rows.cpp
// Makes rows between elements that are near at `from`, or that may touch on the way to `to`. Requires
// measureRope.
void findRows(CoupledIsland& t, const Model& m, Threads& threads, std::span<const Vec3d> from,
              std::span<const Vec3d> to);
void relinearize(CoupledIsland& t, ContactRow& row);
void linkRows(CoupledIsland& t);
// Computes points and normals of rows between bodies anew at the iterate.
void relinearizeBodies(CoupledIsland& t);

// bodies/solve.cpp. Does the rounds of a substep of an island that has bodies only. Does nothing and
// leaves CoupledIsland::exact false if too many bodies touch each other. Returns whether the rounds have settled.
bool solveBodies(CoupledIsland& t);
// After the impacts of a substep that solveBodies has solved: limits the kinetic energy.
void limitImpacts(CoupledIsland& t);

// embedded.cpp
void markEmbedded(
    CoupledIsland& t); // Marks rows as embedded or slow. Called only if fillRows found such a row.
// An overlap of less than this part of D has come out.
constexpr double kOut = 1e-3;
// Returns the overlap that a row with the gap `gap` may have after a substep, if it comes out slowly. The speed falls
// with the overlap, so that what the row has lifted does not fly on.
inline double comesOut(const CoupledIsland& t, double gap) {
    return min(0.0, gap + min(t.def.pushOut * t.h, -min(1.0, t.h / t.def.pushTime) * gap));
}
inline bool belowFloor(const CoupledIsland& t, const ContactRow& r) {
    return r.gap0 + r.D < 0.95 * t.def.floor * r.D && !(r.a >> 63);
}
bool goesThrough(const CoupledIsland& t,
                 const ShapePair& p); // returns whether the pair is embedded, so that the step bound lets it
                                      // pass
bool goesThrough(const CoupledIsland& t, const SegmentPair& p);

// forces.cpp
// Computes the forces of all rows. opening: first iteration, with the rows as they were found.
void rowForces(CoupledIsland& t, Threads& threads, bool opening);
void gatherRope(CoupledIsland& t, const IslandRope& rope); // sums the contact loads on the nodes of a rope
void gatherLoads(CoupledIsland& t);                        // sums the contact loads on bodies and mechanisms
// Stores how much the force of each row changed in the iteration.
void lookAtRound(CoupledIsland& t, Threads& threads);
// Updates the multipliers of rows: `known` are rows from before this substep, `fresh` are new ones. Returns
// the worst gap after the iteration, in units of D; a negative value is an overlap.
double keepMultipliers(CoupledIsland& t, Threads& threads, bool known, bool fresh);
bool settled(const CoupledIsland& t);
// Called before and after keepMultipliers(): sets multipliers to the limit that they approach.
void beginSeries(CoupledIsland& t);
void extrapolate(CoupledIsland& t);

// impacts.cpp. After a substep: bodies that struck faster than the threshold are reflected.
void restoreBodies(CoupledIsland& t);

// Returns whether a heavy island has used many Newton iterations in this step. At a thousand metres a second
// no solve settles. The limit is more than any mass hanging on ropes has needed, and less after a diverged
// solve. Beyond it substeps use few iterations: accuracy is lost, but the step bound still keeps objects
// apart.
inline bool tired(const CoupledIsland& t) {
    return t.heavy && t.solves >= (t.heldStill > 0 ? t.def.lostWork : t.def.work);
}

// diverged.cpp
// Called before the step bound: moves diverged units back to their start.
void findDiverged(CoupledIsland& t, bool settled);
// Called at the end of the substep: sets the velocity of diverged units to zero and clears their rows.
void holdDiverged(CoupledIsland& t);
void dropDiverged(CoupledIsland& t);
void standStill(CoupledIsland& t, MechanismUnit& s);
constexpr double kNoNumber = 1e300; // value of CoupledIsland::goes for a move that is not finite

// iterate.cpp
// Does one Newton iteration. Returns true if the errors of lengths and joints are small enough.
bool solveRound(CoupledIsland& t, Threads& threads);

// core_path.cpp
// Takes back fast bodies whose centre has gone through a static or kinematic body; returns how many.
int stopCores(CoupledIsland& t, const TreeContext& c);

// step_bound.cpp
// True for two segments so near along one rope that their distance is always less than two radii.
inline bool neighbours(const CoupledIsland& t, const SegmentPair& p) {
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    return a.rope == b.rope && p.D < 0.999 * (a.radius + b.radius);
}
// The floor is the least distance that the step bound allows for a pair. WorldDef::minSeparationRatio may
// require more than CoupledDef::floor. For a pair that is already nearer than this ratio, its present
// distance d is the floor.
inline double highestFloor(const CoupledIsland& t, double D) { return max(t.def.floor, t.least) * D; }
inline double floorOf(const CoupledIsland& t, double D, double d) {
    return max(t.def.floor * D, min(t.least * D, d));
}
inline double floorOf(const CoupledIsland& t, const SegmentPair& p, double d) {
    return neighbours(t, p) ? t.def.floor * p.D : floorOf(t, p.D, d);
}
inline double floorOf(const CoupledIsland& t, const ShapePair& p, double d) { return floorOf(t, p.D, d); }
// Shortens the moves from `current` to x. Returns true if moves were shortened in the last pass.
bool cutMoves(CoupledIsland& t, const Model& m, Threads& threads);

// Nearest points of a segment a-b and a shape, with the body at the pose `body`.
inline Nearest nearestTo(const CoupledIsland& t, const ShapePair& p, const Pose& body, Vec3d a, Vec3d b,
                         Pose& at) {
    const IslandShape& s = t.shapes[p.shape];
    at = body * s.local;
    if (p.triangle < 0) return nearest(*s.shape, at.local(a), at.local(b));
    const auto& f = s.shape->triangles[p.triangle];
    const auto& c = s.shape->corners;
    return nearestOfTriangle(c[f[0]], c[f[1]], c[f[2]], at.local(a), at.local(b));
}

// Returns whether two segments of one rope face each other with their nearer ends, because the rope is not
// bent back there. Then these ends are their closest points: the distance is convex, so its slope at that
// corner proves it.
inline bool facing(const IslandSegment& a, const IslandSegment& b, std::span<const Vec3d> x) {
    if (a.rope != b.rope) return false;
    const Vec3d &a1 = x[a.j], &b0 = x[b.i], c = a1 - b0;
    return dot(x[a.i] - a1, c) >= 0 && dot(x[b.j] - b0, c) <= 0;
}
inline SegmentSegment<double> closestOf(const IslandSegment& a, const IslandSegment& b,
                                        std::span<const Vec3d> x) {
    const Vec3d &a1 = x[a.j], &b0 = x[b.i];
    if (facing(a, b, x)) return {1, 0, a1, b0, lengthSquared(a1 - b0)};
    return closest(x[a.i], a1, b0, x[b.j]);
}

// Writes the squared distances of many pairs to `squared`; `asked` holds the indices of the pairs. The lanes
// give the same values as closestOf.
inline void distancesOf(const CoupledIsland& t, std::span<const int> asked, std::span<const Vec3d> x,
                        double* squared) {
    using W = Pack<double, 4>;
    constexpr int lanes = lanesOf<W>;
    int waiting[lanes], count = 0; // indices into `asked`
    auto side = [&](int k, int IslandSegment::*end, int SegmentPair::*of) -> const Vec3d& {
        const int pair = asked[waiting[k < count ? k : 0]];
        return x[t.segments[t.segmentPairs[pair].*of].*end];
    };
    auto settle = [&] {
        auto corner = [&](int IslandSegment::*end, int SegmentPair::*of) {
            return vecPerLane<W>([&](int k) { return side(k, end, of); });
        };
        using S = IslandSegment;
        using P = SegmentPair;
        const W d =
            closest(corner(&S::i, &P::a), corner(&S::j, &P::a), corner(&S::i, &P::b), corner(&S::j, &P::b))
                .distanceSquared;
        for (int k = 0; k < count; ++k) squared[waiting[k]] = lane(d, k);
        count = 0;
    };
    for (int n = 0; n < int(asked.size()); ++n) {
        const SegmentPair& p = t.segmentPairs[asked[n]];
        const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
        if (facing(a, b, x)) {
            squared[n] = lengthSquared(x[a.j] - x[b.i]);
            continue;
        }
        waiting[count++] = n;
        if (count == lanes) settle();
    }
    if (count > 0) settle();
}

// The point at which two segments act on each other. It is near the closest points, but shifted a little to
// the middles of the segments:
//     min |p(s) - q(t)|^2 + 0.01 (|d1|^2 (s - 1/2)^2 + |d2|^2 (t - 1/2)^2)
// With the exact closest points, the point of two parallel segments would jump from end to end. The force
// would jump with it from node to node, and such segments would never come to rest. The step bound uses the
// exact distance.
inline SegmentSegment<double> touchPoint(Vec3d p1, Vec3d p2, Vec3d q1, Vec3d q2) {
    constexpr double soft = 0.01;
    const Vec3d d1 = p2 - p1, d2 = q2 - q1, r = p1 - q1;
    const double a = max(dot(d1, d1), 1e-30), e = max(dot(d2, d2), 1e-30), b = dot(d1, d2);
    const double A = (1 + soft) * a, E = (1 + soft) * e;
    const double c = dot(d1, r) - 0.5 * soft * a, f = dot(d2, r) + 0.5 * soft * e;
    double s = clamp((b * f - c * E) / (A * E - b * b), 0.0, 1.0);
    const double t = clamp((b * s + f) / E, 0.0, 1.0);
    s = clamp((b * t - c) / A, 0.0, 1.0);
    return {s, t, p1 + s * d1, q1 + t * d2, lengthSquared(r + s * d1 - t * d2)};
}

// The point at which a segment and a shape act on each other. The distance of the shape from the segment's
// point t is f(t), and l is the segment's length. One secant step minimises f(t) + 0.1 l (t - 1/2)^2. Over an
// edge that point may be much farther than the closest point. There the closest point is used.
inline Nearest touchPoint(const CoupledIsland& t, const ShapePair& p, const Pose& body, Vec3d a, Vec3d b,
                          Pose& at) {
    const Nearest exact = nearestTo(t, p, body, a, b, at);
    const double off = exact.t - 0.5;
    if (off == 0) return exact;
    auto look = [&](double u) {
        const Vec3d x = (1 - u) * a + u * b;
        Nearest n = nearestTo(t, p, body, x, x, at);
        n.t = u;
        return n;
    };
    const Nearest middle = look(0.5);
    const Vec3d d = rotate(conjugate(at.q), b - a);
    const double slope = dot(middle.normal, d), end = dot(exact.normal, d), stiff = 0.2 * length(b - a) * off;
    const double change = stiff + end - slope;
    if (!(abs(change) > 1e-30)) return exact;
    const Nearest drawn = look(clamp(0.5 - slope * off / change, 0.0, 1.0));
    const double share = clamp(1.5 - (drawn.distance - exact.distance) / (0.04 * p.D), 0.0, 1.0);
    if (share == 1) return drawn;
    return share == 0 ? exact : look(exact.t + share * (drawn.t - exact.t));
}

inline Vec3d coreOf(const CoupledIsland& t, const RowEnd& e) {
    if (e.body < 0) return (1 - e.c) * t.x[e.i] + e.c * t.x[e.j];
    const IslandBody& b = t.bodies[e.body];
    return b.now.x + b.R * e.core;
}
// Returns the displacement of a contact point since the start of the substep.
inline Vec3d shiftOf(const CoupledIsland& t, const RowEnd& e) {
    if (e.body < 0) {
        const std::size_t i = std::size_t(e.i), j = std::size_t(e.j);
        return (1 - e.c) * (t.x[i] - t.start[i]) + e.c * (t.x[j] - t.start[j]);
    }
    const IslandBody& b = t.bodies[e.body];
    return (b.now.x - b.start.x) + (b.R * e.surface - b.R0 * e.surface);
}
// Prefetches one of the rows that a node sums, because another core wrote it.
inline void fetchRow(const CoupledIsland& t, int use) {
    if (std::size_t(use) >= t.use.size()) return;
    const std::size_t row = std::size_t(t.use[use].row);
    __builtin_prefetch(&t.acts[row]);
    __builtin_prefetch(&t.told[row]);
}
// Prefetches the entries of `column` for the nodes that a row will read.
template <class Column> void fetchNodes(const CoupledIsland& t, std::size_t row, const Column& column) {
    if (row >= t.who.size()) return;
    for (int node : t.who[row])
        if (std::size_t(node) < t.x.size()) __builtin_prefetch(&column[node]);
}
constexpr std::size_t kRowsAhead = 6;
// Writes where a row acts (RowAction) into the columns that other cores read.
inline void tellPosition(CoupledIsland& t, std::size_t row) {
    const ContactRow& r = t.rows[row];
    CoupledIsland::RowAction& to = t.acts[row];
    for (int e : {0, 1}) {
        const bool body = r.end[e].body >= 0;
        const double sign = e == 0 ? 1 : -1;
        to.weight[2 * e] = sign * (body ? 1 : 1 - r.end[e].c);
        to.weight[2 * e + 1] = sign * (body ? 0 : r.end[e].c);
    }
    to.n = r.n;
}
// Writes how a row acts (RowForce). A value that has not changed is not rewritten, so it stays in every
// core's cache.
inline void tellForce(CoupledIsland& t, std::size_t row) {
    const ContactRow& r = t.rows[row];
    const double majorise = r.acts ? r.majorise : 0;
    if (t.acts[row].majorise != majorise) t.acts[row].majorise = majorise;
    if (r.acts) t.told[row] = {r.first, r.rho, r.kt, max(r.fn, 0.0) / max(r.D, 1e-3)};
}
// Returns the force of a row, as a gradient on its first side, after a further relative displacement d of its
// sides.
inline Vec3d forceAt(const ContactRow& r, Vec3d d) {
    if (r.inside) return r.rho * (r.slipHere + d);
    const double away = dot(r.n, d), fn = r.ln - r.rho * (r.gapHere + away);
    if (!(fn > 0)) return {0, 0, 0};
    Vec3d tau = r.lt + r.rho * (r.slipHere + d - away * r.n);
    const double size = length(tau), most = (r.slipping ? r.slide : r.stick) * fn;
    if (size > most) tau = (r.slide * fn / size) * tau;
    return tau - fn * r.n;
}
inline double gapOf(const CoupledIsland& t, const ContactRow& r) {
    return dot(r.n, coreOf(t, r.end[0]) - coreOf(t, r.end[1])) - r.D;
}
inline Vec3d slipOf(const CoupledIsland& t, const ContactRow& r) {
    const Vec3d u = shiftOf(t, r.end[0]) - shiftOf(t, r.end[1]);
    return u - dot(u, r.n) * r.n;
}

} // namespace capstan
