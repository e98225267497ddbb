// SPDX-License-Identifier: MIT
// Touch: is a substep to be taken again, because the cutting had to keep ropes apart (WorldDef::minDistance)? See touch.hpp.
//
// That nothing comes nearer than the world asks for is the cutting's doing (touch_cut.cpp), whatever the solver leaves. But
// what is cut short is stretched beside: so where a pair ends within a fifth of the way from there to where it would touch,
// nearer than it began, the substep is taken again in halves. In a shorter one the rows see where things are going. (To rely
// on halves alone does not do: those of some microseconds do not converge, and nodes are thrown about.)
#include <capstan/step/touch_rows.hpp>

namespace capstan {
namespace {

constexpr double kWatched = 0.2;
constexpr double kNearer = 1e-3; // of D, in a substep; what comes nearer by less is let be

double watched(const Touch& t, double D) { return (t.least + kWatched * (1 - t.least)) * D; }

bool tooNear(const Touch& t, SegmentPair& p) {
    const double least = watched(t, p.D);
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
    if (!(d < least) || neighbours(t, p)) return false;
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
    return d < watched(t, p.D) && d < distance(body.start, t.start) - kNearer * p.D && !goesThrough(t, p);
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
