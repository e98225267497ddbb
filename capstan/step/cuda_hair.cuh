// SPDX-License-Identifier: MIT
// Strands on a GPU: eight threads hold one strand, four vertices each, in registers for all substeps.
#pragma once

#include <capstan/model/hair_table.hpp>

#include <cuda_runtime.h>

namespace capstan {

inline constexpr int kHairStaged = 16;

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
    int strands = 0, vertices = 0; // of each strand
    int substeps = 0;
    bool curls = false;
    bool ball = false; // it meets one shape, a sphere, in at most kHairStaged substeps
};

cudaError_t launchHair(const HairJob& job, cudaStream_t stream);

} // namespace capstan
