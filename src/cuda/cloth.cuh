// SPDX-License-Identifier: MIT
// Cloth on a GPU: the substeps of solver/cloth/substep.hpp, as a kernel for each phase or, for a small sheet, as one
// kernel.
#pragma once

#include "solver/cloth/substep.hpp"

#include <cuda_runtime.h>

namespace capstan {

// A pin during one step.
struct DeviceClothPin {
    int vertex = 0;
    Vec3 v = {0, 0, 0}, target = {0, 0, 0};
};

// Result of a step: bits of the largest strain (0 if no strain is above 0), and whether a position is not
// finite.
struct ClothResult {
    unsigned worst = 0;
    int odd = 0;
};

// For a small sheet in registers: a cluster of blocks, with one thread for each vertex of a block.
inline constexpr int kTightBlocks = 8, kTightThreads = 256;
inline int tightThreads(int count) {
    const int each = (count + kTightBlocks - 1) / kTightBlocks;
    return (each + 31) / 32 * 32;
}

struct ClothJob {
    ClothView view; // its arrays are on the GPU
    ClothPlan plan; // its colorEnd is on the host
    const DeviceClothPin* pin = nullptr;
    int pins = 0, linkCount = 0;
    int edgeEntries = 0, bendEntries = 0;
    int count = 0;                       // number of vertices without padding
    int longestRow = 0;                  // largest number of edges of a vertex
    int linkFrom[kTightBlocks + 1] = {}; // links sorted by block of tightCloth: block k begins at linkFrom[k]
    Point* start = nullptr;              // copy of x from before the step
    ClothResult* result = nullptr;
};

#ifdef __CUDACC__
inline __device__ bool isOdd(Point x) { return !((x.x - x.x) + (x.y - x.y) + (x.z - x.z) == 0); }

// Reports the largest strain and whether all positions are finite. For floats that are not negative, the order
// of the bits is the order of the values.
inline __device__ void writeClothResult(const ClothJob& job, float strain, bool odd) {
    const unsigned worst = __reduce_max_sync(0xffffffffu, strain > 0 ? __float_as_uint(strain) : 0);
    if (__any_sync(0xffffffffu, odd) && threadIdx.x % 32 == 0) job.result->odd = 1;
    if (threadIdx.x % 32 == 0 && worst > 0) atomicMax(&job.result->worst, worst);
}
#endif

// Returns true if the rows of a sheet fit into the registers of a cluster. launchTight() does a step of such a
// sheet.
bool fitsTight(const ClothJob& job);
cudaError_t launchTight(const ClothJob& job, cudaStream_t stream);
// Returns true if the sheet fits into the shared memory of a cluster.
bool smallCloth(const ClothJob& job);
// Launches all kernels of a step. After an odd number of Jacobi iterations it copies x back to its own array.
cudaError_t launchCloth(const ClothJob& job, cudaStream_t stream);

} // namespace capstan
