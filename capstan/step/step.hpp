// SPDX-License-Identifier: MIT
// One step, top to bottom. Read this file first; each line of it is one file.
//
// Scalar and SIMD share this walk, not only the formulas.
#pragma once

#include <capstan/step/bodies.hpp>
#include <capstan/step/cloth.hpp>
#include <capstan/step/exec.hpp>
#include <capstan/step/finish.hpp>
#include <capstan/step/hair.hpp>
#include <capstan/step/measure.hpp>
#include <capstan/step/meet.hpp>
#include <capstan/step/pins.hpp>
#include <capstan/step/predict.hpp>
#include <capstan/step/solve.hpp>
#include <capstan/step/winch.hpp>
#include <capstan/step_times.hpp>

namespace capstan {

// Everything that touches nothing: each in its own, fastest way.
template <class Exec> void solveApart(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    solveChains(exec, m, s, d, report);    // step/chain     ropes solved directly, all substeps at once
    solveTrees(exec, m, s, d, report);     // step/tree      joints, and ropes tied to bodies, the same way
    solveBodies(exec, m, s, d);            // step/bodies    bodies that nothing holds
    for (int i = 0; i < d.substeps; ++i) { //                ropes solved by iteration:
        predict(exec, m, s, d);            // step/predict   free motion
        solve(exec, m, s, d);              // step/sweep     constraints, sweep by sweep, colour by colour
        finish(exec, m, s, d);             // step/finish    speeds, damping, tensions
    }
}

// lap(phase) is called at the end of each phase, by those who want to know how long it took.
template <class Exec, class Lap>
Report step(Exec& exec, Model& m, State& s, const StepDef& d, const Lap& lap) {
    Report report;
    winch(m, s, d.dt);                  // step/winch     rope is born and retired at winches
    if (m.changed) regroup(exec, m, s); // model/rebuild  constraints into colours, ropes into groups
    startBodies(m, s, d.dt);            // step/bodies    kinematic bodies set off for their goals
    startPins(m, s, d.dt);              // step/pins      pins set off for their targets
    startCloths(exec.memory, exec.meeting != nullptr, m, //                where ropes and bodies are now,
                s);                                      // step/cloth     for the way they go
    lap(StepPhase::Prepare);
    findTouching(exec, m, s, d); // step/meet      who may touch whom
    lap(StepPhase::Meet);
    solveOthers(exec, m, s, d, report, //                the others, each by itself
                [&](Report& told) { solveApart(exec, m, s, d, told); });
    lap(StepPhase::Apart);
    solveTouching(exec, m, s, d,
                  report);   // step/touch     rows, rounds of Newton, cutting, substep by substep
    endPins(m, s);           // step/pins      pins arrive
    endBodies(m, s, report); // step/bodies    and so do kinematic bodies
    lap(StepPhase::Touch);
    solveCloths(exec, m, s, d, report); // step/cloth     sheets of cloth, which see where all others went
    lap(StepPhase::Cloth);
    solveHair(exec, m, s, d, report); // step/hair      strands, which follow bodies
    lap(StepPhase::Hair);
    measure(exec, m, s, report); // step/measure   how far every rope is from its length
    return report;
}

template <class Exec> Report step(Exec& exec, Model& m, State& s, const StepDef& d) {
    return step(exec, m, s, d, [](StepPhase) {});
}

} // namespace capstan
