// SPDX-License-Identifier: MIT
// Dice: random numbers that are the same on every machine. The standard library's distributions differ between
// compilers. Source: G. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014 (splitmix64).
#pragma once

#include <capstan/math/vec.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace capstan {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    double between(double low, double high) { return low + (high - low) * double(next() >> 11) * 0x1p-53; }
    Vec3d direction() {
        const double y = between(-1, 1), a = between(0, 2 * std::numbers::pi), r = std::sqrt(1 - y * y);
        return {r * std::cos(a), y, r * std::sin(a)};
    }

private:
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

} // namespace capstan
