// SPDX-License-Identifier: MIT
// R7: a fold that runs along a rope keeps its energy.
//
//   drawn out:  pull at both ends = lambda v^2 / 4;   thrown:  v^2 (s + a / 2) is constant
//
// Drawn out: a rope lies folded in two, without weight. One end is held, and the other is drawn away at speed v. The
// fold moves at v/2, and the rope runs through it at v/2 on either side. The power of the pull is the growth of
// the kinetic energy, so both ends are pulled alike. Where the fold loses its energy, the held end feels nothing
// and the drawn end twice as much. Several runs begin with a step of another length, so that the pulls are read at
// all places of a link.
// May touch itself: contact is on, with friction. The legs lie close together but do not press.
// Tied: the drawn end is tied to a body of ten tonnes, which flies at speed v.
// Sharp: the fold is one link across the rope. There even the exact polygon (r7_polygon.hpp) pulls unevenly.
// Waves as short as a link are slower than the fold and stay behind in the drawn leg. So its pulls are the reference.
// Thrown: the free end flies towards the fold at speed v, and its leg of length s becomes shorter. The fold is a half
// circle of length a, whose mean square speed is v^2 / 2. The same energy moves ever less rope.
#include <validation/harness/suite.hpp>
#include <validation/ropes/r7_polygon.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kLink = 0.02; // m; the rope has 1 kg/m
constexpr double kHeavy = 1e4; // kg, a body that the rope hardly brakes
enum class Ends { Drawn, Tied, Thrown, ThrownFromBody };

// A rope folded in two, with a half turn of `arc` links. `drawn` is the speed of its second leg along x; the first
// leg begins at the held end, at 0.
struct Fold {
    World world;
    RopeId rope;
    int arc = 4, turn = 0, nodes = 0; // links of the half turn; first node of the fold; number of nodes
    double radius = 0;

    Fold(int links, int turnLinks, int substeps, double drawn, Ends ends, bool contact = false)
        : world({.gravity = {0, 0, 0}, .substeps = substeps, .contact = contact}), arc(turnLinks) {
        turn = (links - arc) / 2;
        nodes = links + 1;
        radius = kLink / (2 * std::sin(std::numbers::pi / (2 * arc)));
        RopeDef def;
        def.segments = 0;
        for (int i = 0; i < nodes; ++i) def.points.push_back(position(i));
        def.length = static_cast<float>(links * kLink);
        def.mass = def.length;
        if (ends != Ends::ThrownFromBody) def.pins = {first};
        if (ends == Ends::Drawn) def.pins.push_back(last);
        rope = world.add(def);
        for (int i = turn + 1; i < nodes; ++i) world.setVelocity({rope, i}, speed(i, drawn));
        if (ends == Ends::Tied) tie(nodes - 1, drawn);
        if (ends == Ends::ThrownFromBody) tie(0, 0);
    }
    void tie(int node, double speedX) {
        BodyDef def;
        def.shape = Sphere{0.005f};
        def.mass = static_cast<float>(kHeavy);
        def.position = position(node);
        def.velocity = at(speedX, 0);
        world.attach({rope, node}, {world.add(def), {0, 0, 0}}).value();
    }
    Vec3 position(int i) const {
        if (i <= turn) return at(-kLink * i, 0);
        if (i >= turn + arc) return at(-kLink * turn + kLink * (i - turn - arc), 2 * radius);
        const double a = std::numbers::pi * (i - turn) / arc;
        return at(-kLink * turn - radius * std::sin(a), radius - radius * std::cos(a));
    }
    Vec3 speed(int i, double drawn) const {
        const double a = std::clamp(double(i - turn) / arc, 0.0, 1.0) * std::numbers::pi;
        return at(0.5 * drawn * (1 - std::cos(a)), 0.5 * drawn * std::sin(a));
    }
};

// How a fold is drawn out: links in all and in its half turn, links that it runs in a frame, substeps.
struct Draw {
    int links, arc, perFrame, substeps;
    bool contact = false;
    double speed() const { return 2 * perFrame * kLink / static_cast<double>(kFrame); }
    double unit() const { return speed() * speed() / 4; } // N, lambda v^2 / 4
    // s: time in which the fold runs along four fifths of its way
    double time() const { return 0.8 * (links - arc) * kLink / speed(); }
    // s: pulls are read from here on
    double begin() const { return std::max(time() / 8, static_cast<double>(kFrame)); }
    std::string words(const char* kind) const {
        return std::string(kind) + std::to_string(links) + " links, " + std::to_string(perFrame) +
               " links a frame, " + std::to_string(substeps) + " substeps: ";
    }
};

// Mean and standard deviation of the pulls at both ends, in units of lambda v^2 / 4.
struct Pulls {
    double sum[2] = {0, 0}, square[2] = {0, 0};
    int read = 0, held = 0;
    void add(double first, double last) {
        const double pull[2] = {first, last};
        for (int end : {0, 1}) {
            sum[end] += pull[end];
            square[end] += pull[end] * pull[end];
        }
        ++read;
    }
    double mean(int end) const { return sum[end] / read; }
    double jitter(int end) const {
        return std::sqrt(std::max(0.0, square[end] / read - mean(end) * mean(end)));
    }
};

// One run; its first step has another length and is not read.
void drawOnce(Pulls& pulls, const Draw& d, Ends ends, float firstStep) {
    Fold fold(d.links, d.arc, d.substeps, d.speed(), ends, d.contact);
    const Vec3 from = fold.position(fold.nodes - 1);
    double time = 0;
    for (float dt = firstStep; time + static_cast<double>(dt) <= d.time(); dt = kFrame) {
        const bool firstOfAll = !(time > 0);
        time += static_cast<double>(dt);
        const double x = static_cast<double>(from.x) + d.speed() * time;
        if (ends == Ends::Drawn) fold.world.pin({fold.rope, last}, at(x, static_cast<double>(from.y)));
        pulls.held += fold.world.step(dt).heldStill;
        if (firstOfAll || time < d.begin()) continue;
        const auto tension = fold.world.tensions(fold.rope);
        pulls.add(static_cast<double>(tension.front()) / d.unit(),
                  static_cast<double>(tension.back()) / d.unit());
    }
}

