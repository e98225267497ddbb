// SPDX-License-Identifier: MIT
// Calls the solvers of ropes and mechanisms. Ropes are solved directly, group by group, or by iterations over
// their constraints.
#pragma once

#include "solver/rope/group.hpp"
#include "solver/rope/iterative/sweep.hpp"
#include "step/exec.hpp"
#include <capstan/report.hpp>

#include <atomic>

namespace capstan {

// Solves ropes by elimination. These ropes have no contact, so each group is solved for all substeps while it
// is in the cache.
template <class Exec> void solveChains(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    // The counts are integers, so their sum does not depend on the order of threads.
    std::atomic<int> solves{0}, retries{0}, heldStill{0};
    exec.each(int(m.groups.size()), [&](int i, int worker) {
        ChainScratch& scratch = exec.scratch[worker];
        const ChainCounts n =
            stepChainGroup(m, s, m.groups[i], scratch, d.gravity, double(d.h()), d.substeps);
        solves += n.solves;
        retries += n.retries;
        heldStill += n.heldStill;
    });
    report.solves += solves;
    report.retries += retries;
    report.heldStill += heldStill;
}

// Solves mechanisms: jointed bodies and the ropes tied to them. Mechanisms do not depend on each other.
template <class Exec> void solveTrees(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    std::atomic<int> solves{0}, retries{0}, heldStill{0};
    exec.each(int(m.trees.size()), [&](int i, int worker) {
        const ChainCounts n = stepTreeGroup(m, s, m.trees[i], exec.treeScratch[worker], d.gravity,
                                            double(d.dt) / d.substeps, d.substeps);
        solves += n.solves;
        retries += n.retries;
        heldStill += n.heldStill;
    });
    report.solves += solves;
    report.retries += retries;
    report.heldStill += heldStill;
}

// Solves one substep of iterative ropes: all iterations over their constraints.
template <class Exec> void solve(Exec& exec, Model& m, State& s, const StepDef& d) {
    const float h = d.h();
    for (int iteration = 0; iteration < m.iterations; ++iteration)
        iterate(exec, m, s, 1 / (h * h), iteration);
}

} // namespace capstan
