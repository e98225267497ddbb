// SPDX-License-Identifier: MIT
// T1: three tests of cloth. A strip is clamped level at one end and bends under its own weight. It must follow the
// heavy elastica of R1 with Gamma = rho g L^3 / D, on two triangulations. A sheet that hangs from its upper edge must
// stretch by rho g L^2 / (2 K). A sheet between two rails must hang like the catenary of R3. Here rho is the mass per
// area, L the length, D the bending stiffness, and K the stretch stiffness.
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::validation {

namespace {

constexpr double kLength = 0.2, kWidth = 0.05, kDensity = 0.2; // m, m, kg/m^2
constexpr int kColumns = 16, kSubsteps = 80;
constexpr double kGate = 0.03, kTarget = 0.01;

// A strip of right triangles. The clamp holds one extra column of cells, from x = -l to 0.
ClothDef rightTriangles(int columns) {
    const double l = kLength / columns;
    const int across = std::max(2, int(kWidth / l + 0.5));
    ClothDef d;
    d.origin = at(-l, 0);
    d.edgeU = at(kLength + l, 0);
    d.edgeV = at(0, 0, kWidth);
    d.cellsU = columns + 1;
    d.cellsV = across;
    for (int j = 0; j <= across; ++j)
        for (int i : {0, 1}) d.pins.push_back(j * (columns + 2) + i);
    return d;
}

// A strip of equilateral triangles: every other column is shifted by half a cell. At the rims are half triangles.
ClothDef staggered(int columns) {
    const double l = kLength / columns;
    const int across = std::max(2, int(kWidth * std::sqrt(3.0) / (2 * l) + 0.5));
    ClothDef d;
    std::vector<std::vector<int>> rows;
    for (int i = -1; i <= columns; ++i) {
        std::vector<double> z = {0};
        for (int j = 1; j < across; ++j) z.push_back(kWidth * j / across);
        if (i % 2 != 0)
            for (std::size_t j = 0; j < z.size(); ++j) z[j] = kWidth * (double(j) + 0.5) / across;
        if (i % 2 != 0) z.insert(z.begin(), 0);
        z.push_back(kWidth);
        rows.emplace_back();
        for (double at_ : z) {
            rows.back().push_back(int(d.points.size()));
            if (i <= 0) d.pins.push_back(int(d.points.size()));
            d.points.push_back(at(i * l, 0, at_));
        }
    }
    const auto z = [&](int k) { return d.points[k].z; };
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const std::vector<int>&a = rows[i], &b = rows[i + 1];
        for (std::size_t p = 0, q = 0; p + 1 < a.size() || q + 1 < b.size();) {
            const float one = p + 1 < a.size() ? z(a[p]) + z(a[p + 1]) : 1e9f;
            const float other = q + 1 < b.size() ? z(b[q]) + z(b[q + 1]) : 1e9f;
            if (one <= other) {
                d.triangles.push_back({a[p], b[q], a[p + 1]});
                ++p;
            } else {
                d.triangles.push_back({a[p], b[q], b[q + 1]});
                ++q;
            }
        }
    }
    return d;
}

// Returns the drop of the tip divided by its reach. Both are means over the free edge.
double bend(ClothDef d, double gamma, int substeps) {
    World world({.substeps = substeps, .contact = false});
    d.density = static_cast<float>(kDensity);
    d.bendStiffness = static_cast<float>(kDensity * kGravity * kLength * kLength * kLength / gamma);
    d.damping = 8;
    d.tethers = 0;
    const ClothId cloth = world.add(d);
    std::vector<std::size_t> tip;
    for (std::size_t i = 0; i < world.positions(cloth).size(); ++i)
        if (world.positions(cloth)[i].x > kLength - 1e-5) tip.push_back(i);
    for (int i = 0; i < frames(4); ++i) world.step(kFrame);
    double drop = 0, reach = 0;
    for (std::size_t i : tip) {
        drop -= static_cast<double>(world.positions(cloth)[i].y);
        reach += static_cast<double>(world.positions(cloth)[i].x);
    }
    return drop / reach;
}

double hang(int cells, int substeps, double stiffness) {
    World world({.substeps = substeps, .contact = false});
    ClothDef d;
    d.edgeU = {0.5f, 0, 0};
    d.edgeV = {0, -1, 0};
    d.cellsU = cells / 2;
    d.cellsV = cells;
    d.density = static_cast<float>(kDensity);
    d.stretchStiffness = static_cast<float>(stiffness);
    d.shearStiffness = static_cast<float>(stiffness / 4);
    d.damping = 5;
    d.iterations = 8;
    for (int i = 0; i <= d.cellsU; ++i) d.pins.push_back(i);
    const ClothId cloth = world.add(d);
    for (int i = 0; i < frames(6); ++i) world.step(kFrame);
    const std::size_t row = std::size_t(d.cellsU) + 1, last = std::size_t(d.cellsV) * row;
    double lowest = 0;
    for (std::size_t i = 0; i < row; ++i) lowest -= static_cast<double>(world.positions(cloth)[last + i].y);
    return lowest / static_cast<double>(row) - 1;
}

// Returns the sag at the middle of a sheet of length 1.2 m between rails at a distance of 1 m. The rails move from
// 1.2 m to that distance at the start.
double rails(int cells, int substeps) {
    World world({.substeps = substeps, .contact = false});
    constexpr double length = 1.2;
    ClothDef d;
    d.edgeU = at(length, 0);
    d.edgeV = {0, 0, 0.2f};
    d.cellsU = cells;
    d.cellsV = std::max(2, cells / 6);
    d.density = static_cast<float>(kDensity);
    d.damping = 3;
    const int row = cells + 1;
    for (int j = 0; j <= d.cellsV; ++j)
        for (int i : {0, cells}) d.pins.push_back(j * row + i);
    const ClothId cloth = world.add(d);
    for (int f = 1; f <= frames(8); ++f) {
        const double x = length - 0.2 * std::min(1.0, f / 60.0);
        for (int j = 0; j <= d.cellsV; ++j) world.pin({cloth, j * row + cells}, at(x, 0, 0.2 * j / d.cellsV));
        world.step(kFrame);
    }
    double sag = 0;
    for (int j = 0; j <= d.cellsV; ++j)
        sag -= static_cast<double>(world.positions(cloth)[j * row + cells / 2].y);
    return sag / (d.cellsV + 1);
}

} // namespace