// The first steps run one to two links, a quarter of a link apart.
Pulls drawOut(const Draw& d, Ends ends) {
    Pulls pulls;
    for (int k = 4; k < 8; ++k)
        drawOnce(pulls, d, ends, kFrame * static_cast<float>(k) / static_cast<float>(4 * d.perFrame));
    return pulls;
}

const char* nameOf(int end) { return end == 0 ? "pull at the held end" : "pull at the drawn end"; }

void checkPulls(std::vector<Row>& rows, const Draw& d, Ends ends, const char* kind, double gate) {
    const Pulls pulls = drawOut(d, ends);
    const std::string what = d.words(kind);
    for (int end : {0, 1})
        rows.push_back(relative("R7", what + nameOf(end) + " / (lambda v^2 / 4)", 1, pulls.mean(end), gate));
    rows.push_back(
        atMost("R7", what + "standard deviation of the pulls", worse(pulls.jitter(0), pulls.jitter(1)), 0.2));
    rows.push_back(atMost("R7", what + "substeps held still", pulls.held, 0));
}

// The pulls of the exact polygon.
Pulls exactPulls(const Draw& d) {
    const Fold fold(d.links, d.arc, d.substeps, d.speed(), Ends::Drawn);
    Polygon polygon(kLink, kLink);
    for (int i = 0; i < fold.nodes; ++i)
        polygon.add(widen(fold.position(i)), widen(fold.speed(i, d.speed())));
    const double h = kLink / d.speed() / 30; // 60 steps for each link that the fold runs
    const int steps = static_cast<int>(d.time() / h);
    Pulls pulls;
    for (int k = 0; k < steps; ++k) {
        polygon.step(h);
        if (k * h >= d.begin()) pulls.add(polygon.tension(1) / d.unit(), polygon.tension(d.links) / d.unit());
    }
    return pulls;
}

// The pulls change over many links, so they are read at all places of a frame.
void checkSharp(std::vector<Row>& rows, const Draw& d) {
    const Pulls exact = exactPulls(d);
    Pulls pulls;
    const int starts = 4 * d.perFrame;
    for (int k = 1; k <= starts; ++k)
        drawOnce(pulls, d, Ends::Drawn, kFrame * static_cast<float>(k) / static_cast<float>(starts));
    const std::string what = d.words("sharp fold, ");
    for (int end : {0, 1})
        rows.push_back(relative("R7", what + nameOf(end) + ", against the exact polygon", exact.mean(end),
                                pulls.mean(end), 0.05));
    rows.push_back(atMost("R7", what + "standard deviation of the pulls / that of the exact polygon",
                          worse(pulls.jitter(0), pulls.jitter(1)) / worse(exact.jitter(0), exact.jitter(1)),
                          1.05));
    rows.push_back(atMost("R7", what + "substeps held still", pulls.held, 0));
}

void throwLoop(std::vector<Row>& rows, Ends ends, const std::string& what) {
    const int links = 400;
    const double v0 = 4, most = 5;
    Fold fold(links, 4, kStaticSubsteps, -v0, ends);
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
    rows.push_back(atMost("R7", what + "speed of the tip, worst difference from its formula", worst, 0.1));
    rows.push_back(relative("R7", what + "speed of the tip / that of the hand, where the formula says 5", 5,
                            reached, 0.1));
}

} // namespace

std::vector<Row> runKinks(const Options& options) {
    std::vector<Row> rows;
    int done = 0;
    auto each = [&](std::initializer_list<int> lengths, auto&& check) {
        for (const int links : lengths)
            for (const int perFrame : {1, 4, 16}) {
                if (options.progress) options.progress("folded rope", done++ / 51.0);
                check(links, perFrame);
            }
    };
    for (const int substeps : {kStaticSubsteps, 16})
        each({50, 100, 200}, [&](int links, int perFrame) {
            const double gate = substeps == 16 ? 0.02 : 0.05;
            checkPulls(rows, {links, 4, perFrame, substeps}, Ends::Drawn, "", gate);
        });
    each({50, 100, 200}, [&](int links, int perFrame) {
        checkPulls(rows, {links, 2, perFrame, kStaticSubsteps}, Ends::Drawn, "turn of 2 links, ", 0.05);
    });
    // The substeps of an island are equal, and those of a rope by itself follow its kinks. So 16 are no better than 4.
    for (const int substeps : {kStaticSubsteps, 16})
        each({50, 100, 200}, [&](int links, int perFrame) {
            checkPulls(rows, {links, 4, perFrame, substeps, true}, Ends::Drawn, "may touch itself, ", 0.05);
        });
    each({100}, [&](int links, int perFrame) {
        checkPulls(rows, {links, 4, perFrame, kStaticSubsteps}, Ends::Tied, "tied to a body, ", 0.05);
    });
    // A shorter rope ends before a frame of 16 links has seen a whole wave of its pulls.
    each({200}, [&](int links, int perFrame) { checkSharp(rows, {links, 1, perFrame, kStaticSubsteps}); });
    throwLoop(rows, Ends::Thrown, "thrown loop: ");
    throwLoop(rows, Ends::ThrownFromBody, "thrown loop, held by a body: ");
    if (options.progress) options.progress("R7", 1);
    return rows;
}

} // namespace capstan::validation
