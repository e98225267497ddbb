// SPDX-License-Identifier: MIT
// The formulas of cloth for one vertex or one edge. R is a scalar, or a vector with one vertex or edge per
// lane.
//
// Edge, solved by XPBD: C = |d| - rest with d = x_b - x_a. The compliance is alpha = rest^2 / (K A), with a = alpha /
// h^2. K is the stiffness of the membrane in newtons per metre of width. A is the area of the triangles at the edge,
// and l the multiplier:
//     dl = -(C + a l) / (w_a + w_b + a),   x_a -= w_a dl d/|d|,   x_b += w_b dl d/|d|
// Macklin, Mueller, Chentanez: XPBD (MIG 2016). Van Gelder, Approximate simulation of elastic membranes by
// triangulated spring meshes (1998), has the stiffness K A / rest^2.
//
// The Jacobi solver uses n_a w_a in place of w_a, where n_a is the number of edges at vertex a. If edges have weights
// p, it uses (n_a / p) w_a, where n_a is the sum of the weights of the vertex's edges. This is mass splitting (Tonge,
// Benevolenski, Voroshilov 2012): the sum of the corrections of all edges cannot overshoot.
//
// Bend: the energy of a sheet that is flat at rest is E = D/2 sum_T A_T |S_T|^2 (solver/cloth/bend_rows.cpp). It is
// quadratic in x. So its implicit step is a linear system with a fixed matrix, the same for each axis; x^ is the
// position before bending:
//     (M + h^2 K) x = M x^,   residual r_i = x^_i - x_i - h^2 w_i sum_j K_ij (x_j - x_i)
// Jacobi divides the residual by 1 + h^2 w_i sum_j |K_ij|, which bounds the spectrum from above by 1
// (Gershgorin).
//
// Tether: the distance of a vertex from a pin is at most the length of the cloth between them. Kim, Chentanez,
// Mueller: Long range attachments (SCA 2012).
//
// Air on a flat plate with the area |s|. The vector s is half the cross product of two edges. The velocity u of the air
// is relative to the plate. The density of air is rho, and c is the drag coefficient:
//     f = rho/2 c |u| (u.s) s / |s|
// The force of the start of a substep acts, as if it were constant. Where h |df/du| > m it turns the air's speed round,
// and above 2 m it grows without bound. A sheet of 0.03 kg/m^2 was torn apart by 20 m/s in 8 steps. A bound
// on the force was refused, because a sail that is held would bear half of the wind. Instead a vertex is heavier:
//     m' = max(m, 2 h d),   d = sum over its triangles of rho/2 c |u| |s| / 3
// 2 d bounds |df/du|, so Gershgorin gives I - h/m' |df/du| no eigenvalue below 0. All forces act on m', those of edges,
// bending and contact too. So what is at rest, or falls at its last speed, is what it is with m.
// The linearised m' = m + 2 h d was refused: a sheet of 0.1 kg/m^2 that falls edgewise at 5 m/s would lose 23 % of gravity.
#pragma once

#include "math/inverse.hpp"
#include "math/lanes.hpp"
#include <capstan/math/vec.hpp>

namespace capstan {

inline constexpr float kAirDensity = 1.2f; // kg/m^3

// Correction of an edge with the direction d = x_b - x_a.
template <class R> struct ClothPull {
    R s;  // x_a -= (w_a s) d,   x_b += (w_b s) d
    R dl; // = s |d|
};

// Computes the correction of an edge for gain = 1 / (w_a + w_b + a). `al` is a l. `most` bounds s / gain from above:
// with 0 the edge only pulls, with a large number it also pushes.
//     s = -(|d| - rest + a l) gain / |d| = ((rest - a l) / |d| - 1) gain
template <class R> CAPSTAN_INLINE ClothPull<R> clothStrand(Vec<R> d, R rest, R most, R gain, R al) {
    const R ll = largerTame(lengthSquared(d), R(1e-30f)), inverse = inverseTame(rootTame(ll));
    const R s = smallerTame((rest - al) * inverse - R(1.0f), most) * gain;
    return {s, s * (ll * inverse)};
}

// Computes the correction of an edge that pulls and pushes:
//     s = -(|d| - rest + a l) gain / |d| = ((rest - a l) / |d| - 1) gain
template <class R> CAPSTAN_INLINE ClothPull<R> clothEdge(Vec<R> d, R rest, R gain, R al) {
    const R ll = largerTame(lengthSquared(d), R(1e-30f)), inverse = inverseTame(rootTame(ll));
    const R s = ((rest - al) * inverse - R(1.0f)) * gain;
    return {s, s * (ll * inverse)};
}

// Returns the displacement of a vertex in one Jacobi iteration of bending. `off` is x^ - x and `force` is -K x. hw is
// h^2 w, and `bound` is sum_j |K_ij|.
template <class R> CAPSTAN_INLINE Vec<R> clothBend(Vec<R> off, Vec<R> force, R hw, R bound) {
    return (R(1.0f) / (R(1.0f) + hw * bound)) * (off + hw * force);
}

// Returns the position of vertex x, moved to at most `reach` from the pin p.
template <class R> CAPSTAN_INLINE Vec<R> clothTether(Vec<R> x, Vec<R> p, R reach) {
    Vec<R> d = x - p;
    R ll = lengthSquared(d);
    MaskOf<R> taut = ll > reach * reach;
    R s = reach / sqrt(select(taut, ll, R(1.0f)));
    return select(taut, p + s * d, x);
}
// The tether of the Jacobi solver. It is faster on a GPU, and its last bit may differ from clothTether.
template <class R> CAPSTAN_INLINE Vec<R> clothTetherQuick(Vec<R> x, Vec<R> p, R reach) {
    const Vec<R> d = x - p;
    const R ll = lengthSquared(d);
    const MaskOf<R> taut = ll > reach * reach;
    const R s = reach * inverseTame(rootTame(select(taut, ll, R(1.0f))));
    return select(taut, p + s * d, x);
}

// Returns a third of the air's force [N] on the triangle a b c. It acts on each corner. w: a third of the damping d.
template <class R>
CAPSTAN_INLINE Four<R> clothAir(Vec<R> a, Vec<R> b, Vec<R> c, Vec<R> v, Vec<R> wind, R drag) {
    Vec<R> s = R(0.5f) * cross(b - a, c - a);
    R area = sqrt(lengthSquared(s));
    Vec<R> u = wind - v;
    R velocity = sqrt(lengthSquared(u));
    R most = R(0.5f * kAirDensity / 3) * drag * velocity;
    R p = most * dot(u, s) / max(area, R(1e-30f));
    return {p * s.x, p * s.y, p * s.z, most * area};
}

} // namespace capstan
