// SPDX-License-Identifier: MIT
// The step of one mechanism with ropes, loops or drag joints: memory, substeps, retries. See mechanism.hpp
// and group.hpp.
#include "solver/mechanism/last_resort.hpp"
#include "solver/mechanism/workspace.hpp"
#include "solver/rope/kinks.hpp"

namespace capstan {
namespace {

void loadRope(MechanismSolver& m, TreeContext& c, int unit, double dt) {
    const Unit& u = m.t.unit(unit, 0);
    TreeRope& r = m.ropeOf(unit);
    r.slot = u.slot;
    r.root = u.root;
    r.parent = u.parent;
    r.joint = u.joint;
    const Rope& rope = c.m.ropes[u.slot];
    r.nodes.resize(std::size_t(rope.count) + 1);
    r.past.resize(std::size_t(rope.count) + 1);
    r.step.assign(std::size_t(rope.count), 0);
    r.loadOf.assign(std::size_t(rope.count), -1);
    r.loads.clear();
    r.kept.resize(m.loops.empty() && !m.answers ? 0 : std::size_t(rope.count));
    r.c.node = r.nodes.data();
    r.c.past = r.past.data();
    chainSetup(r.c, c.m, &r.slot, narrow(c.gravity), dt);
    // The floor that chainSetup sets is for the rope's own mass. The mass that hangs on the rope here may be
    // a thousand times larger.
    double mass = double(rope.totalMass);
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope) mass += m.t.body[i].mass;
    r.c.floorFirst = 1e-5 / mass;
    chainLoad(r.c, c.s);
    r.F = r.old = r.gap = r.rp = r.d = {0, 0, 0};
    if (r.joint < 0) return;
    r.lp = c.m.joints[r.joint].frame[1].x;
    r.F = -c.s.joints[r.joint].force; // on the rope
}

// Sets the carried gap of each rope root on a body, and of each body that hangs on a rope. The gap is reduced
// by a fifth per substep, as in other joints.
void startRopeRoot(MechanismSolver& m) {
    auto eased = [](Vec3d gap) { return dot(gap, gap) > 4e-8 ? 0.8 * gap : Vec3d{0, 0, 0}; };
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            TreeRope& r = m.ropeOf(i);
            if (r.parent < 0) continue;
            const TreeBody<double>& p = m.t.body[r.parent];
            r.old = eased(r.node(r.root).position - (p.position + p.R * r.lp));
            continue;
        }
        TreeJoint<double>& j = m.t.joint[i];
        if (j.rope < 0) continue;
        const TreeBody<double>& b = m.t.body[i];
        j.gx = m.ropes[j.rope].node(j.node).position;
        j.old = eased(b.position + b.R * j.lc - j.gx);
    }
}

} // namespace

