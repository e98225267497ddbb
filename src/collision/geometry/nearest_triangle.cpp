// SPDX-License-Identifier: MIT
// The nearest point of a triangle to a segment, and of shapes made of triangles (hull and mesh). Also nearest
// points of two segments.
//
// Over the triangle (in the prism along its normal) the distance is the height above its plane, which is
// linear along the segment. There the minimum is at an end of the segment, or where the segment crosses the
// plane. Outside the prism the distance is that of one of the edges (Ericson, Real-Time Collision Detection,
// 5.1.10).
// Inside a hull the candidate normals are the separating axes: those of its faces, and of its edges with the
// segment (nearest_parts.hpp).
#include "collision/geometry/nearest_parts.hpp"

#include <cstddef>

namespace capstan {
namespace {

struct NearSpan {
    Nearest nearest;
    double lo, hi; // the part of the segment that is at this distance
};

struct Triangle {
    Vec3d corner[3];
    Vec3d normal = {0, 0, 0}; // unit; zero: degenerate, so only its edges count

    Triangle(Vec3d p, Vec3d q, Vec3d r) : corner{p, q, r} {
        Vec3d longest = q - p;
        for (Vec3d e : {r - q, p - r})
            if (lengthSquared(e) > lengthSquared(longest)) longest = e;
        const double l2 = lengthSquared(longest);
        const Vec3d n = cross(q - p, r - p);
        const double area = length(n);
        // In so thin a triangle, the edges are within rounding of every point.
        if (!(area > 1e-12 * l2)) return;
        normal = (1 / area) * n;
        // Rounding tilts the normal of a thin triangle. The tilt along the longest edge is removed, because
        // it changes heights most.
        if (area < 1e-3 * l2) normal = normalize(normal - (dot(normal, longest) / l2) * longest);
    }
    bool flat() const { return normal == Vec3d{0, 0, 0}; }
    double height(Vec3d x) const { return dot(normal, x - corner[0]); }
};

// How far a and b are outside of the prism along the triangle's normal, for each edge, and the part of a-b
// inside the prism.
struct Prism {
    double atA[3], atB[3];
    Clip inside;

    Prism(const Triangle& triangle, Vec3d a, Vec3d b) {
        for (int i = 0; i < 3; ++i) {
            const Vec3d p = triangle.corner[i],
                        out = cross(triangle.corner[(i + 1) % 3] - p, triangle.normal);
            atA[i] = dot(out, a - p);
            atB[i] = dot(out, b - p);
            inside.keepBelow(atA[i], atB[i]);
        }
    }
};

// Finds the minimum of the distance over the triangle's interior. Returns false if an edge is nearer.
bool overFace(const Triangle& triangle, const Clip& clip, Vec3d a, Vec3d b, NearSpan& out) {
    if (triangle.flat() || clip.empty()) return false;
    const double atA = triangle.height(a), atB = triangle.height(b), rise = atB - atA;
    const double first = atA + clip.lo * rise, last = atA + clip.hi * rise;
    const bool flat = abs(rise) <= kFlat, through = !flat && (first < 0) != (last < 0);
    double t = clip.middle();
    if (through) t = clamp(-atA / rise, clip.lo, clip.hi);
    if (!flat && !through) t = abs(first) < abs(last) ? clip.lo : clip.hi;
    // The distance decreases beyond the edge, or the segment only touches the prism, and may decrease outside
    // of it.
    if (!flat && !through && ((t > 0 && t < 1) || clip.hi - clip.lo < 1e-9)) return false;

    const Vec3d x = a + t * (b - a);
    const double h = triangle.height(x);
    // A segment through the triangle gets the normal of the side on which most of it is.
    const double side = through || abs(h) <= kOnSurface ? atA + atB : h;
    const Vec3d n = side < 0 ? -triangle.normal : triangle.normal;
    out = {
        {t, x - h * triangle.normal, n, through ? 0.0 : abs(h), -1}, flat ? clip.lo : t, flat ? clip.hi : t};
    return true;
}

NearSpan spanOfTriangle(const Triangle& triangle, Vec3d a, Vec3d b) {
    const Prism prism(triangle, a, b);
    NearSpan out;
    if (overFace(triangle, prism.inside, a, b, out)) return out;
    SegmentSpan best = {0, 0, a, a, kNowhere};
    Vec3d edge = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        // Only an edge that the segment is beyond can be the nearest.
        if (!triangle.flat() && prism.atA[i] <= 0 && prism.atB[i] <= 0) continue;
        const Vec3d p = triangle.corner[i], q = triangle.corner[(i + 1) % 3];
        const SegmentSpan s = closestSpan(a, b, p, q);
        if (s.distanceSquared < best.distanceSquared) {
            best = s;
            edge = q - p;
        }
    }
    const Vec3d v = best.x - best.y;
    const double l = length(v);
    Vec3d n = l > kOnSurface ? (1 / l) * v : triangle.flat() ? across(b - a, edge) : triangle.normal;
    if (l <= kOnSurface && triangle.height(a) + triangle.height(b) < 0) n = -n;
    return {{0.5 * (best.lo + best.hi), best.y, n, l, -1}, best.lo, best.hi};
}

Triangle triangleOf(const Shape& s, std::size_t i) {
    const auto& t = s.triangles[i];
    return {s.corners[t[0]], s.corners[t[1]], s.corners[t[2]]};
}

void offerEdges(const Shape& hull, Push& push) {
    const auto tryNormal = [&](Vec3d n, Vec3d p) {
        // The support is at least n.p, so most edges are rejected here.
        if (dot(n, push.a - p) <= push.distance) return;
        double h = -kNowhere;
        for (Vec3d c : hull.corners) h = max(h, dot(n, c));
        push.offer(n, h);
    };
    for (const auto& t : hull.triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            if (t[i] > t[(i + 1) % 3]) continue; // each edge belongs to two triangles
            const Vec3d p = hull.corners[t[i]], q = hull.corners[t[(i + 1) % 3]];
            const Vec3d n = normalize(cross(q - p, push.b - push.a));
            if (n == Vec3d{0, 0, 0}) continue;
            tryNormal(n, p);
            tryNormal(-n, p);
        }
}

// Joins the result for a triangle with the best result so far. A flat face of a hull may consist of many
// triangles, so ranges at equal distance and normal are merged.
void join(NearSpan& best, const NearSpan& s, int triangle) {
    if (s.nearest.distance < best.nearest.distance - kFlat) {
        best = s;
        best.nearest.triangle = triangle;
    } else if (s.nearest.distance <= best.nearest.distance + kFlat &&
               lengthSquared(s.nearest.normal - best.nearest.normal) < 1e-20) {
        best.lo = min(best.lo, s.lo);
        best.hi = max(best.hi, s.hi);
        best.nearest.distance = min(best.nearest.distance, s.nearest.distance);
    }
}

} // namespace

