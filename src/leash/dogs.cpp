// SPDX-License-Identifier: MIT
// The wanted velocity of a dog: a sum of wishes, weighted by its temperament, with random stops to sniff. Each dog
// has its own random numbers by splitmix64 (G. Steele et al., OOPSLA 2014), so that no dog depends on another dog.
#include <capstan/leash/walk.hpp>

#include <algorithm>

namespace capstan {
namespace {

float roll(std::uint64_t& state) { // returns a random number, 0 to 1
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return float(z >> 40) * 0x1p-24f;
}

Vec3 flat(Vec3 v) { return normalize(Vec3{v.x, 0, v.z}, {0, 0, 0}); }

} // namespace

Vec3 LeashWalk::wish(const World& world, std::size_t i, float dt) {
    Dog& dog = dogs_[i];
    const Wishes w = wishesOf(dog.temperament);
    dog.heading += 4 * sqrt(dt) * (roll(dog.dice) - 0.5f) * 2;
    const float whim = roll(dog.dice),
                // Drawn in every frame, so that the random sequence does not depend on the stops.
        howLong = roll(dog.dice);
    if (dog.sniffing > 0) {
        dog.sniffing -= dt;
        return {0, 0, 0};
    }
    if (whim < w.sniff * dt) dog.sniffing = 0.5f + 2 * howLong;

    const Vec3 x = positionOf(world, i), home = hand_ - x;
    const float away = length(Vec3{home.x, 0, home.z});
    // A wandering dog turns round before its leash is tight.
    if (away > 0.85f * def_.length && w.pull == 0) {
        const Vec3 back = flat(home);
        const float to = atan2(back.z, back.x);
        const SinCos<float> off = sincos(to - dog.heading);
        dog.heading += 3 * dt * atan2(off.sin, off.cos);
    }
    const SinCos<float> h = sincos(dog.heading);
    Vec3 sum = w.wander * Vec3{h.cos, 0, h.sin};
    if (away > 0.6f) sum = sum + w.follow * flat(home);
    sum = sum - w.pull * flat(home);
    for (std::size_t j = 0; j < dogs_.size(); ++j) {
        if (j == i || !world.isValid(dogs_[j].body)) continue;
        const Vec3 apart = x - positionOf(world, j);
        const float d = length(Vec3{apart.x, 0, apart.z});
        if (d < 1.5f) sum = sum + (w.avoid * (1.5f - d) / 1.5f) * flat(apart);
    }
    return w.speed * flat(sum) + (state_ == State::Walking ? def_.stroll : Vec3{0, 0, 0});
}

} // namespace capstan
