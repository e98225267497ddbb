// SPDX-License-Identifier: MIT
// Hair as the engine holds it. What changes in a step is HairState.
#pragma once

#include "collision/geometry/shape.hpp"
#include "model/hair_table.hpp"
#include <capstan/hair_def.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace capstan {

// A body by slot and generation: it may have moved out.
struct HairBody {
    int slot = -1; // -1: the world
    std::uint32_t generation = 0;
};

// A convex shape of a body that strands do not enter.
struct HairObstacle {
    HairBody body;
    HairCollider shape; // but for the poses, which each substep has its own
    Pose at;            // of the shape in the body's own axes
    double reach = 0;   // m, from the middle of the shape to its farthest point
};

// A strand that is not simulated follows up to three that are.
struct HairFollow {
    int guide[3] = {0, 0, 0}; // counted among the simulated ones
    float share[3] = {1, 0, 0};
};

// A level of detail: every 4^k-th strand, with fewer vertices.
struct HairLevel {
    int every = 1, vertices = 0;
    HairTable table;
    float tableStep = 0;            // s, the substep the table was made for
    std::vector<HairFollow> follow; // of each strand; empty at level 0

    int points() const { return kHairChunk * ((vertices + 3) / kHairChunk); } // of a strand in memory
    int guides(int strands) const { return (strands + every - 1) / every; }
};

struct Hair {
    HairDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // held a number that is not finite; stands still until it is removed

    std::vector<HairRoot> roots; // one for each strand
    std::vector<HairLevel> levels;
    HairBody rootBody;
    Pose goal; // of roots that the world holds, at the end of the step
    std::vector<HairObstacle> obstacles;
    std::vector<Point> faces; // of hulls
    float massPerLength = 0;  // kg/m

    int strands() const { return int(roots.size()); }
};

struct HairState {
    int level = 0;
    std::vector<Point> x;       // of simulated strands: place, and tension of the edge that ends there
    std::vector<Point> v;       // speed, and what the edge owes
    std::vector<float> strain;  // per simulated strand
    Pose root;                  // of what holds the roots, after the last step
    std::vector<Pose> obstacle; // of the bodies of the obstacles, after the last step
    std::vector<Point> drawn;   // of all strands, with all vertices; empty while that is x itself
    std::vector<Point> offset;  // what a change of level would have moved each drawn point by; fades away
    float fade = 0;             // share of the offset that is left
    float worst = 0;            // the largest strain
};

} // namespace capstan
