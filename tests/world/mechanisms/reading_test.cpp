// SPDX-License-Identifier: MIT
// Tests of joint forces and coordinates, breaking and switching of joints, the order of bodies, and moving roots.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// A load of 3 kg that hangs on one joint at the origin.
struct Hung {
    World w{{.contact = false}};
    BodyId b = w.add(box({0, -0.5f, 0}, 3));
    JointId j;

    explicit Hung(JointType type, bool flipped = false) {
        JointDef d = joint(type, {}, b, {0, 0, 0}, {0, 0, 1});
        if (type == JointType::Distance) d.anchor1 = Vec3{0, -0.4f, 0};
        if (type == JointType::Drag) {
            d.anchor = {0, -0.4f, 0};
            d.distance.compliance = 0.001f;
            d.distance.damping = 50;
        }
        if (flipped) {
            std::swap(d.body0, d.body1);
            if (d.anchor1) std::swap(d.anchor, *d.anchor1);
        }
        j = w.add(d);
    }
};

TEST(MechanismReading, EveryJointTellsTheWeightThatHangsOnIt) {
    for (JointType type :
         {JointType::Ball, JointType::Hinge, JointType::Servo, JointType::Motor, JointType::Prismatic,
          JointType::Cylinder, JointType::Fixed, JointType::Distance, JointType::Drag}) {
        for (bool flipped : {false, true}) {
            if (flipped && type == JointType::Drag) continue; // a drag joint has no body0
            Hung h(type, flipped);
            run(h.w, 2);
            const JointForces r = h.w.jointForces(h.j);
            const double up = flipped ? -3 * kG : 3 * kG; // force on body1, which is the world if flipped
            EXPECT_NEAR(r.force.x, 0, 0.01) << int(type);
            EXPECT_NEAR(r.force.y, up, 0.01) << int(type) << flipped;
            EXPECT_NEAR(r.force.z, 0, 0.01) << int(type);
            EXPECT_LT(length(r.torque), 0.01f) << int(type) << flipped;
            EXPECT_LT(r.gap, 1e-4f) << int(type);
            EXPECT_FALSE(r.broken);
        }
    }
}

TEST(MechanismReading, ACantileverBearsTheTorqueOfItsWeight) {
    for (bool flipped : {false, true}) {
        World w({.contact = false});
        const BodyId beam = w.add(box({0.5f, 0, 0}, 2, {1, 0.1f, 0.1f}));
        JointDef d = joint(JointType::Fixed, {}, beam, {0, 0, 0});
        if (flipped) std::swap(d.body0, d.body1);
        const JointId j = w.add(d);
        run(w, 1);
        const double sign = flipped ? -1 : 1;
        EXPECT_NEAR(w.jointForces(j).force.y, sign * 2 * kG, 0.01);
        EXPECT_NEAR(w.jointForces(j).torque.z, sign * 2 * kG * 0.5, 0.01);
        EXPECT_NEAR(w.jointForces(j).torque.x, 0, 0.01);
        EXPECT_NEAR(w.jointForces(j).torque.y, 0, 0.01);
    }
}

TEST(MechanismReading, AnInnerJointBearsWhatHangsBelowIt) {
    World w({.contact = false});
    std::vector<JointId> j;
    BodyId above = {};
    for (int i = 0; i < 5; ++i) {
        const BodyId b = w.add(box({0, -0.3f * float(i) - 0.15f, 0}, float(i + 1), {0.1f, 0.3f, 0.1f}));
        j.push_back(
            w.add(joint(i % 2 ? JointType::Hinge : JointType::Ball, above, b, {0, -0.3f * float(i), 0})));
        above = b;
    }
    run(w, 1);
    for (int i = 0; i < 5; ++i) {
        double below = 0;
        for (int k = i; k < 5; ++k) below += k + 1;
        EXPECT_NEAR(w.jointForces(j[i]).force.y, below * kG, 1e-3 * below * kG) << i;
    }
}

