// SPDX-License-Identifier: MIT
// The substeps of a sheet of cloth, phase by phase. A Runner executes a phase by `run.run(begin, end, phase)`. The
// CPU has one Runner. A GPU has a Runner with a kernel for each phase, and others with one kernel for all phases.
#pragma once

#include "solver/cloth/phases.hpp"

// A Runner has host functions or GPU functions. This pragma stops nvcc from checking which of them a template calls.
#ifdef __CUDACC__
#define CAPSTAN_EITHER _Pragma("nv_exec_check_disable")
#else
#define CAPSTAN_EITHER
#endif

namespace capstan {

// Parameters of the substeps of a cloth.
struct ClothPlan {
    int substeps = 1, iterations = 1;
    int room = 0, tied = 0, triangles = 0, links = 0;
    bool jacobi = false, bends = false, air = false, tethers = false;
    bool rigid =
        false; // all edges are rigid: multipliers have no effect, and each iteration is like the first
    double bendRatio = 0;
    const std::int32_t* colorEnd = nullptr;
    int colors = 0;

    CAPSTAN_HD bool fused() const { return !air; }
};

// Implicit bending, once per substep, by Chebyshev's semi-iteration. The spectrum of the Jacobi-scaled matrix lies in
// [1 / (1 + ratio), 1]. The number of iterations is proportional to the square root of the ratio. Plain Jacobi would
// need a number proportional to the ratio, and with fewer a stiff sheet would hang limp. Source: Saad, Iterative
// methods for sparse linear systems (2003), algorithm 12.1.
struct ClothBendIterations {
    // With at most 64, a strip of 40 columns (validation T1, Gamma = 1, 40 substeps) was 9 % too stiff.
    static constexpr int kMost = 256;
    int count;
    double theta, delta, sigma, rho;
    // Factors of the previous and of the Jacobi displacement in this iteration.
    float lastFactor = 0, newFactor;
    CAPSTAN_HD explicit ClothBendIterations(double ratio) {
        const double least = 1 / (1 + ratio);
        theta = 0.5 * (1 + least);
        delta = max(0.5 * (1 - least), 1e-12);
        sigma = theta / delta;
        rho = 1 / sigma;
        // Soft sheets take one iteration. The error falls by exp(-2 rounds / sqrt(1 + ratio)).
        const double iterations = ratio < 0.25 ? 1 : 2 * sqrt(1 + ratio) + 1;
        count = iterations < kMost ? int(iterations) : kMost;
        newFactor = narrow(1 / theta);
    }
    CAPSTAN_HD void next() {
        const double now = 1 / (2 * sigma - rho);
        lastFactor = narrow(now * rho);
        newFactor = narrow(2 * now / delta);
        rho = now;
    }
};

CAPSTAN_INLINE void swapPositions(ClothView& view) {
    Point* x = view.x;
    view.x = view.next;
    view.next = x;
}

CAPSTAN_EITHER
template <class Runner> CAPSTAN_HD void bendCloth(Runner& run, const ClothPlan& p, ClothView& view) {
    ClothBendIterations b(p.bendRatio * double(view.h) * double(view.h));
    run.run(0, p.room, ClothBend<true>{view, b.lastFactor, b.newFactor});
    swapPositions(view);
    for (int k = 1; k < b.count; ++k) {
        b.next();
        run.run(0, p.room, ClothBend<false>{view, b.lastFactor, b.newFactor});
        swapPositions(view);
    }
}

// One solver iteration over the lengths.
CAPSTAN_EITHER
template <bool first, bool last, class Runner>
CAPSTAN_HD void iterateCloth(Runner& run, const ClothPlan& p, ClothView& view, ClothEnd end) {
    if (!p.jacobi) {
        for (int k = 0, begin = 0; k < p.colors; begin = p.colorEnd[k++])
            run.run(begin, p.colorEnd[k], ClothEdgeIteration<first, last>{view});
        return;
    }
    if (!last || end == ClothEnd::None)
        run.run(0, p.room, ClothVertexIteration<first, last>{view});
    else if (end == ClothEnd::Turn)
        run.run(0, p.room, ClothVertexIteration < first, last,
                last ? ClothEnd::Turn : ClothEnd::None > {view});
    else
        run.run(0, p.room, ClothVertexIteration < first, last,
                last ? ClothEnd::Finish : ClothEnd::None > {view});
    swapPositions(view);
}

// Bending comes first. Lengths come last, because a wrong length is the error that the eye sees first.
CAPSTAN_EITHER
template <class Runner>
CAPSTAN_HD void solveCloth(Runner& run, const ClothPlan& p, ClothView& view, ClothEnd end) {
    if (p.bends) bendCloth(run, p, view);
    if (p.rigid)
        for (int iteration = 1; iteration < p.iterations; ++iteration)
            iterateCloth<true, true>(run, p, view, ClothEnd::None);
    if (p.rigid || p.iterations == 1) return iterateCloth<true, true>(run, p, view, end);
    iterateCloth<true, false>(run, p, view, end);
    for (int iteration = 2; iteration < p.iterations; ++iteration)
        iterateCloth<false, false>(run, p, view, end);
    iterateCloth<false, true>(run, p, view, end);
}

// Takes the weights of edges for the masses in the air. A runner that cannot look at the flag makes them always; where
// no vertex is heavier they have the bits of fitGain().
CAPSTAN_EITHER
template <class Runner> CAPSTAN_HD void weighInAir(Runner& run, const ClothPlan& p, ClothView& view) {
    const bool heavier = run.heavier(view.heavier);
    if (!p.jacobi) {
        if (heavier) run.run(0, p.colors > 0 ? p.colorEnd[p.colors - 1] : 0, ClothEdgeWeights{view});
        view.weightA = heavier ? view.airWeightA : view.ownWeightA;
        view.weightB = heavier ? view.airWeightB : view.ownWeightB;
        view.gain = heavier ? view.airGain : view.ownGain;
    } else {
        if (heavier) run.run(0, p.room, ClothVertexWeights{view});
        view.edgeGain = heavier ? view.airGain : view.ownGain;
    }
}

// The first part of a substep, up to contact, and its end.
CAPSTAN_EITHER
template <class Runner> CAPSTAN_HD void openCloth(Runner& run, const ClothPlan& p, ClothView& view) {
    if (p.air) run.run(0, p.triangles, ClothAirForce{view});
    run.run(0, p.room, ClothPredict{view});
    if (p.air) weighInAir(run, p, view);
    if (!p.jacobi) run.run(0, p.tied, ClothMark{view});
    solveCloth(run, p, view, ClothEnd::None);
    if (p.tethers && !p.jacobi) run.run(0, p.room, ClothTether{view});
}
CAPSTAN_EITHER
template <class Runner> CAPSTAN_HD void closeCloth(Runner& run, const ClothPlan& p, ClothView& view) {
    run.run(0, p.room, ClothFinish{view});
}

// All substeps, if nothing comes between them. Without air the end of one and the start of the next are one
// phase.
CAPSTAN_EITHER
template <class Runner> CAPSTAN_HD void runCloth(Runner& run, const ClothPlan& p, ClothView& view) {
    for (int i = 0; i < p.substeps; ++i) {
        if (!p.fused()) {
            openCloth(run, p, view);
            closeCloth(run, p, view);
            continue;
        }
        if (i == 0) run.run(0, p.room, ClothPredict{view});
        const bool more = i + 1 < p.substeps;
        if (p.jacobi) {
            solveCloth(run, p, view, more ? ClothEnd::Turn : ClothEnd::Finish);
            continue;
        }
        run.run(0, p.tied, ClothMark{view});
        solveCloth(run, p, view, ClothEnd::None);
        if (more) {
            run.run(0, p.room, ClothTurn{view});
            continue;
        }
        if (p.tethers) run.run(0, p.room, ClothTether{view});
        closeCloth(run, p, view);
    }
    run.run(0, p.links, ClothStrain{view});
}

} // namespace capstan
