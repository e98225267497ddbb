// SPDX-License-Identifier: MIT
// Cloth as the engine holds it. ClothState holds the part that changes in a step.
//
// A cloth of n vertices owns columns of `room` points: at least n + 1, and a whole number of slices of 16. The spare
// points have infinite mass; edges that pad a colour act on point n. Two edges of one colour share no vertex, and
// each colour is padded to whole slices. So lanes need no masks and no remainder loop, and every backend processes
// the same rows.
//
// The rows of a vertex (its edges, its bending neighbours, its triangles) are stored in slices. Entry k of vertex i
// is at begin[i / 16] + 16 k + i % 16. All vertices of a slice have the same number of entries; shorter lists are
// padded. So a lane, a CUDA thread and a scalar loop add up the same numbers in the same order.
#pragma once

#include <capstan/cloth_def.hpp>
#include <capstan/point.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace capstan {

inline constexpr int kClothSlice = 16;

struct ClothRows {
    std::vector<std::int32_t> begin; // first entry of each slice, and the end of the last slice
    std::vector<std::int32_t>
        other; // neighbour or triangle; a padding entry is the vertex itself, or an empty triangle

    // number of entries of each vertex in a slice
    int count(int slice) const { return (begin[std::size_t(slice) + 1] - begin[slice]) / kClothSlice; }
};

// Edges for Gauss-Seidel, sorted by colour.
struct ClothEdges {
    std::vector<std::int32_t> a, b;
    std::vector<float> rest, compliance;
    std::vector<float> most; // largest value of rest / length - 1; 0 for a strand that can only pull
    std::vector<float> gain; // 1 / (w_a + w_b + compliance / h^2) for the substep h = Cloth::gainStep
    std::vector<float> weightA, weightB; // inverse masses of a and b
    // by slice: true if row k + 4 of each eight rows joins the neighbours of the vertices of row k.
    std::vector<std::uint8_t> paired;
    std::vector<std::int32_t> colorEnd;
};

struct ClothPin {
    int vertex = 0;
    Vec3 target = {0, 0, 0};      // m, position at the end of the step
    int body = -1, rope = -1;     // slot of the host (body or rope); -1: none
    std::uint32_t generation = 0; // generation of the host
    int attachment = -1;          // slot of Model::attachments; -1: none
    Vec3d local = {0, 0, 0};      // position in the principal axes of the body
    int node = 0;                 // node of the rope
    bool gives = false;           // true: cloth exerts forces on the host, which is a dynamic body or a rope
};

// A vertex that is attached to a body or a rope, as the program sees it.
struct Attachment {
    std::uint32_t generation = 0;
    bool alive = false;
    int cloth = -1, vertex = 0;
};

// A length constraint between a vertex whose pin has a movable host (ClothPin::gives) and any other vertex. Such
// constraints are solved one by one, because each solve also moves the host (solver/cloth/contact/attach.hpp).
struct ClothAttachmentRow {
    std::int32_t pin;      // index into Cloth::pins
    std::int32_t vertex;   // the other end
    std::int32_t otherPin; // pin of the other end if that pin has a movable host too, else -1
    double rest, compliance;
    bool pulls; // pulls only, never pushes
};

struct Cloth {
    ClothDef def; // as the program gave it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false;  // a value was not finite; the sheet stands still until it is removed
    bool changed = true;  // rows are rebuilt before the next step
    int count = 0;        // number of vertices
    int room = 0;         // number of points, padding included
    float maxStrain = 0;  // largest length / rest - 1 of an edge after the last step
    float meanStrain = 0; // mean of |length / rest - 1| over the edges after the last step

    // In a grid, the diagonal of each cell is the edge from corner 2 to corner 0 of its triangles.
    bool grid = false;
    std::vector<std::array<int, 3>> triangles;
    // by triangle: bits 0-2 for corners and bits 3-5 for edges to the next corner that no earlier triangle has.
    std::vector<std::uint8_t> owns;
    std::vector<Vec3d> rest;    // m, rest positions; rest lengths and masses follow from them
    std::vector<ClothPin> pins; // sorted by vertex

    int linkCount = 0; // number of stretch edges (without shear edges); strains are read from them
    std::vector<std::int32_t> linkA, linkB; // padded to whole slices
    std::vector<float> linkRest;
    ClothEdges edges;                            // Gauss-Seidel
    ClothRows edgesOf;                           // Jacobi: edges of each vertex
    std::vector<float> edgeRest, edgeCompliance; // by entry of edgesOf
    std::vector<float> edgePart;                 // Jacobi: p, the weight of the edge when masses are split
    std::vector<float> share;                    // n_i, sum of edgePart over the edges of vertex i
    // 1 / ((n_a w_a + n_b w_b) / p + compliance / h^2), for a substep h = gainStep
    std::vector<float> edgeGain;
    float gainStep = 0;                  // s, substep for which the gains were computed
    ClothRows bendOf;                    // bending neighbours of each vertex
    std::vector<float> bendWeight;       // K_ij, N/m, by entry of bendOf; empty: no bending stiffness
    std::vector<float> bendBound;        // sum_j |K_ij|, by vertex
    double bendRatio = 0;                // largest product of inverse mass and bendBound, 1/s^2
    int tethers = 0;                     // number of tethers per vertex
    std::vector<std::int32_t> tied;      // vertices (pins) at the far ends of tethers
    std::vector<std::int32_t> tetherPin; // [k * room + vertex]: index into tied
    // m, rest distance from the pin, by the same index
    std::vector<float> tetherReach;
    std::vector<ClothAttachmentRow> attachmentRows;
    ClothRows trianglesOf; // triangles of each vertex, for wind
    // Corners of triangles; padding triangles have their corners at point n.
    std::vector<std::int32_t> corners[3];
};

struct ClothState {
    std::vector<Point> x; // position, inverse mass
    std::vector<Point> v; // velocity, mass
    // The next two columns are forces and strains.
    std::vector<Point> before; // position at the start of the substep
    std::vector<Point> force;  // N, force during this step; empty if there is none
    std::vector<float> strain; // length / rest - 1 of each stretch edge, after the last step

    // Working memory: none of it is read after the step.
    std::vector<Point> start;    // positions at the start of the step
    std::vector<Point> next;     // Jacobi and bending: positions after the iteration
    std::vector<Point> bendFrom; // positions before bending
    std::vector<Point> bendMove; // displacement by the last iteration of bending
    std::vector<Point> tied;     // positions of the far ends of tethers in this substep
    std::vector<Point>
        air; // N, one third of the air's force on each triangle; w: kg/s, one third of its damping
    std::vector<float> airGain, airWeightA, airWeightB; // weights of edges for the masses in the air
    std::int32_t heavier = 0;                           // 1: the air has made some vertex heavier
    std::vector<float> lambda; // multipliers of edges, by row (Gauss-Seidel) or by entry of edgesOf (Jacobi)
};

} // namespace capstan
