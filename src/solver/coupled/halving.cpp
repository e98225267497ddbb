// SPDX-License-Identifier: MIT
// The coupled solver: decides whether a substep must be halved, because the step bound had to keep ropes
// apart (WorldDef::minSeparationRatio). See island.hpp.
//
// The step bound (step_bound.cpp) keeps every pair at the world's least distance, whatever the solver's
// result. But a shortened move stretches the rope beside it. A pair is too near in the lowest fifth of the
// range from the world's least distance to the distance of contact. If a pair ends a substep in this fifth,
// and nearer than it began, the substep is repeated in halves. In a shorter substep the rows
// predict the motion better. Halving without a limit was refused: substeps of some microseconds do not
// converge, and nodes are thrown about.
#include "solver/coupled/rows.hpp"

namespace capstan {
namespace {

constexpr double kWatched = 0.2; // fraction of the range in which a pair is too near
constexpr double kNearer = 1e-3; // of D; a smaller approach in a substep is ignored

double watched(const CoupledIsland& t, double D) { return (t.least + kWatched * (1 - t.least)) * D; }

bool tooNear(const CoupledIsland& t, SegmentPair& p) {
    const double least = watched(t, p.D);
    if (p.far - t.travel >= least) return false;
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    // The ball encloses the segment at the start of the last pass of the step bound. Since then its nodes
    // have moved by at most `moved`.
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
