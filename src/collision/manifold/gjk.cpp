// SPDX-License-Identifier: MIT
// Implements gjk.hpp: Gilbert, Johnson & Keerthi 1988, "A fast procedure for computing the distance between
// complex objects in three-dimensional space". The iterate v is the point of a simplex nearest to the origin.
// Each step adds the point w of the Minkowski difference A - B that is farthest along -v. The iteration ends
// when |v|^2 - v.w is negligible. This value bounds the squared distance of v from the true nearest point.
// On a triangle, the nearest point is the projection of the origin onto its plane, if that is inside.
// Otherwise it is the nearest point of the nearest edge. On a tetrahedron, it is the nearest point of those
// faces that have the origin on their outer side.
#include "collision/manifold/gjk.hpp"

namespace capstan {
namespace {

constexpr double kOverlap = 1e-9; // relative to the size: for a shorter v, the direction from EPA is more
                                  // accurate than v
constexpr int kMostSteps = 100;

// The point nearest to the origin and the weights of the corners; an unused corner has weight 0.
struct Foot {
    Vec3d v;
    double weight[3];
};

Foot footOfSegment(Vec3d a, Vec3d b) {
    const Vec3d d = b - a;
    const double l2 = dot(d, d), t = l2 > 0 ? clamp(-dot(a, d) / l2, 0, 1) : 0;
    return {a + t * d, {1 - t, t, 0}};
}

Foot footOfTriangle(Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d ab = b - a, ac = c - a, n = cross(ab, ac);
    const double n2 = dot(n, n);
    if (n2 > 0) {
        // Areas of the three triangles that the foot makes with the edges: the barycentric coordinates of the
        // foot.
        const Vec3d foot = (dot(n, a) / n2) * n, p = a - foot, q = b - foot, r = c - foot;
        const double u = dot(n, cross(q, r)), v = dot(n, cross(r, p)), w = dot(n, cross(p, q)),
                     sum = u + v + w;
        if (u > 0 && v > 0 && w > 0) return {foot, {u / sum, v / sum, w / sum}};
    }
    const Foot ofAb = footOfSegment(a, b), ofBc = footOfSegment(b, c), ofCa = footOfSegment(c, a);
    const double ab2 = dot(ofAb.v, ofAb.v), bc2 = dot(ofBc.v, ofBc.v), ca2 = dot(ofCa.v, ofCa.v);
    if (ab2 <= bc2 && ab2 <= ca2) return ofAb;
    if (bc2 <= ca2) return {ofBc.v, {0, ofBc.weight[0], ofBc.weight[1]}};
    return {ofCa.v, {ofCa.weight[1], 0, ofCa.weight[0]}};
}

void keep(Simplex& s, const int* which, const double* weight, int count) {
    Simplex kept;
    for (int i = 0; i < count; ++i)
        if (weight[i] > 0) {
            kept.at[kept.count] = s.at[which[i]];
            kept.weight[kept.count++] = weight[i];
        }
    s = kept;
}

// Returns the point of the simplex nearest to the origin and removes unused corners. All four corners stay if
// the origin is inside.
Vec3d nearestOf(Simplex& s) {
    constexpr int kAll[3] = {0, 1, 2};
    const auto w = [&](int i) { return s.at[i].w; };
    if (s.count == 1) {
        s.weight[0] = 1;
        return w(0);
    }
    if (s.count <= 3) {
        const Foot f = s.count == 2 ? footOfSegment(w(0), w(1)) : footOfTriangle(w(0), w(1), w(2));
        keep(s, kAll, f.weight, s.count);
        return f.v;
    }
    constexpr int sides[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    Foot best = {{0, 0, 0}, {0, 0, 0}};
    int side = -1;
    for (int k = 0; k < 4; ++k) {
        const Vec3d a = w(sides[k][0]), b = w(sides[k][1]), c = w(sides[k][2]);
        const Vec3d n = cross(b - a, c - a);
        const double inner = dot(n, w(sides[k][3]) - a), origin = -dot(n, a);
        // A flat tetrahedron has no inside.
        const bool flat = abs(inner) <= 1e-13 * length(n) * max(length(a), length(w(sides[k][3])));
        if (!flat && (inner > 0) == (origin >= 0)) continue;
        const Foot f = footOfTriangle(a, b, c);
        if (side < 0 || dot(f.v, f.v) < dot(best.v, best.v)) {
            best = f;
            side = k;
        }
    }
    if (side < 0) return {0, 0, 0};
    keep(s, sides[side], best.weight, 3);
    return best.v;
}

bool holds(const Simplex& s, Vec3d w) {
    for (int i = 0; i < s.count; ++i)
        if (s.at[i].w == w) return true;
    return false;
}

void setPoints(const Simplex& s, Apart& out) {
    out.a = out.b = {0, 0, 0};
    for (int i = 0; i < s.count; ++i) {
        out.a += s.weight[i] * s.at[i].a;
        out.b += s.weight[i] * s.at[i].b;
    }
}

} // namespace

Apart gjk(const Core& a, const Core& b, double reach, Simplex& s) {
    const double size = a.size + b.size;
    s.at[0] = differenceAlong(a, b, -directionOr(a.center - b.center, kInContact * size, kUp));
    s.count = 1;
    s.weight[0] = 1;
    Vec3d v = s.at[0].w;
    Apart out;
    for (int step = 0; step < kMostSteps; ++step) {
        const double vv = dot(v, v), l = sqrt(vv);
        if (l <= kOverlap * size) {
            out.overlap = true;
            return out;
        }
        const Difference next = differenceAlong(a, b, -v);
        const double vw = dot(v, next.w);
        if (vw > reach * l && vw > 0) {
            out.far = true;
            return out;
        }
        if (vv - vw <= 1e-14 * vv + 1e-15 * size * l || holds(s, next.w)) break;
        Simplex grown = s;
        grown.at[grown.count++] = next;
        const Vec3d u = nearestOf(grown);
        if (grown.count == 4) {
            s = grown;
            out.overlap = true;
            return out;
        }
        if (!(dot(u, u) < vv)) break; // rounding: there is no nearer point
        s = grown;
        v = u;
    }
    out.distance = length(v);
    out.n = (1 / out.distance) * v;
    setPoints(s, out);
    return out;
}

Vec3d Core::support(Vec3d d) const {
    if (count > 0) {
        Vec3d best = corner[0];
        for (int i = 1; i < count; ++i)
            if (dot(d, corner[i] - best) > 0) best = corner[i];
        return best;
    }
    const Shape& s = *placed.shape;
    const Vec3d l = placed.local(d);
    if (s.kind == ShapeKind::Box)
        return placed.point({withSign(s.half.x, l.x), withSign(s.half.y, l.y), withSign(s.half.z, l.z)});
    if (s.kind == ShapeKind::Cylinder) {
        const double across = sqrt(l.x * l.x + l.z * l.z), y = withSign(s.halfLength, l.y);
        const double k = across > 1e-14 * abs(l.y) ? s.radius / across : 0;
        return placed.point({k * l.x, y, k * l.z});
    }
    std::size_t best = 0;
    double most = dot(l, s.corners[0]);
    for (std::size_t i = 1; i < s.corners.size(); ++i)
        if (const double h = dot(l, s.corners[i]); h > most) {
            most = h;
            best = i;
        }
    return placed.point(s.corners[best]);
}

Core coreOf(const PosedShape& p, bool axisOnly) {
    const Shape& s = *p.shape;
    Core c = {p, {p.x, p.x, p.x}, 0, 0, 0, p.x};
    if (s.kind == ShapeKind::Box) {
        c.size = length(s.half);
    } else if (s.kind == ShapeKind::Hull) {
        Vec3d sum = {0, 0, 0};
        for (Vec3d x : s.corners) sum += x;
        const Vec3d middle = (1 / double(s.corners.size())) * sum;
        for (Vec3d x : s.corners) c.size = max(c.size, lengthSquared(x - middle));
        c.size = sqrt(c.size);
        c.center = p.point(middle);
    } else if (s.kind == ShapeKind::Mesh) {
        const std::array<int, 3>& t = s.triangles[p.triangle];
        for (int i = 0; i < 3; ++i) c.corner[i] = p.point(s.corners[t[i]]);
        c.count = 3;
        c.center = (1.0 / 3) * (c.corner[0] + c.corner[1] + c.corner[2]);
        for (Vec3d x : c.corner) c.size = max(c.size, length(x - c.center));
    } else {
        const bool axis = s.kind != ShapeKind::Cylinder || axisOnly;
        c.size = s.radius + s.halfLength;
        if (axis) {
            c.radius = s.radius;
            c.count = s.halfLength > 0 ? 2 : 1;
        }
        if (c.count == 2) {
            c.corner[0] = p.end(-1);
            c.corner[1] = p.end(1);
        }
    }
    return c;
}

} // namespace capstan
