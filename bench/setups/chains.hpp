// SPDX-License-Identifier: MIT
// Chains: boxes joined end to end, as some engine runs them. Every engine is made from the same ChainSetup,
// advanced by whole frames and read in the same way: places, turns and speeds of bodies. What is said of them (gaps,
// axes, energy) is then worked out here, in double, for all engines alike.
#pragma once

#include <bench/setups/ropes.hpp>

namespace capstan::bench {

enum class Link { Ball, Hinge }; // hinges turn about z

// Equal straight chains along +x, each held by the world at the near end of its first link, and 0.2 m apart in z. No
// damping, no contact, no sleeping.
struct ChainSetup {
    static constexpr double linkMass = 0.1, linkLength = 0.1, linkWidth = 0.04; // kg, m, m

    Link link = Link::Ball;
    int links = 100;
    double load = 0; // kg, a cube as dense as water behind the last link; 0: none
    int chains = 1;

    int bodies() const { return links + (load > 0); }
    double massOf(int body) const { return body < links ? linkMass : load; }
    Vec3d sizeOf(int body) const;    // full edges
    Vec3d inertiaOf(int body) const; // of a solid box, about its centre
    Vec3d rootOf(int chain) const { return {0, 20, 0.2 * chain}; }
    Vec3d placeOf(int chain, int body) const; // of a body's centre, at the start
    // A body is held at the middle of its -x face and holds the next one at the middle of its +x face.
    Vec3d heldAt(int body) const { return {-0.5 * sizeOf(body).x, 0, 0}; }
    Vec3d holdsAt(int body) const { return {0.5 * sizeOf(body).x, 0, 0}; }
    // Joules that gravity can give to one chain: sum of m g x.
    double drop() const;
};

struct Motion { // of one body
    Vec3d x;    // centre of mass
    Quatd q;
    Vec3d v, w; // of the centre; rad/s in the world
};

struct ChainState {
    Vec3d root; // where the world holds the first link
    std::vector<Motion> bodies;
};

// Largest distance between the two anchors of a joint, m; infinite where a number is not finite.
double gapOf(const ChainSetup& setup, const ChainState& state);
// Largest angle between the two axes of a hinge, rad; infinite where a number is not finite.
double axisErrorOf(const ChainState& state);
// J, kinetic and of height.
double energyOf(const ChainSetup& setup, const ChainState& state);

class Chains {
public:
    virtual ~Chains() = default;
    virtual void frame() = 0; // the only call that is timed
    virtual void read(int chain, ChainState& out) const = 0;
    virtual std::uint64_t hash() const { return 0; } // of the state, where the engine has one
    virtual Quality counts() const { return {}; }    // what the engine says of its own trouble
};

// One chain each. Null where the engine was not there when this was built.
std::unique_ptr<Chains> makeBulletJoints(const ChainSetup& setup, int substeps);
std::unique_ptr<Chains> makeBulletMultiBody(const ChainSetup& setup, int substeps);
std::unique_ptr<Chains> makeMujocoChain(const ChainSetup& setup, int substeps);

} // namespace capstan::bench
