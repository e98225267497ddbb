// SPDX-License-Identifier: MIT
// Finish: velocities and tensions of iterative ropes. The elimination solver computes them in its own solve.
//
//   v = exp(-damping h) (v + (x - x_predicted) / h),   tension = -lambda / h^2
//
// The second factor equals (x - x_previous) / h. But if no constraint moved the point, it is exactly v.
// Otherwise the rounding of float positions would enter the velocity: 1e-4 m/s in every substep.
//
// Damping is a rate: the fraction lost per second is the same for any step. A rope with a position that is
// not finite returns to its last positions and is frozen, so that the other objects can continue.
#pragma once

#include "solver/rope/iterative/predict.hpp"
#include <capstan/math/transcendental.hpp>

namespace capstan {

struct Finish {
    State& s;
    float h, dampingFactor;

    template <class R> CAPSTAN_INLINE void at(int i) const { // inlined by force: see predict.hpp
        Neighbours<R> n(i);
        Four<R> x = gather<R>(s.x.data(), n), v = gather<R>(s.v.data(), n);
        Vec<R> predicted = xyz(gather<R>(s.before.data(), n)) + R(h) * xyz(v);
        Vec<R> velocity = R(dampingFactor) * (xyz(v) + R(1 / h) * (xyz(x) - predicted));
        velocity = select(x.w > R(0.0f), velocity, xyz(v));
        scatter(s.v.data(), n, Four<R>{velocity.x, velocity.y, velocity.z, v.w});
    }
};

// x - x is 0 for every finite x and NaN otherwise.
inline bool finite(const Point& p) { return (p.x - p.x) + (p.y - p.y) + (p.z - p.z) == 0; }

template <class Exec> void finish(Exec& exec, Model& m, State& s, const StepDef& d) {
    const float h = d.h();
    exec.each(int(m.iterativeNodes.size()), [&](int i, int) {
        Rope& r = m.ropes[m.iterativeNodes[i].rope];
        bool good = !r.frozen; // a frozen rope returns to its old positions after every substep
        for (int p = r.begin; p < r.begin + r.count; ++p) good = good && finite(s.x[p]);
        for (int p = r.begin; !good && p < r.begin + r.count; ++p) {
            s.x[p] = s.before[p];
            s.v[p] = {0, 0, 0, s.v[p].w};
        }
        r.frozen = !good;
    });
    for (const IterativeNodes& range : m.iterativeNodes) {
        const Rope& r = m.ropes[range.rope];
        if (r.frozen) m.changed = true; // a frozen rope leaves the groups before the next step
        if (!r.frozen) exec.run(range.begin, range.end, Finish{s, h, exp(-(r.def.damping + m.damping) * h)});
    }
    const float invH2 = 1 / (h * h);
    auto readTensions = [&](const Batch<Distance>& b) {
        for (int row = 0; row < b.size(); ++row) {
            // The closing segment of a ring joins the last node to the first. Its tension is stored after
            // that of the last node.
            const int from = b.index[0][row], to = b.index[1][row];
            if (to != 0) s.tension[to > from ? to : from + 1] = -invH2 * b.lambda[row];
        }
    };
    readTensions(batch<Distance>(m.gaussSeidel));
    readTensions(batch<Distance>(m.jacobi));
}

} // namespace capstan
