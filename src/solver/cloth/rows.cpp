// SPDX-License-Identifier: MIT
// See rows.hpp. W3 is the benchmark of a hanging sheet (bench/cases/cloth.cpp), T1 a validation
// (validation/cloth/t1_cloth.cpp).
//
// A grid's threads (its edges along rows and columns) and diagonals are springs, and a diagonal also resists stretch.
// Let cells be a x b, with threads of stiffness k_u along u, and two diagonals of stiffness G (a^2 + b^2) / (2 a b)
// each. G is the shear stiffness. The stiffness of a pull along u with free sides is
//     K = k_u + G_u - G^2 / (k_u + G_v),   G_u = G a^2 / b^2,   G_v = G b^2 / a^2
// This is solved for k_u. So a pull along the threads measures K = stretchStiffness, whatever the shear stiffness is.
#include "solver/cloth/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

// The Jacobi solver over-relaxes by 1 / 0.54 = 1.85. Mass splitting keeps the sum of all corrections within the
// needed correction, so that any factor below 2 converges. Near 2 the strain of W3 is half of that at 1.
constexpr float kOverlap = 0.54f;

// The Jacobi solver splits the mass of a vertex among its edges. A diagonal of a grid's cell gets this weight, a
// thread the weight 1. With equal weights threads stretch by 14 %, with this weight by 10 %. Equal weights spend half
// of the mass on shear errors, which are hardly visible.
constexpr float kDiagonalPart = 0.2f;

struct Spring {
    std::int32_t a, b;
    float rest, compliance;
    float most = 1e30f;
    float part = 1;
    std::array<int, 2> family = {0, 0}; // kind and direction, in a grid
    int number = 0;                     // index in the order of creation
};

// Returns k_u (see above) for an edge of length a. Its cell has two triangles, and b is the other side of the cell.
double threadStiffness(double K, double G, double a, double b) {
    const double gu = G * a * a / (b * b), gv = G * b * b / (a * a), m = K - gu - gv;
    return 0.5 * (m + sqrt(m * m + 4 * K * gv));
}

std::vector<Spring> springsOf(Cloth& c, const std::vector<ClothEdge>& edges) {
    const double K = double(c.def.stretchStiffness), G = double(c.def.shearStiffness);
    std::vector<Spring> springs;
    c.linkA.clear();
    c.linkB.clear();
    c.linkRest.clear();
    for (const ClothEdge& e : edges) {
        const auto lengthOf = [&](int a, int b) { return length(c.rest[b] - c.rest[a]); };
        double area = 0;
        for (int t : e.triangle)
            if (t >= 0) area += areaOf(c.rest, c.triangles[t]);
        const double l = lengthOf(e.a, e.b);
        if (!e.diagonal) {
            const double side = e.triangle[0] >= 0 ? 2 * areaOf(c.rest, c.triangles[e.triangle[0]]) / l : l;
            const double k = c.grid ? threadStiffness(K, G, l, side) : K;
            springs.push_back({e.a, e.b, float(l), K > 0 ? float(l * l / (k * area)) : 0});
            c.linkA.push_back(e.a);
            c.linkB.push_back(e.b);
            c.linkRest.push_back(float(l));
            continue;
        }
        springs.push_back(
            {e.a, e.b, float(l), G > 0 ? float(2 * area / (G * l * l)) : 0, 1e30f, kDiagonalPart});
        if (e.triangle[1] < 0) continue;
        const double d = lengthOf(e.opposite[0], e.opposite[1]);
        springs.push_back({e.opposite[0], e.opposite[1], float(d), G > 0 ? float(2 * area / (G * d * d)) : 0,
                           1e30f, kDiagonalPart});
    }
    c.linkCount = int(c.linkA.size());
    while (c.linkA.size() % kClothSlice) {
        c.linkA.push_back(c.count);
        c.linkB.push_back(c.count);
        c.linkRest.push_back(1);
    }
    return springs;
}

// Adds strands to a grid whose threads do not stretch: constraints that only pull, between vertices two or four cells
// apart. They do not change the model, but transmit a pull along the sheet in fewer sweeps. At 5 substeps W3 strains
// by 0.4 % on average with strands, and by 2 % without.
void addStrands(const Cloth& c, std::vector<Spring>& springs) {
    const int nu = c.def.cellsU + 1, nv = c.def.cellsV + 1;
    if (!c.grid || c.def.stretchStiffness > 0 || c.count != nu * nv) return; // a torn grid has cut threads
    std::vector<Spring> strands;
    for (int step : {4, 2})
        for (int j = 0; j < nv; ++j)
            for (int i = 0; i < nu; ++i) {
                const int a = j * nu + i, along = a + step, across = a + step * nu;
                const auto add = [&](int b) {
                    const double l = length(c.rest[b] - c.rest[a]);
                    strands.push_back({a, b, float(l), 0, 0});
                };
                // Of the strands over four cells, only half are used.
                if (i + step < nu && i % step < 2) add(along);
                if (j + step < nv && j % step < 2) add(across);
            }
    springs.insert(springs.begin(), strands.begin(), strands.end());
}

