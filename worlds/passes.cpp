// SPDX-License-Identifier: MIT
// Passes, distances and linking numbers of polygons, in double.
#include <worlds/passes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace capstan::bench {

namespace {

double volume(Vec3d a, Vec3d b, Vec3d c) { return dot(a, cross(b, c)); }

struct Cubic {
    double c[4];
    double at(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

Cubic volumeOf(const SegmentMove& a, const SegmentMove& b) {
    // Each of the three vectors is linear in time, e + t de, so the volume is a cubic in t.
    const Vec3d u = a.q[0] - a.p[0], v = b.q[0] - b.p[0], w = b.p[0] - a.p[0];
    const Vec3d du = a.q[1] - a.p[1] - u, dv = b.q[1] - b.p[1] - v, dw = b.p[1] - a.p[1] - w;
    return {{volume(u, v, w), volume(du, v, w) + volume(u, dv, w) + volume(u, v, dw),
             volume(u, dv, dw) + volume(du, v, dw) + volume(du, dv, w), volume(du, dv, dw)}};
}

// Finds the extrema of the cubic in (0, 1), in ascending order, and returns their number.
int turningTimes(const Cubic& f, double (&out)[2]) {
    const double a = 3 * f.c[3], b = f.c[2], c = f.c[1]; // a t^2 + 2 b t + c
    const double under = b * b - a * c;
    if (!(under > 0)) return 0;
    const double far = -(b + std::copysign(std::sqrt(under), b)); // the form without cancellation
    double roots[2] = {a != 0 ? far / a : -1, far != 0 ? c / far : -1};
    if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
    int count = 0;
    for (const double t : roots)
        if (t > 0 && t < 1) out[count++] = t;
    return count;
}

double rootWithin(const Cubic& f, double low, double high) {
    const bool below = f.at(low) < 0;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        ((f.at(middle) < 0) == below ? low : high) = middle;
    }
    return low;
}

// Returns whether two coplanar segments cross. Parallel segments return false: they cannot pass through each other.
bool meet(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2) {
    const Vec3d u = q1 - p1, v = q2 - p2, w = p2 - p1, n = cross(u, v);
    const double area = dot(n, n);
    if (area == 0) return false;
    const double s = volume(n, w, v) / area, t = volume(n, w, u) / area;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

Vec3d along(const Vec3d (&x)[2], double t) { return (1 - t) * x[0] + t * x[1]; }

struct Swept { // a segment's move and its bounding box
    SegmentMove move;
    Vec3d low, high;
    int line, index;
};

std::vector<Swept> sweep(const Lines& before, const Lines& after, const PairRules& rules) {
    std::vector<Swept> all;
    for (std::size_t l = 0; l < before.size(); ++l) {
        for (std::size_t i = std::size_t(rules.skip); i + 1 < before[l].size(); ++i) {
            const SegmentMove m = {{before[l][i], after[l][i]}, {before[l][i + 1], after[l][i + 1]}};
            all.push_back({m, min(min(m.p[0], m.p[1]), min(m.q[0], m.q[1])),
                           max(max(m.p[0], m.p[1]), max(m.q[0], m.q[1])), int(l), int(i)});
        }
    }
    return all;
}

bool counts(const Swept& a, const Swept& b, const PairRules& rules) {
    if (a.line != b.line) return true;
    return rules.selfApart > 0 && std::abs(a.index - b.index) >= std::max(2, rules.selfApart);
}

bool apart(const Swept& a, const Swept& b) {
    return a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y ||
           a.low.z > b.high.z || b.low.z > a.high.z;
}

} // namespace

bool passesThrough(const SegmentMove& a, const SegmentMove& b) {
    const Cubic f = volumeOf(a, b);
    double turns[2], times[4] = {0, 1, 1, 1};
    const int count = turningTimes(f, turns);
    for (int i = 0; i < count; ++i) times[i + 1] = turns[i];
    int through = 0;
    for (int i = 0; i <= count; ++i) {
        if ((f.at(times[i]) < 0) == (f.at(times[i + 1]) < 0)) continue;
        const double t = rootWithin(f, times[i], times[i + 1]);
        through += meet(along(a.p, t), along(a.q, t), along(b.p, t), along(b.q, t));
    }
    return through % 2 == 1;
}

int passes(const Lines& before, const Lines& after, const PairRules& rules) {
    const std::vector<Swept> all = sweep(before, after, rules);
    int sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (counts(all[i], all[j], rules) && !apart(all[i], all[j]))
                sum += passesThrough(all[i].move, all[j].move);
    return sum;
}

double leastDistance(const Lines& lines, const PairRules& rules) {
    const std::vector<Swept> all = sweep(lines, lines, rules);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            if (!counts(all[i], all[j], rules)) continue;
            const SegmentMove &a = all[i].move, &b = all[j].move;
            // The distance of two segments is at least that of their boxes.
            const Vec3d zero = {0, 0, 0};
            const Vec3d gap = max(max(all[i].low - all[j].high, all[j].low - all[i].high), zero);
            if (length(gap) >= least) continue;
            least = std::min(least, distanceOfSegments(a.p[0], a.q[0], b.p[0], b.q[0]));
        }
    }
    return least;
}

// The squared distance is a convex function of two parameters in the unit square. Its minimum is the stationary point
// if that lies inside the square, and otherwise on one of the four edges.
double distanceOfSegments(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2) {
    const Vec3d u = q1 - p1, v = q2 - p2, w = p2 - p1;
    const auto toSegment = [](Vec3d x, Vec3d p, Vec3d d) {
        const double l = dot(d, d), t = l > 0 ? std::clamp(dot(x - p, d) / l, 0.0, 1.0) : 0;
        return length(x - p - t * d);
    };
    double least = std::min(std::min(toSegment(p1, p2, v), toSegment(q1, p2, v)),
                            std::min(toSegment(p2, p1, u), toSegment(q2, p1, u)));
    const Vec3d n = cross(u, v);
    const double area = dot(n, n);
    if (area > 0) {
        const double s = volume(n, w, v) / area, t = volume(n, w, u) / area;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            least = std::min(least, std::fabs(dot(w, n)) / std::sqrt(area));
    }
    return least;
}

// Sums the four angles between neighbouring unit normals. Segments in one plane see each other edge on: 0.
double signedSolidAngle(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2) {
    const double side = volume(q2 - p2, q1 - p1, p2 - p1);
    if (side == 0) return 0;
    const Vec3d n[4] = {cross(p2 - p1, q2 - p1), cross(q2 - p1, q2 - q1), cross(q2 - q1, p2 - q1),
                        cross(p2 - q1, p2 - p1)};
    double angle = 0;
    for (int k = 0; k < 4; ++k) {
        const double sine = dot(normalize(n[k]), normalize(n[(k + 1) % 4]));
        angle += std::asin(std::clamp(sine, -1.0, 1.0));
    }
    return std::copysign(angle, side);
}

double linkingNumber(const Line& a, const Line& b) {
    double sum = 0; // of one angle for each pair of edges
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            sum += signedSolidAngle(a[i], a[(i + 1) % a.size()], b[j], b[(j + 1) % b.size()]);
    return sum / (4 * std::numbers::pi);
}

bool isFinite(const Lines& lines) {
    for (const Line& line : lines)
        for (const Vec3d x : line)
            if (!std::isfinite(x.x + x.y + x.z)) return false;
    return true;
}

} // namespace capstan::bench
