// SPDX-License-Identifier: MIT
// Tearing: if the strain of an edge exceeds tearStrain, one of its ends is split into two vertices.
//
// The plane through the vertex and perpendicular to the edge splits the triangles around the vertex. Triangles whose
// centre lies on the edge's side get a new vertex. So a tear runs across the direction of the pull, from vertex to
// vertex, along edges of the mesh, and no triangle is lost. Edges are processed from the largest strain down; a
// vertex splits at most once per step.
#include "solver/cloth/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

// Largest number per step, so that a tear propagates and the sheet does not shatter.
constexpr int kMostTears = 64;

struct Candidate {
    float strain;
    std::int32_t link;
};

Vec3d vertexPosition(const ClothState& s, int i) { return widen(Vec3(s.x[i])); }

// Returns the triangles at the vertex on the side of `along`. The list is empty if all triangles are on one side.
std::vector<int> farSide(const Cloth& c, const ClothState& s, int vertex, Vec3d along) {
    std::vector<int> far;
    int near = 0;
    for (std::size_t t = 0; t < c.triangles.size(); ++t) {
        const auto& v = c.triangles[t];
        if (v[0] != vertex && v[1] != vertex && v[2] != vertex) continue;
        const Vec3d centre =
            (1.0 / 3) * (vertexPosition(s, v[0]) + vertexPosition(s, v[1]) + vertexPosition(s, v[2]));
        if (dot(centre - vertexPosition(s, vertex), along) > 0)
            far.push_back(int(t));
        else
            ++near;
    }
    if (near == 0) far.clear();
    return far;
}

void splitVertex(Cloth& c, ClothState& s, int vertex, const std::vector<int>& far) {
    const int born = c.count++;
    const std::size_t from = std::size_t(vertex), to = std::size_t(born);
    for (int t : far)
        for (int& v : c.triangles[t])
            if (v == vertex) v = born;
    c.rest.push_back(c.rest[from]);
    if (c.count >= c.room) {
        c.room += kClothSlice;
        for (auto* column : {&s.x, &s.v, &s.before}) column->resize(std::size_t(c.room));
    }
    s.x[to] = s.x[from];
    s.v[to] = s.v[from];
    s.before[to] = s.before[from];
}

} // namespace

std::vector<ClothTear> tearCloth(Cloth& c, ClothState& s) {
    std::vector<Candidate> over;
    for (int i = 0; i < c.linkCount; ++i)
        if (s.strain[i] > c.def.tearStrain) over.push_back({s.strain[i], i});
    std::sort(over.begin(), over.end(),
              [](const Candidate& a, const Candidate& b) { // indices of links are unique
                  return a.strain != b.strain ? a.strain > b.strain : a.link < b.link;
              });
    std::vector<ClothTear> tears;
    std::vector<bool> split(std::size_t(c.count) + kMostTears, false);
    for (const Candidate& candidate : over) {
        if (int(tears.size()) == kMostTears) break;
        const int ends[2] = {c.linkA[candidate.link], c.linkB[candidate.link]};
        for (int side = 0; side < 2; ++side) {
            const int vertex = ends[side], other = ends[1 - side];
            if (split[vertex] || split[other] || !(s.x[vertex].w > 0)) continue;
            const std::vector<int> far =
                farSide(c, s, vertex, vertexPosition(s, other) - vertexPosition(s, vertex));
            if (far.empty()) continue;
            split[vertex] = split[c.count] = true;
            splitVertex(c, s, vertex, far);
            tears.push_back({vertex, candidate.strain});
            break;
        }
    }
    if (!tears.empty()) {
        setClothMasses(c, s);
        rebuildCloth(c, s);
    }
    return tears;
}

} // namespace capstan
