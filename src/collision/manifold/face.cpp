// SPDX-License-Identifier: MIT
// Implements face.hpp. Clipping is by Sutherland & Hodgman, against the edges of the reference polygon in
// turn.
#include "collision/manifold/face.hpp"

namespace capstan {
namespace {

constexpr int kMostOfHull = 32; // largest number of corners of a hull's face; further corners are ignored

// Returns a value from 0 to 4 that increases with the angle of (x, y), without a transcendental function.
double turnOf(double x, double y) {
    const double sum = abs(x) + abs(y), t = sum > 0 ? y / sum : 0;
    return x >= 0 ? (y >= 0 ? t : 4 + t) : 2 - t;
}

void boxFace(const PosedShape& b, Vec3d d, Outline& o) {
    const Vec3d l = b.local(d), h = b.shape->half, size = abs(l);
    const int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const Vec3d axis[3] = {b.axes.x, b.axes.y, b.axes.z};
    const double half[3] = {h.x, h.y, h.z}, lk[3] = {l.x, l.y, l.z}, side = withSign(1.0, lk[k]);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Vec3d u = half[i] * axis[i], v = (side * half[j]) * axis[j];
    o.normal = side * axis[k];
    const Vec3d c = b.x + half[k] * o.normal;
    o.p[0] = c - u - v;
    o.p[1] = c + u - v;
    o.p[2] = c + u + v;
    o.p[3] = c - u + v;
    o.count = 4;
    o.name = std::uint32_t(2 * k + (side > 0 ? 1 : 0));
}

// Finds the triangle whose normal is nearest to d, and the polygon of all corners in its plane.
void hullFace(const Core& c, Vec3d d, Outline& o) {
    const Shape& s = *c.placed.shape;
    const Vec3d l = c.placed.local(d);
    const auto at = [&](int i) { return s.corners[i]; };
    double most = -2;
    Vec3d n = l, on = s.corners[0];
    for (const std::array<int, 3>& t : s.triangles) {
        const Vec3d m = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
        const double m2 = dot(m, m), h = dot(m, l);
        if (!(m2 > 0) || (most > 0 && h <= 0)) continue;
        const double along = withSign(h * h / m2, h);
        if (along > most) {
            most = along;
            n = m;
            on = at(t[0]);
        }
    }
    n = normalize(n, kUp);
    Vec3d flat[kMostOfHull], sum = {0, 0, 0};
    int count = 0;
    std::uint32_t name = 0;
    for (std::size_t i = 0; i < s.corners.size() && count < kMostOfHull; ++i)
        if (abs(dot(n, s.corners[i] - on)) <= 1e-6 * c.size) {
            flat[count++] = s.corners[i];
            sum += s.corners[i];
            name = name * 31 + std::uint32_t(i);
        }
    const Vec3d middle = (1 / double(count)) * sum;
    const Vec3d x = normalize(flat[0] - middle), y = cross(n, x);
    double turn[kMostOfHull];
    for (int i = 0; i < count; ++i) {
        const double t = i == 0 ? 0 : turnOf(dot(x, flat[i] - middle), dot(y, flat[i] - middle));
        int k = i;
        for (; k > 0 && turn[k - 1] > t; --k) {
            turn[k] = turn[k - 1];
            o.p[k] = o.p[k - 1];
        }
        turn[k] = t;
        o.p[k] = c.placed.point(flat[i]);
    }
    o.count = count;
    o.normal = c.placed.axes * n;
    o.name = name % 256;
}

void cylinderFace(const PosedShape& c, Vec3d d, Outline& o) {
    const double s = dot(d, c.axes.y), across = sqrt(max(0.0, 1 - s * s));
    if (abs(s) < across) { // lying on its side: the line on its surface, see plane.cpp
        o.radius = c.shape->radius * across;
        o.p[0] = rimPoint(c, -1, d) - o.radius * d;
        o.p[1] = rimPoint(c, 1, d) - o.radius * d;
        o.count = 2;
        return;
    }
    const bool top = s > 0;
    capCorners(c, top ? 1 : -1, d, 16, o.p);
    // Counter-clockwise from outside: capCorners goes from x to z, which is clockwise as seen from the top.
    for (int i = 0; top && i < 8; ++i) {
        const Vec3d t = o.p[i];
        o.p[i] = o.p[15 - i];
        o.p[15 - i] = t;
    }
    o.count = 16;
    o.normal = top ? c.axes.y : -c.axes.y;
    o.name = top ? 1 : 2;
}

void triangleFace(const Core& c, Vec3d d, Outline& o) {
    const Vec3d n = normalize(cross(c.corner[1] - c.corner[0], c.corner[2] - c.corner[0]));
    const bool front = dot(n, d) >= 0;
    o.p[0] = c.corner[0];
    o.p[1] = c.corner[front ? 1 : 2];
    o.p[2] = c.corner[front ? 2 : 1];
    o.count = 3;
    o.normal = front ? n : -n;
    o.name = front ? 1 : 2;
}

struct FaceCorner {
    Vec3d p;
    int before, after; // the two lines on which it lies
};

// Keeps the part of a polygon (or segment) on the inner side of the plane through `on` with the outward
// normal `out`. Points outside by less than `rim` count as inside.
int cut(const FaceCorner* in, int count, Vec3d on, Vec3d out, double rim, int line, FaceCorner* result) {
    int n = 0;
    const bool closed = count > 2;
    for (int i = 0; i < count; ++i) {
        const FaceCorner& q = in[i];
        const double dq = dot(out, q.p - on) - rim;
        if (closed || i > 0) {
            const FaceCorner& p = in[i == 0 ? count - 1 : i - 1];
            const double dp = dot(out, p.p - on) - rim;
            if ((dp <= 0) != (dq <= 0)) {
                const Vec3d x = p.p + (dp / (dp - dq)) * (q.p - p.p);
                result[n++] = dq <= 0 ? FaceCorner{x, line, p.after} : FaceCorner{x, p.after, line};
            }
        }
        if (dq <= 0) result[n++] = q;
    }
    return n;
}

} // namespace

Outline outlineOf(const Core& c, Vec3d d) {
    Outline o;
    switch (c.placed.shape->kind) {
    case ShapeKind::Box:
        boxFace(c.placed, d, o);
        break;
    case ShapeKind::Hull:
        hullFace(c, d, o);
        break;
    case ShapeKind::Cylinder:
        cylinderFace(c.placed, d, o);
        break;
    case ShapeKind::Mesh:
        triangleFace(c, d, o);
        break;
    case ShapeKind::Sphere:
    case ShapeKind::Capsule:
    case ShapeKind::Plane:
    case ShapeKind::None:
        o.count = c.count;
        o.radius = c.radius;
        for (int i = 0; i < c.count; ++i) o.p[i] = c.corner[i];
        break;
    }
    return o;
}

int clipOutlines(const Outline& reference, const Outline& incident, Vec3d n, bool ofA, double rim,
                 Candidate* out) {
    FaceCorner buffer[2][2 * kMostCorners];
    FaceCorner *in = buffer[0], *next = buffer[1];
    int count = incident.count;
    const int lines = incident.count;
    for (int i = 0; i < count; ++i) in[i] = {incident.p[i], (i + count - 1) % count, i};
    for (int i = 0; i < reference.count && count > 0; ++i) {
        const Vec3d from = reference.p[i], edge = reference.p[(i + 1) % reference.count] - from;
        // `across` points out of the polygon. The outward normal of its shape is n for b and -n for a.
        const Vec3d across = cross(edge, ofA ? -n : n);
        const double l = length(across);
        if (!(l > 0)) continue;
        count = cut(in, count, from, (1 / l) * across, rim, lines + i, next);
        FaceCorner* t = in;
        in = next;
        next = t;
    }
    const double slope = dot(reference.normal, n);
    for (int i = 0; i < count; ++i) {
        // Distance along n from the plane of the reference to the incident point, and the gap between the
        // surfaces.
        const double up = dot(reference.normal, in[i].p - reference.p[0]) / slope;
        const Vec3d foot = in[i].p - up * n;
        const double gap = (ofA ? -up : up) - incident.radius - reference.radius;
        out[i] = {ofA ? foot : in[i].p, ofA ? in[i].p : foot, gap,
                  std::uint32_t(in[i].before * 128 + in[i].after)};
    }
    return count;
}

} // namespace capstan
