// SPDX-License-Identifier: MIT
// T2: Cusick's drape test. A disc of cloth, 30 cm wide, is held between two discs of 18 cm. The overhanging ring falls
// into folds. The drape coefficient DC is the fraction of that ring's area that the shadow of the cloth covers:
//     DC = (shadow - held disc) / (whole disc - held disc)
// Cusick's regression (1965) has the bending length C = (D / (rho g))^(1/3) in cm and the shear angle A in degrees. D
// is the bending stiffness and rho the mass per area:
//     DC = 35.6 C - 3.61 C^2 - 2.59 A + 0.0461 A^2 + 17.0
// The regression is quoted from memory. The in-plane stiffness of this disc is that of a mesh, equal in all
// directions. So the result is reported and not judged.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kDisc = 0.15, kHeld = 0.09, kDensity = 0.2, kGravity = 9.81; // m, m, kg/m^2, m/s^2
constexpr double kShear = 2;                                                  // degrees, A of the regression
constexpr double kReported = std::numeric_limits<double>::infinity();

double cusick(double cm) {
    return 35.6 * cm - 3.61 * cm * cm - 2.59 * kShear + 0.0461 * kShear * kShear + 17.0;
}

struct Drape {
    double coefficient = 0; // percent
    int folds = 0;
    double strain = 0;
};

// Returns a disc of rings of vertices. Every other ring is rotated by half a cell. The two rings within the held disc
// are pinned.
ClothDef ringed(int rings, int around) {
    ClothDef d;
    const double l = (kDisc - kHeld) / rings;
    for (int i = -1; i <= rings; ++i)
        for (int k = 0; k < around; ++k) {
            const double angle = 2 * std::numbers::pi * (k + 0.5 * (i & 1)) / around, r = kHeld + i * l;
            // A ripple of at most 0.01 mm lets folds form. A perfectly flat ring would stay without folds.
            const double up = 1e-5 * std::sin(7.3 * k + 1.9 * i);
            d.points.push_back(at(r * std::cos(angle), i > 0 ? up : 0, r * std::sin(angle)));
            if (i <= 0) d.pins.push_back(int(d.points.size()) - 1);
        }
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < around; ++k) {
            const int next = (k + 1) % around, a = i * around + k, b = i * around + next;
            const int c = (i + 1) * around + k, e = (i + 1) * around + next;
            // Row i is ring i - 1. Rings with odd numbers are rotated forward.
            if ((i - 1) & 1) {
                d.triangles.push_back({a, e, c});
                d.triangles.push_back({a, b, e});
            } else {
                d.triangles.push_back({a, b, c});
                d.triangles.push_back({b, e, c});
            }
        }
    return d;
}

Drape drape(double cm, int rings, double seconds) {
    const int around = int(2 * std::numbers::pi * 0.12 / ((kDisc - kHeld) / rings) + 0.5);
    ClothDef d = ringed(rings, around);
    d.density = static_cast<float>(kDensity);
    const double c = 0.01 * cm;
    d.bendStiffness = static_cast<float>(kDensity * kGravity * c * c * c);
    d.stretchStiffness = 100; // N/m; the shear stiffness is 3/8 of it, as in a loose weave
    d.damping = 3;
    d.tethers = 0;
    d.iterations = 2;
    World world({.substeps = 16, .contact = false});
    const ClothId cloth = world.add(d);
    for (int i = 0; i < frames(seconds); ++i) world.step(kFrame);
    // The shadow is the area inside the rim. If the rim folded under itself, the computed area would be too small.
    const std::size_t n = std::size_t(around), rim = world.positions(cloth).size() - n;
    std::vector<double> radius(n);
    double area = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const Point &p = world.positions(cloth)[rim + k], &q = world.positions(cloth)[rim + (k + 1) % n];
        area += 0.5 * (static_cast<double>(p.z) * static_cast<double>(q.x) -
                       static_cast<double>(p.x) * static_cast<double>(q.z));
        radius[k] = std::hypot(static_cast<double>(p.x), static_cast<double>(p.z));
    }
    const double held = std::numbers::pi * kHeld * kHeld, whole = std::numbers::pi * kDisc * kDisc;
    // A fold is a rise of the radius from more than a millimetre below its mean to more than a millimetre above.
    double mean = 0;
    for (double r : radius) mean += r / static_cast<double>(n);
    int folds = 0, side = 0, first = 0;
    for (double r : radius) {
        const int here = r > mean + 5e-4 ? 1 : r < mean - 5e-4 ? -1 : 0;
        if (here == 0) continue;
        if (first == 0) first = here;
        if (here == 1 && side == -1) ++folds;
        side = here;
    }
    if (first == 1 && side == -1) ++folds;
    return {100 * (std::abs(area) - held) / (whole - held), folds,
            static_cast<double>(world.maxStrain(cloth))};
}

Row told(std::string claim, double expected, double got) {
    return {"T2", std::move(claim), expected, got, std::abs(got - expected), kReported, 0, true};
}

} // namespace

std::vector<Row> runDrape(const Options& options) {
    std::vector<Row> rows;
    const std::vector<double> lengths =
        options.full ? std::vector<double>{1, 1.5, 2, 2.5, 3, 4} : std::vector<double>{1.5, 2.5, 4};
    const int coarse = options.full ? 8 : 6;
    const double seconds = options.full ? 8 : 4;
    double before = 0, falls = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (options.progress)
            options.progress("discs", static_cast<double>(i) / static_cast<double>(lengths.size()));
        const Drape here = drape(lengths[i], coarse, seconds),
                    finer = drape(lengths[i], coarse * 3 / 2, seconds);
        char what[80];
        std::snprintf(what, sizeof what, "bending length %g cm, %d rings: ", lengths[i], coarse);
        rows.push_back(told(std::string(what) + "drape coefficient (error in points; Cusick, A = 2 degrees)",
                            cusick(lengths[i]), here.coefficient));
        rows.back().error /= 100;
        rows.push_back(
            relative("T2", std::string(what) + "folds (4 to 8 are usual)", 6, here.folds, kReported));
        rows.push_back(
            atMost("T2", std::string(what) + "change of the coefficient with 1.5 times the rings (points)",
                   std::abs(here.coefficient - finer.coefficient) / 100, kReported));
        falls = std::max(falls, before - here.coefficient);
        before = here.coefficient;
    }
    rows.push_back(atMost("T2", "stiffer cloth drapes less: largest fall of the coefficient (points)",
                          falls / 100, kReported));
    if (options.progress) options.progress("T2", 1);
    return rows;
}

} // namespace capstan::validation
