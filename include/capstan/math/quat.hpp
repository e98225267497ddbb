// SPDX-License-Identifier: MIT
// Quat<R>: a rotation as the unit quaternion (x, y, z, w) = (axis sin(angle / 2), cos(angle / 2)).
//   rotate(q, v) = q v q*,  a * b rotates by b first and then by a,  q and -q are the same rotation.
// Sources: Shoemake 1985, "Animating rotation with quaternion curves" (slerp); Grassia 1998, "Practical
// parameterization of rotations using the exponential map" (exp and log).
#pragma once
#include <capstan/math/mat.hpp>
#include <capstan/math/transcendental.hpp>

namespace capstan {

template <class R> struct Quat {
    R x, y, z, w;

    CAPSTAN_INLINE static Quat identity() { return {R(0.0f), R(0.0f), R(0.0f), R(1.0f)}; }
    CAPSTAN_INLINE static Quat fromVector(Vec<R> v, R w) { return {v.x, v.y, v.z, w}; }
    // Returns the rotation by `angle` [rad] about the unit vector `axis`, counter-clockwise seen from the tip of the
    // axis.
    CAPSTAN_INLINE static Quat fromAxisAngle(Vec<R> axis, R angle) {
        SinCos<R> h = sincos(R(0.5f) * angle);
        return fromVector(h.sin * axis, h.cos);
    }
    CAPSTAN_INLINE Vec<R> vector() const { return {x, y, z}; }
};

using Quatf = Quat<float>;
using Quatd = Quat<double>;

template <class R> CAPSTAN_INLINE Quat<R> operator+(Quat<R> a, Quat<R> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
template <class R> CAPSTAN_INLINE Quat<R> operator-(Quat<R> a, Quat<R> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
template <class R> CAPSTAN_INLINE Quat<R> operator-(Quat<R> a) { return {-a.x, -a.y, -a.z, -a.w}; }
template <class R> CAPSTAN_INLINE Quat<R> operator*(Same<R> s, Quat<R> a) {
    return {s * a.x, s * a.y, s * a.z, s * a.w};
}
template <class R> CAPSTAN_INLINE Quat<R> operator*(Quat<R> a, Quat<R> b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class R> CAPSTAN_INLINE R dot(Quat<R> a, Quat<R> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class R> CAPSTAN_INLINE R length(Quat<R> a) { return sqrt(dot(a, a)); }
template <class R> CAPSTAN_INLINE Quat<R> conjugate(Quat<R> a) { return {-a.x, -a.y, -a.z, a.w}; }
template <class R> CAPSTAN_INLINE Quat<R> select(Same<MaskOf<R>> m, Quat<R> a, Quat<R> b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z), select(m, a.w, b.w)};
}
// Returns q / |q|, or the identity if q is zero.
template <class R> CAPSTAN_INLINE Quat<R> normalize(Quat<R> q) {
    R l = length(q);
    MaskOf<R> good = l > R(0.0f);
    return select(good, (R(1.0f) / select(good, l, R(1.0f))) * q, Quat<R>::identity());
}

// Returns q v q* for a unit q: v + 2 u x (u x v + w v), with q = (u, w).
template <class R> CAPSTAN_INLINE Vec<R> rotate(Quat<R> q, Vec<R> v) {
    Vec<R> u = q.vector();
    return v + R(2.0f) * cross(u, cross(u, v) + q.w * v);
}
// The next three functions return the columns of the rotation matrix: the directions of the rotated axes.
template <class R> CAPSTAN_INLINE Vec<R> axisX(Quat<R> q) {
    R two = R(2.0f);
    return {R(1.0f) - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z),
            two * (q.x * q.z - q.w * q.y)};
}
template <class R> CAPSTAN_INLINE Vec<R> axisY(Quat<R> q) {
    R two = R(2.0f);
    return {two * (q.x * q.y - q.w * q.z), R(1.0f) - two * (q.x * q.x + q.z * q.z),
            two * (q.y * q.z + q.w * q.x)};
}
template <class R> CAPSTAN_INLINE Vec<R> axisZ(Quat<R> q) {
    R two = R(2.0f);
    return {two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x),
            R(1.0f) - two * (q.x * q.x + q.y * q.y)};
}
template <class R> CAPSTAN_INLINE Mat3<R> toMat3(Quat<R> q) { return {axisX(q), axisY(q), axisZ(q)}; }

// Returns the rotation by |v| radians about v.
template <class R> CAPSTAN_HD inline Quat<R> exp(Vec<R> v) {
    R angle = length(v);
    MaskOf<R> small = angle < R(1e-15f); // then sin(angle / 2) / angle is 1/2 to the last digit
    SinCos<R> h = sincos(R(0.5f) * angle);
    return Quat<R>::fromVector(select(small, R(0.5f), h.sin / select(small, R(1.0f), angle)) * v, h.cos);
}
// Returns the rotation vector [rad] of a unit quaternion. Its length is 0 to pi: the shorter of the two directions.
template <class R> CAPSTAN_HD inline Vec<R> log(Quat<R> q) {
    q = select(q.w < R(0.0f), -q, q);
    R s = length(q.vector());
    MaskOf<R> small = s < R(1e-15f);
    R perSine = R(2.0f) * atan2(s, q.w) / select(small, R(1.0f), s);
    return select(small, R(2.0f), perSine) * q.vector();
}
// Returns the orientation q after a rotation by the vector v [rad] in world axes (angular velocity times time). It is
// exact for a constant angular velocity. The form q + v q / 2 was refused: its angle is too small and its length
// drifts.
template <class R> CAPSTAN_HD inline Quat<R> integrate(Quat<R> q, Vec<R> v) { return normalize(exp(v) * q); }

// Returns the rotation between a (t = 0) and b (t = 1) at constant angular speed, along the shorter arc. The angle is
// computed from chords |b - a| and |b + a|. Their digits are exact where those of the cosine cancel.
template <class R> CAPSTAN_HD inline Quat<R> slerp(Quat<R> a, Quat<R> b, Same<R> t) {
    b = select(dot(a, b) < R(0.0f), -b, b);
    R theta = R(2.0f) * atan2(length(b - a), length(b + a)), sine = sin(theta);
    MaskOf<R> small = sine < R(1e-15f);
    R perSine = R(1.0f) / select(small, R(1.0f), sine);
    R wb = select(small, t, sin(t * theta) * perSine);
    R wa = select(small, R(1.0f) - t, sin((R(1.0f) - t) * theta) * perSine);
    return normalize(wa * a + wb * b);
}

// Returns the smallest rotation that maps the unit vector a to the unit vector b. If they are opposite, it is a
// rotation by pi about a perpendicular axis.
template <class R> CAPSTAN_HD inline Quat<R> fromTo(Vec<R> a, Vec<R> b) {
    Vec<R> half = a + b;
    R l = length(half);
    MaskOf<R> opposite = l < R(4.0f * RealTraits<R>::epsilon);
    half = (R(1.0f) / select(opposite, R(1.0f), l)) * half;
    return select(opposite, Quat<R>::fromVector(perpendicular(a), R(0.0f)),
                  Quat<R>::fromVector(cross(a, half), dot(a, half)));
}

} // namespace capstan
