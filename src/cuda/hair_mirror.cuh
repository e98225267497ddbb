// SPDX-License-Identifier: MIT
// The copy (mirror) of a hair on a GPU: upload, step, download. The kernel is in hair.cu.
#pragma once

#include "cuda/hair.cuh"
#include "cuda/memory.cuh"
#include "solver/hair/plan.hpp"

namespace capstan {

class HairMirror {
public:
    // Returns true if the GPU can step this hair: all strands are simulated at full detail. Coarser levels run on the
    // host, which interpolates the drawn strands.
    static bool canRun(const Hair& hair, const HairState& s, int level);

    Status upload(const Hair& hair, const HairState& s, DeviceBudget& budget, cudaStream_t stream);
    // Uploads the plan; must be called before start().
    Status put(const HairPlan& plan, DeviceBudget& budget, cudaStream_t stream);
    Status start(cudaStream_t stream);          // returns without waiting
    Status requestResults(cudaStream_t stream); // must be called after start()
    // Must be called after the stream is synchronised.
    Status readResults(Hair& hair, HairState& s, const HairPlan& plan, cudaStream_t stream);
    Status download(HairState& s, cudaStream_t stream);
    void invalidate() { here_ = ahead_ = false; }

private:
    bool here_ = false, ahead_ = false; // the copy on the GPU is valid; it is newer than the copy on the host
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
