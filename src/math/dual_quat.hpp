// SPDX-License-Identifier: MIT
// DualQuat<R>: a rigid motion as the unit dual quaternion real + eps dual, with eps^2 = 0. `real` is the rotation r,
// and dual = t r / 2 encodes the translation t. Unit means |real| = 1 and real . dual = 0. The product a * b applies
// b first and then a.
//
// Sources: Kavan, Collins, Zara, O'Sullivan 2008, "Geometric skinning with approximate dual quaternion
// blending" (normalise, blend); Kenwright 2012, "A beginner's guide to dual-quaternions" (algebra).
#pragma once
#include <capstan/math/quat.hpp>

namespace capstan {

template <class R> struct DualQuat {
    Quat<R> real, dual;

    CAPSTAN_INLINE static DualQuat identity() { return {Quat<R>::identity(), R(0.0f) * Quat<R>::identity()}; }
    // Returns the motion x -> rotate(r, x) + t.
    CAPSTAN_INLINE static DualQuat fromRotationTranslation(Quat<R> r, Vec<R> t) {
        return {r, R(0.5f) * (Quat<R>::fromVector(t, R(0.0f)) * r)};
    }
};

template <class R> CAPSTAN_INLINE Quat<R> rotation(DualQuat<R> a) { return a.real; }
template <class R> CAPSTAN_INLINE Vec<R> translation(DualQuat<R> a) {
    return R(2.0f) * (a.dual * conjugate(a.real)).vector();
}
template <class R> CAPSTAN_INLINE DualQuat<R> operator+(DualQuat<R> a, DualQuat<R> b) {
    return {a.real + b.real, a.dual + b.dual};
}
template <class R> CAPSTAN_INLINE DualQuat<R> operator*(Same<R> s, DualQuat<R> a) {
    return {s * a.real, s * a.dual};
}
template <class R> CAPSTAN_INLINE DualQuat<R> operator*(DualQuat<R> a, DualQuat<R> b) {
    return {a.real * b.real, a.real * b.dual + a.dual * b.real};
}
// Returns the quaternion conjugate, which is the inverse of a unit dual quaternion.
template <class R> CAPSTAN_INLINE DualQuat<R> conjugate(DualQuat<R> a) {
    return {conjugate(a.real), conjugate(a.dual)};
}
template <class R> CAPSTAN_INLINE Vec<R> transformPoint(DualQuat<R> a, Vec<R> p) {
    return rotate(a.real, p) + translation(a);
}
template <class R> CAPSTAN_INLINE Vec<R> transformVector(DualQuat<R> a, Vec<R> v) {
    return rotate(a.real, v);
}

// Returns real / |real|, and the part of dual / |real| that is orthogonal to it. Dividing both by |real| alone is
// common, but leaves real . dual != 0. Then translation(a) is wrong, and the motion is not rigid. The result is the
// identity if real is zero.
template <class R> CAPSTAN_INLINE DualQuat<R> normalize(DualQuat<R> a) {
    R l2 = dot(a.real, a.real);
    MaskOf<R> good = l2 > R(0.0f);
    l2 = select(good, l2, R(1.0f));
    R s = R(1.0f) / sqrt(l2);
    Quat<R> dual = s * (a.dual - (dot(a.real, a.dual) / l2) * a.real);
    return {select(good, s * a.real, Quat<R>::identity()), select(good, dual, R(0.0f) * Quat<R>::identity())};
}

// Returns the weighted mean of n >= 1 motions (dual quaternion linear blending). q and -q are the same motion. Each q
// gets the sign for which its dot product with the first one is positive; otherwise similar motions could cancel.
template <class R> CAPSTAN_HD inline DualQuat<R> blend(const DualQuat<R>* q, const R* weights, int n) {
    DualQuat<R> sum = weights[0] * q[0];
    for (int i = 1; i < n; ++i)
        sum = sum + select(dot(q[0].real, q[i].real) < R(0.0f), -weights[i], weights[i]) * q[i];
    return normalize(sum);
}

// Returns the motion between a (t = 0) and b (t = 1) along one screw, at constant angular and linear speed, by the
// shorter rotation.
//
// The motion from a to b rotates by 2h about the unit vector l and translates the origin by m. The part of m along l
// is the slide. The part p perpendicular to l is the chord of a circle of angle 2h about the screw axis. After a
// rotation by 2g = 2ht the chord has the length p sin(g) / sin(h), and it is rotated back by h - g. This form stays
// finite as h goes to 0, where the axis goes to infinity. The usual form divides by sin(h) to find that axis.
template <class R> CAPSTAN_HD inline DualQuat<R> sclerp(DualQuat<R> a, DualQuat<R> b, Same<R> t) {
    DualQuat<R> d = conjugate(a) * b;
    Quat<R> q = select(d.real.w < R(0.0f), -d.real, d.real);
    Vec<R> m = translation(d);
    R sine = length(q.vector());
    MaskOf<R> small = sine < R(1e-15f);
    R perSine = R(1.0f) / select(small, R(1.0f), sine);
    Vec<R> l = select(small, R(0.0f), perSine) * q.vector();
    R h = atan2(sine, q.w);
    SinCos<R> g = sincos(t * h), back = sincos(h - t * h);

    Vec<R> slide = dot(l, m) * l, p = m - slide;
    R chord = select(small, t, g.sin * perSine);
    Vec<R> move = t * slide + chord * (back.cos * p - back.sin * cross(l, p));
    Quat<R> turn = select(small, Quat<R>::identity(), Quat<R>::fromVector(g.sin * l, g.cos));
    return a * DualQuat<R>::fromRotationTranslation(turn, move);
}

} // namespace capstan
