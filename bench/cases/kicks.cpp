// SPDX-License-Identifier: MIT
// Kicks: a test of robustness, not of speed. Ropes of W1 with loads of 1 to 10^4 times their own weight get one of
// three disturbances, with many random seeds each:
//   shake  the pin swings along a random line at up to 12 m/s for a second, then stops at once
//   kicks  four times within a second, each node's velocity changes by 10 m/s in a random direction
//   slack  the rope starts folded, with the load beside the pin; the load falls and pulls the rope taut
// Then the ropes run without disturbance and are measured:
//   nonFinite         number of ropes with a number that is not finite
//   worstStretchLate  largest stretch later than 0.2 s after the last disturbance (slack: after the start, including
//                     the moment when the rope becomes taut)
//   energyRise        largest rise of a rope's energy over its value at the end of the last disturbed frame, divided
//                     by (rope + load) g L
//   energyBounded     fraction of the ropes whose energyRise is at most 0.1 %
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>
#include <worlds/dice.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace capstan::bench {

namespace {

enum class Trouble { Shake, Kicks, Slack };
constexpr int chunk = 100; // ropes in one world

// Plan holds the random values of one seed.
struct Plan {
    Vec3d pin, along; // the rope starts straight, from the pin in the direction `along`
    // Slack: the node where the rope turns aside; from the next node it leads back to the pin.
    int fold;
    Vec3d aside;
    Vec3d shakeAxis;
    double shakeOmega; // rad/s
    Dice kicks;

    Plan(std::uint64_t seed, int rope, int nodes) : pin{0, 10, 0.2 * rope}, kicks(~seed) {
        Dice dice(seed);
        along = dice.direction();
        along.y = -std::fabs(along.y);
        fold = int(dice.between(0.35, 0.65) * nodes);
        aside = normalize(cross(along, dice.direction()), Vec3d{1, 0, 0});
        shakeAxis = dice.direction();
        shakeOmega = 2 * std::numbers::pi * dice.between(1, 10);
    }
    Vec3d position(Trouble trouble, int node, double spacing) const {
        if (trouble != Trouble::Slack || node <= fold) return pin + (spacing * node) * along;
        return pin + (spacing * (2 * fold + 1 - node)) * along + spacing * aside;
    }
};

// Returns the last disturbed frame. For a shaken pin it is the frame in which the pin stops.
int lastFrameOf(Trouble trouble) {
    return trouble == Trouble::Shake ? 60 : trouble == Trouble::Kicks ? 45 : -1;
}

template <class R> void disturb(R& ropes, Trouble trouble, int frame, std::vector<Plan>& plans, int nodes) {
    if (frame > lastFrameOf(trouble)) return;
    for (int r = 0; r < int(plans.size()); ++r) {
        Plan& plan = plans[r];
        if (trouble == Trouble::Shake) {
            const double t = std::min(frame + 1, 60) * frameTime, reach = 12 / plan.shakeOmega;
            const Vec3d at = plan.pin + (reach * std::sin(plan.shakeOmega * t)) * plan.shakeAxis;
            ropes.movePin(r, narrow(at));
        } else if (frame % 15 == 0) {
            for (int i = 1; i < nodes; ++i) ropes.kick(r, i, narrow(10.0 * plan.kicks.direction()));
        }
    }
}

struct Outcome {
    int seeds = 0, nonFinite = 0, bounded = 0, heldStill = 0;
    double worstStretchLate = 0, energyRise = 0;
};

// Measurements of one rope.
struct Fate {
    bool finite = true;
    double stretchLate = 0, energyBase = 0, energyHighest = 0;

