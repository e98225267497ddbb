// SPDX-License-Identifier: MIT
// Penetration depth by the expanding polytope algorithm (EPA): van den Bergen 2001, "Proximity queries and
// penetration depth computation on 3D game objects". The polytope lies inside the Minkowski difference of the
// cores. It is expanded at its side nearest to the origin, by the point of the difference that is farthest
// along that side's normal. If no point is beyond the side, the side belongs to the surface of the
// difference. Then its normal is the direction of the shortest push.
// If the difference is flat (an axis in the plane of a triangle), the push is along the normal of its plane.
#include "collision/manifold/gjk.hpp"

namespace capstan {
namespace {

constexpr int kMostPoints = 100, kMostSides = 2 * kMostPoints;

struct Side {
    int v[3];
    Vec3d n; // outward; zero if the side is too thin to have a normal
    double d;
};
struct Edge {
    int from, to;
};

class Polytope {
public:
    Polytope(const Core& a, const Core& b) : a_(a), b_(b), size_(a.size + b.size) {}

    Apart grow(const Simplex& s) {
        for (int i = 0; i < s.count; ++i) point_[points_++] = s.at[i];
        if (!start()) return flat(s);
        const double enough = 1e-10 * size_;
        for (int best = nearest();; best = nearest()) {
            const Side side = side_[best];
            const Difference w = differenceAlong(a_, b_, side.n);
            if (points_ == kMostPoints || dot(side.n, w.w) - side.d <= enough || !add(w))
                return through(side);
        }
    }

private:
    const Vec3d& w(int i) const { return point_[i].w; }

    Side sideOf(int i, int j, int k) const {
        const Vec3d n = cross(w(j) - w(i), w(k) - w(i));
        const double l = length(n), thin = 1e-15 * size_ * size_;
        if (!(l > thin)) return {{i, j, k}, {0, 0, 0}, 1e300};
        return {{i, j, k}, (1 / l) * n, dot(n, w(i)) / l};
    }

    // Adds the farthest point along d or along -d, by the greater `measure`. Returns false if `measure` is
    // nearly zero for these two points.
    template <class Measure> bool reach(Vec3d d, Measure measure) {
        const Difference there = differenceAlong(a_, b_, d), back = differenceAlong(a_, b_, -d);
        const double m = measure(there.w), k = measure(back.w);
        if (max(m, k) <= 1e-9 * size_) return false;
        point_[points_++] = m >= k ? there : back;
        return true;
    }

    // Completes the simplex to a tetrahedron whose sides have outward normals. Returns false if the
    // difference is flat.
    bool start() {
        const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (points_ == 4) {
            const Vec3d n = cross(w(1) - w(0), w(2) - w(0));
            if (abs(dot(n, w(3) - w(0))) <= 1e-9 * size_ * length(n)) points_ = 3;
        }
        if (points_ == 3 && length(cross(w(1) - w(0), w(2) - w(0))) <= 1e-9 * size_ * size_) points_ = 2;
        if (points_ == 2 && length(w(1) - w(0)) <= 1e-9 * size_) points_ = 1;
        for (int k = 0; k < 3 && points_ == 1; ++k) reach(axes[k], [&](Vec3d x) { return length(x - w(0)); });
        for (int k = 0; k < 3 && points_ == 2; ++k) {
            const Vec3d u = normalize(w(1) - w(0));
            const Vec3d d = cross(u, axes[k]);
            if (lengthSquared(d) < 0.1) continue;
            if (!reach(d, [&](Vec3d x) { return length(cross(u, x - w(0))); }))
                reach(cross(u, d), [&](Vec3d x) { return length(cross(u, x - w(0))); });
        }
        if (points_ == 3) {
            const Vec3d n = normalize(cross(w(1) - w(0), w(2) - w(0)));
            reach(n, [&](Vec3d x) { return abs(dot(n, x - w(0))); });
        }
        if (points_ < 4) return false;
        const bool turned = dot(cross(w(1) - w(0), w(2) - w(0)), w(3) - w(0)) > 0;
        const int i = turned ? 1 : 0, j = turned ? 0 : 1;
        side_[0] = sideOf(i, j, 2);
        side_[1] = sideOf(j, i, 3);
        side_[2] = sideOf(2, j, 3);
        side_[3] = sideOf(i, 2, 3);
        sides_ = 4;
        return true;
    }