TEST(MechanismReading, FixedBodiesAreOnePieceUnderLoad) {
    World w({.contact = false});
    const BodyId a = w.add(box({0.5f, 0, 0}, 2, {1, 0.1f, 0.1f})),
                 b = w.add(box({1.25f, 0, 0}, 3, {0.5f, 0.2f, 0.2f}));
    w.add(joint(JointType::Fixed, {}, a, {0, 0, 0}));
    w.add(joint(JointType::Fixed, a, b, {1, 0, 0}));
    std::mt19937 random(4);
    for (int i = 0; i < 120; ++i) {
        w.applyImpulse(b, someVector(random, 10), w.centerOfMass(b) + someVector(random, 0.3f));
        w.step(kFrame);
        EXPECT_LT(length(w.centerOfMass(b) - Vec3{1.25f, 0, 0}), 3e-4f) << i;
        EXPECT_LT(length(log(w.pose(b).rotation)), 1e-3f) << i;
    }
}

// Two boxes in free space that are fixed to each other move as one body. The centre of mass stays at rest. The
// angular velocity about it is L / (I1 + I2 + m1 m2 d^2 / (m1 + m2)), with the distance d of the centres.
TEST(MechanismReading, FixedBodiesTurnAsOne) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId a = w.add(box({0, 0, 0}, 2)), b = w.add(box({1, 0, 0}, 1));
    w.add(joint(JointType::Fixed, a, b, {0.5f, 0, 0}));
    w.applyImpulse(b, {0, 1, 0}); // L about the common centre (1/3, 0, 0) is 2/3
    run(w, 1);
    const double inertia = boxInertia(2, 0.2, 0.2) + boxInertia(1, 0.2, 0.2) + 2.0 / 3;
    EXPECT_NEAR(w.angularVelocity(a).z, (2.0 / 3) / inertia, 2e-3);
    EXPECT_NEAR(w.angularVelocity(b).z, (2.0 / 3) / inertia, 2e-3);
    const Vec3d c = (2.0 * widen(w.centerOfMass(a)) + widen(w.centerOfMass(b))) / 3.0;
    EXPECT_LT(length(c - Vec3d{1.0 / 3, 1.0 / 3, 0}), 1e-5);
}

TEST(MechanismReading, AJointBreaksOnceAndLetsFall) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Fixed, JointType::Distance}) {
        Hung h(type);
        {
            JointDef changed = h.w.def(h.j);
            changed.breakForce = 40;
            EXPECT_TRUE(h.w.update(h.j, changed));
        } // the load has 29.4 N
        run(h.w, 0.5);
        EXPECT_FALSE(h.w.jointForces(h.j).broken);
        int events = 0, frames = 0;
        double speed = 0;
        for (int i = 0; i < 60; ++i) {
            if (i < 3) h.w.applyForce(h.b, {0, -20, 0});
            h.w.step(kFrame);
            for (const Event& e : h.w.events())
                if ((e.kind == Event::Kind::Broke && e.a.kind == ObjectKind::Joint)) {
                    ++events;
                    frames = i;
                    EXPECT_TRUE(e.a.as<JointId>() == h.j);
                    EXPECT_NEAR(e.force, 3 * kG + 20, 0.5);
                    speed = h.w.velocity(h.b).y;
                }
        }
        EXPECT_EQ(events, 1) << int(type);
        EXPECT_EQ(frames, 0);
        EXPECT_TRUE(h.w.jointForces(h.j).broken);
        EXPECT_EQ(h.w.jointForces(h.j).force, (Vec3{0, 0, 0}));
        // Free fall since the break, and 20 N more during two frames.
        EXPECT_NEAR(h.w.velocity(h.b).y, speed - kG * 59 / 60 - 20.0 / 3 * 2 / 60, 1e-3) << int(type);
    }
}

TEST(MechanismReading, AJointBreaksUnderTorque) {
    World w({.contact = false});
    const BodyId beam = w.add(box({0.5f, 0, 0}, 2, {1, 0.1f, 0.1f}));
    JointDef d = joint(JointType::Fixed, {}, beam, {0, 0, 0});
    d.breakTorque = 12; // the joint carries 9.81
    const JointId j = w.add(d);
    run(w, 0.5);
    EXPECT_FALSE(w.jointForces(j).broken);
    w.applyTorque(beam, {0, 0, -4});
    w.step(kFrame);
    EXPECT_TRUE(w.jointForces(j).broken);
}

