// SPDX-License-Identifier: MIT
// Device: a GPU that works beside the CPU. Objects that can run there stay there from step to step. They are
// downloaded when they are read, and uploaded again after an edit.
//
// This header is plain C++. Its implementation is device.cu. A build without CUDA has device_none.cpp, whose
// open() returns an error.
#pragma once

#include "core/step_def.hpp"
#include "model/model.hpp"
#include "solver/rope/group.hpp"
#include <capstan/report.hpp>
#include <capstan/result.hpp>

#include <memory>
#include <string>

namespace capstan {

// A GPU, and the objects of one world on it.
class Device {
public:
    static Result<std::unique_ptr<Device>> open(); // error: the reason why there is none
    ~Device();
    const std::string& name() const;
    void limit(std::size_t bytes); // largest amount of memory that it may use; 0: all
    std::size_t bytes() const;     // memory in use by this world
    static std::size_t occupied(); // memory of the GPU in use by all programs; 0 without a GPU

    // Uploads all objects that can run on the GPU and are not there yet. Call it before a step. After an error
    // all objects are on the host.
    Status upload(Model& m, State& s, const StepDef& d, bool contact);
    // Downloads the objects that are newer on the GPU than on the host.
    void download(Model& m, State& s);
    // Marks the copies on the GPU as outdated after an edit on the host; the next step uploads them again. Call
    // download() first.
    void invalidate();

    bool hasRopes() const;
    // Does a step of all ropes and measures its time on the GPU in seconds. The host finishes ropes that need
    // rescue.
    void stepRopes(Model& m, State& s, const StepDef& d, ChainScratch& scratch, Report& report);
    bool hasCloths() const;
    // Does a step of all cloths. The velocities of their pins must be set.
    void stepCloths(Model& m, State& s, Report& report);
    bool hasHairs() const;
    void stepHairs(Model& m, State& s, const StepDef& d, Report& report);

private:
    struct Impl;
    explicit Device(std::unique_ptr<Impl> in);
    std::unique_ptr<Impl> in_;
};

} // namespace capstan
