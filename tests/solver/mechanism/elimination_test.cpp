// SPDX-License-Identifier: MIT
// Tests of the elimination of solver/mechanism/elimination.hpp against a dense solution of the same equations
// (dense_tree.hpp). The elimination in SIMD lanes must give the bits of a single tree.
#include "dense_tree.hpp"

#include "solver/mechanism/newton.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace capstan {
namespace {

using JointKind = TreeJoint<double>::Kind;
TreeShape someShape(unsigned seed, int bodies) {
    std::mt19937 random(seed);
    TreeShape s;
    for (int i = 0; i < bodies; ++i) {
        s.parent.push_back(i == 0 || random() % 8 == 0 ? -1 : int(random() % unsigned(i)));
        s.sort.push_back(Sort(1 + random() % 7));
        if (i == 0 && random() % 2) s.sort[0] = Sort::Free;
    }
    return s;
}

std::vector<Numbers> someNumbers(unsigned seed, int bodies) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    auto vec = [&](double size) {
        const double x = normal(random), y = normal(random);
        return size * Vec3d{x, y, normal(random)};
    };
    auto quat = [&] { return exp(vec(1)); };
    auto positive = [&](double size) { return size * (0.1 + std::abs(normal(random))); };
    std::vector<Numbers> all(std::size_t(bodies), Numbers{});
    for (Numbers& n : all) {
        n.x = vec(1);
        n.cp = vec(0.01);
        n.ct = vec(0.01);
        n.lc = vec(0.3);
        n.lp = vec(0.3);
        n.gx = vec(1);
        n.q = quat();
        n.gq = quat();
        n.frame = quat();
        n.frameOff = exp(vec(0.05));
        n.mass = positive(1);
        n.F = vec(300);
        n.e = vec(0.05);
        n.inertia = {positive(0.1), positive(0.1), positive(0.1)};
        const Quatd columns = quat();
        n.s[0] = axisX(columns);
        n.s[1] = axisY(columns);
        n.s[2] = axisZ(columns);
        for (int k = 0; k < 3; ++k) {
            n.kr[k] = positive(0.1);
            n.u[k] = 0.01 * normal(random);
            n.locked[k] = random() % 4 == 0;
        }
        n.lambda = 0.01 * normal(random);
        n.residual = 0.05 * normal(random);
        n.alpha = random() % 2 ? positive(1) : 1e-9;
        n.t = positive(0.1);
    }
    return all;
}

// Trees of one structure in the lanes of W, after one solve.
template <class W> struct Solved {
    std::vector<TreeBody<W>> body;
    std::vector<TreeJoint<W>> joint;
    std::vector<TreeRod<W>> rod;
    TreeLanes<W> t;

    Solved(const TreeShape& shape, const std::vector<std::vector<Numbers>>& lanes)
        : body(shape.parent.size()), joint(body.size()), rod(body.size()) {
        t.units = int(body.size());
        t.body = body.data();
        t.joint = joint.data();
        t.rod = rod.data();
        t.time.begin(W(1.0 / 240), W(1.0 / 240));
        TreeWorst<W> worst;
        for (int i = 0; i < t.units; ++i) {
            auto at = [&](int k) -> const Numbers& { return lanes[k][i]; };
            fill(shape, i, at);
            measureJoint(joint[i], body[i], parentOf(t, i), t.time, true, W(0.0) < W(1.0), worst);
            overrule(shape.sort[i], i, at);
        }
        solveAll(t, W(0.0) < W(1.0));
    }

private:
    template <class At> void fill(const TreeShape& shape, int i, At&& at) {
        TreeBody<W>& b = body[i];
        TreeJoint<W>& j = joint[i];
        auto vec = [&](Vec3d Numbers::*p) { return vecPerLane<W>([&](int k) { return at(k).*p; }); };
        b.x = vec(&Numbers::x);
        b.cp = vec(&Numbers::cp);
        b.ct = vec(&Numbers::ct);
        b.q = quatPerLane<W>([&](int k) { return at(k).q; });
        b.R = toMat3(b.q);
        b.mass = perLane<W>([&](int k) { return at(k).mass; });
        b.inertia = vec(&Numbers::inertia);
        b.dl = vecPerLane<W>([](int) { return Vec3d{0, 0, 0}; });
        b.Iw = alongAxes(b.R, b.inertia);
        const Sort sort = shape.sort[i];
        j.parent = shape.parent[i];
        j.kind = sort == Sort::Free                            ? TreeJoint<W>::Kind::Free
                 : sort == Sort::Ball || sort == Sort::RowBall ? TreeJoint<W>::Kind::Ball
                 : sort == Sort::Rod                           ? TreeJoint<W>::Kind::Rod
                                                               : TreeJoint<W>::Kind::Axial;
        j.turnFree = sort == Sort::Hinge || sort == Sort::Cylinder;
        j.slideFree = sort == Sort::Slider || sort == Sort::Cylinder;
        j.columns = int(j.turnFree) + int(j.slideFree);
        j.lc = vec(&Numbers::lc);
        j.lp = vec(&Numbers::lp);
        j.gx = vec(&Numbers::gx);
        j.F = vec(&Numbers::F);
        j.T = j.old = j.gTurn = j.e = j.gap = vecPerLane<W>([](int) { return Vec3d{0, 0, 0}; });
        j.gR = toMat3(quatPerLane<W>([&](int k) { return at(k).gq; }));
        j.angle = W(0.0);
        // The joint frame as each of its bodies carries it; the child's frame is slightly off.
        const Quat<W> frame = quatPerLane<W>([&](int k) { return at(k).frame; });
        const Quat<W> off = quatPerLane<W>([&](int k) { return at(k).frameOff * at(k).frame; });
        const Mat3<W> Rp = j.parent >= 0 ? body[j.parent].R : j.gR;
        j.xc = transposeTimes(b.R, axisX(off));
        j.yc = transposeTimes(b.R, axisY(off));
        j.xp = transposeTimes(Rp, axisX(frame));
        j.yp = transposeTimes(Rp, axisY(frame));
        if (sort != Sort::Rod) return;
        j.rod = &rod[i];
        *j.rod = TreeRod<W>{};
        j.rod->rest = j.rod->start = W(1.0);
        j.rod->stiffness = j.rod->damping = j.rod->step = W(0.0);
        j.rod->lambda = perLane<W>([&](int k) { return at(k).lambda; });
    }
    // Replaces rows, drives and springs by random numbers: the elimination treats them as given.
    template <class At> void overrule(Sort sort, int i, At&& at) {
        TreeJoint<W>& j = joint[i];
        if (sort == Sort::RowBall) {
            j.kind = TreeJoint<W>::Kind::RowBall;
            j.columns = 3;
            j.e = vecPerLane<W>([&](int k) { return at(k).e; });
            for (int c = 0; c < 3; ++c) j.column[c].s = vecPerLane<W>([&](int k) { return at(k).s[c]; });
        }
        for (int c = 0; c < j.columns; ++c) {
            j.column[c].kr = perLane<W>([&](int k) { return at(k).kr[c]; });
            j.column[c].u = perLane<W>([&](int k) { return at(k).u[c]; });
            j.column[c].locked = perLane<W>([&](int k) { return at(k).locked[c] ? 1.0 : 0.0; }) > W(0.5);
        }
        if (!j.rod) return;
        j.rod->residual = perLane<W>([&](int k) { return at(k).residual; });
        j.rod->alpha = perLane<W>([&](int k) { return at(k).alpha; });
        j.rod->t = perLane<W>([&](int k) { return at(k).t; });
    }
};

