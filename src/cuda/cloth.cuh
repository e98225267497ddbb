// SPDX-License-Identifier: MIT
// Cloth on a GPU: the substeps of solver/cloth/substep.hpp, as a kernel for each phase or, for a small sheet, as one
// kernel.
#pragma once

#include "solver/cloth/substep.hpp"

#include <cuda_runtime.h>

namespace capstan {

// A pin during one step: velocity [m/s], and position at the end of the step [m].
struct DeviceClothPin {
    int vertex = 0;
    Vec3 v = {0, 0, 0}, target = {0, 0, 0};
};

// Result of a step. `worst` has the bits of the largest strain, a float (0 if no strain is positive). `odd` is 1 if a
// position is not finite.
struct ClothResult {
    unsigned worst = 0;
    int odd = 0;
};

// Size of a cluster for a small sheet in registers: blocks, and threads per block, one for each vertex of the block.
inline constexpr int kTightBlocks = 8, kTightThreads = 256;
inline int tightThreads(int count) {
    const int each = (count + kTightBlocks - 1) / kTightBlocks;
    return (each + 31) / 32 * 32;
}

// Arguments of the kernels of a step.
struct ClothJob {
    ClothView view; // its arrays are on the GPU
    ClothPlan plan; // its colorEnd is on the host
    const DeviceClothPin* pin = nullptr;
    int pins = 0, linkCount = 0;
    int edgeEntries = 0, bendEntries = 0;
    int count = 0;      // number of vertices without padding
    int longestRow = 0; // largest number of edges of a vertex
    // Links are sorted by block of tightCloth; block k has the links from linkFrom[k] on.
    int linkFrom[kTightBlocks + 1] = {};
    Point* start = nullptr; // copy of x from before the step
    ClothResult* result = nullptr;
};

#ifdef __CUDACC__
inline __device__ bool isOdd(Point x) { return !((x.x - x.x) + (x.y - x.y) + (x.z - x.z) == 0); }

// Reports the largest strain and whether a position is not finite. For floats that are not negative, the order of the
// bits is the order of the values.
inline __device__ void writeClothResult(const ClothJob& job, float strain, bool odd) {
    const unsigned worst = __reduce_max_sync(0xffffffffu, strain > 0 ? __float_as_uint(strain) : 0);
    if (__any_sync(0xffffffffu, odd) && threadIdx.x % 32 == 0) job.result->odd = 1;
    if (threadIdx.x % 32 == 0 && worst > 0) atomicMax(&job.result->worst, worst);
}
#endif

// fitsTight returns true if the rows of a sheet fit into the registers of a cluster. launchTight() does a step of
// such a sheet.
bool fitsTight(const ClothJob& job);
cudaError_t launchTight(const ClothJob& job, cudaStream_t stream);
// Returns true if the sheet fits into the shared memory of a cluster.
bool smallCloth(const ClothJob& job);
// Launches all kernels of a step. After an odd number of Jacobi iterations x is in the other array and is copied
// back.
cudaError_t launchCloth(const ClothJob& job, cudaStream_t stream);

} // namespace capstan
