// SPDX-License-Identifier: MIT
//
// The textbook integrators, for x'' = a over a list of particles. They stand beside the engine's own step,
// not inside it: they know no constraint and no contact. Use them to fly projectiles and orbits, and to
// measure the step against a method whose error is known.
//
//   method             order  symplectic  field calls  state
//   symplecticEuler      1       yes           1       x, v
//   positionVerlet       2       yes           1       x, previous x
//   velocityVerlet       2       yes           1       x, v, a
//   rungeKutta4          4       no            4       x, v
//
// Symplectic: the energy error stays bounded for exponentially long times while h is fixed, and h * omega < 2
// for the fastest frequency. Changing h from step to step, or forces that depend on velocity, lose that.
// Explicit Euler is not offered: on an oscillator its energy grows by 1 + (h omega)^2 every step.
//
// `field` writes accelerations. The three symplectic methods call field(x, a), RK4 calls field(x, v, t, a);
// all arguments are spans as long as x, `a` is the one to fill. R is taken from h: float, double or a Pack.
// Scratch is the caller's, so that nothing is allocated here; lists of different lengths fail CAPSTAN_CHECK
// and nothing moves.
//
// Source: E. Hairer, C. Lubich and G. Wanner, "Geometric Numerical Integration" (2nd ed. 2006), sections I.1
// and VI.3; L. Verlet, Phys. Rev. 159 (1967); W. Swope et al., J. Chem. Phys. 76 (1982); W. Kutta, Z. Math.
// Phys. 46 (1901).
#pragma once

#include <capstan/check.hpp>
#include <capstan/math/vec.hpp>

#include <cstddef>
#include <span>

namespace capstan {

// Lets a std::vector stand where a span is asked for: R comes from the step size alone.
template <class R> using VecSpan = Same<std::span<Vec<R>>>;
template <class R> using ConstVecSpan = Same<std::span<const Vec<R>>>;

// v += h a(x);  x += h v.  Order 1, symplectic.
// The trap: x must be moved with the new v. With the old one it is explicit Euler, which explodes. Also read
// x and v as half a step apart: 0.5 v^2 + U(x) swings by O(h) although nothing is lost.
template <class R, class Field>
void symplecticEuler(VecSpan<R> x, VecSpan<R> v, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && a.size() == x.size(), "the lists differ in length")) return;
    field(ConstVecSpan<R>(x), a);
    for (std::size_t i = 0; i < x.size(); ++i) {
        v[i] += h * a[i];
        x[i] += h * v[i];
    }
}

// The previous positions that belong to a start (x, v):  x_-1 = x_0 - h v_0 + h^2/2 a(x_0).
// Leaving out the last term is the usual mistake: it starts with v wrong by h a / 2, and the whole run is
// order 1.
template <class R, class Field>
void startPositionVerlet(ConstVecSpan<R> x, ConstVecSpan<R> v, R h, Field&& field, VecSpan<R> previous,
                         VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && previous.size() == x.size() && a.size() == x.size(),
                       "the lists differ in length"))
        return;
    field(x, a);
    const R half = R(0.5f) * h * h;
    for (std::size_t i = 0; i < x.size(); ++i) previous[i] = x[i] - h * v[i] + half * a[i];
}

// x_+1 = 2 x_0 - x_-1 + h^2 a(x_0)  (Stormer's rule).  Order 2, symplectic, reversible: swap x and previous
// to go back.
// The traps: there is no velocity in the state (below); h must not change between steps; and h^2 a is added
// to a far larger x, which in float loses what velocityVerlet keeps.
template <class R, class Field>
void positionVerlet(VecSpan<R> x, VecSpan<R> previous, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(previous.size() == x.size() && a.size() == x.size(), "the lists differ in length"))
        return;
    field(ConstVecSpan<R>(x), a);
    const R square = h * h;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec<R> next = x[i] + (x[i] - previous[i]) + square * a[i];
        previous[i] = x[i];
        x[i] = next;
    }
}

