// SPDX-License-Identifier: MIT
// The elimination of tree_solve.hpp against a dense solution of the same equations, and in lanes against itself.
//
// Unknowns of the dense system: displacement dp and turn dth of every body, psi of every free column, one multiplier
// for every row. With r, rp the levers from the two centres to the anchor,
//     ball      dp + dth x r - (dp_p + dth_p x rp) = -gap
//     columns   dth - dth_p = e + psi s (turns),  the line above = -gap + psi s (slides);  energy kr psi^2 / 2 + u psi
//     rod       n.(D - dx) + residual = alpha f,  energy t |across (D - dx)|^2 / 2,  D and dx being the two anchors
// and the energy of a body is m |dp + cp|^2 / 2 + |dth + ct|^2_I / 2, with the geometric stiffness of the joints' forces.
#include <capstan/step/tree_newton.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace capstan {
namespace {

using Kind = TreeJoint<double>::Kind;
enum class Sort { Free, Ball, Hinge, Slider, Cylinder, Fixed, RowBall, Rod };

// What lanes must agree on.
struct Shape {
    std::vector<int> parent;
    std::vector<Sort> sort;
};

Shape someShape(unsigned seed, int bodies) {
    std::mt19937 random(seed);
    Shape s;
    for (int i = 0; i < bodies; ++i) {
        s.parent.push_back(i == 0 || random() % 8 == 0 ? -1 : int(random() % unsigned(i)));
        s.sort.push_back(Sort(1 + random() % 7));
        if (i == 0 && random() % 2) s.sort[0] = Sort::Free;
    }
    return s;
}

// One body and its joint, in plain numbers.
struct Numbers {
    Vec3d x, cp, ct, inertia, lc, lp, gx, F, e, s[3];
    Quatd q, gq, frame, frameOff;
    double mass, kr[3], u[3], lambda, residual, alpha, t;
    bool locked[3];
};

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
        n.x = vec(1), n.cp = vec(0.01), n.ct = vec(0.01), n.lc = vec(0.3), n.lp = vec(0.3), n.gx = vec(1);
        n.q = quat(), n.gq = quat(), n.frame = quat(), n.frameOff = exp(vec(0.05));
        n.mass = positive(1), n.F = vec(300), n.e = vec(0.05);
        n.inertia = {positive(0.1), positive(0.1), positive(0.1)};
        const Quatd columns = quat();
        n.s[0] = axisX(columns), n.s[1] = axisY(columns), n.s[2] = axisZ(columns);
        for (int k = 0; k < 3; ++k)
            n.kr[k] = positive(0.1), n.u[k] = 0.01 * normal(random), n.locked[k] = random() % 4 == 0;
        n.lambda = 0.01 * normal(random), n.residual = 0.05 * normal(random);
        n.alpha = random() % 2 ? positive(1) : 1e-9, n.t = positive(0.1);
    }
    return all;
}

