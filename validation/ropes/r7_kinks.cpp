// SPDX-License-Identifier: MIT
// R7: a fold that runs along a rope keeps its energy.
//
//   drawn out:  pull at both ends = lambda v^2 / 4;   thrown:  v^2 (s + a / 2) is constant
//
// Drawn out: a rope lies folded in two, without weight. One end is held, and the other is drawn away at speed v. The
// fold moves at v/2, and the rope runs through it at v/2 on either side. The power of the pull is the growth of
// the kinetic energy, so both ends are pulled alike. Where the fold loses its energy, the held end feels nothing
// and the drawn end twice as much. Four runs begin with a step of another length, so that the pulls are read at all
// places of a link.
// Thrown: the free end flies towards the fold at speed v, and its leg of length s becomes shorter. The fold is a half
// circle of length a, whose mean square speed is v^2 / 2. The same energy moves ever less rope.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kLink = 0.02; // m; the rope has 1 kg/m
constexpr int kArc = 4;        // links of the half circle

// A folded rope. `drawn` is the speed of its second leg along x; the first leg begins at the held end, at 0.
struct Fold {
    World world;
    RopeId rope;
    int turn = 0, nodes = 0; // first node of the fold; number of nodes
    double radius = 0;

    Fold(int links, int substeps, double drawn, bool free)
        : world({.gravity = {0, 0, 0}, .substeps = substeps, .contact = false}) {
        turn = (links - kArc) / 2;
        nodes = links + 1;
        radius = kLink / (2 * std::sin(std::numbers::pi / (2 * kArc)));
        RopeDef def;
        def.segments = 0;
        for (int i = 0; i < nodes; ++i) def.points.push_back(positionOf(i));
        def.length = static_cast<float>(links * kLink);
        def.mass = def.length;
        def.pins = {first};
        if (!free) def.pins.push_back(last);
        rope = world.add(def);
        for (int i = turn + 1; i < nodes; ++i) {
            const double a = std::min(1.0, double(i - turn) / kArc) * std::numbers::pi;
            world.setVelocity({rope, i}, at(0.5 * drawn * (1 - std::cos(a)), 0.5 * drawn * std::sin(a)));
        }
    }
    Vec3 positionOf(int i) const {
        if (i <= turn) return at(-kLink * i, 0);
        if (i >= turn + kArc) return at(-kLink * turn + kLink * (i - turn - kArc), 2 * radius);
        const double a = std::numbers::pi * (i - turn) / kArc;
        return at(-kLink * turn - radius * std::sin(a), radius - radius * std::cos(a));
    }
};

void drawOut(std::vector<Row>& rows, int links, int perFrame, int substeps, double gate) {
    const double v = 2 * perFrame * kLink / static_cast<double>(kFrame), unit = v * v / 4;
    const int all = static_cast<int>(0.8 * (links - kArc) / (2.0 * perFrame)), skipped = all / 8;
    double sum[2] = {0, 0}, square[2] = {0, 0};
    int held = 0, read = 0;
    for (int start = 0; start < 4; ++start) {
        Fold fold(links, substeps, v, false);
        const Vec3 from = fold.positionOf(fold.nodes - 1);
        double time = 0;
        for (int i = 0; i <= all; ++i) {
            const float dt =
                i == 0 ? kFrame * (1 + 0.25f * static_cast<float>(start)) / static_cast<float>(perFrame)
                       : kFrame;
            time += static_cast<double>(dt);
            const double x = static_cast<double>(from.x) + v * time;
            fold.world.pin({fold.rope, last}, at(x, static_cast<double>(from.y)));
            held += fold.world.step(dt).heldStill;
            if (i <= skipped) continue;
            ++read;
            const auto pulls = fold.world.tensions(fold.rope);
            for (int end : {0, 1}) {
                const double pull = static_cast<double>(end == 0 ? pulls.front() : pulls.back()) / unit;
                sum[end] += pull;
                square[end] += pull * pull;
            }
        }
    }
    const std::string what = std::to_string(links) + " links, " + std::to_string(perFrame) +
                             " links a frame, " + std::to_string(substeps) + " substeps: ";
    double jitter = 0;
    for (int end : {0, 1}) {
        const double mean = sum[end] / read;
        jitter = worse(jitter, std::sqrt(std::max(0.0, square[end] / read - mean * mean)));
        rows.push_back(relative("R7",
                                what + (end == 0 ? "pull at the held end" : "pull at the drawn end") +
                                    " / (lambda v^2 / 4)",
                                1, mean, gate));
    }
    rows.push_back(atMost("R7", what + "standard deviation of the pulls", jitter, 0.2));
    rows.push_back(atMost("R7", what + "substeps held still", held, 0));
}

void throwLoop(std::vector<Row>& rows) {
    const int links = 400;
    const double v0 = 4, most = 5;
    Fold fold(links, kStaticSubsteps, -v0, true);
    const double arc = 0.5 * std::numbers::pi * fold.radius; // half of the half circle
    double whole = 0, worst = 0, before = 1, told = 1, reached = 0;
    for (int i = 0; i < 600 && !(reached > 0); ++i) {
        double left = 0;
        const auto points = fold.world.positions(fold.rope);
        for (const Point& p : points) left = std::min(left, static_cast<double>(p.x));
        const double s = static_cast<double>(points.back().x) - left - fold.radius + arc;
        if (i == 0) whole = s;
        const double formula = std::sqrt(whole / s);
        const double got = static_cast<double>(length(Vec3(fold.world.velocities(fold.rope).back()))) / v0;
        if (formula < most)
            worst = worse(worst, std::abs(got / formula - 1));
        else
            reached = before + (got - before) * (most - told) / (formula - told);
        before = got;
        told = formula;
        fold.world.step(kFrame);
    }
    rows.push_back(
        atMost("R7", "thrown loop: speed of the tip, worst difference from its formula", worst, 0.1));
    rows.push_back(relative(
        "R7", "thrown loop: speed of the tip / that of the hand, where the formula says 5", 5, reached, 0.1));
}

} // namespace

std::vector<Row> runKinks(const Options& options) {
    std::vector<Row> rows;
    int done = 0;
    for (const int substeps : {kStaticSubsteps, 16})
        for (const int links : {50, 100, 200})
            for (const int perFrame : {1, 4, 16}) {
                if (options.progress) options.progress("folded rope", done++ / 19.0);
                drawOut(rows, links, perFrame, substeps, substeps == 16 ? 0.02 : 0.05);
            }
    throwLoop(rows);
    if (options.progress) options.progress("R7", 1);
    return rows;
}

} // namespace capstan::validation
