// SPDX-License-Identifier: MIT
// Device: a GPU that steps some objects of a World. Objects that can run there stay there between steps. They are
// downloaded when the program reads them, and uploaded again after an edit.
//
// This header is plain C++. Its implementation is device.cu. In a build without CUDA it is device_none.cpp, whose
// open() returns an Error.
#pragma once

#include "core/step_def.hpp"
#include "model/model.hpp"
#include "solver/rope/group.hpp"
#include <capstan/report.hpp>
#include <capstan/result.hpp>

#include <memory>
#include <string>

namespace capstan {

// A GPU, and the objects of one World on it.
class Device {
public:
    static Result<std::unique_ptr<Device>> open(); // the Error gives the reason why no GPU can be used
    ~Device();
    const std::string& name() const;
    void limit(std::size_t bytes); // bytes, largest amount of memory that it may use; 0: all
    std::size_t bytes() const;     // bytes, memory in use by this World
    static std::size_t occupied(); // bytes, memory of the GPU in use by all programs; 0 without a GPU

    // Uploads all objects that can run on the GPU and are not there yet. Must be called before a step. After an Error
    // all objects are on the host.
    Status upload(Model& m, State& s, const StepDef& d, bool contact);
    // Downloads the objects that are newer on the GPU than on the host.
    void download(Model& m, State& s);
    // Marks the copies on the GPU as outdated after an edit on the host; the next step uploads them again. download()
    // must be called first.
    void invalidate();

    bool hasRopes() const;
    // Steps all ropes and adds the time on the GPU [s] to the report. The host finishes the step of ropes whose
    // Newton solve diverged.
    void stepRopes(Model& m, State& s, const StepDef& d, ChainScratch& scratch, Report& report);
    bool hasCloths() const;
    // Steps all cloths. The velocities of their pins must be set before.
    void stepCloths(Model& m, State& s, Report& report);
    bool hasHairs() const;
    // Steps all hairs.
    void stepHairs(Model& m, State& s, const StepDef& d, Report& report);

private:
    struct Impl;
    explicit Device(std::unique_ptr<Impl> in);
    std::unique_ptr<Impl> in_;
};

} // namespace capstan
