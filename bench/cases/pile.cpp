// SPDX-License-Identifier: MIT
// Pile: 10 to 1000 ropes of 20 segments fall in a heap on a plane and are timed at rest. `exponent` is the slope of
// log(time) over log(number of ropes), by least squares over all sizes of one backend. An exponent of 1 means that
// the time is proportional to the number of ropes. The row of the largest size has the exponent. If a frame takes
// more than a second, larger sizes are skipped.
#include <bench/cases.hpp>
#include <bench/setups/contact_setups.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace capstan::bench {

namespace {

constexpr const char* name = "pile";

struct Heap {
    int count;
    Row row;
    CapstanContact ropes;
    Watcher watcher;
    int frames;
    std::vector<double> micros;
    double contacts = 0; // contacts, summed over the timed frames

    Heap(int n, const ContactSetup& setup, const Tuning& tuning, int f)
        : count(n), row(capstanRow(name, tuning)), ropes(setup, tuning), watcher(setup, ropes), frames(f) {
        row.variant = std::to_string(n) + " ropes: " + row.variant;
    }
    void settle(int before) {
        for (int i = 0; i < before; ++i) {
            ropes.frame();
            watcher.see(ropes, false);
        }
    }
    void watch() {
        watcher.see(ropes, false);
        contacts += ropes.report().contacts;
    }
    double lowest() const { // returns the height of the lowest point of the ropes' surfaces [m]
        double least = 1e30;
        for (const Line& line : watcher.now())
            for (const Vec3d x : line) least = std::min(least, x.y - 0.005);
        return least;
    }
    void fillIn() {
        fillTimes(row, micros);
        row.hash = ropes.hash();
        const double mean = contacts / frames;
        row.quality = {{"frames", double(frames)},
                       {"peakStretch", watcher.peakStretch()},
                       {"nonFinite", double(!watcher.finite())},
                       {"lowestMm", 1e3 * lowest()},
                       {"contactsMean", mean},
                       {"usPerRope", row.usMedian / count}};
        if (mean > 0) row.quality.emplace_back("usPerContact", row.usMedian / mean);
        for (const auto& entry : ropes.counts()) row.quality.push_back(entry);
    }
};

// Returns the slope of log y over log x, by least squares.
double exponentOf(const std::vector<std::pair<double, double>>& points) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [px, py] : points) {
        const double x = std::log(px), y = std::log(py);
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::vector<int> sizesOf(const Options& options) {
    if (options.effort < 0.1) return {10, 30};
    if (options.effort < 1) return {10, 30, 100};
    return {10, 30, 100, 300, 1000};
}

} // namespace

std::vector<Row> runPile(const Options& options) {
    Yardstick yardstick(name, options);
    takeTurns({yardstick.turn()}, {}, name);
    std::vector<Row> rows;
    const std::vector<int> sizes = sizesOf(options);
    // Of each backend: number of ropes and time.
    std::map<std::string, std::vector<std::pair<double, double>>> growth;
    double slowest = 0;
    for (std::size_t i = 0; i < sizes.size() && slowest < 1e6; ++i) {
        const ContactSetup setup = heap(sizes[i]);
        std::vector<std::unique_ptr<Heap>> heaps;
        std::vector<Turn> turns;
        for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
            if (!asked(options, backend)) continue;
            const Tuning tuning = {backend, Solver::Chain, 8, 1, std::max(1, options.threads)};
            heaps.push_back(std::make_unique<Heap>(sizes[i], setup, tuning, scaled(options, 60, 5)));
        }
        for (const auto& h : heaps) {
            if (options.progress) options.progress(h->row.variant.c_str(), double(i) / double(sizes.size()));
            h->settle(scaled(options, 180, 30));
            turns.push_back(
                {h->row.variant, h->frames, &h->micros, [&h] { h->ropes.frame(); }, [&h] { h->watch(); }});
        }
        takeTurns(turns, {}, name);
        for (const auto& h : heaps) {
            h->fillIn();
            growth[h->row.backend].emplace_back(sizes[i], h->row.usMedian);
            slowest = std::max(slowest, h->row.usMedian);
            rows.push_back(std::move(h->row));
        }
    }
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        const auto found = growth.find(row->backend);
        if (found == growth.end()) continue;
        row->quality.emplace_back("exponent", exponentOf(found->second));
        growth.erase(found);
    }
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