void loadMechanism(MechanismSolver& m, TreeStore<double>& store, TreeContext& c, int mechanism, double dt,
                   double clock) {
    m.t = store.lanes(c.m, &mechanism);
    m.touch.clear();
    const Mechanism& s = *m.t.mechanism[0];
    if (m.ropes.size() < std::size_t(s.ropes)) m.ropes.resize(std::size_t(s.ropes));
    for (TreeRope& r : m.ropes) {
        r.c.nodes = 0;
        r.loads.clear();
    }
    m.loops.clear();
    m.rows.clear();
    m.drags.clear();
    for (const Tie& tie : s.loops) {
        LoopJoint l;
        l.tie = tie;
        l.joint = &c.m.joints[tie.joint];
        const JointState& reading = c.s.joints[tie.joint];
        l.F = reading.force;
        l.angle = reading.angle;
        l.turnStep = reading.turnStep;
        l.step = reading.slideStep;
        l.turnTarget = driveTarget(c.m, *l.joint, l.joint->turn);
        l.slideTarget = driveTarget(c.m, *l.joint, l.joint->slide);
        l.turnFrom = reading.targetsKnown ? reading.lastTurnTarget : l.turnTarget;
        l.slideFrom = reading.targetsKnown ? reading.lastSlideTarget : l.slideTarget;
        for (int k : {0, 1}) l.ground[k] = groundAt(c, l.joint->body[k], clock);
        m.loops.push_back(l);
    }
    loadAll(m.t, c, dt, clock);
    for (int i = 0; i < m.t.units; ++i)
        if (m.t.unit(i, 0).rope) loadRope(m, c, i, dt);
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope && m.t.joint[i].rope >= 0) {
            m.t.joint[i].gR = Mat3<double>::identity();
            m.ropes[m.t.joint[i].rope].load(m.t.joint[i].node);
        }
    for (const Tie& tie : s.drags) {
        const Joint& j = c.m.joints[tie.joint];
        m.drags.push_back({tie, &j, c.s.joints[tie.joint].dragPoint, j.target, j.target});
        if (j.rope >= 0) m.ropeOf(tie.unit[0]).load(j.node);
    }
    if (!m.loops.empty() || m.answers) {
        const std::size_t n = std::size_t(m.t.units);
        m.rhsT.resize(n);
        m.rhsP.resize(n);
        m.xT.resize(n);
        m.xP.resize(n);
        m.xF.resize(n);
        m.rhsNode.resize(m.ropes.size());
        m.xNode.resize(m.ropes.size());
        m.fNode.resize(m.ropes.size());
        for (std::size_t k = 0; k < m.ropes.size(); ++k) {
            const std::size_t count = std::size_t(m.ropes[k].c.nodes);
            m.rhsNode[k].resize(count);
            m.xNode[k].resize(count);
            m.fNode[k].resize(count);
        }
    }
    startRopeRoot(m);
    startLoops(m, false);
}

void storeMechanism(MechanismSolver& m, TreeContext& c, bool good, bool history) {
    storeAll(m.t, c, 1, &history);
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            TreeRope& r = m.ropeOf(i);
            Rope& rope = c.m.ropes[r.slot];
            const ChainLength<double> l = chainStore(r.c, c.s, good);
            rope.stretch = narrow(l.arc / l.rest - 1);
            rope.strain = narrow(l.off * r.c.invReach);
            rope.history = history;
            rope.hBefore = m.t.time.dt;
            if (r.joint < 0) continue;
            const TreeBody<double>& p = m.t.body[r.parent];
            JointState& reading = c.s.joints[r.joint];
            const JointState before = reading;
            reading.force = -r.F;
            reading.torque = {0, 0, 0};
            const bool spool = c.m.joints[r.joint].kind == Joint::Kind::Spool; // the anchor of a spool has
                                                                               // moved since the gap was
                                                                               // measured
            reading.gap = length(spool ? r.gap : r.node(r.root).position - (p.position + p.R * r.lp));
            keepFinite(reading, before);
        }
    }
    for (const LoopJoint& l : m.loops) {
        JointState& reading = c.s.joints[l.tie.joint];
        const JointState before = reading;
        const Joint& j = *l.joint;
        reading.force = l.F;
        reading.torque = l.T;
        reading.angle = l.angle;
        reading.distance = l.start;
        reading.turnStep = l.turnStep;
        reading.slideStep = l.step;
        const Vec3d gap = l.position[1] - l.position[0];
        reading.gap = length(
            j.kind == Joint::Kind::Axial && j.slide.free ? gap - dot(gap, l.axes.x0) * l.axes.x0 : gap);
        if (j.kind == Joint::Kind::Rod) reading.gap = j.compliance > 0 ? 0 : abs(l.start - j.rest);
        keepFinite(reading, before);
    }
    for (const DragForce& p : m.drags) {
        JointState& reading = c.s.joints[p.tie.joint];
        reading.force = p.F;
        reading.torque = {0, 0, 0};
        reading.gap = 0;
        keepFinite(reading, reading);
    }
}

namespace {

// Spools. A spool winds up the rope at the point where the rope leaves the drum. At the start of every
// substep the anchor on the drum is moved to this point. At the end of the substep the node is moved back to
// the point. The rope is shortened by the length that the drum has wound up. This function returns the point.
Vec3d leavingPoint(MechanismSolver& m, const TreeContext& c, const Joint& j, double clock) {
    if (j.body[0] < 0) return j.frame[0].x;
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope && m.t.unit(i, 0).slot == j.body[0])
            return m.t.body[i].position + rotate(m.t.body[i].turn, j.frame[0].x);
    return groundAt(c, j.body[0], clock).point(j.frame[0].x);
}

