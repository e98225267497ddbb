// SPDX-License-Identifier: MIT
// Points of a manifold: four of many candidates, two for edges side by side, and corners of a cylinder's cap.
//
// Among almost equal candidates the first one is kept, unless a later one is clearly better. So rounding does
// not make points jump from one step to the next.
#include "collision/manifold/parts.hpp"

namespace capstan {
namespace {

constexpr double kClearly = 1.01;

// Twice the signed area of the triangle a b c about n; positive if it is counter-clockwise seen against n.
double area(Vec3d n, Vec3d a, Vec3d b, Vec3d c) { return dot(n, cross(b - a, c - a)); }

// Twice the largest signed area of a triangle that p forms with an edge of a b c. It is positive if p is
// outside of a b c.
double beyond(Vec3d n, Vec3d a, Vec3d b, Vec3d c, Vec3d p) {
    return max(area(n, b, a, p), max(area(n, c, b, p), area(n, a, c, p)));
}

template <class Score> int best(const Candidate* c, int count, Score score) {
    int at = 0;
    double most = score(c[0]);
    for (int i = 1; i < count; ++i)
        if (const double s = score(c[i]); s > kClearly * most) {
            most = s;
            at = i;
        }
    return at;
}

// If the deepest candidate is clearly deeper than the four chosen ones, it replaces the nearest of them.
// Refused: starting the choice from the deepest point. As soon as a flat contact rocks by as much as
// rounding, it would choose four other points.
void takeDeepest(const Candidate* c, int count, double clearly, int* chosen) {
    int deepest = chosen[0];
    for (int i = 1; i < 4; ++i)
        if (c[chosen[i]].gap < c[deepest].gap) deepest = chosen[i];
    const double limit = c[deepest].gap - clearly;
    for (int i = 0; i < count; ++i)
        if (c[i].gap < limit && c[i].gap < c[deepest].gap) deepest = i;
    int nearest = 0;
    for (int i = 1; i < 4; ++i)
        if (lengthSquared(c[chosen[i]].b - c[deepest].b) < lengthSquared(c[chosen[nearest]].b - c[deepest].b))
            nearest = i;
    chosen[nearest] = deepest;
}

} // namespace

void addFour(Manifold& m, double margin, const Candidate* c, int count, double radiusA, double radiusB,
             Vec3d n, double size) {
    Candidate near[2 * kMostCorners];
    int found = 0;
    for (int i = 0; i < count && found < 2 * kMostCorners; ++i)
        if (c[i].gap < margin) near[found++] = c[i];
    const auto add = [&](int i) {
        addPoint(m, margin, near[i].a, near[i].b, radiusA, radiusB, n, near[i].feature);
    };
    if (found <= 4) {
        for (int i = 0; i < found; ++i) add(i);
        return;
    }
    Vec3d sum = {0, 0, 0};
    for (int i = 0; i < found; ++i) sum += near[i].b;
    const Vec3d middle = (1 / double(found)) * sum;
    int chosen[4];
    chosen[0] = best(near, found, [&](const Candidate& k) { return lengthSquared(k.b - middle); });
    const Vec3d p = near[chosen[0]].b;
    chosen[1] = best(near, found, [&](const Candidate& k) { return lengthSquared(k.b - p); });
    const Vec3d q = near[chosen[1]].b;
    chosen[2] = best(near, found, [&](const Candidate& k) { return abs(area(n, p, q, k.b)); });
    const bool left = area(n, p, q, near[chosen[2]].b) >= 0;
    const Vec3d r = left ? near[chosen[2]].b : q, s = left ? q : near[chosen[2]].b;
    chosen[3] = best(near, found, [&](const Candidate& k) { return max(0.0, beyond(n, p, s, r, k.b)); });
    takeDeepest(near, found, 5e-7 * size, chosen);
    for (int i = 0; i < 4; ++i) {
        bool twice = false;
        for (int k = 0; k < i; ++k) twice = twice || chosen[k] == chosen[i];
        if (!twice) add(chosen[i]);
    }
}

bool addParallel(Manifold& m, double margin, const Segment& p, const Segment& q, double radiusA,
                 double radiusB, Vec3d n) {
    const double lp = length(p.to - p.from), lq = length(q.to - q.from);
    if (!(lp > 0 && lq > 0)) return false;
    const Vec3d u = (1 / lp) * (p.to - p.from);
    const double q0 = dot(u, q.from - p.from), q1 = dot(u, q.to - p.from), low = min(q0, q1),
                 high = max(q0, q1);
    if (high - low < 0.9 * lq) return false;
    const double from = max(0.0, low), to = min(lp, high), shared = to - from;
    if (shared < 1e-3 * min(lp, lq)) return false;

    Vec3d a[2], b[2];
    for (int i = 0; i < 2; ++i) {
        const double s = i == 0 ? from : to;
        a[i] = p.from + s * u;
        b[i] = q.from + ((s - q0) / (q1 - q0)) * (q.to - q.from);
        const Vec3d e = a[i] - b[i], aside = e - dot(n, e) * n;
        if (length(aside) > 0.01 * (radiusA + radiusB) + 1e-4 * shared) return false;
    }
    const int before = m.count;
    addPoint(m, margin, a[0], b[0], radiusA, radiusB, n, low > 0 ? 16 : 17);
    addPoint(m, margin, a[1], b[1], radiusA, radiusB, n, high < lp ? 18 : 19);
    return m.count > before;
}

Vec3d rimPoint(const PosedShape& cylinder, double side, Vec3d d) {
    const Vec3d u = cylinder.axes.y;
    return cylinder.end(side) +
           cylinder.shape->radius * directionOr(d - dot(d, u) * u, 1e-12, cylinder.axes.x);
}

void capCorners(const PosedShape& cylinder, double side, Vec3d d, int count, Vec3d* corners) {
    // Cosines of the multiples of 1/16 of a full turn.
    constexpr double c[16] = {1,  0.9238795325112867,  0.7071067811865476,  0.3826834323650898,
                              0,  -0.3826834323650898, -0.7071067811865476, -0.9238795325112867,
                              -1, -0.9238795325112867, -0.7071067811865476, -0.3826834323650898,
                              0,  0.3826834323650898,  0.7071067811865476,  0.9238795325112867};
    const Vec3d lean = cylinder.local(d);
    const double r = cylinder.shape->radius;
    int nearest = 0;
    double most = -2;
    for (int i = 0; i < count; ++i) {
        const int k = i * (16 / count);
        const double x = c[k], z = c[(k + 12) % 16];
        corners[i] = cylinder.end(side) + (r * x) * cylinder.axes.x + (r * z) * cylinder.axes.z;
        if (const double s = lean.x * x + lean.z * z; s > most) {
            most = s;
            nearest = i;
        }
    }
    // Below this tilt the corners are exact to a millionth of the radius, and the direction of the tilt is
    // mostly noise.
    if (lean.x * lean.x + lean.z * lean.z > 9e-12) corners[nearest] = rimPoint(cylinder, side, d);
}

} // namespace capstan
