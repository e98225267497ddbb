// SPDX-License-Identifier: MIT
// Tests of ropes, bodies and joints in contact: drums, pulleys, impacts. Expected values come from mechanics.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

constexpr float kRopeRadius = 0.005f, kDrumRadius = 0.1f;
constexpr double kArm = 0.105; // m, lever arm of a rope on the drum

BodyDef drum(float mass, float friction) {
    BodyDef d = poleAlongZ({0, 0, 0}, kDrumRadius, 0.2f, friction);
    d.type = BodyType::Dynamic;
    d.mass = mass;
    return d;
}

// A motor turns a drum that carries a rope with equal loads. The rope sticks, and moves at omega (R + r).
TEST(TouchMachines, ADrumCarriesTheRope) {
    World w;
    const BodyId wheel = w.add(drum(2, 0.6f));
    JointDef axle = joint(JointType::Motor, BodyRef{}, wheel, {0, 0, 0}, {0, 0, 1});
    axle.turn.speed = 0;
    const JointId motor = w.add(axle);
    RopeDef d = over(0, kDrumRadius, 1, 1, 120, kRopeRadius);
    d.mass = 0.2f;
    d.material.friction = 0.6f;
    d.loads = {{first, 0.2f}, {last, 0.2f}};
    const RopeId rope = w.add(d);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    double angle = 0, high = 0;
    const double omega = 3;
    for (int i = 0; i < 90; ++i) {
        w.setTarget(motor, narrow(omega * std::min(1.0, i / 30.0)));
        w.step(kFrame);
        if (i == 44) {
            angle = w.jointForces(motor).angle;
            high = at(w, rope, last).y;
        }
    }
    const double turned = w.jointForces(motor).angle - angle, lifted = at(w, rope, last).y - high;
    EXPECT_NEAR(turned, 45.0 / 60 * omega, 0.01 * turned);
    EXPECT_NEAR(lifted, turned * kArm, 0.01 * turned * kArm);
    EXPECT_LT(w.report().maxStretch, 0.01);
}

// Atwood's machine: a = (m1 - m2) g / (m1 + m2 + m + I / (R + r)^2), for the loads m1 and m2. The
// rope has the mass m and the radius r. The wheel has the radius R, the mass M and the inertia I = M R^2 / 2.
TEST(TouchMachines, AtwoodsPulley) {
    World w;
    const BodyId wheel = w.add(drum(1, 0.8f));
    w.add(joint(JointType::Hinge, BodyRef{}, wheel, {0, 0, 0}, {0, 0, 1}));
    RopeDef d = over(0, kDrumRadius, 0.6f, 0.6f, 100, kRopeRadius);
    d.mass = 0.05f;
    d.material.friction = 0.8f;
    d.loads = {{first, 0.8f}, {last, 1}};
    const RopeId rope = w.add(d);
    const double I = 0.5 * 1 * 0.1 * 0.1, moved = 0.8 + 1 + 0.05 + I / (kArm * kArm), a = 0.2 * kG / moved;
    double v0 = 0, y0 = 0;
    for (int i = 0; i < 36; ++i) {
        w.step(kFrame);
        // From this frame on the rope is taut.
        if (i == 5) {
            v0 = -w.velocities(rope).back().y;
            y0 = at(w, rope, last).y;
        }
    }
    const double t = 30.0 / 60, v1 = -w.velocities(rope).back().y, fallen = y0 - at(w, rope, last).y;
    EXPECT_NEAR((v1 - v0) / t, a, 0.03 * a);
    EXPECT_NEAR(fallen, 0.5 * (v0 + v1) * t, 0.02 * fallen);
    // The rope does not slip. Seen from +z the right side moves down, so the wheel rotates clockwise.
    EXPECT_NEAR(-w.angularVelocity(wheel).z * kArm, v1, 0.02 * v1);
    const double down = 1 * (kG - a), up = 0.8 * (kG + a); // forces of the two loads on the rope
    EXPECT_NEAR(w.tensions(rope).back(), down, 0.03 * down);
    EXPECT_NEAR(w.tensions(rope).front(), up, 0.03 * up);
}

