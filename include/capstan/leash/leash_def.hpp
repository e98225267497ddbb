// SPDX-License-Identifier: MIT
//
// LeashDef describes a handler and dogs on leashes. A dog is a body that is pushed over the ground by a force. Its
// temperament and a seed give its wanted velocity; its leash limits the actual velocity.
#pragma once

#include <capstan/field.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/tangle/tangle.hpp>

#include <string>
#include <vector>

namespace capstan {

enum class Temperament { Wander, Follow, Sniff, Pull, Avoid };

// Each wish is a direction of motion with a weight. The wanted direction of a dog is the weighted sum of its wishes.
struct Wishes {
    float speed;  // m/s, preferred walking speed
    float wander; // weight of a heading that turns at random
    float follow; // weight of the direction towards the handler
    float pull;   // weight of the direction away from the handler
    float avoid;  // weight of the direction away from other dogs
    float sniff;  // 1/s, mean rate of stops
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
    visit("name", d.name, any("", "name of the dog; left out: dog1, dog2, ..."));
    visit("temperament", d.temperament,
          any("", "temperament of the dog: wander, follow, sniff, pull or avoid"));
    visit("mass", d.mass, above(0, "kg", "mass of the dog"));
    visit("strength", d.strength, atLeast(0, "N", "largest force of the dog"));
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
    visit("seed", d.seed, any("", "seed of the dogs' decisions; equal seeds make equal walks"));
    visit("dogs", d.dogs, any("", "dogs from left to right as seen from +z: 1 to 12"));
    visit("length", d.length, within(1, 10, "m", "length of each leash"));
    visit("segments", d.segments, within(4, 1000, "", "number of segments of each leash"));
    visit("radius", d.radius, within(0.001, 0.02, "m", "radius of a leash"));
    visit("mass", d.mass, above(0, "kg", "mass of each leash"));
    visit("friction", d.friction, atLeast(0, "", "coefficient of friction of the leashes"));
    visit("stretchStiffness", d.stretchStiffness,
          atLeast(0, "N",
                  "EA of the leashes: force per unit strain; 0: a leash does not stretch, and a dog at its "
                  "end stops at once"));
    visit("hand", d.hand, any("m", "position of the handler's hand; the ground is y = 0"));
    visit("stroll", d.stroll, any("m/s", "velocity of the handler"));
    visit("gripSpacing", d.gripSpacing,
          within(0.02, 0.5, "m", "distance between the leashes in the hand, along x"));
    visit("untangleAt", d.untangleAt,
          atLeast(0, "s", "time at which the handler begins to untangle the leashes; 0: never"));
    visit("patience", d.patience, above(0, "s", "time without progress after which untangling gives up"));
    visit("readEvery", d.readEvery,
          atLeast(0, "s", "time between two readings of the braid from the leashes themselves"));
    visit("tangles", d.tangles, any("", "rules for tangles of leashes"));
}

} // namespace capstan
