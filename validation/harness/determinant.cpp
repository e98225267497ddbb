// SPDX-License-Identifier: MIT
// The determinant of determinant.hpp from a projection of the curves. A direction of view is used only if it is
// clear. Then no crossing is at a corner, no two segments are collinear, and the strands of each crossing are apart.
// Otherwise another direction is tried.
#include <validation/harness/determinant.hpp>

#include <capstan/math/quat.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace capstan::validation {

namespace {

constexpr int kViews = 16;
constexpr double kClear =
    1e-9; // fraction of a segment's length; coordinates have seven digits, the view sixteen
constexpr std::uint64_t kPrime = 2147483647;

struct Segment {
    Vec3d from, along;
    std::size_t curve = 0, index = 0, count = 0; // count: number of segments of its curve
};

// A point of a curve: the curve's index, and the segment's index plus a fraction of that segment.
struct Pass {
    std::size_t curve = 0;
    double at = 0;
};

struct Crossing {
    Pass over, under;
};

double cross2(Vec3d a, Vec3d b) { return a.x * b.y - a.y * b.x; }
double length2(Vec3d a) { return std::sqrt(a.x * a.x + a.y * a.y); }

std::vector<Segment> seen(const std::vector<Curve>& curves, Quatd view) {
    std::vector<Segment> list;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const Curve& curve = curves[c];
        for (std::size_t i = 0; i < curve.size(); ++i) {
            Vec3d a = rotate(view, curve[i]), b = rotate(view, curve[(i + 1) % curve.size()]);
            list.push_back({a, b - a, c, i, curve.size()});
        }
    }
    return list;
}

bool neighbours(const Segment& p, const Segment& q) {
    if (p.curve != q.curve) return false;
    std::size_t apart = q.index > p.index ? q.index - p.index : p.index - q.index;
    return apart <= 1 || apart + 1 == p.count;
}

// Returns whether the bounding boxes of two segments, seen along z, overlap. Most pairs are rejected here.
bool boxesMeet(const Segment& p, const Segment& q) {
    auto meet = [](double a, double da, double b, double db) {
        return std::min(a, a + da) <= std::max(b, b + db) && std::min(b, b + db) <= std::max(a, a + da);
    };
    return meet(p.from.x, p.along.x, q.from.x, q.along.x) && meet(p.from.y, p.along.y, q.from.y, q.along.y);
}

// Adds the crossing of two segments if there is one. Returns false if this view does not show clearly whether they
// cross.
bool meet(const Segment& p, const Segment& q, std::vector<Crossing>& crossings) {
    if (neighbours(p, q) || !boxesMeet(p, q)) return true;
    double sizeP = length2(p.along), sizeQ = length2(q.along), area = cross2(p.along, q.along);
    Vec3d w = q.from - p.from;
    if (std::abs(area) <= kClear * sizeP * sizeQ)
        return std::abs(cross2(p.along, w)) > 1e-6 * sizeP * (sizeP + sizeQ);
    double t = cross2(w, q.along) / area, u = cross2(w, p.along) / area;
    if (std::min(t, u) < -kClear || std::max(t, u) > 1 + kClear) return true;
    if (std::min(t, u) < kClear || std::max(t, u) > 1 - kClear) return false;
    double higher = p.from.z + t * p.along.z - q.from.z - u * q.along.z;
    if (std::abs(higher) <= kClear * (length(p.along) + length(q.along))) return false;
    Pass a = {p.curve, static_cast<double>(p.index) + t}, b = {q.curve, static_cast<double>(q.index) + u};
    if (higher < 0) std::swap(a, b);
    crossings.push_back({a, b});
    return true;
}

std::optional<std::vector<Crossing>> crossingsOf(const std::vector<Curve>& curves, Quatd view) {
    std::vector<Segment> list = seen(curves, view);
    std::vector<Crossing> crossings;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j)
            if (!meet(list[i], list[j], crossings)) return {};
    return crossings;
}