TEST(TouchMachines, AKinematicBoxLiftsAnother) {
    World w;
    const BodyId lift = w.add(ofType(BodyType::Kinematic, box({0, 0.1f, 0}, 1, {1, 0.2f, 1})));
    const BodyId crate = w.add(box({0.1f, 0.3f, 0.1f}, 3));
    const RopeId rope = w.add(straight({-0.3f, 0.21f, -0.3f}, {0.3f, 0.21f, -0.3f}, 20));
    for (int i = 1; i <= 60; ++i) {
        w.moveTo(lift, {{0.005f * float(i), 0.1f + 0.01f * float(i), 0}});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.9, 2e-3);
    EXPECT_NEAR(w.centerOfMass(crate).x, 0.4, 0.01); // friction carries the crate along
    EXPECT_NEAR(w.velocity(crate).y, 0.6, 0.02);
    EXPECT_LT(length(w.angularVelocity(crate)), 0.02f);
    for (const Vec3d x : positions(w, rope)) EXPECT_NEAR(x.y, 0.81, 2e-3);
    EXPECT_NEAR(at(w, rope, first).x, 0, 0.02);
}

// A rope hits a free box. The box gains the momentum that the rope loses.
TEST(TouchMachines, ImpactOfARopeKeepsMomentum) {
    for (const float speed : {2.0f, 10.0f}) {
        World w(weightless());
        const BodyId crate = w.add(box({0.2f, 0, 0}, 0.3f));
        RopeDef d = straight({0, -0.2f, 0}, {0, 0.25f, 0.02f}, 20);
        d.mass = 0.2f;
        d.velocity = {speed, 0, 0};
        const RopeId rope = w.add(d);
        const Vec3d before = momentum(w, rope);
        const double energy = w.energy().total();
        for (int i = 0; i < 40; ++i) {
            w.step(1.0f / 240);
            ASSERT_LT(w.energy().total(), 1.01 * energy) << speed << " m/s, step " << i;
        }
        const Vec3d after = momentum(w, rope) + 0.3 * widen(w.velocity(crate));
        EXPECT_GT(w.velocity(crate).x, 0.1f * speed); // the rope hit the crate
        EXPECT_LT(length(after - before), 0.05 * length(before)) << speed;
    }
}

// The same without friction, where the island takes BDF2: neither momentum nor energy comes from nothing.
TEST(TouchMachines, ImpactOfASlipperyRopeKeepsMomentum) {
    for (const float speed : {0.5f, 2.0f, 10.0f}) {
        World w(weightless());
        BodyDef block = box({0.2f, 0, 0}, 0.3f);
        block.material.friction = 0;
        const BodyId crate = w.add(block);
        RopeDef d = straight({0, -0.2f, 0}, {0, 0.25f, 0.02f}, 20);
        d.mass = 0.2f;
        d.velocity = {speed, 0, 0};
        d.material.friction = 0;
        const RopeId rope = w.add(d);
        const Vec3d before = momentum(w, rope);
        const double energy = w.energy().total();
        for (int i = 0; i < 160; ++i) {
            w.step(1.0f / 240);
            ASSERT_LT(w.energy().total(), 1.01 * energy) << speed << " m/s, step " << i;
        }
        const Vec3d after = momentum(w, rope) + 0.3 * widen(w.velocity(crate));
        EXPECT_GT(w.velocity(crate).x, 0.1f * speed); // the rope hit the crate
        EXPECT_LT(length(after - before), 0.05 * length(before)) << speed;
    }
}

// A rope without friction swings against a peg. A snapshot in mid-swing goes on bit for bit: the history is part of it.
TEST(TouchMachines, ASwingAgainstAPegResumesFromASnapshot) {
    World w;
    BodyDef peg = ofType(BodyType::Static, box({-0.05f, -0.5f, 0}, 1));
    peg.shape = Sphere{0.045f};
    peg.material.friction = 0;
    w.add(peg);
    RopeDef d = straight({0, 0, 0}, {0.5f, -0.85f, 0}, 40);
    d.radius = 0.005f;
    d.mass = 0.01f;
    d.material.friction = 0;
    d.pins = {first};
    d.loads = {{last, 1}};
    w.add(d);
    for (int i = 0; i < 37; ++i) w.step(kFrame);
    const auto kept = w.snapshot();
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    const auto hash = w.hash();
    w.restore(kept);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_EQ(w.hash(), hash);
}

