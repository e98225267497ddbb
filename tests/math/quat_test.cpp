// SPDX-License-Identifier: MIT
// Tests of Quat against rotation matrices, and of slerp, exp and log against their definitions.
#include "math/pack.hpp"
#include <capstan/math/quat.hpp>

#include <gtest/gtest.h>

#include <random>

namespace capstan {
namespace {

template <class R> struct QuatTest : testing::Test {
    using T = ElementOf<R>;
    std::mt19937 rng{6};
    R tol = R(30.0f * RealTraits<R>::epsilon);
    R number(T low = -1, T high = 1) {
        T v[lanesOf<R>];
        std::uniform_real_distribution<T> d(low, high);
        for (T& x : v) x = d(rng);
        return load<R>(v);
    }
    Vec<R> vec() { return {number(), number(), number()}; }
    Vec<R> unit() { return normalize(vec(), {R(1.0f), R(0.0f), R(0.0f)}); }
    Quat<R> quat() { return normalize(Quat<R>{number(), number(), number(), number()}); }
    // Returns the angle between two rotations from the chord, which is accurate where the cosine is not.
    static R angle(Quat<R> a, Quat<R> b) {
        return R(4.0f) * asin(R(0.5f) * min(length(a - b), length(a + b)));
    }
    static R size(Mat3<R> a) { return sqrt(lengthSquared(a.x) + lengthSquared(a.y) + lengthSquared(a.z)); }
};
using QuatReals = testing::Types<float, double, PackF, PackD>;
TYPED_TEST_SUITE(QuatTest, QuatReals);

TYPED_TEST(QuatTest, AxisAngleIsRodrigues) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Vec<R> n = this->unit(), v = this->vec();
        R a = this->number(-6, 6);
        SinCos<R> t = sincos(a);
        Vec<R> expected = t.cos * v + t.sin * cross(n, v) + (R(1.0f) - t.cos) * dot(n, v) * n;
        EXPECT_TRUE(all(length(rotate(Quat<R>::fromAxisAngle(n, a), v) - expected) < this->tol));
    }
    // A rotation by 90 degrees about z maps x to y.
    Quat<R> q = Quat<R>::fromAxisAngle({R(0.0f), R(0.0f), R(1.0f)}, R(ElementOf<R>(1.57079632679489661923)));
    EXPECT_TRUE(all(length(axisX(q) - Vec<R>{R(0.0f), R(1.0f), R(0.0f)}) < this->tol));
}

TYPED_TEST(QuatTest, AgreesWithItsMatrix) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Quat<R> a = this->quat(), b = this->quat();
        Vec<R> v = this->vec();
        Mat3<R> m = toMat3(a);
        EXPECT_TRUE(all(length(rotate(a, v) - m * v) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(a * b) - m * toMat3(b)) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(conjugate(a)) - transpose(m)) < this->tol));
        EXPECT_TRUE(all(this->size(transpose(m) * m - Mat3<R>::identity()) < this->tol));
        EXPECT_TRUE(all(abs(determinant(m) - R(1.0f)) < this->tol));
        EXPECT_TRUE(all(length(rotate(a * b, v) - rotate(a, rotate(b, v))) < this->tol));
        EXPECT_TRUE(all(length(rotate(conjugate(a), rotate(a, v)) - v) < this->tol));
        EXPECT_TRUE(all(length(rotate(-a, v) - rotate(a, v)) < this->tol));
    }
}

TYPED_TEST(QuatTest, NormalizeOfZeroIsTheIdentity) {
    using R = TypeParam;
    Quat<R> q = normalize(R(0.0f) * Quat<R>::identity());
    EXPECT_TRUE(all(q.w == R(1.0f)));
    EXPECT_TRUE(all(abs(length(normalize(R(1e-15f) * this->quat())) - R(1.0f)) < this->tol));
}

TYPED_TEST(QuatTest, ExpThenLogIsTheSameRotationVector) {
    using R = TypeParam;
    const R pi = R(ElementOf<R>(3.14159265358979323846));
    for (float length_ : {0.0f, 1e-30f, 1e-20f, 1e-12f, 1e-6f, 1e-3f, 1.0f, 3.0f, 3.14f, 3.1415f})
        for (int i = 0; i < 50; ++i) {
            Vec<R> v = R(length_) * this->unit();
            Quat<R> q = exp(v);
            EXPECT_TRUE(all(abs(length(q) - R(1.0f)) < this->tol)) << length_;
            EXPECT_TRUE(all(length(log(q) - v) <= this->tol * (length(v) + R(1e-30f)))) << length_;
            EXPECT_TRUE(all(length(log(-q) - v) <= this->tol * (length(v) + R(1e-30f)))) << length_;
        }
    // For a rotation by 180 degrees log returns the vector or its opposite, of length pi.
    for (int i = 0; i < 50; ++i) {
        Vec<R> n = this->unit(), v = log(Quat<R>::fromVector(n, R(0.0f)));
        EXPECT_TRUE(all(abs(length(v) - pi) < this->tol));
        EXPECT_TRUE(all(abs(abs(dot(v, n)) - pi) < this->tol));
    }
    // A rotation by more than 180 degrees becomes the shorter rotation in the opposite sense.
    for (int i = 0; i < 50; ++i) {
        Vec<R> n = this->unit();
        EXPECT_TRUE(all(length(log(exp(R(4.0f) * n)) - (R(4.0f) - R(2.0f) * pi) * n) < this->tol));
    }
}

