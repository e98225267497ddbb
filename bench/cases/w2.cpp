// SPDX-License-Identifier: MIT
// W2: three ropes of 20 nodes lead from one fixed end to three ends that move around it. They cross, rub and tangle.
// All frames are timed, and 600 are checked for passes. In a full run Capstan simulates ten minutes, and all of its
// frames are checked.
#include <bench/cases.hpp>
#include <bench/setups/contact_setups.hpp>

#include <algorithm>

namespace capstan::bench {

namespace {

constexpr const char* name = "W2";

struct Entry {
    Row row;
    int frames, watched;
    std::unique_ptr<ContactRopes> ropes;
    Watcher watcher;
    std::vector<double> micros;

    Entry(Row r, int f, int w, const ContactSetup& setup, std::unique_ptr<ContactRopes> made)
        : row(std::move(r)), frames(f), watched(w), ropes(std::move(made)), watcher(setup, *ropes) {
        ropes->aim(frameTime);
    }
    void watch() {
        watcher.see(*ropes, static_cast<int>(micros.size()) <= watched);
        ropes->aim(double(micros.size() + 1) * frameTime);
    }
    void fillIn() {
        fillTimes(row, micros);
        row.hash = ropes->hash();
        row.quality = {{"frames", double(frames)},           {"watched", double(std::min(frames, watched))},
                       {"passes", double(watcher.passed())}, {"peakStretch", watcher.peakStretch()},
                       {"closest", watcher.closest()},       {"nonFinite", double(!watcher.finite())}};
        for (const auto& count : ropes->counts()) row.quality.push_back(count);
    }
};

std::vector<std::unique_ptr<Entry>> entriesOf(const ContactSetup& setup, const Options& options) {
    // `few` for engines whose frames take milliseconds.
    const int frames = scaled(options, 3600, 60), few = scaled(options, 600, 20);
    const int ours = options.full ? 36000 : frames, watched = options.full ? ours : 600;
    std::vector<std::unique_ptr<Entry>> all;
    const auto add = [&](Row row, int count, std::unique_ptr<ContactRopes> ropes) {
        const int seen = row.engine == "capstan" ? watched : 600;
        if (ropes)
            all.push_back(std::make_unique<Entry>(std::move(row), count, seen, setup, std::move(ropes)));
    };
    add(plainRow(name, "textbook", "no contact: gaussSeidel, 5 iterations"), frames,
        makeTextbookContact(setup, 5));
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        for (const int substeps : {2, 4, 8}) {
            const Tuning tuning = {backend, Solver::Chain, substeps, 1, std::max(1, options.threads)};
            add(capstanRow(name, tuning), ours, std::make_unique<CapstanContact>(setup, tuning));
        }
    }
    add(plainRow(name, "bullet", "capsules, 10 iterations"), frames, makeBulletCapsules(setup, 1));
    add(plainRow(name, "mujoco", "capsules, 1 substep"), few, makeMujocoCapsules(setup, 1));
    add(plainRow(name, "mujoco", "capsules, 8 substeps"), few, makeMujocoCapsules(setup, 8));
    return all;
}

} // namespace

std::vector<Row> runW2(const Options& options) {
    const ContactSetup setup = threeRopes();
    const auto entries = entriesOf(setup, options);
    Yardstick yardstick(name, options);
    std::vector<Turn> turns = {yardstick.turn()};
    for (const auto& e : entries)
        turns.push_back(
            {e->row.engine, e->frames, &e->micros, [&e] { e->ropes->frame(); }, [&e] { e->watch(); }});
    takeTurns(turns, options, name);
    std::vector<Row> rows;
    for (const auto& e : entries) {
        e->fillIn();
        rows.push_back(std::move(e->row));
    }
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
