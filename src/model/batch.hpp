// SPDX-License-Identifier: MIT
// Batch: all constraints of one type, as columns, sorted by colour.
//
// Two constraints of one colour share no point. So the constraints of a colour can be solved in any order, in lanes
// and on threads, with the same bits. Each colour is padded to whole lanes with constraints on point 0, which has
// infinite mass. So the loops need no masks and no remainder loop.
#pragma once

#include "model/constraints/all.hpp"
#include <capstan/point.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace capstan {

// Number of lanes of the widest backend, so that the layout does not depend on the backend.
inline constexpr int kColorPadding = 16;

template <class C>
inline constexpr int paramCount = int(sizeof(typename C::template Params<float>) / sizeof(float));

template <class C> struct Batch { // columns over the constraints: point indices, parameters, multipliers
    std::array<std::vector<std::int32_t>, C::points> index;
    std::array<std::vector<float>, paramCount<C>> param;
    std::vector<float> iterations; // number of iterations per substep in which the constraint is solved
    std::vector<float> lambda;     // XPBD multiplier
    std::vector<int> colorEnd;     // index after the last constraint of each colour

    // Used by Jacobi only: the correction that a constraint computes for each of its points. The corrections of a
    // point are then summed (Incidence).
    std::array<std::vector<Point>, C::points> ask;

    int size() const { return int(lambda.size()); }

    void clear() {
        for (auto& c : index) c.clear();
        for (auto& c : param) c.clear();
        iterations.clear();
        lambda.clear();
        colorEnd.clear();
    }
    void add(const std::array<std::int32_t, C::points>& at, const typename C::template Params<float>& k,
             int count) {
        for (int i = 0; i < C::points; ++i) index[i].push_back(at[i]);
        const float* field = reinterpret_cast<const float*>(&k);
        for (int i = 0; i < paramCount<C>; ++i) param[i].push_back(field[i]);
        iterations.push_back(float(count));
        lambda.push_back(0);
    }
};

template <class L> struct BatchesOf;
template <class... C> struct BatchesOf<List<C...>> { std::tuple<Batch<C>...> all; };
using Batches = BatchesOf<Constraints>;

template <class C> Batch<C>& batch(Batches& b) { return std::get<Batch<C>>(b.all); }

// Colours the constraints greedily in their order, then sorts the columns by colour and pads each colour. With
// `oneColor`, all constraints get one colour (Jacobi needs no colours).
template <class C> void colorBatch(Batch<C>& b, int pointCount, bool oneColor);

// For each point, the constraints (rows) that act on it. Jacobi sums their corrections in this fixed order.
struct Incidence {
    std::vector<std::int32_t> begin; // per point: first entry in the two columns below
    std::vector<std::int32_t> row;   // index of the constraint in its batch
    std::vector<std::int32_t> slot;  // constraint type and point within the constraint: 4 * type + point
};

} // namespace capstan
