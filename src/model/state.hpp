// SPDX-License-Identifier: MIT
// State: everything that changes in a step, as columns over points, and bodies and joints. (What does not change is in model.hpp.)
//
// A rope of n nodes owns n + 1 neighbouring points. Node k is point begin + k; segment k, between nodes k and
// k + 1, keeps its numbers at point begin + k + 1. The spare point at the end holds the segment that closes a
// ring, and takes the writes of SIMD lanes that have nothing to say.
// Point 0 belongs to nobody: constraints that only fill up a lane act on it.
#pragma once

#include "model/body.hpp"
#include "model/cloth.hpp"
#include "model/hair.hpp"
#include <capstan/point.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capstan {

// Two things that press on each other, as it is kept from step to step. Sides are named in solver/coupled/rows.cpp.
struct TouchMemory {
    std::uint64_t a = 0, b = 0;
    std::uint32_t feature = 0;
    bool slips = false;
    double force = 0;           // N, along the normal
    Vec3d friction = {0, 0, 0}; // N, against the sliding of a
    Vec3d normal = {0, 0, 0};   // from b to a
    Vec3d point = {0, 0, 0};
    bool inside = false; // it was put inside something and is on its way out
};

struct State {
    std::vector<Point> x;   // place, inverse mass
    std::vector<Point> v;   // speed, mass
    std::vector<Point> low; // chain ropes: what x loses by being float; x + low is the place
    std::vector<Point>
        before; // chain ropes: speed one substep ago (BDF2); others: place at the start of the substep
    std::vector<Point> dBefore; // chain ropes: last substep's displacement (BDF2)
    std::vector<Point> force;   // N, during this step; empty until something is pulled
    std::vector<float> tension; // N, of the segment that ends here
    std::vector<float> rest;    // m, of the segment that ends here

    std::vector<BodyState> bodies; // by slot, as Model::bodies and Model::joints
    std::vector<JointState> joints;
    std::vector<ClothState> cloths;
    std::vector<HairState> hairs;
    std::vector<TouchMemory> touches;      // by name
    std::vector<TouchMemory> clothTouches; // one for each two things (solver/cloth/contact/report.hpp)

    int size() const { return int(x.size()); }

    template <class F> void eachColumn(F&& f) {
        f(x), f(v), f(low), f(before), f(dBefore), f(tension), f(rest);
        if (!force.empty()) f(force);
    }
    void resize(int n) {
        eachColumn([n](auto& column) { column.resize(std::size_t(n)); });
    }
    // Node `to` becomes a copy of node `from` of another State, or of this one.
    void copyPoint(int to, State& other, int from) {
        x[to] = other.x[from], v[to] = other.v[from], low[to] = other.low[from];
        before[to] = other.before[from], dBefore[to] = other.dBefore[from];
        if (!force.empty() && !other.force.empty()) force[to] = other.force[from];
        tension[to] = other.tension[from], rest[to] = other.rest[from];
    }
};

// The columns of chain ropes as plain pointers: what a formula sees of a State, here and on a GPU.
struct StateView {
    Point *x = nullptr, *v = nullptr, *low = nullptr, *before = nullptr, *dBefore = nullptr, *force = nullptr;
    float *tension = nullptr, *rest = nullptr;

    StateView() = default;
    StateView(State& s)
        : x(s.x.data()), v(s.v.data()), low(s.low.data()), before(s.before.data()), dBefore(s.dBefore.data()),
          force(s.force.data()), tension(s.tension.data()), rest(s.rest.data()) {}
};

} // namespace capstan
