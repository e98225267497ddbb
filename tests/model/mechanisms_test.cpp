// SPDX-License-Identifier: MIT
// Tests of findMechanisms: mechanisms, spanning trees, loops and lanes.
#include "model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace capstan {
namespace {

// A Model with bodies of given masses, and joints between them.
struct Yard {
    Model m;

    int body(double mass = 1, BodyType type = BodyType::Dynamic) {
        Body b;
        b.alive = true;
        b.def.type = type;
        b.mass = type == BodyType::Dynamic ? mass : 0;
        m.bodies.push_back(b);
        return int(m.bodies.size()) - 1;
    }
    int rope(int nodes, std::vector<int> pins = {}) {
        Rope r;
        r.alive = true;
        r.count = nodes;
        for (int node : pins) r.pins.push_back({node, {0, 0, 0}});
        m.ropes.push_back(r);
        return int(m.ropes.size()) - 1;
    }
    int join(int a, int b, Joint::Kind kind = Joint::Kind::Ball) {
        Joint j;
        j.alive = true;
        j.kind = kind;
        j.body[0] = a;
        j.body[1] = b;
        m.joints.push_back(j);
        return int(m.joints.size()) - 1;
    }
    int tie(int rope, int node, int body) {
        const int j = join(-1, body);
        m.joints.back().rope = rope;
        m.joints.back().node = node;
        return j;
    }
    void find(int lanes = 4) { findMechanisms(m, lanes); }
    const Mechanism& only() const { return m.mechanisms.at(0); }
};

// Checks the invariants. Every unit appears once, after its parent, and is connected to it by its joint. Every joint
// appears once, in a tree or as a loop.
void expectSound(const Yard& y) {
    std::set<int> bodies, ropes, joints;
    for (const Mechanism& s : y.m.mechanisms) {
        int bodyCount = 0, ropeCount = 0;
        for (int i = 0; i < int(s.units.size()); ++i) {
            const Unit& u = s.units[i];
            EXPECT_TRUE((u.rope ? ropes : bodies).insert(u.slot).second);
            EXPECT_EQ(u.index, (u.rope ? ropeCount : bodyCount)++);
            EXPECT_LT(u.parent, i);
            if (u.joint < 0) {
                EXPECT_EQ(u.parent, -1);
                continue;
            }
            EXPECT_TRUE(joints.insert(u.joint).second);
            const Joint& j = y.m.joints[u.joint];
            EXPECT_TRUE(j.on());
            if (j.rope >= 0) continue;
            const int side = u.flipped ? 0 : 1;
            EXPECT_EQ(j.body[side], u.slot);
            const int other = j.body[1 - side];
            if (u.parent >= 0) {
                EXPECT_EQ(s.units[u.parent].slot, other);
            } else {
                EXPECT_EQ(u.ground, other);
                EXPECT_TRUE(other < 0 || !y.m.bodies[other].dynamic());
            }
        }
        EXPECT_EQ(bodyCount, s.bodies);
        EXPECT_EQ(ropeCount, s.ropes);
        for (const auto* ties : {&s.loops, &s.drags})
            for (const Tie& t : *ties) {
                EXPECT_TRUE(joints.insert(t.joint).second);
                const Joint& j = y.m.joints[t.joint];
                for (int k : {0, 1}) {
                    if (t.unit[k] < 0 || s.units[t.unit[k]].rope) continue;
                    EXPECT_EQ(s.units[t.unit[k]].slot, j.body[k]);
                }
            }
    }
    for (int j = 0; j < int(y.m.joints.size()); ++j) {
        const Joint& joint = y.m.joints[j];
        bool moves = joint.rope >= 0 && joint.kind == Joint::Kind::Drag;
        for (int b : joint.body) moves = moves || (b >= 0 && y.m.bodies[b].dynamic());
        EXPECT_EQ(joints.count(j) == 1, joint.on() && moves) << j;
    }
    // Every mechanism is in exactly one group.
    std::multiset<int> grouped;
    for (const TreeGroup& g : y.m.trees) {
        EXPECT_GE(g.width, g.mechanisms);
        for (int k = 0; k < g.mechanisms; ++k) grouped.insert(g.mechanism[k]);
        for (int k = g.mechanisms; k < g.width; ++k) EXPECT_EQ(g.mechanism[k], g.mechanism[0]);
    }
    EXPECT_EQ(grouped.size(), y.m.mechanisms.size());
    for (int i = 0; i < int(y.m.mechanisms.size()); ++i) EXPECT_EQ(grouped.count(i), 1u);
}

TEST(Systems, AChainStartsAtTheGround) {
    Yard y;
    const int a = y.body(), b = y.body(), c = y.body();
    y.join(c, b);
    y.join(b, a);
    y.join(-1, a);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 1u);
    const std::vector<Unit>& u = y.only().units;
    ASSERT_EQ(u.size(), 3u);
    const int order[] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(u[i].slot, order[i]);
        EXPECT_EQ(u[i].parent, i - 1);
        EXPECT_EQ(u[i].flipped, i > 0); // for the upper two joints the child is body0
    }
    EXPECT_EQ(u[0].ground, -1);
    EXPECT_TRUE(y.only().plain());
    EXPECT_TRUE(y.only().loops.empty());
}

