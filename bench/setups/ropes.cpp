// SPDX-License-Identifier: MIT
// Initial positions and crates of a Setup, and stretch and energy of ropes.
#include <bench/setups/ropes.hpp>

#include <cmath>
#include <limits>

namespace capstan::bench {

double Setup::drop() const {
    double joules = 0;
    for (int i = 1; i < nodes; ++i) joules += massOf(i) * gravity * spacing * i;
    return joules;
}

double Setup::crateEdge() const { return std::cbrt(crate / 1000); }

Vec3d Setup::crateCorner() const { return (0.5 * crateEdge()) * Vec3d{-1, 1, 1}; }

Vec3d Setup::crateInertia() const {
    const double i = crate * crateEdge() * crateEdge() / 6;
    return {i, i, i};
}

Vec3d Setup::crateSpin() { return {5.8, 4, -2.83}; } // 7.6 rad/s, about an arbitrary axis

static Setup straight(int ropes, int nodes, double load, Vec3d direction) {
    Setup setup;
    setup.ropes = ropes;
    setup.nodes = nodes;
    setup.load = load;
    setup.position = [direction, spacing = setup.spacing](int rope, int node) {
        return Vec3d{0, 10, 0.2 * rope} + (spacing * node) * direction;
    };
    return setup;
}

Setup horizontal(int ropes, int nodes, double load) { return straight(ropes, nodes, load, {1, 0, 0}); }

Setup vertical(int ropes, int nodes, double load) { return straight(ropes, nodes, load, {0, -1, 0}); }

double stretchOf(const Ropes& ropes, int rope, const Setup& setup, std::vector<Vec3d>& x) {
    ropes.read(rope, x);
    double arc = 0;
    for (std::size_t i = 1; i < x.size(); ++i) arc += length(x[i] - x[i - 1]);
    const double stretch = std::fabs(arc / setup.length() - 1);
    return std::isfinite(stretch) ? stretch : std::numeric_limits<double>::infinity();
}

} // namespace capstan::bench
