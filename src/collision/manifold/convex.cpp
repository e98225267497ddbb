// SPDX-License-Identifier: MIT
// Contact points of any two convex shapes. First the normal and the nearest points are found (gjk.hpp). If a
// face lies along the normal, it is clipped against the opposite face of the other shape (face.hpp).
//
// A cylinder is first treated as its axis with a radius. While the normal is across the axis this is exact.
// The polygon for the curved rim is only an approximation.
//
// A normal that was found numerically is replaced by the normal of a face if both agree. For disjoint shapes
// they must agree to rounding, since the distance has to be true. For overlapping shapes they need to agree
// only roughly, so that the normal persists from step to step.
//
// A triangle of a mesh has two sides and no inside. In an overlap the other shape is pushed along the
// triangle's normal, as long as that push is short. The side is that of the shape's own centre. For a shape
// at rest near an edge, a push over the edge is shorter, but the surface continues beyond the edge. Only
// shapes that penetrate the triangle deeper than kSunk are pushed over the edge.
#include "collision/manifold/face.hpp"

namespace capstan {
namespace {

constexpr double kSame = 1e-8; // relative to the size of the pair: a gap that differs by less counts as equal
// A normal is clearly better by more than these fractions of the overlap and of the size, as in box.cpp.
constexpr double kClearlyBetter = 0.05, kClearlyBetterOfSize = 1e-4;
constexpr double kAcross = 1e-5; // sine: below it the normal counts as across the axis
constexpr double kShallow = 0.1; // relative to a cylinder's radius or half length: largest overlap that is
                                 // treated as shallow
constexpr double kAlong = 0.98;  // cosine: above it a face counts as along the normal
constexpr double kSunk = 0.02;   // relative to the size of the shape: see the top of this file

struct CorePair {
    Core a, b;
    double margin, size;
    double reach() const { return margin + a.radius + b.radius; }
    double rest(double distance) const { return distance - a.radius - b.radius; }
};

Vec3d normalOfTriangle(const Core& c) {
    return normalize(cross(c.corner[1] - c.corner[0], c.corner[2] - c.corner[0]));
}

// Returns whether the triangle has no area. Such a triangle is skipped, because its edges also belong to its
// neighbours.
bool degenerate(const Core& c) {
    const Vec3d u = c.corner[1] - c.corner[0], v = c.corner[2] - c.corner[0];
    const double longest = max(max(dot(u, u), dot(v, v)), lengthSquared(u - v));
    return !(length(cross(u, v)) > 1e-9 * longest);
}

// Returns whether the axis with a radius may replace the cylinder c. It may if the contact is on the side and
// not deep. In an overlap, no push over the rim or through a cap may be clearly shorter. a and b are the
// whole shapes.
bool onItsSide(const Core& c, const Core& a, const Core& b, Vec3d n, double gap) {
    const Shape& s = *c.placed.shape;
    if (s.kind != ShapeKind::Cylinder || c.count == 0) return true;
    const Vec3d u = c.placed.axes.y;
    if (abs(dot(n, u)) > kAcross || gap < -kShallow * min(s.radius, s.halfLength)) return false;
    if (gap >= 0) return true;
    const double enough = gap + kClearlyBetter * abs(gap) + kClearlyBetterOfSize * (a.size + b.size);
    for (Vec3d m : {n + 0.1 * u, n - 0.1 * u, n + u, n - u, 0.05 * n + u, 0.05 * n - u})
        if (separation(a, b, normalize(m)) > enough) return false;
    return true;
}

Apart apart(CorePair& p) {
    const bool roundA = p.a.placed.shape->kind == ShapeKind::Cylinder,
               roundB = p.b.placed.shape->kind == ShapeKind::Cylinder;
    const Core fullA = p.a, fullB = p.b;
    Simplex s;
    for (int k = 3; k > 0; --k) {
        const bool axisA = (k & 1) != 0, axisB = (k & 2) != 0;
        if ((axisA && !roundA) || (axisB && !roundB)) continue;
        p.a = axisA ? coreOf(fullA.placed, true) : fullA;
        p.b = axisB ? coreOf(fullB.placed, true) : fullB;
        const Apart r = gjk(p.a, p.b, p.reach(), s);
        if (r.far) return r; // disjoint, since the cylinder is inside its capsule
        const double gap = p.rest(r.distance);
        if (!r.overlap && onItsSide(p.a, fullA, fullB, r.n, gap) && onItsSide(p.b, fullA, fullB, r.n, gap))
            return r;
    }
    p.a = fullA;
    p.b = fullB;
    const Apart r = gjk(p.a, p.b, p.reach(), s);
    return r.overlap ? epa(p.a, p.b, s) : r;
}

// For a shape that overlaps the triangle: returns whether it is pushed along the triangle's normal. If so,
// sets that normal and the depth in r.
bool chooseSide(const CorePair& p, Apart& r) {
    const Vec3d up = normalOfTriangle(p.b), n = dot(up, p.a.center - p.b.center) < 0 ? -up : up;
    const double most = p.rest(r.distance), s = separation(p.a, p.b, n);
    if (s < (1 + kClearlyBetter) * most - kSunk * p.a.size && abs(dot(r.n, n)) < 0.99) return false;
    r.n = n;
    r.distance = s + p.a.radius + p.b.radius;
    return true;
}

// Returns the normal of a face if it separates the shapes about as well as r.n, else r.n.
Vec3d settle(const CorePair& p, const Apart& r) {
    const double s = p.rest(r.distance);
    const double loss = r.overlap ? kClearlyBetter * abs(s) + kClearlyBetterOfSize * p.size : kSame * p.size;
    const auto good = [&](Vec3d n) { return dot(n, r.n) > 0.5 && separation(p.a, p.b, n) >= s - loss; };
    const Outline a = outlineOf(p.a, -r.n);
    if (a.flat() && good(-a.normal)) return -a.normal;
    const Outline b = outlineOf(p.b, r.n);
    if (b.flat() && good(b.normal)) return b.normal;
    return r.n;
}

// Finds the edge of a polygon that is farthest along d. Returns false if that edge does not lie across d.
bool edgeOf(const Outline& o, Vec3d d, Segment& edge) {
    if (o.count == 2) {
        edge = {o.p[0], o.p[1]};
        return true;
    }
    double most = -1e300;
    for (int i = 0; i < o.count && o.count >= 3; ++i) {
        const Vec3d p = o.p[i], q = o.p[(i + 1) % o.count];
        if (const double h = dot(d, p) + dot(d, q); h > most) {
            most = h;
            edge = {p, q};
        }
    }
    const Vec3d e = edge.to - edge.from;
    return o.count >= 3 && abs(dot(d, e)) <= 0.02 * length(e);
}

std::uint32_t nameOf(const Outline& a, const Outline& b, bool ofA) {
    return (a.name << 23) ^ (b.name << 15) ^ (ofA ? 1u << 14 : 0);
}

// Adds the points of two faces. Returns false if no face lies along the normal.
bool addFaces(const CorePair& p, const Outline& a, const Outline& b, Vec3d n, const Apart& r, Manifold& out) {
    const double alongA = a.flat() ? -dot(a.normal, n) : 0, alongB = b.flat() ? dot(b.normal, n) : 0;
    const bool ofA = alongA >= alongB - 1e-6;
    if (max(alongA, alongB) < kAlong) return false;
    Candidate list[2 * kMostCorners + 1];
    int count = clipOutlines(ofA ? a : b, ofA ? b : a, n, ofA, 1e-7 * p.size, list);
    double least = 1e300;
    for (int i = 0; i < count; ++i) {
        list[i].feature ^= nameOf(a, b, ofA);
        least = min(least, list[i].gap);
    }
    // The nearest points become a point of their own if they are nearer than all corners of the clipped face.
    const double gap = p.rest(r.distance);
    if ((!r.overlap || n == r.n) && gap < least - 1e-7 * p.size) {
        const Vec3d surfaceA = r.a - p.a.radius * n, surfaceB = r.b + p.b.radius * n;
        list[count++] = {surfaceA + a.radius * n, surfaceB - b.radius * n, gap, nameOf(a, b, ofA) ^ 0x3fffu};
    }
    addFour(out, p.margin, list, count, a.radius, b.radius, n, p.size);
    return out.count > 0;
}

bool overlaps(const Manifold& m) {
    for (int i = 0; i < m.count; ++i)
        if (m.point[i].gap <= 0) return true;
    return false;
}

void addPoints(const CorePair& p, const Apart& r, Vec3d n, Manifold& out) {
    const Outline a = outlineOf(p.a, -n), b = outlineOf(p.b, n);
    if (a.count > 1 && b.count > 1) {
        if (addFaces(p, a, b, n, r, out)) return;
        Segment ea = {}, eb = {};
        if (edgeOf(a, -n, ea) && edgeOf(b, n, eb) &&
            addParallel(out, p.margin, ea, eb, a.radius, b.radius, n))
            return;
    }
    const Vec3d surfaceA = r.a - p.a.radius * n, surfaceB = r.b + p.b.radius * n;
    addPoint(out, p.margin, surfaceA + a.radius * n, surfaceB - b.radius * n, a.radius, b.radius, n,
             nameOf(a, b, true));
}

} // namespace

void collideConvex(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    CorePair p = {coreOf(a, false), coreOf(b, false), margin, 0};
    p.size = p.a.size + p.b.size;
    const bool triangle = b.shape->kind == ShapeKind::Mesh;
    if (triangle && degenerate(p.b)) return;
    const Apart found = apart(p);
    if (found.far) return;
    Apart r = found;
    const bool chosen = triangle && r.overlap && chooseSide(p, r);
    const Vec3d n = chosen ? r.n : settle(p, r);
    addPoints(p, r, n, out);
    if (n == found.n || (found.overlap ? overlaps(out) : out.count > 0)) return;
    // The faces lie beside each other, so their normal is replaced by the one that was found first.
    out.count = 0;
    addPoints(p, found, found.n, out);
}

} // namespace capstan