TEST(Systems, StaticAndKinematicBodiesAreGround) {
    Yard y;
    const int wall = y.body(0, BodyType::Static), hand = y.body(0, BodyType::Kinematic);
    const int a = y.body(), b = y.body();
    y.join(wall, a);
    y.join(b, wall);
    y.join(hand, b);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 2u); // the ground does not connect mechanisms
    EXPECT_EQ(y.m.mechanisms[0].units[0].slot, a);
    EXPECT_EQ(y.m.mechanisms[0].units[0].ground, wall);
    EXPECT_EQ(y.m.mechanisms[1].units[0].slot, b);
    EXPECT_EQ(y.m.mechanisms[1].units[0].ground, wall);
    EXPECT_TRUE(y.m.mechanisms[1].units[0].flipped);
    ASSERT_EQ(y.m.mechanisms[1].loops.size(), 1u); // two joints hold b, which makes a loop
    EXPECT_EQ(y.m.mechanisms[1].loops[0].unit[0], -1);
    EXPECT_EQ(y.m.mechanisms[1].loops[0].unit[1], 0);
}

TEST(Systems, WhatFloatsStartsAtItsHeaviestBody) {
    Yard y;
    const int a = y.body(1), b = y.body(5), c = y.body(5), d = y.body(2);
    y.join(a, b);
    y.join(c, a);
    y.join(c, d);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 1u);
    EXPECT_EQ(y.only().units[0].slot, b); // among equal bodies the first is the root
    EXPECT_TRUE(y.only().units[0].free());
    EXPECT_TRUE(y.only().plain());
}

TEST(Systems, BodiesWithoutJointsAreInNoSystem) {
    Yard y;
    y.body();
    const int a = y.body(), b = y.body();
    const int j = y.join(a, b);
    y.find();
    EXPECT_EQ(y.m.mechanisms.size(), 1u);
    y.m.joints[j].def.enabled = false;
    y.find();
    EXPECT_TRUE(y.m.mechanisms.empty());
    y.m.joints[j].def.enabled = true;
    y.m.joints[j].broken = true;
    y.find();
    EXPECT_TRUE(y.m.mechanisms.empty());
}

TEST(Systems, ACircleIsCutOnce) {
    Yard y;
    std::vector<int> b;
    for (int i = 0; i < 4; ++i) b.push_back(y.body());
    y.join(-1, b[0]);
    for (int i = 0; i < 4; ++i) y.join(b[i], b[(i + 1) % 4]);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 1u);
    ASSERT_EQ(y.only().loops.size(), 1u);
    EXPECT_FALSE(y.only().plain());
    // The search is breadth-first, so the ring is cut opposite to the body that is held.
    const Tie& t = y.only().loops[0];
    EXPECT_EQ(t.joint, 3); // b2 - b3 (joint 0 holds b0)
    EXPECT_EQ(y.m.trees[0].width, 1);
}