// Sorts springs by kind (strands, threads, diagonals), then by direction. In a grid, springs of one direction have
// adjacent vertices, which SIMD lanes load fast. With threads last, W3 strained by 0.35 % on average instead of 0.39
// %. But strips of T1 then hung too low by 3.1 % instead of 2.2 %.
void sortByFamily(const Cloth& c, std::vector<Spring>& springs) {
    const int row = c.def.cellsU + 1, ways[] = {1, 2, 4, row - 1, row, row + 1, 2 * row, 4 * row};
    for (std::size_t k = 0; k < springs.size(); ++k) {
        Spring& s = springs[k];
        if (s.a > s.b) std::swap(s.a, s.b);
        s.number = int(k);
        // A tear adds vertices, so that s.b - s.a can be any number. All springs with other differences than `ways`
        // are one family.
        const bool known = std::find(std::begin(ways), std::end(ways), s.b - s.a) != std::end(ways);
        s.family = {s.most == 0 ? 0 : s.part < 1 ? 2 : 1, known ? s.b - s.a : 1 << 30};
    }
    std::sort(springs.begin(), springs.end(), [](const Spring& a, const Spring& b) {
        return a.family != b.family ? a.family < b.family : a.number < b.number;
    });
}

// Colours the springs greedily in their order. No two springs of a colour share a vertex. In a grid, each family has
// colours of its own.
std::vector<std::vector<std::int32_t>> colorsOf(const Cloth& c, const std::vector<Spring>& springs) {
    std::vector<std::vector<std::int32_t>> colors;
    std::vector<std::vector<std::int32_t>> seen(std::size_t(c.room)); // colours at each vertex
    std::size_t least = 0;
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const Spring& s = springs[i];
        if (c.grid && i > 0 && s.family != springs[i - 1].family) least = colors.size();
        auto &atA = seen[s.a], &atB = seen[s.b];
        std::int32_t color = std::int32_t(least);
        const auto taken = [&](const std::vector<std::int32_t>& at) {
            return std::find(at.begin(), at.end(), color) != at.end();
        };
        while (taken(atA) || taken(atB)) ++color;
        atA.push_back(color);
        atB.push_back(color);
        if (std::size_t(color) >= colors.size()) colors.resize(std::size_t(color) + 1);
        colors[color].push_back(std::int32_t(i));
    }
    return colors;
}

// Orders the springs of a colour. Springs a-b and (a+1)-(b+1) are put four rows apart, so that lanes load two
// adjacent records at once. Whole slices of such pairs come first (`paired` is their number of rows), then the
// remaining springs. Within a colour any order gives the same bits.
std::vector<std::int32_t> pairUp(const std::vector<Spring>& springs, const std::vector<std::int32_t>& color,
                                 std::vector<std::int32_t>& from, std::size_t& paired) {
    for (std::int32_t i : color) from[springs[i].a] = i;
    std::vector<std::int32_t> firsts, seconds, order;
    for (std::int32_t i : color) {
        const Spring& s = springs[i];
        if (from[s.a] != i) continue; // already in a pair
        const std::int32_t next = std::size_t(s.a) + 1 < from.size() ? from[std::size_t(s.a) + 1] : -1;
        if (next < 0 || springs[next].b != s.b + 1) continue;
        firsts.push_back(i);
        seconds.push_back(next);
        from[s.a] = from[std::size_t(s.a) + 1] = -1;
    }
    paired = 2 * firsts.size() / kClothSlice * kClothSlice;
    for (std::size_t k = 0; k < paired / 2; k += 4) {
        order.insert(order.end(), firsts.begin() + std::ptrdiff_t(k), firsts.begin() + std::ptrdiff_t(k + 4));
        order.insert(order.end(), seconds.begin() + std::ptrdiff_t(k),
                     seconds.begin() + std::ptrdiff_t(k + 4));
    }
    for (std::size_t k = paired / 2; k < firsts.size(); ++k) {
        order.push_back(firsts[k]);
        order.push_back(seconds[k]);
    }
    for (std::int32_t i : color) {
        std::int32_t& at = from[springs[i].a];
        if (at == i) order.push_back(i);
        at = -1;
    }
    return order;
}