// Trees of one shape in the lanes of W, solved once.
template <class W> struct Solved {
    std::vector<TreeBody<W>> body;
    std::vector<TreeJoint<W>> joint;
    std::vector<TreeRod<W>> rod;
    std::vector<TreeRod<W>> rodBefore;
    TreeLanes<W> t;

    Solved(const Shape& shape, const std::vector<std::vector<Numbers>>& lanes)
        : body(shape.parent.size()), joint(body.size()), rod(body.size()) {
        t.units = int(body.size()), t.body = body.data(), t.joint = joint.data(), t.rod = rod.data();
        t.time.begin(W(1.0 / 240), W(0.0) < W(1.0));
        TreeWorst<W> worst;
        for (int i = 0; i < t.units; ++i) {
            auto at = [&](int k) -> const Numbers& { return lanes[std::size_t(k)][std::size_t(i)]; };
            fill(shape, i, at);
            measureJoint(joint[std::size_t(i)], body[std::size_t(i)], parentOf(t, i), t.time, true, W(0.0) < W(1.0), worst);
            overrule(shape.sort[std::size_t(i)], i, at);
        }
        rodBefore = rod;
        solveAll(t, W(0.0) < W(1.0));
    }

private:
    template <class At> void fill(const Shape& shape, int i, At&& at) {
        TreeBody<W>& b = body[std::size_t(i)];
        TreeJoint<W>& j = joint[std::size_t(i)];
        auto vec = [&](Vec3d Numbers::*p) { return vecPerLane<W>([&](int k) { return at(k).*p; }); };
        b.x = vec(&Numbers::x), b.cp = vec(&Numbers::cp), b.ct = vec(&Numbers::ct);
        b.q = quatPerLane<W>([&](int k) { return at(k).q; }), b.R = toMat3(b.q);
        b.mass = perLane<W>([&](int k) { return at(k).mass; });
        b.inertia = vec(&Numbers::inertia), b.dl = vecPerLane<W>([](int) { return Vec3d{0, 0, 0}; });
        b.Iw = alongAxes(b.R, b.inertia);
        const Sort sort = shape.sort[std::size_t(i)];
        j.parent = shape.parent[std::size_t(i)];
        j.kind = sort == Sort::Free                           ? TreeJoint<W>::Kind::Free
                 : sort == Sort::Ball || sort == Sort::RowBall ? TreeJoint<W>::Kind::Ball
                 : sort == Sort::Rod                           ? TreeJoint<W>::Kind::Rod
                                                               : TreeJoint<W>::Kind::Axial;
        j.turnFree = sort == Sort::Hinge || sort == Sort::Cylinder;
        j.slideFree = sort == Sort::Slider || sort == Sort::Cylinder;
        j.columns = int(j.turnFree) + int(j.slideFree);
        j.lc = vec(&Numbers::lc), j.lp = vec(&Numbers::lp), j.gx = vec(&Numbers::gx), j.F = vec(&Numbers::F);
        j.T = j.old = j.gTurn = j.e = j.gap = vecPerLane<W>([](int) { return Vec3d{0, 0, 0}; });
        j.gR = toMat3(quatPerLane<W>([&](int k) { return at(k).gq; })), j.angle = W(0.0);
        // The joint's frame as both sides carry it, a little off on the child's.
        const Quat<W> frame = quatPerLane<W>([&](int k) { return at(k).frame; });
        const Quat<W> off = quatPerLane<W>([&](int k) { return at(k).frameOff * at(k).frame; });
        const Mat3<W> Rp = j.parent >= 0 ? body[std::size_t(j.parent)].R : j.gR;
        j.xc = transposeTimes(b.R, axisX(off)), j.yc = transposeTimes(b.R, axisY(off));
        j.xp = transposeTimes(Rp, axisX(frame)), j.yp = transposeTimes(Rp, axisY(frame));
        if (sort != Sort::Rod) return;
        j.rod = &rod[std::size_t(i)];
        *j.rod = TreeRod<W>{};
        j.rod->rest = j.rod->start = W(1.0), j.rod->stiffness = j.rod->damping = j.rod->step = W(0.0);
        j.rod->lambda = perLane<W>([&](int k) { return at(k).lambda; });
    }
    // Rows, drives and springs are numbers to the elimination: any will do.
    template <class At> void overrule(Sort sort, int i, At&& at) {
        TreeJoint<W>& j = joint[std::size_t(i)];
        if (sort == Sort::RowBall) {
            j.kind = TreeJoint<W>::Kind::RowBall, j.columns = 3;
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

// H z = rhs, symmetric but not definite, by Gauss with pivots.
class Dense {
public:
    explicit Dense(int n) : n_(n), a_(std::size_t(n) * std::size_t(n + 1), 0) {}
    double& at(int i, int k) { return a_[std::size_t(i) * std::size_t(n_ + 1) + std::size_t(k)]; }
    double& rhs(int i) { return at(i, n_); }
    std::vector<double> solve() {
        for (int i = 0; i < n_; ++i) {
            int best = i;
            for (int k = i; k < n_; ++k)
                if (std::abs(at(k, i)) > std::abs(at(best, i))) best = k;
            for (int c = 0; c <= n_; ++c) std::swap(at(i, c), at(best, c));
            for (int k = i + 1; k < n_; ++k) {
                const double l = at(k, i) / at(i, i);
                for (int c = i; c <= n_ && l != 0; ++c) at(k, c) -= l * at(i, c);
            }
        }
        std::vector<double> z(std::size_t(n_), 0);
        for (int i = n_ - 1; i >= 0; --i) {
            double sum = rhs(i);
            for (int k = i + 1; k < n_; ++k) sum -= at(i, k) * z[std::size_t(k)];
            z[std::size_t(i)] = sum / at(i, i);
        }
        return z;
    }

private:
    int n_;
    std::vector<double> a_;
};

double part(Vec3d v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }
Vec3d unit(int c) { return {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0}; }

// The dense system of a tree, and its solution.
struct Reference {
    std::vector<Vec3d> dp, dth, F, T; // F, T: on the child at the anchor, h^2 units

    Reference(const Shape& shape, const std::vector<Numbers>& all, double h2) {
        const int n = int(all.size());
        Dense d(6 * n + 9 * n); // three columns and six rows at most; those that a joint has not are 1 z = 0
        std::vector<std::vector<std::pair<int, double>>> rows(std::size_t(9 * n));
        for (int i = 0; i < n; ++i) {
            const Numbers& a = all[std::size_t(i)];
            const Mat3<double> R = toMat3(a.q);
            const Mat3<double> I = R * Mat3<double>::diagonal(a.inertia) * transpose(R);
            for (int c = 0; c < 3; ++c) {
                d.at(6 * i + c, 6 * i + c) += a.mass;
                d.rhs(6 * i + c) -= a.mass * part(a.cp, c);
                for (int k = 0; k < 3; ++k) {
                    d.at(6 * i + 3 + c, 6 * i + 3 + k) += part(I * unit(k), c);
                    d.rhs(6 * i + 3 + c) -= part(I * unit(k), c) * part(a.ct, k);
                }
            }
            addJoint(d, shape, all, i, h2);
        }
        const std::vector<double> z = d.solve();
        for (int i = 0; i < n; ++i) {
            auto vec = [&](int at) {
                return Vec3d{z[std::size_t(at)], z[std::size_t(at) + 1], z[std::size_t(at) + 2]};
            };
            dp.push_back(vec(6 * i)), dth.push_back(vec(6 * i + 3));
            const int first = 6 * n + 9 * i;
            F.push_back(-vec(first + 3)), T.push_back(-vec(first + 6));
            if (shape.sort[std::size_t(i)] == Sort::Rod)
                F.back() = (all[std::size_t(i)].lambda + z[std::size_t(first)]) * rodAlong_[std::size_t(i)];
        }
    }

private:
    // The anchors' displacement along v as a row over dp and dth, times `sign`: child's minus parent's.
    static void addRelative(Dense& d, int row, int i, int p, Vec3d r, Vec3d rp, Vec3d v) {
        auto put = [&](int column, double value) { d.at(row, column) += value, d.at(column, row) += value; };
        for (int c = 0; c < 3; ++c) {
            put(6 * i + c, part(v, c)), put(6 * i + 3 + c, part(cross(r, v), c));
            if (p < 0) continue;
            put(6 * p + c, -part(v, c)), put(6 * p + 3 + c, -part(cross(rp, v), c));
        }
    }
    static void addGeometric(Dense& d, int i, Vec3d l, Vec3d r) {
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                double k = 0.5 * (part(l, a) * part(r, b) + part(r, a) * part(l, b));
                if (a == b) k += 0.5 * (length(l) * length(r) - dot(l, r));
                d.at(6 * i + 3 + a, 6 * i + 3 + b) += k;
            }
    }

    void addJoint(Dense& d, const Shape& shape, const std::vector<Numbers>& all, int i, double h2) {
        const Numbers& a = all[std::size_t(i)];
        const int p = shape.parent[std::size_t(i)], first = 6 * int(all.size()) + 9 * i;
        const Sort sort = shape.sort[std::size_t(i)];
        rodAlong_.resize(all.size(), Vec3d{0, 0, 0});
        bool used[9] = {};
        if (sort != Sort::Free) {
            const Vec3d r = rotate(a.q, a.lc), px = p < 0 ? a.gx : all[std::size_t(p)].x;
            const Vec3d rp = rotate(p < 0 ? a.gq : all[std::size_t(p)].q, a.lp);
            const Vec3d apart = (a.x + r) - (px + rp), x = axisX(a.frame), x1 = axisX(a.frameOff * a.frame);
            const bool slides = sort == Sort::Slider || sort == Sort::Cylinder;
            const bool turns = sort == Sort::Hinge || sort == Sort::Cylinder;
            // On a slide the force acts where the child's anchor is.
            const Vec3d lever = slides ? rp + dot(apart, x) * x : rp;
            addGeometric(d, i, -h2 * a.F, r);
            if (p >= 0) addGeometric(d, p, h2 * a.F, lever);
            if (sort == Sort::Rod) {
                addRod(d, a, i, p, first, r, rp, apart);
                used[0] = true;
            } else {
                for (int c = 0; c < 3; ++c) { // rows 3 to 5: places
                    addRelative(d, first + 3 + c, i, p, r, lever, unit(c));
                    d.rhs(first + 3 + c) = -part(slides ? apart - dot(apart, x) * x : apart, c);
                    used[3 + c] = true;
                }
                Vec3d e = cross(x1, x);
                if (!turns) e += dot(cross(axisY(a.frameOff * a.frame), axisY(a.frame)), x) * x;
                if (sort == Sort::RowBall) e = a.e;
                for (int c = 0; c < 3 && sort != Sort::Ball; ++c) { // rows 6 to 8: turns
                    auto put = [&](int column, double v) {
                        d.at(first + 6 + c, column) += v, d.at(column, first + 6 + c) += v;
                    };
                    put(6 * i + 3 + c, 1);
                    if (p >= 0) put(6 * p + 3 + c, -1);
                    d.rhs(first + 6 + c) = part(e, c), used[6 + c] = true;
                }
                int k = 0; // columns
                auto column = [&](Vec3d s, bool slide) {
                    const int at = first + k;
                    used[k] = true;
                    d.at(at, at) = a.locked[k] ? 1 : a.kr[k];
                    for (int c = 0; c < 3 && !a.locked[k]; ++c) {
                        const int row = first + (slide ? 3 : 6) + c;
                        d.at(row, at) -= part(s, c), d.at(at, row) -= part(s, c);
                    }
                    d.rhs(at) = a.locked[k] ? 0 : -a.u[k];
                    ++k;
                };
                if (turns) column(x, false);
                if (slides) column(x, true);
                for (int c = 0; c < 3 && sort == Sort::RowBall; ++c) column(a.s[c], false);
            }
        }
        for (int k = 0; k < 9; ++k)
            if (!used[k]) d.at(first + k, first + k) = 1;
    }

    // n.(D - dx) - alpha f = -residual; forces lambda + f along n, and t across it.
    void addRod(Dense& d, const Numbers& a, int i, int p, int row, Vec3d r, Vec3d rp, Vec3d apart) {
        const Vec3d n = (-1 / length(apart)) * apart;
        rodAlong_[std::size_t(i)] = n;
        addRelative(d, row, i, p, r, rp, -n);
        d.at(row, row) = -a.alpha;
        d.rhs(row) = -a.residual;
        // w over dp and dth: the relative displacement along a direction; the energy t w w^T / 2 of two across n.
        const Vec3d u = normalize(cross(n, std::abs(n.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})), v = cross(n, u);
        auto gradient = [&](Vec3d along) {
            std::vector<std::pair<int, double>> w;
            for (int c = 0; c < 3; ++c) {
                w.push_back({6 * i + c, part(along, c)}), w.push_back({6 * i + 3 + c, part(cross(r, along), c)});
                if (p < 0) continue;
                w.push_back({6 * p + c, -part(along, c)}), w.push_back({6 * p + 3 + c, -part(cross(rp, along), c)});
            }
            return w;
        };
        for (Vec3d along : {u, v}) {
            const auto w = gradient(along);
            for (const auto& x : w)
                for (const auto& y : w) d.at(x.first, y.first) += a.t * x.second * y.second;
        }
        for (const auto& x : gradient(n)) d.rhs(x.first) += a.lambda * x.second; // the pull that is there already
    }

    std::vector<Vec3d> rodAlong_;
};

void expectNear(Vec3d a, Vec3d b, double tolerance, const char* what, unsigned seed, int i) {
    EXPECT_LT(length(a - b), tolerance * (1 + length(b))) << what << " of body " << i << ", seed " << seed;
}

void expectSolves(const Shape& shape, unsigned seed) {
    const std::vector<Numbers> all = someNumbers(seed + 1000, int(shape.parent.size()));
    const Solved<double> s(shape, {all});
    const double h2 = s.t.time.h2;
    const Reference dense(shape, all, h2);
    for (int i = 0; i < s.t.units; ++i) {
        const TreeBody<double>& b = s.body[std::size_t(i)];
        const TreeJoint<double>& j = s.joint[std::size_t(i)];
        expectNear(b.dth, dense.dth[std::size_t(i)], 1e-8, "turn", seed, i);
        expectNear(b.dp, dense.dp[std::size_t(i)], 1e-8, "displacement", seed, i);
        expectNear(b.da, b.dp + cross(b.dth, b.r), 1e-12, "anchor", seed, i);
        if (shape.sort[std::size_t(i)] == Sort::Free) continue;
        expectNear(h2 * j.F, dense.F[std::size_t(i)], 1e-7, "force", seed, i);
        if (j.kind == Kind::Axial || j.kind == Kind::RowBall)
            expectNear(h2 * j.T, dense.T[std::size_t(i)], 1e-7, "torque", seed, i);
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

template <class W> void expectSameBits(const Shape& shape, unsigned seed) {
    std::vector<std::vector<Numbers>> lanes;
    for (int k = 0; k < lanesOf<W>; ++k)
        lanes.push_back(someNumbers(seed * 10 + unsigned(k), int(shape.parent.size())));
    const Solved<W> wide(shape, lanes);
    for (int k = 0; k < lanesOf<W>; ++k) {
        const Solved<double> one(shape, {lanes[std::size_t(k)]});
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

// A step shuts joints that were open by a little to second order: the rows are the gradients of the gaps.
TEST(Tree, AStepShutsGapsToSecondOrder) {
    for (Sort sort : {Sort::Ball, Sort::Hinge, Sort::Slider, Sort::Cylinder, Sort::Fixed}) {
        double open[2] = {0, 0};
        for (int fine : {0, 1}) {
            const double size = fine ? 1e-3 : 1e-2;
            const Shape shape = {{-1, 0, 1}, {sort, sort, sort}};
            for (unsigned seed = 0; seed < 10; ++seed) {
                std::vector<Numbers> all = someNumbers(seed, 3);
                for (std::size_t i = 0; i < 3; ++i) { // shut, then off by about `size`
                    Numbers& a = all[i];
                    const Vec3d px = i == 0 ? a.gx : all[i - 1].x;
                    const Quatd pq = i == 0 ? a.gq : all[i - 1].q;
                    a.frameOff = Quatd::identity(), a.F = a.cp = a.ct = {0, 0, 0};
                    a.x = px + rotate(pq, a.lp) - rotate(a.q, a.lc);
                    for (int k = 0; k < 3; ++k) a.u[k] = 0, a.locked[k] = false;
                }
                Solved<double> s(shape, {all});
                for (std::size_t i = 0; i < 3; ++i) {
                    const Vec3d v = size * normalize(all[i].e);
                    s.body[i].x = s.body[i].x + v, s.body[i].q = turned(cross(v, {0.3, 0.5, 0.7}), s.body[i].q);
                    s.body[i].R = toMat3(s.body[i].q);
                }
                TreeWorst<double> before, after;
                for (int i = 0; i < 3; ++i)
                    measureJoint(s.joint[std::size_t(i)], s.body[std::size_t(i)], parentOf(s.t, i), s.t.time, true, true, before);
                EXPECT_GT(before.gap, 0.1 * size);
                solveAll(s.t, true);
                for (std::size_t i = 0; i < 3; ++i) {
                    s.body[i].x = s.body[i].x + s.body[i].dp, s.body[i].q = turned(s.body[i].dth, s.body[i].q);
                    s.body[i].R = toMat3(s.body[i].q);
                }
                for (int i = 0; i < 3; ++i)
                    measureJoint(s.joint[std::size_t(i)], s.body[std::size_t(i)], parentOf(s.t, i), s.t.time, true, true, after);
                open[fine] = std::max(open[fine], after.gap);
            }
        }
        EXPECT_LT(open[1], 1e-4) << int(sort);
        EXPECT_LT(open[1], open[0] / 50) << int(sort); // a tenth of the error, a hundredth of the rest
    }
}

// The geometric stiffness: with l a force at lever r, the second derivative of l.(R r) for turns of R is
// (l r^T + r l^T)/2 - l.r; a shift makes it positive.
TEST(Tree, GeometricStiffnessIsTheHessianShifted) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int n = 0; n < 50; ++n) {
        const Vec3d l = {normal(random), normal(random), normal(random)}, r = {normal(random), normal(random), normal(random)};
        const Sym3<double> K = geometric(l, r);
        const double shift = 0.5 * (length(l) * length(r) + dot(l, r)), h = 1e-4;
        for (int trial = 0; trial < 5; ++trial) {
            const Vec3d a = {normal(random), normal(random), normal(random)};
            auto energy = [&](double s) { return dot(l, rotate(exp(s * a), r)); };
            const double second = (energy(h) - 2 * energy(0) + energy(-h)) / (h * h);
            EXPECT_NEAR(dot(a, K * a), second + shift * dot(a, a), 1e-5 * (1 + dot(a, a)) * length(l) * length(r));
            EXPECT_GE(dot(a, K * a), -1e-12);
        }
    }
}

} // namespace
} // namespace capstan
