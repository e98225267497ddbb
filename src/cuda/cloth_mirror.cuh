// SPDX-License-Identifier: MIT
// The mirror of a cloth on a GPU: upload, step, download. The kernels are in cloth.cu.
#pragma once

#include "core/step_def.hpp"
#include "cuda/cloth.cuh"
#include "cuda/memory.cuh"
#include "model/model.hpp"

namespace capstan {

class ClothHome {
public:
    ClothHome() = default;
    ~ClothHome();
    ClothHome(const ClothHome&) = delete;
    ClothHome& operator=(const ClothHome&) = delete;

    // Only a cloth without contact, tearing and attachment to a rope can run here.
    static bool canRun(const Model& m, const Cloth& c, bool contact);

    Status take(Cloth& c, ClothState& s, const StepDef& d, float damping, DeviceBudget& budget,
                cudaStream_t stream);
    // Starts a step with the velocities of pins and returns without waiting. ask() requests the results; tell()
    // reads them after the wait for the stream.
    Status start(const Cloth& c, const ClothState& s, DeviceBudget& budget, cudaStream_t stream);
    Status ask(cudaStream_t stream);
    Status tell(Cloth& c, ClothState& s, cudaStream_t stream);
    Status settle(Cloth& c, ClothState& s, cudaStream_t stream);
    void leave() { here_ = ahead_ = false; }

private:
    Status takeRows(const Cloth& c, DeviceBudget& budget, cudaStream_t stream);
    Status takeState(ClothState& s, DeviceBudget& budget, cudaStream_t stream);
    Status record(cudaStream_t stream);

    bool here_ = false, ahead_ = false;
    StepDef last_ = {};
    ClothJob job_ = {};
    cudaGraphExec_t graph_ = nullptr;
    std::vector<DeviceClothPin> pins_;
    DeviceArray<DeviceClothPin> pinsThere_;
    DeviceArray<Point> x_, v_, before_, next_, bendFrom_, bendMove_, air_, tied_, force_, start_;
    DeviceArray<float> lambda_, strain_;
    DeviceArray<std::int32_t> a_, b_, edgesBegin_, edgesOther_, bendBegin_, bendOther_, tiedVertex_,
        tetherPin_, trianglesBegin_, trianglesOf_, corner_[3], linkA_, linkB_;
    DeviceArray<float> rest_, compliance_, edgeRest_, edgeCompliance_, edgeGain_, bendWeight_, bendBound_,
        weightA_, weightB_, most_, gain_, tetherReach_, linkRest_;
    DeviceArray<ClothResult> result_;
    PinnedArray<ClothResult> told_;
};

} // namespace capstan
