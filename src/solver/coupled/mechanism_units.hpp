// SPDX-License-Identifier: MIT
// Units of the coupled solver that are mechanisms: bodies, joints and tied ropes, solved as one tree. See
// rope_units.hpp.
#pragma once

#include "solver/coupled/rope_units.hpp"

namespace capstan {

inline void tellSystem(CoupledIsland& t, MechanismUnit& s) {
    for (const IslandRope& r : t.ropes) {
        if (r.system < 0 || &t.mechanisms[r.system] != &s) continue;
        const int rope = int(&r - t.ropes.data());
        tellNodes(t, s.m.ropeOf(r.unit).c, rope, 0);
        tellStiffness(t, s.m.ropeOf(r.unit).c, rope, 0);
    }
    for (IslandBody& b : t.bodies)
        if (b.system >= 0 && &t.mechanisms[b.system] == &s) tellBody(b);
}

// Measures the gaps of all joints at the present poses of bodies and nodes.
inline void measureSystem(MechanismSolver& m) {
    TreeWorst<double> worst;
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            measureRopeRoot(m, m.ropeOf(i));
        } else {
            followNode(m, i);
            measureJoint(m.t.joint[i], m.t.body[i], parentOf(m.t, i), m.t.time, true, true, worst);
        }
    }
    measureLoops(m, true);
}

// `again`: the substep is taken again, and winches have already turned.
inline void beginSystem(CoupledIsland& t, MechanismUnit& s, TreeContext& c, bool again) {
    if (!again) wind(s.m, c.m, t.h);
    for (int i = 0; again && i < s.m.t.units; ++i) // beginSubstep() expects the lambda of rods in N
        if (!s.m.t.unit(i, 0).rope && s.m.t.joint[i].rod) s.m.t.joint[i].rod->lambda /= s.m.t.time.h2;
    beginSubstep(s.m, c, t.clock, t.h, t.remembered);
    advanceFreeMechanism(s.m, c.m, true);
    for (int i = 0; i < s.m.t.units; ++i) {
        if (!s.m.t.unit(i, 0).rope) continue;
        TreeRope& r = s.m.ropeOf(i);
        touchStart(r.c);
        chainMeasure(r.c);
    }
    measureSystem(s.m);
    for (std::size_t k = 0; k < t.ropes.size(); ++k) {
        const IslandRope& r = t.ropes[k];
        if (r.system >= 0 && &t.mechanisms[r.system] == &s) tellStart(t, s.m.ropeOf(r.unit).c, int(k), 0);
    }
    tellSystem(t, s);
}

// Calls ofRope(rope in the island, rope in the mechanism) and ofBody(index of the body in the columns, body
// in the island).
template <class F, class G> void eachOf(CoupledIsland& t, int system, F&& ofRope, G&& ofBody) {
    MechanismSolver& m = t.mechanisms[system].m;
    for (const IslandRope& r : t.ropes)
        if (r.system == system) ofRope(r, m.ropeOf(r.unit));
    for (std::size_t k = 0; k < t.bodies.size(); ++k)
        if (t.bodies[k].system == system) ofBody(t.x.size() + 2 * k, t.bodies[k]);
}

inline void openUnit(CoupledIsland& t, int system) {
    MechanismUnit& s = t.mechanisms[system];
    s.stride = solveMechanism(s.m, TreeDef{}).scale;
    eachOf(
        t, system,
        [&](const IslandRope& r, TreeRope& rope) {
            for (int i = 0; i < r.count; ++i) t.step[r.first + i] = rope.node(i).e;
        },
        [&](std::size_t at, const IslandBody& b) {
            t.step[at] = b.tree->dp;
            t.step[at + 1] = b.tree->dth;
        });
}

inline void answerUnit(CoupledIsland& t, int system) {
    MechanismSolver& m = t.mechanisms[system].m;
    auto index = [&](const IslandRope& r) { return std::size_t(m.t.unit(r.unit, 0).index); };
    clearGradients(m);
    eachOf(
        t, system,
        [&](const IslandRope& r, TreeRope&) {
            for (int i = 0; i < r.count; ++i) m.rhsNode[index(r)][i] = -t.off[r.first + i];
        },
        [&](std::size_t at, const IslandBody& b) { // torque about the anchor, since the mechanism's equations
                                                   // are about its anchor
            m.rhsP[b.unit] = -t.off[at];
            m.rhsT[b.unit] = cross(b.tree->r, t.off[at]) - t.off[at + 1];
        });
    respondAll(m);
    eachOf(
        t, system,
        [&](const IslandRope& r, TreeRope&) {
            double& uphill = t.sums[&r - t.ropes.data()];
            for (int i = 0; i < r.count; ++i)
                uphill += goesTo(t, std::size_t(r.first + i), m.xNode[index(r)][i]);
        },
        [&](std::size_t at, const IslandBody& b) {
            const Vec3d turn = m.xT[b.unit];
            t.xNow[at + 1] = t.step[at + 1] + turn;
            t.xNow[at] = t.step[at] + m.xP[b.unit] - cross(turn, b.tree->r);
        });
}

// Ends an iteration: adds the last response to the steps, if there was one. A mechanism with joints other
// than ball joints is solved again with the forces t.off instead. Only a solve yields the forces of its
// joints and loops. Returns the error; 1 is the tolerance.
inline double closeUnit(CoupledIsland& t, int system, bool answered) {
    MechanismUnit& s = t.mechanisms[system];
    if (answered && addsUp(s.m)) {
        s.stride = addAnswer(s.m, TreeDef{});
    } else if (answered) {
        const Sym3<double> none = {0, 0, 0, 0, 0, 0};
        eachOf(
            t, system,
            [&](const IslandRope& r, TreeRope& rope) {
                for (int i = 0; i < r.count; ++i) {
                    const Vec3d f = t.off[r.first + i];
                    if (dot(f, f) > 0) s.m.touch.push_back({r.unit, i, {0, 0, 0}, none, -f});
                }
                double worst = 0; // measured again, because the elimination has overwritten the segments
                for (int i = 1; i < rope.c.nodes; ++i) measureSegment(rope.c, i, worst);
            },
            [&](std::size_t at, const IslandBody& b) {
                s.m.touch.push_back({b.unit, 0, {0, 0, 0}, none, -t.off[at], -t.off[at + 1]});
            });
        s.stride = solveMechanism(s.m, TreeDef{}).scale;
    }
    const TreeWorst<double> worst = advanceMechanism(s.m, s.stride);
    for (IslandRope& r : t.ropes)
        if (r.system == system) r.corrected = movedRope(s.m.ropeOf(r.unit));
    const double loop = measureLoops(s.m, false);
    tellSystem(t, s);
    return max(worst.gap, loop) / TreeDef{}.good;
}

} // namespace capstan
