// SPDX-License-Identifier: MIT
// Cloth against shapes: the last act of a substep.
//
// Each vertex is a ball of half the cloth's thickness. In the axes of a shape, which moves evenly during a step, it
// goes from a to b. If d(a) + d(b) > |b - a|, with d the distance to the shape, the straight way between is free.
// Otherwise it is walked in steps of d, which cannot pass through (conservative advancement), up to the surface; what
// is left of the way goes on along the surface. At its end the vertex is pushed out by r - d(b) along the normal, and
// Coulomb's friction takes at most mu times that from the way along the surface.
//
// What dynamic bodies give way by is found after that, for all vertices at once (cloth_press.hpp). What is tested are vertices: a corner of a shape that is finer than
// the triangles can come through between them, so shapes should be rounder than the cloth is coarse.
#pragma once

#include <capstan/collide/nearest.hpp>
#include <capstan/model/model.hpp>
#include <capstan/step/cloth_press.hpp>
#include <capstan/step/step_def.hpp>

#include <atomic>
#include <vector>

namespace capstan {

// A shape that the cloth may touch in this substep, at the start and at the end of it.
struct ClothObstacle {
    const Shape* shape;
    Pose from, to;
    Bounds reach; // of both, grown by half the thickness
    double friction;
    int pressed; // of ClothPress::bodies, -1: it does not yield
    int slot;
};

// A vertex on a body that does not yield: only to be told.
struct ClothRest {
    int slot = -1;
    Vec3 n = {0, 0, 0}, by = {0, 0, 0}; // what it was moved by
};

struct ClothTouching {
    std::vector<ClothObstacle> near;         // of this substep
    std::vector<ClothHit> hits;              // kClothHits of each vertex
    std::vector<ClothRest> rests;            // as many
    std::atomic<int> count{0}, truncated{0}; // vertices that touch, and that were held up

    ClothTouching() = default;
    ClothTouching(const ClothTouching& o) : near(o.near), hits(o.hits), rests(o.rests) {}
};

// Who is near in the substep that goes from `begin` to `end` of the step, and takes h seconds.
void findObstacles(ClothTouching& w, const ClothPress& press, const Model& m, const State& s, const Cloth& c,
                   const ClothState& at, double begin, double end, double h);

// How many substeps cloth takes in this step: as many as asked for, or more while a heavy body that nothing else holds is
// near a light sheet.
int substepsOfCloths(ClothPress& press, const Model& m, const State& s, const StepDef& d);

// Hits are handed to the bodies.
void tellHits(const ClothTouching& w, ClothPress& press, int cloth, ClothState& s, double h);

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