TYPED_TEST(QuatTest, LogThenExpIsTheSameRotation) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Quat<R> q = this->quat();
        EXPECT_TRUE(all(this->angle(exp(log(q)), q) < this->tol));
    }
}

TYPED_TEST(QuatTest, IntegrateTurnsInTheWorld) {
    using R = TypeParam;
    Vec<R> w{R(0.3f), R(-0.2f), R(0.5f)};
    Quat<R> start = this->quat(), q = start;
    for (int i = 0; i < 128; ++i) q = integrate(q, R(1.0f / 128.0f) * w);
    EXPECT_TRUE(all(this->angle(q, exp(w) * start) < R(10.0f) * this->tol));
    EXPECT_TRUE(all(abs(length(q) - R(1.0f)) < this->tol));
}

TYPED_TEST(QuatTest, SlerpEndsAndKeepsItsSpeed) {
    using R = TypeParam;
    for (int i = 0; i < 100; ++i) {
        Quat<R> a = this->quat(), b = this->quat();
        R whole = this->angle(a, b);
        EXPECT_TRUE(all(this->angle(slerp(a, b, 0.0f), a) < this->tol));
        EXPECT_TRUE(all(this->angle(slerp(a, b, 1.0f), b) < this->tol));
        for (int k = 0; k < 10; ++k) {
            R t0 = R(0.1f * float(k)), t1 = R(0.1f * float(k + 1));
            R step = this->angle(slerp(a, b, t0), slerp(a, b, t1));
            EXPECT_TRUE(all(abs(step - (t1 - t0) * whole) < this->tol));
        }
        EXPECT_TRUE(all(this->angle(slerp(a, -b, 0.3f), slerp(a, b, 0.3f)) < this->tol)) << "the shorter way";
    }
}

TYPED_TEST(QuatTest, SlerpBetweenNeighboursIsSafe) {
    using R = TypeParam;
    for (float gap : {0.0f, 1e-30f, 1e-12f, 1e-7f, 1e-4f})
        for (int i = 0; i < 50; ++i) {
            Quat<R> a = this->quat(), b = exp(R(gap) * this->unit()) * a, q = slerp(a, b, 0.25f);
            EXPECT_TRUE(all(abs(length(q) - R(1.0f)) < this->tol)) << gap;
            EXPECT_TRUE(all(abs(this->angle(a, q) - R(0.25f * gap)) < this->tol)) << gap;
        }
}

TYPED_TEST(QuatTest, FromToTakesOneToTheOther) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Vec<R> a = this->unit(), b = this->unit();
        Quat<R> q = fromTo(a, b);
        EXPECT_TRUE(all(abs(length(q) - R(1.0f)) < this->tol));
        // Near the opposite direction a + b loses digits, and the error grows as 1 / |a + b|.
        EXPECT_TRUE(all(length(rotate(q, a) - b) * length(a + b) < this->tol));
        EXPECT_TRUE(all(abs(dot(q.vector(), a)) < this->tol))
            << "the axis is perpendicular: the shortest arc";
        EXPECT_TRUE(all(this->angle(fromTo(a, a), Quat<R>::identity()) < this->tol));
        Quat<R> half = fromTo(a, -a);
        EXPECT_TRUE(all(abs(length(half) - R(1.0f)) < this->tol));
        EXPECT_TRUE(all(length(rotate(half, a) + a) < this->tol));
    }
}

TEST(QuatPackTest, EachLaneHasTheBitsOfTheScalar) {
    std::mt19937 rng(8);
    std::uniform_real_distribution<float> d(-1, 1);
    for (int i = 0; i < 200; ++i) {
        float m[8][kLanes], got[4][kLanes];
        for (auto& row : m)
            for (float& x : row) x = d(rng);
        auto formula = [](auto a, auto b) {
            return fromTo(axisX(a), axisY(b)) * slerp(a, exp(log(b)), 0.3f);
        };
        auto quat = [&](int r) {
            return normalize(Quat<PackF>{load<PackF>(m[r]), load<PackF>(m[r + 1]), load<PackF>(m[r + 2]),
                                         load<PackF>(m[r + 3])});
        };
        Quat<PackF> q = formula(quat(0), quat(4));
        store(got[0], q.x);
        store(got[1], q.y);
        store(got[2], q.z);
        store(got[3], q.w);
        for (int k = 0; k < kLanes; ++k) {
            Quat<float> a = normalize(Quat<float>{m[0][k], m[1][k], m[2][k], m[3][k]});
            Quat<float> b = normalize(Quat<float>{m[4][k], m[5][k], m[6][k], m[7][k]}), s = formula(a, b);
            EXPECT_EQ(got[0][k], s.x);
            EXPECT_EQ(got[1][k], s.y);
            EXPECT_EQ(got[2][k], s.z);
            EXPECT_EQ(got[3][k], s.w);
        }
    }
}

} // namespace
} // namespace capstan
