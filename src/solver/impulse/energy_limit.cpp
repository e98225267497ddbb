// SPDX-License-Identifier: MIT
// The impulse solver: limits the kinetic energy of bodies. Bodies that overlap and have no room to separate
// give each other energy: a little in each iteration, and in restitution. Contact may leave a body with at
// most
//    E <= E_free + m u^2 / 2
//
// E_free is the greatest kinetic energy without contact that the body had in a substep of this step so far.
// The mass of the body is m, and overlaps are pushed apart at the speed u. If the sum of all bodies' energies
// exceeds the sum of their limits, each body above its own limit is slowed down to it. See island.hpp.
#include "solver/impulse/island.hpp"
#include "solver/mechanism/body.hpp"

namespace capstan {
namespace {

// Returns the kinetic energies [J] of four bodies at velocities v and angular momenta L.
Quad energyOf(const ImpulseIsland& p, const int* at, SolverBody::Row SolverBody::*v,
              SolverBody::Row SolverBody::*L, Quad mass) {
    auto get = [&](SolverBody::Row SolverBody::*r) { return take(p.solverBodies, at, r); };
    const Fields f = get(&SolverBody::q);
    const Quat<Quad> q = {f.x, f.y, f.z, f.w};
    const Mat3<Quad> axes = {axisX(q), axisY(q), {}};
    const Vec<Quad> velocity = get(v).vector(), momentum = get(L).vector();
    return Quad(0.5) * (mass * dot(velocity, velocity) +
                        dot(momentum, alongAxes(axes, get(&SolverBody::yield).vector(), momentum)));
}

// Calls f(indices of four bodies, their masses [kg]; mass 0 for a padding body).
template <class F> void eachFour(const ImpulseIsland& p, const F& f) {
    for (int i = 0; i < p.dynamic; i += 4) {
        const int at[4] = {i, i + 1, i + 2, i + 3};
        const Quad yield = take(p.solverBodies, at, &SolverBody::v).w, zero(0.0);
        f(at, select(yield > zero, Quad(1.0) / yield, zero));
    }
}

} // namespace

void noteEnergies(ImpulseIsland& p, bool opening) {
    p.energies.resize(std::size_t(p.dynamic));
    eachFour(p, [&](const int* at, Quad mass) {
        double* most = &p.energies[at[0]];
        const Quad energy = energyOf(p, at, &SolverBody::free, &SolverBody::freeL, mass);
        store(most, opening ? energy : max(energy, load<Quad>(most)));
    });
}

bool limitEnergy(ImpulseIsland& p) {
    Quad over(0.0);
    p.shares.resize(std::size_t(p.dynamic));
    eachFour(p, [&](const int* at, Quad mass) {
        const std::size_t i = std::size_t(at[0]);
        const Quad may = load<Quad>(&p.energies[i]) + Quad(0.5 * p.push * p.push) * mass;
        const Quad has = energyOf(p, at, &SolverBody::v, &SolverBody::L, mass);
        store(&p.shares[i], select(has > may, sqrt(may / has), Quad(1.0)));
        over += has - may;
    });
    if ((lane(over, 0) + lane(over, 1)) + (lane(over, 2) + lane(over, 3)) <= 0) return false;
    eachFour(p, [&](const int* at, Quad) {
        const Quad share = load<Quad>(&p.shares[at[0]]);
        for (SolverBody::Row SolverBody::*row : {&SolverBody::v, &SolverBody::L}) {
            const Fields f = take(p.solverBodies, at, row);
            put(p.solverBodies, at, row, share * f.vector(), f.w);
        }
    });
    return true;
}

} // namespace capstan
