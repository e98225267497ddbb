// SPDX-License-Identifier: MIT
// topology: knots and braids keep their type while the ropes move, and the engine recognises the type correctly.
//
//   braids   three ropes are laid along a braid word and held at both ends. After shaking, the engine reads that
// braid.
//   walks    dogs walk about on leashes. The braid of their motion equals the braid of the leashes (E. Artin 1947).
//   knots    closed ropes are tied as the knots of up to six crossings. After shaking, the engine finds the same name
// of
//            the knot table.
//
// Seeds are fixed, so a failure can be repeated.
#include <capstan/leash/walk.hpp>
#include <capstan/topology/knot.hpp>
#include <validation/harness/curves.hpp>
#include <validation/harness/suite.hpp>
#include <worlds/leashes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

namespace capstan::validation {

namespace {

constexpr const char* kCase = "topology";
constexpr double kRadius = 0.005; // m

// Random numbers that are the same on every machine; the standard library's distributions are not.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    double within(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(engine_()) / 4294967296.0;
    }

private:
    std::mt19937 engine_;
};

// Strands are 0.06 m apart. In each letter, which is 0.1 m high, two strands make half a turn around each other. For
// +i the strand from position i + 1 passes in front, at z > 0. kStiff straight nodes follow at each end, 0.02 m
// apart. They are held, so that no rope can swing around the end of another rope.
constexpr int kStiff = 15;

std::vector<Curve> strandsOf(const BraidWord& word, int n) {
    constexpr double apart = 0.06, high = 0.1;
    constexpr int steps = 10;
    std::vector<Curve> strands(static_cast<std::size_t>(n));
    std::vector<std::size_t> at;
    for (int k = 0; k < n; ++k) {
        at.push_back(static_cast<std::size_t>(k));
        for (int i = kStiff; i >= 0; --i) strands[at.back()].push_back({apart * k, 0.02 * i, 0});
    }
    double y = 0;
    for (int letter : word) {
        const std::size_t left = static_cast<std::size_t>(std::abs(letter) - 1);
        for (int s = 1; s <= steps; ++s) {
            const double share = static_cast<double>(s) / steps, angle = std::numbers::pi * share;
            for (std::size_t k = 0; k < at.size(); ++k) {
                Vec3d p = {apart * static_cast<double>(k), y - high * share, 0};
                if (k == left || k == left + 1) {
                    const double side = k == left ? -0.5 : 0.5;
                    p.x = apart * (static_cast<double>(left) + 0.5 + side * std::cos(angle));
                    p.z = apart * (letter > 0 ? side : -side) * std::sin(angle);
                }
                strands[at[k]].push_back(p);
            }
        }
        std::swap(at[left], at[left + 1]);
        y -= high;
    }
    for (std::size_t k = 0; k < at.size(); ++k)
        for (int i = 1; i <= kStiff; ++i)
            strands[at[k]].push_back({apart * static_cast<double>(k), y - 0.02 * i, 0});
    return strands;
}

struct Tally {
    int looks = 0, wrong = 0, refused = 0;
    void operator+=(const Tally& t) {
        looks += t.looks;
        wrong += t.wrong;
        refused += t.refused;
    }
};

// Shakes the held lower ends together, and pushes the ropes in random directions between their ends.
Tally shakenBraid(const BraidWord& word, std::uint32_t seed, double seconds) {
    const View view = viewFrom({0, 0, 1}, {0, 1, 0}).value();
    World world({.gravity = {0, -1, 0}, .substeps = kContactSubsteps});
    Dice dice(seed);
    std::vector<RopeId> ropes;
    std::vector<std::vector<Vec3>> start;
    for (const Curve& strand : strandsOf(word, 3)) {
        RopeDef def;
        for (Vec3d p : strand) def.points.push_back(narrow(p));
        def.radius = static_cast<float>(kRadius);
        def.segments = 0;
        def.damping = 1;
        for (int i = 0; i < kStiff; ++i) def.pins.insert(def.pins.end(), {i, -1 - i});
        ropes.push_back(world.add(def));
        start.push_back(def.points);
    }
    const double fx = dice.within(1, 4), fz = dice.within(1, 4);
    BraidReader reader;
    Polylines lines;
    Tally tally;
    for (int i = 1; i <= frames(seconds); ++i) {
        const double t = i * static_cast<double>(kFrame);
        const Vec3 shift =
            at(0.03 * std::sin(6.283 * fx * t), 0.02 * std::sin(9 * t), 0.03 * std::sin(6.283 * fz * t));
        for (std::size_t k = 0; k < ropes.size(); ++k) {
            const std::size_t nodes = start[k].size();
            for (std::size_t n = nodes - kStiff; n < nodes; ++n)
                world.pin({ropes[k], static_cast<int>(n)}, start[k][n] + shift);
            const int node = static_cast<int>(dice.within(kStiff, static_cast<double>(nodes) - kStiff));
            const double push = 2 * static_cast<double>(world.mass({ropes[k], node}));
            world.applyImpulse({ropes[k], node}, at(push * dice.within(-1, 1), push * dice.within(-1, 1),
                                                    push * dice.within(-1, 1)));
        }
        world.step(kFrame);
        if (i % 6 != 0) continue;
        ++tally.looks;
        lines.clear();
        bool good = true;
        for (RopeId rope : ropes) good = good && lines.add(world.positions(rope)).has_value();
        if (!good || !reader.read(lines, view) || !reader.reading().readable) {
            ++tally.refused;
            continue;
        }
        Result<bool> same = sameBraid(reader.reading().word, word, 3);
        tally.wrong += !same || !*same;
    }
    return tally;
}

