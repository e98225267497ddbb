// SPDX-License-Identifier: MIT
//
// The wrap angle, summed along one rope; see wrap.hpp.
#include <capstan/topology/wrap.hpp>

#include <capstan/math/transcendental.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace capstan {
namespace {

// The point of the axis rope that is nearest to x.
struct Foot {
    double distanceSquared = 1e300;
    double position = 0; // segment number plus position on the segment, 0 to 1
    // away: vector from that point to x; tangent: direction of the axis rope there
    Vec3d away{}, tangent{};
    bool counts = false; // true: within reach, and not at an open end
};

Foot footOf(Vec3d x, const Polylines& ropes, const Polylines::Rope& q, double reach) {
    Foot best;
    for (std::size_t k = 0; k < q.segments(); ++k) {
        const Vec3d a = ropes.points[q.first + k], u = ropes.points[q.next(q.first + k)] - a;
        const double wanted = dot(x - a, u) / lengthSquared(u), t = std::clamp(wanted, 0.0, 1.0);
        const Vec3d away = x - (a + t * u);
        if (lengthSquared(away) >= best.distanceSquared) continue;
        const bool beyond = !q.closed && ((k == 0 && wanted < 0) || (k + 1 == q.segments() && wanted > 1));
        best = {lengthSquared(away), static_cast<double>(k) + t, away, normalize(u), !beyond};
    }
    best.counts = best.counts && best.distanceSquared <= reach * reach;
    return best;
}

// Returns the angle between two positions of `away` about the mean tangent [rad].
double turn(const Foot& from, const Foot& to) {
    const Vec3d axis = normalize(from.tangent + to.tangent);
    const Vec3d d = from.away - dot(from.away, axis) * axis, e = to.away - dot(to.away, axis) * axis;
    return atan2(dot(axis, cross(d, e)), dot(d, e));
}

// Returns true if the nearest point moved continuously along the axis rope, and false if it jumped to another part.
// In a step of length s a continuous move is at most a few times s.
bool steady(const Foot& from, const Foot& to, Vec3d step, const Polylines::Rope& q) {
    const Vec3d moved = step - (to.away - from.away);
    if (lengthSquared(moved) <= 16.0 * lengthSquared(step)) return true;
    const double gap = std::abs(to.position - from.position), n = static_cast<double>(q.segments());
    return std::min(gap, q.closed ? n - gap : gap) <= 1.0;
}

} // namespace

Result<double> wrapAngle(const Polylines& ropes, std::size_t p, std::size_t q, double reach) {
    if (p >= ropes.ropes.size() || q >= ropes.ropes.size() || p == q)
        return Error{"a wrap angle is between two of the " + std::to_string(ropes.ropes.size()) + " ropes",
                     "rope " + std::to_string(p) + " around rope " + std::to_string(q)};
    const Polylines::Rope &walker = ropes.ropes[p], &axis = ropes.ropes[q];
    double angle = 0;
    Foot last = footOf(ropes.points[walker.first], ropes, axis, reach);
    for (std::size_t k = walker.first; k < walker.first + walker.segments(); ++k) {
        const Vec3d from = ropes.points[k], along = ropes.points[walker.next(k)] - from;
        const double size = length(along);
        double done = 0;
        while (done < 1.0) {
            const double half = 0.5 * std::sqrt(last.distanceSquared);
            if (half <= 1e-12 * size)
                return Error{"the ropes touch", "rope " + std::to_string(p) + ", segment " +
                                                    std::to_string(ropes.origin[k]) + " and rope " +
                                                    std::to_string(q)};
            const double step = std::min(std::max(half / size, 1.0 / 64), 1.0 - done);
            done = step == 1.0 - done ? 1.0 : done + step;
            const Foot now = footOf(from + done * along, ropes, axis, reach);
            if (last.counts && now.counts && steady(last, now, step * along, axis)) angle += turn(last, now);
            last = now;
        }
    }
    return angle;
}

} // namespace capstan
