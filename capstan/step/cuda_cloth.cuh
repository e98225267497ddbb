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

// Of a small sheet in registers: a cluster, each block with as many threads as it has vertices.
inline constexpr int kTightBlocks = 8, kTightThreads = 256;
inline int tightThreads(int count) {
    const int each = (count + kTightBlocks - 1) / kTightBlocks;
    return (each + 31) / 32 * 32;
}

struct ClothJob {
    ClothView view; // all of it on the GPU
    ClothPlan plan; // colorEnd on the host
    const DeviceClothPin* pin = nullptr;
    int pins = 0, linkCount = 0;
    int edgeEntries = 0, bendEntries = 0;
    int count = 0;                       // vertices, without fillers
    int longestRow = 0;                  // edges of a vertex
    int linkFrom[kTightBlocks + 1] = {}; // of the links, those that begin in a block of tightCloth
    Point* start = nullptr;              // a copy of x from before the step
    ClothResult* result = nullptr;
};

#ifdef __CUDACC__
inline __device__ bool isOdd(Point x) { return !((x.x - x.x) + (x.y - x.y) + (x.z - x.z) == 0); }

// The largest strain, and whether all is finite. Floats that are not negative are in the order of their bits.
inline __device__ void tellCloth(const ClothJob& job, float strain, bool odd) {
    const unsigned worst = __reduce_max_sync(0xffffffffu, strain > 0 ? __float_as_uint(strain) : 0);
    if (__any_sync(0xffffffffu, odd) && threadIdx.x % 32 == 0) job.result->odd = 1;
    if (threadIdx.x % 32 == 0 && worst > 0) atomicMax(&job.result->worst, worst);
}
#endif

// Whether its rows fit into the registers of a few neighbouring processors; and a step of it.
bool fitsTight(const ClothJob& job);
cudaError_t launchTight(const ClothJob& job, cudaStream_t stream);
// Whether the sheet fits into the shared memory of a few neighbouring processors.
bool smallCloth(const ClothJob& job);
// All kernels of a step. After an odd number of Jacobi sweeps x is copied back to where it was.
cudaError_t launchCloth(const ClothJob& job, cudaStream_t stream);

} // namespace capstan
