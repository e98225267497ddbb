// SPDX-License-Identifier: MIT
// The impulse solver: motion of the bodies in a substep, four bodies at a time. See island.hpp.
//
// Symplectic Euler: forces change the velocity, then contact changes it, and the body moves with the
// resulting velocity,
//     v += h a,    x += h v        (Hairer, Lubich, Wanner 2006, "Geometric Numerical Integration", I.1.2)
// A body without contact impulses moves by h (v - h a / 2), which is exact at constant acceleration.
#include "solver/impulse/island.hpp"
#include "solver/mechanism/body.hpp"

namespace capstan {
namespace {

constexpr double kSlow = 0.001; // rad: a rotation by less is integrated by the midpoint rule

// Free rotation as in solver/mechanism/body.hpp. A body that rotates by less than kSlow needs no sines and
// cosines.
CAPSTAN_INLINE Quat<Quad> turnOn(const Quat<Quad>& q, Vec<Quad> L, Vec<Quad> yield, Quad h) {
    auto angularSpeed = [&](const Quat<Quad>& at) {
        return alongAxes(Mat3<Quad>{axisX(at), axisY(at), {}}, yield, L);
    };
    const Vec<Quad> w = angularSpeed(q);
    const Quat<Quad> slow = turned(h * angularSpeed(turned((Quad(0.5) * h) * w, q)), q);
    const MaskOf<Quad> fast = h * h * dot(w, w) > Quad(kSlow * kSlow);
    return any(fast) ? select(fast, tumble(q, L, yield, h), slow) : slow;
}

} // namespace

// Adds the accelerations to the velocities. As a first guess it also adds the velocity change by contact in
// the previous substep.
void speedUp(ImpulseIsland& p, bool opening) {
    const Quad h(p.h), zero(0.0);
    for (int i = 0; i < p.dynamic; i += 4) {
        const int at[4] = {i, i + 1, i + 2, i + 3};
        auto get = [&](SolverBody::Row SolverBody::*r) { return take(p.solverBodies, at, r); };
        const Fields was = get(&SolverBody::v), wasL = get(&SolverBody::L);
        Vec<Quad> v = was.vector(), L = wasL.vector(), dv = {zero, zero, zero}, dL = dv;
        if (!opening) {
            const Quad dampingFactor = get(&SolverBody::x).w;
            dv = v - get(&SolverBody::free).vector();
            dL = L - get(&SolverBody::freeL).vector();
            v = dampingFactor * v;
            L = dampingFactor * L;
        }
        v = v + h * get(&SolverBody::a).vector();
        L = L + h * get(&SolverBody::twist).vector();
        put(p.solverBodies, at, &SolverBody::free, v, zero);
        put(p.solverBodies, at, &SolverBody::freeL, L, zero);
        put(p.solverBodies, at, &SolverBody::v, v + dv, was.w);
        put(p.solverBodies, at, &SolverBody::L, L + dL, wasL.w);
    }
}

// Moves the bodies. If contact has not changed a body's velocity, its path is that of constant acceleration,
// as for bodies without contact (solver/mechanism/free_bodies.hpp).
void moveOn(ImpulseIsland& p) {
    const Quad h(p.h), half(0.5 * p.h), zero(0.0), two(2.0);
    for (int i = 0; i < p.dynamic; i += 4) {
        const int at[4] = {i, i + 1, i + 2, i + 3};
        auto get = [&](SolverBody::Row SolverBody::*r) { return take(p.solverBodies, at, r); };
        auto equal = [](Vec<Quad> a, Vec<Quad> b) { return (a.x == b.x) & (a.y == b.y) & (a.z == b.z); };
        const Vec<Quad> v = get(&SolverBody::v).vector(), L = get(&SolverBody::L).vector();
        const MaskOf<Quad> flies =
            equal(v, get(&SolverBody::free).vector()) & equal(L, get(&SolverBody::freeL).vector());
        const Quad share = select(flies, half, zero);
        const Vec<Quad> dx = h * (v - share * get(&SolverBody::a).vector());
        const Fields f = get(&SolverBody::q), x = get(&SolverBody::x);
        const Quat<Quad> q = {f.x, f.y, f.z, f.w};
        const Quat<Quad> next =
            turnOn(q, L - share * get(&SolverBody::twist).vector(), get(&SolverBody::yield).vector(), h);
        const Quat<Quad> d = next * conjugate(q);
        const Vec<Quad> dl = withSign(two, d.w) * d.vector();
        put(p.solverBodies, at, &SolverBody::x, x.vector() + dx, x.w);
        put(p.solverBodies, at, &SolverBody::q, next.vector(), next.w);
        put(p.solverBodies, at, &SolverBody::dx, dx, zero);
        put(p.solverBodies, at, &SolverBody::dl, dl, zero);
        const MaskOf<Quad> turns = dot(dl, dl) > Quad(kLittle * kLittle);
        for (int k = 0; k < 4; ++k) p.turns[i + k] = lane(turns, k);
    }
}

} // namespace capstan
