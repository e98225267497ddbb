// SPDX-License-Identifier: MIT
// Tests of DualQuat against a rotation matrix and a translation. Both blends must give a rigid motion.
#include "math/dual_quat.hpp"
#include "math/pack.hpp"

#include <gtest/gtest.h>

#include <random>

namespace capstan {
namespace {

template <class R> struct DualQuatTest : testing::Test {
    using T = ElementOf<R>;
    std::mt19937 rng{9};
    R tol = R(60.0f * RealTraits<R>::epsilon);
    R number(T low = -1, T high = 1) {
        T v[lanesOf<R>];
        std::uniform_real_distribution<T> d(low, high);
        for (T& x : v) x = d(rng);
        return load<R>(v);
    }
    Vec<R> vec() { return {number(), number(), number()}; }
    Quat<R> quat() { return normalize(Quat<R>{number(), number(), number(), number()}); }
    DualQuat<R> motion() { return DualQuat<R>::fromRotationTranslation(quat(), vec()); }

    void expectRigid(DualQuat<R> a) {
        EXPECT_TRUE(all(abs(length(a.real) - R(1.0f)) < tol));
        EXPECT_TRUE(all(abs(dot(a.real, a.dual)) < tol));
        // A unit box keeps its volume.
        Vec<R> o{R(0.0f), R(0.0f), R(0.0f)}, x{R(1.0f), R(0.0f), R(0.0f)}, y{R(0.0f), R(1.0f), R(0.0f)};
        Vec<R> z{R(0.0f), R(0.0f), R(1.0f)}, at = transformPoint(a, o);
        Mat3<R> box{transformPoint(a, x) - at, transformPoint(a, y) - at, transformPoint(a, z) - at};
        EXPECT_TRUE(all(abs(determinant(box) - R(1.0f)) < tol));
    }
    void expectSame(DualQuat<R> a, DualQuat<R> b, float factor = 1.0f) {
        for (int i = 0; i < 3; ++i) {
            Vec<R> p = vec();
            EXPECT_TRUE(all(length(transformPoint(a, p) - transformPoint(b, p)) < R(factor) * tol));
        }
    }
};
using Reals = testing::Types<float, double, PackF, PackD>;
TYPED_TEST_SUITE(DualQuatTest, Reals);

TYPED_TEST(DualQuatTest, ComposesAsMatricesDo) {
    using R = TypeParam;
    for (int i = 0; i < 300; ++i) {
        Quat<R> qa = this->quat(), qb = this->quat();
        Vec<R> ta = this->vec(), tb = this->vec(), p = this->vec();
        auto a = DualQuat<R>::fromRotationTranslation(qa, ta),
             b = DualQuat<R>::fromRotationTranslation(qb, tb);
        Mat3<R> ma = toMat3(qa), mb = toMat3(qb);
        EXPECT_TRUE(all(length(transformPoint(a, p) - (ma * p + ta)) < this->tol));
        EXPECT_TRUE(all(length(transformPoint(a * b, p) - (ma * (mb * p + tb) + ta)) < this->tol));
        EXPECT_TRUE(all(length(transformVector(a * b, p) - ma * (mb * p)) < this->tol));
        EXPECT_TRUE(all(length(translation(a * b) - (ma * tb + ta)) < this->tol));
        EXPECT_TRUE(all(length(rotation(a) - qa) == R(0.0f)));
        this->expectSame(conjugate(a) * a, DualQuat<R>::identity());
        this->expectSame(a * DualQuat<R>::identity(), a);
    }
}

TYPED_TEST(DualQuatTest, NormalizeRestoresBothConditions) {
    using R = TypeParam;
    for (int i = 0; i < 300; ++i) {
        DualQuat<R> a = this->motion();
        R s = this->number(1, 3);
        this->expectSame(normalize(s * a), a);
        // Adding a multiple of `real` to `dual` does not change the motion, because normalize() removes it.
        this->expectSame(normalize(DualQuat<R>{s * a.real, s * a.dual + this->number() * a.real}), a);
        this->expectRigid(normalize(a + R(0.5f) * this->motion()));
    }
    this->expectSame(normalize(R(0.0f) * DualQuat<R>::identity()), DualQuat<R>::identity());
}

TYPED_TEST(DualQuatTest, BlendIsRigidAndIgnoresTheSign) {
    using R = TypeParam;
    for (int i = 0; i < 300; ++i) {
        DualQuat<R> q[4] = {this->motion(), this->motion(), this->motion(), this->motion()};
        R w[4] = {R(1.0f), this->number(0, 1), this->number(0, 1), this->number(0, 1)};
        DualQuat<R> b = blend(q, w, 4);
        this->expectRigid(b);
        DualQuat<R> flipped[4] = {q[0], R(-1.0f) * q[1], q[2], R(-1.0f) * q[3]};
        this->expectSame(blend(flipped, w, 4), b);
        R only[4] = {R(1.0f), R(0.0f), R(0.0f), R(0.0f)};
        this->expectSame(blend(q, only, 4), q[0]);
        DualQuat<R> alike[4] = {q[0], R(-1.0f) * q[0], q[0], R(-1.0f) * q[0]};
        this->expectSame(blend(alike, w, 4), q[0]);
    }
}

// Half way between no rotation and 90 degrees is 45 degrees. A linear blend of matrices would shrink the object.
TYPED_TEST(DualQuatTest, BlendOfTwoTurnsIsHalfWay) {
    using R = TypeParam;
    const ElementOf<R> quarter = ElementOf<R>(1.57079632679489661923);
    const Vec<R> z{R(0.0f), R(0.0f), R(1.0f)}, o{R(0.0f), R(0.0f), R(0.0f)};
    auto turn = [&](R angle) {
        return DualQuat<R>::fromRotationTranslation(Quat<R>::fromAxisAngle(z, angle), o);
    };
    DualQuat<R> q[2] = {turn(R(0.0f)), turn(R(quarter))};
    R w[2] = {R(0.5f), R(0.5f)};
    this->expectSame(blend(q, w, 2), turn(R(quarter / 2)));
    this->expectSame(sclerp(q[0], q[1], 0.5f), turn(R(quarter / 2)));
}

TYPED_TEST(DualQuatTest, ScrewEndsAndKeepsItsSpeed) {
    using R = TypeParam;
    for (int i = 0; i < 100; ++i) {
        DualQuat<R> a = this->motion(), b = this->motion();
        this->expectSame(sclerp(a, b, 0.0f), a);
        this->expectSame(sclerp(a, b, 1.0f), b);
        this->expectSame(sclerp(a, R(-1.0f) * b, 0.3f), sclerp(a, b, 0.3f));
        // A screw motion at constant speed is the power of one motion, so the step can be repeated.
        DualQuat<R> step = conjugate(a) * sclerp(a, b, 0.25f);
        this->expectRigid(step);
        this->expectSame(normalize(a * step * step * step * step), b, 2.0f);
    }
}

// The motion is a helix about an axis through c. The interpolation must follow the helix, not a straight line.
TYPED_TEST(DualQuatTest, ScrewIsAHelix) {
    using R = TypeParam;
    for (float angle : {0.0f, 1e-20f, 1e-9f, 1e-3f, 1.0f, 3.0f}) {
        Vec<R> l = normalize(this->vec(), {R(1.0f), R(0.0f), R(0.0f)}), c = this->vec();
        R pitch = this->number();
        auto helix = [&](R t) {
            Quat<R> q = Quat<R>::fromAxisAngle(l, t * R(angle));
            return DualQuat<R>::fromRotationTranslation(q, t * pitch * l + (c - rotate(q, c)));
        };
        DualQuat<R> a = this->motion(), b = a * helix(R(1.0f));
        for (float t : {0.1f, 0.5f, 0.8f}) this->expectSame(sclerp(a, b, t), a * helix(R(t)));
    }
}

} // namespace
} // namespace capstan
