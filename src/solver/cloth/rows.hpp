// SPDX-License-Identifier: MIT
// The constraint rows of cloth. They are built from triangles, rest shape and pins.
#pragma once

#include "model/cloth.hpp"

#include <algorithm>

namespace capstan {

// An edge of the triangles, with the triangle and the opposite corner on each side.
struct ClothEdge {
    std::int32_t a, b;        // a < b
    std::int32_t triangle[2]; // -1: there is no triangle on this side
    std::int32_t opposite[2]; // third corner of each triangle; -1: none
    bool diagonal = false;    // true: diagonal of a grid's cell
};

// Returns all edges, sorted by a, then b. If more than two triangles share an edge, the third and later triangles are
// ignored. Then `crowded` is set to the index of one of them.
std::vector<ClothEdge> edgesOf(const std::vector<std::array<int, 3>>& triangles, bool grid,
                               int* crowded = nullptr);

// An entry of ClothRows with up to three values.
struct ClothEntry {
    std::int32_t vertex, other;
    float first, second; // values for the first two columns that `put` writes
    float part = 1;      // value for the third column
};

// Computes the gains of the edges for substeps of length h [s], unless they are up to date.
void fitGain(Cloth& c, const ClothState& s, float h);

// Sorts entries by vertex into slices; the entries of a vertex keep their order. `put(size, null)` is called to size
// the columns, then put(index, entry) for each entry. Padding entries refer to the vertex itself (selfFill) or to
// `filler`.
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

// Area of a triangle at rest, m^2.
double areaOf(const std::vector<Vec3d>& rest, const std::array<int, 3>& t);

// Sets masses by area. Pinned vertices get the inverse mass 0.
void setClothMasses(Cloth& c, ClothState& s);

// Builds the bending rows: for each vertex, the coupled vertices and their weights. See solver/cloth/bend_rows.cpp.
void bendRows(Cloth& c, const ClothState& s, const std::vector<ClothEdge>& edges);

// Builds all rows and allocates working memory. It runs after a cloth was added or torn, or its pins or inverse
// masses changed.
void rebuildCloth(Cloth& c, ClothState& s);

// A vertex that was split, and the strain of the edge that caused it.
struct ClothTear {
    int vertex;
    float strain;
};

// Splits vertices at edges that are strained beyond tearStrain. See solver/cloth/tear.cpp.
std::vector<ClothTear> tearCloth(Cloth& c, ClothState& s);

// Finds the nearest pins of every vertex and the length of cloth in between. See solver/cloth/tethers.cpp. Tethers to
// or of pins with movable hosts become attachment rows.
void tetherCloth(Cloth& c);

// Returns the index of the pin of each vertex, or -1.
std::vector<std::int32_t> pinOfVertex(const Cloth& c);
// Adds a row to c.attachmentRows if the pin of a or b has a movable host. Returns false if neither pin has. If a and
// b have the same host, no row is needed, and the result is true.
bool addAttachmentRow(Cloth& c, const std::vector<std::int32_t>& pinAt, int a, int b, double rest,
                      double compliance, bool pulls);

} // namespace capstan
