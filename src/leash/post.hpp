// SPDX-License-Identifier: MIT
// These are the constants of a dog as a body, and of a handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace capstan {

inline constexpr std::size_t kMostDogs = 12;
inline constexpr float kThick = 0.12f; // m, radius
inline constexpr float kCollar = 0.5f; // m, height of the collar: the top
// kMiddle is the height of the middle, m: the post reaches 0.1 m into the ground, so nothing gets under it.
inline constexpr float kMiddle = 0.2f;
// kInertia is inertia per mass, m^2: far more than the shape has, so that the dog stays upright.
inline constexpr float kInertia = 0.5f;
inline constexpr float kStiff = 20; // rad/s, of the spring that holds it upright
inline constexpr std::uint32_t kGroundCategory = 1u << 30;
// fingerCategory gives the filter category of the finger that holds dog i's leash: one each, up to kMostDogs.
inline constexpr std::uint32_t fingerCategory(std::size_t i) { return 1u << (18 + i); }
inline constexpr float kFinger = 0.01f;      // m, radius of a finger
inline constexpr float kFingerLength = 0.5f; // m: a leash would have to be thrown over this
inline constexpr float kHandSpeed = 0.8f;    // m/s, up and down

} // namespace capstan
