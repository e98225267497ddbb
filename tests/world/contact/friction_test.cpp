// SPDX-License-Identifier: MIT
// Tests of Coulomb friction of ropes. On a slope a rope sticks while tan(slope) < mu; on steeper slopes it slides
// with g (sin - mu cos). On a pole it holds while T1 / T0 < e^(mu theta), the capstan equation (Euler 1769, Eytelwein
// 1808).
#include "contact_ropes.hpp"

namespace capstan {
namespace {

// Returns a tilted gravity, down and along +x, in place of a tilted ground.
Vec3 slope(double tangent) {
    const double a = std::atan(tangent);
    return narrow(Vec3d{kG * std::sin(a), -kG * std::cos(a), 0});
}

struct OnSlope {
    World w;
    RopeId rope;
    OnSlope(double tangent, bool across, float friction = 0.4f, float sticking = 0) {
        WorldDef def;
        w = World(def);
        BodyDef ground = floorAt(0, friction);
        ground.material.staticFriction = sticking;
        w.add(ground);
        RopeDef d = across ? straight({0, 0.01f, -0.5f}, {0, 0.01f, 0.5f}, 25)
                           : straight({-0.5f, 0.01f, 0}, {0.5f, 0.01f, 0}, 25);
        d.material.friction = friction;
        d.material.staticFriction = sticking;
        rope = w.add(d);
        for (int i = 0; i < 45; ++i) { // the rope comes to rest before gravity is tilted slowly
            if (i > 15) def.gravity = slope(tangent * (i - 15) / 29);
            w.configure(def);
            w.step(kFrame);
        }
    }
    double speed() const { return momentum(w, rope).x / massOf(w, rope); }
    double x() const {
        double sum = 0;
        for (const Vec3d p : positions(w, rope)) sum += p.x;
        return sum / double(w.positions(rope).size());
    }
    void run(int frames) {
        for (int i = 0; i < frames; ++i) w.step(kFrame);
    }
};

TEST(TouchFriction, SticksOnASlopeBelowTheFrictionAngle) {
    for (const bool across : {false, true}) {
        OnSlope s(0.9 * 0.4, across);
        s.run(60);
        const double before = s.x();
        s.run(60);
        EXPECT_LT(std::abs(s.x() - before), 2e-5) << (across ? "across" : "along"); // m/s, creep
        EXPECT_LT(std::abs(s.x()), 1e-3);
        for (const Contact& c : s.w.contacts()) EXPECT_FALSE(c.slipping);
    }
}

// Returns the acceleration of a sliding rope.
double acceleration(double tangent, double mu) {
    const double a = std::atan(tangent);
    return kG * (std::sin(a) - mu * std::cos(a));
}

TEST(TouchFriction, SlidesOnASlopeAboveTheFrictionAngle) {
    for (const bool across : {false, true}) {
        OnSlope s(1.5 * 0.4, across);
        const double before = s.speed(), a = acceleration(1.5 * 0.4, 0.4);
        s.run(30);
        EXPECT_NEAR(s.speed() - before, 0.5 * a, 0.05 * 0.5 * a) << (across ? "across" : "along");
        for (const Contact& c : s.w.contacts()) EXPECT_TRUE(c.slipping);
    }
}

// The slopes are far from both limits. Near a limit contacts begin to slip one after the other, and the remaining
// contacts carry more.
TEST(TouchFriction, StickingIsStrongerThanSliding) {
    OnSlope rests(0.4, false, 0.2f, 0.8f), weak(0.4, false, 0.2f), moves(0.4, false, 0.2f, 0.8f),
        steep(1, false, 0.2f, 0.8f);
    for (int k = 0; k < int(moves.w.positions(moves.rope).size()); ++k)
        moves.w.setVelocity({moves.rope, k}, {0.5f, 0, 0});
    for (OnSlope* s : {&weak, &moves, &steep}) {
        const double before = s->speed(), a = acceleration(s == &steep ? 1 : 0.4, 0.2);
        s->run(30);
        EXPECT_NEAR(s->speed() - before, 0.5 * a, 0.05 * 0.5 * a);
    }
    rests.run(30);
    EXPECT_LT(std::abs(rests.speed()), 1e-4);
    EXPECT_LT(std::abs(rests.x()), 1e-3);
}

// The friction of a pair is the square root of the product: 0.8 and 0.2 give 0.4.
TEST(TouchFriction, IsTheRootOfTheProduct) {
    for (const double share : {0.85, 1.2}) {
        WorldDef def;
        def.gravity = slope(share * 0.4);
        World w(def);
        w.add(floorAt(0, 0.8f));
        RopeDef d = straight({-0.5f, 0.01f, 0}, {0.5f, 0.01f, 0}, 25);
        d.material.friction = 0.2f;
        const RopeId rope = w.add(d);
        for (int i = 0; i < 60; ++i) w.step(kFrame);
        if (share < 1)
            EXPECT_LT(topSpeed(w, rope), 1e-3);
        else
            EXPECT_GT(topSpeed(w, rope), 0.3);
    }
}

// Half a turn around a pole, with end forces of the ratio `share` e^(mu pi). Returns the slip [m] within a second,
// after one second to settle.
double slipOfHalfTurn(double share) {
    WorldDef def = weightless();
    World w(def);
    const float mu = 0.3f;
    w.add(poleAlongZ({0, 0, 0}, 0.1f, 1, mu));
    RopeDef d = over(0, 0.1f, 0.4f, 0.4f, 100, 0.005f);
    d.material.friction = mu;
    const RopeId rope = w.add(d);
    const double weak = 10, strong = weak * std::exp(widen(mu) * std::numbers::pi) * share;
    double before = 0;
    for (int i = 0; i < 120; ++i) {
        const double ramp = std::min(1.0, i / 30.0);
        w.applyForce({rope, first}, narrow(Vec3d{0, -ramp * weak, 0}));
        w.applyForce({rope, last}, narrow(Vec3d{0, -ramp * strong, 0}));
        w.step(kFrame);
        if (i == 59) before = widen(at(w, rope, last).y);
        if (at(w, rope, first).y > 0) return 1; // the rope has slipped over the top
    }
    EXPECT_LT(w.report().maxStretch, 0.01);
    return before - widen(at(w, rope, last).y);
}

TEST(TouchFriction, CapstanHoldsBelowAndSlipsAboveEulersRatio) {
    EXPECT_LT(std::abs(slipOfHalfTurn(0.9)), 2e-5);
    EXPECT_GT(slipOfHalfTurn(1.1), 0.05);
}

// Two turns with mu 0.8: 10 N hold 208 kN. A force that is negligible at one end moves the other end. (A former
// version crept by 17 mm/s.)
TEST(TouchFriction, TwoTurnsHoldTwentyThousandTimesThePull) {
    const double mu = 0.8, turns = 2 * std::numbers::pi, R = 0.105, rise = 0.012 / (2 * std::numbers::pi);
    World w(weightless());
    w.add(poleAlongZ({0, 0, 0}, 0.1f, 0.4f, narrow(mu)));
    RopeDef d;
    d.segments = 0;
    d.radius = 0.005f;
    d.material.friction = narrow(mu);
    d.damping = 5;
    const int pieces = 72;
    const double step = 2 * turns / pieces, r = R / std::cos(step / 2) * 1.0005;
    auto on = [&](double a) { return Vec3d{r * std::cos(a), r * std::sin(a), rise * a}; };
    auto along = [&](double a) { return normalize(Vec3d{-R * std::sin(a), R * std::cos(a), rise}); };
    const double piece = length(on(step) - on(0));
    for (int k = 4; k > 0; --k) d.points.push_back(narrow(on(-turns) - (k * piece) * along(-turns)));
    for (int k = 0; k <= pieces; ++k) d.points.push_back(narrow(on(step * k - turns)));
    for (int k = 1; k <= 4; ++k) d.points.push_back(narrow(on(turns) + (k * piece) * along(turns)));
    const RopeId rope = w.add(d);
    const double weak = 10, strong = 0.9 * weak * std::exp(mu * 2 * turns * R / std::hypot(R, rise));
    auto run = [&](int frames, double from, double to) {
        for (int i = 1; i <= frames; ++i) {
            const double pull = from + (to - from) * i / frames;
            w.applyForce({rope, first}, narrow(-std::min(pull, weak) * along(-turns)));
            w.applyForce({rope, last}, narrow(pull * along(turns)));
            w.step(kFrame);
        }
        return dot(widen(at(w, rope, last)), along(turns));
    };
    run(30, 0, weak);
    run(30, weak, weak);
    run(60, weak, strong);
    {
        RopeDef changed = w.def(rope);
        changed.damping = 0;
        EXPECT_TRUE(w.update(rope, changed));
    }
    const double before = run(30, strong, strong);
    EXPECT_LT(std::abs(run(30, strong, strong) - before), 1e-4);
    EXPECT_LT(topSpeed(w, rope), 1e-3);
}

// A heavy load hangs on a light rope over a pole, and the other end is pinned.
TEST(TouchFriction, AHeavyLoadOverAPoleComesToRest) {
    World w;
    w.add(poleAlongZ({0, 2, 0}, 0.1f, 1, 0.2f));
    RopeDef d = over(2, 0.1f, 0.5f, 0.5f, 60, 0.005f);
    d.mass = 0.1f;
    d.material.friction = 0.2f;
    d.pins = {first};
    d.loads = {{last, 50}};
    const RopeId rope = w.add(d);
    for (int i = 0; i < 240; ++i) w.step(kFrame);
    const auto tension = w.tensions(rope);
    EXPECT_NEAR(tension.back(), 50 * kG, 0.01 * 50 * kG);
    const double ratio = tension.back() / tension.front();
    EXPECT_LT(ratio, 1.02 * std::exp(0.2 * std::numbers::pi)); // friction does not exceed its limit
    EXPECT_GT(ratio, 0.98 / std::exp(0.2 * std::numbers::pi));
    EXPECT_LT(topSpeed(w, rope), 0.01);
    EXPECT_LT(w.report().maxStretch, 0.01);
    // The pole carries the tensions of both sides.
    double up = 0;
    for (const Contact& c : w.contacts()) up += widen(c.force * c.normal.y + c.friction.y);
    EXPECT_NEAR(up, tension.back() + tension.front(), 0.02 * 100 * kG);
}

TEST(TouchFriction, NoneMeansNone) {
    OnSlope s(0.2, false, 0);
    const double before = s.speed(), a = acceleration(0.2, 0);
    s.run(30);
    EXPECT_NEAR(s.speed() - before, 0.5 * a, 0.01 * 0.5 * a);
    for (const Contact& c : s.w.contacts()) EXPECT_EQ(length(c.friction), 0);
}

} // namespace
} // namespace capstan
