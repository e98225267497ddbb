// SPDX-License-Identifier: MIT
// Hair as the engine holds it. HairState holds the part that changes in a step.
#pragma once

#include "collision/geometry/shape.hpp"
#include "model/hair_table.hpp"
#include <capstan/hair_def.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace capstan {

// A body by slot and generation. The generation differs if the slot has been reused by another body.
struct HairBody {
    int slot = -1; // -1: the world
    std::uint32_t generation = 0;
};

// A convex shape of a body with which strands collide.
struct HairObstacle {
    HairBody body;
    HairCollider shape; // pose members are unused: they change in each substep
    Pose at;            // pose of the shape in the axes of the BodyDef
    double reach = 0;   // m, from the middle of the shape to its farthest point
};

// A strand that is not simulated is interpolated from up to three simulated strands.
struct HairFollow {
    int guide[3] = {0, 0, 0}; // indices among the simulated strands
    // weights of the guides; their sum is 1
    float share[3] = {1, 0, 0};
};

// A level of detail: every 4^k-th strand is simulated, with fewer vertices.
struct HairLevel {
    int every = 1, vertices = 0;
    HairTable table;
    float tableStep = 0;            // s, the substep for which the table was made
    std::vector<HairFollow> follow; // for each strand; empty at level 0

    // Returns the number of points of a strand in memory.
    int points() const { return kHairChunk * ((vertices + 3) / kHairChunk); }
    // Returns the number of simulated strands among `strands`.
    int guides(int strands) const { return (strands + every - 1) / every; }
};

struct Hair {
    HairDef def; // as the program gave it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // a value was not finite; the hair stands still until it is removed

    std::vector<HairRoot> roots; // one for each strand
    std::vector<HairLevel> levels;
    HairBody rootBody;
    Pose target; // pose of the roots at the end of the step, if they are on no body
    std::vector<HairObstacle> obstacles;
    std::vector<Point> faces; // planes of hulls
    float massPerLength = 0;  // kg/m

    int strands() const { return int(roots.size()); }
};

struct HairState {
    int level = 0;
    std::vector<Point> x; // simulated strands: position [m], and w: tension [N] of the edge that ends there
    std::vector<Point> v; // velocity [m/s], and w: length error of the edge, which later substeps correct
    std::vector<float> strain;  // largest strain of each simulated strand
    Pose root;                  // pose of the frame of the roots, after the last step
    std::vector<Pose> obstacle; // poses of the obstacles' bodies, after the last step
    std::vector<Point> drawn;   // all strands with all vertices; empty if equal to x
    // Displacement of each drawn point by a change of level; it is blended out over time.
    std::vector<Point> offset;
    float blendLeft = 0; // share of the offset that remains
    float worst = 0;     // largest strain
};

} // namespace capstan
