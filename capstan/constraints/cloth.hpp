// SPDX-License-Identifier: MIT
// The formulas of cloth, each over a number type R, for one vertex or one edge (or a lane-full of them).
//
// Edge, XPBD: C = |d| - rest with d = x_b - x_a, compliance alpha = l^2 / (K A) for a membrane of K newtons per metre
// of width and an edge that stands for the area A; a = alpha / h^2:
//     dl = -(C + a l) / (w_a + w_b + a),   x_a -= w_a dl d/|d|,   x_b += w_b dl d/|d|
// Macklin, Mueller, Chentanez: XPBD (MIG 2016). Jacobi takes n_a w_a for w_a, with n_a the edges at a vertex (or n_a / p,
// n_a the sum of the parts p of its edges): mass
// splitting (Tonge, Benevolenski, Voroshilov 2012), so that the sum of what the edges ask cannot overshoot.
// Van Gelder, Approximate simulation of elastic membranes by triangulated spring meshes (1998), has K A / l^2.
//
// Bend: the energy of a sheet that is flat when relaxed, E = D/2 sum_T A_T |S_T|^2, is quadratic in x (model/cloth_bend),
// so its implicit step is a linear system with a fixed matrix, the same for each axis:
//     (M + h^2 K) x = M x^,   residual r_i = x^_i - x_i - h^2 w_i sum_j K_ij (x_j - x_i)
// divided by 1 + h^2 w_i sum_j |K_ij|, which bounds the spectrum from above by 1 (Gershgorin).
//
// Tether: a vertex may not be farther from a pin than the cloth between them is long.
// Kim, Chentanez, Mueller: Long range attachments (SCA 2012).
//
// Air on a flat plate of area |s|, s = half the cross product of two edges, u the air's speed relative to it:
//     f = rho/2 c |u| (u.s) s / |s|
#pragma once

#include <capstan/math/inverse.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

inline constexpr float kAirDensity = 1.2f; // kg/m^3

template <class R> struct ClothPull {
    R s;  // x_a -= (w_a s) d,   x_b += (w_b s) d
    R dl; // = s |d|
};

// With gain = 1 / (w_a + w_b + a) known; `most` is 0 for a strand that only pulls, and far above for an edge that pushes
// too:
//     s = -(|d| - rest + a l) gain / |d| = ((rest - a l) / |d| - 1) gain
template <class R> CAPSTAN_INLINE ClothPull<R> clothStrand(Vec<R> d, R rest, R most, R gain, R al) {
    const R ll = largerTame(lengthSquared(d), R(1e-30f)), inverse = inverseTame(rootTame(ll));
    const R s = smallerTame((rest - al) * inverse - R(1.0f), most) * gain;
    return {s, s * (ll * inverse)};
}

// The same with gain = 1 / (w_a + w_b + a) known, for an edge that pushes too:
//     s = -(|d| - rest + a l) gain / |d| = ((rest - a l) / |d| - 1) gain
template <class R> CAPSTAN_INLINE ClothPull<R> clothEdge(Vec<R> d, R rest, R gain, R al) {
    const R ll = largerTame(lengthSquared(d), R(1e-30f)), inverse = inverseTame(rootTame(ll));
    const R s = ((rest - al) * inverse - R(1.0f)) * gain;
    return {s, s * (ll * inverse)};
}

// What Jacobi would move a vertex by: `off` is x^ - x, `force` is -K x, hw is h^2 w.
template <class R> CAPSTAN_INLINE Vec<R> clothBend(Vec<R> off, Vec<R> force, R hw, R bound) {
    return (R(1.0f) / (R(1.0f) + hw * bound)) * (off + hw * force);
}

// Where the vertex x is let stand, at most `reach` from the pin p.
template <class R> CAPSTAN_INLINE Vec<R> clothTether(Vec<R> x, Vec<R> p, R reach) {
    Vec<R> d = x - p;
    R ll = lengthSquared(d);
    MaskOf<R> taut = ll > reach * reach;
    R s = reach / sqrt(select(taut, ll, R(1.0f)));
    return select(taut, p + s * d, x);
}
// The same as Jacobi does it: quicker on a GPU, and the last bit may differ.
template <class R> CAPSTAN_INLINE Vec<R> clothTetherQuick(Vec<R> x, Vec<R> p, R reach) {
    const Vec<R> d = x - p;
    const R ll = lengthSquared(d);
    const MaskOf<R> taut = ll > reach * reach;
    const R s = reach * inverseTame(rootTame(select(taut, ll, R(1.0f))));
    return select(taut, p + s * d, x);
}

// A third of the air's force on the triangle a b c: the share of each of its corners.
template <class R>
CAPSTAN_INLINE Vec<R> clothAir(Vec<R> a, Vec<R> b, Vec<R> c, Vec<R> v, Vec<R> wind, R drag) {
    Vec<R> s = R(0.5f) * cross(b - a, c - a);
    R area = sqrt(lengthSquared(s));
    Vec<R> u = wind - v;
    R speed = sqrt(lengthSquared(u));
    R p = R(0.5f * kAirDensity / 3) * drag * speed * dot(u, s) / max(area, R(1e-30f));
    return p * s;
}

} // namespace capstan
