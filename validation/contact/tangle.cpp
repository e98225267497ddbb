// SPDX-License-Identifier: MIT
// tangle: measurements of tangles, and plans that untangle leashes.
//
//   hooks    two ropes are hooked into each other, and each end is pulled with T. Each rope bends by the angle pi, so
// the            normal forces sum up to the integral of T d theta = pi T. Segments are as long as the rope is thick,
// so the
//            tolerance is 25 %.
//   slip     a rope hangs over a taut rope and is pulled harder on one side. It slips when the ratio of its tensions
//            reaches e^(mu theta) (Euler, Eytelwein), where theta is the measured angle and mu the friction
// coefficient.
//   plans    dogs have tangled their leashes, and walking the plan untangles them. At the end the braid of the motion
//            and the braid of the leashes are trivial, and no leash is tangled. Otherwise the plan must report that
// it
//            is stuck.
#include <capstan/leash/walk.hpp>
#include <validation/contact/contact.hpp>
#include <validation/harness/suite.hpp>
#include <worlds/leashes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr const char* kCase = "tangle";
constexpr double kPi = std::numbers::pi;

void hooks(Sheet& sheet) {
    constexpr float pull = 10;
    World world({.gravity = {0, 0, 0}, .substeps = kContactSubsteps});
    RopeDef def;
    def.radius = 0.005f;
    def.segments = 60;
    def.mass = 0.05f;
    def.damping = 3;
    def.points = {{0.02f, 0.3f, 0}, {0.02f, -0.011f, 0}, {-0.02f, -0.011f, 0}, {-0.02f, 0.3f, 0}};
    const RopeId up = world.add(def);
    def.points = {{0, -0.3f, 0.02f}, {0, 0.011f, 0.02f}, {0, 0.011f, -0.02f}, {0, -0.3f, -0.02f}};
    const RopeId down = world.add(def);
    Tangles tangles;
    for (int i = 0; i < frames(2); ++i) {
        for (int end : {first, last}) {
            world.applyForce({up, end}, {0, pull, 0});
            world.applyForce({down, end}, {0, -pull, 0});
        }
        world.step(kFrame);
        tangles.update(world, kFrame);
    }
    sheet.add(atMost(kCase, "hooked ropes: number of tangles minus one", std::abs(tangles.count() - 1), 0));
    if (tangles.count() != 1) return;
    const Tangle& t = tangles.all()[0];
    sheet.add(relative(kCase, "hooked ropes: wrap angle", kPi, static_cast<double>(t.wrapAngle), 0.02));
    sheet.add(relative(kCase, "hooked ropes: tension, N", 10, static_cast<double>(t.tension), 0.01));
    sheet.add(relative(kCase, "hooked ropes: normal forces / tension", kPi,
                       static_cast<double>(t.force / t.tension), 0.25));
    sheet.add(atMost(kCase, "hooked ropes: ratio of tensions - 1, both ends drawn alike",
                     static_cast<double>(t.ratio) - 1, 0.01));
}

