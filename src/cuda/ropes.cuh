// SPDX-License-Identifier: MIT
// Chain ropes on a GPU: input and output of the kernel in ropes.cu.
#pragma once

#include "solver/rope/newton.hpp"

#include <cuda_runtime.h>

namespace capstan {

// A rope for the kernel: the parameters of chainSetup(), which the host computes once, and those that change with the
// substep.
struct DeviceRope {
    ChainLanes<double> c;
    double invEa = 0, bendStiffness = 0;
    int pinBegin = 0, pinEnd = 0;
    int slot = 0;                 // slot in the Model
    double before = 0, first = 0; // s, lengths of the last substep of the history (0: none) and of the first
};

// A pin during one step: velocity [m/s], and position at the end of the step [m].
struct DevicePin {
    int point = 0;
    Vec3 v = {0, 0, 0}, target = {0, 0, 0};
};

// Result of a step. stretch and strain are as in Rope (model/model.hpp).
struct RopeResult {
    float stretch = 0, strain = 0;
    int solves = 0;
    int diverged =
        -1; // first substep whose Newton solve diverged, -1: none; the rope's state is from before that substep
    double before = 0, first = 0; // as of DeviceRope, for the next step
    bool kinked = false;          // it needs substeps in parts, which the host does; its state is untouched
};

// Arguments of a launch.
struct RopeJob {
    StateView s;
    DeviceRope* rope = nullptr;
    const DevicePin* pin = nullptr;
    RopeResult* result = nullptr;
    ChainNode<double>* node = nullptr; // for ropes that do not fit into shared memory
    ChainPast<double>* past = nullptr;
    RingNode<double>* ring = nullptr;
    int ropes = 0;
    int perBlock = 0;
    // Distance between the nodes of two ropes, in nodes. It is odd, so that ropes of a block cause no bank conflict.
    int stride = 0;
    int substeps = 0;
    // true: the nodes are in shared memory
    bool shared = false;
};

// Number of ropes of a block. Each rope has one warp for work on independent nodes, and one lane for its recursion.
inline constexpr int kRopesPerBlock = 8;

std::size_t ropeSharedBytes(int perBlock, int stride, bool shared);
cudaError_t launchRopes(const RopeJob& job, cudaStream_t stream);

} // namespace capstan
