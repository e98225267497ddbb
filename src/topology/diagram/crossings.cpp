// SPDX-License-Identifier: MIT
//
// Crossings by sorted boxes and exact signs; see crossings.hpp.
#include <capstan/topology/crossings.hpp>

#include "topology/diagram/exact.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace capstan {
namespace {

bool between(double x, double a, double b) { return std::min(a, b) <= x && x <= std::max(a, b); }

// Returns true if c, a point on the line ab, is in the segment ab.
bool inSegment(Vec3d a, Vec3d b, Vec3d c) {
    return between(c.x, a.x, b.x) && between(c.y, a.y, b.y) && between(c.z, a.z, b.z);
}

bool usable(Vec3d v) {
    const double l = length(v);
    return l > 1e-100 && l < 1e100;
}

// Returns the position on cd, 0 to 1, at which cd crosses the line ab in the view. It uses the first of three axes
// along which the crossing is visible.
double share(const View& view, Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    for (const Vec3d axis : {view.toViewer, view.right, view.up}) {
        const double atC = seenArea(a, b, c, axis), atD = seenArea(a, b, d, axis);
        if (atC != 0.0 || atD != 0.0) return std::clamp(atC / (atC - atD), 0.0, 1.0);
    }
    return 0.0;
}

} // namespace

// Sides of a line on which the two ends of another segment are, in the turned view. A side is 0 if all three points
// are collinear in space.
struct CrossingFinder::Sides {
    int from = 0, to = 0;

    bool apart() const { return from != 0 && from == to; }
};

Result<View> viewFrom(Vec3d toViewer) {
    if (!usable(toViewer)) return Error{"the direction of view must be finite and not zero", "view"};
    const Vec3d n = normalize(toViewer), right = perpendicular(n);
    return View{right, cross(n, right), n};
}

Result<View> viewFrom(Vec3d toViewer, Vec3d up) {
    if (!usable(toViewer) || !usable(up))
        return Error{"an axis of the view must be finite and not zero", "view"};
    const Vec3d n = normalize(toViewer), right = cross(normalize(up), n);
    if (length(right) < 1e-6) return Error{"the axes of the view must not be parallel", "view"};
    const Vec3d r = normalize(right);
    return View{r, cross(n, r), n};
}

void CrossingFinder::project(const Polylines& ropes, const View& view) {
    view_ = view;
    points_ = ropes.points;
    seen_.clear();
    Vec3d low{1e300, 1e300, 0}, high{-1e300, -1e300, 0};
    double farthest = 0;
    for (const Vec3d& point : ropes.points) {
        const Vec3d p = point - ropes.points[0], s{dot(p, view.right), dot(p, view.up), 0};
        farthest = std::max(farthest, lengthSquared(p));
        low = min(low, s);
        high = max(high, s);
        seen_.push_back(s);
    }
    // Rounding bounds: 8 units in the last place of the largest coordinate for a coordinate, and 64 of its square for
    // an area.
    const double scale = std::sqrt(std::max(lengthSquared(view.right), lengthSquared(view.up)));
    const double margin = 0x1p-49 * scale * std::sqrt(farthest);
    plain_ = 0x1p-46 * scale * scale * farthest;
    const bool alongX = high.x - low.x >= high.y - low.y;
    segments_.clear();
    for (std::size_t r = 0; r < ropes.ropes.size(); ++r) {
        const Polylines::Rope& rope = ropes.ropes[r];
        for (std::size_t k = rope.first; k < rope.first + rope.segments(); ++k) {
            const Vec3d a = seen_[k], b = seen_[rope.next(k)];
            const double a1 = alongX ? a.x : a.y, b1 = alongX ? b.x : b.y;
            const double a2 = alongX ? a.y : a.x, b2 = alongX ? b.y : b.x;
            segments_.push_back({std::min(a1, b1) - margin, std::max(a1, b1) + margin,
                                 std::min(a2, b2) - margin, std::max(a2, b2) + margin,
                                 static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(rope.next(k)),
                                 static_cast<std::uint32_t>(r)});
        }
    }
    std::sort(segments_.begin(), segments_.end(), [](const Segment& p, const Segment& q) {
        return p.low < q.low || (p.low == q.low && p.from < q.from);
    });
}

