// SPDX-License-Identifier: MIT
// Worlds and measures that several tests use.
#pragma once

#include "../watched.hpp"

#include <capstan/capstan.hpp>

#include <cmath>
#include <vector>

namespace capstan {

// The rope of workload W1: 100 nodes of 0.01 kg, 0.05 m apart, pinned at (0, 10, z), along +x or straight down.
inline RopeDef hundredNodes(float load = 0, bool hanging = false, float z = 0) {
    RopeDef d;
    d.from = {0, 10, z};
    d.to = hanging ? Vec3{0, 10 - 4.95f, z} : Vec3{4.95f, 10, z};
    d.segments = 99;
    d.mass = 0.99f;
    d.pins = {first};
    d.loads = {{first, 0.005f}, {last, 0.005f + load}};
    return d;
}

inline Vec3d momentum(const World& w, RopeId rope) {
    Vec3d p = {0, 0, 0};
    for (int k = 0; k < int(w.points(rope).size()); ++k)
        p += double(w.mass(rope, k)) * widen(Vec3(w.velocities(rope)[std::size_t(k)]));
    return p;
}

inline Vec3d angularMomentum(const World& w, RopeId rope) {
    Vec3d l = {0, 0, 0};
    for (int k = 0; k < int(w.points(rope).size()); ++k)
        l += double(w.mass(rope, k)) * cross(widen(Vec3(w.points(rope)[std::size_t(k)])),
                                             widen(Vec3(w.velocities(rope)[std::size_t(k)])));
    return l;
}

// Runs with a handler that counts failed checks instead of aborting.
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
