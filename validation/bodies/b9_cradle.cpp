// SPDX-License-Identifier: MIT
// B9: Newton's cradle without gravity: equal balls on a line, of which the first ones strike the others. Two balls that
// meet at the speeds a and b leave with
//     a' = (a + b - e (a - b)) / 2,    b' = (a + b + e (a - b)) / 2
// In a line the impacts follow each other pair by pair. With e = 1 as many balls leave as have struck.
#include <validation/bodies/rigid.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::validation {

namespace {

constexpr double kRadius = 0.05, kSpeed = 1; // m, m/s

struct Line {
    int balls = 3, strike = 1;
    double gap = 0, restitution = 1; // m
};

struct Outcome {
    std::vector<double> speed;
    double momentum = 0, gained = 0; // relative: error of the momentum, most energy above what went in
};

Outcome run(const Line& line, int substeps) {
    World world({.gravity = {0, 0, 0}, .substeps = substeps});
    std::vector<BodyId> ids;
    for (int i = 0; i < line.balls; ++i) {
        BodyDef ball;
        ball.shape = Sphere{static_cast<float>(kRadius)};
        ball.mass = 1;
        ball.material.restitution = static_cast<float>(line.restitution);
        ball.position = at(i * (2 * kRadius + line.gap) - (i < line.strike ? 0.2 : 0), 0);
        if (i < line.strike) ball.velocity = at(kSpeed, 0);
        ids.push_back(world.add(ball));
    }
    const double went = line.strike * 0.5 * kSpeed * kSpeed;
    Outcome out;
    for (int i = 0; i < 120; ++i) {
        world.step(kFrame);
        out.gained = worse(out.gained, world.energy().kinetic / went - 1);
    }
    for (const BodyId id : ids) out.speed.push_back(static_cast<double>(world.velocity(id).x));
    for (double v : out.speed) out.momentum += v / (line.strike * kSpeed);
    out.momentum = std::abs(out.momentum - 1);
    return out;
}

void addLine(Sheet& sheet, const Line& line) {
    std::vector<double> speed, gap;
    for (int i = 0; i < line.balls; ++i) speed.push_back(i < line.strike ? kSpeed : 0);
    for (int i = 0; i + 1 < line.balls; ++i) gap.push_back(line.gap + (i + 1 == line.strike ? 0.2 : 0));
    const std::vector<double> law = lineOfBalls(speed, gap, line.restitution);
    double off = 0, momentum = 0, gained = 0;
    for (int substeps : {1, 4, 16}) {
        const Outcome got = run(line, substeps);
        for (int i = 0; i < line.balls; ++i) off = worse(off, std::abs(got.speed[i] - law[i]) / kSpeed);
        momentum = worse(momentum, got.momentum);
        gained = worse(gained, got.gained);
    }
    char what[100];
    std::snprintf(what, sizeof what,
                  "%d balls, %d strike, %g mm apart, e = %g, 1 to 16 substeps: ", line.balls, line.strike,
                  1000 * line.gap, line.restitution);
    sheet.add(atMost("B9", what + std::string("worst speed / the one that strikes"), off, 0.02, 0));
    sheet.add(atMost("B9", what + std::string("momentum, share"), momentum, 1e-6, 0));
    sheet.add(atMost("B9", what + std::string("energy gained, share"), gained, 1e-6, 0));
}

constexpr double kString = 0.6, kLift = 0.35; // m, below the beam; rad

// Each ball hangs on two strings. The first ones are lifted and let go. Returns the speeds after the impacts over that of
// the balls that strike, sqrt(2 g l (1 - cos a)).
std::vector<double> swing(const Line& line, int substeps) {
    World world({.substeps = substeps});
    std::vector<BodyId> ids;
    for (int i = 0; i < line.balls; ++i) {
        const double x = i * (2 * kRadius + line.gap), a = i < line.strike ? kLift : 0;
        BodyDef ball;
        ball.shape = Sphere{static_cast<float>(kRadius)};
        ball.mass = 1;
        ball.material = {.friction = 0, .restitution = static_cast<float>(line.restitution)};
        ball.position = at(x - kString * std::sin(a), -kString * std::cos(a));
        ids.push_back(world.add(ball));
        for (double z : {-0.3, 0.3}) {
            RopeDef string{.from = at(x, 0, z), .to = ball.position, .segments = 4, .radius = 0.001f};
            string.mass = 0.002f;
            string.filter.mask = 0;
            const RopeId rope = world.add(string);
            world.pin({rope, first}, string.from);
            world.attach({rope, last}, {ids.back(), {0, 0, 0}}).value();
        }
    }
    const double speed = std::sqrt(2 * kGravity * kString * (1 - std::cos(kLift)));
    for (int i = 0; i < 60; ++i) {
        world.step(kFrame);
        bool over = static_cast<double>(world.velocity(ids.back()).x) > 0.3 * speed;
        for (std::size_t k = 0; over && k + 1 < ids.size(); ++k)
            over =
                static_cast<double>(world.velocity(ids[k]).x - world.velocity(ids[k + 1]).x) < 0.02 * speed;
        if (over) break;
    }
    std::vector<double> out;
    for (const BodyId id : ids) out.push_back(static_cast<double>(world.velocity(id).x) / speed);
    return out;
}

void addStrings(Sheet& sheet, const Line& line, int substeps) {
    std::vector<double> speed, gap;
    for (int i = 0; i < line.balls; ++i) speed.push_back(i < line.strike ? 1 : 0);
    for (int i = 0; i + 1 < line.balls; ++i) gap.push_back(line.gap + (i + 1 == line.strike ? 0.2 : 0));
    const std::vector<double> law = lineOfBalls(speed, gap, line.restitution), got = swing(line, substeps);
    double off = 0, energy = 0;
    for (int i = 0; i < line.balls; ++i) {
        off = worse(off, std::abs(got[i] - law[i]));
        energy += got[i] * got[i] / line.strike;
    }
    char what[120];
    std::snprintf(what, sizeof what,
                  "%d balls on strings, %d strike, %g mm apart, e = %g, %d substeps: ", line.balls,
                  line.strike, 1000 * line.gap, line.restitution, substeps);
    sheet.add(atMost("B9", what + std::string("worst speed / the one that strikes"), off, 0.05, 0));
    sheet.add(atMost("B9", what + std::string("energy gained, share"), energy - 1, 1e-6, 0));
}

} // namespace

