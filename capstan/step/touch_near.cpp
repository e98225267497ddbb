// SPDX-License-Identifier: MIT
// Touch: did a substep bring a rope nearer to something than the world asks for (WorldDef::minDistance)? See touch.hpp.
//
// Where a knot snaps tight the rounds of a substep do not converge, and the cutting, which only looks after what passes
// through, leaves the ropes anywhere above its floor. A shorter substep has less to do: rows see where things are going.
// What is too near already, as ropes are that were put through each other, is let be unless it comes nearer still.
#include <capstan/step/touch_rows.hpp>

namespace capstan {
namespace {

// Of D, in a substep. (With 1e-3 they came nearer little by little, to 0.81 where 0.92 was asked for; 1e-5 leads to the
// shortest substeps all the time, and those of some microseconds do not converge: nodes are thrown about.)
constexpr double kNearer = 1e-4;

bool tooNear(const Touch& t, SegmentPair& p) {
    const double least = t.least * p.D;
    if (p.far - t.travel >= least) return false;
    const TouchSegment &a = t.segments[std::size_t(p.a)], &b = t.segments[std::size_t(p.b)];
    // Where the last cut found them, and how far they went from there at most.
    const std::size_t pa = std::size_t(p.a), pb = std::size_t(p.b);
    const double reach = least + t.half[pa] + t.half[pb] +
                         max(t.moved[std::size_t(a.i)], t.moved[std::size_t(a.j)]) +
                         max(t.moved[std::size_t(b.i)], t.moved[std::size_t(b.j)]);
    if (lengthSquared(t.middle[pa] - t.middle[pb]) >= reach * reach) return false;
    const double d = sqrt(closestOf(a, b, t.current).distanceSquared);
    p.far = d + t.travel;
    if (!(d < least)) return false;
    // Neighbours along one rope are always near.
    if (a.rope == b.rope && p.D < 0.999 * (a.radius + b.radius)) return false;
    return d < sqrt(closestOf(a, b, t.start).distanceSquared) - kNearer * p.D && !goesThrough(t, p);
}

bool tooNear(const Touch& t, const ShapePair& p) {
    const TouchSegment& s = t.segments[std::size_t(p.segment)];
    const TouchBody& body = t.bodies[std::size_t(t.shapes[std::size_t(p.shape)].body)];
    auto distance = [&](const Pose& at, std::span<const Vec3d> x) {
        Pose shape;
        return nearestTo(t, p, at, x[std::size_t(s.i)], x[std::size_t(s.j)], shape).distance;
    };
    const double d = distance(body.current, t.current);
    return d < t.least * p.D && d < distance(body.start, t.start) - kNearer * p.D && !goesThrough(t, p);
}

} // namespace

bool tooNear(Touch& t, Threads& threads) {
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