// An arc runs from one underpass to the next. It has the number of the underpass at which it begins, curve by curve.
class Arcs {
public:
    Arcs(const std::vector<Crossing>& crossings, std::size_t curves) : under_(curves), start_(curves) {
        for (const Crossing& c : crossings) under_[c.under.curve].push_back(c.under.at);
        for (std::size_t k = 0; k < curves; ++k) {
            std::sort(under_[k].begin(), under_[k].end());
            start_[k] = count_;
            count_ += std::max<std::size_t>(1, under_[k].size());
        }
    }
    std::size_t count() const { return count_; }
    std::size_t at(Pass pass) const { // an underpass belongs to the arc that begins there
        const std::vector<double>& u = under_[pass.curve];
        if (u.empty()) return start_[pass.curve];
        auto behind = static_cast<std::size_t>(std::upper_bound(u.begin(), u.end(), pass.at) - u.begin());
        return start_[pass.curve] + (behind + u.size() - 1) % u.size();
    }
    std::size_t before(std::size_t arc, std::size_t curve) const {
        std::size_t n = under_[curve].size(), k = arc - start_[curve];
        return start_[curve] + (k + n - 1) % n;
    }

private:
    std::vector<std::vector<double>> under_;
    std::vector<std::size_t> start_;
    std::size_t count_ = 0;
};

using Row = std::vector<std::uint64_t>;

std::uint64_t inverse(std::uint64_t a) { // a^(p - 2), by Fermat's little theorem
    std::uint64_t result = 1;
    for (std::uint64_t e = kPrime - 2; e > 0; e >>= 1) {
        if (e & 1) result = result * a % kPrime;
        a = a * a % kPrime;
    }
    return result;
}

// Returns the absolute determinant of the first n rows and columns, modulo kPrime.
std::int64_t minorOf(std::vector<Row> m, std::size_t n) {
    std::uint64_t product = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (pivot < n && m[pivot][k] == 0) ++pivot;
        if (pivot == n) return 0;
        std::swap(m[k], m[pivot]); // may flip the sign, which the result does not contain
        product = product * m[k][k] % kPrime;
        std::uint64_t scale = inverse(m[k][k]);
        for (std::size_t i = k + 1; i < n; ++i) {
            if (m[i][k] == 0) continue;
            std::uint64_t f = kPrime - m[i][k] * scale % kPrime;
            for (std::size_t j = k; j < n; ++j) m[i][j] = (m[i][j] + f * m[k][j]) % kPrime;
        }
    }
    return static_cast<std::int64_t>(std::min(product, kPrime - product));
}

std::int64_t ofCrossings(const std::vector<Crossing>& crossings, std::size_t curves) {
    if (crossings.empty()) return curves == 1 ? 1 : 0;
    Arcs arcs(crossings, curves);
    // If a curve never passes under another one, it lies on top of the others and can be lifted off: the determinant
    // is 0.
    if (arcs.count() > crossings.size()) return 0;
    std::vector<Row> m(crossings.size(), Row(arcs.count()));
    for (std::size_t r = 0; r < crossings.size(); ++r) {
        std::size_t out = arcs.at(crossings[r].under);
        std::size_t in = arcs.before(out, crossings[r].under.curve), over = arcs.at(crossings[r].over);
        m[r][over] = (m[r][over] + 2) % kPrime;
        m[r][in] = (m[r][in] + kPrime - 1) % kPrime;
        m[r][out] = (m[r][out] + kPrime - 1) % kPrime;
    }
    return minorOf(std::move(m), crossings.size() - 1);
}

} // namespace

Result<std::int64_t> determinant(const std::vector<Curve>& curves) {
    for (const Curve& curve : curves) {
        if (curve.size() < 3) return Error{"a closed curve needs at least three points", ""};
        for (Vec3d p : curve)
            if (!std::isfinite(p.x + p.y + p.z)) return Error{"a point is not finite", ""};
    }
    Quatd view = Quatd::fromAxisAngle(normalize(Vec3d{0.3, 0.5, 0.8}), 0.7);
    const Quatd next = Quatd::fromAxisAngle(normalize(Vec3d{0.7, -0.4, 0.2}), 1.1);
    for (int k = 0; k < kViews; ++k) {
        if (auto crossings = crossingsOf(curves, view)) return ofCrossings(*crossings, curves.size());
        view = normalize(next * view);
    }
    return Error{"the curves touch, seen from every side", ""};
}

} // namespace capstan::validation
