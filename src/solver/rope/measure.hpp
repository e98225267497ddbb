// SPDX-License-Identifier: MIT
// Measures the length errors of ropes, and their energy. x_i: position of node i; l_i: rest length of segment
// i.
//
//   stretch = sum |x_i - x_(i-1)| / sum l_i - 1,    strain = |x_i - x_(i-1)| / l_i - 1
#pragma once

#include "model/model.hpp"
#include <capstan/report.hpp>

namespace capstan {

inline Vec3d nodePosition(const Rope& r, const State& s, int node) {
    const int p = r.begin + node % r.count;
    return widen(Vec3(s.x[p])) + widen(Vec3(s.low[p]));
}

inline double signedStretch(const Rope& r, const State& s, double* strain = nullptr) {
    double arc = 0, rest = 0, worst = 0;
    Vec3d a = nodePosition(r, s, 0);
    for (int k = 1; k <= r.segments(); ++k) {
        const Vec3d b = nodePosition(r, s, k);
        const double l = length(b - a), l0 = double(s.rest[r.begin + k]);
        arc += l;
        rest += l0;
        worst = max(worst, abs(l - l0) / l0);
        a = b;
    }
    if (strain) *strain = worst;
    return arc / rest - 1;
}

// Measures the ropes of the iterative solver, then collects the results of all ropes in the report. The
// elimination solver measures its own ropes while their data are in the cache.
template <class Exec> void measure(Exec& exec, Model& m, const State& s, Report& report) {
    exec.each(int(m.iterativeNodes.size()), [&](int i, int) {
        Rope& r = m.ropes[m.iterativeNodes[i].rope];
        double strain = 0;
        r.stretch = float(signedStretch(r, s, &strain));
        r.strain = float(strain);
    });
    for (const Rope& r : m.ropes) {
        if (!r.alive) continue;
        report.maxStretch = max(report.maxStretch, abs(r.stretch));
        report.maxStrain = max(report.maxStrain, r.strain);
        report.quarantined += r.frozen;
    }
}

inline Energy energyOf(const Rope& r, const State& s, Vec3 gravity) {
    Energy e;
    const Vec3d g = widen(gravity);
    for (int k = 0; k < r.count; ++k) {
        const Point& v = s.v[r.begin + k];
        if (!(s.x[r.begin + k].w > 0)) continue; // pinned
        const double mass = double(v.w);
        e.kinetic += 0.5 * mass * lengthSquared(widen(Vec3(v)));
        e.potential -= mass * dot(g, nodePosition(r, s, k));
    }
    const double ea = double(r.def.stretchStiffness), ei = double(r.def.bendStiffness);
    for (int k = 1; ea > 0 && k <= r.segments(); ++k) {
        const double l0 = double(s.rest[r.begin + k]);
        const double over = length(nodePosition(r, s, k) - nodePosition(r, s, k - 1)) - l0;
        e.elastic += 0.5 * ea * over * over / l0;
    }
    for (int k = r.def.closed ? 0 : 1; ei > 0 && k < (r.def.closed ? r.count : r.count - 1); ++k) {
        const double l1 = double(s.rest[r.begin + (k > 0 ? k : r.count)]),
                     l2 = double(s.rest[r.begin + k + 1]);
        const Vec3d o = nodePosition(r, s, k), before = nodePosition(r, s, k + r.count - 1),
                    after = nodePosition(r, s, k + 1);
        e.elastic += ei / (l1 + l2) * lengthSquared((1 / l2) * (after - o) - (1 / l1) * (o - before));
    }
    for (int end = 0; ei > 0 && end < 2; ++end) {
        if (!(lengthSquared(r.clamp[end]) > 0)) continue;
        const int at = end == 0 ? 0 : r.count - 1, next = end == 0 ? 1 : r.count - 2;
        const double l = double(s.rest[r.begin + (end == 0 ? 1 : r.count - 1)]);
        const Vec3d off = nodePosition(r, s, next) - nodePosition(r, s, at) - l * widen(r.clamp[end]);
        e.elastic += ei / (l * l * l) * lengthSquared(off);
    }
    return e;
}

} // namespace capstan
