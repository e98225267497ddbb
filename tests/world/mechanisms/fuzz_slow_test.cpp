// SPDX-License-Identifier: MIT
// Tests of random mechanisms and random calls at random times: no crash, and all numbers stay finite.
#include "mechanisms.hpp"

namespace capstan {
namespace {

class Fuzz {
public:
    explicit Fuzz(unsigned seed)
        : random_(seed), w_({.substeps = 1 + int(seed % 4), .contact = false, .threads = 1 + int(seed % 2)}) {
        for (int i = 0; i < 6; ++i) addBody();
        for (int i = 0; i < 2; ++i) addRope();
        for (int i = 0; i < 8; ++i) addJoint();
    }

    void live(int frames) {
        for (int i = 0; i < frames; ++i) {
            if (dice(3) == 0) act();
            w_.step(1.0f / float(30 + dice(90)));
            ASSERT_EQ(w_.report().quarantined, 0) << "frame " << i;
            for (BodyId b : w_.ids<BodyId>()) expectFinite(w_.centerOfMass(b), w_.velocity(b));
            for (JointId j : w_.ids<JointId>())
                expectFinite(w_.jointForces(j).force,
                             {w_.jointForces(j).angle, w_.jointForces(j).distance, w_.jointForces(j).gap});
            for (RopeId r : w_.ids<RopeId>())
                for (const Point& p : w_.positions(r)) expectFinite(p, p);
            ASSERT_TRUE(std::isfinite(w_.energy().total())) << "frame " << i;
        }
    }

private:
    int dice(int sides) { return int(random_() % unsigned(sides)); }
    float number(float from, float to) { return std::uniform_real_distribution<float>(from, to)(random_); }
    template <class T> T oneOf(const std::vector<T>& all) {
        return all.empty() ? T{} : all[dice(int(all.size()))];
    }
    static void expectFinite(Vec3 a, Vec3 b) {
        ASSERT_TRUE(std::isfinite(a.x + a.y + a.z + b.x + b.y + b.z));
    }