    int nearest() const {
        int best = 0;
        for (int i = 1; i < sides_; ++i)
            if (side_[i].d < side_[best].d) best = i;
        return best;
    }

    // Adds a point: removes the sides that it is beyond, and closes the hole with sides to the point. Returns
    // false if it is beyond no side.
    bool add(const Difference& p) {
        point_[points_] = p;
        int edges = 0, kept = 0;
        for (int i = 0; i < sides_; ++i) {
            const Side s = side_[i];
            if (dot(s.n, p.w) - s.d <= 1e-12 * size_) {
                side_[kept++] = s;
                continue;
            }
            for (int k = 0; k < 3; ++k) edges = toggle({s.v[k], s.v[(k + 1) % 3]}, edges);
        }
        if (kept == sides_ || kept + edges > kMostSides) return false;
        sides_ = kept;
        for (int i = 0; i < edges; ++i) side_[sides_++] = sideOf(rim_[i].from, rim_[i].to, points_);
        ++points_;
        return true;
    }

    // Adds or removes an edge of the rim. An edge between two removed sides occurs twice, once in each
    // direction, and is not part of the rim.
    int toggle(Edge e, int edges) {
        for (int i = 0; i < edges; ++i)
            if (rim_[i].from == e.to && rim_[i].to == e.from) {
                rim_[i] = rim_[edges - 1];
                return edges - 1;
            }
        if (edges < 3 * kMostSides) rim_[edges++] = e;
        return edges;
    }

    // Result for the shortest push through a side. The nearest points are those at the foot of the origin on
    // the side, by the weights of the side's corners.
    Apart through(const Side& s) const {
        const Vec3d foot = s.d * s.n;
        const Vec3d p = w(s.v[0]) - foot, q = w(s.v[1]) - foot, r = w(s.v[2]) - foot;
        double u = max(0.0, dot(s.n, cross(q, r))), v = max(0.0, dot(s.n, cross(r, p))),
               t = max(0.0, dot(s.n, cross(p, q)));
        const double sum = u + v + t;
        if (sum > 0) {
            u /= sum;
            v /= sum;
            t /= sum;
        } else {
            u = 1;
            v = t = 0;
        }
        const Difference &i = point_[s.v[0]], &j = point_[s.v[1]], &k = point_[s.v[2]];
        return {false, true, -s.d, -s.n, u * i.a + v * j.a + t * k.a, u * i.b + v * j.b + t * k.b};
    }

    Apart flat(const Simplex& s) const {
        Vec3d n = kUp;
        if (points_ == 3) n = normalize(cross(w(1) - w(0), w(2) - w(0)), kUp);
        if (points_ == 2) n = perpendicular(normalize(w(1) - w(0), kUp));
        if (dot(n, a_.center - b_.center) < 0) n = -n;
        Vec3d p = {0, 0, 0}, q = {0, 0, 0};
        for (int i = 0; i < s.count; ++i) {
            p += s.weight[i] * s.at[i].a;
            q += s.weight[i] * s.at[i].b;
        }
        return {false, true, 0, n, p, q};
    }

    const Core &a_, &b_;
    double size_;
    Difference point_[kMostPoints];
    Side side_[kMostSides];
    Edge rim_[3 * kMostSides];
    int points_ = 0, sides_ = 0;
};

} // namespace

Apart epa(const Core& a, const Core& b, const Simplex& s) { return Polytope(a, b).grow(s); }

} // namespace capstan
