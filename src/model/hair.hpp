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

// A body by slot and generation: the slot may belong to another body by now.
struct HairBody {
    int slot = -1; // -1: the world
    std::uint32_t generation = 0;
};

// A convex shape of a body that strands do not enter.
struct HairObstacle {
    HairBody body;
    HairCollider shape; // without poses: those change in each substep
    Pose at;            // pose of the shape in the axes of the BodyDef
    double reach = 0;   // m, from the middle of the shape to its farthest point
};

// A strand that is not simulated follows up to three that are.
struct HairFollow {
    int guide[3] = {0, 0, 0}; // indices among the simulated strands
    float share[3] = {1, 0, 0};
};

// A level of detail: every 4^k-th strand, with fewer vertices.
struct HairLevel {
    int every = 1, vertices = 0;
    HairTable table;
    float tableStep = 0;            // s, the substep for which the table was made
    std::vector<HairFollow> follow; // for each strand; empty at level 0

    int points() const {
        return kHairChunk * ((vertices + 3) / kHairChunk);
    } // number of points in memory
      // per strand
    int guides(int strands) const { return (strands + every - 1) / every; }
};

struct Hair {
    HairDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // a value was not finite; the hair stands still until it is removed

    std::vector<HairRoot> roots; // one for each strand
    std::vector<HairLevel> levels;
    HairBody rootBody;
    Pose target; // pose of the roots at the end of the step, if no body holds them
    std::vector<HairObstacle> obstacles;
    std::vector<Point> faces; // planes of hulls
    float massPerLength = 0;  // kg/m

    int strands() const { return int(roots.size()); }
};

struct HairState {
    int level = 0;
    std::vector<Point> x;       // simulated strands: position, and tension of the edge that ends there
    std::vector<Point> v;       // velocity, and the error of the edge that later substeps make good
    std::vector<float> strain;  // by simulated strand
    Pose root;                  // pose of the frame that holds the roots, after the last step
    std::vector<Pose> obstacle; // poses of the obstacles' bodies, after the last step
    std::vector<Point> drawn;   // all strands with all vertices; empty if the same as x
    std::vector<Point> offset;  // displacement of each drawn point by a change of level; it is blended out
    float blendLeft = 0;        // share of the offset that is left
    float worst = 0;            // largest strain
};

} // namespace capstan