// Stores the springs colour by colour. Each colour is padded to whole slices.
void colorSprings(Cloth& c, const ClothState& state, const std::vector<Spring>& springs) {
    c.edges = {};
    ClothEdges& e = c.edges;
    std::vector<std::int32_t> from(std::size_t(c.room), -1);
    for (const auto& color : colorsOf(c, springs)) {
        std::size_t paired = 0;
        for (std::int32_t i : pairUp(springs, color, from, paired)) {
            const Spring& s = springs[i];
            e.a.push_back(s.a);
            e.b.push_back(s.b);
            e.rest.push_back(s.rest);
            e.compliance.push_back(s.compliance);
            e.most.push_back(s.most);
        }
        while (e.a.size() % kClothSlice) {
            e.a.push_back(c.count);
            e.b.push_back(c.count);
            e.rest.push_back(0);
            e.compliance.push_back(1);
            e.most.push_back(0);
        }
        e.paired.resize(e.paired.size() + paired / kClothSlice, 1);
        e.paired.resize(e.a.size() / kClothSlice, 0);
        e.colorEnd.push_back(std::int32_t(e.a.size()));
    }
    for (std::int32_t i : e.a) e.weightA.push_back(state.x[i].w);
    for (std::int32_t i : e.b) e.weightB.push_back(state.x[i].w);
    c.gainStep = 0;
}

// Moves springs at pins with movable hosts to the attachment rows, which are solved separately.
void takeHeld(Cloth& c, std::vector<Spring>& springs) {
    const auto gives = [](const ClothPin& p) { return p.gives; };
    if (std::none_of(c.pins.begin(), c.pins.end(), gives)) return;
    const std::vector<std::int32_t> pinAt = pinOfVertex(c);
    std::erase_if(springs, [&](const Spring& s) {
        return addAttachmentRow(c, pinAt, s.a, s.b, double(s.rest), double(s.compliance), s.most == 0);
    });
}

// Builds the columns of the Jacobi solver: the edges of each vertex.
void gatherSprings(Cloth& c, const std::vector<Spring>& springs) {
    std::vector<ClothEntry> entries;
    c.share.assign(std::size_t(c.room), 0);
    for (const Spring& s : springs) {
        entries.push_back({s.a, s.b, s.rest, s.compliance, s.part});
        entries.push_back({s.b, s.a, s.rest, s.compliance, s.part});
        c.share[s.a] += s.part;
        c.share[s.b] += s.part;
    }
    for (float& n : c.share) n *= kOverlap;
    c.gainStep = 0;
    c.edgesOf = clothRows(entries, c.room, true, 0, [&](std::size_t at, const ClothEntry* e) {
        if (!e) {
            c.edgeRest.assign(at, 0);
            c.edgeCompliance.assign(at, 1);
            c.edgePart.assign(at, 1);
            return;
        }
        c.edgeRest[at] = e->first;
        c.edgeCompliance[at] = e->second;
        c.edgePart[at] = e->part;
    });
}

void triangleRows(Cloth& c) {
    std::vector<ClothEntry> entries;
    for (auto& corner : c.corners) corner.clear();
    for (std::size_t t = 0; t < c.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            c.corners[k].push_back(c.triangles[t][k]);
            entries.push_back({c.triangles[t][k], std::int32_t(t), 0, 0});
        }
    const int filler = int(c.triangles.size());
    for (auto& corner : c.corners) do
            corner.push_back(c.count);
        while (corner.size() % kClothSlice);
    c.trianglesOf = clothRows(entries, c.room, false, filler, [](std::size_t, const ClothEntry*) {});
}

} // namespace

double areaOf(const std::vector<Vec3d>& rest, const std::array<int, 3>& t) {
    const Vec3d a = rest[t[0]];
    return 0.5 * length(cross(rest[t[1]] - a, rest[t[2]] - a));
}

std::vector<ClothEdge> edgesOf(const std::vector<std::array<int, 3>>& triangles, bool grid, int* crowded) {
    struct Half {
        std::int32_t a, b, triangle, corner;
    };
    std::vector<Half> halves;
    halves.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            halves.push_back({std::min(a, b), std::max(a, b), std::int32_t(t), std::int32_t(k)});
        }
    std::sort(halves.begin(), halves.end(),
              [](const Half& p, const Half& q) { // keys are unique, because a triangle has each edge once
                  if (p.a != q.a) return p.a < q.a;
                  if (p.b != q.b) return p.b < q.b;
                  return p.triangle < q.triangle;
              });
    std::vector<ClothEdge> edges;
    for (std::size_t i = 0; i < halves.size(); ++i) {
        const Half& half = halves[i];
        const std::int32_t opposite = triangles[half.triangle][(half.corner + 2) % 3];
        const bool again = i > 0 && halves[i - 1].a == half.a && halves[i - 1].b == half.b;
        if (!again)
            edges.push_back({half.a, half.b, {half.triangle, -1}, {opposite, -1}, grid && half.corner == 2});
        else if (edges.back().triangle[1] < 0) {
            edges.back().triangle[1] = half.triangle;
            edges.back().opposite[1] = opposite;
        } else if (crowded)
            *crowded = half.triangle;
    }
    return edges;
}