std::vector<Row> runCloth(const Options& options) {
    std::vector<double> gammas = {1, 8, 30};
    if (options.full) gammas = {1, 3, 8, 10, 20, 30};
    Sheet sheet("T1", options, 2);
    using enum Measured::Kind;
    for (double gamma : gammas) {
        if (options.progress) options.progress("strips", 0);
        const double truth = heavyElastica(gamma, 64).heightOverReach();
        const auto got = [&](int kind, Resolution r) {
            const double here =
                bend(kind == 0 ? rightTriangles(r.segments) : staggered(r.segments), gamma, r.substeps);
            char claim[120];
            std::snprintf(claim, sizeof claim,
                          "%s triangles, Gamma = %g, %d columns, %d substeps: tip drop / reach",
                          kind == 0 ? "right" : "staggered", gamma, r.segments, r.substeps);
            sheet.add(relative("T1", claim, truth, here, kGate, kTarget));
            return here;
        };
        double at[2];
        for (int kind : {0, 1}) {
            at[kind] = got(kind, {kColumns, kSubsteps});
            got(kind, {kColumns + 4, kSubsteps});
            got(kind, {kColumns, 2 * kSubsteps});
        }
        char what[80];
        std::snprintf(what, sizeof what, "Gamma = %g: spread between the two triangulations", gamma);
        sheet.add(atMost("T1", what, std::abs(at[0] - at[1]) / truth, kGate, kTarget));
    }
    // Fine cells with few substeps need the most iterations of bending. This row fails if the limit on iterations is
    // too low.
    const double truth = heavyElastica(1, 64).heightOverReach();
    sheet.add(relative("T1", "right triangles, Gamma = 1, 40 columns, 40 substeps: tip drop / reach", truth,
                       bend(rightTriangles(40), 1, 40), kGate, kTarget));
    sheet.add(relative("T1", "staggered triangles, Gamma = 1, 40 columns, 40 substeps: tip drop / reach",
                       truth, bend(staggered(40), 1, 40), kGate, kTarget));
    const double stiffness = 100;
    sheet.refine("sheet hung from its edge, 100 N/m", {16, kSubsteps / 2},
                 [&](Resolution r) -> std::vector<Measured> {
                     return {{Relative, "elongation / length", kDensity * kGravity / (2 * stiffness),
                              hang(r.segments, r.substeps, stiffness), kGate, kTarget}};
                 });
    sheet.refine("sheet between rails, L/S = 1.2", {24, kSubsteps / 2},
                 [&](Resolution r) -> std::vector<Measured> {
                     return {{Relative, "sag / span", catenary(1, 0, 1.2).sag, rails(r.segments, r.substeps),
                              kGate, kTarget}};
                 });
    return sheet.take();
}

} // namespace capstan::validation
