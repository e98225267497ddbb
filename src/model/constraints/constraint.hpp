// SPDX-License-Identifier: MIT
// A constraint is a function C of a few points that should be 0, solved by XPBD. A constraint type declares:
//
//   name, points        compile-time facts
//   oneSided            true: only C > 0 is a violation (for example, a tether may be slack)
//   Params<R>           its parameters, all of type R; the last one is `compliance`
//   params              name, unit and help of each parameter
//   eval(x, params)     C and its gradient, as one Row; multiplierStep() below computes the correction
//
// XPBD accumulates a multiplier l. With the compliance alpha in SI units and a = alpha / h^2:
//   dl = (-C - a l) / (sum w |grad C|^2 + a),   l += dl,   x += w grad C dl
// Macklin, Mueller, Chentanez: XPBD (MIG 2016). l / h^2 is a force in newtons, so l must be accumulated. If
// each iteration started at l = 0, stiffness would depend on the number of iterations.
//
// To add a constraint: write its file and list it in all.hpp. The scalar and SIMD solvers then run it, with
// Gauss-Seidel and Jacobi. Its rows are coloured, and tests/model/constraints/every_constraint_test.cpp tests it.
#pragma once

#include "math/lanes.hpp"
#include <capstan/math/vec.hpp>

namespace capstan {

struct Param {
    const char* name;
    const char* unit;
    const char* help;
};

// C and its gradient with respect to each point.
template <class R, int P> struct Row {
    R c;
    Vec<R> grad[P];
};

// Returns the change of the multiplier of one row. `w` holds the inverse masses of the points [1/kg], and a is
// compliance / h^2.
template <bool oneSided, class R, int P>
CAPSTAN_INLINE R multiplierStep(const Row<R, P>& row, const R (&w)[P], R lambda, R a) {
    R denominator = a;
    for (int i = 0; i < P; ++i) denominator = denominator + w[i] * lengthSquared(row.grad[i]);
    R dl = -(row.c + a * lambda) / select(denominator > R(0.0f), denominator, R(1.0f));
    if constexpr (oneSided) dl = min(lambda + dl, R(0.0f)) - lambda; // the multiplier of a slack row is 0
    return select(denominator > R(0.0f), dl, R(0.0f));
}

} // namespace capstan
