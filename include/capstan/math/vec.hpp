// SPDX-License-Identifier: MIT
// Vec<R>: a vector of three components of type R, so with a Pack one vector in each lane. It is an aggregate: {x, y,
// z}.
#pragma once
#include <capstan/math/real.hpp>

namespace capstan {

template <class R> struct Vec {
    R x, y, z;

    CAPSTAN_INLINE Vec& operator+=(Vec b) { return *this = *this + b; }
    CAPSTAN_INLINE Vec& operator-=(Vec b) { return *this = *this - b; }
    CAPSTAN_INLINE Vec& operator*=(R s) { return *this = s * *this; }
};
using Vec3 = Vec<float>;
using Vec3d = Vec<double>;

template <class R> CAPSTAN_INLINE Vec<R> operator+(Vec<R> a, Vec<R> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R> CAPSTAN_INLINE Vec<R> operator-(Vec<R> a, Vec<R> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R> CAPSTAN_INLINE Vec<R> operator-(Vec<R> a) { return {-a.x, -a.y, -a.z}; }
template <class R> CAPSTAN_INLINE Vec<R> operator*(Same<R> s, Vec<R> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class R> CAPSTAN_INLINE Vec<R> operator*(Vec<R> a, Same<R> s) { return s * a; }
// Three correctly rounded divisions. Where speed matters more, a formula multiplies by R(1) / s.
template <class R> CAPSTAN_INLINE Vec<R> operator/(Vec<R> a, Same<R> s) {
    return {a.x / s, a.y / s, a.z / s};
}
template <Scalar T> CAPSTAN_INLINE bool operator==(Vec<T> a, Vec<T> b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class R> CAPSTAN_INLINE R dot(Vec<R> a, Vec<R> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class R> CAPSTAN_INLINE Vec<R> cross(Vec<R> a, Vec<R> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Returns the product component by component.
template <class R> CAPSTAN_INLINE Vec<R> multiply(Vec<R> a, Vec<R> b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class R> CAPSTAN_INLINE Vec<R> min(Vec<R> a, Vec<R> b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
template <class R> CAPSTAN_INLINE Vec<R> max(Vec<R> a, Vec<R> b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}
template <class R> CAPSTAN_INLINE Vec<R> abs(Vec<R> a) { return {abs(a.x), abs(a.y), abs(a.z)}; }
template <class R> CAPSTAN_INLINE Vec<R> select(Same<MaskOf<R>> m, Vec<R> a, Vec<R> b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class R> CAPSTAN_INLINE R lengthSquared(Vec<R> a) { return dot(a, a); }
template <class R> CAPSTAN_INLINE R length(Vec<R> a) { return sqrt(dot(a, a)); }

// Returns a / |a|, or the fallback if a is zero or not finite. It divides by the largest component first, because the
// square of a small component may underflow: (1e-25)^2 is zero in float.
template <class R> CAPSTAN_INLINE Vec<R> normalize(Vec<R> a, Same<Vec<R>> fallback) {
    R big = max(max(abs(a.x), abs(a.y)), abs(a.z));
    MaskOf<R> good = (big > R(0.0f)) & (big - big == R(0.0f));
    Vec<R> u = a / select(good, big, R(1.0f));
    R l = select(good, length(u), R(1.0f));
    return select(good & (l == l), (R(1.0f) / l) * u, fallback);
}
template <class R> CAPSTAN_INLINE Vec<R> normalize(Vec<R> a) {
    return normalize(a, Vec<R>{R(0.0f), R(0.0f), R(0.0f)});
}
// Returns a unit vector perpendicular to the unit vector n. The method has no singular direction and no branch.
// Source: Duff et al. 2017, "Building an orthonormal basis, revisited".
template <class R> CAPSTAN_INLINE Vec<R> perpendicular(Vec<R> n) {
    R s = withSign(R(1.0f), n.z);
    R a = R(-1.0f) / (s + n.z);
    return {R(1.0f) + s * n.x * n.x * a, s * n.x * n.y * a, -s * n.x};
}

template <class R> CAPSTAN_INLINE Vec<Wide<R>> widen(Vec<R> a) {
    return {widen(a.x), widen(a.y), widen(a.z)};
}
template <class R> CAPSTAN_INLINE Vec<Narrow<R>> narrow(Vec<R> a) {
    return {narrow(a.x), narrow(a.y), narrow(a.z)};
}
template <class R> CAPSTAN_INLINE Vec<ElementOf<R>> lane(Vec<R> a, int i) {
    return {lane(a.x, i), lane(a.y, i), lane(a.z, i)};
}

} // namespace capstan
