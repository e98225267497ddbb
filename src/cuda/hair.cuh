// SPDX-License-Identifier: MIT
// Strands on a GPU: eight threads hold one strand, four vertices each, in registers for all substeps.
#pragma once

#include "model/hair_table.hpp"

#include <cuda_runtime.h>

namespace capstan {

// Largest number of substeps and colliders that are copied into shared memory.
inline constexpr int kHairStaged = 16;

// Input and output of a launch, like HairRun of solver/hair/group.hpp. All arrays are on the GPU.
struct HairJob {
    const HairStep* d = nullptr;
    const HairSubstep* substep = nullptr;
    const HairCollider* collider = nullptr;
    const Point* faces = nullptr;
    const HairRoot* root = nullptr;
    Point *x = nullptr, *v = nullptr;
    float* strain = nullptr; // by strand
    // The largest strain of all strands, as the bits of a float that is not negative.
    unsigned* worst = nullptr;
    int strands = 0, vertices = 0; // number of strands, and of vertices of each strand
    int substeps = 0;
    bool curls = false;
    bool ball = false; // the only shape is one sphere, in at most kHairStaged substeps
};

cudaError_t launchHair(const HairJob& job, cudaStream_t stream);

} // namespace capstan
