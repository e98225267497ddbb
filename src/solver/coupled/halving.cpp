// SPDX-License-Identifier: MIT
// The coupled solver: must a substep be halved, because the step bound had to keep ropes apart
// (WorldDef::minSeparationRatio)? See island.hpp.
//
// The step bound (step_bound.cpp) keeps every pair as far apart as the world asks for, whatever the solver leaves. But
// a shortened move stretches the rope beside it. A pair is too near in the lowest fifth of the range between the
// world's least distance and contact. If a pair ends there, nearer than it began, the substep is done again in
// halves. In a shorter substep the rows see where things are going. (Halving alone was refused: substeps of some
// microseconds do not converge, and nodes are thrown about.)
#include "solver/coupled/rows.hpp"

namespace capstan {
namespace {

constexpr double kWatched = 0.2;
constexpr double kNearer = 1e-3; // of D, in a substep; a smaller approach is ignored

double watched(const CoupledIsland& t, double D) { return (t.least + kWatched * (1 - t.least)) * D; }

bool tooNear(const CoupledIsland& t, SegmentPair& p) {
    const double least = watched(t, p.D);
    if (p.far - t.travel >= least) return false;
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    // The ball holds the segment where the last pass of the step bound found it; `moved` is how far it went from
    // there at most.
    const std::size_t pa = std::size_t(p.a), pb = std::size_t(p.b);
    const double reach =
        least + t.half[pa] + t.half[pb] + max(t.moved[a.i], t.moved[a.j]) + max(t.moved[b.i], t.moved[b.j]);
    if (lengthSquared(t.middle[pa] - t.middle[pb]) >= reach * reach) return false;
    const double d = sqrt(closestOf(a, b, t.current).distanceSquared);
    p.far = d + t.travel;
    if (!(d < least) || neighbours(t, p)) return false;
    return d < sqrt(closestOf(a, b, t.start).distanceSquared) - kNearer * p.D && !goesThrough(t, p);
}

bool tooNear(const CoupledIsland& t, const ShapePair& p) {
    const IslandSegment& s = t.segments[p.segment];
    const IslandBody& body = t.bodies[t.shapes[p.shape].body];
    auto distance = [&](const Pose& at, std::span<const Vec3d> x) {
        Pose shape;
        return nearestTo(t, p, at, x[s.i], x[s.j], shape).distance;
    };
    const double d = distance(body.current, t.current);
    return d < watched(t, p.D) && d < distance(body.start, t.start) - kNearer * p.D && !goesThrough(t, p);
}

} // namespace

bool tooNear(CoupledIsland& t, Threads& threads) {
    auto count = [&](auto& pairs) {
        return sumOver(t, threads, pairs.size(), [&](std::size_t from, std::size_t to) {
            double near = 0;
            for (std::size_t k = from; k < to; ++k) near += tooNear(t, pairs[k]);
            return near;
        });
    };
    return count(t.segmentPairs) > 0 || count(t.shapePairs) > 0;
}

} // namespace capstan
