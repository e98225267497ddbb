// SPDX-License-Identifier: MIT
// The sequence of phases of a step. Read this file first: each comment below names the file of the next call.
//
// The scalar and the SIMD backend share this sequence and all formulas.
#pragma once

#include "solver/hair/step.hpp"
#include "solver/mechanism/free_bodies.hpp"
#include "solver/rope/iterative/finish.hpp"
#include "solver/rope/iterative/predict.hpp"
#include "solver/rope/measure.hpp"
#include "solver/rope/pins.hpp"
#include "solver/rope/winch.hpp"
#include "step/cloth.hpp"
#include "step/exec.hpp"
#include "step/islands.hpp"
#include "step/solve.hpp"
#include <capstan/step_times.hpp>

namespace capstan {

// Solves all objects without contact, each kind by its own solver, which is the fastest for it.
template <class Exec>
void solveWithoutContact(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    solveChains(exec, m, s, d, report); // solver/rope: ropes solved directly, all substeps at once
    solveTrees(exec, m, s, d, report);  // solver/mechanism: joints, and ropes tied to bodies, all substeps at
                                        // once
    solveBodies(exec, m, s, d);         // mechanism/free_bodies: bodies without joints
    for (int i = 0; i < d.substeps; ++i) { // ropes solved by iteration:
        predict(exec, m, s, d);            // iterative/predict: free motion
        solve(exec, m, s, d);  // iterative/sweep: constraints, iteration by iteration, colour by colour
        finish(exec, m, s, d); // iterative/finish: velocities, damping, tensions
    }
}

// Does one step. Calls lap(phase) at the end of each phase, so that a caller can measure its time.
template <class Exec, class Lap>
Report step(Exec& exec, Model& m, State& s, const StepDef& d, const Lap& lap) {
    Report report;
    winch(m, s, d.dt);                  // rope/winch: nodes are added and removed at winches
    if (m.changed) regroup(exec, m, s); // model/rebuild: constraints into colours, ropes into groups
    startBodies(m, s, d.dt); // mechanism/free_bodies: kinematic bodies get velocities towards their targets
    startPins(m, s, d.dt);   // rope/pins: pins get velocities towards their targets
    startCloths(exec.memory, exec.contactWorkspace != nullptr, m,
                s); // step/cloth: stores positions of ropes and bodies
    lap(StepPhase::Prepare);
    broadPhase(exec, m, s, d); // step/islands: pairs that may be in contact
    lap(StepPhase::BroadPhase);
    // step/islands.hpp: islands without contact, each by itself.
    solveFreeIslands(exec, m, s, d, report,
                     [&](Report& counters) { solveWithoutContact(exec, m, s, d, counters); });
    lap(StepPhase::SolveFree);
    solveContactIslands(exec, m, s, d,
                        report); // solver/coupled: contact rows, Newton, step bound, in each substep
    endPins(m, s);               // rope/pins: pins reach their targets
    endBodies(m, s, report);     // mechanism/free_bodies: kinematic bodies reach their targets
    lap(StepPhase::SolveContact);
    solveCloths(exec, m, s, d, report); // step/cloth: cloth, which reads the paths of ropes and bodies
    lap(StepPhase::Cloth);
    solveHair(exec, m, s, d, report); // solver/hair: strands, which follow bodies
    lap(StepPhase::Hair);
    measure(exec, m, s, report); // rope/measure: errors of the ropes' lengths
    return report;
}

template <class Exec> Report step(Exec& exec, Model& m, State& s, const StepDef& d) {
    return step(exec, m, s, d, [](StepPhase) {});
}

} // namespace capstan
