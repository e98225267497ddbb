// SPDX-License-Identifier: MIT
// The reported contacts of cloth: one contact for each pair of objects, summed over points and substeps.
//
// A sheet over a table has a thousand contact points, which appear and vanish with each fold. Programs need the total
// force and its position. The normal force is the sum of the magnitudes, and the normal is the direction of the
// vector sum. The position is the mean, weighted by force.
#pragma once

#include "model/state.hpp"

#include <cstdint>
#include <vector>

namespace capstan {

// Keys of sides: kind in the two highest bits, then slot and element. Keys of ropes and bodies are as in
// solver/coupled/rows.cpp.
inline std::uint64_t clothElement(int slot) { return std::uint64_t(1) << 62 | std::uint64_t(slot) << 32; }
inline std::uint64_t bodyElement(int slot) { return std::uint64_t(1) << 63 | std::uint64_t(slot) << 32; }
inline std::uint64_t ropeElement(int slot) { return std::uint64_t(slot) << 32; }

class ClothContacts {
public:
    void clear() { all_.clear(); }
    // Adds an impulse [N s] on a. The normal n points from b to a. `part` is the segment if b is a rope.
    void add(std::uint64_t a, std::uint64_t b, Vec3d impulse, Vec3d n, Vec3d at, int part = 0) {
        const double along = dot(impulse, n);
        Sum& s = sumOf(a, b);
        s.force += along;
        s.normal = s.normal + along * n;
        s.point = s.point + along * at;
        s.friction = s.friction + (impulse - along * n);
        if (along > s.most) {
            s.most = along;
            s.part = part;
        }
    }
    // Writes the contacts in the order of their keys, as mean forces over the step of dt seconds.
    void store(std::vector<StoredContact>& to, double dt);

private:
    struct Sum {
        std::uint64_t a = 0, b = 0;
        double force = 0, most = 0;
        int part = 0; // element with the largest impulse, which is `most`
        Vec3d normal = {0, 0, 0}, friction = {0, 0, 0}, point = {0, 0, 0};
    };
    std::vector<Sum> all_;
    std::size_t last_ = 0; // index of the last sum; the next impulse mostly belongs to the same pair

    Sum& sumOf(std::uint64_t a, std::uint64_t b) {
        const auto is = [&](const Sum& s) { return s.a == a && s.b == b; };
        if (last_ < all_.size() && is(all_[last_])) return all_[last_];
        for (last_ = 0; last_ < all_.size(); ++last_)
            if (is(all_[last_])) return all_[last_];
        Sum s;
        s.a = a;
        s.b = b;
        all_.push_back(s);
        return all_.back();
    }
};

} // namespace capstan
