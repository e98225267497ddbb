// SPDX-License-Identifier: MIT
// The textbook loop: position based dynamics, written in the simplest way. It is the yardstick of every row.
//   v += h g;  p = x + h v;  k iterations over the links, from pin to tip, on p;  v = (p - x) / h;  x = p
// A link moves its two ends along the line between them, by inverse mass, until it has its rest length.
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
    void hold(int rope, int node, Vec3 position); // holds the node at a position from now on
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
    std::vector<Vec3> shift_; // Jacobi: sum of the corrections of each node; touched_ is their number
    std::vector<int> touched_;
    int iterations_;
    Sweep sweep_;
};

} // namespace capstan::bench
