// SPDX-License-Identifier: MIT
// The hair in a step of the World. It is stepped last, because bodies act on strands, but strands do not act on
// bodies.
#pragma once

#include "core/step_def.hpp"
#include "core/threads.hpp"
#include "math/pack.hpp"
#include "model/model.hpp"
#include <capstan/report.hpp>

namespace capstan {

void stepHairs(Threads& threads, int lanes, Model& m, State& s, const StepDef& d, Report& report);

template <class Exec> void solveHair(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    stepHairs(exec.threads, Exec::chainLanes > 1 ? kLanes : 1, m, s, d, report);
}

} // namespace capstan
