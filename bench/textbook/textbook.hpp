// SPDX-License-Identifier: MIT
// The textbook loop: position based dynamics, written in the simplest way. Its time is the reference of all rows.
//   v += h g;  p = x + h v;  k iterations over the links, from pin to tip, on p;  v = (p - x) / h;  x = p
// Here x are positions, v velocities, p predicted positions, h the time step and g gravity. A link moves its two ends
// along the line between them, weighted by inverse mass, until it has its rest length.
// Gauss-Seidel uses each correction at once. Jacobi sums the corrections of an iteration and applies their average at
// each node.
// Source: M. Mueller et al., "Position Based Dynamics", J. Vis. Commun. Image R. 18 (2007), section 3.
#pragma once

#include <bench/setups/ropes.hpp>

#include <cstddef>

namespace capstan::bench {

enum class Sweep { GaussSeidel, Jacobi };

class TextbookRopes final : public Ropes {
public:
    TextbookRopes(const Setup& setup, int iterations, Sweep sweep = Sweep::GaussSeidel);

    void frame() override;
    void read(int rope, std::vector<Vec3d>& x) const override;
    double energy(int rope) const override;

    void movePin(int rope, Vec3 position);
    void hold(int rope, int node, Vec3 position); // m, fixes the node at a position from now on
    void kick(int rope, int node, Vec3 velocity); // m/s, added to the node's velocity
    std::size_t bytes() const;

private:
    struct Particle {
        Vec3 x, p, v;
        float m, w; // kg and 1/kg: mass and inverse mass; w is 0 for the pin
    };
    static_assert(sizeof(Particle) == 44);
    struct Link {
        int a, b;
        float rest;
    };
    struct Rope {
        std::vector<Particle> particles;
        std::vector<Link> links;
    };

    static void iterateGaussSeidel(Rope& rope);
    void iterateJacobi(Rope& rope);
    void step(Rope& rope);

    std::vector<Rope> ropes_;
    // Jacobi: sum of the corrections of each node; touched_ is the number of corrections.
    std::vector<Vec3> shift_;
    std::vector<int> touched_;
    int iterations_;
    Sweep sweep_;
};

} // namespace capstan::bench
