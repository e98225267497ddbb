// SPDX-License-Identifier: MIT
// Dogs on leashes that benchmarks, tests, validation and the golden record share.
#pragma once

#include <capstan/leash/leash_def.hpp>

#include <vector>

namespace capstan {

// A walk with one dog for each temperament, from left to right.
inline LeashDef dogsOf(const std::vector<Temperament>& temperaments, int seed) {
    LeashDef def;
    def.seed = seed;
    for (const Temperament t : temperaments) {
        DogDef dog;
        dog.temperament = t;
        def.dogs.push_back(dog);
    }
    return def;
}

// A walk with `count` dogs of all temperaments in turn, beginning with the one at index `from`.
inline LeashDef mixedDogs(int count, int seed, int from = 0) {
    constexpr Temperament kinds[] = {Temperament::Wander, Temperament::Pull, Temperament::Follow,
                                     Temperament::Sniff, Temperament::Avoid};
    std::vector<Temperament> chosen;
    for (int k = 0; k < count; ++k) chosen.push_back(kinds[(from + k) % 5]);
    return dogsOf(chosen, seed);
}

} // namespace capstan
