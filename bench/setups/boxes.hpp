// SPDX-License-Identifier: MIT
// Boxes on a plane as some engine runs them: equal cubes of 1 m and 1 kg, friction 0.5 between any two things, no
// bounce, no sleeping. Read in the same way from every engine, as chains are.
#pragma once

#include <bench/peers/capstan_ropes.hpp>
#include <bench/setups/chains.hpp>

namespace capstan::bench {

struct BoxSetup {
    static constexpr double edge = 1, mass = 1, friction = 0.5; // m, kg
    std::vector<Vec3d> places;                                  // of centres; the ground is y = 0
};

BoxSetup boxStack(int boxes);
BoxSetup boxPile(int boxes);

class Boxes {
public:
    virtual ~Boxes() = default;
    virtual void frame() = 0; // the only call that is timed
    virtual void read(std::vector<Motion>& out) const = 0;
    virtual int touching() const = 0;                // points of contact
    virtual std::uint64_t hash() const { return 0; } // of the state, where the engine has one
    virtual Quality counts() const { return {}; }    // what the engine says of itself
};

std::unique_ptr<Boxes> makeCapstanBoxes(const BoxSetup& setup, const Tuning& tuning);
// Null where the engine was not there when this was built.
std::unique_ptr<Boxes> makeBulletBoxes(const BoxSetup& setup);
std::unique_ptr<Boxes> makeMujocoBoxes(const BoxSetup& setup);

// m, of the lowest corner of all boxes.
double lowestCorner(const std::vector<Motion>& boxes);

} // namespace capstan::bench
