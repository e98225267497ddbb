// SPDX-License-Identifier: MIT
// The copy (mirror) of a World's ropes on a GPU: upload, step, download. The kernel is in ropes.cu.
#pragma once

#include "core/step_def.hpp"
#include "cuda/memory.cuh"
#include "cuda/ropes.cuh"
#include "solver/rope/group.hpp"
#include <capstan/report.hpp>

namespace capstan {

class RopeMirror {
public:
    // Returns true if the GPU can step the ropes: all are chain ropes without contact, joints, winches and breaking.
    static bool canRun(const Model& m, bool contact);

    Status upload(const Model& m, State& s, const StepDef& d, DeviceBudget& budget, cudaStream_t stream);
    Status step(Model& m, State& s, const StepDef& d, ChainScratch& scratch, DeviceBudget& budget,
                cudaStream_t stream, const DeviceClock& clock, Report& report);
    Status download(State& s, cudaStream_t stream);
    void invalidate() { here_ = ahead_ = false; }
    bool here() const { return here_; }
    bool ahead() const { return ahead_; }

private:
    Status uploadColumns(State& s, bool forced, DeviceBudget& budget, cudaStream_t stream);
    Status uploadTable(const Model& m, const StepDef& d, DeviceBudget& budget, cudaStream_t stream);
    Status plan(DeviceBudget& budget);
    Status uploadPins(const Model& m, const State& s, DeviceBudget& budget, cudaStream_t stream);
    Status finish(Model& m, State& s, const StepDef& d, std::size_t rope, ChainScratch& scratch,
                  cudaStream_t stream, ChainCounts& n);

    bool here_ = false, ahead_ = false; // the copy on the GPU is valid; it is newer than the copy on the host
    StepDef last_ = {};
    std::vector<DeviceRope> table_;
    std::vector<DevicePin> pins_;
    std::vector<RopeJob> jobs_; // one launch for each group of ropes of similar length
    DeviceArray<Point> x_, v_, low_, before_, dBefore_, force_;
    DeviceArray<float> tension_, rest_;
    DeviceArray<DeviceRope> ropes_;
    DeviceArray<DevicePin> devicePins_;
    DeviceArray<RopeResult> results_;
    PinnedArray<RopeResult> hostResults_;
    DeviceArray<ChainNode<double>> nodes_;
    DeviceArray<ChainPast<double>> past_;
    DeviceArray<RingNode<double>> rings_;
};

} // namespace capstan
