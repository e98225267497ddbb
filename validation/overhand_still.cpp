// SPDX-License-Identifier: MIT
// An elastic knot at rest: the least of
//
//   E = EA / 2 sum (l - l0)^2 / l0  +  B / 2 sum |x[i+1] - 2 x[i] + x[i-1]|^2 / l0^3  +  k / 2 sum (2 h - d)^2
//
// with stretching EA and touching k so stiff that neither shows, d the distance of two segments, the ends held where
// e = L - span = 2 pi R. Newton's method with steps of at most a third of the radius, so that no strand passes another.
// It shares nothing with the engine but vectors: no time, no mass, no multipliers, no rows.
//
// Nodes i and N - 1 - i are neighbours in the matrix: what touches is near there, and the band is narrow.
#include <validation/overhand.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace capstan::validation {

namespace {

// The strands run side by side along x from -w to w while they wind about each other. From there one of
// them is the straight tail and the other bends up into the loop: at x they are as far apart as a circle
// is from its tangent, but never nearer than they may be.
struct Lay {
    Overhand knot;
    double width() const { return std::min(1.2 * knot.contact(), 0.6 * knot.R); }
    double above(double x) const { return knot.R - std::sqrt(knot.R * knot.R - x * x); }

    // sign 1: the strand that comes in as the left tail; -1: the other.
    Vec3d strand(double x, double sign) const {
        double s = std::clamp((x / width() + 1) / 2, 0.0, 1.0), ease = s * s * (3 - 2 * s);
        double angle = (2 * knot.n + 1) * std::numbers::pi * (ease - 1);
        double apart = std::hypot(2.4 * knot.h, above(x)) / 2 * sign;
        return {x, above(x) / 2 + apart * std::cos(angle), apart * std::sin(angle)};
    }
};

std::vector<Vec3d> evenly(const std::vector<Vec3d>& path, int nodes, double& length0) {
    std::vector<double> at = {0};
    for (std::size_t i = 1; i < path.size(); ++i) at.push_back(at.back() + length(path[i] - path[i - 1]));
    length0 = at.back() / (nodes - 1);
    std::vector<Vec3d> x;
    std::size_t j = 0;
    for (int i = 0; i < nodes; ++i) {
        const double s = length0 * i;
        while (j + 2 < path.size() && at[j + 1] < s) ++j;
        x.push_back(path[j] + (s - at[j]) / (at[j + 1] - at[j]) * (path[j + 1] - path[j]));
    }
    return x;
}

// Symmetric, positive definite, nothing farther than `width` from the diagonal. Solved by Cholesky's method.
class Band {
public:
    Band(int size, int width) : size_(size), width_(width), a_(std::size_t(size) * std::size_t(width + 1)) {}
    double& at(int row, int column) { // column <= row
        return a_[std::size_t(row) * std::size_t(width_ + 1) + std::size_t(row - column)];
    }
    void solve(std::vector<double>& b) {
        for (int i = 0; i < size_; ++i) {
            const int from = std::max(0, i - width_);
            for (int j = from; j <= i; ++j) {
                double sum = at(i, j);
                for (int k = std::max(from, j - width_); k < j; ++k) sum -= at(i, k) * at(j, k);
                at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
            }
        }
        for (int i = 0; i < size_; ++i) {
            for (int k = std::max(0, i - width_); k < i; ++k)
                b[std::size_t(i)] -= at(i, k) * b[std::size_t(k)];
            b[std::size_t(i)] /= at(i, i);
        }
        for (int i = size_ - 1; i >= 0; --i) {
            for (int k = i + 1; k <= std::min(size_ - 1, i + width_); ++k)
                b[std::size_t(i)] -= at(k, i) * b[std::size_t(k)];
            b[std::size_t(i)] /= at(i, i);
        }
    }

private:
    int size_, width_;
    std::vector<double> a_;
};

double part(Vec3d v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

struct Touching {
    std::array<int, 4> nodes;
    std::array<double, 4> weight; // of the nodes in the distance
    Vec3d n;
    double deep;
};

class Rod {
public:
    Rod(const Overhand& knot, double tail, int nodes) : knot_(knot), nodes_(nodes) {
        Overhand wide = knot;
        wide.R *= 1.1;
        x_ = evenly(overhandPath(wide, tail), nodes, l0_);
    }

    // The pull is the mean over a segment's length of ends drawn apart, which is the energy that takes: what one polygon
    // bears on another goes up and down with their corners, in a knot of five crossings by more than all of it.
    StillKnot settle() {
        constexpr int places = 4;
        const double span = l0_ * (nodes_ - 1) - Overhand::endShortening(knot_.R);
        StillKnot still;
        double before = 0;
        for (int k = 0; k <= places; ++k) {
            settle(span + (static_cast<double>(k) / places - 0.5) * l0_);
            if (k == 0) before = energy(x_);
            for (const Touching& t : touching(x_)) still.press += kStiff * t.deep / (places + 1);
        }
        still.pull = (energy(x_) - before) / l0_;
        return still;
    }

private:
    static constexpr double kStretch = 2e4, kStiff = 1e5; // N, N/m

    // Draws the ends to where they belong, then on until the energy falls no more.
    void settle(double span) {
        const double most = 0.3 * knot_.h;
        double had = energy(x_);
        for (int k = 1; k < 4000; ++k) {
            const Vec3d across = x_.back() - x_.front();
            const double way = std::clamp(span - length(across), -most, most);
            x_.front() -= way / 2 * normalize(across), x_.back() += way / 2 * normalize(across);
            newton(most);
            if (k % 20) continue;
            const double has = energy(x_);
            if (std::abs(way) < 1e-12 && std::abs(had - has) < 1e-9 * has) break;
            had = has;
        }
    }

    double stretch(int i) const {
        return kStretch * (length(x_[std::size_t(i + 1)] - x_[std::size_t(i)]) / l0_ - 1);
    }
    int place(int node) const { return node < nodes_ - 1 - node ? 2 * node : 2 * (nodes_ - 1 - node) + 1; }

    std::vector<Touching> touching(const std::vector<Vec3d>& x) const {
        std::vector<Touching> found;
        const double reach = 2 * knot_.h + 2.1 * l0_;
        const int apart = static_cast<int>(10 * knot_.h / l0_) + 2;
        for (int i = 0; i + 1 < nodes_; ++i)
            for (int j = i + apart; j + 1 < nodes_; ++j) {
                const double away = length(x[std::size_t(i)] - x[std::size_t(j)]) - reach;
                if (away > 0) { // no nearer within so many segments
                    j += static_cast<int>(away / (1.01 * l0_));
                    continue;
                }
                meet(x, i, j, found);
            }
        return found;
    }

    void meet(const std::vector<Vec3d>& x, int i, int j, std::vector<Touching>& found) const {
        const Vec3d p = x[std::size_t(i)], q = x[std::size_t(j)], u = x[std::size_t(i + 1)] - p,
                    v = x[std::size_t(j + 1)] - q, r = p - q;
        const double a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r);
        const double flat = a * e - b * b;
        double s = flat > 1e-14 * a * e ? std::clamp((b * f - c * e) / flat, 0.0, 1.0) : 0;
        double t = (b * s + f) / e;
        if (t < 0 || t > 1) {
            t = std::clamp(t, 0.0, 1.0);
            s = std::clamp((b * t - c) / a, 0.0, 1.0);
        }
        const Vec3d d = r + s * u - t * v;
        const double deep = 2 * knot_.h - length(d);
        if (deep > 0) found.push_back({{i, i + 1, j, j + 1}, {1 - s, s, t - 1, -t}, normalize(d), deep});
    }

    double energy(const std::vector<Vec3d>& x) const {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const double s = length(x[i + 1] - x[i]) / l0_ - 1;
            sum += 0.5 * kStretch * s * s * l0_;
        }
        for (std::size_t i = 1; i + 1 < x.size(); ++i) {
            const Vec3d bend = x[i + 1] - 2.0 * x[i] + x[i - 1];
            sum += 0.5 * knot_.B / (l0_ * l0_ * l0_) * dot(bend, bend);
        }
        for (const Touching& t : touching(x)) sum += 0.5 * kStiff * t.deep * t.deep;
        return sum;
    }

