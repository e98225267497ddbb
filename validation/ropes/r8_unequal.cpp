// SPDX-License-Identifier: MIT
// R8: a step as long as any other, or not: a pendulum swings alike.
//
//   energy after 60 s = energy with equal steps;   at rest: T = (M + m) g
//
// The rope is that of the benchmark W4: 1 m and 1 kg, released level with its pin, with 100 kg at the end. Energies
// are over M g L. Steps jump between 4 and 33 ms at random, or shrink to a tenth in every other second.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace capstan::validation {

namespace {

constexpr double kLoad = 100, kWeight = 9.81;

enum class Steps { Equal, Random, Slow };

// The length of the step of frame i.
class Clock {
public:
    explicit Clock(Steps steps) : steps_(steps) {}
    float next() {
        const int i = frame_++;
        seed_ = seed_ * 1664525u + 1013904223u;
        if (steps_ == Steps::Random) return static_cast<float>(0.004 + 0.029 * (seed_ >> 8) / 16777216.0);
        return steps_ == Steps::Slow && i / 60 % 2 == 1 ? kFrame / 10 : kFrame;
    }

private:
    Steps steps_;
    int frame_ = 0;
    std::uint32_t seed_ = 12345;
};

enum class Kind { Rope, Body, Bar }; // a loaded rope; a rope tied to a body; a bar on a ball joint

struct Pendulum {
    World world{WorldDef{.contact = false}};
    RopeId rope;

    Pendulum(Kind kind, bool level) {
        auto along = [&](double s) { return level ? at(s, 0) : at(0, -s); };
        RopeDef def;
        def.segments = 100;
        def.to = along(1);
        def.mass = 1;
        def.pins = {first};
        if (kind == Kind::Rope) def.loads = {{last, static_cast<float>(kLoad)}};
        if (kind != Kind::Bar) rope = world.add(def);
        if (kind == Kind::Body) (void)world.attach({rope, last}, {ball(kLoad, along(1)), Vec3{0, 0, 0}});
        if (kind == Kind::Bar) {
            BodyDef bar;
            bar.shape = level ? Box{{2, 0.1f, 0.1f}} : Box{{0.1f, 2, 0.1f}};
            bar.mass = static_cast<float>(kLoad);
            bar.position = along(1);
            JointDef joint;
            joint.body1 = world.add(bar);
            world.add(joint);
        }
    }
    BodyId ball(double mass, Vec3 position) {
        BodyDef def;
        def.shape = Sphere{0.05f};
        def.mass = static_cast<float>(mass);
        def.position = position;
        return world.add(def);
    }
};

// The change of the energy after 60 s.
double swing(Kind kind, Steps steps) {
    Pendulum p(kind, true);
    Clock clock(steps);
    const double start = p.world.energy().total();
    while (p.world.time() < 60) p.world.step(clock.next());
    return (p.world.energy().total() - start) / (kLoad * kWeight);
}

// The largest error of the tension at the pin of a pendulum at rest.
double hang(Kind kind, Steps steps) {
    Pendulum p(kind, false);
    Clock clock(steps);
    const double mass = 1 - 0.5 / 100; // half of the first link hangs on the pin
    double worst = 0;
    while (p.world.time() < 10) {
        p.world.step(clock.next());
        const double pull = static_cast<double>(p.world.tensions(p.rope).front());
        if (p.world.time() > 1) worst = worse(worst, std::abs(pull / ((kLoad + mass) * kWeight) - 1));
    }
    return worst;
}

} // namespace

std::vector<Row> runUnequal(const Options& options) {
    std::vector<Row> rows;
    const char* const names[] = {"rope with a load", "rope tied to a body", "bar on a ball joint"};
    for (const Kind kind : {Kind::Rope, Kind::Body, Kind::Bar}) {
        const std::string what = names[static_cast<int>(kind)];
        if (options.progress) options.progress(what.c_str(), static_cast<int>(kind) / 3.0);
        const double equal = swing(kind, Steps::Equal);
        for (const Steps steps : {Steps::Random, Steps::Slow}) {
            const std::string when =
                steps == Steps::Random ? ", steps of 4 to 33 ms: " : ", slow motion on and off: ";
            rows.push_back(atMost("R8", what + when + "energy after 60 s, difference from equal steps",
                                  std::abs(swing(kind, steps) - equal), 0.01));
            if (kind != Kind::Bar)
                rows.push_back(atMost("R8", what + when + "tension at rest", hang(kind, steps), 0.001));
        }
    }
    if (options.progress) options.progress("R8", 1);
    return rows;
}

} // namespace capstan::validation
