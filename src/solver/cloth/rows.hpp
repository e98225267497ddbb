// SPDX-License-Identifier: MIT
// What the solvers of cloth walk over, made from triangles, rest shape and pins.
#pragma once

#include "model/cloth.hpp"

#include <algorithm>

namespace capstan {

// An edge of the triangles, with what lies on its sides.
struct ClothEdge {
    std::int32_t a, b;        // a < b
    std::int32_t triangle[2]; // -1: the cloth ends here
    std::int32_t opposite[2]; // the third corners
    bool diagonal = false;    // of a grid's cell
};

// All edges, sorted by a, then b. More than two triangles at an edge: the third on are left out and `crowded` is the
// number of one of them.
std::vector<ClothEdge> edgesOf(const std::vector<std::array<int, 3>>& triangles, bool grid,
                               int* crowded = nullptr);

struct ClothEntry {
    std::int32_t vertex, other;
    float first, second; // what the two columns beside it hold
    float part = 1;      // and a third
};

// edgeGain for substeps of h; made anew only where h or the rows are new.
void fitGain(Cloth& c, const ClothState& s, float h);

// Entries, in their order, into slices.
template <class Put>
ClothRows clothRows(const std::vector<ClothEntry>& entries, int room, bool selfFill, int filler,
                    const Put& put) {
    ClothRows rows;
    std::vector<std::int32_t> count(std::size_t(room), 0);
    for (const ClothEntry& e : entries) ++count[e.vertex];
    rows.begin.assign(1, 0);
    for (int i = 0; i < room; i += kClothSlice)
        rows.begin.push_back(rows.begin.back() +
                             kClothSlice *
                                 *std::max_element(count.begin() + i, count.begin() + i + kClothSlice));
    rows.other.resize(std::size_t(rows.begin.back()));
    put(std::size_t(rows.begin.back()), nullptr);
    for (int i = 0; i < room; ++i)
        for (int k = rows.begin[i / kClothSlice] + i % kClothSlice;
             k < rows.begin[std::size_t(i / kClothSlice) + 1]; k += kClothSlice)
            rows.other[k] = selfFill ? i : filler;
    std::fill(count.begin(), count.end(), 0);
    for (const ClothEntry& e : entries) {
        const int at =
            rows.begin[e.vertex / kClothSlice] + kClothSlice * count[e.vertex]++ + e.vertex % kClothSlice;
        rows.other[at] = e.other;
        put(std::size_t(at), &e);
    }
    return rows;
}

double areaOf(const std::vector<Vec3d>& rest, const std::array<int, 3>& t);

// Masses by area, inverse masses from pins.
void setClothMasses(Cloth& c, ClothState& s);

// Those each vertex bends with; solver/cloth/bend_rows.cpp.
void bendRows(Cloth& c, const ClothState& s, const std::vector<ClothEdge>& edges);

// All rows, and room for working memory. Done once after the cloth was made, torn, or its pins changed.
void rebuildCloth(Cloth& c, ClothState& s);

struct ClothTear {
    int vertex;
    float strain;
};

// Splits vertices at edges that are strained beyond tearStrain; solver/cloth/tear.cpp.
std::vector<ClothTear> tearCloth(Cloth& c, ClothState& s);

// Of every vertex its nearest pins and how much cloth is between; solver/cloth/tethers.cpp. Tethers to and of pins that
// give way are rows of their own.
void tetherCloth(Cloth& c);

// The pin of each vertex, or -1.
std::vector<std::int32_t> pinOfVertex(const Cloth& c);
// A row of c.attachmentRows, if a or b is a vertex whose pin gives way; false if neither is.
bool addAttachmentRow(Cloth& c, const std::vector<std::int32_t>& pinAt, int a, int b, double rest,
                      double compliance, bool pulls);

} // namespace capstan
