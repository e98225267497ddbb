// SPDX-License-Identifier: MIT
// Solves the islands without contact and the islands with contact. Objects that may come into contact leave
// their groups of equal objects for this step.
//
// Islands without contact are solved first, each kind by its own solver. Each object is expected to stay in
// its box. If one does not, the State is rolled back to the checkpoint, and that object joins the islands in
// contact.
#pragma once

#include "solver/coupled/substep.hpp"
#include "step/exec.hpp"

namespace capstan {

// Finds the pairs that may be in contact in this step, and regroups objects if the set of objects in contact
// changed.
template <class Exec> void findTouching(Exec& exec, Model& m, State& s, const StepDef& d) {
    if (!exec.meeting) {
        if (stopTouching(m)) regroup(exec, m, s);
        return;
    }
    Meeting& w = *exec.meeting;
    w.widen.clear();
    w.forced.clear();
    if (findMeeting(w, m, s, exec.threads, widen(d.gravity), double(d.dt))) regroup(exec, m, s);
}

// Solves the islands without contact by `solveApart`, and again if an object left its box.
template <class Exec, class Apart>
void solveOthers(Exec& exec, Model& m, State& s, const StepDef& d, Report& report, const Apart& solveApart) {
    if (!exec.meeting) return solveApart(report);
    Meeting& w = *exec.meeting;
    for (int round = 0;; ++round) {
        if (w.apart == 0) return;
        Report told = report;
        keep(w, m, s);
        solveApart(told);
        if (keptApart(w, m, s, round >= 2)) {
            report = told;
            return;
        }
        putBack(w, m, s);
        if (findMeeting(w, m, s, exec.threads, widen(d.gravity), double(d.dt))) regroup(exec, m, s);
    }
}

// Solves the islands in contact.
template <class Exec> void solveTouching(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (!exec.meeting) return;
    stepTouching(*exec.meeting, m, s, exec.threads, Exec::chainLanes, widen(d.gravity), double(d.dt),
                 d.substeps, double(d.minDistance), *exec.treeScratch[0].memory, report);
}

} // namespace capstan
