// SPDX-License-Identifier: MIT
// Tests of the elimination of solver/rope/newton.hpp against the equations that it solves, node by node.
#include "math/pack.hpp"
#include "solver/rope/newton.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace capstan {
namespace {

constexpr double kFloor = 1e-5;

struct Chain {
    std::vector<ChainNode<double>> node, before;
    std::vector<RingNode<double>> ring;
    ChainLanes<double> c;

    Chain(int n, bool closed, double heavy, std::vector<int> pins, int seed)
        : node(std::size_t(n) + 1), ring(node.size()) {
        std::mt19937 random(static_cast<unsigned>(seed));
        std::normal_distribution<double> normal;
        auto some = [&](double s) {
            return Vec3d{s * normal(random), s * normal(random), s * normal(random)};
        };
        c.node = node.data();
        c.nodes = n;
        c.closed = closed;
        c.perLength = 0;
        c.floor = kFloor;
        c.stiffnessMin = 1e-4;
        c.invReach = 1;
        for (int i = 0; i <= n; ++i) {
            ChainNode<double>& a = node[i];
            a.x = Vec3d{0.8 * i, 0, 0} + some(0.1);
            a.z = a.x + some(0.01);
            a.mass = 0.1;
            a.rest = 0.8;
            a.lambda = 0.05 * normal(random);
        }
        node[std::size_t(n) - 1].mass = heavy;
        for (int k : pins) {
            node[k].mass = kImmense;
            node[k].z = node[k].x;
        }
        if (closed) node[n].x = node[0].x;
        double worst = 0;
        for (int i = 1; i < n + int(closed); ++i) measureSegment(c, i, worst);
        before = node;
        chainSolve(c, closed ? ring.data() : nullptr, true);
    }
    Vec3d dx(int i) const { return node[i % c.nodes].e; }
    // Returns the force of segment s on its parent node; the child node gets the opposite force.
    Vec3d force(int s) const {
        const ChainNode<double>& a = before[s];
        const Vec3d d = dx(s - 1) - dx(s), across = d - dot(a.n, d) * a.n;
        return a.t * across + (node[s].u.x + a.lambda) * a.n;
    }
};

void expectSolved(const Chain& c, double squeezed = 0) {
    const int n = c.c.nodes, segments = n - 1 + int(c.c.closed);
    for (int s = 1; s <= segments; ++s) {
        const ChainNode<double>& a = c.before[s];
        const double f = c.node[s].u.x;
        EXPECT_NEAR(dot(a.n, c.dx(s - 1) - c.dx(s)) + a.residual, kFloor * f, 1e-9);
    }
    for (int i = 0; i < n; ++i) {
        const ChainNode<double>& a = c.before[i];
        if (a.mass >= kImmense) {
            EXPECT_LT(length(c.dx(i)), 1e-15);
            continue;
        }
        Vec3d balance = a.mass * (c.dx(i) + a.x - a.z);
        if (i > 0) balance += -c.force(i);
        if (i == 0 && c.c.closed) balance += -c.force(n);
        if (i < segments) balance += c.force(i + 1);
        // Between two pins only the smallest compliance yields. Its inverse is so large that digits are lost.
        EXPECT_LT(length(balance), 1e-8 * max(1.0, a.mass) + 1e-6 * squeezed / kFloor) << i;
    }
}

TEST(ChainNewton, SolvesTheLinearisedEquations) {
    for (int seed = 0; seed < 50; ++seed) {
        expectSolved(Chain(9, false, 0.1, {0}, seed));
        expectSolved(Chain(9, false, 0.1, {}, seed));        // both ends free
        expectSolved(Chain(9, false, 1000, {0}, seed));      // a heavy end
        expectSolved(Chain(9, false, 0.1, {0, 4}, seed), 1); // the middle is pinned
        expectSolved(Chain(2, false, 0.1, {}, seed));
    }
}

TEST(ChainNewton, SolvesRings) {
    for (int seed = 0; seed < 50; ++seed) {
        expectSolved(Chain(9, true, 0.1, {}, seed));
        expectSolved(Chain(9, true, 0.1, {0}, seed));
        expectSolved(Chain(9, true, 50, {3}, seed), 1);
        expectSolved(Chain(3, true, 0.1, {}, seed));
    }
}

} // namespace
} // namespace capstan
