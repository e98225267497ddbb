// SPDX-License-Identifier: MIT
// Constants of the bodies of dogs, and of the handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace capstan {

inline constexpr std::size_t kMostDogs = 12;
inline constexpr float kThick = 0.12f; // m, radius of a dog
inline constexpr float kCollar = 0.5f; // m, height of the collar, which is the top of the dog
// Height of the middle of a dog, m. The post extends 0.1 m into the ground, so no leash gets under it.
inline constexpr float kMiddle = 0.2f;
// Moment of inertia over mass, m^2. It is far larger than that of the shape, so that the dog stays upright.
inline constexpr float kInertia = 0.5f;
inline constexpr float kStiff = 20; // rad/s, angular frequency of the spring that holds the dog upright
// Filter category of the ground.
inline constexpr std::uint32_t kGroundCategory = 1u << 30;
// Returns the filter category of the finger that holds the leash of dog i: one category each, up to kMostDogs.
inline constexpr std::uint32_t fingerCategory(std::size_t i) { return 1u << (18 + i); }
inline constexpr float kFinger = 0.01f;      // m, radius of a finger
inline constexpr float kFingerLength = 0.5f; // m, high enough that no leash slips over it
inline constexpr float kHandSpeed = 0.8f;    // m/s, vertical speed of the hand

} // namespace capstan
