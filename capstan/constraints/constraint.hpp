// SPDX-License-Identifier: MIT
// What a constraint is: a rule on a few points, and its XPBD correction.
//
//   name, points        compile-time facts
//   oneSided            true: only C > 0 is a violation (a tether may go slack)
//   Params<R>           its numbers, all of type R; the last one is `compliance`
//   params              the same numbers with unit and help
//   eval(x, params)     C and its gradient, one row; project() below does the rest
//
// XPBD with an accumulated multiplier, compliance alpha in SI units, a = alpha / h^2:
//   dl = (-C - a l) / (sum w |grad C|^2 + a),   l += dl,   x += w grad C dl
// Macklin, Mueller, Chentanez: XPBD, position-based simulation of compliant constrained dynamics (MIG 2016).
// l / h^2 is a force in newtons, which is why it must be accumulated: restarting it in every sweep makes
// stiffness depend on the number of sweeps.
//
// Adding one: write its file, name it in all.hpp. It then runs as scalar and SIMD, Gauss-Seidel and Jacobi,
// is coloured, and is tested by tests/constraints/every_constraint_test.cpp.
#pragma once

#include <capstan/math/lanes.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

struct Param {
    const char* name;
    const char* unit;
    const char* help;
};

// C and its gradient by each point.
template <class R, int P> struct Row {
    R c;
    Vec<R> grad[P];
};

// The change of the multiplier for one row. `w` are the inverse masses that the denominator sees.
template <bool oneSided, class R, int P>
CAPSTAN_INLINE R multiplierStep(const Row<R, P>& row, const R (&w)[P], R lambda, R a) {
    R denominator = a;
    for (int i = 0; i < P; ++i) denominator = denominator + w[i] * lengthSquared(row.grad[i]);
    R dl = -(row.c + a * lambda) / select(denominator > R(0.0f), denominator, R(1.0f));
    if constexpr (oneSided) dl = min(lambda + dl, R(0.0f)) - lambda; // a slack row pushes nothing
    return select(denominator > R(0.0f), dl, R(0.0f));
}

} // namespace capstan