Tally walk(int seed, double seconds) {
    World world({.substeps = 1}); // as in scenes/tangle/
    LeashWalk leashes = LeashWalk::start(world, mixedDogs(3, seed, seed)).value();
    for (int i = 0; i < frames(seconds); ++i) leashes.step(world, kFrame);
    return {leashes.readings() + leashes.refusals(), leashes.disagreements(), leashes.refusals()};
}

struct Knot {
    const char* name;
    BraidWord word; // the knot is the closure of this braid
    int strands;
};

// Moves a node in a new random direction in every frame.
Tally shakenKnot(const Knot& knot, std::uint32_t seed, double seconds) {
    World world({.gravity = {0, 0, 0}, .substeps = kContactSubsteps});
    Dice dice(seed);
    RopeDef def;
    const Curve curve = scaled(closedBraid(knot.word, knot.strands, 8)[0], 0.04);
    for (Vec3d p : curve) def.points.push_back(narrow(p));
    def.closed = true;
    def.radius = static_cast<float>(kRadius);
    def.segments = static_cast<int>(lengthOf(curve) / (3 * kRadius));
    def.damping = 1;
    const RopeId rope = world.add(def);
    Vec3d held = widen(Vec3(world.positions(rope)[0]));
    const Vec3d home = held;
    Tally tally;
    for (int i = 1; i <= frames(seconds); ++i) {
        const double step = 2 * static_cast<double>(kFrame); // m, at 2 m/s
        const Vec3d to =
            held + Vec3d{dice.within(-step, step), dice.within(-step, step), dice.within(-step, step)};
        if (length(to - home) < 0.3) held = to;
        world.pin({rope, 0}, narrow(held));
        world.step(kFrame);
        if (i % 10 != 0) continue;
        ++tally.looks;
        Result<KnotReport> report = identifyKnot(world.positions(rope), true);
        if (!report) {
            ++tally.refused;
            continue;
        }
        const std::vector<std::string>& names = report->names;
        const bool named = std::find(names.begin(), names.end(), knot.name) != names.end();
        tally.wrong += !named;
        tally.refused += named && !report->certain;
    }
    return tally;
}

} // namespace

std::vector<Row> runTopology(const Options& options) {
    Sheet sheet(kCase, options, 1);
    double part = 0;
    const auto tell = [&](const char* what) {
        part += 1 / 12.0;
        if (options.progress) options.progress(what, std::min(part, 0.99));
    };
    const auto add = [&](const std::string& what, const Tally& t, const char* silent, double share) {
        const std::string of = " of " + std::to_string(t.looks) + " looks";
        sheet.add(atMost(kCase, what + ": wrong" + of, t.wrong, 0));
        sheet.add(atMost(kCase, what + ": " + silent + of, t.refused, share * t.looks));
    };
    struct Named {
        const char* name;
        BraidWord word;
    };
    const Named braids[] = {{"(s1 s2^-1)^6", {1, -2, 1, -2, 1, -2, 1, -2, 1, -2, 1, -2}},
                            {"(s1 s2)^3", {1, 2, 1, 2, 1, 2}},
                            {"s1^5", {1, 1, 1, 1, 1}}};
    for (const Named& braid : braids) {
        Tally all;
        for (std::uint32_t seed = 1; seed <= (options.full ? 20u : 1u); ++seed)
            all += shakenBraid(braid.word, seed, options.full ? 5 : 1);
        add(std::string(braid.name) + " held at both ends and shaken", all, "not read", 0.1);
        tell("braids");
    }
    Tally walks;
    for (int seed = 1; seed <= (options.full ? 1000 : 2); ++seed) walks += walk(seed, options.full ? 60 : 8);
    add("three dogs walk: braid of the leashes is that of the motion", walks, "not read", 0.01);
    tell("walks");
    const Knot knots[] = {{"3_1", {1, 1, 1}, 2},
                          {"4_1", {1, -2, 1, -2}, 3},
                          {"5_1", {1, 1, 1, 1, 1}, 2},
                          {"5_2", {1, 1, 1, 2, -1, 2}, 3},
                          {"6_1", {1, 1, 2, -1, -3, 2, -3}, 4},
                          {"6_2", {1, 1, 1, -2, 1, -2}, 3},
                          {"6_3", {1, 1, -2, 1, -2, -2}, 3}};
    for (const Knot& knot : knots) {
        Tally all;
        for (std::uint32_t seed = 1; seed <= (options.full ? 1000u : 1u); ++seed)
            all += shakenKnot(knot, seed, options.full ? 1 : 0.5);
        add(std::string("knot ") + knot.name + " shaken", all, "uncertain knot types", 0);
        tell("knots");
    }
    return sheet.take();
}

} // namespace capstan::validation
