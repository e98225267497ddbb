// SPDX-License-Identifier: MIT
// Cloth as the engine holds it. ClothState holds the part that changes in a step.
//
// A cloth of n vertices owns columns of `room` points: at least n + 1, and a whole number of slices of 16.
// The spare points have infinite mass; edges that fill up a colour act on point n. Two edges of one colour
// share no vertex, and each colour is filled up to whole slices. So lanes need no masks and no tails, and
// every backend goes through the same rows.
//
// Rows of a vertex (its edges, its bending neighbours, its triangles) are kept in slices. Entry k of vertex
// i is at begin[i / 16] + 16 k + i % 16. All vertices of a slice have the same number of entries; shorter
// lists are filled up. So a lane, a CUDA thread and a scalar loop add up the same numbers in the same order.
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
        other; // neighbour or triangle; a filler is the vertex itself, or an empty triangle

    int count(int slice) const { return (begin[std::size_t(slice) + 1] - begin[slice]) / kClothSlice; }
};

// Edges for Gauss-Seidel, sorted by colour.
struct ClothEdges {
    std::vector<std::int32_t> a, b;
    std::vector<float> rest, compliance;
    std::vector<float> most;             // largest rest / length - 1; 0 for a strand that can only pull
    std::vector<float> gain;             // 1 / (w_a + w_b + compliance / h^2), for Cloth::gainStep
    std::vector<float> weightA, weightB; // inverse masses of a and b
    std::vector<std::uint8_t> paired; // by slice: row k + 4 of eight joins the neighbours of what row k joins
    std::vector<std::int32_t> colorEnd;
};

struct ClothPin {
    int vertex = 0;
    Vec3 target = {0, 0, 0};      // position at the end of the step
    int body = -1, rope = -1;     // slot of the host (body or rope); -1: none
    std::uint32_t generation = 0; // generation of the host
    int attachment = -1;          // slot of Model::attachments; -1: none
    Vec3d local = {0, 0, 0};      // position in the principal axes of the body
    int node = 0;                 // node of the rope
    bool gives = false;           // cloth moves the host: a dynamic body, or a rope
};

// A vertex that goes with a body or a rope, as the user knows it.
struct Attachment {
    std::uint32_t generation = 0;
    bool alive = false;
    int cloth = -1, vertex = 0;
};

// A length constraint between a vertex whose pin gives way and any other vertex. Such constraints are solved
// one by one, because each of them moves the host of the pin (solver/cloth/contact/attach.hpp).
struct ClothAttachmentRow {
    std::int32_t pin;      // index into Cloth::pins
    std::int32_t vertex;   // the other end
    std::int32_t otherPin; // pin of the other end if that pin gives way too, else -1
    double rest, compliance;
    bool pulls; // pulls only, never pushes
};

struct Cloth {
    ClothDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false;  // a value was not finite; the sheet stands still until it is removed
    bool changed = true;  // rows are rebuilt before the next step
    int count = 0;        // vertices
    int room = 0;         // points, fillers included
    float maxStrain = 0;  // largest stretch of an edge, after the last step
    float meanStrain = 0; // mean of | length / rest - 1 |

    // In a grid, the diagonal of each cell is the edge from corner 2 to corner 0 of its triangles.
    bool grid = false;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::uint8_t> owns; // by triangle: corners (bits 0-2) and edges to the next corner (bits
                                    // 3-5) that no earlier triangle has
    std::vector<Vec3d> rest;        // rest positions, which give rest lengths and masses
    std::vector<ClothPin> pins;     // by vertex

    int linkCount = 0; // number of stretch edges (without shear edges); strains are read from them
    std::vector<std::int32_t> linkA, linkB; // filled up to whole slices
    std::vector<float> linkRest;
    ClothEdges edges;                            // Gauss-Seidel
    ClothRows edgesOf;                           // Jacobi: edges of each vertex
    std::vector<float> edgeRest, edgeCompliance; // by entry of edgesOf
    std::vector<float> edgePart;                 // Jacobi: p, the split share of the mass
    std::vector<float> share;                    // n_i, sum of edgePart over the edges of a vertex
    // 1 / ((n_a w_a + n_b w_b) / p + compliance / h^2), for substeps of gainStep
    std::vector<float> edgeGain;
    float gainStep = 0;                  // s
    ClothRows bendOf;                    // bending neighbours of each vertex
    std::vector<float> bendWeight;       // K_ij, N/m, by entry of bendOf; empty: no bending stiffness
    std::vector<float> bendBound;        // sum_j |K_ij|, by vertex
    double bendRatio = 0;                // largest product of inverse mass and bendBound, 1/s^2
    int tethers = 0;                     // number of tethers per vertex
    std::vector<std::int32_t> tied;      // vertices at the far ends of tethers
    std::vector<std::int32_t> tetherPin; // [k * room + vertex]: index into tied
    std::vector<float> tetherReach;
    std::vector<ClothAttachmentRow> attachmentRows;
    ClothRows trianglesOf;                // triangles of each vertex, for wind
    std::vector<std::int32_t> corners[3]; // corners of triangles; fillers up to whole slices have their
                                          // corners at point n
};

struct ClothState {
    std::vector<Point> x;      // position, inverse mass
    std::vector<Point> v;      // velocity, mass
    std::vector<Point> before; // position at the start of the substep
    std::vector<Point> force;  // N, force during this step; empty if there is none
    std::vector<float> strain; // length / rest - 1 of each link, after the last step

    // Working memory: none of it is used after the step.
    std::vector<Point> start;    // positions at the start of the step
    std::vector<Point> next;     // Jacobi and bending: positions after the iteration
    std::vector<Point> bendFrom; // positions before bending
    std::vector<Point> bendMove; // displacement by the last iteration of bending
    std::vector<Point> tied;     // positions of the far ends of tethers in this substep
    std::vector<Point> air;      // N, a third of the force of the air on each triangle
    std::vector<float> lambda; // multipliers of edges, by row (Gauss-Seidel) or by entry of edgesOf (Jacobi)
};

} // namespace capstan
