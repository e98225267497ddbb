// SPDX-License-Identifier: MIT
// An elastic knot at rest: the curve of least energy
//
//   E = EA / 2 sum (l - l0)^2 / l0  +  B / 2 sum |k|^2 l0  +  K / 2 sum (2 h - d)^2 w
//
// Here l is the length of a segment and l0 its rest length. B is the bending stiffness, k the curvature at a node,
// and h the radius of the rod. The stretch stiffness EA and the contact stiffness K are so large that they do not
// affect the result. The ends are held where e = L - span = 2 pi R. A contact point represents a length w of its
// strand, and d is its distance from the other strand. Both strands are smooth: cubics between the nodes. Polygons
// were refused: they come to rest where corners catch, and in a knot of seven crossings the pull would be up to 7 %
// off. Lengths are in units of R, energies in units of B / R.
//
// The method is Newton's, with steps of at most a third of the radius, so that no strand passes another. The second
// derivative of a contact includes the rotation of its normal, which lowers the energy for motion across both
// strands. Along the strands the contact slides without a change of energy. The knot is kept symmetric: a rotation by
// 180 degrees about y maps it to itself with its ends exchanged. Without this constraint it would creep along the rod
// to one end. Nodes are dense where the strands wind about each other, and sparse elsewhere. A rod ten thousand times
// thinner than its loop needs 600 nodes. Only the vector type is shared with the engine: there is no time, no mass,
// no multiplier and no constraint row.
#include <validation/contact/overhand.hpp>
#include <validation/harness/band.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kStretch = 1e5; // EA R^2 / B
constexpr double kStiff = 1e3;   // K h^2 R / B; the penetration is then h / 1000
constexpr double kFine = 0.2;    // spacing of the nodes in the windings, divided by sqrt(h R)
constexpr double kCoarse = 0.04; // spacing of the other nodes, divided by R
constexpr int kPoints = 2;       // candidate contact points per segment

// Initial path. Between x = -w and w the strands run side by side along x and wind about each other. Outside, one of
// them is the straight tail and the other bends up into the loop. At x their distance is that of a circle from its
// tangent, but at least 2.4 h.
struct Lay {
    Overhand knot;
    double width() const { return std::min(1.2 * knot.contact(), 0.6 * knot.R); }
    double above(double x) const { return knot.R - std::sqrt(knot.R * knot.R - x * x); }

    // Returns a point of a strand. `sign` is 1 for the strand that begins as the left tail, and -1 for the other
    // strand.
    Vec3d strand(double x, double sign) const {
        double s = std::clamp((x / width() + 1) / 2, 0.0, 1.0), ease = s * s * (3 - 2 * s);
        double angle = (2 * knot.n + 1) * kPi * (ease - 1);
        double apart = std::hypot(2.4 * knot.h, above(x)) / 2 * sign;
        return {x, above(x) / 2 + apart * std::cos(angle), apart * std::sin(angle)};
    }
};