// The velocity at the time of x_0.  (x_0 - x_-1) / h is the velocity half a step earlier, wrong by h a / 2:
// order 1. Right is the centred difference (x_+1 - x_-1) / 2h, order 2; with x_+1 from Stormer's rule it is
//   v_0 = (x_0 - x_-1) / h + h/2 a(x_0)
// and needs no step ahead.
template <class R, class Field>
void positionVerletVelocity(ConstVecSpan<R> x, ConstVecSpan<R> previous, R h, Field&& field, VecSpan<R> v,
                            VecSpan<R> a) {
    if (!CAPSTAN_CHECK(previous.size() == x.size() && v.size() == x.size() && a.size() == x.size(),
                       "the lists differ in length"))
        return;
    field(x, a);
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - previous[i]) / h + (R(0.5f) * h) * a[i];
}

// v += h/2 a(x);  x += h v;  v += h/2 a(x).  Order 2, symplectic, reversible: negate v to go back. Same orbit
// as positionVerlet, with v at the time of x.
// The trap: `a` must hold a(x) on entry (call field(x, a) once
// before the first step, and again whenever x was moved by other hands); it holds a of the new x on return,
// which is why a step costs one field call and not two. A force that depends on v is not seen here: use
// rungeKutta4.
template <class R, class Field>
void velocityVerlet(VecSpan<R> x, VecSpan<R> v, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && a.size() == x.size(), "the lists differ in length")) return;
    const R half = R(0.5f) * h;
    for (std::size_t i = 0; i < x.size(); ++i) {
        v[i] += half * a[i];
        x[i] += h * v[i];
    }
    field(ConstVecSpan<R>(x), a);
    for (std::size_t i = 0; i < x.size(); ++i) v[i] += half * a[i];
}

// Classical Runge-Kutta on (x, v) with a(x, v, t).  Order 4, not symplectic, not reversible; `scratch` is 5
// times as long as x.
// The trap: its error is small but one-sided. On an oscillator the energy is multiplied
// by 1 - (h omega)^6/72 + (h omega)^8/576 every step, so over many periods it dies out (and beyond
// h omega = 2.83 it explodes). Best for short, exact flights; take Verlet for long ones.
//
// With v2 = v + h/2 k1, v3 = v + h/2 k2, v4 = v + h k3, the position sum h/6 (v + 2 v2 + 2 v3 + v4) is
// h v + h^2/6 (k1 + k2 + k3), so only two sums of accelerations are kept.
template <class R, class Field>
void rungeKutta4(VecSpan<R> x, VecSpan<R> v, Same<R> t, R h, Field&& field, VecSpan<R> scratch) {
    const std::size_t n = x.size();
    if (!CAPSTAN_CHECK(v.size() == n && scratch.size() == 5 * n, "v must be as long as x, scratch 5 times"))
        return;
    const VecSpan<R> xs = scratch.subspan(0, n), vs = scratch.subspan(n, n), k = scratch.subspan(2 * n, n);
    const VecSpan<R> sumX = scratch.subspan(3 * n, n), sumV = scratch.subspan(4 * n, n);
    const R half = R(0.5f) * h;

    field(ConstVecSpan<R>(x), ConstVecSpan<R>(v), t, k); // k1
    for (std::size_t i = 0; i < n; ++i) {
        sumX[i] = sumV[i] = k[i];
        xs[i] = x[i] + half * v[i];
        vs[i] = v[i] + half * k[i];
    }
    for (const R reach : {half, h}) { // k2 leads on half a step, k3 the whole step
        field(ConstVecSpan<R>(xs), ConstVecSpan<R>(vs), t + half, k);
        for (std::size_t i = 0; i < n; ++i) {
            sumX[i] += k[i];
            sumV[i] += R(2.0f) * k[i];
            xs[i] = x[i] + reach * vs[i];
            vs[i] = v[i] + reach * k[i];
        }
    }
    field(ConstVecSpan<R>(xs), ConstVecSpan<R>(vs), t + h, k); // k4
    const R sixth = h / R(6.0f);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] += h * v[i] + (h * sixth) * sumX[i];
        v[i] += sixth * (sumV[i] + k[i]);
    }
}

} // namespace capstan