void expectNear(Vec3d a, Vec3d b, double tolerance, const char* what, unsigned seed, int i) {
    EXPECT_LT(length(a - b), tolerance * (1 + length(b))) << what << " of body " << i << ", seed " << seed;
}

void expectSolves(const TreeShape& shape, unsigned seed) {
    const std::vector<Numbers> all = someNumbers(seed + 1000, int(shape.parent.size()));
    const Solved<double> s(shape, {all});
    const double h2 = s.t.time.h2;
    const Reference dense(shape, all, h2);
    for (int i = 0; i < s.t.units; ++i) {
        const TreeBody<double>& b = s.body[i];
        const TreeJoint<double>& j = s.joint[i];
        expectNear(b.dth, dense.dth[i], 1e-8, "turn", seed, i);
        expectNear(b.dp, dense.dp[i], 1e-8, "displacement", seed, i);
        expectNear(b.da, b.dp + cross(b.dth, b.r), 1e-12, "anchor", seed, i);
        if (shape.sort[i] == Sort::Free) continue;
        expectNear(h2 * j.F, dense.F[i], 1e-7, "force", seed, i);
        if (j.kind == JointKind::Axial || j.kind == JointKind::RowBall)
            expectNear(h2 * j.T, dense.T[i], 1e-7, "torque", seed, i);
    }
}

TEST(Tree, TheEliminationOfEachJointSolvesTheDenseEquations) {
    for (int sort = 1; sort <= int(Sort::Rod); ++sort)
        for (unsigned seed = 0; seed < 20; ++seed) {
            expectSolves({{-1}, {Sort(sort)}}, seed);
            expectSolves({{-1, 0}, {Sort::Free, Sort(sort)}}, seed);
            expectSolves({{-1, 0, 0}, {Sort::Hinge, Sort(sort), Sort(sort)}}, seed);
        }
}

TEST(Tree, TheEliminationOfRandomTreesSolvesTheDenseEquations) {
    for (unsigned seed = 0; seed < 200; ++seed) expectSolves(someShape(seed, 1 + int(seed % 7)), seed);
}

