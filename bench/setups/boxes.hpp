// SPDX-License-Identifier: MIT
// Boxes on a plane: the interface for all engines, and the setup. The boxes are equal cubes of 1 m and 1 kg with
// friction 0.5, without restitution and sleeping. All engines report a Motion per box, as in chains.hpp.
#pragma once

#include <bench/peers/capstan_ropes.hpp>
#include <bench/setups/chains.hpp>

namespace capstan::bench {

struct BoxSetup {
    static constexpr double edge = 1, mass = 1, friction = 0.5; // m, kg
    std::vector<Vec3d> positions;                               // of centres; the ground is y = 0
};

class Boxes {
public:
    virtual ~Boxes() = default;
    virtual void frame() = 0; // the only call that is timed
    virtual void read(std::vector<Motion>& out) const = 0;
    virtual int contacts() const = 0; // number of contact points
    // Returns how far the ray gets until it meets a box or the ground [m]; -1: it meets none within the unit vector times
    // `reach`. An engine without this call returns -1.
    virtual double castRay(Vec3d, Vec3d, double) const { return -1; }
    virtual std::uint64_t hash() const { return 0; } // of the state; 0 if the engine has no hash
    virtual Quality counts() const { return {}; }    // the engine's own counters
};

std::unique_ptr<Boxes> makeCapstanBoxes(const BoxSetup& setup, const Tuning& tuning);
// These return null if the engine was not available at build time.
std::unique_ptr<Boxes> makeBulletBoxes(const BoxSetup& setup);
std::unique_ptr<Boxes> makeMujocoBoxes(const BoxSetup& setup);

// Height of the lowest corner of all boxes, m.
double lowestCorner(const std::vector<Motion>& boxes);

} // namespace capstan::bench
