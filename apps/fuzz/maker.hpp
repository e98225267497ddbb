// SPDX-License-Identifier: MIT
// Maker: what the generators of objects and of edits share. It holds the dice, the recipe so far, free places, and the
// names of what exists.
//
// Objects start in cells of a grid, one in each, so that nothing overlaps at the start. An overlap is driven apart, and
// then neither the energy nor the passes of that world can be judged.
#pragma once

#include <apps/fuzz/recipe.hpp>
#include <worlds/dice.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace capstan::fuzz {

struct Names {
    std::vector<std::string> ropes, bodies, joints, cloths, hairs, all;
};

class Maker {
public:
    explicit Maker(std::uint64_t seed);

    float between(double low, double high) { return float(dice_.between(low, high)); }
    // A number whose logarithm is spread evenly.
    float spread(double low, double high) {
        return float(std::exp(dice_.between(std::log(low), std::log(high))));
    }
    int pick(int count) { return std::min(int(dice_.between(0, count)), count - 1); }
    int within(int low, int high) { return low + pick(high - low + 1); }
    bool chance(double share) { return dice_.between(0, 1) < share; }
    template <class T> const T& oneOf(const std::vector<T>& list) {
        return list[std::size_t(pick(int(list.size())))];
    }
    Vec3 direction() { return narrow(dice_.direction()); }
    Vec3 vector(double size) {
        const float x = between(-size, size), y = between(-size, size);
        return {x, y, between(-size, size)};
    }
    Quatf turn();

    // The cells lie in layers above y = 0, `kCell` apart. Returns false when none is free.
    static constexpr float kCell = 0.6f;
    bool cell(Vec3& center);
    bool column(Vec3& low, Vec3& high); // two free cells above each other
    bool row(Vec3& from, Vec3& to);     // a free row along x
    Vec3 anywhere() { return vector(1.2) + Vec3{0, 1.5f, 0}; }

    Op& op(const char* verb, std::string name = {}) {
        recipe.ops.push_back({verb, std::move(name)});
        return recipe.ops.back();
    }
    std::string named(char letter, std::vector<std::string>& list);
    // Adds an object. Its Def becomes words.
    template <class D> std::string add(const char* verb, std::vector<std::string>& list, const D& def) {
        const std::string name = named(verb[0], list);
        op(verb, name).words = wordsOf(def);
        return name;
    }

    Recipe recipe;
    Names names;
    bool quiet = false; // nothing does work that cannot be added up

private:
    static constexpr int kAcross = 4, kHigh = 3;
    bool free(int i, int j, int k) const { return !taken_[i][j][k]; }
    Vec3 take(int i, int j, int k);
    bool taken_[kAcross][kHigh][kAcross] = {};
    Dice dice_;
    int count_ = 0;
};

void addObjects(Maker& make); // world, ground and the objects of the start
void addObject(Maker& make);  // one more, of any kind
void addEdit(Maker& make);    // one call on what exists, or may exist no more

// The recipe of a seed.
Recipe generate(std::uint64_t seed, int steps);

} // namespace capstan::fuzz
