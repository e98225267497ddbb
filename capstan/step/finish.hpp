// SPDX-License-Identifier: MIT
// Finish: speeds and tensions of iterative ropes. (Chain ropes do this inside their own solve.)
//
//   v = exp(-damping h) (v + (x - x_predicted) / h),   tension = -lambda / h^2
//
// The sum is (x - x_previous) / h, but where no constraint moved the point it is exactly v: float places would
// otherwise feed their rounding into the speed, 1e-4 m/s at every substep.
// Damping is a rate: the same fraction per second is lost whatever the step. A rope in which a number is not
// finite any more goes back to where it was and is frozen; the world goes on.
#pragma once

#include <capstan/math/transcendental.hpp>
#include <capstan/step/predict.hpp>

namespace capstan {

struct Finish {
    State& s;
    float h, fade;

    template <class R> void at(int i) const {
        Neighbours<R> n(i);
        Four<R> x = gather<R>(s.x.data(), n), v = gather<R>(s.v.data(), n);
        Vec<R> predicted = xyz(gather<R>(s.before.data(), n)) + R(h) * xyz(v);
        Vec<R> speed = R(fade) * (xyz(v) + R(1 / h) * (xyz(x) - predicted));
        speed = select(x.w > R(0.0f), speed, xyz(v));
        scatter(s.v.data(), n, Four<R>{speed.x, speed.y, speed.z, v.w});
    }
};

// x - x is 0 for every finite x and NaN for the others.
inline bool finite(const Point& p) { return (p.x - p.x) + (p.y - p.y) + (p.z - p.z) == 0; }

template <class Exec> void finish(Exec& exec, Model& m, State& s, const StepDef& d) {
    const float h = d.h();
    exec.each(int(m.loose.size()), [&](int i, int) {
        Rope& r = m.ropes[std::size_t(m.loose[std::size_t(i)].rope)];
        bool good = !r.frozen; // once frozen it is put back after every substep
        for (int p = r.begin; p < r.begin + r.count; ++p) good = good && finite(s.x[p]);
        for (int p = r.begin; !good && p < r.begin + r.count; ++p)
            s.x[p] = s.before[p], s.v[p] = {0, 0, 0, s.v[p].w};
        r.frozen = !good;
    });
    for (const LoosePoints& range : m.loose) {
        const Rope& r = m.ropes[std::size_t(range.rope)];
        if (r.frozen) m.changed = true; // leaves the groups before the next step
        if (!r.frozen) exec.run(range.begin, range.end, Finish{s, h, exp(-(r.def.damping + m.damping) * h)});
    }
    const float invH2 = 1 / (h * h);
    auto readTensions = [&](const Batch<Distance>& b) {
        for (int row = 0; row < b.size(); ++row) {
            // The segment that closes a ring leads from the last node to the first; its number stands behind the last.
            const int from = b.index[0][row], to = b.index[1][row];
            if (to != 0) s.tension[to > from ? to : from + 1] = -invH2 * b.lambda[row];
        }
    };
    readTensions(batch<Distance>(m.gaussSeidel));
    readTensions(batch<Distance>(m.jacobi));
}

} // namespace capstan
