// SPDX-License-Identifier: MIT
// Mechanisms: a test of robustness, not of speed. Chains of W5 have loads of up to 10^4 links, and ball joints or
// hinges. They get one of three disturbances, with many random seeds, for ten seconds each:
//   kicks  every half second, each body's velocity changes by 10 m/s in a random direction
//   shake  the root swings along a random line at up to 12 m/s for five seconds, then stops at once
//   spin   each link starts rotating at 300 rad/s in a random sense: about its own length, or about its hinge
// A full run uses chains of 100 links, a shorter run chains of 20. `long` is the chain of W5 with 1000 kg, for ten
// minutes and without disturbance.
//   shut        fraction of the chains whose joints were never more than 0.1 mm open at the end of a frame
//   gapMm       largest gap of all joints
//   nonFinite   number of chains with a number that is not finite, and of bodies that were quarantined
//   energyRise  largest rise of a chain's energy over its value at the end of the last disturbed frame (spin, long:
//               at the start), divided by the sum of m g x
#include <bench/cases.hpp>
#include <bench/peers/capstan_chains.hpp>
#include <bench/setups/race.hpp>
#include <worlds/dice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::bench {

namespace {

enum class Trouble { Kicks, Shake, Spin, None };
constexpr int chunk = 20; // chains in one world

// Plan holds the random values of one seed.
struct Plan {
    Vec3d shakeAxis;
    double shakeOmega; // rad/s
    Dice dice;

    explicit Plan(std::uint64_t seed) : dice(seed) {
        shakeAxis = dice.direction();
        shakeOmega = 2 * std::numbers::pi * dice.between(1, 10);
    }
};

// Returns whether a disturbance acts at the beginning of this frame. A shaken root stops at the end of frame 300.
bool troubled(Trouble trouble, int frame) {
    switch (trouble) {
    case Trouble::Kicks:
        return frame % 30 == 0;
    case Trouble::Shake:
        return frame <= 300;
    case Trouble::Spin:
        return frame == 0;
    case Trouble::None:
        return false;
    }
    return false;
}

void disturb(CapstanChains& chains, const ChainSetup& setup, int chain, Trouble trouble, int frame,
             Plan& plan) {
    if (trouble == Trouble::Shake) {
        const double t = std::min(frame + 1, 300) * frameTime, reach = 12 / plan.shakeOmega;
        const Vec3d at = setup.rootOf(chain) + (reach * std::sin(plan.shakeOmega * t)) * plan.shakeAxis;
        chains.moveRoot(chain, narrow(at));
    } else if (trouble == Trouble::Kicks) {
        for (int i = 0; i < setup.bodies(); ++i) chains.kick(chain, i, narrow(10.0 * plan.dice.direction()));
    } else if (trouble == Trouble::Spin) {
        const Vec3 axis = setup.link == Link::Ball ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
        for (int i = 0; i < setup.links; ++i)
            chains.spin(chain, i, (plan.dice.between(-1, 1) < 0 ? -300.0f : 300.0f) * axis);
    }
}

struct Fate { // measurements of one chain
    bool finite = true;
    double gap = 0, energyBase = 0, energyRise = 0;

    void see(const ChainSetup& setup, const ChainState& state, bool newBase) {
        const double open = gapOf(setup, state), energy = energyOf(setup, state);
        finite = finite && std::isfinite(open) && std::isfinite(energy);
        if (!finite) return;
        gap = std::max(gap, open);
        if (newBase) energyBase = energy;
        energyRise = std::max(energyRise, energy - energyBase);
    }
};

struct Outcome {
    int seeds = 0, nonFinite = 0, shut = 0, heldStill = 0;
    double gap = 0, energyRise = 0;

