// SPDX-License-Identifier: MIT
// Generated worlds of joints: one for each kind of joint of zoo.hpp, and worlds with drives, breaking joints
// and edits.
#include <worlds/worlds.hpp>
#include <worlds/zoo.hpp>

namespace capstan::worlds {
namespace {

PerFrame oneKind(World& w, int kind) {
    for (int i = 0; i < 3; ++i) {
        addTree(w, kind, i);
        addTree(w, kind + kZooJoints, i);
    }
    return stirZoo;
}

// A row of boxes on ball and fixed joints. Gravity and an impulse on the last box break joints, by force or
// by torque.
PerFrame breaking(World& w) {
    BodyId before = w.add(ofType(BodyType::Static, box({0, 2, 0})));
    for (int k = 1; k <= 6; ++k) {
        const float x = 0.25f * float(k);
        const BodyId b = w.add(box({x, 2, 0}, float(k)));
        JointDef d = joint(k % 2 ? JointType::Ball : JointType::Fixed, before, b, {x - 0.125f, 2, 0});
        d.breakForce = k == 3 ? 150.0f : 0;
        d.breakTorque = k == 2 ? 30.0f : 0;
        w.add(d);
        before = b;
    }
    return [before](World& world, int frame) {
        if (frame == 40) world.applyImpulse(before, {0, -60, 5});
    };
}

PerFrame dragging(World& w) {
    std::vector<JointId> drags;
    for (int k = 0; k < 3; ++k) {
        const Vec3 at = {float(k), 1, 0};
        JointDef d = joint(JointType::Drag, {}, w.add(box(at, 1 + float(k))), at + Vec3{0.1f, 0.1f, 0});
        d.distance.compliance = 0.001f + 0.01f * float(k);
        d.distance.damping = float(k);
        d.distance.maxForce = k == 2 ? 40.0f : 0;
        drags.push_back(w.add(d));
    }
    const RopeId rope = w.add(straight({5, 1, 0}, {6, 1, 0}, 16));
    JointDef d = joint(JointType::Drag, {}, {}, {5.5f, 1, 0});
    d.rope = rope;
    d.node = 8;
    d.distance.compliance = 0.001f;
    drags.push_back(w.add(d));
    return [drags](World& world, int frame) {
        for (std::size_t k = 0; k < drags.size(); ++k) {
            const float a = 0.07f * float(frame), x = k < 3 ? float(k) : 5.5f;
            world.setTarget(
                drags[k], {x + 0.3f * narrow(std::sin(double(a))), 1.2f, 0.2f * narrow(std::cos(double(a)))});
        }
    };
}

// A motor-driven drum winds up a rope with a load, and reverses half way.
PerFrame spooling(World& w) {
    BodyDef drum = poleAlongZ({0, 3, 0}, 0.1f, 0.3f, 0.5f);
    drum.type = BodyType::Dynamic;
    drum.mass = 2;
    const BodyId turning = w.add(drum);
    JointDef axle = joint(JointType::Motor, {}, turning, {0, 3, 0}, {0, 0, 1});
    axle.turn.speed = 2;
    const JointId motor = w.add(axle);
    RopeDef d = straight({0.1f, 3, 0}, {0.1f, 1, 0}, 30);
    d.loads = {{last, 3}};
    JointDef spool = joint(JointType::Spool, {}, turning, {0.1f, 3, 0}, {0, 0, 1});
    spool.rope = w.add(d);
    spool.node = first;
    w.add(spool);
    return [motor](World& world, int frame) {
        if (frame == 90) world.setTarget(motor, -3);
    };
}

// Drives get their targets from the control vector and from setTarget.
PerFrame steering(World& w) {
    const JointType types[] = {JointType::Servo, JointType::Motor, JointType::Prismatic, JointType::Cylinder,
                               JointType::Hinge};
    std::vector<JointId> joints;
    for (int k = 0; k < 5; ++k) {
        const Vec3 at = {float(k), 1, 0};
        JointDef d = joint(types[k], {}, w.add(box(at, 1)), at, {0, 1, 0});
        d.controlX = 0.5f;
        d.controlY = k % 2 ? 0.0f : -0.3f;
        if (k == 1) {
            d.turn.speed = 1;
            d.turn.speedMin = -2.0f;
            d.turn.speedMax = 2.0f;
            d.turn.maxForce = 3;
        }
        if (k == 2 || k == 3) {
            d.slide.target = 0;
            d.slide.maxForce = 60;
            d.slide.min = -0.2f;
            d.slide.max = 0.2f;
        }
        if (k == 3) {
            d.turn.min = -0.5f;
            d.turn.max = 0.5f;
        }
        if (k == 0 || k == 4) d.turn.target = 0;
        joints.push_back(w.add(d));
    }
    return [joints](World& world, int frame) {
        world.setControl(narrow(std::sin(0.05 * frame)), narrow(std::cos(0.03 * frame)));
        if (frame == 70) {
            world.setTarget(joints[0], 1);
            world.setTarget(joints[2], 0.15f);
        }
        if (frame == 80) world.setEnabled(joints[3], false);
        if (frame == 110) world.setEnabled(joints[3], true);
        if (frame == 120) {
            JointDef changed = world.def(joints[1]);
            changed.turn.speed = -3;
            changed.turn.maxForce = 1;
            (void)world.update(joints[1], changed);
        }
    };
}

} // namespace

void addJointWorlds(List& list) {
    const char* names[kZooJoints] = {"ball",  "ball_limited", "hinge",     "hinge_limited",    "hinge_spring",
                                     "servo", "motor",        "prismatic", "prismatic_spring", "cylinder",
                                     "fixed", "rod",          "spring",    "ball_damped"};
    WorldDef apart;
    apart.contact = false;
    for (int kind = 0; kind < kZooJoints; ++kind) {
        list.push_back(
            {std::string("joint/") + names[kind], [kind](World& w) { return oneKind(w, kind); }, apart, 120});
    }
    list.push_back({"joint/breaking", breaking});
    list.push_back({"joint/dragging", dragging});
    list.push_back({"joint/spooling", spooling});
    list.push_back({"joint/steering", steering});
}

} // namespace capstan::worlds
