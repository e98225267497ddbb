// SPDX-License-Identifier: MIT
// Bend: three neighbouring points resist bending away from a straight line.
//
//   d = a - 2 b + c,   C = |d|,   n = d / |d|,   grad = n, -2 n, n
//   compliance = l^3 / EI
//
// The energy |d|^2 EI / (2 l^3) is that of a beam with segments of length l, bent by a small angle |d| / l. For
// segments of fixed length it is 2 EI/l sin^2(angle/2) at every angle.
//
// BendLimit: |d| must not exceed `rest` = 2 l sin(maxBend / 2).
#pragma once

#include "model/constraints/constraint.hpp"

namespace capstan {

struct Bend {
    static constexpr const char* name = "bend";
    static constexpr int points = 3;
    static constexpr bool oneSided = false;

    template <class R> struct Params { R rest, compliance; };
    static constexpr Param params[] = {{"rest", "m", "|a - 2 b + c| at rest; 0: straight"},
                                       {"compliance", "m/N", "l^3 / EI"}};

    template <class R> CAPSTAN_INLINE static Row<R, 3> eval(const Vec<R> (&x)[3], const Params<R>& k) {
        Vec<R> d = x[0] - R(2.0f) * x[1] + x[2];
        R l = length(d);
        Vec<R> n = (R(1.0f) / max(l, R(1e-20f))) * d;
        return {l - k.rest, {n, R(-2.0f) * n, n}};
    }
};

struct BendLimit : Bend {
    static constexpr const char* name = "bend_limit";
    static constexpr bool oneSided = true;
};

} // namespace capstan
