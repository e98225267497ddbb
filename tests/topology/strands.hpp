// SPDX-License-Identifier: MIT
//
// Strands in space made from braid words, and ways to deform them such that no strand passes through another. So the
// braid is known. x is to the right, y up, z towards the viewer; strands run down.
#pragma once

#include <capstan/topology/braid.hpp>
#include <capstan/topology/polylines.hpp>

#include "random_words.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace capstan {

using Curve = std::vector<Vec3d>;

inline double unit(RandomWords& random) { return static_cast<double>(random.engine()) / 4294967296.0; }
inline double spread(RandomWords& random) { return 2.0 * unit(random) - 1.0; }

// Strand k starts at (k, 0, 0). In letter j (heights -j to -j-1) two strands make half a turn around each other. For
// +i the strand from position i + 1 passes in front, at z > 0. Each letter has `perLetter` segments.
inline std::vector<Curve> strandsOf(const BraidWord& word, int n, int perLetter) {
    std::vector<Curve> strands(static_cast<std::size_t>(n));
    std::vector<std::size_t> at;
    for (int k = 0; k < n; ++k) {
        at.push_back(static_cast<std::size_t>(k));
        strands[static_cast<std::size_t>(k)].push_back({double(k), 0, 0});
    }
    double height = 0;
    for (const int letter : word) {
        const auto left = static_cast<std::size_t>(std::abs(letter) - 1);
        for (int step = 1; step <= perLetter; ++step) {
            const double share = double(step) / perLetter, angle = std::numbers::pi * share;
            for (std::size_t k = 0; k < at.size(); ++k) {
                Vec3d p{double(k), height - share, 0};
                if (k == left || k == left + 1) {
                    // For a positive letter the right strand moves towards the viewer.
                    const double side = k == left ? -0.5 : 0.5;
                    p.x = double(left) + 0.5 + side * std::cos(angle);
                    p.z = (letter > 0 ? side : -side) * std::sin(angle);
                    if (step == perLetter) p = {double(k == left ? left + 1 : left), height - 1, 0};
                }
                strands[at[k]].push_back(p);
            }
        }
        std::swap(at[left], at[left + 1]);
        height -= 1;
    }
    if (word.empty())
        for (std::size_t k = 0; k < at.size(); ++k) strands[k].push_back({double(k), -1, 0});
    return strands;
}

// Applies a one-to-one map of space to all strands, so no strand can pass through another. The map keeps the heights
// 0 and `bottom`, and all points beyond. Afterwards strands that only went down may go up and down.
inline void stir(std::vector<Curve>& strands, double bottom, RandomWords& random, double strength) {
    const double turns = strength * spread(random), waves = 0.5 + unit(random),
                 lift = strength * unit(random);
    const double phase = 6.0 * unit(random), centre = 0.5 * (double(strands.size()) - 1.0);
    for (Curve& strand : strands)
        for (Vec3d& p : strand) {
            const double share = p.y / bottom;
            if (share <= 0 || share >= 1) continue;
            const double bump = std::sin(std::numbers::pi * share) * std::sin(std::numbers::pi * share);
            const double angle = 3.0 * turns * bump, x = p.x - centre, z = p.z;
            p.x = centre + std::cos(angle) * x - std::sin(angle) * z;
            p.z = std::sin(angle) * x + std::cos(angle) * z;
            // The derivative of the lift by y stays above -1, so the map is one to one.
            const double most = 0.9 * std::abs(bottom) / std::numbers::pi;
            p.y += std::min(lift, most) * bump * std::sin(waves * p.x + 0.7 * p.z + phase);
        }
}

// Adds kinks: in the middle of some segments the strand goes back by at most `size`.
inline void kink(std::vector<Curve>& strands, RandomWords& random, double size, int oneIn) {
    for (Curve& strand : strands) {
        Curve out;
        for (std::size_t k = 0; k + 1 < strand.size(); ++k) {
            out.push_back(strand[k]);
            if (random.below(oneIn) != 0) continue;
            const Vec3d a = strand[k], u = strand[k + 1] - a;
            const Vec3d across = normalize(cross(u, Vec3d{spread(random), spread(random), 2.0}));
            const Vec3d aside = normalize(cross(u, across));
            out.push_back(a + 0.6 * u + size * across);
            out.push_back(a + 0.4 * u + 2.0 * size * across + size * aside);
            out.push_back(a + 0.55 * u - size * across + 2.0 * size * aside);
        }
        out.push_back(strand.back());
        strand = out;
    }
}

inline Polylines asRopes(const std::vector<Curve>& curves, bool closed = false) {
    Polylines ropes;
    // If a curve is rejected, the list becomes empty, which the tests detect by its size.
    for (const Curve& c : curves)
        if (!ropes.add(c, closed)) ropes.ropes.clear();
    return ropes;
}

} // namespace capstan