// Calls f(rope, joint, drum, anchor in the drum) for every spool of the tree.
template <class F> void eachSpool(MechanismSolver& m, TreeContext& c, F&& f) {
    for (int i = 0; i < m.t.units; ++i) {
        const Unit& u = m.t.unit(i, 0);
        if (u.joint < 0 || c.m.joints[u.joint].kind != Joint::Kind::Spool) continue;
        const Joint& j = c.m.joints[u.joint];
        if (u.rope)
            f(m.ropeOf(i), j, m.t.body[u.parent], m.ropeOf(i).lp);
        else
            f(m.ropeOf(u.parent), j, m.t.body[i], m.t.joint[i].lc);
    }
}

// Moves the anchors of spools to the points where the ropes leave their drums.
void takeAnchors(MechanismSolver& m, TreeContext& c, double clock) {
    eachSpool(m, c, [&](TreeRope& r, const Joint& j, const TreeBody<double>& drum, Vec3d& anchor) {
        if (r.node(j.node == 0 ? 1 : j.node).rest < 0.25 / r.c.invReach)
            return; // all of the rope is wound up: its end turns with the drum
        anchor = rotate(conjugate(drum.turn), leavingPoint(m, c, j, clock) - drum.position);
    });
}

// Moves the end nodes of ropes back to the leaving points, and changes the rest lengths of the end segments.
void windUp(MechanismSolver& m, TreeContext& c, double clock) {
    eachSpool(m, c, [&](TreeRope& r, const Joint& j, const TreeBody<double>&, Vec3d&) {
        ChainNode<double>&end = r.node(j.node), &seg = r.node(j.node == 0 ? 1 : j.node);
        const Vec3d next = r.node(j.node == 0 ? 1 : j.node - 1).position,
                    position = leavingPoint(m, c, j, clock);
        const double change = length(position - next) - length(end.position - next);
        if (seg.rest + change < 0.25 / r.c.invReach) return;
        seg.rest += change;
        end.position = position;
        c.m.ropes[r.slot].spooled[j.node == 0 ? 0 : 1] += narrow(change);
    });
}

} // namespace

void beginSubstep(MechanismSolver& m, TreeContext& c, double clock, double dt, double before) {
    m.t.time.begin(dt, before);
    m.t.time.was = (clock - dt) / c.stepTime;
    m.t.time.now = clock / c.stepTime;
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            Rope& rope = c.m.ropes[m.t.unit(i, 0).slot];
            rope.history = before > 0;
            rope.hBefore = before;
            rope.begins(dt);
        } else if (m.t.joint[i].rod) {
            m.t.joint[i].rod->lambda *= m.t.time.h2;
        }
    }
    takeAnchors(m, c, clock - dt);
    startRopeRoot(m);
    moveGround(m.t, clock, dt);
    for (LoopJoint& l : m.loops)
        for (int k : {0, 1})
            if (l.tie.unit[k] < 0) l.ground[k] = groundAt(c, l.joint->body[k], clock);
    for (DragForce& p : m.drags) p.target = p.from + (clock / c.stepTime) * (p.to - p.from);
}

void endSubstep(MechanismSolver& m, TreeContext& c, double clock, bool good) {
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope && m.t.joint[i].rod) m.t.joint[i].rod->lambda /= m.t.time.h2;
    acceptAll(m.t, good);
    for (TreeRope& r : m.ropes)
        if (r.c.nodes > 0) chainAccept(r.c, good);
    if (good) windUp(m, c, clock);
    startLoops(m, good);
}

void wind(MechanismSolver& m, const Model& model, double dt) {
    for (TreeRope& r : m.ropes) {
        if (r.c.nodes == 0) continue;
        const Rope& rope = model.ropes[r.slot];
        r.node(1).rest += dt * double(rope.winchSpeed[0]);
        r.node(rope.count - 1).rest += dt * double(rope.winchSpeed[1]);
    }
}

