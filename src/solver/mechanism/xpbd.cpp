// SPDX-License-Identifier: MIT
// Implements xpbd.hpp. Bodies, free flight, damping and memory are those of the tree solver (body.hpp,
// workspace.hpp).
#include "solver/mechanism/free_bodies.hpp"
#include "solver/mechanism/workspace.hpp"
#include "solver/mechanism/xpbd_rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr int kLeastSubsteps = 20; // fewest substeps of a step if the world's own solver is not XPBD

void setGround(XpbdJoint& j, int side, const Pose& pose) {
    j.ground[side] = pose;
    j.groundR[side] = toMat3(pose.q);
}

XpbdJoint loadXpbd(const TreeContext& c, int slot, int unit0, int unit1) {
    XpbdJoint j;
    const Joint& joint = c.m.joints[slot];
    j.joint = &joint;
    j.slot = slot;
    j.unit[0] = unit0;
    j.unit[1] = unit1;
    for (int k : {0, 1}) {
        const Pose& frame = joint.frame[k];
        j.x[k] = axisX(frame.q);
        j.y[k] = axisY(frame.q);
        j.anchor[k] = frame.x;
        if (j.unit[k] >= 0)
            j.invMass[k] = 1 / c.m.bodies[joint.body[k]].mass;
        else
            setGround(j, k, groundAt(c, joint.body[k], 0));
    }
    j.frames = joint.frame[1].q * conjugate(joint.frame[0].q);
    if (joint.kind == Joint::Kind::Drag) j.anchor[0] = {0, 0, 0};
    j.turnTarget = driveTarget(c.m, joint, joint.turn);
    j.slideTarget = driveTarget(c.m, joint, joint.slide);
    auto acts = [](const JointAxis& a) {
        return a.free && (a.limited() || a.drive != JointAxis::Drive::None || a.damping > 0);
    };
    j.turns = acts(joint.turn) || joint.cone < kNoLimit;
    j.slides = acts(joint.slide);
    j.angle = c.s.joints[slot].angle;
    return j;
}

// Loads all joints in the order of their slots.
void loadJoints(const TreeContext& c, const Mechanism& s, std::vector<XpbdJoint>& joints) {
    joints.clear();
    for (std::size_t i = 0; i < s.units.size(); ++i) {
        const Unit& u = s.units[i];
        if (u.free()) continue;
        const int self = int(i);
        joints.push_back(loadXpbd(c, u.joint, u.flipped ? self : u.parent, u.flipped ? u.parent : self));
    }
    for (const auto* ties : {&s.loops, &s.drags})
        for (const Tie& tie : *ties) joints.push_back(loadXpbd(c, tie.joint, tie.unit[0], tie.unit[1]));
    std::sort(joints.begin(), joints.end(),
              [](const XpbdJoint& a, const XpbdJoint& b) { return a.slot < b.slot; });
}

// Moves the ground of a joint, and the user's point of a drag joint, to the end of a substep. The substep has
// the length dt [s] and ends at the time `clock` of the step [s].
void moveSides(const TreeContext& c, XpbdJoint& j, double clock, double dt) {
    j.groundTurn = {0, 0, 0};
    for (int k : {0, 1}) {
        const int slot = j.joint->body[k];
        if (j.unit[k] >= 0 || slot < 0 || !c.m.bodies[slot].hasTarget) continue;
        setGround(j, k, groundAt(c, slot, clock));
        j.groundTurn = j.groundTurn + (k == 1 ? dt : -dt) * c.s.bodies[slot].L;
    }
    if (j.joint->kind != Joint::Kind::Drag) return;
    const Vec3d from = c.s.joints[j.slot].dragPoint;
    j.ground[0].x = from + (clock / c.stepTime) * (j.joint->target - from);
}

void substep(TreeLanes<double>& t, const TreeContext& c, std::vector<XpbdJoint>& joints, double clock,
             double dt) {
    for (XpbdJoint& j : joints) {
        XpbdRows(t.body, j, dt).begin(false);
        moveSides(c, j, clock, dt);
    }
    for (int i = 0; i < t.units; ++i) fly(t.body[i], t.time);
    for (XpbdJoint& j : joints) {
        XpbdRows rows(t.body, j, dt);
        rows.forget();
        rows.visit(false);
    }
    for (auto j = joints.rbegin(); j != joints.rend(); ++j) XpbdRows(t.body, *j, dt).visit(true);
    for (int i = 0; i < t.units; ++i) accept(t.body[i], true);
}

// Returns true if a body holds a value that is not finite, which spreads to all jointed bodies. Then all
// bodies of the mechanism stay at their last finite position, at rest. The bodies that hold such a value are
// frozen.
bool quarantine(const TreeLanes<double>& t, TreeContext& c) {
    bool diverged = false;
    for (int i = 0; i < t.units; ++i) {
        BodyState now;
        now.x = t.body[i].position;
        now.q = t.body[i].turn;
        now.v = t.body[i].v;
        now.L = t.body[i].L;
        if (sound(now)) continue;
        c.m.bodies[t.unit(i, 0).slot].frozen = diverged = true;
    }
    for (int i = 0; i < t.units && diverged; ++i) {
        BodyState& b = c.s.bodies[t.unit(i, 0).slot];
        b.v = b.L = {0, 0, 0};
        b.history = false;
    }
    return diverged;
}

} // namespace

void stepXpbd(TreeContext& c, int mechanism, double dt, int substeps) {
    // If only this mechanism uses XPBD, the world's number of substeps was not chosen for XPBD. At four
    // substeps per frame a net of fixed joints would have gaps of centimetres.
    const int split = c.m.xpbd ? 1 : (kLeastSubsteps + substeps - 1) / substeps;
    dt /= split;
    substeps *= split;
    TreeLanes<double> t = c.memory.one.lanes(c.m, &mechanism);
    std::vector<XpbdJoint>& joints = c.memory.xpbd;
    loadAll(t, c, dt, 0);
    loadJoints(c, *t.mechanism[0], joints);
    t.time.begin(dt, 0);
    for (int i = 0; i < substeps; ++i) substep(t, c, joints, dt * (i + 1), dt);
    if (quarantine(t, c)) return;
    const bool history = false;
    storeAll(t, c, 1, &history);
    for (XpbdJoint& j : joints) {
        const JointState before = c.s.joints[j.slot];
        XpbdRows(t.body, j, dt).writeReading(c.s.joints[j.slot]);
        keepFinite(c.s.joints[j.slot], before);
    }
}

} // namespace capstan
