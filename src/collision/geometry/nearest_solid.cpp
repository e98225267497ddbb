// SPDX-License-Identifier: MIT
// The nearest point of a box or a cylinder to a segment x(t) = a + t d, 0 <= t <= 1.
//
// With the vector e(t) from the nearest point of the solid to x(t), the distance D = |e| is convex, and
//     g(t) = D D' = e.d,   g'(t) = |d|^2 less the part that the surface follows,
// increases with t. Between the points where x(t) crosses the plane of a face or a rim, g is smooth (for a
// box: linear). So g is evaluated at these points first, which leaves a bracket without a kink. Newton steps
// that are clamped to the bracket find the zero.
//     Box:      e = x - clamp(x, -half, half), axis by axis.
//     Cylinder: e = max(rho - R, 0) radially and max(|y| - H, 0) axially, rho^2 = x^2 + z^2.
// If the segment enters the solid, the shortest push is found (nearest_parts.hpp). For a box its candidate
// normals are those of the faces and of the edges (Gottschalk, Lin & Manocha 1996, "OBBTree": the separating
// axes). For a cylinder they are normals that are exact for a shallow cut of the side, a cap or the rim.
#include "collision/geometry/nearest_parts.hpp"

#include <array>

namespace capstan {
namespace {

struct Slope {
    double distanceSquared, g, dg; // D^2, D D', (D D')'
    bool flat() const { return g * g <= kFlat * kFlat * distanceSquared; }
};

struct Bracket {
    double lo = -1, hi = 2;              // the last t where the distance decreases, the first t where it
                                         // increases
    double gLo = 0, gHi = 0;             // g at lo and at hi
    double flatFirst = 2, flatLast = -1; // first and last t where the distance is constant

    void add(double t, const Slope& s) {
        if (s.flat()) {
            flatFirst = min(flatFirst, t);
            flatLast = max(flatLast, t);
        } else if (s.g < 0) {
            lo = t;
            gLo = s.g;
        } else {
            hi = t;
            gHi = s.g;
        }
    }
    bool flat() const { return flatFirst <= flatLast; }
};

// Returns the t at which D is least. kinks() returns the kinks of g in any order; some may be outside of 0 to
// 1 or NaN.
template <class Solid> double lowest(const Solid& solid) {
    Bracket at;
    at.add(0, solid.slope(0));
    if (at.hi == 0) return 0;
    at.add(1, solid.slope(1));
    if (at.lo == 1) return 1;
    for (double t : solid.kinks())
        if (t > 0 && t < 1 && t > at.lo && t < at.hi) at.add(t, solid.slope(t));
    if (at.flat()) return 0.5 * (at.flatFirst + at.flatLast);

    double t = at.lo + (at.hi - at.lo) * (at.gLo / (at.gLo - at.gHi));
    for (int i = 0; i < 60; ++i) {
        const Slope s = solid.slope(t);
        if (s.g == 0) break;
        (s.g < 0 ? at.lo : at.hi) = t;
        double next = t - s.g / s.dg;
        if (!(next >= at.lo && next <= at.hi)) next = 0.5 * (at.lo + at.hi);
        const double step = abs(next - t);
        t = next;
        if (step <= 1e-13) break;
    }
    return t;
}

struct BoxAndSegment {
    Vec3d half, a, d;

    Vec3d out(double t) const {
        const Vec3d x = a + t * d;
        return x - min(max(x, -half), half);
    }
    Slope slope(double t) const {
        const Vec3d e = out(t);
        const double dg =
            (e.x != 0 ? d.x * d.x : 0) + (e.y != 0 ? d.y * d.y : 0) + (e.z != 0 ? d.z * d.z : 0);
        return {dot(e, e), dot(e, d), dg};
    }
    std::array<double, 6> kinks() const {
        const Vec3d low = -half - a, high = half - a;
        return {low.x / d.x, high.x / d.x, low.y / d.y, high.y / d.y, low.z / d.z, high.z / d.z};
    }
    double support(Vec3d n) const { return dot(half, abs(n)); }

    Nearest inside(double t) const {
        const Vec3d b = a + d, axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        Push push{a, b};
        Clip clip;
        for (Vec3d n : axes) {
            const double h = support(n), atA = dot(n, a), atB = dot(n, b);
            push.offer(n, h);
            push.offer(-n, h);
            clip.keepBelow(atA - h, atB - h);
            clip.keepBelow(-atA - h, -atB - h);
        }
        for (Vec3d axis : axes) {
            const Vec3d c = cross(axis, d), n = normalize(c);
            if (n == Vec3d{0, 0, 0}) continue;
            const double h = support(n);
            push.offer(n, h);
            push.offer(-n, h);
        }
        return push.at(clip.empty() ? t : clip.middle());
    }
};

struct CylinderAndSegment {
    double radius, half;
    Vec3d a, d;