namespace {

MechanismResult substep(MechanismSolver& m, TreeContext& c, double clock, double dt, double before,
                        int depth) {
    beginSubstep(m, c, clock, dt, before);
    const MechanismResult result = newtonMechanism(m, c.m, depth > 0, depth == kDeepest);
    endSubstep(m, c, clock, result.good);
    return result;
}

void rescue(MechanismSolver& m, TreeContext& c, int mechanism, double clock, double dt, int depth) {
    if (depth == kDeepest) {
        loadMechanism(m, c.memory.one, c, mechanism, dt, clock);
        holdStill(m, c.gravity, dt);
        storeMechanism(m, c, true, false);
        ++c.counts.heldStill;
        return;
    }
    ++c.counts.retries;
    for (int half = 0; half < 2; ++half) {
        const double end = half == 0 ? clock - dt / 2 : clock;
        loadMechanism(m, c.memory.one, c, mechanism, dt / 2, end - dt / 2);
        const MechanismResult result = substep(m, c, end, dt / 2, 0, depth + 1);
        c.counts.solves += result.solves;
        storeMechanism(m, c, result.good, false);
        if (!result.good) rescue(m, c, mechanism, end, dt / 2, depth + 1);
    }
}

} // namespace

namespace {

// Sets what follows from the length of a substep.
void setLength(MechanismSolver& m, const TreeContext& c, double dt) {
    for (int i = 0; i < m.t.units; ++i) {
        if (!m.t.unit(i, 0).rope) {
            loadDamping(m.t, c, dt, i);
            continue;
        }
        TreeRope& r = m.ropeOf(i);
        const double floor = r.c.floorFirst; // loadRope() set it for all that hangs on the rope
        chainSetup(r.c, c.m, &r.slot, narrow(c.gravity), dt);
        r.c.floorFirst = floor;
    }
}

// Returns the largest rate of turn of a rope's segment, squared [1 / s^2].
double fastestTurn(const MechanismSolver& m) {
    double most = 0;
    for (const TreeRope& r : m.ropes)
        if (r.c.nodes > 0) most = max(most, turnRate(r.c));
    return most;
}

// Solves a substep, or a part of one, that ends `clock` seconds after the start of the step.
void stepPart(MechanismSolver& m, TreeContext& c, int mechanism, double clock, double dt, double& before) {
    wind(m, c.m, dt);
    const MechanismResult result = substep(m, c, clock, dt, before, 0);
    c.counts.solves += result.solves;
    before = result.smooth ? dt : 0;
    if (result.good) return;
    storeMechanism(m, c, false, false);
    rescue(m, c, mechanism, clock, dt, 0);
    loadMechanism(m, c.memory.one, c, mechanism, dt, clock);
}

// Solves a substep in as many parts as the kinks of its ropes need.
void stepInParts(MechanismSolver& m, TreeContext& c, int mechanism, double clock, double dt, double& before) {
    bool cut = false;
    for (double left = dt; left > 0;) {
        const int parts = partsOf(fastestTurn(m), left, dt);
        const double part = left / parts;
        setLength(m, c, part);
        cut = cut || parts > 1;
        left = parts > 1 ? left - part : 0;
        stepPart(m, c, mechanism, clock - left, part, before);
    }
    c.counts.refined += cut;
}

} // namespace

void stepMechanism(TreeContext& c, int mechanism, double dt, int substeps) {
    MechanismSolver& m = c.memory.mechanism;
    double before = -1;
    for (const Unit& u : c.m.mechanisms[mechanism].units) {
        const double own = u.rope ? c.m.ropes[u.slot].remembered() : c.s.bodies[u.slot].remembered();
        before = before < 0 || before == own ? own : 0; // all must have made the same last substep
        if (u.rope) c.m.ropes[u.slot].spooled[0] = c.m.ropes[u.slot].spooled[1] = 0;
    }
    loadMechanism(m, c.memory.one, c, mechanism, dt, 0);
    const bool kinks = kinked(fastestTurn(m), dt);
    for (int i = 0; i < substeps; ++i) {
        const double clock = dt * (i + 1);
        if (kinks)
            stepInParts(m, c, mechanism, clock, dt, before);
        else
            stepPart(m, c, mechanism, clock, dt, before);
    }
    storeMechanism(m, c, true, before > 0);
}

} // namespace capstan
