// SPDX-License-Identifier: MIT
// A hair on a GPU: taken over, stepped, brought home. The kernel is in cuda_hair.cu.
#pragma once

#include <capstan/step/cuda_hair.cuh>
#include <capstan/step/cuda_memory.cuh>
#include <capstan/step/hair_plan.hpp>

namespace capstan {

class HairHome {
public:
    // All strands are simulated, at full detail: what a coarser level draws is worked out at home.
    static bool canRun(const Hair& hair, const HairState& s, int level);

    Status take(const Hair& hair, const HairState& s, DeviceBudget& budget, cudaStream_t stream);
    Status put(const HairPlan& plan, DeviceBudget& budget, cudaStream_t stream); // before start()
    Status start(cudaStream_t stream);                                           // returns without waiting
    Status ask(cudaStream_t stream);                                             // after start()
    Status tell(Hair& hair, HairState& s, const HairPlan& plan, cudaStream_t stream); // when all is done
    Status settle(HairState& s, cudaStream_t stream);
    void leave() { here_ = ahead_ = false; }

private:
    bool here_ = false, ahead_ = false;
    HairJob job_;
    std::vector<HairSubstep> substeps_;
    std::vector<HairCollider> colliders_;
    DeviceArray<Point> x_, v_, faces_;
    DeviceArray<HairRoot> roots_;
    std::vector<HairStep> step_; // one
    DeviceArray<HairStep> stepThere_;
    DeviceArray<HairSubstep> substepsThere_;
    DeviceArray<HairCollider> collidersThere_;
    DeviceArray<float> strain_;
    DeviceArray<unsigned> worst_;
    PinnedArray<unsigned> told_;
};

} // namespace capstan