double part(Vec3d v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A point of the curve as a weighted sum of four nodes.
struct Share {
    int first = 0;
    std::array<double, 4> of = {};
};

struct StrandContact {
    Share here, there;
    Vec3d n, across; // contact normal, and the direction perpendicular to n and to the other strand
    double deep, weight;
};

class Rod {
public:
    // The rod is scaled to R = 1 and B = 1.
    Rod(const Overhand& knot, double tail) : knot_(knot), fine_(kFine * std::sqrt(knot.h)) {
        // The curve starts a little wider than R = 1; settle() then moves its ends until R = 1.
        Overhand wide = knot;
        wide.R = 1 + std::min(10 * knot.h, 0.03);
        lay(overhandPath(wide, tail), 1.15 * Lay{wide}.width() + (wide.R - 1) * kPi);
        stiff_ = kStiff / (knot.h * knot.h);
    }

    StillKnot settle() {
        double length0 = 0;
        for (double l : l_) length0 += l;
        const double span = length0 - Overhand::endShortening(1), most = 0.3 * knot_.h;
        for (int k = 0, calm = 0; k < 20000 && calm < 4; ++k) {
            const Vec3d across = x_.back() - x_.front();
            const double way = std::clamp(span - length(across), -most, most);
            x_.front() -= way / 2 * normalize(across);
            x_.back() += way / 2 * normalize(across);
            newton(most);
            calm = std::abs(way) < 1e-13 && unrest_ < 1e-4 ? calm + 1 : 0;
        }
        StillKnot still;
        const Vec3d out = normalize(x_.back() - x_.front());
        still.pull = dot(held_[0] - held_[1], out) / 2;
        for (const StrandContact& t : contacts(x_)) still.press += stiff_ * t.weight * t.deep;
        return still;
    }

private:
    int nodes() const { return static_cast<int>(x_.size()); }
    double l(int i) const { return l_[i]; }
    double around(int i) const { return (l(i - 1) + l(i)) / 2; }

    // Places nodes on the path. They are dense within `half` of the middle of each winding strand.
    void lay(const std::vector<Vec3d>& path, double half) {
        std::vector<double> at = {0};
        for (std::size_t i = 1; i < path.size(); ++i) at.push_back(at.back() + length(path[i] - path[i - 1]));
        // The first winding strand starts at point 1 of the path. It ends at the last but one point of the path's
        // first third.
        const double whole = at.back(), middle = (at[1] + at[(path.size() - 3) / 3]) / 2;
        std::vector<double> positions = {0};
        for (double s = 0; s < whole / 2;) {
            s += std::min(fine_ + 0.1 * std::max(0.0, std::abs(s - middle) - half), kCoarse);
            positions.push_back(s);
        }
        const double scale = whole / 2 / positions.back();
        for (double& s : positions) s *= scale;
        for (std::size_t i = positions.size() - 1; i-- > 0;) positions.push_back(whole - positions[i]);
        std::size_t j = 0;
        for (double s : positions) {
            while (j + 2 < path.size() && at[j + 1] < s) ++j;
            x_.push_back(path[j] + (s - at[j]) / (at[j + 1] - at[j]) * (path[j + 1] - path[j]));
        }
        for (std::size_t i = 0; i + 1 < positions.size(); ++i) l_.push_back(positions[i + 1] - positions[i]);
    }

    // Returns the weights of the cubic from node i to the next, at t in [0, 1]. The slope at each node is that of the
    // parabola through the node and its neighbours. `times` is the order of the derivative with respect to t: 0, 1 or
    // 2.
    Share on(int i, double t, int times) const {
        std::array<double, 4> c = {}; // weights of the two ends and of the two slopes
        if (times == 0)
            c = {(1 + 2 * t) * (1 - t) * (1 - t), t * t * (3 - 2 * t), t * (1 - t) * (1 - t),
                 t * t * (t - 1)};
        if (times == 1) c = {6 * t * t - 6 * t, 6 * t - 6 * t * t, 3 * t * t - 4 * t + 1, 3 * t * t - 2 * t};
        if (times == 2) c = {12 * t - 6, 6 - 12 * t, 6 * t - 4, 6 * t - 2};
        Share s = {i - 1, {0, c[0], c[1], 0}};
        for (int k : {0, 1}) {
            const double a = l(i + k - 1), b = l(i + k), m = l(i) * c[2 + k] / (a + b);
            const std::size_t at = std::size_t(k);
            s.of[at] -= m * b / a;
            s.of[at + 1] += m * (b / a - a / b);
            s.of[at + 2] += m * a / b;
        }
        return s;
    }
    static Vec3d point(const std::vector<Vec3d>& x, const Share& s) {
        Vec3d sum = {0, 0, 0};
        for (std::size_t k = 0; k < 4; ++k) sum += s.of[k] * x[std::size_t(s.first) + k];
        return sum;
    }

    // Returns the contacts of each strand with the other strand.
    std::vector<StrandContact> contacts(const std::vector<Vec3d>& x) const {
        std::vector<StrandContact> found;
        const int middle = nodes() / 2, last = nodes() - 3;
        for (int i = 1; i <= last; ++i) {
            if (l(i) > 3 * fine_ || std::abs(i - middle) < 3) continue;
            for (int k = 0; k < kPoints; ++k) {
                const Share here = on(i, (k + 0.5) / kPoints, 0);
                if (i < middle)
                    feel(x, i, here, middle + 2, last, found);
                else
                    feel(x, i, here, 1, middle - 4, found);
            }
        }
        return found;
    }
    void feel(const std::vector<Vec3d>& x, int i, const Share& here, int from, int to,
              std::vector<StrandContact>& found) const {
        const Vec3d p = point(x, here);
        for (int j = from; j < to; ++j) {
            double away = length(p - x[j]) - 2 * knot_.h - 3 * fine_;
            if (away > 0) { // no contact is possible within this length of the strand, so it is skipped
                for (; (away -= 1.01 * l(j)) > 0 && j + 1 < to;) ++j;
                continue;
            }
            const Vec3d u = x[j + 1] - x[j];
            double t = dot(p - x[j], u) / dot(u, u);
            if (t < -0.3 || t > 1.3) continue;
            t = std::clamp(t, 0.0, 1.0);
            for (int k = 0; k < 6; ++k) {
                const Vec3d r = point(x, on(j, t, 0)) - p, d = point(x, on(j, t, 1));
                const double bent = dot(d, d) + dot(r, point(x, on(j, t, 2)));
                t -= std::clamp(dot(r, d) / (bent > 0 ? bent : dot(d, d)), -0.5, 0.5);
            }
            if (t < 0 || t >= 1) continue;
            const Share there = on(j, t, 0);
            const Vec3d r = p - point(x, there);
            const double deep = 2 * knot_.h - length(r);
            if (deep <= 0) continue;
            const Vec3d n = normalize(r), along = point(x, on(j, t, 1));
            found.push_back({here, there, n, normalize(cross(n, along)), deep, l(i) / (2 * kPoints)});
        }
    }

    Vec3d bend(const std::vector<Vec3d>& x, int i) const {
        const std::size_t k = std::size_t(i);
        return 1 / around(i) * ((x[k + 1] - x[k]) / l(i) - (x[k] - x[k - 1]) / l(i - 1));
    }

    double energy(const std::vector<Vec3d>& x) const {
        double sum = 0;
        for (int i = 0; i + 1 < nodes(); ++i) {
            const double s = length(x[i + 1] - x[i]) / l(i) - 1;
            sum += 0.5 * kStretch * s * s * l(i);
        }
        for (int i = 1; i + 1 < nodes(); ++i) sum += 0.5 * around(i) * dot(bend(x, i), bend(x, i));
        for (const StrandContact& t : contacts(x)) sum += 0.5 * stiff_ * t.weight * t.deep * t.deep;
        return sum;
    }

    // Returns the position of each node in the matrix. The loop leads from one end of the windings back to the other,
    // and its nodes are put between theirs. So nodes in contact are neighbours in the matrix, and its band is narrow.
    std::vector<int> order(const std::vector<StrandContact>& touch) const {
        const int middle = nodes() / 2;
        int first = middle / 2, ahead = 0;
        if (!touch.empty()) {
            double sum = 0;
            for (const StrandContact& t : touch) sum += std::min(t.here.first, t.there.first) + 1;
            first = static_cast<int>(sum / static_cast<double>(touch.size()));
            for (const StrandContact& t : touch)
                ahead = std::max(ahead, std::min(t.here.first, t.there.first) + 1 - first);
        }
        const int half = std::min(std::max(ahead, 3) + 3, middle - 2 - first), second = nodes() - 1 - first;
        std::vector<std::pair<double, int>> key;
        for (int i = 0; i < nodes(); ++i) {
            double k = i <= first + half ? i - first : i - second + 0.3;
            if (i > first + half && i < second - half)
                k = half * (1 - 2.0 * (i - first - half) / (second - first - 2 * half)) + 0.15;
            key.emplace_back(k, i);
        }
        std::sort(key.begin(), key.end());
        std::vector<int> position(x_.size());
        for (std::size_t r = 0; r < key.size(); ++r) position[key[r].second] = static_cast<int>(r);
        return position;
    }

    void newton(double most) {
        const std::vector<StrandContact> touch = contacts(x_);
        const std::vector<int> order_ = order(touch);
        const auto position = [&](int i) { return order_[i]; };
        int width = 0;
        const auto meet = [&](int i, int j) {
            width = std::max(width, 3 * std::abs(position(i) - position(j)) + 2);
        };
        for (int i = 1; i + 1 < nodes(); ++i) {
            meet(i - 1, i);
            meet(i - 1, i + 1);
            meet(i, i + 1);
        }
        for (const StrandContact& t : touch)
            for (int p = 0; p < 4; ++p)
                for (int q = 0; q < 4; ++q) meet(t.here.first + p, t.there.first + q);
        for (int tries = 0; tries < 30; ++tries, damping_ = std::max(4 * damping_, 1e-3)) {
            Band matrix(3 * nodes(), width);
            std::vector<double> b(3 * x_.size(), 0.0);
            // Adds the 3 x 3 block m n n^T + all I.
            const auto add = [&](int i, int j, double m, Vec3d n, double all) {
                for (int p = 0; p < 3; ++p)
                    for (int q = 0; q < 3; ++q)
                        matrix.add(3 * position(i) + p, 3 * position(j) + q,
                                   m * part(n, p) * part(n, q) + (p == q ? all : 0));
            };
            const auto push = [&](int i, Vec3d f) {
                for (int p = 0; p < 3; ++p) b[3 * position(i) + p] += part(f, p);
            };
            assemble(touch, add, push);
            const auto forceOn = [&](int i) {
                const double* f = &b[3 * position(i)];
                return Vec3d{f[0], f[1], f[2]};
            };
            held_ = {forceOn(0), forceOn(nodes() - 1)};
            unrest_ = 0;
            for (int i = 1; i + 1 < nodes(); ++i) unrest_ = std::max(unrest_, length(forceOn(i)));
            for (int i = 0; i < nodes(); ++i)
                add(i, i, 0, {0, 0, 0}, i == 0 || i == nodes() - 1 ? 1e16 : damping_);
            if (!matrix.solve(b)) continue;
            std::vector<Vec3d> step;
            for (int i = 0; i < nodes(); ++i)
                step.push_back(forceOn(i)); // solve() has replaced the forces in b by the step
            return go(step, most);
        }
    }

    // Assembles the gradient of the energy, as forces, and its second derivative.
    template <class Add, class Push>
    void assemble(const std::vector<StrandContact>& touch, Add&& add, Push&& push) const {
        for (int i = 0; i + 1 < nodes(); ++i) {
            const Vec3d e = x_[i + 1] - x_[i], n = normalize(e);
            const double f = kStretch * (length(e) / l(i) - 1), across = f / length(e);
            push(i, f * n);
            push(i + 1, -f * n);
            for (int p : {0, 1})
                for (int q : {0, 1}) {
                    const double sign = p == q ? 1 : -1;
                    add(i + p, i + q, sign * (kStretch / l(i) - across), n, sign * across);
                }
        }
        for (int i = 1; i + 1 < nodes(); ++i) {
            const double a = 1 / (around(i) * l(i - 1)), c = 1 / (around(i) * l(i));
            const std::array<double, 3> share = {a, -a - c, c};
            for (int p = 0; p < 3; ++p) {
                const double s = around(i) * share[p];
                push(i - 1 + p, -s * bend(x_, i));
                for (int q = 0; q < 3; ++q) add(i - 1 + p, i - 1 + q, 0, {0, 0, 0}, s * share[q]);
            }
        }
        for (const StrandContact& t : touch) {
            const double k = stiff_ * t.weight, turn = k * t.deep / (2 * knot_.h - t.deep);
            for (std::size_t p = 0; p < 8; ++p) {
                const auto [i, s] = of(t, p);
                push(i, k * t.deep * s * t.n);
                for (std::size_t q = 0; q < 8; ++q) {
                    const auto [j, r] = of(t, q);
                    add(i, j, k * s * r, t.n, 0);
                    add(i, j, -turn * s * r, t.across, 0);
                }
            }
        }
    }
    static std::pair<int, double> of(const StrandContact& t, std::size_t k) {
        if (k < 4) return {t.here.first + static_cast<int>(k), t.here.of[k]};
        return {t.there.first + static_cast<int>(k - 4), -t.there.of[k - 4]};
    }

    // Moves along the step as far as the energy decreases. If it does not decrease, the next step has more damping.
    void go(std::vector<Vec3d>& step, double most) {
        double largest = 0;
        for (std::size_t i = 0, j = step.size() - 1; i <= j; ++i, --j) {
            const Vec3d a = step[i], b = step[j], mean = {(a.x - b.x) / 2, (a.y + b.y) / 2, (a.z - b.z) / 2};
            step[i] = mean;
            step[j] = {-mean.x, mean.y, -mean.z};
            largest = std::max(largest, length(mean));
        }
        const double now = energy(x_);
        double share = std::min(1.0, most / largest);
        for (int tries = 0; tries < 12; ++tries, share /= 2) {
            std::vector<Vec3d> there = x_;
            for (std::size_t i = 1; i + 1 < there.size(); ++i) there[i] += share * step[i];
            if (energy(there) > now * (1 + 1e-13)) continue;
            x_ = std::move(there);
            damping_ = std::max(damping_ / 2, 1e-7);
            return;
        }
        damping_ = std::min(damping_ * 10, 1e12);
    }

    Overhand knot_;
    double fine_, stiff_ = 0, damping_ = 1, unrest_ = 0; // unrest_: largest force on a node
    std::vector<double> l_;
    std::vector<Vec3d> x_;
    std::array<Vec3d, 2> held_ = {Vec3d{0, 0, 0}, Vec3d{0, 0, 0}};
};

} // namespace

std::vector<Vec3d> overhandPath(const Overhand& knot, double tail) {
    constexpr int count = 400;
    const Lay lay = {knot};
    const double w = lay.width(), begin = std::asin(w / knot.R);
    std::vector<Vec3d> points = {lay.strand(-w, 1) - Vec3d{tail, 0, 0}};
    for (int i = 0; i <= count; ++i) points.push_back(lay.strand(-w + 2 * w * i / count, 1));
    for (int i = 1; i < count; ++i) {
        const double angle = begin + (2 * kPi - 2 * begin) * i / count;
        points.push_back({knot.R * std::sin(angle), knot.R - knot.R * std::cos(angle), 0});
    }
    for (int i = 0; i <= count; ++i) points.push_back(lay.strand(-w + 2 * w * i / count, -1));
    points.push_back(lay.strand(w, -1) + Vec3d{tail, 0, 0});
    return points;
}

StillKnot stillOverhand(const Overhand& knot, double tail) {
    const Overhand one = {knot.n, knot.h / knot.R, 1, 1};
    StillKnot still = Rod(one, tail / knot.R).settle();
    const double force = knot.B / (knot.R * knot.R);
    return {still.pull * force, still.press * force};
}

} // namespace capstan::validation
