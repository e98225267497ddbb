// SPDX-License-Identifier: MIT
// dogs: dogs of 20 kg walk on leashes of 20 segments and pull. A frame includes contact, tangle detection and the
// braid of the motion. Every tenth of a second it also includes the braid of the leashes. topologyShare is the part
// of the time that tangles and braids take.
#include <bench/cases.hpp>
#include <bench/setups/contact_ropes.hpp>
#include <capstan/leash/walk.hpp>
#include <worlds/leashes.hpp>

#include <algorithm>
#include <chrono>

namespace capstan::bench {

namespace {

constexpr const char* name = "dogs";

class Walk {
public:
    Walk(int dogs, const Tuning& tuning, int frames)
        : row_(capstanRow(name, tuning)), frames_(frames),
          world_({.substeps = tuning.substeps, .backend = tuning.backend, .threads = tuning.threads}),
          walk_(LeashWalk::start(world_, mixedDogs(dogs, 8)).value()) {
        row_.variant = std::to_string(dogs) + " dogs, " + std::to_string(tuning.substeps) +
                       (tuning.substeps == 1 ? " substep" : " substeps");
    }

    Turn turn() {
        return {row_.engine, frames_, &micros_, [this] { frame(); }, [this] { watch(); }};
    }

    Row row() {
        fillTimes(row_, micros_);
        row_.hash = world_.hash();
        const double all = seconds_, share = all > 0 ? watching_ / all : 0;
        row_.quality = {{"frames", double(frames_)},
                        {"topologyShare", share},
                        {"meanUs", 1e6 * all / std::max(frames_, 1)},
                        {"peakLetters", double(walk_.peakComplexity())},
                        {"tangles", double(walk_.tangles().formed())},
                        {"readings", double(walk_.readings())},
                        {"refusals", double(walk_.refusals())},
                        {"disagreements", double(walk_.disagreements())},
                        {"contactsMean", contacts_ / std::max(frames_, 1)},
                        {"peakStretch", stretch_},
                        {"minSeparationRatio", nearest_}};
        return row_;
    }

private:
    using Clock = std::chrono::steady_clock;

    void frame() {
        const Clock::time_point begin = Clock::now();
        walk_.drive(world_, float(frameTime));
        world_.step(float(frameTime));
        const Clock::time_point stepped = Clock::now();
        walk_.look(world_, float(frameTime));
        const Clock::time_point end = Clock::now();
        seconds_ += std::chrono::duration<double>(end - begin).count();
        watching_ += std::chrono::duration<double>(end - stepped).count();
    }
    void watch() {
        const Report& report = world_.report();
        contacts_ += report.contacts;
        stretch_ = std::max(stretch_, double(report.maxStretch));
        nearest_ = std::min(nearest_, double(report.minSeparationRatio));
    }

    Row row_;
    int frames_;
    World world_;
    LeashWalk walk_;
    std::vector<double> micros_;
    double seconds_ = 0, watching_ = 0, contacts_ = 0, stretch_ = 0, nearest_ = 1;
};

} // namespace

std::vector<Row> runDogs(const Options& options) {
    std::vector<std::unique_ptr<Walk>> walks;
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        const int threads = std::max(1, options.threads);
        for (const int substeps : {1, 4}) {
            const Tuning tuning = {backend, Solver::Chain, substeps, 1, threads};
            walks.push_back(std::make_unique<Walk>(3, tuning, scaled(options, 1800, 60)));
            walks.push_back(std::make_unique<Walk>(10, tuning, scaled(options, 300, 20)));
        }
    }
    Yardstick yardstick(name, options);
    std::vector<Turn> turns = {yardstick.turn()};
    for (const auto& walk : walks) turns.push_back(walk->turn());
    takeTurns(turns, options, name);
    std::vector<Row> rows;
    for (const auto& walk : walks) rows.push_back(walk->row());
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