template <class W> void expectSameBits(const TreeShape& shape, unsigned seed) {
    std::vector<std::vector<Numbers>> lanes;
    for (int k = 0; k < lanesOf<W>; ++k)
        lanes.push_back(someNumbers(seed * 10 + unsigned(k), int(shape.parent.size())));
    const Solved<W> wide(shape, lanes);
    for (int k = 0; k < lanesOf<W>; ++k) {
        const Solved<double> one(shape, {lanes[k]});
        for (std::size_t i = 0; i < one.body.size(); ++i) {
            EXPECT_EQ(lane(wide.body[i].dth, k), one.body[i].dth) << seed << " lane " << k;
            EXPECT_EQ(lane(wide.body[i].da, k), one.body[i].da) << seed << " lane " << k;
            EXPECT_EQ(lane(wide.body[i].dp, k), one.body[i].dp) << seed << " lane " << k;
            EXPECT_EQ(lane(wide.joint[i].F, k), one.joint[i].F) << seed << " lane " << k;
            EXPECT_EQ(lane(wide.joint[i].T, k), one.joint[i].T) << seed << " lane " << k;
            if (shape.sort[i] == Sort::Rod) {
                EXPECT_EQ(lane(wide.rod[i].f, k), one.rod[i].f) << seed << " lane " << k;
            }
        }
    }
}

TEST(Tree, LanesGiveTheBitsOfASingleTree) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        expectSameBits<Pack<double, 4>>(someShape(seed, 1 + int(seed % 7)), seed);
        expectSameBits<Pack<double, 8>>(someShape(seed, 1 + int(seed % 7)), seed);
    }
}

// One Newton step closes small gaps to second order, because the rows are the gradients of the gaps.
TEST(Tree, AStepShutsGapsToSecondOrder) {
    for (Sort sort : {Sort::Ball, Sort::Hinge, Sort::Slider, Sort::Cylinder, Sort::Fixed}) {
        double open[2] = {0, 0};
        for (int fine : {0, 1}) {
            const double size = fine ? 1e-3 : 1e-2;
            const TreeShape shape = {{-1, 0, 1}, {sort, sort, sort}};
            for (unsigned seed = 0; seed < 10; ++seed) {
                std::vector<Numbers> all = someNumbers(seed, 3);
                // The joints are closed, and then perturbed by about `size`.
                for (std::size_t i = 0; i < 3; ++i) {
                    Numbers& a = all[i];
                    const Vec3d px = i == 0 ? a.gx : all[i - 1].x;
                    const Quatd pq = i == 0 ? a.gq : all[i - 1].q;
                    a.frameOff = Quatd::identity();
                    a.F = a.cp = a.ct = {0, 0, 0};
                    a.x = px + rotate(pq, a.lp) - rotate(a.q, a.lc);
                    for (int k = 0; k < 3; ++k) {
                        a.u[k] = 0;
                        a.locked[k] = false;
                    }
                }
                Solved<double> s(shape, {all});
                for (std::size_t i = 0; i < 3; ++i) {
                    const Vec3d v = size * normalize(all[i].e);
                    s.body[i].x = s.body[i].x + v;
                    s.body[i].q = turned(cross(v, {0.3, 0.5, 0.7}), s.body[i].q);
                    s.body[i].R = toMat3(s.body[i].q);
                }
                TreeWorst<double> before, after;
                for (int i = 0; i < 3; ++i)
                    measureJoint(s.joint[i], s.body[i], parentOf(s.t, i), s.t.time, true, true, before);
                EXPECT_GT(before.gap, 0.1 * size);
                solveAll(s.t, true);
                for (std::size_t i = 0; i < 3; ++i) {
                    s.body[i].x = s.body[i].x + s.body[i].dp;
                    s.body[i].q = turned(s.body[i].dth, s.body[i].q);
                    s.body[i].R = toMat3(s.body[i].q);
                }
                for (int i = 0; i < 3; ++i)
                    measureJoint(s.joint[i], s.body[i], parentOf(s.t, i), s.t.time, true, true, after);
                open[fine] = std::max(open[fine], after.gap);
            }
        }
        EXPECT_LT(open[1], 1e-4) << int(sort);
        // A tenth of the perturbation must leave a hundredth of the gap.
        EXPECT_LT(open[1], open[0] / 50) << int(sort);
    }
}

// Tests the geometric stiffness. For a force l at a lever r, the second derivative of l.(R r) for rotations R is
// (l r^T + r l^T)/2 - l.r. A shift makes it positive definite.
TEST(Tree, GeometricStiffnessIsTheHessianShifted) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int n = 0; n < 50; ++n) {
        const Vec3d l = {normal(random), normal(random), normal(random)},
                    r = {normal(random), normal(random), normal(random)};
        const Sym3<double> K = geometric(l, r);
        const double shift = 0.5 * (length(l) * length(r) + dot(l, r)), h = 1e-4;
        for (int trial = 0; trial < 5; ++trial) {
            const Vec3d a = {normal(random), normal(random), normal(random)};
            auto energy = [&](double s) { return dot(l, rotate(exp(s * a), r)); };
            const double second = (energy(h) - 2 * energy(0) + energy(-h)) / (h * h);
            EXPECT_NEAR(dot(a, K * a), second + shift * dot(a, a),
                        1e-5 * (1 + dot(a, a)) * length(l) * length(r));
            EXPECT_GE(dot(a, K * a), -1e-12);
        }
    }
}

} // namespace
} // namespace capstan