    template <class R>
    void see(const R& ropes, int rope, int frame, int last, const Setup& setup, std::vector<Vec3d>& scratch) {
        const double stretch = stretchOf(ropes, rope, setup, scratch);
        if (!std::isfinite(stretch)) finite = false;
        if ((frame - last) * frameTime > 0.2) stretchLate = std::max(stretchLate, stretch);
        if (frame < last) return;
        const double energy = ropes.energy(rope);
        if (frame == last) energyBase = energyHighest = energy;
        energyHighest = std::max(energyHighest, energy);
    }
};

template <class Make>
void runChunk(Outcome& sum, Trouble trouble, double load, std::uint64_t seed, int count, Make&& make) {
    Setup setup = horizontal(count, 100, load);
    std::vector<Plan> plans;
    for (int r = 0; r < count; ++r) plans.emplace_back(seed + std::uint64_t(r), r, setup.nodes);
    setup.position = [&](int rope, int node) { return plans[rope].position(trouble, node, setup.spacing); };
    auto ropes = make(setup);
    std::vector<Fate> fates(static_cast<std::size_t>(count));
    std::vector<Vec3d> scratch;
    const int last = lastFrameOf(trouble), frames = std::max(last + 90, 150);
    const auto seeAll = [&](int frame) {
        for (int r = 0; r < count; ++r) fates[r].see(ropes, r, frame, last, setup, scratch);
    };
    seeAll(-1);
    for (int frame = 0; frame < frames; ++frame) {
        disturb(ropes, trouble, frame, plans, setup.nodes);
        ropes.frame();
        seeAll(frame);
    }
    const double available = (setup.nodeMass * (setup.nodes - 2) + load) * gravity * setup.length();
    for (const Fate& fate : fates) {
        const double rise = (fate.energyHighest - fate.energyBase) / available;
        sum.nonFinite += !fate.finite;
        sum.bounded += fate.finite && rise <= 1e-3;
        sum.worstStretchLate = std::max(sum.worstStretchLate, fate.stretchLate);
        sum.energyRise = std::max(sum.energyRise, rise);
    }
    sum.seeds += count;
    if constexpr (std::is_same_v<decltype(ropes), CapstanRopes>) {
        // Ropes that the engine quarantined, so that their positions stay finite.
        sum.nonFinite += ropes.quarantined();
        sum.heldStill += ropes.heldStill();
    }
}

void fillQuality(Row& row, const Outcome& o) {
    row.quality = {{"seeds", double(o.seeds)},
                   {"nonFinite", double(o.nonFinite)},
                   {"worstStretchLate", o.worstStretchLate},
                   {"energyRise", o.energyRise},
                   {"energyBounded", double(o.bounded) / o.seeds}};
    if (row.engine == "capstan") row.quality.emplace_back("heldStill", double(o.heldStill));
}

template <class Tell, class Make>
Outcome runSeeds(Trouble trouble, double load, int seeds, Tell&& tell, Make&& make) {
    Outcome sum;
    while (sum.seeds < seeds) {
        tell(double(sum.seeds) / seeds);
        runChunk(sum, trouble, load, std::uint64_t(sum.seeds), std::min(chunk, seeds - sum.seeds), make);
    }
    return sum;
}

} // namespace

// Adds the rows of one disturbance at one load. `tell` gets the progress in [0, 1].
static void addRows(std::vector<Row>& rows, const Options& options, Trouble trouble, double load,
                    const std::string& what, const std::function<void(double)>& tell) {
    const double share = 0.9; // of the progress: Capstan runs many more seeds than the other engines
    const Backend backend = asked(options, Backend::Simd) ? Backend::Simd : Backend::Scalar;
    if (asked(options, backend)) {
        const Tuning tuning = {backend, Solver::Chain, 4, 1, options.threads > 0 ? options.threads : 1};
        Row row = capstanRow("kicks", tuning);
        row.variant = what + ": " + row.variant;
        const auto outcome = runSeeds(
            trouble, load, scaled(options, 1000, 16), [&](double done) { tell(share * done); },
            [&](const Setup& setup) { return CapstanRopes(setup, tuning); });
        fillQuality(row, outcome);
        rows.push_back(std::move(row));
    }
    Row row = plainRow("kicks", "textbook", what + ": gaussSeidel, 5 iterations");
    const auto outcome = runSeeds(
        trouble, load, scaled(options, 100, 16), [&](double done) { tell(share + (1 - share) * done); },
        [](const Setup& setup) { return TextbookRopes(setup, 5); });
    fillQuality(row, outcome);
    rows.push_back(std::move(row));
}

std::vector<Row> runKicks(const Options& options) {
    const std::pair<Trouble, const char*> troubles[] = {
        {Trouble::Shake, "shake"}, {Trouble::Kicks, "kicks"}, {Trouble::Slack, "slack"}};
    std::vector<Row> rows;
    int scene = 0;
    for (const auto& [trouble, name] : troubles) {
        for (const int ratio : {1, 10, 100, 1000, 10000}) { // kg of load; the rope has 1 kg
            const std::string what = std::string(name) + " 1:" + std::to_string(ratio);
            addRows(rows, options, trouble, ratio, what, [&](double done) {
                if (options.progress) options.progress(("kicks " + what).c_str(), (scene + done) / 15);
            });
            ++scene;
        }
    }
    return rows;
}

} // namespace capstan::bench
