// SPDX-License-Identifier: MIT
// Cloth against itself: corners and triangles, edges and edges; the last act of a substep.
//
// Push: where two features came nearer than the thickness D, they are pushed apart along the line n that joined their
// nearest points at the start of the substep. So n remembers which side each was on.
//     C = n . sum_k g_k x_k - D < 0,   x_k -= w_k g_k n C / sum w g^2,   Coulomb's friction on what moved across n
// All pushes see the same places; a vertex takes the mean of what it is asked for.
//
// Cut: with d the distance of a pair at the start of the substep, a vertex of it may move by at most 0.45 d. Points of
// a feature move no farther than its vertices, so the two cannot meet: nothing passes through anything. A free sheet's
// common motion does not count. The limit of a vertex is the least of its pairs, in whatever order they come.
// Chen, Hsu, Liu, Macklin, Yang, Yuksel: Offset geometric contact (SIGGRAPH 2025), whose bound this is.
//
// Pins are not cut short: one that is dragged through the cloth goes through.
#pragma once

#include <capstan/model/cloth_rows.hpp>

#include <vector>

namespace capstan {

struct ClothPair {
    std::int32_t v[4]; // a corner and a triangle, or two edges
    bool edges;
    float apart; // m, the distance they keep
};

// The nearest points of a pair at the start of the substep.
struct ClothNear {
    double g[4]; // sum_k g_k x_k leads from the second feature to the first
    Vec3d n;
    double d;
};

struct ClothSelf {
    std::vector<ClothPair> pairs; // all that are, or may come, near
    std::vector<Point> at;        // places when they were listed
    double slack = -1;            // m, how far a vertex may have moved since; below 0: not listed yet
    int truncated = 0;

    std::vector<ClothNear> near; // of each pair, in this substep
    std::vector<Vec3d> ask;      // working memory: of each vertex
    std::vector<float> asks, limit;
};

void pushSelf(ClothSelf& w, const Cloth& c, ClothState& s);
void cutSelf(ClothSelf& w, const Cloth& c, ClothState& s);

} // namespace capstan
