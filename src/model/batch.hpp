// SPDX-License-Identifier: MIT
// Batch: all constraints of one type, as columns, sorted by colour.
//
// Two constraints of one colour share no point. So a colour can be solved in any order, in lanes and on
// threads, with the same bits. Each colour is filled up to whole lanes with constraints on point 0, which
// has infinite mass. So the loops need no masks and no tail.
#pragma once

#include "model/constraints/all.hpp"
#include <capstan/point.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace capstan {

// The width of the widest lanes that any backend uses, so that the layout does not depend on the backend.
inline constexpr int kColorPadding = 16;

template <class C>
inline constexpr int paramCount = int(sizeof(typename C::template Params<float>) / sizeof(float));

template <class C> struct Batch {
    std::array<std::vector<std::int32_t>, C::points> index;
    std::array<std::vector<float>, paramCount<C>> param;
    std::vector<float> iterations; // the constraint takes part in this many iterations per substep
    std::vector<float> lambda;
    std::vector<int> colorEnd;

    // Used by Jacobi only: the correction that a row asks of each of its points. The points sum them
    // afterwards.
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

// Colours greedily in the order of the constraints, then sorts the columns by colour and pads each colour.
// With `oneColor`, all constraints get one colour (Jacobi needs no colours).
template <class C> void colorBatch(Batch<C>& b, int pointCount, bool oneColor);

// The rows that correct each point. Jacobi sums their corrections in this fixed order.
struct Incidence {
    std::vector<std::int32_t> begin; // per point, into the two columns below
    std::vector<std::int32_t> row;
    std::vector<std::int32_t> slot; // constraint type and point within the constraint: 4 * type + point
};

} // namespace capstan
