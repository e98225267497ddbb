// SPDX-License-Identifier: MIT
// The rows that the solvers of cloth iterate over. They are made from triangles, rest shape and pins.
#pragma once

#include "model/cloth.hpp"

#include <algorithm>

namespace capstan {

// An edge of the triangles, with the triangle and the corner on each side.
struct ClothEdge {
    std::int32_t a, b;        // a < b
    std::int32_t triangle[2]; // -1: the cloth ends here
    std::int32_t opposite[2]; // the third corners
    bool diagonal = false;    // true: a diagonal of a grid's cell
};

// Returns all edges, sorted by a, then b. If more than two triangles share an edge, the third and later ones are left
// out. Then `crowded` is set to the index of one of them.
std::vector<ClothEdge> edgesOf(const std::vector<std::array<int, 3>>& triangles, bool grid,
                               int* crowded = nullptr);

struct ClothEntry {
    std::int32_t vertex, other;
    float first, second; // values for the first two columns that `put` writes
    float part = 1;      // value for the third column
};

// Computes the gains of the edges for substeps of length h. Nothing is done if neither h nor the rows have changed.
void fitGain(Cloth& c, const ClothState& s, float h);

// Sorts entries by vertex into slices; the entries of a vertex keep their order. `put` is called with null to size its
// columns, then with each entry and its place. Unused places refer to the vertex itself (selfFill) or to `filler`.
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

// Sets masses by area. Pinned vertices get the inverse mass 0.
void setClothMasses(Cloth& c, ClothState& s);

// Makes the rows of bending: for each vertex, the vertices that it bends with. See solver/cloth/bend_rows.cpp.
void bendRows(Cloth& c, const ClothState& s, const std::vector<ClothEdge>& edges);

// Makes all rows and allocates working memory. It runs once after a cloth was made or torn, or its pins changed.
void rebuildCloth(Cloth& c, ClothState& s);

struct ClothTear {
    int vertex;
    float strain;
};

// Splits vertices at edges that are strained beyond tearStrain. See solver/cloth/tear.cpp.
std::vector<ClothTear> tearCloth(Cloth& c, ClothState& s);

// Finds the nearest pins of every vertex and the length of cloth between. See solver/cloth/tethers.cpp. Tethers to and
// of pins that give way become attachment rows.
void tetherCloth(Cloth& c);

// Returns the index of the pin of each vertex, or -1.
std::vector<std::int32_t> pinOfVertex(const Cloth& c);
// Adds a row to c.attachmentRows if a or b is a vertex whose pin gives way. Returns false if neither is. No row is
// needed, but the result is true, if one body or rope keeps both.
bool addAttachmentRow(Cloth& c, const std::vector<std::int32_t>& pinAt, int a, int b, double rest,
                      double compliance, bool pulls);

} // namespace capstan
