// SPDX-License-Identifier: MIT
// Contact of cloth with shapes, the last phase of a substep.
//
// Each vertex is a sphere with the radius r of half the cloth's thickness. A shape moves at constant velocity during
// a substep. In the axes of the shape the vertex moves from a to b. d(x) is the distance from x to the shape. If d(a)
// + d(b) > |b - a|, the straight path is free.
//
// Otherwise the vertex advances in steps of d, which cannot pass through the shape, up to the surface (conservative
// advancement). The remaining move continues along the surface. At its end the contact pushes the vertex out by r -
// d(b) along the normal. Coulomb's friction then shortens the tangential move by at most mu (r - d(b)).
//
// After that dynamic bodies are displaced, for all vertices at once (bodies.hpp). Only vertices are tested. A corner
// of a shape that is finer than the triangles can pass between vertices, so features of shapes should be coarser than
// the mesh.
#pragma once

#include "collision/geometry/nearest.hpp"
#include "core/step_def.hpp"
#include "model/model.hpp"
#include "solver/cloth/contact/bodies.hpp"

#include <atomic>
#include <vector>

namespace capstan {

// A shape near the cloth in this substep, with its pose at the start and at the end.
struct ClothObstacle {
    const Shape* shape;
    Pose from, to;
    Bounds reach; // bounds of both poses, grown by half the thickness
    double friction;
    int pressed; // index in ClothBodyCoupling::bodies; -1: the body is not dynamic
    int slot;    // slot of the body
};

// A contact of a vertex with a body that is not dynamic. It is only used for the report.
struct ClothRestingContact {
    int slot = -1;
    Vec3 n = {0, 0, 0}, by = {0, 0, 0}; // normal; displacement of the vertex by the contact, m
};

struct ClothShapeContacts {
    std::vector<ClothObstacle> near;        // obstacles of this substep
    std::vector<ClothHit> hits;             // kClothHits for each vertex
    std::vector<ClothRestingContact> rests; // kClothHits for each vertex
    // number of vertices in contact, and of those whose move was shortened
    std::atomic<int> count{0}, truncated{0};

    ClothShapeContacts() = default;
    ClothShapeContacts(const ClothShapeContacts& o) : near(o.near), hits(o.hits), rests(o.rests) {}
};

// Finds the shapes near a sheet in a substep of h seconds, from `begin` to `end` of the step.
void findObstacles(ClothShapeContacts& w, const ClothBodyCoupling& coupling, const Model& m, const State& s,
                   const Cloth& c, const ClothState& at, double begin, double end, double h);

// Returns the number of substeps of cloth in this step. It is the requested number, or more while a heavy body
// without other support is near a light sheet.
int substepsOfCloths(ClothBodyCoupling& coupling, const Model& m, const State& s, const StepDef& d);

// Adds the contacts to the bodies and to the report.
void reportHits(const ClothShapeContacts& w, ClothBodyCoupling& coupling, int cloth, ClothState& s, double h);

// Computes the contact of vertex i with all near obstacles.
struct ClothShapeContact {
    const Cloth& c;
    ClothState& s;
    ClothShapeContacts& w;
    bool last; // last substep of a step: vertices in contact are counted

    template <class R> void at(int i) const {
        for (int k = 0; k < int(sizeof(R) / sizeof(float)); ++k) touch(i + k);
    }
    void touch(int i) const;
};

} // namespace capstan
