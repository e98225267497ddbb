// SPDX-License-Identifier: MIT
// Tests of the requirements on every constraint, for all entries of the list of constraints. So a new entry is tested
// without a change here.
#include "math/pack.hpp"
#include "model/constraints/all.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace capstan {
namespace {

template <class C, class R> using Params = typename C::template Params<R>;

template <class C> class EveryConstraint : public ::testing::Test {
protected:
    std::mt19937 random{7};
    double number(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    }

    template <class R> void points(Vec<R> (&x)[C::points]) {
        for (Vec<R>& p : x) p = {R(number(-1, 1)), R(number(-1, 1)), R(number(-1, 1))};
    }
    template <class R> Params<C, R> params() {
        Params<C, R> k;
        R* field = reinterpret_cast<R*>(&k);
        for (std::size_t i = 0; i < sizeof k / sizeof(R); ++i) field[i] = R(number(0.1, 0.5));
        return k;
    }
};

template <class L> struct TypesOf;
template <class... C> struct TypesOf<List<C...>> { using Types = ::testing::Types<C...>; };
struct Names {
    template <class C> static std::string GetName(int) { return C::name; }
};
TYPED_TEST_SUITE(EveryConstraint, typename TypesOf<Constraints>::Types, Names);

TYPED_TEST(EveryConstraint, GradientAgreesWithFiniteDifferences) {
    using C = TypeParam;
    for (int trial = 0; trial < 100; ++trial) {
        Vec<double> x[C::points];
        this->points(x);
        const Params<C, double> k = this->template params<double>();
        const Row<double, C::points> row = C::eval(x, k);
        for (int p = 0; p < C::points; ++p) {
            for (double Vec<double>::*axis : {&Vec<double>::x, &Vec<double>::y, &Vec<double>::z}) {
                const double d = 1e-6, at = x[p].*axis;
                x[p].*axis = at + d;
                const double up = C::eval(x, k).c;
                x[p].*axis = at - d;
                const double down = C::eval(x, k).c;
                x[p].*axis = at;
                EXPECT_NEAR((up - down) / (2 * d), row.grad[p].*axis, 1e-7);
            }
        }
    }
}

TYPED_TEST(EveryConstraint, KeepsLinearAndAngularMomentum) {
    using C = TypeParam;
    for (int trial = 0; trial < 100; ++trial) {
        Vec<double> x[C::points];
        this->points(x);
        const Row<double, C::points> row = C::eval(x, this->template params<double>());
        Vec<double> push = {0, 0, 0}, turn = {0, 0, 0};
        for (int p = 0; p < C::points; ++p) {
            push += row.grad[p];
            turn += cross(x[p], row.grad[p]);
        }
        EXPECT_LT(length(push), 1e-12);
        EXPECT_LT(length(turn), 1e-12);
    }
}

TYPED_TEST(EveryConstraint, ConvergesAndPinnedPointsDoNotMove) {
    using C = TypeParam;
    for (int trial = 0; trial < 100; ++trial) {
        Vec<double> x[C::points];
        this->points(x);
        Params<C, double> k = this->template params<double>();
        k.compliance = 0;
        double w[C::points], lambda = 0;
        for (double& one : w) one = this->number(0.1, 2);
        w[0] = 0;
        const Vec<double> pinned = x[0];
        for (int i = 0; i < 200; ++i) {
            const Row<double, C::points> row = C::eval(x, k);
            const double dl = multiplierStep<C::oneSided>(row, w, lambda, 0.0);
            lambda += dl;
            for (int p = 0; p < C::points; ++p) x[p] += (w[p] * dl) * row.grad[p];
        }
        const double c = C::eval(x, k).c;
        EXPECT_LT(C::oneSided ? max(c, 0.0) : abs(c), 1e-9);
        EXPECT_TRUE(x[0] == pinned);
        if (C::oneSided) {
            EXPECT_LE(lambda, 0);
        }
    }
}

TYPED_TEST(EveryConstraint, ComplianceIsAForceBalanceAndNotASweepCount) {
    using C = TypeParam;
    Vec<double> start[C::points];
    this->points(start);
    Params<C, double> k = this->template params<double>();
    *reinterpret_cast<double*>(&k) = 0.05; // far from rest, so that one-sided constraints act
    const double a = 3;
    double w[C::points];
    for (double& one : w) one = 1;
    for (int sweeps : {50, 400}) {
        Vec<double> x[C::points];
        for (int p = 0; p < C::points; ++p) x[p] = start[p];
        double lambda = 0;
        for (int i = 0; i < sweeps; ++i) {
            const Row<double, C::points> row = C::eval(x, k);
            const double dl = multiplierStep<C::oneSided>(row, w, lambda, a);
            lambda += dl;
            for (int p = 0; p < C::points; ++p) x[p] += (w[p] * dl) * row.grad[p];
        }
        EXPECT_NEAR(C::eval(x, k).c, -a * lambda, 1e-9);
    }
}

TYPED_TEST(EveryConstraint, ScalarAndPackGiveTheSameBits) {
    using C = TypeParam;
    for (int trial = 0; trial < 50; ++trial) {
        float in[C::points][3][kLanes], par[sizeof(Params<C, float>) / sizeof(float)][kLanes];
        for (auto& p : in)
            for (auto& axis : p)
                for (float& one : axis) one = float(this->number(-1, 1));
        for (auto& p : par)
            for (float& one : p) one = float(this->number(0.1, 0.5));
        auto eval = [&]<class R>(int at) {
            Vec<R> x[C::points];
            for (int p = 0; p < C::points; ++p)
                x[p] = {load<R>(in[p][0] + at), load<R>(in[p][1] + at), load<R>(in[p][2] + at)};
            Params<C, R> k;
            R* field = reinterpret_cast<R*>(&k);
            for (std::size_t i = 0; i < std::size(par); ++i) field[i] = load<R>(par[i] + at);
            const Row<R, C::points> row = C::eval(x, k);
            R w[C::points];
            for (R& one : w) one = R(0.7f);
            return multiplierStep<C::oneSided>(row, w, R(-0.01f), k.compliance) * row.grad[0].x + row.c;
        };
        const PackF wide = eval.template operator()<PackF>(0);
        for (int k = 0; k < kLanes; ++k) EXPECT_EQ(lane(wide, k), eval.template operator()<float>(k));
    }
}

} // namespace
} // namespace capstan
