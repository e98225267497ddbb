// SPDX-License-Identifier: MIT
//
// The textbook integrators for x'' = a over a list of particles. The engine's own step does not use them: they
// have neither constraints nor contact. Use them for projectiles and orbits, and to compare the engine's step
// with a method whose error is known. Any consistent units will do.
//
//   method             order  symplectic  field calls  state
//   symplecticEuler      1       yes           1       x, v
//   positionVerlet       2       yes           1       x, previous x
//   velocityVerlet       2       yes           1       x, v, a
//   rungeKutta4          4       no            4       x, v
//
// Symplectic: the energy error stays bounded for exponentially long times while h is fixed and h * omega < 2
// for the fastest frequency. This is lost if h changes from step to step, or if forces depend on velocity.
// Explicit Euler is not offered: on an oscillator its energy grows by 1 + (h omega)^2 every step.
//
// `field` writes accelerations. The three symplectic methods call field(x, a), RK4 calls field(x, v, t, a). All
// arguments are spans as long as x, and the field fills `a`. R is the type of h: float, double or a Pack.
//
// The caller provides scratch memory, so that nothing is allocated here. Lists of different lengths fail
// CAPSTAN_CHECK, and no particle moves.
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

// These aliases let a caller pass a std::vector as a span, because R is deduced from the step size alone.
template <class R> using VecSpan = Same<std::span<Vec<R>>>;
template <class R> using ConstVecSpan = Same<std::span<const Vec<R>>>;

// v += h a(x);  x += h v.  Order 1, symplectic.
// x must move with the new v. With the old v the method is explicit Euler, whose energy grows without bound. Also, x
// and v are half a step apart: 0.5 v^2 + U(x) oscillates by O(h) although no energy is lost.
template <class R, class Field>
void symplecticEuler(VecSpan<R> x, VecSpan<R> v, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && a.size() == x.size(), "the lists must have equal lengths"))
        return;
    field(ConstVecSpan<R>(x), a);
    for (std::size_t i = 0; i < x.size(); ++i) {
        v[i] += h * a[i];
        x[i] += h * v[i];
    }
}

// Computes `previous` for a start (x, v):  x_-1 = x_0 - h v_0 + h^2/2 a(x_0). Without the last term v is wrong by h a
// / 2 at the start, and the whole run is of order 1.
template <class R, class Field>
void startPositionVerlet(ConstVecSpan<R> x, ConstVecSpan<R> v, R h, Field&& field, VecSpan<R> previous,
                         VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && previous.size() == x.size() && a.size() == x.size(),
                       "the lists must have equal lengths"))
        return;
    field(x, a);
    const R half = R(0.5f) * h * h;
    for (std::size_t i = 0; i < x.size(); ++i) previous[i] = x[i] - h * v[i] + half * a[i];
}

// x_+1 = 2 x_0 - x_-1 + h^2 a(x_0)  (Stormer's rule).  Order 2, symplectic, reversible: swap x and previous to run
// backwards.
//
// Limits: the state has no velocity (positionVerletVelocity computes it), and h must not change between steps. Also,
// h^2 a is added to a far larger x; in float that loses digits that velocityVerlet keeps.
template <class R, class Field>
void positionVerlet(VecSpan<R> x, VecSpan<R> previous, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(previous.size() == x.size() && a.size() == x.size(),
                       "the lists must have equal lengths"))
        return;
    field(ConstVecSpan<R>(x), a);
    const R square = h * h;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec<R> next = x[i] + (x[i] - previous[i]) + square * a[i];
        previous[i] = x[i];
        x[i] = next;
    }
}

// Computes the velocity at the time of x_0. The difference (x_0 - x_-1) / h is the velocity half a step earlier. It
// is wrong by h a / 2, so it is of order 1. The centred difference (x_+1 - x_-1) / 2h is of order 2. With x_+1 from
// Stormer's rule it is
//   v_0 = (x_0 - x_-1) / h + h/2 a(x_0)
// and needs no further step.
template <class R, class Field>
void positionVerletVelocity(ConstVecSpan<R> x, ConstVecSpan<R> previous, R h, Field&& field, VecSpan<R> v,
                            VecSpan<R> a) {
    if (!CAPSTAN_CHECK(previous.size() == x.size() && v.size() == x.size() && a.size() == x.size(),
                       "the lists must have equal lengths"))
        return;
    field(x, a);
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - previous[i]) / h + (R(0.5f) * h) * a[i];
}

// v += h/2 a(x);  x += h v;  v += h/2 a(x).  Order 2, symplectic, reversible: negate v to run backwards. Its
// positions equal those of positionVerlet up to rounding, and v is at the time of x.
//
// `a` must hold a(x) on entry. So call field(x, a) once before the first step, and again whenever other code changed
// x. On return `a` holds a of the new x, so a step costs one field call. The method assumes that a does not depend on
// v: use rungeKutta4 if it does.
template <class R, class Field>
void velocityVerlet(VecSpan<R> x, VecSpan<R> v, R h, Field&& field, VecSpan<R> a) {
    if (!CAPSTAN_CHECK(v.size() == x.size() && a.size() == x.size(), "the lists must have equal lengths"))
        return;
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
//
// The error is small but has one sign. On an oscillator every step multiplies the energy by
//   1 - (h omega)^6/72 + (h omega)^8/576.
// So over many periods the energy decays, and beyond h omega = 2.83 it grows without bound. The method is best for
// short, exact flights; use Verlet for long ones.
//
// The accelerations of the four stages are k1 to k4. Their velocities are v, v2 = v + h/2 k1, v3 = v + h/2 k2 and
// v4 = v + h k3. So the sum for the position is
//   h/6 (v + 2 v2 + 2 v3 + v4) = h v + h^2/6 (k1 + k2 + k3).
// Only two sums of accelerations are kept.
template <class R, class Field>
void rungeKutta4(VecSpan<R> x, VecSpan<R> v, Same<R> t, R h, Field&& field, VecSpan<R> scratch) {
    const std::size_t n = x.size();
    if (!CAPSTAN_CHECK(v.size() == n && scratch.size() == 5 * n,
                       "v must be as long as x, and scratch five times as long"))
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
    // These two calls compute k2 and k3; the next stage is h/2 ahead, then h.
    for (const R reach : {half, h}) {
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
