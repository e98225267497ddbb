// SPDX-License-Identifier: MIT
// Cloth against shapes: the last act of a substep.
//
// Each vertex is a ball of half the cloth's thickness. In the axes of a shape, which moves evenly during a step, it
// goes from a to b. If d(a) + d(b) > |b - a|, with d the distance to the shape, the straight way between is free.
// Otherwise it is walked in steps of d, which cannot pass through (conservative advancement), up to the surface; what
// is left of the way goes on along the surface. At its end the vertex is pushed out by r - d(b) along the normal, and
// Coulomb's friction takes at most mu times that from the way along the surface.
//
// Bodies push cloth; cloth does not push bodies. What is tested are vertices: a corner of a shape that is finer than
// the triangles can come through between them, so shapes should be rounder than the cloth is coarse.
#pragma once

#include <capstan/collide/nearest.hpp>
#include <capstan/model/model.hpp>

#include <atomic>
#include <vector>

namespace capstan {

// A shape that the cloth may touch in this substep, at the start and at the end of it.
struct ClothObstacle {
    const Shape* shape;
    Pose from, to;
    Bounds reach; // of both, grown by half the thickness
    double friction;
};

struct ClothTouching {
    std::vector<ClothObstacle> near; // of this substep
    std::atomic<int> touching{0}, truncated{0};
};

// Who is near in the substep that goes from `begin` to `end` of the step.
void findObstacles(ClothTouching& w, const Model& m, const State& s, const Cloth& c, const ClothState& at,
                   double begin, double end);

// Vertex i against all that is near.
struct ClothTouch {
    const Cloth& c;
    ClothState& s;
    ClothTouching& w;
    bool last; // of a step: the touching are counted

    template <class R> void at(int i) const {
        for (int k = 0; k < int(sizeof(R) / sizeof(float)); ++k) touch(i + k);
    }
    void touch(int i) const;
};

} // namespace capstan