// Two free ropes collide crosswise.
TEST(TouchMachines, ImpactOfTwoRopesKeepsMomentum) {
    World w(weightless());
    RopeDef a = straight({-0.05f, -0.2f, 0}, {-0.05f, 0.2f, 0}, 20),
            b = straight({0, 0, -0.2f}, {0, 0, 0.25f}, 20);
    a.mass = 0.2f;
    b.mass = 0.1f;
    a.velocity = {3, 0, 0};
    const RopeId one = w.add(a), two = w.add(b);
    for (int i = 0; i < 60; ++i) w.step(1.0f / 240);
    const Vec3d after = momentum(w, one) + momentum(w, two);
    EXPECT_GT(momentum(w, two).x, 0.05);
    EXPECT_LT(length(after - Vec3d{0.6, 0, 0}), 0.05 * 0.6);
}

// A drag joint pulls a crate across the floor. Its force equals the friction mu m g.
TEST(TouchMachines, ADraggedCrateSlides) {
    World w;
    w.add(floorAt(0, 0.4f));
    BodyDef d = box({0, 0.1f, 0}, 2);
    d.material.friction = 0.4f;
    const BodyId crate = w.add(d);
    JointDef pull = joint(JointType::Drag, BodyRef{}, crate, {0, 0.1f, 0});
    pull.distance.compliance = 1e-3f;
    pull.distance.damping = 20;
    const JointId hand = w.add(pull);
    double force = 0;
    for (int i = 1; i <= 120; ++i) {
        w.setTarget(hand, {0.005f * float(i), 0.1f, 0});
        w.step(kFrame);
        if (i > 90) force += w.jointForces(hand).force.x / 30;
    }
    EXPECT_NEAR(force, 0.4 * 2 * kG, 0.05 * 0.4 * 2 * kG);
    EXPECT_NEAR(w.velocity(crate).x, 0.3, 0.03);
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.1, 2e-3);
}

TEST(TouchMachines, ABoxOnARopeComesToRest) {
    World w;
    w.add(floorAt());
    const RopeId rope = w.add(straight({-0.3f, 0.01f, 0}, {0.3f, 0.01f, 0}, 20)); // the rope has 0.2 kg
    w.add(box({0, 0.125f, 0}, 1));
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    EXPECT_LT(topSpeed(w), 5e-3);
    double up = 0;
    for (const Contact& c : w.contacts())
        if (!(c.a.as<RopeId>() && (c.b.as<BodyId>() && w.def(c.b.as<BodyId>()).type == BodyType::Dynamic)) &&
            !(c.b.as<RopeId>() && (c.a.as<BodyId>() && w.def(c.a.as<BodyId>()).type == BodyType::Dynamic)))
            up += std::abs(c.force * c.normal.y); // upward force of the floor
    const double weight = (1 + massOf(w, rope)) * kG;
    EXPECT_NEAR(up, weight, 0.02 * weight);
}

// Two boxes on a hinge stand on the floor like a letter A. Friction holds their feet, and the floor carries their
// weight.
TEST(TouchMachines, AMechanismOnTheFloorPressesWithItsWeight) {
    World w;
    const BodyId ground = w.add(floorAt(0, 1));
    BodyDef leg = box({0, 0, 0}, 1, {0.04f, 0.4f, 0.2f});
    leg.material.friction = 1;
    const float lean = 0.3f;
    BodyId legs[2];
    for (const int side : {0, 1}) {
        const float s = side ? 1.0f : -1.0f;
        leg.rotation = exp(Vec3{0, 0, s * lean});
        leg.position = {s * 0.2f * std::sin(lean), 0.2f * std::cos(lean) + 0.02f * std::sin(lean), 0};
        legs[side] = w.add(leg);
    }
    w.add(joint(JointType::Hinge, legs[0], legs[1], {0, 0.4f * std::cos(lean) + 0.02f * std::sin(lean), 0},
                {0, 0, 1}));
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    double up = 0;
    for (const Contact& c : w.contacts())
        if (c.a.as<BodyId>() == ground || c.b.as<BodyId>() == ground) up += std::abs(c.force * c.normal.y);
    EXPECT_NEAR(up, 2 * kG, 0.02 * 2 * kG);
    EXPECT_LT(topSpeed(w), 5e-3);
    EXPECT_LT(w.report().maxGap, 1e-3);
}

} // namespace
} // namespace capstan