TEST(Systems, ARopeIsAUnitOfItsBodies) {
    Yard y;
    const int a = y.body(), b = y.body(), r = y.rope(10, {4});
    y.tie(r, 9, a);
    y.tie(r, 0, b);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 1u);
    const std::vector<Unit>& u = y.only().units;
    ASSERT_EQ(u.size(), 3u);
    EXPECT_TRUE(u[0].rope); // the rope is pinned, so it is the root
    EXPECT_EQ(u[0].root, 4);
    EXPECT_EQ(u[1].parent, 0);
    EXPECT_EQ(u[2].parent, 0);
    EXPECT_EQ(y.only().ropes, 1);
    EXPECT_EQ(y.only().bodies, 2);
    EXPECT_TRUE(y.only().loops.empty());
    EXPECT_FALSE(y.only().plain());
    y.join(-1, a); // the ground holds a, so a is the root; the rope is attached to a by its node 9
    y.find();
    expectSound(y);
    EXPECT_EQ(y.only().units[0].slot, a);
    EXPECT_FALSE(y.only().units[0].rope);
    EXPECT_TRUE(y.only().units[1].rope);
    EXPECT_EQ(y.only().units[1].root, 9);
}

TEST(Systems, ARopeTiedToGroundAloneIsNoSystem) {
    Yard y;
    const int wall = y.body(0, BodyType::Static), r = y.rope(10);
    y.tie(r, 0, wall);
    y.find();
    EXPECT_TRUE(y.m.mechanisms.empty());
}

TEST(Systems, ABridleIsALoopThroughRopes) {
    Yard y;
    const int hook = y.body(), beam = y.body();
    const int r = y.rope(5), s = y.rope(5);
    y.join(-1, hook);
    y.tie(r, 0, hook);
    y.tie(r, 4, beam);
    y.tie(s, 0, hook);
    y.tie(s, 4, beam);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 1u);
    EXPECT_EQ(y.only().loops.size(), 1u);
    EXPECT_EQ(y.only().units.size(), 4u);
}

TEST(Systems, PullsAreBesideTheTree) {
    Yard y;
    const int a = y.body(), b = y.body(), r = y.rope(5);
    y.join(-1, a, Joint::Kind::Drag);
    y.join(a, b);
    Joint drag;
    drag.alive = true;
    drag.kind = Joint::Kind::Drag;
    drag.rope = r;
    y.m.joints.push_back(drag);
    y.find();
    expectSound(y);
    ASSERT_EQ(y.m.mechanisms.size(), 2u);
    EXPECT_EQ(y.m.mechanisms[0].units.size(), 2u);
    EXPECT_TRUE(y.m.mechanisms[0].units[0].free()); // a drag joint does not constrain the body
    EXPECT_EQ(y.m.mechanisms[0].drags.size(), 1u);
    EXPECT_TRUE(y.m.mechanisms[0].loops.empty());
    EXPECT_EQ(y.m.mechanisms[1].ropes, 1);
    EXPECT_EQ(y.m.mechanisms[1].drags.size(), 1u);
}

