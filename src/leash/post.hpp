// SPDX-License-Identifier: MIT
// The numbers of a dog as a body, and of a handler.
#pragma once

#include <cstddef>

namespace capstan {

inline constexpr std::size_t kMostDogs = 12;
inline constexpr float kThick = 0.12f; // m, radius
inline constexpr float kCollar = 0.5f; // m, height of the collar: the top
inline constexpr float kMiddle = 0.2f; // m; so it reaches 0.1 m into the ground, and nothing gets under it
inline constexpr float kInertia =
    0.5f; // m^2: inertia per mass, far more than the shape has, so that it stays upright
inline constexpr float kStiff = 20; // rad/s of its standing
inline constexpr int kGroundLayer = 30;
inline constexpr int kFingerLayer = 18;      // of the first dog's finger; one layer each, up to kMostDogs
inline constexpr float kFinger = 0.01f;      // m, radius of a finger
inline constexpr float kFingerLength = 0.5f; // m: what a leash would have to be thrown over
inline constexpr float kHandSpeed = 0.8f;    // m/s up and down

} // namespace capstan
