// SPDX-License-Identifier: MIT
// Device: a GPU beside the CPU. What it can run lives there from step to step; it comes home when it is read and goes back
// when it was edited.
//
// This header is plain C++. device.cu is behind it; in a build without CUDA, device_none.cpp, which says so.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/report.hpp>
#include <capstan/result.hpp>
#include <capstan/step/chain_group.hpp>
#include <capstan/step/step_def.hpp>

#include <memory>
#include <string>

namespace capstan {

// A GPU, and what of one world lives on it.
class Device {
public:
    static Result<std::unique_ptr<Device>> open(); // or why there is none
    ~Device();
    const std::string& name() const;
    void limit(std::size_t bytes); // that it may take; 0: all there is
    std::size_t bytes() const;     // taken
    static std::size_t occupied(); // bytes of the GPU's memory in use, by whomever; 0 without one

    // Before a step: takes over what it can run, as far as it has not got it. An error leaves everything at home.
    Status take(Model& m, State& s, const StepDef& d, bool contact);
    // Brings home what the GPU is ahead with.
    void settle(Model& m, State& s);
    // Something was changed at home: it is taken again before the next step. Call settle() first.
    void edited();

    bool hasRopes() const;
    // A step of all ropes, and its time on the GPU in seconds. Ropes that need rescue are finished at home.
    void stepRopes(Model& m, State& s, const StepDef& d, ChainScratch& scratch, Report& report);
    bool hasCloths() const;
    // A step of all cloths, whose pins have set off.
    void stepCloths(Model& m, State& s, Report& report);
    bool hasHairs() const;
    void stepHairs(Model& m, State& s, const StepDef& d, Report& report);

private:
    struct Inside;
    explicit Device(std::unique_ptr<Inside> in);
    std::unique_ptr<Inside> in_;
};

} // namespace capstan
