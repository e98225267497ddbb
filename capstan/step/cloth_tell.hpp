// SPDX-License-Identifier: MIT
// What cloth presses on, as it is told: one contact for each two things, with all their points and substeps summed up.
//
// A sheet over a table has a thousand points that come and go with each fold; what is asked for is how hard the two press
// and where. Normal force: the sum of the sizes; normal: the direction of the sum; place: the mean, weighted by force.
#pragma once

#include <capstan/model/state.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

// Names of sides: kind in the two highest bits, slot, part; those of ropes and bodies are as in step/touch_rows.cpp.
inline std::uint64_t clothSide(int slot) { return std::uint64_t(1) << 62 | std::uint64_t(slot) << 32; }
inline std::uint64_t bodySide(int slot) { return std::uint64_t(1) << 63 | std::uint64_t(slot) << 32; }
inline std::uint64_t ropeSide(int slot) { return std::uint64_t(slot) << 32; }

class ClothContacts {
public:
    void clear() { all_.clear(); }
    // An impulse on a, N s; n leads from b to a. `part`: the segment, if b is a rope.
    void add(std::uint64_t a, std::uint64_t b, Vec3d impulse, Vec3d n, Vec3d at, int part = 0) {
        const double along = dot(impulse, n);
        Sum& s = sumOf(a, b);
        s.force += along, s.normal = s.normal + along * n, s.point = s.point + along * at;
        s.friction = s.friction + (impulse - along * n);
        if (along > s.most) s.most = along, s.part = part;
    }
    // In the order of names.
    void tell(std::vector<TouchMemory>& to, double dt);

private:
    struct Sum {
        std::uint64_t a = 0, b = 0;
        double force = 0, most = 0;
        int part = 0; // where it is pressed most
        Vec3d normal = {0, 0, 0}, friction = {0, 0, 0}, point = {0, 0, 0};
    };
    std::vector<Sum> all_;
    std::size_t last_ = 0; // mostly it is the same as before

    Sum& sumOf(std::uint64_t a, std::uint64_t b) {
        const auto is = [&](const Sum& s) { return s.a == a && s.b == b; };
        if (last_ < all_.size() && is(all_[last_])) return all_[last_];
        for (last_ = 0; last_ < all_.size(); ++last_)
            if (is(all_[last_])) return all_[last_];
        Sum s;
        s.a = a, s.b = b;
        all_.push_back(s);
        return all_.back();
    }
};

} // namespace capstan
