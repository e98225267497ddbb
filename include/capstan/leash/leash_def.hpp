// SPDX-License-Identifier: MIT
//
// LeashDef describes a handler and dogs on leashes. A dog is a body that the force of its legs pushes over the ground.
// Its temperament and a seed give the velocity that it wants; its leash limits the velocity that it gets.
#pragma once

#include <capstan/field.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/tangle/tangle.hpp>

#include <string>
#include <vector>

namespace capstan {

enum class Temperament { Wander, Follow, Sniff, Pull, Avoid };

// Wishes are the components of a temperament: each wish is a direction, and the directions are added with these
// weights.
struct Wishes {
    float speed;  // m/s, preferred walking speed
    float wander; // along a heading that turns at random
    float follow; // towards the handler
    float pull;   // away from the handler
    float avoid;  // away from other dogs
    float sniff;  // stops per second
};
inline constexpr Wishes wishesOf(Temperament t) {
    constexpr Wishes all[] = {{1.1f, 1, 0.2f, 0, 0.1f, 0.05f},
                              {1.2f, 0.4f, 1, 0, 0.2f, 0},
                              {0.8f, 1, 0.1f, 0, 0.1f, 0.5f},
                              {1.6f, 0.6f, 0, 1, 0, 0},
                              {1.2f, 0.5f, 0.2f, 0, 1, 0.05f}};
    return all[int(t)];
}

struct DogDef {
    std::string name = {};
    Temperament temperament = Temperament::Wander;
    float mass = 20;
    float strength = 100;
};

template <DefOf<DogDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "what it is called; left out, dog1, dog2, ..."));
    visit("temperament", d.temperament, any("", "wander, follow, sniff, pull or avoid"));
    visit("mass", d.mass, above(0, "kg", "of the dog"));
    visit("strength", d.strength, atLeast(0, "N", "most that it pushes with"));
}

struct LeashDef {
    int seed = 1;
    std::vector<DogDef> dogs = {};
    float length = 2;
    int segments = 20;
    float radius = 0.008f;
    float mass = 0.1f;
    float friction = 0.3f;
    float stretchStiffness = 20000;
    Vec3 hand = {0, 1.2f, 0};
    Vec3 stroll = {0, 0, 0};
    float gripSpacing = 0.06f;
    float untangleAt = 0;
    float patience = 15;
    float readEvery = 0.1f;
    TangleDef tangles = {};
};

template <DefOf<LeashDef> D, class V> void fields(D& d, V&& visit) {
    visit("seed", d.seed, any("", "of what the dogs want; the same seed is the same walk"));
    visit("dogs", d.dogs, any("", "from left to right, seen from +z: 1 to 12"));
    visit("length", d.length, within(1, 10, "m", "of each leash"));
    visit("segments", d.segments, within(4, 1000, "", "of each leash"));
    visit("radius", d.radius, within(0.001, 0.02, "m", "half the thickness of a leash"));
    visit("mass", d.mass, above(0, "kg", "of each leash"));
    visit("friction", d.friction, atLeast(0, "", "of the leashes"));
    visit("stretchStiffness", d.stretchStiffness,
          atLeast(0, "N",
                  "EA of the leashes; 0 does not stretch, and a dog that runs into it is stopped at once"));
    visit("hand", d.hand, any("m", "where the handler's hand is; the ground is y = 0"));
    visit("stroll", d.stroll, any("m/s", "speed of the handler"));
    visit("gripSpacing", d.gripSpacing, within(0.02, 0.5, "m", "between the leashes in the hand, along x"));
    visit("untangleAt", d.untangleAt,
          atLeast(0, "s", "when the handler begins to untangle the leashes; 0 never"));
    visit("patience", d.patience, above(0, "s", "without progress for so long, untangling gives up"));
    visit("readEvery", d.readEvery, atLeast(0, "s", "how often the braid is read from the leashes too"));
    visit("tangles", d.tangles, any("", "what counts as a tangle of leashes"));
}

} // namespace capstan
