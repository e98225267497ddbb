// SPDX-License-Identifier: MIT
// Cloth as the engine holds it. What changes in a step is ClothState.
//
// A cloth of n vertices owns columns of `room` points: n + 1 or more, a whole number of slices of 16. The spare ones
// have no mass to move; fillers of edges act on point n. Two edges of one colour share no vertex, and each colour is
// filled up to whole slices: lanes need no masks and no tails, and every backend walks the same rows.
//
// Rows of a vertex (its edges, those it bends with, its triangles) are kept in slices: entry k of vertex i stands at
// begin[i / 16] + 16 k + i % 16, and all vertices of a slice have as many entries, short ones filled up. So a lane, a
// CUDA thread and a scalar loop add up the same numbers in the same order.
#pragma once

#include <capstan/cloth_def.hpp>
#include <capstan/point.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace capstan {

inline constexpr int kClothSlice = 16;

struct ClothRows {
    std::vector<std::int32_t> begin; // per slice, and the end of the last
    std::vector<std::int32_t>
        other; // neighbour, or triangle; a filler names the vertex itself, or a triangle of nothing

    int count(int slice) const {
        return (begin[std::size_t(slice) + 1] - begin[std::size_t(slice)]) / kClothSlice;
    }
};

// Gauss-Seidel: sorted by colour.
struct ClothEdges {
    std::vector<std::int32_t> a, b;
    std::vector<float> rest, compliance;
    std::vector<float> most;             // of rest / length - 1: 0 for a strand that only pulls
    std::vector<float> gain;             // 1 / (w_a + w_b + compliance / h^2), for Cloth::gainStep
    std::vector<float> weightA, weightB; // inverse masses, as beside the places of a and b
    std::vector<std::uint8_t> paired; // by slice: row k + 4 of eight joins the neighbours of what row k joins
    std::vector<std::int32_t> colorEnd;
};

struct ClothPin {
    int vertex = 0;
    Vec3 target = {0, 0, 0};      // where it will be at the end of the step
    int body = -1, rope = -1;     // slot of what it is attached to
    std::uint32_t generation = 0; // of that
    Vec3d local = {0, 0, 0};      // in the body's principal axes
    int node = 0;                 // of the rope
    bool gives = false;           // that is moved by cloth: a dynamic body, or a rope
};

// A length between a vertex whose pin gives way and any other: solved one by one, for what carries the pin moves with
// each of them (solver/cloth/contact/attach.hpp).
struct ClothHoldRow {
    std::int32_t pin;      // of Cloth::pins
    std::int32_t vertex;   // the other end,
    std::int32_t otherPin; // and its pin, if that gives way too, or -1
    double rest, compliance;
    bool pulls; // only
};

struct Cloth {
    ClothDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false;  // held a number that is not finite; stands still until it is removed
    bool changed = true;  // rows are made anew before the next step
    int count = 0;        // vertices
    int room = 0;         // points, with fillers
    float maxStrain = 0;  // largest stretch of an edge, after the last step
    float meanStrain = 0; // mean of | length / rest - 1 |

    // A grid's triangles have its cells' diagonal as the edge from corner 2 to corner 0.
    bool grid = false;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::uint8_t> owns; // by triangle: corners (bits 0-2) and edges to the next corner (bits 3-5)
                                    // that no triangle before it has
    std::vector<Vec3d> rest;        // places at rest, from which lengths and weights come
    std::vector<ClothPin> pins;     // by vertex

    int linkCount = 0;                      // edges of stretch, not of shear: those whose strain is read
    std::vector<std::int32_t> linkA, linkB; // filled up to whole slices
    std::vector<float> linkRest;
    ClothEdges edges;                            // Gauss-Seidel
    ClothRows edgesOf;                           // Jacobi: of each vertex
    std::vector<float> edgeRest, edgeCompliance; // by entry of edgesOf
    std::vector<float> edgePart;                 // Jacobi: p, of the mass that is split
    std::vector<float> share;                    // and n_i, the sum of that over the edges at a vertex
    // 1 / ((n_a w_a + n_b w_b) / p + compliance / h^2), for substeps of
    std::vector<float> edgeGain;
    float gainStep = 0;                  // this many seconds
    ClothRows bendOf;                    // of each vertex those it bends with
    std::vector<float> bendWeight;       // K_ij, N/m, by entry of bendOf; empty: limp
    std::vector<float> bendBound;        // sum_j |K_ij| by vertex
    double bendRatio = 0;                // largest inverse mass times that, 1/s^2
    int tethers = 0;                     // per vertex
    std::vector<std::int32_t> tied;      // vertices that tethers lead to
    std::vector<std::int32_t> tetherPin; // [k * room + vertex]: which of them
    std::vector<float> tetherReach;
    std::vector<ClothHoldRow> holdRows;
    ClothRows trianglesOf;                // of each vertex, for wind
    std::vector<std::int32_t> corners[3]; // of triangles, filled up to whole slices by ones of point n
};

struct ClothState {
    std::vector<Point> x;      // place, inverse mass
    std::vector<Point> v;      // speed, mass
    std::vector<Point> before; // place at the start of the substep
    std::vector<Point> pull;   // N, during this step; empty until something is pulled
    std::vector<float> strain; // length / rest - 1 of each link, after the last step

    // Working memory: nothing of it outlives a step.
    std::vector<Point> start;    // places at the start of the step
    std::vector<Point> next;     // Jacobi and bending: places that the round leads to
    std::vector<Point> bendFrom; // where bending starts
    std::vector<Point> bendMove; // what its last round moved
    std::vector<Point> tied;     // where the ends of tethers are in this substep
    std::vector<Point> air;      // N, a third of the air's force, by triangle
    std::vector<float> lambda;   // of edges, by row (Gauss-Seidel) or by entry of edgesOf (Jacobi)
};

} // namespace capstan