    // One step, damped while it leads uphill. Returns how far the farthest node went.
    double newton(double most) {
        const std::vector<Touching> touch = touching(x_);
        int width = 3 * 5 + 2;
        for (const Touching& t : touch)
            for (int a : t.nodes)
                for (int b : t.nodes) width = std::max(width, 3 * std::abs(place(a) - place(b)) + 2);
        Band matrix(3 * nodes_, width);
        std::vector<double> b(std::size_t(3 * nodes_), 0.0);
        const auto add = [&](int i, int j, double m, Vec3d n, double around) { // m n n^T + around I
            for (int p = 0; p < 3; ++p)
                for (int q = 0; q < 3; ++q) {
                    const int row = 3 * place(i) + p, column = 3 * place(j) + q;
                    if (column <= row)
                        matrix.at(row, column) += m * part(n, p) * part(n, q) + (p == q ? around : 0);
                }
        };
        const auto push = [&](int i, Vec3d f) {
            for (int p = 0; p < 3; ++p) b[std::size_t(3 * place(i) + p)] += part(f, p);
        };
        for (int i = 0; i + 1 < nodes_; ++i) {
            const Vec3d e = x_[std::size_t(i + 1)] - x_[std::size_t(i)], n = normalize(e);
            const double f = stretch(i), across = std::max(0.0, f / length(e));
            push(i, f * n), push(i + 1, -f * n);
            for (int p : {0, 1})
                for (int q : {0, 1}) {
                    const double sign = p == q ? 1 : -1;
                    add(i + p, i + q, sign * (kStretch / l0_ - across), n, sign * across);
                }
        }
        constexpr double share[] = {1, -2, 1};
        const double stiff = knot_.B / (l0_ * l0_ * l0_);
        for (int i = 1; i + 1 < nodes_; ++i) {
            const std::size_t k = std::size_t(i);
            const Vec3d bend = x_[k + 1] - 2.0 * x_[k] + x_[k - 1];
            for (int p = 0; p < 3; ++p) {
                push(i - 1 + p, -stiff * share[p] * bend);
                for (int q = 0; q < 3; ++q) add(i - 1 + p, i - 1 + q, 0, bend, stiff * share[p] * share[q]);
            }
        }
        for (const Touching& t : touch)
            for (std::size_t p = 0; p < 4; ++p) {
                push(t.nodes[p], kStiff * t.deep * t.weight[p] * t.n);
                for (std::size_t q = 0; q < 4; ++q)
                    add(t.nodes[p], t.nodes[q], kStiff * t.weight[p] * t.weight[q], t.n, 0);
            }
        for (int i = 0; i < nodes_; ++i) add(i, i, 0, {0, 0, 0}, i == 0 || i == nodes_ - 1 ? 1e14 : damping_);
        matrix.solve(b);
        return go(b, most);
    }

