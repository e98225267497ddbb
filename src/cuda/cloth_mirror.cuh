// SPDX-License-Identifier: MIT
// The copy (mirror) of a cloth on a GPU: upload, step, download. The kernels are in cloth.cu.
#pragma once

#include "core/step_def.hpp"
#include "cuda/cloth.cuh"
#include "cuda/memory.cuh"
#include "model/model.hpp"

namespace capstan {

class ClothMirror {
public:
    ClothMirror() = default;
    ~ClothMirror();
    ClothMirror(const ClothMirror&) = delete;
    ClothMirror& operator=(const ClothMirror&) = delete;

    // Returns true if the GPU can step this cloth: it has no contact, no tearing, and no attachment to a movable
    // host.
    static bool canRun(const Model& m, const Cloth& c, bool contact);

    Status upload(Cloth& c, ClothState& s, const StepDef& d, float damping, DeviceBudget& budget,
                  cudaStream_t stream);
    // start() begins a step with the velocities of pins and returns without waiting. requestResults() requests the
    // results, and readResults() reads them after the stream is synchronised.
    Status start(const Cloth& c, const ClothState& s, DeviceBudget& budget, cudaStream_t stream);
    Status requestResults(cudaStream_t stream);
    Status readResults(Cloth& c, ClothState& s, cudaStream_t stream);
    Status download(Cloth& c, ClothState& s, cudaStream_t stream);
    void invalidate() { here_ = ahead_ = false; }

private:
    Status uploadRows(const Cloth& c, DeviceBudget& budget, cudaStream_t stream);
    Status uploadState(ClothState& s, DeviceBudget& budget, cudaStream_t stream);
    Status record(cudaStream_t stream);

    bool here_ = false, ahead_ = false; // the copy on the GPU is valid; it is newer than the copy on the host
    StepDef last_ = {};
    ClothJob job_ = {};
    cudaGraphExec_t graph_ = nullptr;
    std::vector<DeviceClothPin> pins_;
    DeviceArray<DeviceClothPin> devicePins_;
    DeviceArray<Point> x_, v_, before_, next_, bendFrom_, bendMove_, air_, tied_, force_, start_;
    DeviceArray<float> lambda_, strain_, airGain_, airWeightA_, airWeightB_, share_, edgePart_;
    DeviceArray<std::int32_t> heavier_;
    DeviceArray<std::int32_t> a_, b_, edgesBegin_, edgesOther_, bendBegin_, bendOther_, tiedVertex_,
        tetherPin_, trianglesBegin_, trianglesOf_, corner_[3], linkA_, linkB_;
    DeviceArray<float> rest_, compliance_, edgeRest_, edgeCompliance_, edgeGain_, bendWeight_, bendBound_,
        weightA_, weightB_, most_, gain_, tetherReach_, linkRest_;
    DeviceArray<ClothResult> result_;
    PinnedArray<ClothResult> hostResults_;
};

} // namespace capstan
