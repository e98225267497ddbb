// SPDX-License-Identifier: MIT
// Sweep: one iteration over all constraints of the iterative ropes.
//
// Gauss-Seidel iterates type by type and colour by colour; each row uses the results of the rows before it.
// With Jacobi all rows use the same positions, and each point sums the corrections of its rows. There the
// mass of a point is split among its n_i rows, w_i -> n_i w_i (w: inverse mass), so the sum cannot overshoot.
// Every row applies equal and opposite impulses to its points, so momentum is conserved. A common alternative
// divides a point's sum by n_i; it guarantees neither property. Tonge, Benevolenski, Voroshilov: Mass
// Splitting (SIGGRAPH 2012).
#pragma once

#include "model/constraints/constraint.hpp"
#include "model/model.hpp"

namespace capstan {

// Evaluates a constraint and applies its correction to the columns of the State. All constraint types use it.
template <class C, bool jacobi> struct SolveAt {
    State& s;
    Batch<C>& b;
    const Incidence& incidence;
    float invH2;
    int iteration;

    template <class R> CAPSTAN_INLINE void at(int i) const {
        constexpr int P = C::points;
        Vec<R> x[P];
        R w[P], seen[P];
        for (int k = 0; k < P; ++k) {
            Four<R> p = gather<R>(s.x.data(), b.index[k].data() + i);
            x[k] = xyz(p);
            w[k] = p.w;
            seen[k] = jacobi ? w[k] * rowsAt<R>(b.index[k].data() + i) : w[k];
        }
        typename C::template Params<R> params;
        R* field = reinterpret_cast<R*>(&params);
        for (int k = 0; k < paramCount<C>; ++k) field[k] = load<R>(b.param[k].data() + i);
        R lambda = iteration == 0 ? R(0.0f) : load<R>(b.lambda.data() + i);
        Row<R, P> row = C::eval(x, params);
        R dl = multiplierStep<C::oneSided>(row, seen, lambda, params.compliance * R(invH2));
        dl = select(load<R>(b.iterations.data() + i) > R(float(iteration)), dl, R(0.0f));
        store(b.lambda.data() + i, lambda + dl);
        for (int k = 0; k < P; ++k) {
            Vec<R> push = dl * row.grad[k];
            if constexpr (jacobi) {
                std::int32_t to[lanesOf<R>];
                for (int l = 0; l < lanesOf<R>; ++l) to[l] = i + l;
                scatter(b.ask[k].data(), to, Four<R>{push.x, push.y, push.z, R(0.0f)});
            } else {
                Vec<R> p = x[k] + w[k] * push;
                scatter(s.x.data(), b.index[k].data() + i, Four<R>{p.x, p.y, p.z, w[k]});
            }
        }
    }
    template <class R> R rowsAt(const std::int32_t* point) const {
        float n[lanesOf<R>];
        for (int k = 0; k < lanesOf<R>; ++k)
            n[k] = float(incidence.begin[std::size_t(point[k]) + 1] - incidence.begin[point[k]]);
        return load<R>(n);
    }
};

// Sums the corrections of a point, in the fixed order of its incidence, so that the rounding is always equal.
struct SumAt {
    State& s;
    Model& m;

    template <class R> void at(int i) const {
        for (int p = i; p < i + lanesOf<R>; ++p) {
            Vec3 sum = {0, 0, 0};
            for (int k = m.incidence.begin[p]; k < m.incidence.begin[std::size_t(p) + 1]; ++k)
                sum += asked(m.incidence.slot[k], m.incidence.row[k]);
            Point& x = s.x[p];
            x = {x.x + x.w * sum.x, x.y + x.w * sum.y, x.z + x.w * sum.z, x.w};
        }
    }
    Vec3 asked(int slot, int row) const {
        Vec3 a = {0, 0, 0};
        int type = 0;
        forEach(Constraints{}, [&]<class C>() {
            if (slot / 4 == type++) a = batch<C>(m.jacobi).ask[slot % 4][row];
        });
        return a;
    }
};

// Solves some rows of a type. It is a function of its own, and `at` is inlined into it. As a part of the whole step
// the loop took 4 to 5 % more time with GCC 12, at equal instruction counts.
template <class Exec, class Rows>
[[gnu::noinline]] void iterateRows(Exec& exec, int begin, int end, const Rows& rows) {
    exec.run(begin, end, rows);
}

template <class Exec> void iterate(Exec& exec, Model& m, State& s, float invH2, int iteration) {
    forEach(Constraints{}, [&]<class C>() {
        Batch<C>& b = batch<C>(m.gaussSeidel);
        int begin = 0;
        for (int end : b.colorEnd) {
            iterateRows(exec, begin, end, SolveAt<C, false>{s, b, m.incidence, invH2, iteration});
            begin = end;
        }
    });
    if (m.incidence.row.empty()) return;
    forEach(Constraints{}, [&]<class C>() {
        Batch<C>& b = batch<C>(m.jacobi);
        iterateRows(exec, 0, b.size(), SolveAt<C, true>{s, b, m.incidence, invH2, iteration});
    });
    for (const IterativeNodes& r : m.iterativeNodes) exec.run(r.begin, r.end, SumAt{s, m});
}

} // namespace capstan
