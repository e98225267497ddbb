// SPDX-License-Identifier: MIT
// Strands on a GPU: eight threads hold one strand, four vertices each, in registers for all substeps.
#pragma once

#include <capstan/model/hair_table.hpp>

#include <cuda_runtime.h>

namespace capstan {

// What a launch reads and writes; all arrays are on the GPU. As HairRun of hair_lanes.hpp.
struct HairJob {
    const HairStep* d = nullptr;
    const HairSubstep* substep = nullptr;
    const HairCollider* collider = nullptr;
    const Point* faces = nullptr;
    const HairRoot* root = nullptr;
    Point *x = nullptr, *v = nullptr;
    float* strain = nullptr; // of each strand
    unsigned* worst =
        nullptr; // the largest strain of all strands, as the bits of a float that is not below 0
    int strands = 0;
};

cudaError_t launchHair(const HairJob& job, cudaStream_t stream);

} // namespace capstan
