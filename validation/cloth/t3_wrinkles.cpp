// SPDX-License-Identifier: MIT
// T3: wrinkles of a stretched sheet. A wide sheet of bending stiffness D is held along two sides at a distance L. It is
// stretched with T newtons per metre of width and narrowed a little. Then wrinkles form along the stretch, with the
// wavelength
//     lambda = 2 sqrt(pi) (D / T)^(1/4) sqrt(L)
// Cerda, Mahadevan: Geometry and physics of wrinkling, Phys. Rev. Lett. 90, 074302 (2003); their experiments agree to
// about 10 %. In the experiments Poisson's effect narrows the sheet. Capstan's cloth has no Poisson effect, so all
// four sides are held, and the frame narrows the sheet.
#include <validation/harness/suite.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kReported = std::numeric_limits<double>::infinity();
constexpr double kLength = 0.25, kWidth = 0.4, kStiffness = 400; // m, m, N/m

double wavelength(double bend, double pull) {
    return 2 * std::sqrt(std::numbers::pi) * std::sqrt(std::sqrt(bend / pull)) * std::sqrt(kLength);
}

// Returns the wavelength of the strongest wave in the heights y of the middle line, whose mean is 0. A window
// function is applied. The transform covers all wavelengths, not only those that fit the width.
double strongest(const std::vector<double>& y, double step) {
    const std::size_t n = y.size();
    double best = 0, where = 0;
    for (double waves = 1.5; waves < 0.25 * static_cast<double>(n); waves += 0.02) {
        double re = 0, im = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const double u = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
            const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * u);
            const double phase = 2 * std::numbers::pi * waves * u;
            re += window * y[k] * std::cos(phase);
            im += window * y[k] * std::sin(phase);
        }
        if (re * re + im * im > best) {
            best = re * re + im * im;
            where = waves;
        }
    }
    return static_cast<double>(n) * step / where;
}

double wrinkled(double bend, double strain, double narrow, int across, double seconds) {
    ClothDef d;
    const double cell = kWidth / across;
    const int along = int(kLength / cell + 0.5);
    d.edgeU = at(0, 0, kWidth);
    d.edgeV = at(kLength, 0);
    d.cellsU = across;
    d.cellsV = along;
    // The shape at rest does not depend on the mass. A heavy sheet needs few iterations to converge to the stresses.
    d.density = 50;
    d.damping = 3;
    d.tethers = 0;
    d.iterations = 2;
    d.stretchStiffness = static_cast<float>(kStiffness);
    d.shearStiffness = static_cast<float>(0.4 * kStiffness);
    d.bendStiffness = static_cast<float>(bend);
    const int row = across + 1;
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < row; ++i)
            if (i == 0 || i == across || j == 0 || j == along) d.pins.push_back(j * row + i);
    World world({.gravity = {0, 0, 0}, .substeps = 20, .contact = false});
    const ClothId cloth = world.add(d);
    const int all = frames(seconds);
    for (int f = 1; f <= all; ++f) {
        const double part = std::min(1.0, 2.0 * f / all);
        for (int pin : d.pins) {
            const double u = static_cast<double>(pin % row) / across,
                         v = static_cast<double>(pin / row) / along;
            world.pin({cloth, pin}, at(kLength * (0.5 + (1 + strain * part) * (v - 0.5)), 0,
                                       kWidth * (0.5 + (1 - narrow * part) * (u - 0.5))));
        }
        // Small random impulses act until the sheet is narrowed. They decide to which side each wrinkle bends.
        for (int j = 1; part < 1 && f % 8 == 0 && j < along; ++j)
            for (int i = 1; i < across; ++i) {
                const double mass = static_cast<double>(world.velocities(cloth)[j * row + i].w);
                world.applyImpulse({cloth, j * row + i},
                                   at(0, 0.02 * mass * std::sin(12.9898 * i + 78.233 * j * j + f), 0));
            }
        world.step(kFrame);
    }
    std::vector<double> middle;
    double mean = 0;
    for (int i = 0; i < row; ++i) {
        middle.push_back(static_cast<double>(world.positions(cloth)[along / 2 * row + i].y));
        mean += middle.back() / row;
    }
    for (double& y : middle) y -= mean;
    return strongest(middle, cell * (1 - narrow));
}

} // namespace

std::vector<Row> runWrinkles(const Options& options) {
    std::vector<Row> rows;
    struct Sample {
        double bend, strain;
    };
    const std::vector<Sample> samples =
        options.full
            ? std::vector<Sample>{{4e-6, 0.05}, {1e-5, 0.02}, {1e-5, 0.05}, {1e-5, 0.1}, {4e-5, 0.05}}
            : std::vector<Sample>{{1e-5, 0.05}, {4e-5, 0.05}};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (options.progress)
            options.progress("sheets", static_cast<double>(i) / static_cast<double>(samples.size()));
        const Sample& s = samples[i];
        const double truth = wavelength(s.bend, kStiffness * s.strain);
        const int across = options.full ? 80 : 50;
        char what[110];
        std::snprintf(what, sizeof what, "D = %g N m, T = %g N/m, %d cells across: wavelength [m]", s.bend,
                      kStiffness * s.strain, across);
        rows.push_back(relative("T3", what, truth,
                                wrinkled(s.bend, s.strain, 0.02, across, options.full ? 6 : 3), kReported,
                                0.15));
    }
    if (options.progress) options.progress("T3", 1);
    return rows;
}

} // namespace capstan::validation
