// SPDX-License-Identifier: MIT
// Chains of boxes joined end to end: the interface for all engines. Every engine gets the same ChainSetup, advances
// by whole frames, and reports positions, rotations and velocities of bodies. Gaps, axis errors and energies are
// computed from these here, in double, so that the formulas are the same for all engines.
#pragma once

#include <bench/setups/ropes.hpp>

namespace capstan::bench {

enum class Link { Ball, Hinge }; // axes of hinges are along z

// Equal straight chains along +x, 0.2 m apart in z. The world holds the near end of each chain's first link. There is
// no damping, no contact and no sleeping.
struct ChainSetup {
    static constexpr double linkMass = 0.1, linkLength = 0.1, linkWidth = 0.04; // kg, m, m

    Link link = Link::Ball;
    int links = 100;
    double load = 0; // kg, mass of a cube as dense as water behind the last link; 0: no load
    int chains = 1;

    int bodies() const { return links + (load > 0); }
    double massOf(int body) const { return body < links ? linkMass : load; }
    Vec3d sizeOf(int body) const;    // m, full edges
    Vec3d inertiaOf(int body) const; // kg m^2, of a solid box, about its centre
    Vec3d rootOf(int chain) const { return {0, 20, 0.2 * chain}; }
    Vec3d positionOf(int chain, int body) const; // m, a body's centre at the start
    // A body is held at the middle of its -x face and holds the next body at the middle of its +x face.
    Vec3d heldAt(int body) const { return {-0.5 * sizeOf(body).x, 0, 0}; }
    Vec3d holdsAt(int body) const { return {0.5 * sizeOf(body).x, 0, 0}; }
    // Returns the energy that gravity can release in one chain [J]: the sum of m g x.
    double drop() const;
};

struct Motion { // state of one body
    Vec3d x;    // m, centre of mass
    Quatd q;
    Vec3d v, w; // m/s, of the centre of mass; rad/s, in the world
};

struct ChainState {
    Vec3d root; // m, the point where the world holds the first link
    std::vector<Motion> bodies;
};

// Returns the largest distance between the two anchors of a joint [m]; infinite if a number is not finite.
double gapOf(const ChainSetup& setup, const ChainState& state);
// Returns the largest angle between the two axes of a hinge [rad]; infinite if a number is not finite.
double axisErrorOf(const ChainState& state);
// Returns kinetic plus potential energy [J].
double energyOf(const ChainSetup& setup, const ChainState& state);

class Chains {
public:
    virtual ~Chains() = default;
    virtual void frame() = 0; // the only call that is timed
    virtual void read(int chain, ChainState& out) const = 0;
    virtual std::uint64_t hash() const { return 0; } // hash of the state; 0 if the engine has no hash
    virtual Quality counts() const { return {}; }    // the engine's own counters of failures
};

// Each of these functions makes one chain, or returns null if the engine was not available at build time.
std::unique_ptr<Chains> makeBulletJoints(const ChainSetup& setup, int substeps);
std::unique_ptr<Chains> makeBulletMultiBody(const ChainSetup& setup, int substeps);
std::unique_ptr<Chains> makeMujocoChain(const ChainSetup& setup, int substeps);

} // namespace capstan::bench
