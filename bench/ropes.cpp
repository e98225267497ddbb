// SPDX-License-Identifier: MIT
#include <bench/ropes.hpp>

#include <cmath>
#include <limits>

namespace capstan::bench {

double Setup::drop() const {
    double joules = 0;
    for (int i = 1; i < nodes; ++i) joules += massOf(i) * gravity * spacing * i;
    return joules;
}

static Setup straight(int ropes, int nodes, double load, Vec3d direction) {
    Setup setup;
    setup.ropes = ropes;
    setup.nodes = nodes;
    setup.load = load;
    setup.place = [direction, spacing = setup.spacing](int rope, int node) {
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