CrossingFinder::Sides CrossingFinder::sidesOf(const Segment& line, const Segment& other) const {
    const Vec3d a = seen_[line.from], u = seen_[line.to] - a;
    const auto side = [&](std::uint32_t k) {
        const Vec3d w = seen_[k] - a;
        if (const double value = u.x * w.y - u.y * w.x; std::abs(value) > plain_) return signum(value);
        for (const Vec3d axis : {view_.toViewer, view_.right, view_.up})
            if (const double value = seenArea(points_[line.from], points_[line.to], points_[k], axis);
                value != 0.0)
                return signum(value);
        return 0;
    };
    return {side(other.from), side(other.to)};
}

bool CrossingFinder::meet(const Polylines& ropes, const Segment& p, const Segment& q) {
    const Sides ofP = sidesOf(p, q);
    if (ofP.apart()) return true;
    const Sides ofQ = sidesOf(q, p);
    if (ofQ.apart()) return true;
    const Vec3d a = points_[p.from], b = points_[p.to], c = points_[q.from], d = points_[q.to];
    if (ofP.from == 0 || ofP.to == 0 || ofQ.from == 0 || ofQ.to == 0)
        return !((ofP.from == 0 && inSegment(a, b, c)) || (ofP.to == 0 && inSegment(a, b, d)) ||
                 (ofQ.from == 0 && inSegment(c, d, a)) || (ofQ.to == 0 && inSegment(c, d, b)));
    const int sign = signum(spanVolume(a, b, c, d));
    if (sign == 0) return false;
    const Crossing::Pass first{static_cast<int>(p.rope), ropes.origin[p.from], share(view_, c, d, a, b)};
    const Crossing::Pass second{static_cast<int>(q.rope), ropes.origin[q.from], share(view_, a, b, c, d)};
    // p is over if det(u, v, a - c) has the sign of det(u, v, n), with u and v along p and q. The latter is the side
    // of p on which q ends.
    if (sign == ofP.to)
        crossings_.push_back({first, second, sign});
    else
        crossings_.push_back({second, first, sign});
    return true;
}

Result<std::span<const Crossing>> CrossingFinder::find(const Polylines& ropes, const View& view) {
    project(ropes, view);
    crossings_.clear();
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Segment& p = segments_[i];
        for (std::size_t j = i + 1; j < segments_.size() && segments_[j].low <= p.high; ++j) {
            const Segment& q = segments_[j];
            if (q.side > p.otherSide || q.otherSide < p.side || p.to == q.from || q.to == p.from) continue;
            const bool inOrder = p.from < q.from;
            if (meet(ropes, inOrder ? p : q, inOrder ? q : p)) continue;
            const auto name = [&](const Segment& s) {
                return "rope " + std::to_string(s.rope) + ", segment " + std::to_string(ropes.origin[s.from]);
            };
            return Error{"two segments touch", name(inOrder ? p : q) + " and " + name(inOrder ? q : p)};
        }
    }
    const auto key = [](const Crossing& c) {
        const std::tuple<int, int> o{c.over.rope, c.over.segment}, u{c.under.rope, c.under.segment};
        return std::tuple{std::min(o, u), std::max(o, u)};
    };
    std::sort(crossings_.begin(), crossings_.end(),
              [&](const Crossing& x, const Crossing& y) { return key(x) < key(y); });
    return std::span<const Crossing>(crossings_);
}

int signSum(std::span<const Crossing> crossings, int ropeA, int ropeB) {
    int sum = 0;
    for (const Crossing& c : crossings)
        if ((c.over.rope == ropeA && c.under.rope == ropeB) ||
            (c.over.rope == ropeB && c.under.rope == ropeA))
            sum += c.sign;
    return sum;
}

} // namespace capstan
