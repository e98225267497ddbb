// SPDX-License-Identifier: MIT
// Geometry of a ChainSetup, and gaps, axis errors and energies of a ChainState.
#include <bench/setups/chains.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::bench {

Vec3d ChainSetup::sizeOf(int body) const {
    if (body < links) return {linkLength, linkWidth, linkWidth};
    const double edge = std::cbrt(load / 1000);
    return {edge, edge, edge};
}

Vec3d ChainSetup::inertiaOf(int body) const {
    const Vec3d s = sizeOf(body);
    return (massOf(body) / 12) * Vec3d{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y};
}

Vec3d ChainSetup::positionOf(int chain, int body) const {
    return rootOf(chain) + Vec3d{linkLength * body + 0.5 * sizeOf(body).x, 0, 0};
}

double ChainSetup::drop() const {
    double joules = 0;
    for (int i = 0; i < bodies(); ++i) joules += massOf(i) * gravity * positionOf(0, i).x;
    return joules;
}

double gapOf(const ChainSetup& setup, const ChainState& state) {
    double worst = 0;
    Vec3d held = state.root;
    for (int i = 0; i < int(state.bodies.size()); ++i) {
        const Motion& b = state.bodies[i];
        const double gap = length(b.x + rotate(b.q, setup.heldAt(i)) - held);
        if (!std::isfinite(gap)) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, gap);
        held = b.x + rotate(b.q, setup.holdsAt(i));
    }
    return worst;
}

double axisErrorOf(const ChainState& state) {
    double worst = 0;
    Vec3d axis = {0, 0, 1};
    for (const Motion& b : state.bodies) {
        const Vec3d next = axisZ(b.q);
        const double error = std::atan2(length(cross(axis, next)), dot(axis, next));
        if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, error);
        axis = next;
    }
    return worst;
}

double energyOf(const ChainSetup& setup, const ChainState& state) {
    double joules = 0;
    for (int i = 0; i < int(state.bodies.size()); ++i) {
        const Motion& b = state.bodies[i];
        joules += bodyEnergy(setup.massOf(i), setup.inertiaOf(i), b.x, b.q, b.v, b.w);
    }
    return joules;
}

} // namespace capstan::bench
