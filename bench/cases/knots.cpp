// SPDX-License-Identifier: MIT
// Knots: lasting contact. An overhand knot of 100 nodes is pulled tight with 50 N at both ends. A tangle of 16 ropes of
// 64 nodes is pulled to the middle and stirred for three seconds. The knot is timed at rest. The tangle is timed
// twice: while it contracts at 1 m/s, and when it is packed. Capstan uses four substeps, and eight for ropes in
// contact.
//
// passes counts passes in the timed frames, and passesBefore passes in the frames before. In those earlier frames
// rope ends move far within a frame. So a straight line from frame to frame may cross a rope although the end went
// around it. knotDiameters shows that the knot is still a knot.
//
// Timed frames follow each other without a pause, also in the textbook loop. Positions are recorded and checked for
// passes after the run. A check between two frames was refused: it takes longer than a frame, empties the caches and
// lets the worker threads fall asleep.
//
// The gain of two threads depends on the machine, because two cores may be hardware threads of one core. So the
// tangle also runs as two independent worlds at once, with one thread each. Their time is divided by two. Their
// speedup is the largest that two threads could reach on one world. handOverNs is the latency between the two cores
// (hand_over.hpp), the larger value of before and after the run.
#include "core/threads.hpp"
#include <bench/cases.hpp>
#include <bench/setups/contact_setups.hpp>
#include <bench/setups/hand_over.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

namespace {

constexpr const char* name = "knots";

struct Knot {
    std::string what;
    ContactSetup setup;
    std::function<void(CapstanContact&, int frame)> force; // applies forces, before each frame
    // Number of frames before the timing, and of timed frames.
    int before = 0, timed = 0;
};

Knot overhandKnot(const Options& options) {
    Knot knot;
    knot.what = "overhand";
    knot.setup = overhand();
    knot.force = [](CapstanContact& ropes, int frame) {
        const float pull = float(50 * std::min(1.0, frame * frameTime / 0.5));
        ropes.world().applyForce({ropes.ids()[0], first}, {pull, 0, 0});
        ropes.world().applyForce({ropes.ids()[0], last}, {-pull, 0, 0});
    };
    knot.before = scaled(options, 300, 60);
    knot.timed = scaled(options, 600, 30);
    return knot;
}

// Applies two forces [N] to each node of mass m [kg]: -60 m x pulls it to the middle, and 30 m (u - v) stirs. The
// node has the position x [m] and the velocity v [m/s]. The swirl u rotates about changing axes with at most 3 m/s.
void stir(CapstanContact& ropes, int frame) {
    const double t = frame * frameTime;
    World& world = ropes.world();
    for (const RopeId id : ropes.ids()) {
        const auto points = world.positions(id), speeds = world.velocities(id);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3d x = widen(Vec3(points[i])), v = widen(Vec3(speeds[i]));
            const double m = double(world.mass({id, int(i)}));
            Vec3d force = (-60 * m) * x;
            if (t < 3) {
                const Vec3d turn = 12.0 * Vec3d{std::cos(2.3 * t), std::sin(3 * t), std::sin(1.7 * t + 1)};
                Vec3d u = cross(turn, x);
                if (length(u) > 3) u = (3 / length(u)) * u;
                force += (30 * m) * (u - v);
            }
            world.applyForce({id, int(i)}, narrow(force));
        }
    }
}

Knot tangle(const char* what, int before, int timed, const Options& options) {
    Knot knot;
    knot.what = what;
    knot.setup = grating();
    knot.force = stir;
    knot.before = scaled(options, before, 20);
    knot.timed = scaled(options, timed, 5);
    return knot;
}

// A run of one knot in one Capstan world, or in two such worlds at once.
struct Entry {
    const Knot& knot;
    Row row;
    CapstanContact ropes;
    Watcher watcher;
    std::unique_ptr<CapstanContact> twin;
    Threads pair;
    std::vector<double> micros;
    std::vector<Lines> film; // positions after each timed frame
    double contacts = 0;     // contacts, summed over the timed frames
    int frame = 0, passedBefore = 0;

