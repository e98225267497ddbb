// SPDX-License-Identifier: MIT
// Cloth on a GPU: the walk of cloth_walk.hpp, either a kernel for each phase or, for a small sheet, one for all of them.
#pragma once

#include <capstan/step/cloth_walk.hpp>

#include <cuda_runtime.h>

namespace capstan {

// A pin during one step.
struct DeviceClothPin {
    int vertex = 0;
    Vec3 v = {0, 0, 0}, target = {0, 0, 0};
};

// What a step tells: bits of the largest strain (0 if none is above 0), and whether a place is not finite.
struct ClothResult {
    unsigned worst = 0;
    int odd = 0;
};

struct ClothJob {
    ClothView view; // all of it on the GPU
    ClothPlan plan; // colorEnd on the host
    const DeviceClothPin* pin = nullptr;
    int pins = 0, linkCount = 0;
    int edgeEntries = 0, bendEntries = 0;
    Point* start = nullptr; // a copy of x from before the step
    ClothResult* result = nullptr;
};

// Whether the sheet fits into the shared memory of a few neighbouring processors.
bool smallCloth(const ClothJob& job);
// All kernels of a step. After an odd number of Jacobi sweeps x is copied back to where it was.
cudaError_t launchCloth(const ClothJob& job, cudaStream_t stream);

} // namespace capstan