Vec3d across(Vec3d d, Vec3d e) {
    const Vec3d c = cross(d, e), along = normalize(e, normalize(d, {0, 1, 0}));
    const bool parallel = lengthSquared(c) <= 1e-24 * lengthSquared(d) * lengthSquared(e);
    return parallel ? perpendicular(along) : normalize(c, {1, 0, 0});
}

SegmentSpan closestSpan(Vec3d a, Vec3d b, Vec3d p, Vec3d q) {
    const SegmentSegment<double> c = closest(a, b, p, q);
    const SegmentSpan point = {c.s, c.s, c.p, c.q, c.distanceSquared};
    const Vec3d d = b - a, e = q - p;
    const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e);
    if (!(de * de > (1 - 1e-6) * dd * ee)) return point;

    // Nearly parallel: the segments are side by side in the range `clip`. The distance is constant there if
    // its slope is zero at both ends.
    Clip clip;
    clip.keepBelow(dot(p - a, e), dot(p - b, e));
    clip.keepBelow(dot(a - q, e), dot(b - q, e));
    if (clip.empty()) return point;
    const auto foot = [&](double t) { return dot(a + t * d - p, e) / ee; };
    for (double t : {clip.lo, clip.hi}) {
        const Vec3d v = a + t * d - p - foot(t) * e;
        const double g = dot(v, d);
        if (g * g > kFlat * kFlat * dot(v, v)) return point;
    }
    const double t = clip.middle();
    const Vec3d x = a + t * d, y = p + clamp(foot(t), 0.0, 1.0) * e;
    return {clip.lo, clip.hi, x, y, lengthSquared(x - y)};
}

Nearest nearestOfTriangle(Vec3d p, Vec3d q, Vec3d r, Vec3d a, Vec3d b) {
    return spanOfTriangle(Triangle(p, q, r), a, b).nearest;
}

Nearest nearestOfHull(const Shape& hull, Vec3d a, Vec3d b) {
    Push push{a, b};
    Clip inside;
    int face = -1;
    NearSpan best = {{0, a, {0, 1, 0}, kNowhere, -1}, 0, 0};
    for (std::size_t i = 0; i < hull.triangles.size(); ++i) {
        const Triangle triangle = triangleOf(hull, i);
        if (triangle.flat()) continue;
        const double before = push.distance, atA = triangle.height(a), atB = triangle.height(b);
        push.offer(triangle.normal, dot(triangle.normal, triangle.corner[0]));
        if (push.distance > before) face = int(i);
        inside.keepBelow(atA, atB);
        // The segment is behind the triangle, or too high above it.
        if (max(atA, atB) <= 0 || min(atA, atB) > best.nearest.distance + kFlat) continue;
        join(best, spanOfTriangle(triangle, a, b), int(i));
    }
    if (inside.empty() && best.nearest.distance > kOnSurface) {
        if (best.hi > best.lo) {
            best.nearest.t = 0.5 * (best.lo + best.hi);
            const Vec3d x = a + best.nearest.t * (b - a);
            best.nearest.point = x - best.nearest.distance * best.nearest.normal;
        }
        return best.nearest;
    }
    offerEdges(hull, push);
    Nearest out = push.at(inside.empty() ? best.nearest.t : inside.middle());
    out.triangle = face;
    return out;
}

Nearest nearestOfMesh(const Shape& mesh, Vec3d a, Vec3d b) {
    Nearest best = {0, a, {0, 1, 0}, kNowhere, -1};
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Nearest n = spanOfTriangle(triangleOf(mesh, i), a, b).nearest;
        if (n.distance < best.distance) {
            best = n;
            best.triangle = int(i);
        }
    }
    return best;
}

} // namespace capstan