void setClothMasses(Cloth& c, ClothState& s) {
    std::vector<double> area(std::size_t(c.count), 0);
    double whole = 0;
    for (const auto& t : c.triangles) {
        const double third = areaOf(c.rest, t) / 3;
        for (int v : t) area[v] += third;
        whole += 3 * third;
    }
    const double density = c.def.mass > 0 ? double(c.def.mass) / whole : double(c.def.density);
    for (std::size_t i = 0; i < area.size(); ++i) {
        s.v[i].w = float(density * area[i]);
        s.x[i].w = 1 / s.v[i].w;
    }
    for (const ClothPin& p : c.pins) s.x[p.vertex].w = 0;
}

// Assigns each vertex and each edge to one of its triangles. In c.owns bits 0 to 2 are corners, bits 3 to 5 edges.
static void shareOut(Cloth& c, const std::vector<ClothEdge>& edges) {
    c.owns.assign(c.triangles.size(), 0);
    std::vector<char> taken(std::size_t(c.count), 0);
    for (std::size_t t = 0; t < c.triangles.size(); ++t)
        for (unsigned k = 0; k < 3; ++k) {
            char& corner = taken[c.triangles[t][k]];
            if (!corner) c.owns[t] = std::uint8_t(c.owns[t] | 1u << k);
            corner = 1;
        }
    for (const ClothEdge& e : edges) {
        const std::size_t t = std::size_t(e.triangle[0]);
        for (unsigned k = 0; k < 3; ++k) {
            const int a = c.triangles[t][k], b = c.triangles[t][(k + 1) % 3];
            if (std::min(a, b) == e.a && std::max(a, b) == e.b) c.owns[t] = std::uint8_t(c.owns[t] | 8u << k);
        }
    }
}

void fitGain(Cloth& c, const ClothState& s, float h) {
    if (c.gainStep == h) return;
    const float invH2 = 1 / (h * h);
    c.gainStep = h;
    // A rigid edge with two pinned ends has the sum 0. Its gain is set to 0.
    const auto gainOf = [](float sum) { return sum > 1e-30f ? 1 / sum : 0.0f; };
    if (c.def.solver != ClothSolver::Jacobi) {
        ClothEdges& e = c.edges;
        e.gain.resize(e.a.size());
        for (std::size_t i = 0; i < e.a.size(); ++i)
            e.gain[i] = gainOf(e.weightA[i] + e.weightB[i] + e.compliance[i] * invH2);
        return;
    }
    c.edgeGain.assign(c.edgeRest.size(), 0);
    const auto seen = [&](int i) { return s.x[i].w * c.share[i]; };
    for (int i = 0; i < c.room; ++i)
        for (int k = c.edgesOf.begin[i / kClothSlice] + i % kClothSlice;
             k < c.edgesOf.begin[std::size_t(i / kClothSlice) + 1]; k += kClothSlice) {
            const auto at = std::size_t(k);
            c.edgeGain[at] =
                gainOf((seen(i) + seen(c.edgesOf.other[at])) / c.edgePart[at] + c.edgeCompliance[at] * invH2);
        }
}

void rebuildCloth(Cloth& c, ClothState& s) {
    const std::vector<ClothEdge> edges = edgesOf(c.triangles, c.grid);
    std::vector<Spring> springs = springsOf(c, edges);
    const bool jacobi = c.def.solver == ClothSolver::Jacobi;
    c.edges = {};
    c.edgesOf = {};
    tetherCloth(c);
    if (jacobi) {
        takeHeld(c, springs);
        gatherSprings(c, springs);
    } else {
        addStrands(c, springs);
        if (c.grid) sortByFamily(c, springs);
        takeHeld(c, springs);
        colorSprings(c, s, springs);
    }
    bendRows(c, s, edges);
    triangleRows(c);
    shareOut(c, edges);
    const std::size_t room = std::size_t(c.room);
    const bool bends = !c.bendWeight.empty();
    s.next.assign(jacobi || bends ? room : 0, Point{});
    s.bendFrom.assign(bends ? room : 0, Point{});
    s.bendMove = s.bendFrom;
    s.air.assign(c.def.drag > 0 ? c.corners[0].size() : 0, Point{});
    const std::size_t airRows = c.def.drag > 0 ? jacobi ? c.edgesOf.other.size() : c.edges.a.size() : 0;
    s.airGain.assign(airRows, 0);
    s.airWeightA.assign(jacobi ? 0 : airRows, 0);
    s.airWeightB = s.airWeightA;
    s.lambda.assign(jacobi ? c.edgesOf.other.size() : c.edges.a.size(), 0);
    s.tied.assign(c.tied.size(), Point{});
    s.strain.assign(c.linkA.size(), 0);
    c.changed = false;
}

} // namespace capstan