std::vector<double> lineOfBalls(std::vector<double> speed, std::vector<double> gap, double restitution) {
    constexpr double kTouches = 1e-12; // m
    for (;;) {
        std::size_t next = gap.size();
        double soonest = 0, fastest = 0;
        for (std::size_t k = 0; k < gap.size(); ++k) {
            const double approach = speed[k] - speed[k + 1];
            if (!(approach > 1e-12)) continue;
            const double time = gap[k] > kTouches ? gap[k] / approach : 0;
            if (next < gap.size() && (time > soonest || (time == soonest && approach <= fastest))) continue;
            next = k;
            soonest = time;
            fastest = approach;
        }
        if (next == gap.size()) return speed;
        for (std::size_t k = 0; k < gap.size(); ++k) gap[k] -= soonest * (speed[k] - speed[k + 1]);
        gap[next] = 0;
        const double mean = 0.5 * (speed[next] + speed[next + 1]), half = 0.5 * restitution * fastest;
        speed[next] = mean - half;
        speed[next + 1] = mean + half;
    }
}

std::vector<Row> runCradle(const Options& options) {
    Sheet sheet("B9", options, 1);
    double done = 0;
    for (double e : {1.0, 0.9})
        for (int balls : {3, 5, 7})
            for (int strike = 1; strike <= 3 && strike < balls; ++strike) {
                if (options.progress) options.progress("cradles", done++ / 16);
                for (double gap : {0.0, 0.001}) {
                    addLine(sheet, {balls, strike, gap, e});
                    for (int substeps : {1, 4, 16}) addStrings(sheet, {balls, strike, gap, e}, substeps);
                }
            }
    return sheet.take();
}

} // namespace capstan::validation
