// SPDX-License-Identifier: MIT
//
// The Gauss integral over pairs of segments; linking.hpp gives the equation and the sources.
#include <capstan/topology/linking.hpp>

#include <capstan/math/transcendental.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

namespace capstan {
namespace {

Vec3d asDouble(Vec3 p) { return widen(p); }
Vec3d asDouble(Vec3d p) { return p; }

// Returns pi/2 minus the angle between the normals, in [-pi/2, pi/2]. It equals asin of their cosine, but stays
// accurate near +-1.
double turn(Vec3d n1, Vec3d n2) { return atan2(dot(n1, n2), length(cross(n1, n2))); }

// Returns the share of the segments a-b and c-d in G: the solid angle of the quadrilateral r1 r2 r3 r4 over 4 pi. It
// is computed from the angles between the planes through the origin and the quadrilateral's sides. The angles at both
// ends of a side use one common normal. So if the origin is in line with a side and its normal is pure rounding
// error, the errors of the two angles cancel. The two-triangle form with one atan2 (Van Oosterom and Strackee 1983)
// was refused. It splits along a diagonal and gets the sign wrong for segments that cross close together near the
// diagonal. If V = 0 the segments are coplanar and the solid angle is zero. If they touch, 0 is the mean of the
// values on both sides.
double pairShare(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const Vec3d r1 = c - a, r3 = d - b, u = b - a, v = d - c;
    const double V = dot(r1, cross(v, u));
    if (V == 0.0) return 0.0;
    const Vec3d n12 = cross(r1, v), n23 = cross(u, r3), n34 = cross(v, r3), n41 = cross(r1, u);
    const double angle = turn(n12, n23) + turn(n23, n34) + turn(n34, n41) + turn(n41, n12);
    return (V > 0.0 ? angle : -angle) / (4.0 * std::numbers::pi);
}

// A polyline with `count` segments. It is closed if count equals the number of points.
template <class V> struct Segments {
    std::span<const V> points;
    std::size_t count;

    Vec3d from(std::size_t k) const { return asDouble(points[k]); }
    Vec3d to(std::size_t k) const { return asDouble(points[k + 1 < points.size() ? k + 1 : 0]); }
};

template <class V> Segments<V> closed(std::span<const V> p) { return {p, p.size() < 2 ? 0 : p.size()}; }
template <class V> Segments<V> open(std::span<const V> p) { return {p, p.empty() ? 0 : p.size() - 1}; }

template <class V> double sumOfPairs(const Segments<V>& p, const Segments<V>& q) {
    double sum = 0.0;
    for (std::size_t i = 0; i < p.count; ++i)
        for (std::size_t j = 0; j < q.count; ++j) sum += pairShare(p.from(i), p.to(i), q.from(j), q.to(j));
    return sum;
}

template <class V> Result<int> link(std::span<const V> p, std::span<const V> q) {
    if (p.size() < 3 || q.size() < 3) return Error{"a closed curve needs three points", "linking number"};
    const double sum = sumOfPairs(closed(p), closed(q));
    if (!(std::abs(sum) < 1e9))
        return Error{"a coordinate must be finite and not too large", "linking number"};
    const int whole = static_cast<int>(sum < 0.0 ? sum - 0.5 : sum + 0.5);
    if (std::abs(sum - whole) > 1e-3)
        return Error{"the curves touch, so the Gauss integral is " + std::to_string(sum), "linking number"};
    return whole;
}

// Returns the writhe. Two neighbouring segments lie in a plane and contribute 0. Each other pair counts twice, as (i,
// j) and (j, i).
template <class V> double selfSum(const Segments<V>& p, bool isClosed) {
    const bool joined = isClosed || (p.count > 0 && p.from(0) == p.to(p.count - 1));
    double sum = 0.0;
    for (std::size_t i = 0; i < p.count; ++i)
        for (std::size_t j = i + 2; j < p.count; ++j)
            if (!joined || i > 0 || j + 1 < p.count) sum += pairShare(p.from(i), p.to(i), p.from(j), p.to(j));
    return 2.0 * sum;
}

} // namespace

Result<int> linkingNumber(std::span<const Vec3> p, std::span<const Vec3> q) { return link(p, q); }
Result<int> linkingNumber(std::span<const Vec3d> p, std::span<const Vec3d> q) { return link(p, q); }

double gaussIntegral(std::span<const Vec3> p, std::span<const Vec3> q) {
    return sumOfPairs(open(p), open(q));
}
double gaussIntegral(std::span<const Vec3d> p, std::span<const Vec3d> q) {
    return sumOfPairs(open(p), open(q));
}

double writhe(std::span<const Vec3> p, bool isClosed) {
    return selfSum(isClosed ? closed(p) : open(p), isClosed);
}
double writhe(std::span<const Vec3d> p, bool isClosed) {
    return selfSum(isClosed ? closed(p) : open(p), isClosed);
}

} // namespace capstan
