// SPDX-License-Identifier: MIT
// Mechanism solver, four bodies at once. In free flight and in a Newton step, a body waits for its own square
// roots and divisions, but not for other bodies. Four neighbouring bodies of one tree, transposed into lanes,
// wait for theirs at the same time. A chain of 100 links then takes two thirds of the time. The bits are
// those of one body at a time.
#pragma once

#include "math/lanes.hpp"
#include "solver/mechanism/body.hpp"

#include <cstddef>

namespace capstan {

// A range of fields of TreeBody that a phase reads or writes, counted in doubles; a multiple of four.
struct BodyFields {
    int begin, end;
};
inline constexpr BodyFields kStart = {0, 36};    // position .. invInertia
inline constexpr BodyFields kIterate = {36, 72}; // x .. dl, unused
inline constexpr BodyFields kMoved = {36, 64};   // x .. R
inline constexpr BodyFields kStep = {72, 84};    // dth, dp, Iw

using FourBodies = TreeBody<Pack<double, 4>>;
static_assert(offsetof(TreeBody<double>, x) == 36 * sizeof(double));
static_assert(offsetof(TreeBody<double>, R) == 55 * sizeof(double));
static_assert(offsetof(TreeBody<double>, dth) == 72 * sizeof(double));
static_assert(offsetof(TreeBody<double>, r) == 84 * sizeof(double));

// These copies rely on the memory layout: a TreeBody<W> consists of values W only.
CAPSTAN_INLINE void gatherBodies(const TreeBody<double>* from, FourBodies& to, BodyFields fields) {
    using P = Pack<double, 4>;
    P* field = reinterpret_cast<P*>(&to);
    auto row = [&](int body, int k) { return load<P>(reinterpret_cast<const double*>(from + body) + k); };
    for (int k = fields.begin; k < fields.end; k += 4) {
        P a = row(0, k), b = row(1, k), c = row(2, k), d = row(3, k);
        transpose(a, b, c, d);
        field[k] = a;
        field[k + 1] = b;
        field[k + 2] = c;
        field[k + 3] = d;
    }
}
CAPSTAN_INLINE void scatterBodies(const FourBodies& from, TreeBody<double>* to, BodyFields fields) {
    using P = Pack<double, 4>;
    const P* field = reinterpret_cast<const P*>(&from);
    auto row = [&](int body, int k) { return reinterpret_cast<double*>(to + body) + k; };
    for (int k = fields.begin; k < fields.end; k += 4) {
        P a = field[k], b = field[k + 1], c = field[k + 2], d = field[k + 3];
        transpose(a, b, c, d);
        store(row(0, k), a);
        store(row(1, k), b);
        store(row(2, k), c);
        store(row(3, k), d);
    }
}

inline TreeTime<Pack<double, 4>> inFours(const TreeTime<double>& t) {
    using P = Pack<double, 4>;
    return {P(t.dt),       P(t.carry), P(t.h),
            P(t.invH),     P(t.h2),    {P(t.gravity.x), P(t.gravity.y), P(t.gravity.z)},
            t.writeReading};
}

// Free flight of the bodies [0, count).
template <class W> void advanceFreeBodies(TreeBody<W>* body, int count, const TreeTime<W>& t) {
    int i = 0;
    if constexpr (lanesOf<W> == 1) {
        const TreeTime<Pack<double, 4>> time = inFours(t);
        for (; i + 4 <= count; i += 4) {
            FourBodies four;
            gatherBodies(body + i, four, kStart);
            fly(four, time);
            four.unused[0] = four.unused[1] = Pack<double, 4>(0.0);
            scatterBodies(four, body + i, kIterate);
        }
    }
    for (; i < count; ++i) fly(body[i], t);
}
// Applies Newton's step to the bodies [0, count).

template <class W>
void advanceBodies(TreeBody<W>* body, int count, const TreeTime<W>& t, MaskOf<W> active, W scale) {
    int i = 0;
    if constexpr (lanesOf<W> == 1) {
        using P = Pack<double, 4>;
        const TreeTime<P> time = inFours(t);
        for (; i + 4 <= count; i += 4) {
            FourBodies four;
            gatherBodies(body + i, four, {36, 56});
            gatherBodies(body + i, four, kStep);
            advance(four, time, P(0.0) < P(1.0), P(scale));
            scatterBodies(four, body + i, kMoved);
        }
    }
    for (; i < count; ++i) advance(body[i], t, active, scale);
}

} // namespace capstan
