// SPDX-License-Identifier: MIT
// The numbers of a dog as a body, and of a handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace capstan {

inline constexpr std::size_t kMostDogs = 12;
inline constexpr float kThick = 0.12f; // m, radius
inline constexpr float kCollar = 0.5f; // m, height of the collar: the top
inline constexpr float kMiddle = 0.2f; // m; so it reaches 0.1 m into the ground, and nothing gets under it
inline constexpr float kInertia =
    0.5f; // m^2: inertia per mass, far more than the shape has, so that it stays upright
inline constexpr float kStiff = 20; // rad/s of its standing
inline constexpr std::uint32_t kGroundCategory = 1u << 30;
// Of the finger that holds dog i's leash: one category each, up to kMostDogs.
inline constexpr std::uint32_t fingerCategory(std::size_t i) { return 1u << (18 + i); }
inline constexpr float kFinger = 0.01f;      // m, radius of a finger
inline constexpr float kFingerLength = 0.5f; // m: what a leash would have to be thrown over
inline constexpr float kHandSpeed = 0.8f;    // m/s up and down

} // namespace capstan