    void addBody() {
        BodyDef d = box(someVector(random_, 2), number(0.05f, 10),
                        {number(0.05f, 0.5f), number(0.05f, 0.5f), number(0.05f, 0.5f)});
        d.type = dice(8) == 0 ? BodyType::Static : dice(8) == 0 ? BodyType::Kinematic : BodyType::Dynamic;
        d.rotation = normalize(Quatf{number(-1, 1), number(-1, 1), number(-1, 1), 1.1f});
        w_.add(d);
    }
    void addRope() {
        RopeDef d;
        d.from = someVector(random_, 2);
        d.to = d.from + someVector(random_, 1) + Vec3{0.5f, 0, 0};
        d.segments = 2 + dice(15);
        d.mass = number(0.01f, 1);
        if (dice(2)) d.pins = {first};
        if (dice(3) == 0) d.bendStiffness = number(0, 0.01f);
        if (dice(3) == 0) d.stretchStiffness = number(100, 1e4f);
        w_.add(d);
    }
    // Adds a joint of any type; some Defs are invalid and are refused.
    void addJoint() {
        JointDef d = joint(JointType(dice(10)), oneOf(w_.ids<BodyId>()), oneOf(w_.ids<BodyId>()),
                           someVector(random_, 2), someVector(random_, 1));
        if (dice(4) == 0) d.body0 = {};
        if (dice(3) == 0) {
            d.type = JointType::Ball;
            d.body0 = {};
            d.rope = oneOf(w_.ids<RopeId>());
            d.node = dice(10);
        }
        if (d.type == JointType::Drag) {
            d.body0 = {};
            d.distance.compliance = number(1e-4f, 0.1f);
        }
        if (d.type == JointType::Spool) {
            d.rope = oneOf(w_.ids<RopeId>());
            d.node = dice(2) - 1;
        }
        if (d.type == JointType::Distance) d.anchor1 = someVector(random_, 2);
        if (d.type == JointType::Hinge && dice(2)) {
            d.turn.min = number(-1, 0);
            d.turn.max = number(0, 1);
        }
        if (d.type == JointType::Ball && d.rope.empty() && dice(2)) d.swing.max = number(0, 1);
        if (d.type == JointType::Motor) {
            d.turn.speed = number(-20, 20);
            d.turn.maxForce = dice(2) ? number(0, 10) : 0;
        }
        if (d.type == JointType::Servo) d.turn.target = number(-3, 3);
        if (d.type == JointType::Prismatic && dice(2)) {
            d.slide.min = number(-1, 0);
            d.slide.max = number(0, 1);
        }
        if (d.type == JointType::Cylinder && dice(2)) {
            d.slide.target = number(-1, 1);
            d.slide.compliance = number(0, 0.01f);
        }
        if (dice(6) == 0) d.breakForce = number(10, 1000);
        (void)w_.tryAdd(d);
    }
    void actOnBody(BodyId b) {
        if (!b) return;
        const bool dynamic = w_.def(b).type == BodyType::Dynamic;
        switch (dice(6)) {
        case 0:
            if (w_.def(b).type == BodyType::Kinematic)
                w_.moveTo(b, {someVector(random_, 2), Quatf::identity()});
            break;
        case 1:
            if (dynamic) w_.applyImpulse(b, someVector(random_, 20), someVector(random_, 2));
            break;
        case 2:
            if (dynamic) w_.setAngularVelocity(b, someVector(random_, 50));
            break;
        case 3:
            w_.teleport(b, {someVector(random_, 2), normalize(Quatf{number(-1, 1), number(-1, 1), 0, 1})});
            break;
        case 4:
            if (dice(4) == 0) w_.remove(b);
            break;
        default:
            if (dynamic) w_.applyForce(b, someVector(random_, 500));
        }
    }
    void actOnRope(RopeId r) {
        if (!r) return;
        const int nodes = int(w_.positions(r).size());
        switch (dice(4)) {
        case 0:
            w_.setWinchSpeed(r, dice(2) - 1, number(-1, 1));
            break;
        case 1:
            if (nodes > 2 && dice(3) == 0) w_.cut(r, dice(nodes - 1));
            break;
        case 2:
            w_.applyImpulse({r, dice(nodes)}, someVector(random_, 0.2f));
            break;
        default:
            if (dice(4) == 0) w_.remove(r);
        }
    }
    void actOnJoint(JointId j) {
        if (!j) return;
        const JointType type = w_.def(j).type;
        switch (dice(4)) {
        case 0:
            w_.setEnabled(j, dice(2) == 0);
            break;
        case 1:
            if (dice(3) == 0) w_.remove(j);
            break;
        case 2:
            if (type == JointType::Motor || type == JointType::Servo || type == JointType::Prismatic)
                w_.setTarget(j, number(-3, 3));
            break;
        default:
            if (type == JointType::Drag) w_.setTarget(j, someVector(random_, 2));
        }
    }
    void act() {
        switch (dice(8)) {
        case 0:
            addJoint();
            break;
        case 1:
            dice(2) ? addBody() : addRope();
            break;
        case 2: {
            const Snapshot s = w_.snapshot();
            w_.step(kFrame);
            w_.restore(s);
            break;
        }
        case 3:
        case 4:
            actOnBody(oneOf(w_.ids<BodyId>()));
            break;
        case 5:
            actOnRope(oneOf(w_.ids<RopeId>()));
            break;
        default:
            actOnJoint(oneOf(w_.ids<JointId>()));
        }
    }

    std::mt19937 random_;
    World w_;
};

TEST(MechanismFuzz, AnythingGoesAndEverythingStaysFinite) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        Fuzz(seed).live(100);
        if (HasFatalFailure()) return;
    }
}

} // namespace
} // namespace capstan
