// SPDX-License-Identifier: MIT
// W5: a chain of 100 links of 0.1 m and 0.1 kg is released level with its root. It has ball joints or parallel hinges.
// It runs without load, and with a load of 100, 1000 or 10^4 link masses behind the last link.
//
// energyRise and energyLost10s are divided by the potential energy that gravity can release, the sum of m g x.
// vsMultiBody is the time divided by that of Bullet's multi-body, which runs the same chain with one step per frame.
#include <bench/cases.hpp>
#include <bench/setups/chain_race.hpp>

namespace capstan::bench {

namespace {

constexpr const char* name = "W5";
constexpr const char* yardstick = "multi-body, 1 substep";

ChainEntrant capstanChain(const ChainSetup& setup, int frames, const ChainTuning& tuning) {
    ChainEntrant e;
    e.row = capstanRow(name, tuning);
    e.setup = setup;
    e.frames = frames;
    e.make = [setup, tuning] { return std::make_unique<CapstanChains>(setup, tuning); };
    return e;
}

using Make = std::unique_ptr<Chains> (*)(const ChainSetup& setup, int substeps);

ChainEntrant peerChain(const ChainSetup& setup, int frames, const char* engine, const char* variant,
                       Make make, int substeps) {
    ChainEntrant e;
    e.row = plainRow(name, engine, variant);
    e.setup = setup;
    e.frames = frames;
    e.make = [setup, make, substeps] { return make(setup, substeps); };
    return e;
}

std::vector<ChainEntrant> entrantsOf(const ChainSetup& setup, const Options& options, bool allPeers) {
    const int frames = scaled(options, 2400, 60);
    const int threads = options.threads > 0 ? options.threads : 1;
    std::vector<ChainEntrant> entrants;
    entrants.push_back(peerChain(setup, frames, "bullet", yardstick, makeBulletMultiBody, 1));
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        for (const int substeps : {2, 4})
            entrants.push_back(capstanChain(setup, frames, {backend, JointSolver::Tree, substeps, threads}));
        entrants.push_back(capstanChain(setup, frames, {backend, JointSolver::Xpbd, 20, threads}));
    }
    if (!allPeers) return entrants;
    entrants.push_back(peerChain(setup, frames, "bullet", "multi-body, 4 substeps", makeBulletMultiBody, 4));
    entrants.push_back(peerChain(setup, frames, "bullet", "joints, 4 substeps", makeBulletJoints, 4));
    // Few frames: MuJoCo takes tens of milliseconds per frame with ball joints, and some milliseconds with hinges.
    const int few = setup.link == Link::Ball ? scaled(options, 100, 5) : scaled(options, 600, 5);
    entrants.push_back(peerChain(setup, few, "mujoco", "implicit, 4 substeps", makeMujocoChain, 4));
    return entrants;
}

void addRatios(std::vector<ChainEntrant>& entrants) {
    double base = 0;
    for (const ChainEntrant& e : entrants)
        if (e.row.variant == yardstick) base = e.row.usPerFrame;
    if (base == 0) return;
    for (ChainEntrant& e : entrants) e.row.quality.emplace_back("vsMultiBody", e.row.usPerFrame / base);
}

struct Scene {
    ChainSetup setup;
    std::string what; // "ball 10 kg"
    bool allPeers = true;
};

// The heaviest load is a scene of its own, only at full effort, because the other engines fail at much smaller loads.
std::vector<Scene> scenesOf(const Options& options) {
    std::vector<Scene> scenes;
    for (const Link link : {Link::Ball, Link::Hinge}) {
        for (const int load : {0, 10, 100, 1000}) {
            if (load == 1000 && options.effort < 1) continue;
            Scene scene;
            scene.setup.link = link;
            scene.setup.load = load;
            scene.what = link == Link::Ball ? "ball" : "hinge";
            if (load > 0) scene.what += " " + std::to_string(load) + " kg";
            scene.allPeers = load < 1000;
            scenes.push_back(std::move(scene));
        }
    }
    return scenes;
}

} // namespace

std::vector<Row> runW5(const Options& options) {
    std::vector<Row> rows;
    const std::vector<Scene> scenes = scenesOf(options);
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        Options part = options;
        if (options.progress)
            part.progress = [&](const char* text, double done) {
                options.progress(text, (double(i) + done) / double(scenes.size()));
            };
        std::vector<ChainEntrant> entrants = entrantsOf(scenes[i].setup, part, scenes[i].allPeers);
        raceChains(entrants, part, "W5 " + scenes[i].what);
        addRatios(entrants);
        for (ChainEntrant& e : entrants) {
            e.row.variant = scenes[i].what + ": " + e.row.variant;
            rows.push_back(std::move(e.row));
        }
    }
    return rows;
}

} // namespace capstan::bench
