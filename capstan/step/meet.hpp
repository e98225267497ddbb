// SPDX-License-Identifier: MIT
// Meet: those who may touch leave their groups for this step and go through it together.
//
// The others are solved first, each in its own way. It is hoped that they stay in the boxes they were given; where one
// does not, everything is put back and it joins those who may touch.
#pragma once

#include <capstan/step/exec.hpp>
#include <capstan/step/touch_step.hpp>

namespace capstan {

template <class Exec> void findTouching(Exec& exec, Model& m, State& s, const StepDef& d) {
    if (!exec.meeting) {
        if (stopTouching(m)) regroup(exec, m, s);
        return;
    }
    Meeting& w = *exec.meeting;
    w.widen.clear(), w.forced.clear();
    if (findMeeting(w, m, s, exec.threads, widen(d.gravity), double(d.dt))) regroup(exec, m, s);
}

// Solves those who touch nothing by `solveApart`, again if one of them left its box.
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

template <class Exec> void solveTouching(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (!exec.meeting) return;
    stepTouching(*exec.meeting, m, s, exec.threads, Exec::chainLanes, widen(d.gravity), double(d.dt),
                 d.substeps, double(d.minDistance), *exec.treeScratch[0].memory, report);
}

} // namespace capstan
