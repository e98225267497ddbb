// SPDX-License-Identifier: MIT
// Ropes: the interface for all engines. Every engine gets the same Setup, advances by whole frames, and reports the
// same values. So a difference between two rows is a difference between engines.
#pragma once

#include <capstan/math/quat.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace capstan::bench {

inline constexpr double frameTime = 1.0 / 60; // s
inline constexpr double gravity = 9.81;       // m/s^2, along -y

using Quality = std::vector<std::pair<std::string, double>>;

// Equal ropes of point masses, each pinned at its first node. There is no damping, no contact and no sleeping.
struct Setup {
    int ropes = 1;
    int nodes = 100;
    double spacing = 0.05;  // m between neighbouring nodes, at the start and at rest
    double nodeMass = 0.01; // kg
    double load = 0;        // kg, mass of the last node; 0: as all other nodes
    // Mass [kg] of a cube as dense as water with one corner attached to the last node; 0: no crate.
    double crate = 0;
    std::function<Vec3d(int rope, int node)> position; // m, position of a node at the start

    double length() const { return spacing * (nodes - 1); }
    double massOf(int node) const { return load > 0 && node == nodes - 1 ? load : nodeMass; }
    // Returns the energy that gravity can release in one rope that starts level with its pin [J].
    double drop() const;

    // The crate starts with a rotation about the corner at which the rope is attached.
    double crateEdge() const;   // m
    Vec3d crateCorner() const;  // m, relative to its centre
    Vec3d crateInertia() const; // kg m^2
    static Vec3d crateSpin();   // rad/s, angular velocity at the start
};

// Straight ropes from pins at (0, 10, z), horizontal or vertical. Neighbours are 0.2 m apart in z.
Setup horizontal(int ropes, int nodes, double load = 0);
Setup vertical(int ropes, int nodes, double load = 0);

class Ropes {
public:
    virtual ~Ropes() = default;
    virtual void frame() = 0;                                     // the only call that is timed
    virtual void read(int rope, std::vector<Vec3d>& x) const = 0; // m, positions of all nodes
    // Returns kinetic plus potential energy [J], without the pin.
    virtual double energy(int rope) const = 0;
    virtual double gap(int) const { return 0; }      // m, between the last node and the crate's corner
    virtual std::uint64_t hash() const { return 0; } // hash of the state; 0 if the engine has no hash
    virtual Quality counts() const { return {}; }    // the engine's own counters of failures
};

inline double pointEnergy(double mass, Vec3d x, Vec3d v) { return mass * (0.5 * dot(v, v) + gravity * x.y); }

// Returns |arc length / rest length - 1| of one rope, or infinity if a position is not finite. `x` is scratch memory.
double stretchOf(const Ropes& ropes, int rope, const Setup& setup, std::vector<Vec3d>& x);

// Returns kinetic plus potential energy [J] of a body. I are its principal moments of inertia [kg m^2].
// Its centre is at x with the velocity v. Its rotation is q, and its angular velocity w.
inline double bodyEnergy(double mass, Vec3d I, Vec3d x, Quatd q, Vec3d v, Vec3d w) {
    const Vec3d own = rotate(conjugate(q), w);
    return pointEnergy(mass, x, v) + 0.5 * dot(Vec3d{I.x * own.x, I.y * own.y, I.z * own.z}, own);
}

// These functions return null if the engine was not available at build time.
std::unique_ptr<Ropes> makeBullet(const Setup& setup, int iterations);
std::unique_ptr<Ropes> makeMujoco(const Setup& setup); // one straight rope

} // namespace capstan::bench
