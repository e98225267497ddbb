// SPDX-License-Identifier: MIT
// State: everything that changes in a step, as columns over points, and as arrays of bodies and joints. Model
// (model.hpp) holds the data that a step does not change.
//
// A rope of n nodes owns n + 1 neighbouring points. Node k is point begin + k. Segment k, between nodes k and k + 1,
// is stored at point begin + k + 1. The spare point at the end stores the closing segment of a ring. Unused SIMD
// lanes write to the spare point, too. Point 0 belongs to no object: padding constraints act on it.
#pragma once

#include "model/body.hpp"
#include "model/cloth.hpp"
#include "model/hair.hpp"
#include <capstan/point.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capstan {

// A contact that is stored from step to step for warm starting. `a` and `b` are the keys of its sides
// (solver/coupled/rows.cpp).
struct StoredContact {
    std::uint64_t a = 0, b = 0;
    std::uint32_t feature = 0;
    bool slipping = false;
    double force = 0;           // N, along the normal
    Vec3d friction = {0, 0, 0}; // N, on side a, opposite to its sliding
    Vec3d normal = {0, 0, 0};   // from b to a
    Vec3d point = {0, 0, 0};    // m, in the world
    bool embedded = false;      // the cores of the two sides overlap, and the contact separates them
};

struct State {
    std::vector<Point> x;   // position [m], w: inverse mass [1/kg]
    std::vector<Point> v;   // velocity [m/s], w: mass [kg]
    std::vector<Point> low; // m, chain ropes: rounding error of x; the position is x + low
    std::vector<Point>
        before; // chain ropes: velocity one substep ago (BDF2); other ropes: position at the start of the substep
    std::vector<Point> dBefore; // m, chain ropes: displacement in the last substep (BDF2)
    std::vector<Point> force;   // N, force during this step; empty if there is none
    std::vector<float> tension; // N, of the segment that ends at this point
    std::vector<float> rest;    // m, rest length of the segment that ends at this point

    std::vector<BodyState> bodies; // by slot, as in Model; so are the next three arrays
    std::vector<JointState> joints;
    std::vector<ClothState> cloths;
    std::vector<HairState> hairs;
    std::vector<StoredContact> contacts; // sorted by the keys of the sides
    std::vector<StoredContact>
        clothContacts; // one for each pair of objects (solver/cloth/contact/report.hpp)

    int size() const { return int(x.size()); }

    template <class F> void eachColumn(F&& f) {
        f(x);
        f(v);
        f(low);
        f(before);
        f(dBefore);
        f(tension);
        f(rest);
        if (!force.empty()) f(force);
    }
    void resize(int n) {
        eachColumn([n](auto& column) { column.resize(std::size_t(n)); });
    }
    // Copies what the solvers of ropes, bodies and joints write: all but cloth, hair and contacts.
    void copyRopesAndBodies(const State& other) {
        x = other.x;
        v = other.v;
        low = other.low;
        before = other.before;
        dBefore = other.dBefore;
        force = other.force;
        tension = other.tension;
        rest = other.rest;
        bodies = other.bodies;
        joints = other.joints;
    }
    // Copies all columns of point `from` of `other`, which may be this State, to point `to`.
    void copyPoint(int to, State& other, int from) {
        x[to] = other.x[from];
        v[to] = other.v[from];
        low[to] = other.low[from];
        before[to] = other.before[from];
        dBefore[to] = other.dBefore[from];
        if (!force.empty() && !other.force.empty()) force[to] = other.force[from];
        tension[to] = other.tension[from];
        rest[to] = other.rest[from];
    }
};

// The columns of chain ropes as plain pointers. Formulas use this view of a State on the CPU and on a GPU.
struct StateView {
    Point *x = nullptr, *v = nullptr, *low = nullptr, *before = nullptr, *dBefore = nullptr, *force = nullptr;
    float *tension = nullptr, *rest = nullptr;

    StateView() = default;
    StateView(State& s)
        : x(s.x.data()), v(s.v.data()), low(s.low.data()), before(s.before.data()), dBefore(s.dBefore.data()),
          force(s.force.data()), tension(s.tension.data()), rest(s.rest.data()) {}
};

} // namespace capstan