TEST(MechanismReading, SwitchedOffAJointIsNotThereAndSwitchedOnItComesBack) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Fixed}) {
        Hung h(type);
        run(h.w, 0.1);
        h.w.setEnabled(h.j, false);
        for (int i = 0; i < 12; ++i) h.w.step(kFrame);
        EXPECT_NEAR(h.w.centerOfMass(h.b).y, -0.5 - 0.5 * kG * 0.04, 1e-3);
        EXPECT_EQ(h.w.jointForces(h.j).force, (Vec3{0, 0, 0}));
        h.w.setEnabled(h.j, true);
        run(h.w, 1);
        EXPECT_LT(h.w.jointForces(h.j).gap, 1e-4f) << int(type);
        EXPECT_EQ(h.w.report().quarantined, 0);
    }
}

// Returns the joint with exchanged bodies: values that are measured from body0 to body1 change their sign.
JointDef mirrored(JointDef d) {
    std::swap(d.body0, d.body1);
    if (d.anchor1) std::swap(d.anchor, *d.anchor1);
    auto turn = [](std::optional<float>& min, std::optional<float>& max) {
        std::swap(min, max);
        if (min) min = -*min;
        if (max) max = -*max;
    };
    turn(d.turn.min, d.turn.max);
    turn(d.slide.min, d.slide.max);
    if (d.turn.target) d.turn.target = -*d.turn.target;
    if (d.slide.target) d.slide.target = -*d.slide.target;
    d.turn.speed = -d.turn.speed;
    return d;
}

TEST(MechanismReading, WhichBodyComesFirstDoesNotMatter) {
    using D = JointDef&;
    const std::pair<JointType, void (*)(D)> all[] = {
        {JointType::Ball, [](D) {}},
        {JointType::Ball,
         [](D d) {
             d.swing.max = 0.3f;
             d.turn.min = -0.1f;
             d.turn.max = 0.2f;
         }},
        {JointType::Hinge, [](D) {}},
        {JointType::Hinge,
         [](D d) {
             d.turn.min = -0.1f;
             d.turn.max = 0.3f;
         }},
        {JointType::Hinge,
         [](D d) {
             d.turn.target = 0.4f;
             d.turn.compliance = 0.1f;
             d.turn.damping = 0.1f;
         }},
        {JointType::Servo,
         [](D d) {
             d.turn.target = 0.4f;
             d.turn.maxForce = 3;
         }},
        {JointType::Motor, [](D d) { d.turn.speed = 2; }},
        {JointType::Prismatic,
         [](D d) {
             d.slide.min = -0.05f;
             d.slide.max = 0.1f;
             d.slide.damping = 0.5f;
         }},
        {JointType::Cylinder,
         [](D d) {
             d.slide.target = 0.2f;
             d.slide.maxForce = 20;
         }},
        {JointType::Fixed, [](D) {}},
        {JointType::Distance,
         [](D d) {
             d.anchor1 = Vec3{0.2f, 0.1f, 0};
         }},
    };
    int number = 0;
    for (const auto& [type, change] : all) {
        World w[2] = {World({.contact = false}), World({.contact = false})};
        BodyId b[2];
        JointId j[2];
        for (int k : {0, 1}) {
            b[0] = w[k].add(box({0, -0.3f, 0}, 2, {0.2f, 0.6f, 0.1f}));
            b[1] = w[k].add(box({0.3f, -0.6f, 0}, 1, {0.6f, 0.2f, 0.1f}));
            w[k].add(joint(JointType::Hinge, {}, b[0], {0, 0, 0}, {0, 0, 1}));
            JointDef d = joint(type, b[0], b[1], {0, -0.6f, 0}, {0.1f, 0.2f, 1});
            change(d);
            j[k] = w[k].add(k == 0 ? d : mirrored(d));
            w[k].setAngularVelocity(b[1], {0.3f, 1, -0.5f});
        }
        SCOPED_TRACE(number++);
        for (int i = 0; i < 60; ++i) {
            w[0].step(kFrame);
            w[1].step(kFrame);
            const JointForces r = w[0].jointForces(j[0]), s = w[1].jointForces(j[1]);
            for (BodyId id : b) ASSERT_LT(length(w[0].centerOfMass(id) - w[1].centerOfMass(id)), 1e-6f) << i;
            ASSERT_NEAR(r.angle, -s.angle, 2e-6) << i;
            ASSERT_NEAR(r.distance, type == JointType::Distance ? s.distance : -s.distance, 1e-6) << i;
            ASSERT_LT(length(r.force + s.force), 1e-3f * (1 + length(r.force))) << i;
        }
    }
}

