// SPDX-License-Identifier: MIT
// Solves the islands without contact and the islands with contact. Objects that may come into contact are
// removed from their groups of equal objects for this step.
//
// Islands without contact are solved first, each kind of object by its own solver. Each object is expected to
// stay in its bounding box. If an object leaves its box, the State is rolled back to the checkpoint, and that
// object is solved with the islands in contact.
#pragma once

#include "solver/coupled/substep.hpp"
#include "step/exec.hpp"

namespace capstan {

// Finds the pairs that may be in contact in this step, and regroups objects if the set of objects in contact
// changed.
template <class Exec> void broadPhase(Exec& exec, Model& m, State& s, const StepDef& d) {
    if (!exec.contactWorkspace) {
        if (clearIslands(m)) regroup(exec, m, s);
        return;
    }
    ContactWorkspace& w = *exec.contactWorkspace;
    w.widen.clear();
    w.forced.clear();
    if (findIslands(w, m, s, exec.threads, widen(d.gravity), double(d.dt))) regroup(exec, m, s);
}

// Solves the islands without contact by `solveWithoutContact`. Repeats this if an object left its box.
template <class Exec, class SolveApart>
void solveFreeIslands(Exec& exec, Model& m, State& s, const StepDef& d, Report& report,
                      const SolveApart& solveWithoutContact) {
    if (!exec.contactWorkspace) return solveWithoutContact(report);
    ContactWorkspace& w = *exec.contactWorkspace;
    for (int attempt = 0;; ++attempt) {
        if (w.apart == 0) return;
        Report counters = report;
        checkpoint(w, m, s);
        solveWithoutContact(counters);
        if (stayedInBounds(w, m, s, attempt >= 2)) {
            report = counters;
            return;
        }
        rollback(w, m, s);
        if (findIslands(w, m, s, exec.threads, widen(d.gravity), double(d.dt))) regroup(exec, m, s);
    }
}

// Solves the islands in contact.
template <class Exec>
void solveContactIslands(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (!exec.contactWorkspace) return;
    stepContactIslands(*exec.contactWorkspace, m, s, exec.threads, Exec::chainLanes, widen(d.gravity),
                       double(d.dt), d.substeps, double(d.minSeparationRatio), *exec.treeScratch[0].memory,
                       report);
}

} // namespace capstan