    struct Position {
        Vec3d radial;            // unit
        double rho, out, beyond; // rho: distance from the axis; out: distance outside the side; beyond:
                                 // signed distance beyond a cap
    };
    Position position(Vec3d x) const {
        const double rho = sqrt(x.x * x.x + x.z * x.z), per = 1 / max(rho, 1e-300);
        const Vec3d radial = rho > kOnSurface ? Vec3d{per * x.x, 0, per * x.z} : Vec3d{1, 0, 0};
        return {radial, rho, max(rho - radius, 0.0), x.y - clamp(x.y, -half, half)};
    }
    Slope slope(double t) const {
        const Position p = position(a + t * d);
        const double across2 = d.x * d.x + d.z * d.z, rate = dot(p.radial, d);
        double dg = p.beyond != 0 ? d.y * d.y : 0;
        if (p.out > 0) dg += rate * rate + p.out * (across2 - rate * rate) / p.rho;
        return {p.out * p.out + p.beyond * p.beyond, p.out * rate + p.beyond * d.y, dg};
    }
    double support(Vec3d n) const { return radius * sqrt(n.x * n.x + n.z * n.z) + half * abs(n.y); }

    double depth(Vec3d x) const { return max(position(x).rho - radius, abs(x.y) - half); }

    // Parameters of the point nearest to the axis, and of the points where the segment enters and leaves the
    // side. For a segment along the axis they are NaN, and comparisons with NaN are false.
    struct Pass {
        double nearest, in, out;
    };
    Pass pass() const {
        const double d2 = d.x * d.x + d.z * d.z, t = -(a.x * d.x + a.z * d.z) / d2;
        const double wx = a.x + t * d.x, wz = a.z + t * d.z;
        const double chord = sqrt(max((radius * radius - wx * wx - wz * wz) / d2, 0.0));
        return {t, t - chord, t + chord};
    }
    std::array<double, 5> kinks() const {
        const Pass p = pass();
        return {p.nearest, p.in, p.out, (-half - a.y) / d.y, (half - a.y) / d.y};
    }

    // Finds the best normal at a right angle to d. Starts with the normal of the rim at `radial`, which is
    // exact for a shallow cut, and eight normals around d. Then it tries neighbours of the best normal at
    // decreasing angles.
    Push offTheRim(Vec3d radial) const {
        const Vec3d y = {0, 1, 0}, along = normalize(d), u = normalize(cross(y, along)), v = cross(u, along);
        Push push{a, a + d};
        const auto offer = [&](Vec3d c) {
            const double l = length(c);
            if (l > kOnSurface) push.offer((1 / l) * c, support((1 / l) * c));
        };
        const Vec3d first[] = {cross(cross(y, radial), along), u, v, u + v, u - v};
        for (Vec3d c : first) {
            offer(c);
            offer(-c);
        }
        for (double angle = 0.4; angle > 1e-3; angle *= 0.5) {
            const Vec3d n = push.normal, aside = angle * cross(n, along);
            offer(n + aside);
            offer(n - aside);
        }
        return push;
    }

    Nearest inside(double t) const {
        const Vec3d b = a + d, y = {0, 1, 0};
        const Pass p = pass();
        Clip clip;
        clip.keepBelow(a.y - half, b.y - half);
        clip.keepBelow(-a.y - half, -b.y - half);
        clip.lo = max(clip.lo, p.in);
        clip.hi = min(clip.hi, p.out);
        if (!clip.empty()) t = clip.middle();

        Push push{a, b};
        push.offer(y, half);
        push.offer(-y, half);
        push.offer(position(a).radial, radius);
        push.offer(position(b).radial, radius);
        // No push is shorter than the depth of an end. If the best of these pushes is no longer than that, it
        // is the shortest.
        if (push.distance >= min(depth(a), depth(b)) - kOnSurface) return push.at(t);
        const Push sideways = offTheRim(position(a + t * d).radial);
        push.offer(sideways.normal, support(sideways.normal));
        return push.at(t);
    }
};

} // namespace

Nearest nearestOfBox(Vec3d half, Vec3d a, Vec3d b) {
    const BoxAndSegment box = {half, a, b - a};
    const Vec3d d = box.d;
    const double t = lowest(box);
    const Vec3d e = box.out(t);
    const double distance = length(e);
    if (distance <= kOnSurface) return box.inside(t);
    return {t, a + t * d - e, (1 / distance) * e, distance, -1};
}

Nearest nearestOfCylinder(double radius, double halfLength, Vec3d a, Vec3d b) {
    const CylinderAndSegment cylinder = {radius, halfLength, a, b - a};
    const Vec3d d = cylinder.d;
    const double t = lowest(cylinder);
    const Vec3d x = a + t * d;
    const CylinderAndSegment::Position p = cylinder.position(x);
    const Vec3d e = p.out * p.radial + Vec3d{0, p.beyond, 0};
    const double distance = length(e);
    if (distance <= kOnSurface) return cylinder.inside(t);
    return {t, x - e, (1 / distance) * e, distance, -1};
}

} // namespace capstan
