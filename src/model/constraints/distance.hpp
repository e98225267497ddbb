// SPDX-License-Identifier: MIT
// Distance: the distance of two points equals a rest length. It models a segment of a rope in the iterative solvers.
//
//   C = |b - a| - rest,   n = (b - a) / |b - a|,   grad_a = -n,   grad_b = n
//   compliance = rest / EA, so that tension = EA (|b - a| / rest - 1)
//
// Macklin, Mueller, Chentanez: XPBD (MIG 2016).
#pragma once

#include "model/constraints/constraint.hpp"

namespace capstan {

struct Distance {
    static constexpr const char* name = "distance";
    static constexpr int points = 2;
    static constexpr bool oneSided = false;

    template <class R> struct Params { R rest, compliance; };
    static constexpr Param params[] = {{"rest", "m", "distance of the two points at rest"},
                                       {"compliance", "m/N", "compliance; 0: rigid"}};

    template <class R> CAPSTAN_INLINE static Row<R, 2> eval(const Vec<R> (&x)[2], const Params<R>& k) {
        Vec<R> d = x[1] - x[0];
        R l = length(d);
        Vec<R> n = (R(1.0f) / max(l, R(1e-20f))) * d;
        return {l - k.rest, {-n, n}};
    }
};

} // namespace capstan
