// SPDX-License-Identifier: MIT
// Helpers of several tests: worlds and measurements.
#pragma once

#include "../watched.hpp"

#include <worlds/workloads.hpp>

#include <cmath>
#include <vector>

namespace capstan {

inline Vec3d momentum(const World& w, RopeId rope) {
    Vec3d p = {0, 0, 0};
    for (int k = 0; k < int(w.positions(rope).size()); ++k)
        p += double(w.mass({rope, k})) * widen(Vec3(w.velocities(rope)[k]));
    return p;
}

inline Vec3d angularMomentum(const World& w, RopeId rope) {
    Vec3d l = {0, 0, 0};
    for (int k = 0; k < int(w.positions(rope).size()); ++k)
        l += double(w.mass({rope, k})) *
             cross(widen(Vec3(w.positions(rope)[k])), widen(Vec3(w.velocities(rope)[k])));
    return l;
}

// While an instance exists, a handler counts failed checks instead of aborting.
class CountChecks {
public:
    CountChecks() : before_(setCheckHandler([](const char*, const char*) { ++count_; })) { count_ = 0; }
    ~CountChecks() { setCheckHandler(before_); }
    int count() const { return count_; }

private:
    static inline int count_ = 0;
    CheckHandler before_;
};

} // namespace capstan
