// SPDX-License-Identifier: MIT
//
// Determinants by a floating-point filter and an exact expansion; exact.hpp gives the source.
#include "topology/diagram/exact.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace capstan {
namespace {

constexpr double halfUlp = 0x1p-53;
// A value that exceeds its error bound by this factor is used without the exact sum. The factor 1 would be enough for
// the sign. But positions of crossings are quotients of such values, so the values need some correct digits.
constexpr double clear = 10000.0;

// A sum of doubles, smallest first, whose bits do not overlap. 24 products of three doubles have 96 parts, and an
// expansion never has more parts than were added.
class Expansion {
public:
    void add(double b) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            const double e = parts_[k], sum = b + e;
            const double bPart = sum - e;
            const double rest = (b - bPart) + (e - (sum - bPart));
            if (rest != 0.0) parts_[kept++] = rest;
            b = sum;
        }
        if (b != 0.0) parts_[kept++] = b;
        count_ = kept;
    }

    void addProduct(double a, double b) {
        const double p = a * b;
        add(rest(a, b, p));
        add(p);
    }

    void addProduct(double a, double b, double c) {
        const double p = a * b;
        addProduct(rest(a, b, p), c);
        addProduct(p, c);
    }

    double value() const {
        double sum = 0.0;
        for (std::size_t k = 0; k < count_; ++k) sum += parts_[k];
        return sum;
    }

private:
    static double high(double a) { // the upper 26 bits
        const double c = 134217729.0 * a;
        return c - (c - a);
    }

    static double rest(double a, double b, double p) { // a b - p for p = fl(a b), computed without rounding
        const double a1 = high(a), a2 = a - a1, b1 = high(b), b2 = b - b1;
        return a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2);
    }

    std::array<double, 96> parts_;
    std::size_t count_ = 0;
};

double exactArea(double ax, double ay, double bx, double by, double cx, double cy) {
    Expansion sum;
    sum.addProduct(ax, by);
    sum.addProduct(-ay, bx);
    sum.addProduct(bx, cy);
    sum.addProduct(-by, cx);
    sum.addProduct(cx, ay);
    sum.addProduct(-cy, ax);
    return sum.value();
}

void addTriple(Expansion& sum, Vec3d a, Vec3d b, Vec3d c, double sign) { // sign * det(a, b, c)
    sum.addProduct(sign * a.x, b.y, c.z);
    sum.addProduct(-sign * a.x, b.z, c.y);
    sum.addProduct(sign * a.y, b.z, c.x);
    sum.addProduct(-sign * a.y, b.x, c.z);
    sum.addProduct(sign * a.z, b.x, c.y);
    sum.addProduct(-sign * a.z, b.y, c.x);
}

bool isDifference(Vec3d d, Vec3d a, Vec3d b) { // true if d == a - b without rounding, given d = fl(a - b)
    const auto exact = [](double x, double p, double q) {
        const double back = p - x;
        return (p - (x + back)) + (back - q) == 0.0;
    };
    return exact(d.x, a.x, b.x) && exact(d.y, a.y, b.y) && exact(d.z, a.z, b.z);
}

// A determinant in plain doubles with an error bound. The bound also covers rows that are rounded differences.
struct Value {
    double det, bound;

    bool isClear() const { return std::abs(det) > bound || bound == 0.0; }
};

Value determinant(Vec3d u, Vec3d v, Vec3d w) {
    const double xy = v.x * w.y, yx = v.y * w.x, yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x,
                 xz = v.x * w.z;
    const double permanent = (std::abs(yz) + std::abs(zy)) * std::abs(u.x) +
                             (std::abs(zx) + std::abs(xz)) * std::abs(u.y) +
                             (std::abs(xy) + std::abs(yx)) * std::abs(u.z);
    return {u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx), clear * 8.0 * halfUlp * permanent};
}

} // namespace

double flatArea(double ax, double ay, double bx, double by, double cx, double cy) {
    const double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax), det = left - right;
    const double bound = clear * 4.0 * halfUlp * (std::abs(left) + std::abs(right));
    if (std::abs(det) > bound || bound == 0.0) return det;
    return exactArea(ax, ay, bx, by, cx, cy);
}

double seenArea(Vec3d a, Vec3d b, Vec3d c, Vec3d n) {
    const Vec3d u = b - a, v = c - a;
    const Value fast = determinant(n, u, v);
    if (fast.isClear()) return fast.det;
    Expansion sum;
    if (isDifference(u, b, a) && isDifference(v, c, a)) {
        addTriple(sum, n, u, v, 1.0);
        return sum.value();
    }
    addTriple(sum, n, a, b, 1.0);
    addTriple(sum, n, b, c, 1.0);
    addTriple(sum, n, c, a, 1.0);
    return sum.value();
}

double spanVolume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const Vec3d u = b - a, v = c - a, w = d - a;
    const Value fast = determinant(u, v, w);
    if (fast.isClear()) return fast.det;
    Expansion sum;
    if (isDifference(u, b, a) && isDifference(v, c, a) && isDifference(w, d, a)) {
        // Six products instead of 24; this is the usual case, because the input consists of floats.
        addTriple(sum, u, v, w, 1.0);
        return sum.value();
    }
    addTriple(sum, b, c, d, 1.0);
    addTriple(sum, a, c, d, -1.0);
    addTriple(sum, a, b, d, 1.0);
    addTriple(sum, a, b, c, -1.0);
    return sum.value();
}

} // namespace capstan
