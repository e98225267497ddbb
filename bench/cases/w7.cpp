// SPDX-License-Identifier: MIT
// W7: boxes of 1 m and 1 kg on a plane. A stack of 10 should stand for a minute, and 100 boxes fall in a pile.
//
// stands: 1 if no box of the stack is more than a quarter of its edge from its start. fellAfter [s]: time of the
// fall, if the stack did not stand. driftMm: largest distance of a box from its start at the end. vsBullet: median
// time divided by Bullet's in the same run. The minimum is not used: it is that of a frame in which all boxes still
// fall.
#include <bench/cases.hpp>
#include <bench/setups/boxes.hpp>
#include <bench/setups/contact_ropes.hpp>
#include <worlds/workloads.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

namespace {

constexpr const char* name = "W7";

struct Entry {
    Row row;
    const BoxSetup& setup;
    std::unique_ptr<Boxes> boxes;
    int frames;
    std::vector<double> micros;
    std::vector<Motion> now;
    double fellAfter = -1, lowest = 0;
    bool finite = true;
    double contacts = 0; // contacts, summed over the second half of the frames

    Entry(Row r, const BoxSetup& s, std::unique_ptr<Boxes> b, int f)
        : row(std::move(r)), setup(s), boxes(std::move(b)), frames(f) {}

    double drift() const {
        double most = 0;
        for (std::size_t i = 0; i < now.size(); ++i)
            most = std::max(most, length(now[i].x - setup.positions[i]));
        return most;
    }
    double speed() const {
        double most = 0;
        for (const Motion& m : now) most = std::max(most, length(m.v));
        return most;
    }
    void watch() {
        boxes->read(now);
        for (const Motion& m : now) finite = finite && std::isfinite(m.x.x + m.x.y + m.x.z);
        lowest = std::min(lowest, lowestCorner(now));
        if (fellAfter < 0 && !(drift() <= 0.25 * BoxSetup::edge))
            fellAfter = double(micros.size()) * frameTime;
        if (2 * micros.size() > std::size_t(frames)) contacts += boxes->contacts();
    }
    void fillIn(bool stack) {
        fillTimes(row, micros);
        row.hash = boxes->hash();
        row.quality = {{"frames", double(frames)}};
        if (stack) {
            row.quality.emplace_back("stands", double(fellAfter < 0));
            if (fellAfter >= 0) row.quality.emplace_back("fellAfter", fellAfter);
            row.quality.emplace_back("driftMm", 1e3 * drift());
        }
        row.quality.emplace_back("nonFinite", double(!finite));
        row.quality.emplace_back("deepestMm", -1e3 * lowest);
        row.quality.emplace_back("speedEnd", speed());
        row.quality.emplace_back("contactsMean", contacts / (frames - frames / 2));
        for (const auto& count : boxes->counts()) row.quality.push_back(count);
    }
};

std::vector<std::unique_ptr<Entry>> entriesOf(const BoxSetup& setup, const Options& options, bool stack) {
    const int frames = scaled(options, stack ? 3600 : 2400, stack ? 120 : 60);
    std::vector<std::unique_ptr<Entry>> all;
    const auto add = [&](Row row, std::unique_ptr<Boxes> boxes, int count) {
        if (boxes) all.push_back(std::make_unique<Entry>(std::move(row), setup, std::move(boxes), count));
    };
    std::vector<Tuning> tunings;
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        for (const int substeps : {4, 8})
            tunings.push_back({backend, Solver::Chain, substeps, 1, std::max(1, options.threads)});
    }
    for (const Tuning& tuning : tunings) {
        Row row = capstanRow(name, tuning);
        row.variant = std::to_string(tuning.substeps) + " substeps";
        add(std::move(row), makeCapstanBoxes(setup, tuning), frames);
    }
    add(plainRow(name, "bullet", "10 iterations"), makeBulletBoxes(setup), frames);
    // Few frames in the pile, because one takes MuJoCo milliseconds.
    add(plainRow(name, "mujoco", "1 substep"), makeMujocoBoxes(setup),
        stack ? frames : scaled(options, 1200, 60));
    return all;
}

void addRatios(std::vector<std::unique_ptr<Entry>>& entries) {
    double base = 0;
    for (const auto& e : entries)
        if (e->row.engine == "bullet") base = e->row.usMedian;
    if (base == 0) return;
    for (const auto& e : entries) e->row.quality.emplace_back("vsBullet", e->row.usMedian / base);
}

} // namespace

std::vector<Row> runW7(const Options& options) {
    Yardstick yardstick(name, options);
    std::vector<Row> rows;
    for (const bool stack : {true, false}) {
        const BoxSetup setup{stack ? stackOfBoxes(10) : pileOfBoxes(100)};
        const std::string what = stack ? "stack of 10" : "pile of 100";
        std::vector<std::unique_ptr<Entry>> entries = entriesOf(setup, options, stack);
        std::vector<Turn> turns;
        if (stack) turns.push_back(yardstick.turn());
        for (const auto& e : entries)
            turns.push_back(
                {e->row.engine, e->frames, &e->micros, [&e] { e->boxes->frame(); }, [&e] { e->watch(); }});
        Options part = options;
        if (options.progress)
            part.progress = [&](const char* text, double done) {
                options.progress(text, 0.5 * (done + (stack ? 0 : 1)));
            };
        takeTurns(turns, part, std::string(name) + " " + what);
        for (const auto& e : entries) e->fillIn(stack);
        addRatios(entries);
        for (const auto& e : entries) {
            e->row.variant = what + ": " + e->row.variant;
            rows.push_back(std::move(e->row));
        }
    }
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
