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

// Sums counts of all threads. They are integers, so the sum does not depend on the order of threads.
class CountSum {
public:
    void operator+=(const ChainCounts& n) {
        solves_ += n.solves;
        retries_ += n.retries;
        heldStill_ += n.heldStill;
        refined_ += n.refined;
    }
    void addTo(Report& report) const {
        report.solves += solves_;
        report.retries += retries_;
        report.heldStill += heldStill_;
        report.refinedSubsteps += refined_;
    }

private:
    std::atomic<int> solves_{0}, retries_{0}, heldStill_{0}, refined_{0};
};

// Solves ropes by elimination. These ropes have no contact, so each group is solved for all substeps while it
// is in the cache.
template <class Exec> void solveChains(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    CountSum sum;
    exec.each(int(m.groups.size()), [&](int i, int worker) {
        sum += stepChainGroup(m, s, m.groups[i], exec.scratch[worker], d.gravity, double(d.h()), d.substeps);
    });
    sum.addTo(report);
}

// Solves mechanisms: jointed bodies and the ropes tied to them. Mechanisms do not depend on each other.
template <class Exec> void solveTrees(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    CountSum sum;
    exec.each(int(m.trees.size()), [&](int i, int worker) {
        sum += stepTreeGroup(m, s, m.trees[i], exec.treeScratch[worker], d.gravity, double(d.dt) / d.substeps,
                             d.substeps);
    });
    sum.addTo(report);
}

// Solves one substep of iterative ropes: all iterations over their constraints.
template <class Exec> void solve(Exec& exec, Model& m, State& s, const StepDef& d) {
    const float h = d.h();
    for (int iteration = 0; iteration < m.iterations; ++iteration)
        iterate(exec, m, s, 1 / (h * h), iteration);
}

} // namespace capstan
