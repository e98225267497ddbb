// SPDX-License-Identifier: MIT
// ExecCuda: the phases of step.hpp, with a GPU beside the CPU.
#pragma once

#include "cuda/device.hpp"
#include "solver/hair/step.hpp"
#include "step/cloth.hpp"
#include "step/exec.hpp"
#include "step/solve.hpp"

namespace capstan {

struct ExecCuda : ExecSimd {
    Device& device;
};

// Objects that are not on the device are solved on the CPU.
inline void solveChains(ExecCuda& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (exec.device.hasRopes())
        exec.device.stepRopes(m, s, d, exec.scratch[0], report);
    else
        solveChains<ExecSimd>(exec, m, s, d, report);
}

inline void solveCloths(ExecCuda& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (!exec.device.hasCloths()) return solveCloths<ExecSimd>(exec, m, s, d, report);
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive) startCloth(m, s, m.cloths[i], s.cloths[i], d.dt);
    s.clothContacts.clear();
    exec.device.stepCloths(m, s, report);
    reportCloths(m, report);
}

inline void solveHair(ExecCuda& exec, Model& m, State& s, const StepDef& d, Report& report) {
    if (!exec.device.hasHairs()) return solveHair<ExecSimd>(exec, m, s, d, report);
    exec.device.stepHairs(m, s, d, report);
    for (std::size_t i = 0; i < m.hairs.size(); ++i) {
        if (!m.hairs[i].alive) continue;
        report.maxStrain = max(report.maxStrain, s.hairs[i].worst);
        report.quarantined += m.hairs[i].frozen;
    }
}

} // namespace capstan
