// SPDX-License-Identifier: MIT
// Tests of the reference solutions of the validation cases against tables from other methods: 40-digit arithmetic,
// boundary-value solvers, Bessel and Laguerre zeros. The tables are not part of the repository. Without them, only
// the asymptotes and closed forms below are tested.
#include <tests/validation/table.hpp>
#include <validation/harness/reference.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace capstan::validation {
namespace {

TEST(Reference, HeavyElasticaMeetsItsTable) {
    TABLE_OR_SKIP(rows, "heavy_elastica_master.csv");
    for (const Record& row : rows) {
        double gamma = row.at("Gamma");
        SCOPED_TRACE(gamma);
        Elastica e = heavyElastica(gamma, 64);
        // With Gamma = 1e5 the beam is 46 bending lengths long, so the integration steps are coarse.
        near(e.heightOverReach(), row.at("H_over_W"), 2e-8);
        near(-e.y.back(), row.at("H_over_L"), 2e-8);
        near(e.x.back(), row.at("W_over_L"), 2e-8);
        near(e.tipAngle * 180 / std::numbers::pi, row.at("tip_angle_deg"), 2e-8);
    }
}

TEST(Reference, HeavyElasticaShapesMeetTheirTable) {
    TABLE_OR_SKIP(rows, "heavy_elastica_shapes.csv");
    double gamma = 0;
    Elastica e;
    for (const Record& row : rows) {
        if (row.at("Gamma") != gamma) e = heavyElastica(gamma = row.at("Gamma"), 20);
        auto i = static_cast<std::size_t>(std::lround(20 * row.at("s_over_L")));
        EXPECT_NEAR(e.x[i], row.at("x_over_L"), 1e-8);
        EXPECT_NEAR(e.y[i], row.at("y_over_L"), 1e-8);
    }
}

TEST(Reference, HeavyElasticaHasItsAsymptotes) {
    near(heavyElastica(1e-3, 32).heightOverReach(), 1e-3 / 8, 1e-6);
    near(heavyElastica(1e5, 32).heightOverReach(), std::sqrt(1e5 / 2), 0.01);
}

TEST(Reference, CatenaryMeetsItsTables) {
    TABLE_OR_SKIP(level, "catenary_level.csv");
    for (const Record& row : level) {
        Catenary c = catenary(1, 0, row.at("L_over_span"));
        near(c.sag, row.at("sag_over_span"), 1e-8);
        near(c.horizontal, row.at("H_over_W"), 1e-8);
        near(c.tensionRight, row.at("Tend_over_W"), 1e-8);
    }
    for (const Record& row : table("catenary_inclined.csv")) {
        Catenary c = catenary(row.at("span"), row.at("rise"), row.at("L"));
        near(c.sag, row.at("drop_from_left"), 1e-8);
        near(c.horizontal, row.at("H_over_W"), 1e-8);
        near(c.tensionLeft, row.at("Tleft_over_W"), 1e-8);
        near(c.tensionRight, row.at("Tright_over_W"), 1e-8);
    }
    for (const Record& row : table("catenary_elastic.csv")) {
        Catenary c = elasticCatenary(row.at("span_over_L"), row.at("EA_over_W"));
        near(c.sag, row.at("sag_over_L"), 1e-8);
        near(c.horizontal, row.at("H_over_W"), 1e-8);
        near(c.tensionRight, row.at("Tend_over_W"), 1e-8);
    }
}

// A chain of n straight links approaches the catenary; its error must fall as 1 / n^2.
TEST(Reference, ManyLinksAreACatenary) {
    auto error = [](int n) {
        ChainCatenary chain = chainCatenary(n, 1, 0, 1.2, 0);
        return std::abs(-chain.y[static_cast<std::size_t>(n / 2)] / catenary(1, 0, 1.2).sag - 1);
    };
    EXPECT_LT(error(1000), 1e-5);
    EXPECT_NEAR(error(50) / error(100), 4, 0.2);

    ChainCatenary chain = chainCatenary(1000, 0.8, 0, 1, 10);
    near(-chain.y[500], elasticCatenary(0.8, 10).sag, 1e-5);
    chain = chainCatenary(1000, 1, 1, 2, 0);
    EXPECT_NEAR(chain.x.back(), 1, 1e-12);
    EXPECT_NEAR(chain.y.back(), 1, 1e-12);
    near(chain.tension.back(), catenary(1, 1, 2).tensionRight, 1e-3);
}

TEST(Reference, HangingChainMeetsItsTables) {
    TABLE_OR_SKIP(rows, "hanging_chain_modes.csv");
    for (int n : {10, 20, 50, 100}) {
        Modes modes = hangingChain(std::vector<double>(static_cast<std::size_t>(n), 1.0 / n));
        for (const Record& row : rows) {
            auto k = static_cast<std::size_t>(row.at("mode")) - 1;
            near(modes.omega[k], row.at("discrete_N" + std::to_string(n)), 1e-8);
        }
    }
    for (const Record& row : rows) {
        near(hangingChainOmega(static_cast<int>(row.at("mode")), 0), row.at("omega_sqrt(L/g)"), 1e-8);
    }
    for (const Record& row : table("hanging_chain_bob_modes.csv")) {
        for (int mode = 1; mode <= 4; ++mode) {
            near(hangingChainOmega(mode, row.at("M_over_m")), row.at("Om" + std::to_string(mode)), 1e-8);
        }
    }
}

TEST(Reference, TwoMassesOnAChain) {
    // L_2(x) = (x^2 - 4 x + 2) / 2.
    Modes modes = hangingChain({0.5, 0.5});
    near(modes.omega[0], std::sqrt(2 * (2 - std::sqrt(2.0))), 1e-14);
    near(modes.omega[1], std::sqrt(2 * (2 + std::sqrt(2.0))), 1e-14);
    near(modes.shape[0][0] / modes.shape[0][1], std::sqrt(2.0) - 1, 1e-12);
}

// A chain of one link is a pendulum: T = 2 pi / agm(1, cos(A / 2)) (Gauss), in units of sqrt(L / g).
TEST(Reference, OneSwingingLinkIsAPendulum) {
    for (double angle : {0.1, 0.5, 1.0}) {
        double a = 1, b = std::cos(angle / 2);
        while (std::abs(a - b) > 1e-15) {
            double mean = (a + b) / 2;
            b = std::sqrt(a * b);
            a = mean;
        }
        double x = std::sin(angle), period = 2 * std::numbers::pi / a;
        auto swing = swingingChain({1}, {0, x}, period / 400, 400);
        EXPECT_NEAR(swing[100][1], 0, 1e-8);
        EXPECT_NEAR(swing[200][1], -x, 1e-8);
        EXPECT_NEAR(swing[400][1], x, 1e-8);
    }
}

// A swing of small amplitude in the shape of a mode keeps that shape and has its frequency.
TEST(Reference, SwingingChainHasTheModesOfAHangingOne) {
    std::vector<double> mass = {0.2, 0.1, 0.4, 0.3};
    Modes modes = hangingChain(mass);
    for (std::size_t k = 0; k < mass.size(); ++k) {
        std::vector<double> offset = {0};
        for (double s : modes.shape[k]) offset.push_back(1e-5 * s);
        double time = 0.9;
        std::vector<double> later = swingingChain(mass, offset, time / 200, 200).back();
        for (std::size_t i = 0; i < later.size(); ++i)
            EXPECT_NEAR(later[i], offset[i] * std::cos(modes.omega[k] * time), 1e-10);
    }
}

TEST(Reference, BeamAndStringMeetTheirTables) {
    TABLE_OR_SKIP(rows, "beam_modes.csv");
    for (const Record& row : rows) {
        near(cantileverBeam(static_cast<int>(row.at("mode"))), row.at("betaL_cantilever"), 1e-9);
    }
    for (const Record& row : table("string_modes.csv")) {
        near(stringOmega(static_cast<int>(row.at("N_links")), static_cast<int>(row.at("mode"))),
             row.at("omega_discrete"), 1e-9);
    }
}

TEST(Reference, LoadedRopeMeetsItsTable) {
    TABLE_OR_SKIP(rows, "mass_ratio_rope.csv");
    for (const Record& row : rows) {
        near(topTension(1, row.at("M_over_m")) / kGravity, row.at("T_top_over_mg"), 1e-9);
        near(elongation(1, row.at("M_over_m"), 1) / kGravity, row.at("elongation_times_EA_over_mgL"), 1e-9);
    }
}

TEST(Reference, BeamShapeIsClampedAndFree) {
    double b = cantileverBeam(1), d = 1e-4;
    EXPECT_EQ(cantileverShape(b, 0), 0);
    EXPECT_NEAR(cantileverShape(b, d) / d, 0, 1e-3);
    double curve =
        (cantileverShape(b, 1) - 2 * cantileverShape(b, 1 - d) + cantileverShape(b, 1 - 2 * d)) / (d * d);
    EXPECT_NEAR(curve, 0, 1e-2);
}

TEST(Reference, StringModeKeepsItsShape) {
    const int n = 16, mode = 3;
    std::vector<double> y;
    for (int i = 0; i <= n; ++i) y.push_back(std::sin(mode * std::numbers::pi * i / n));
    double omega = stringOmega(n, mode);
    std::vector<double> later = stringAt(y, std::vector<double>(y.size()), 1.7);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(later[i], y[i] * std::cos(omega * 1.7), 1e-12);
}

TEST(Reference, FitFindsAKnownSinusoid) {
    std::vector<double> q;
    for (int i = 0; i < 600; ++i)
        q.push_back(0.01 * std::exp(-0.02 * i / 60.0) * std::cos(3.7 * i / 60.0 + 0.3));
    Sinusoid fit = fitSinusoid(q, 1 / 60.0, 3.7 * 1.12);
    near(fit.omega, 3.7, 1e-10);
    near(fit.decay, 0.02, 1e-8);
    near(fit.amplitude, 0.01, 1e-10);
}

} // namespace
} // namespace capstan::validation