    double go(const std::vector<double>& b, double most) {
        double largest = 0;
        std::vector<Vec3d> step;
        for (int i = 0; i < nodes_; ++i) {
            const std::size_t k = std::size_t(3 * place(i));
            step.push_back({b[k], b[k + 1], b[k + 2]});
            largest = std::max(largest, length(step.back()));
        }
        const double now = energy(x_);
        double share = std::min(1.0, most / largest);
        for (int tries = 0; tries < 12; ++tries, share /= 2) {
            std::vector<Vec3d> there = x_;
            for (std::size_t i = 0; i < there.size(); ++i) there[i] += share * step[i];
            if (energy(there) > now + 1e-15) continue;
            x_ = std::move(there);
            damping_ = std::max(damping_ / 2, 1e-4);
            return share * largest;
        }
        damping_ = std::min(damping_ * 10, 1e8);
        return damping_ < 1e8 ? 1 : 0;
    }

    Overhand knot_;
    int nodes_;
    double l0_ = 0;
    double damping_ = 100; // N/m
    std::vector<Vec3d> x_;
};

} // namespace

std::vector<Vec3d> overhandPath(const Overhand& knot, double tail) {
    constexpr int count = 400;
    const Lay lay = {knot};
    const double w = lay.width(), begin = std::asin(w / knot.R);
    std::vector<Vec3d> points = {lay.strand(-w, 1) - Vec3d{tail, 0, 0}};
    for (int i = 0; i <= count; ++i) points.push_back(lay.strand(-w + 2 * w * i / count, 1));
    for (int i = 1; i < count; ++i) {
        const double angle = begin + (2 * std::numbers::pi - 2 * begin) * i / count;
        points.push_back({knot.R * std::sin(angle), knot.R - knot.R * std::cos(angle), 0});
    }
    for (int i = 0; i <= count; ++i) points.push_back(lay.strand(-w + 2 * w * i / count, -1));
    points.push_back(lay.strand(w, -1) + Vec3d{tail, 0, 0});
    return points;
}

StillKnot stillOverhand(const Overhand& knot, double tail, int nodes) {
    return Rod(knot, tail, nodes).settle();
}

} // namespace capstan::validation
