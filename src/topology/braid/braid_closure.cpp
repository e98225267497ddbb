// SPDX-License-Identifier: MIT
//
// See braid_closure.hpp.
#include <capstan/topology/braid_closure.hpp>

#include <capstan/math/transcendental.hpp>

#include <algorithm>
#include <cstddef>
#include <numbers>

namespace capstan {
namespace {

constexpr double pi = std::numbers::pi;

// Returns a point of a ring; `share` is its fraction of the turn. "Down" in the picture of the braid is clockwise
// around the z axis. So the axes (outwards, counter-clockwise, up) form a right-handed triple like (right, up, to the
// viewer).
Vec3d bent(double radius, double share, double height) {
    const SinCos<double> a = sincos(-2.0 * pi * share);
    return {radius * a.cos, radius * a.sin, height};
}

} // namespace

Result<std::vector<std::vector<Vec3d>>> closedBraid(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    const auto slots = std::max<std::size_t>(1, word.size());
    // Number of points per letter.
    const std::size_t steps = std::max<std::size_t>(8, (48 + slots - 1) / slots);
    std::vector<std::vector<Vec3d>> rings;
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    for (int start = 0; start < n; ++start) {
        if (seen[static_cast<std::size_t>(start)]) continue;
        std::vector<Vec3d> ring;
        int at = start;
        do {
            seen[static_cast<std::size_t>(at)] = true;
            for (std::size_t k = 0; k < slots; ++k) {
                const int letter = word.empty() ? 0 : word[k], left = (letter > 0 ? letter : -letter) - 1;
                const bool crosses = letter != 0 && (at == left || at == left + 1);
                // + if the strand comes from the right; for a positive letter it passes in front.
                const double side = at == left ? -0.5 : 0.5;
                for (std::size_t i = 0; i < steps; ++i) {
                    const double within = static_cast<double>(i) / static_cast<double>(steps);
                    const double share = (static_cast<double>(k) + within) / static_cast<double>(slots);
                    const SinCos<double> half = sincos(pi * within);
                    const double x = crosses ? left + 0.5 + side * half.cos : at;
                    const double z = crosses ? (letter > 0 ? side : -side) * half.sin : 0.0;
                    ring.push_back(bent(n + x, share, z));
                }
                if (crosses) at = at == left ? left + 1 : left;
            }
        } while (at != start);
        rings.push_back(std::move(ring));
    }
    return rings;
}

} // namespace capstan