// In random graphs the number of loops is that of the edges beyond a spanning forest; the ground is one node.
TEST(Systems, LoopsAreTheEdgesBeyondATree) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        Yard y;
        const int n = 1 + int(random() % 12), edges = int(random() % 20);
        for (int i = 0; i < n; ++i) y.body(1 + double(random() % 3));
        for (int e = 0; e < edges; ++e) { // node n is the ground
            const int a = int(random() % unsigned(n + 1)), b = int(random() % unsigned(n));
            if (a == b) continue;
            y.join(a == n ? -1 : a, b);
        }
        // Merges the sets of bodies that joints connect, not through the ground, until nothing changes.
        std::vector<int> name(std::size_t(n), 0);
        for (int i = 0; i < n; ++i) name[i] = i;
        for (int round = 0; round < n; ++round)
            for (const Joint& j : y.m.joints) {
                if (j.body[0] < 0) continue;
                int &p = name[j.body[0]], &q = name[j.body[1]];
                p = q = std::min(p, q);
            }
        y.find();
        expectSound(y);
        std::set<int> islands;
        for (const Joint& j : y.m.joints) islands.insert(name[j.body[1]]);
        EXPECT_EQ(y.m.mechanisms.size(), islands.size());
        for (const Mechanism& s : y.m.mechanisms) {
            const int who = name[s.units[0].slot];
            int size = 0, links = 0, toGround = 0;
            for (int i = 0; i < n; ++i) size += name[i] == who;
            for (const Joint& j : y.m.joints) {
                if (name[j.body[1]] != who) continue;
                ++links;
                toGround += j.body[0] < 0;
            }
            EXPECT_EQ(int(s.units.size()), size);
            EXPECT_EQ(int(s.loops.size()), links - (size - 1) - (toGround > 0 ? 1 : 0)) << seed;
            EXPECT_EQ(s.units[0].free(), toGround == 0);
        }
    }
}

TEST(Systems, EqualShapesShareLanesAndOthersDoNot) {
    Yard y;
    auto pair = [&](bool limited, Joint::Kind kind) {
        const int a = y.body(), b = y.body();
        y.join(-1, a);
        y.join(a, b, kind);
        y.m.joints.back().turn.free = true;
        if (limited) y.m.joints.back().turn.max = 1;
    };
    for (int i = 0; i < 6; ++i) {
        pair(false, Joint::Kind::Axial);
        pair(true, Joint::Kind::Axial);
    }
    pair(false, Joint::Kind::Ball);
    for (int lanes : {1, 4, 8}) {
        y.find(lanes);
        expectSound(y);
        EXPECT_EQ(y.m.mechanisms.size(), 13u);
        std::vector<int> sizes;
        for (const TreeGroup& g : y.m.trees) {
            sizes.push_back(g.mechanisms);
            EXPECT_EQ(g.width, g.mechanisms > 4 ? 8 : g.mechanisms > 1 ? 4 : 1);
            // Mechanisms of a group have the same type; every second mechanism has a limit.
            for (int k = 1; k < g.mechanisms; ++k) {
                EXPECT_EQ(g.mechanism[k] % 2, g.mechanism[0] % 2);
                EXPECT_LT(g.mechanism[k - 1], g.mechanism[k]);
            }
        }
        std::sort(sizes.begin(), sizes.end());
        const std::vector<int> four = {1, 2, 2, 4, 4}, eight = {1, 6, 6};
        EXPECT_EQ(sizes, lanes == 1 ? std::vector<int>(13, 1) : lanes == 4 ? four : eight);
    }
}

TEST(Systems, TheSameWorldMakesTheSameTreesAgain) {
    std::mt19937 random(7);
    Yard y;
    for (int i = 0; i < 30; ++i) y.body(1 + double(random() % 2));
    for (int e = 0; e < 25; ++e) {
        const int a = int(random() % 30), b = int(random() % 30);
        if (a != b) y.join(a, b);
    }
    y.find();
    const std::vector<Mechanism> once = y.m.mechanisms;
    const std::vector<TreeGroup> groups = y.m.trees;
    y.find();
    ASSERT_EQ(y.m.mechanisms.size(), once.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        ASSERT_EQ(y.m.mechanisms[i].units.size(), once[i].units.size());
        for (std::size_t k = 0; k < once[i].units.size(); ++k) {
            EXPECT_EQ(y.m.mechanisms[i].units[k].slot, once[i].units[k].slot);
            EXPECT_EQ(y.m.mechanisms[i].units[k].joint, once[i].units[k].joint);
        }
    }
    ASSERT_EQ(y.m.trees.size(), groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
        EXPECT_EQ(y.m.trees[i].mechanism[0], groups[i].mechanism[0]);
}

} // namespace
} // namespace capstan