    void add(const Fate& fate, double available) {
        ++seeds;
        nonFinite += !fate.finite;
        shut += fate.finite && fate.gap <= 1e-4;
        gap = std::max(gap, fate.finite ? fate.gap : std::numeric_limits<double>::infinity());
        energyRise = std::max(energyRise, fate.energyRise / available);
    }
};

void runChunk(Outcome& sum, const ChainSetup& setup, const ChainTuning& tuning, Trouble trouble, int frames,
              const std::function<void(double)>& tell) {
    CapstanChains chains(setup, tuning, trouble == Trouble::Shake ? Root::Moved : Root::Still);
    std::vector<Plan> plans;
    for (int c = 0; c < setup.chains; ++c) plans.emplace_back(std::uint64_t(sum.seeds + c));
    std::vector<Fate> fates(static_cast<std::size_t>(setup.chains));
    ChainState state;
    const auto seeAll = [&](bool newBase) {
        for (int c = 0; c < setup.chains; ++c) {
            chains.read(c, state);
            fates[c].see(setup, state, newBase);
        }
    };
    for (int frame = 0; frame < frames; ++frame) {
        const bool now = troubled(trouble, frame);
        for (int c = 0; now && c < setup.chains; ++c) disturb(chains, setup, c, trouble, frame, plans[c]);
        if (frame == 0) seeAll(true); // the energy of the initial rotation or the first kicks is included
        chains.frame();
        seeAll(now && trouble != Trouble::Spin);
        if (frame % 60 == 0) tell(double(frame) / frames);
    }
    for (const Fate& fate : fates) sum.add(fate, setup.drop());
    sum.nonFinite += chains.quarantined();
    sum.heldStill += chains.heldStill();
}

Row runScene(const Options& options, ChainSetup setup, Trouble trouble, int seeds, int frames,
             const std::string& what, const std::function<void(double)>& tell) {
    const Backend backend = asked(options, Backend::Simd) ? Backend::Simd : Backend::Scalar;
    const ChainTuning tuning = {backend, JointSolver::Tree, 4, options.threads > 0 ? options.threads : 1};
    Row row = capstanRow("mechanisms", tuning);
    row.variant = what + ": " + row.variant;
    Outcome sum;
    while (sum.seeds < seeds) {
        const int begin = sum.seeds;
        setup.chains = std::min(chunk, seeds - begin);
        runChunk(sum, setup, tuning, trouble, frames,
                 [&](double done) { tell((begin + setup.chains * done) / seeds); });
    }
    row.quality = {{"seeds", double(sum.seeds)},
                   {"frames", double(frames)},
                   {"nonFinite", double(sum.nonFinite)},
                   {"shut", double(sum.shut) / sum.seeds},
                   {"gapMm", 1e3 * sum.gap},
                   {"energyRise", sum.energyRise},
                   {"heldStill", double(sum.heldStill)}};
    return row;
}

} // namespace

std::vector<Row> runMechanisms(const Options& options) {
    const std::pair<Trouble, const char*> troubles[] = {{Trouble::Kicks, "kicks"},
                                                        {Trouble::Shake, "shake"},
                                                        {Trouble::Spin, "spin"},
                                                        {Trouble::None, "long"}};
    std::vector<Row> rows;
    int scene = 0;
    for (const auto& [trouble, name] : troubles) {
        for (const Link link : {Link::Ball, Link::Hinge}) {
            for (const int load : {0, 100, 1000}) {
                const bool calm = trouble == Trouble::None;
                if (calm && load < 1000) continue;
                ChainSetup setup;
                setup.link = link;
                setup.links = calm || options.effort >= 1 ? 100 : 20;
                setup.load = load;
                const std::string what = std::string(name) + (link == Link::Ball ? " ball " : " hinge ") +
                                         std::to_string(load) + " kg";
                const int seeds = calm ? 1 : scaled(options, 100, 4);
                const int frames = calm ? scaled(options, 36000, 600) : 600;
                rows.push_back(runScene(options, setup, trouble, seeds, frames, what, [&](double done) {
                    if (options.progress)
                        options.progress(("mechanisms " + what).c_str(), (scene + done) / 20);
                }));
                ++scene;
            }
        }
    }
    return rows;
}

} // namespace capstan::bench