// One end of the rope is pulled down with 5 N. The force on the other end grows from 5 N by 1 N/s until the rope
// slips.
void slip(Sheet& sheet, double mu) {
    World world({.gravity = {0, 0, 0}, .substeps = kContactSubsteps});
    RopeDef def;
    def.material.friction = static_cast<float>(mu);
    def.radius = 0.02f;
    def.segments = 10;
    def.from = {0, 0, -0.3f};
    def.to = {0, 0, 0.3f};
    def.pins = {first, last};
    def.stretchStiffness = 1e6f; // so that the rope that hangs on it does not stretch it
    world.add(def);
    RopeDef over;
    over.material.friction = static_cast<float>(mu);
    over.radius = 0.005f;
    over.segments = 200;
    over.mass = 0.02f;
    over.damping = 2;
    const double R = 0.02505;
    over.points.push_back(at(-R, -0.4));
    for (int k = 0; k <= 24; ++k)
        over.points.push_back(at(-R * std::cos(kPi * k / 24), R * std::sin(kPi * k / 24)));
    over.points.push_back(at(R, -0.4));
    const RopeId rope = world.add(over);
    Tangles tangles;
    double bound = 0, most = 0, settled = 0;
    bool slipped = false;
    for (int i = 0; i < frames(15 * mu / 0.3) && !slipped; ++i) {
        const double more = 5 + std::max(0.0, i * static_cast<double>(kFrame) - 1);
        world.applyForce({rope, first}, at(0, -5));
        world.applyForce({rope, last}, at(0, -more));
        world.step(kFrame);
        tangles.update(world, kFrame);
        const double low = static_cast<double>(world.positions(rope).back().y);
        if (i <= frames(1)) settled = low;
        slipped = settled - low > 0.005;
        if (tangles.all().empty() || slipped) continue;
        const Tangle& t = tangles.all()[0];
        bound = static_cast<double>(t.bound);
        most = std::max(most, static_cast<double>(t.ratio));
    }
    const std::string what = "a rope over a rope, mu " + std::to_string(mu).substr(0, 3) + ": ";
    sheet.add(relative(kCase, what + "capstan bound of the tangle", capstanRatio(mu, kPi), bound, 0.02));
    sheet.add(
        relative(kCase, what + "ratio of tensions at which it slips", capstanRatio(mu, kPi), most, 0.05));
    sheet.add(atMost(kCase, what + "no slip until the end", slipped ? 0 : 1, 0));
}

struct Outcome {
    bool tangled = false; // true: the braid had at least one letter when the plan began
    bool stuck = false;
    bool wrong = false; // true: the plan reports success, but the leashes are still tangled
    int moves = 0;
};

Outcome untangled(int seed, float walkFor) {
    World world({.substeps = 1}); // as in scenes/tangle/
    LeashWalk walk = LeashWalk::start(world, mixedDogs(3, seed)).value();
    using State = LeashWalk::State;
    // The dogs walk for `walkFor` seconds, and then at most until the braid has a letter.
    for (int i = 0; i < frames(60) && (walk.time() < static_cast<double>(walkFor) || walk.word().empty());
         ++i)
        walk.step(world, kFrame);
    Outcome out;
    out.tangled = !walk.word().empty();
    if (!walk.untangle()) return {out.tangled, true, false, 0};
    for (int i = 0; i < frames(200) && walk.state() == State::Untangling; ++i) walk.step(world, kFrame);
    out.stuck = walk.state() != State::Untangled;
    out.wrong =
        !out.stuck && (!walk.word().empty() || !walk.reading().readable || !walk.reading().word.empty() ||
                       walk.tangles().count() > 0 || walk.disagreements() > 0);
    out.moves = walk.movesDone();
    return out;
}

} // namespace

std::vector<Row> runTangle(const Options& options) {
    Sheet sheet(kCase, options, 1);
    const auto tell = [&](double part) {
        if (options.progress) options.progress("tangles", part);
    };
    hooks(sheet);
    tell(0.1);
    slip(sheet, 0.2);
    slip(sheet, 0.3);
    tell(0.2);
    const int seeds = options.seeds > 0 ? options.seeds : options.full ? 1000 : 2;
    int tangled = 0, stuck = 0, wrong = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const Outcome one = untangled(seed, options.full ? 20 : 8);
        tangled += one.tangled;
        stuck += one.stuck;
        wrong += one.wrong;
        tell(0.2 + 0.79 * seed / seeds);
    }
    const std::string of = " of " + std::to_string(seeds);
    sheet.add(atMost(kCase, "three dogs: never tangled" + of, seeds - tangled, 0));
    sheet.add(atMost(kCase, "three dogs untangled by plan: wrongly said to be" + of, wrong, 0));
    sheet.add(atMost(kCase, "three dogs untangled by plan: stuck" + of, stuck, seeds / 100));
    return sheet.take();
}

} // namespace capstan::validation
