// SPDX-License-Identifier: MIT
// The mirror of a hair on a GPU: upload, step, download. The kernel is in hair.cu.
#pragma once

#include "cuda/hair.cuh"
#include "cuda/memory.cuh"
#include "solver/hair/plan.hpp"

namespace capstan {

class HairMirror {
public:
    // Only a hair whose strands are all simulated at full detail can run here. Coarser levels are drawn on the
    // host.
    static bool canRun(const Hair& hair, const HairState& s, int level);

    Status upload(const Hair& hair, const HairState& s, DeviceBudget& budget, cudaStream_t stream);
    Status put(const HairPlan& plan, DeviceBudget& budget, cudaStream_t stream); // call it before start()
    Status start(cudaStream_t stream);                                           // returns without waiting
    Status requestResults(cudaStream_t stream);                                  // call it after start()
    // call it after the wait for the stream
    Status readResults(Hair& hair, HairState& s, const HairPlan& plan, cudaStream_t stream);
    Status download(HairState& s, cudaStream_t stream);
    void invalidate() { here_ = ahead_ = false; }

private:
    bool here_ = false, ahead_ = false;
    HairJob job_;
    std::vector<HairSubstep> substeps_;
    std::vector<HairCollider> colliders_;
    DeviceArray<Point> x_, v_, faces_;
    DeviceArray<HairRoot> roots_;
    std::vector<HairStep> step_; // has one entry
    DeviceArray<HairStep> deviceStep_;
    DeviceArray<HairSubstep> deviceSubsteps_;
    DeviceArray<HairCollider> deviceColliders_;
    DeviceArray<float> strain_;
    DeviceArray<unsigned> worst_;
    PinnedArray<unsigned> hostResults_;
};

} // namespace capstan
