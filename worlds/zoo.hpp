// SPDX-License-Identifier: MIT
// Many small mechanisms of every kind. Tests add them to several worlds and compare the results.
#pragma once

#include <worlds/parts.hpp>

namespace capstan {

inline constexpr int kZooJoints = 14;
// Each kind of joint twice: in a mechanism on the ground, and in free flight.
inline constexpr int kZooKinds = 2 * kZooJoints;

inline JointDef zooJoint(int kind, BodyRef a, BodyRef b, Vec3 at) {
    const Vec3 axis = {0.2f, 0.3f, 1};
    JointDef d = joint(JointType::Ball, a, b, at, axis);
    switch (kind % kZooJoints) {
    case 0: // ball
        break;
    case 1:
        d.swing.max = 0.4f;
        d.turn.min = -0.1f;
        d.turn.max = 0.3f;
        break;
    case 2:
        d.type = JointType::Hinge;
        break;
    case 3:
        d.type = JointType::Hinge;
        d.turn.min = -0.2f;
        d.turn.max = 0.3f;
        d.turn.damping = 0.02f;
        break;
    case 4:
        d.type = JointType::Hinge;
        d.turn.target = 0.3f;
        d.turn.compliance = 0.2f;
        break;
    case 5:
        d.type = JointType::Servo;
        d.turn.target = 0.5f;
        d.turn.maxForce = 3;
        break;
    case 6:
        d.type = JointType::Motor;
        d.turn.speed = 2;
        d.turn.maxForce = 5;
        break;
    case 7:
        d.type = JointType::Prismatic;
        d.slide.min = -0.1f;
        d.slide.max = 0.2f;
        break;
    case 8:
        d.type = JointType::Prismatic;
        d.slide.target = 0;
        d.slide.compliance = 0.01f;
        d.slide.damping = 1;
        break;
    case 9:
        d.type = JointType::Cylinder;
        d.slide.target = 0.1f;
        break;
    case 10:
        d.type = JointType::Fixed;
        break;
    case 11:
        d.type = JointType::Distance;
        d.anchor1 = at + Vec3{0.1f, 0, 0};
        break;
    case 12:
        d.type = JointType::Distance;
        d.anchor1 = at + Vec3{0.1f, 0, 0};
        d.distance.compliance = 0.01f;
        d.distance.damping = 1;
        break;
    default: // a ball joint with damping
        d.turn.damping = 0.05f;
    }
    return d;
}

// Adds a body with two arms, each on a joint of this kind. `number` selects its position and its initial
// motion.
inline std::vector<BodyId> addTree(World& w, int kind, int number) {
    const Vec3 at = {3.0f * float(number), 2.0f * float(kind), 0};
    Random random(unsigned(100 * kind + number));
    std::vector<BodyId> b = {w.add(box(at + Vec3{0.3f, 0, 0}, 1, {0.6f, 0.2f, 0.1f})),
                             w.add(box(at + Vec3{0.9f, 0, 0}, 0.5f, {0.6f, 0.1f, 0.2f})),
                             w.add(box(at + Vec3{0.6f, -0.3f, 0}, 2, {0.1f, 0.6f, 0.1f}))};
    if (kind < kZooJoints) w.add(joint(JointType::Hinge, {}, b[0], at, {0, 0, 1}));
    w.add(zooJoint(kind, b[0], b[1], at + Vec3{0.6f, 0, 0}));
    w.add(zooJoint(kind, b[2], b[0], at + Vec3{0.6f, 0, 0})); // the root is now body 1 of the joint
    for (BodyId id : b) w.setAngularVelocity(id, random.vector(2));
    return b;
}

// Adds mechanisms that are more than trees of bodies: with ropes, a loop of hinges, and a drag joint.
inline void addMechanisms(World& w, int number) {
    const Vec3 at = {3.0f * float(number), -10, 0};
    RopeDef r;
    r.from = at;
    r.to = at + Vec3{1, 0, 0};
    r.segments = 15;
    r.mass = 0.2f;
    r.pins = {first};
    const RopeId rope = w.add(r);
    const BodyId crate = w.add(box(at + Vec3{1.1f, 0, 0}, float(1 + number)));
    w.attach({rope, last}, {crate, {-0.1f, 0, 0}}).value();
    w.attach({rope, 7}, {w.add(box(at + Vec3{7.0f / 15, 0, 0}, 1)), {0, 0, 0}}).value();

    const Vec3 low = at - Vec3{0, 5, 0};
    const BodyId a = w.add(box(low + Vec3{0, -0.5f, 0}, 1, {0.1f, 1, 0.1f}));
    const BodyId b = w.add(box(low + Vec3{0.5f, -1, 0}, 1, {1, 0.1f, 0.1f}));
    const BodyId c = w.add(box(low + Vec3{1, -0.5f, 0}, 1, {0.1f, 1, 0.1f}));
    w.add(joint(JointType::Hinge, {}, a, low, {0, 0, 1}));
    w.add(joint(JointType::Hinge, a, b, low + Vec3{0, -1, 0}, {0, 0, 1}));
    w.add(joint(JointType::Hinge, b, c, low + Vec3{1, -1, 0}, {0, 0, 1}));
    w.add(joint(JointType::Hinge, c, {}, low + Vec3{1, 0, 0}, {0, 0, 1}));
    w.applyImpulse(b, {1, 0, 0});

    const BodyId pulled = w.add(box(low + Vec3{0, -5, 0}, 1));
    JointDef drag = joint(JointType::Drag, {}, pulled, low + Vec3{0.1f, -5, 0});
    drag.distance.compliance = 0.01f;
    drag.distance.damping = 1;
    w.add(drag);
}

inline void addZoo(World& w) {
    for (int kind = 0; kind < kZooKinds; ++kind)
        for (int i = 0; i < 1 + kind % 7; ++i) addTree(w, kind, i);
    for (int i = 0; i < 3; ++i) addMechanisms(w, i);
    for (int i = 0; i < 9; ++i) { // free bodies
        const BodyId b = w.add(box({float(i), 50, 0}, 1, {0.1f, 0.2f, 0.3f}));
        w.setAngularVelocity(b, {float(i), 3, 0.1f});
    }
}

// Applies random impulses, so that joints reach their limits and substeps are repeated.
inline void stirZoo(World& w, int frame) {
    if (frame % 20 != 5) return;
    Random random{unsigned(frame)};
    for (BodyId b : w.ids<BodyId>()) {
        // The impulse is computed first, because C++ does not specify the order in which arguments are evaluated.
        const Vec3 impulse = random.vector(4);
        w.applyImpulse(b, impulse, w.centerOfMass(b) + random.vector(0.2));
    }
}

} // namespace capstan