// The pivot moves to and fro as x(t): theta'' = -(g sin theta + x'' cos theta) m l / (I + m l^2), solved by RK4.
TEST(MechanismReading, AMovedRootDragsItsPendulum) {
    World w({.contact = false});
    const BodyId root = w.add(ofType(BodyType::Kinematic, box({0, 0, 0})));
    const BodyId b = w.add(box({0, -0.5f, 0}, 1, {0.1f, 1, 0.1f}));
    const JointId j = w.add(joint(JointType::Hinge, root, b, {0, 0, 0}, {0, 0, 1}));
    const double omega = 5, reach = 0.2, factor = 0.5 / (boxInertia(1, 0.1, 1) + 0.25);
    auto position = [&](double t) { return reach * (1 - std::cos(omega * t)); };
    auto accelerate = [&](double t, double theta) {
        return -factor *
               (kG * std::sin(theta) + reach * omega * omega * std::cos(omega * t) * std::cos(theta));
    };
    double theta = 0, rate = 0;
    for (int i = 0; i < 180; ++i) {
        w.moveTo(root, {{float(position((i + 1) / 60.0)), 0, 0}, Quatf::identity()});
        w.step(kFrame);
        const int parts = 20;
        for (int k = 0; k < parts; ++k) {
            const double h = 1.0 / 60 / parts, t = i / 60.0 + k * h;
            const double a1 = accelerate(t, theta), a2 = accelerate(t + h / 2, theta + h / 2 * rate);
            const double a3 = accelerate(t + h / 2, theta + h / 2 * rate + h * h / 4 * a1);
            const double a4 = accelerate(t + h, theta + h * rate + h * h / 2 * a2);
            theta += h * rate + h * h / 6 * (a1 + a2 + a3);
            rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        EXPECT_NEAR(w.jointForces(j).angle, theta, 0.02) << i;
        EXPECT_LT(w.jointForces(j).gap, 1e-4f);
    }
}

TEST(MechanismReading, ATurnedRootCarriesWhatIsFixedToIt) {
    World w({.contact = false});
    const BodyId root = w.add(ofType(BodyType::Kinematic, box({0, 0, 0})));
    const BodyId b = w.add(box({0.5f, 0, 0}, 1, {1, 0.1f, 0.1f}));
    w.add(joint(JointType::Fixed, root, b, {0, 0, 0}));
    for (int i = 0; i < 120; ++i) {
        const float angle = float(i + 1) / 60 * 2;
        w.moveTo(root, {{0, 0, 0}, Quatf::fromAxisAngle({0, 1, 0}, angle)});
        w.step(kFrame);
        EXPECT_LT(length(w.centerOfMass(b) - Vec3{0.5f * std::cos(angle), 0, -0.5f * std::sin(angle)}), 2e-4f)
            << i;
    }
}

// The root rotates three times under a free hinge. The angle must be that between the two bodies.
TEST(MechanismReading, AnglesAreThoseAgainstAMovingRoot) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId root = w.add(ofType(BodyType::Kinematic, box({0, 0, 0})));
    const BodyId b = w.add(box({0, 0, 0}));
    JointDef d = joint(JointType::Hinge, root, b, {0, 0, 0}, {0, 0, 1});
    const JointId j = w.add(d);
    for (int i = 0; i < 180; ++i) {
        w.moveTo(root, {{0, 0, 0}, Quatf::fromAxisAngle({0, 0, 1}, float(6 * kPi * (i + 1) / 180))});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.jointForces(j).angle, -6 * kPi, 1e-3);
    EXPECT_LT(length(w.angularVelocity(b)), 1e-4f); // the body did not rotate with the root
    // A motor rotates its body relative to the root, whatever the root's motion.
    w.remove(j);
    d.type = JointType::Motor;
    d.turn.speed = 2;
    const JointId m = w.add(d);
    for (int i = 0; i < 60; ++i) {
        w.moveTo(root, {{0, 0, 0}, Quatf::fromAxisAngle({0, 0, 1}, float(i + 1) / 60)});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.jointForces(m).angle, 2, 1e-3);
    EXPECT_NEAR(w.angularVelocity(b).z, 3, 1e-3);
}

} // namespace
} // namespace capstan