    Entry(const Knot& k, const Tuning& tuning, bool twice = false)
        : knot(k), row(capstanRow(name, tuning)), ropes(k.setup, tuning), watcher(k.setup, ropes),
          twin(twice ? std::make_unique<CapstanContact>(k.setup, tuning) : nullptr), pair(twice ? 2 : 1) {
        row.variant = k.what + ": " + (twice ? "two worlds at once" : row.variant);
        if (twice) row.threads = 2;
        forceAll();
        for (int i = 0; i < k.before; ++i) {
            step();
            watcher.see(ropes);
            goOn();
        }
        passedBefore = watcher.passed();
    }
    void step() {
        pair.run(twin ? 2 : 1, 1, [&](int from, int to, int) {
            for (int k = from; k < to; ++k) (k == 0 ? ropes : *twin).frame();
        });
    }
    void forceAll() {
        knot.force(ropes, frame);
        if (twin) knot.force(*twin, frame);
    }
    void goOn() {
        ++frame;
        forceAll();
    }
    void record() {
        ropes.read(film.emplace_back());
        contacts += ropes.report().contacts;
        goOn();
    }
    void fillIn() {
        for (Lines& lines : film) watcher.see(std::move(lines));
        if (twin)
            for (double& time : micros) time /= 2;
        fillTimes(row, micros);
        row.hash = ropes.hash();
        row.quality = {
            {"frames", double(knot.timed)},         {"passes", double(watcher.passed() - passedBefore)},
            {"passesBefore", double(passedBefore)}, {"peakStretch", watcher.peakStretch()},
            {"closest", watcher.closest()},         {"nonFinite", double(!watcher.finite())},
            {"contactsMean", contacts / knot.timed}};
        if (knot.setup.ropes == 1) {
            const Line& line = watcher.now()[0];
            const double used = knot.setup.restLength(0) - length(line.back() - line.front());
            row.quality.emplace_back("knotDiameters", used / (2 * knot.setup.radius));
        }
        for (const auto& count : ropes.counts()) row.quality.push_back(count);
    }
};

void addSpeedups(const std::vector<std::unique_ptr<Entry>>& entries, double handOver) {
    for (const auto& e : entries)
        for (const auto& one : entries)
            if (e->row.threads > 1 && one->row.threads == 1 && &one->knot == &e->knot &&
                one->row.backend == e->row.backend) {
                e->row.quality.emplace_back("speedup", one->row.usPerFrame / e->row.usPerFrame);
                e->row.quality.emplace_back("sameState", double(one->row.hash == e->row.hash));
                e->row.quality.emplace_back("handOverNs", handOver);
            }
}

std::vector<Tuning> tuningsOf(const Options& options) {
    std::vector<Tuning> tunings;
    if (asked(options, Backend::Scalar)) tunings.push_back({Backend::Scalar, Solver::Chain, 4, 1, 1});
    if (!asked(options, Backend::Simd)) return tunings;
    tunings.push_back({Backend::Simd, Solver::Chain, 4, 1, 1});
    if (options.threads != 1)
        tunings.push_back({Backend::Simd, Solver::Chain, 4, 1, options.threads > 0 ? options.threads : 2});
    return tunings;
}

} // namespace

std::vector<Row> runKnots(const Options& options) {
    // In the packed tangle all frames are alike. Many frames are needed, so that no other program disturbs the
    // fastest one.
    const Knot knots[] = {overhandKnot(options), tangle("moving tangle", 240, 60, options),
                          tangle("packed tangle", 600, 1000, options)};
    std::vector<std::unique_ptr<Entry>> entries;
    for (const Knot& knot : knots) {
        for (const Tuning& tuning : tuningsOf(options)) {
            if (options.progress) options.progress((knot.what + " tightens").c_str(), 0);
            entries.push_back(std::make_unique<Entry>(knot, tuning));
            if (tuning.threads == 2 && knot.setup.ropes > 1)
                entries.push_back(std::make_unique<Entry>(
                    knot, Tuning{tuning.backend, tuning.solver, tuning.substeps, tuning.iterations, 1},
                    true));
        }
    }
    Yardstick yardstick(name, options);
    std::vector<Turn> turns = {yardstick.turn()};
    for (const auto& e : entries)
        turns.push_back(
            {e->knot.what, e->knot.timed, &e->micros, [&e] { e->step(); }, [&e] { e->record(); }});
    const bool pairs =
        std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e->row.threads > 1; });
    const double before = pairs ? handOverNs() : 0;
    takeTurns(turns, options, name);
    const double handOver = pairs ? std::max(before, handOverNs()) : 0;
    for (const auto& e : entries) e->fillIn();
    addSpeedups(entries, handOver);
    std::vector<Row> rows;
    for (const auto& e : entries) rows.push_back(std::move(e->row));
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
