// SPDX-License-Identifier: MIT
// Predict: free motion of the points of iterative ropes. The elimination solver predicts in its own solve.
//
//   v += h (g + f / m),   x += h v          a pin moves at the velocity that it got at the start of the step
#pragma once

#include "core/step_def.hpp"
#include "math/lanes.hpp"
#include "model/model.hpp"

namespace capstan {

// Indices of the neighbouring points i, i + 1, ..., one per lane.
template <class R> struct Neighbours {
    std::int32_t index[lanesOf<R>];
    CAPSTAN_INLINE explicit Neighbours(int i) {
        for (int k = 0; k < lanesOf<R>; ++k) index[k] = i + k;
    }
    CAPSTAN_INLINE operator const std::int32_t*() const { return index; }
};

struct Predict {
    State& s;
    Vec3 gravity;
    float h;
    bool forced;

    // Inlined by force: the scalar tail of a vector loop called it, at 1.2 % of the instructions of W1.
    template <class R> CAPSTAN_INLINE void at(int i) const {
        Neighbours<R> n(i);
        Four<R> x = gather<R>(s.x.data(), n), v = gather<R>(s.v.data(), n);
        scatter(s.before.data(), n, x);
        Vec<R> a = {R(gravity.x), R(gravity.y), R(gravity.z)};
        if (forced) a = a + x.w * xyz(gather<R>(s.force.data(), n));
        Vec<R> velocity = select(x.w > R(0.0f), xyz(v) + R(h) * a, xyz(v));
        Vec<R> position = xyz(x) + R(h) * velocity;
        scatter(s.v.data(), n, Four<R>{velocity.x, velocity.y, velocity.z, v.w});
        scatter(s.x.data(), n, Four<R>{position.x, position.y, position.z, x.w});
    }
};

template <class Exec> void predict(Exec& exec, Model& m, State& s, const StepDef& d) {
    for (const IterativeNodes& r : m.iterativeNodes)
        exec.run(r.begin, r.end, Predict{s, d.gravity, d.h(), m.ropes[r.rope].forced});
}

} // namespace capstan
