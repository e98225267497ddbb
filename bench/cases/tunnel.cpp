// SPDX-License-Identifier: MIT
// Tunnel: one rope moves down across another at 1 to 200 m/s, which is up to 3.3 m in one frame. Either its ends are
// pinned, moved and stopped at once, or it is thrown and free.
//
// `passes` counts the segment pairs of all seeds that passed through each other (worlds/passes.hpp). If all
// ends are pinned, `through` counts the seeds whose linking number says that the rope ended on the other side. Motion
// between frames cannot mislead the linking number. A thrown rope has free ends and whips around within a frame. A
// straight line from frame to frame may then cross the other rope although the thrown one went around it. So its
// count is called apparent. For thrown ropes, passes are also counted in some seeds with steps of 1/3840 s and a
// check after each step. That is another simulation and not a closer check of the first one. The closer check, after
// every move of the step bound, was made once and found no pass (docs/benchmarks.md).
#include <bench/cases.hpp>
#include <bench/setups/contact_setups.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace capstan::bench {

namespace {

constexpr const char* name = "tunnel";

struct Outcome {
    int seeds = 0, frames = 0, passes = 0, through = 0, nonFinite = 0, truncated = 0;
    double peakStretch = 0, substeps = 0; // substeps: mean of each seed, summed over the seeds
    std::vector<double> micros;
    Quality counts; // counters of the last seed
    std::uint64_t hash = 0;
};

void runSeed(Outcome& sum, const Collision& scene, Impact impact, ContactRopes& ropes) {
    using Clock = std::chrono::steady_clock;
    Watcher watcher(scene.setup, ropes);
    const double start = crossingOf(watcher.now(), scene.along);
    for (int f = 0; f < scene.frames; ++f) {
        ropes.aim((f + 1) * frameTime);
        const auto begin = Clock::now();
        ropes.frame();
        const auto end = Clock::now();
        sum.micros.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
        watcher.see(ropes);
    }
    ++sum.seeds;
    sum.frames += scene.frames;
    sum.passes += watcher.passed();
    sum.nonFinite += !watcher.finite();
    sum.peakStretch = std::max(sum.peakStretch, watcher.peakStretch());
    if (impact != Impact::Thrown && watcher.finite())
        sum.through += std::fabs(crossingOf(watcher.now(), scene.along) - start) > 0.5;
    sum.counts = ropes.counts();
    sum.hash = sum.hash * 1099511628211u ^ ropes.hash(); // one hash for all seeds
}

Row rowOf(Row row, Impact impact, const Outcome& sum) {
    fillTimes(row, sum.micros);
    row.hash = sum.hash;
    row.quality = {{"seeds", double(sum.seeds)},
                   {impact == Impact::Thrown ? "apparent" : "passes", double(sum.passes)}};
    if (impact != Impact::Thrown) row.quality.emplace_back("through", double(sum.through));
    row.quality.emplace_back("peakStretch", sum.peakStretch);
    row.quality.emplace_back("nonFinite", double(sum.nonFinite));
    if (row.engine == "capstan") {
        row.quality.emplace_back("truncated", double(sum.truncated));
        row.quality.emplace_back("meanSubsteps", sum.substeps / sum.seeds);
    } else {
        for (const auto& count : sum.counts) row.quality.push_back(count);
    }
    const double total = std::accumulate(sum.micros.begin(), sum.micros.end(), 0.0);
    row.quality.emplace_back("usMean", total / double(sum.micros.size()));
    row.quality.emplace_back("usWorst", *std::max_element(sum.micros.begin(), sum.micros.end()));
    return row;
}

// Counts the passes of one thrown rope, with 64 checks in each frame, until well after the impact.
int finePasses(const Collision& scene, double speed, const Tuning& tuning) {
    const int parts = 64, steps = int(std::min(1.0, 0.5 / speed + 0.4) / frameTime) * parts;
    Tuning once = tuning;
    once.substeps = 1;
    CapstanContact ropes(scene.setup, once);
    Watcher watcher(scene.setup, ropes);
    for (int i = 0; i < steps; ++i) {
        ropes.world().step(float(frameTime / parts));
        watcher.see(ropes);
    }
    return watcher.passed();
}

struct Scene {
    Impact impact;
    double speed;
    std::string what; // "dragged 10 m/s"
};

std::vector<Scene> scenesOf() {
    const std::pair<Impact, const char*> impacts[] = {
        {Impact::Dragged, "dragged"}, {Impact::Slack, "slack"}, {Impact::Thrown, "thrown"}};
    std::vector<Scene> scenes;
    for (const auto& [impact, text] : impacts)
        for (const int speed : {1, 10, 50, 200})
            scenes.push_back(
                {impact, double(speed), std::string(text) + " " + std::to_string(speed) + " m/s"});
    return scenes;
}

Row runCapstan(const Scene& scene, const Options& options, const std::function<void(double)>& tell) {
    const Backend backend = asked(options, Backend::Simd) ? Backend::Simd : Backend::Scalar;
    const Tuning tuning = {backend, Solver::Chain, 8, 1, std::max(1, options.threads)};
    const int seeds = scaled(options, 100, 2);
    Outcome sum;
    for (int seed = 0; seed < seeds; ++seed) {
        tell(double(seed) / seeds);
        const Collision c = collision(scene.impact, scene.speed, seed);
        CapstanContact ropes(c.setup, tuning);
        runSeed(sum, c, scene.impact, ropes);
        sum.truncated += ropes.truncated();
        sum.substeps += ropes.meanSubsteps();
        // Ropes that the engine quarantined, so that their positions stay finite.
        sum.nonFinite += ropes.report().quarantined;
    }
    Row row = rowOf(capstanRow(name, tuning), scene.impact, sum);
    row.variant = scene.what + ": " + row.variant;
    if (scene.impact == Impact::Thrown) {
        const int fineSeeds = scaled(options, 10, 1);
        int passed = 0;
        for (int seed = 0; seed < fineSeeds; ++seed)
            passed += finePasses(collision(scene.impact, scene.speed, seed), scene.speed, tuning);
        row.quality.insert(row.quality.begin() + 1,
                           {{"passes", double(passed)}, {"fineSeeds", double(fineSeeds)}});
    }
    return row;
}

void addPeer(std::vector<Row>& rows, const Scene& scene, const char* engine, const char* variant,
             std::unique_ptr<ContactRopes> ropes) {
    if (!ropes) return;
    Outcome sum;
    runSeed(sum, collision(scene.impact, scene.speed, 0), scene.impact, *ropes);
    Row row = rowOf(plainRow(name, engine, scene.what + ": " + variant), scene.impact, sum);
    row.hash = 0;
    rows.push_back(std::move(row));
}

} // namespace

std::vector<Row> runTunnel(const Options& options) {
    Yardstick yardstick(name, options);
    takeTurns({yardstick.turn()}, {}, name);
    std::vector<Row> rows;
    const std::vector<Scene> scenes = scenesOf();
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene& scene = scenes[i];
        rows.push_back(runCapstan(scene, options, [&](double done) {
            if (options.progress)
                options.progress((std::string(name) + " " + scene.what).c_str(),
                                 (double(i) + done) / double(scenes.size()));
        }));
        if (scene.impact != Impact::Dragged) continue;
        const ContactSetup setup = collision(scene.impact, scene.speed, 0).setup;
        addPeer(rows, scene, "bullet", "capsules, 10 iterations", makeBulletCapsules(setup, 1));
        addPeer(rows, scene, "mujoco", "capsules, 1 substep", makeMujocoCapsules(setup, 1));
        addPeer(rows, scene, "mujoco", "capsules, 8 substeps", makeMujocoCapsules(setup, 8));
    }
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
