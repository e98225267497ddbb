// SPDX-License-Identifier: MIT
// Tests of Mat3 and Sym3 against identities of linear algebra, for float, double and both Packs.
#include "math/pack.hpp"
#include <capstan/math/mat.hpp>

#include <gtest/gtest.h>

#include <random>

namespace capstan {
namespace {

template <class R> struct MatTest : testing::Test {
    std::mt19937 rng{4};
    R tol = R(200.0f * RealTraits<R>::epsilon);
    R number() {
        ElementOf<R> v[lanesOf<R>];
        std::uniform_real_distribution<ElementOf<R>> d(-1, 1);
        for (auto& x : v) x = d(rng);
        return load<R>(v);
    }
    Vec<R> vec() { return {number(), number(), number()}; }
    Mat3<R> mat() { return {vec(), vec(), vec()}; }
    // Returns a positive definite matrix with eigenvalues from 1 to 4.
    Sym3<R> definite() { return Sym3<R>::identity() + outer(vec()); }

    static R size(Mat3<R> a) { return sqrt(lengthSquared(a.x) + lengthSquared(a.y) + lengthSquared(a.z)); }
    static R size(Sym3<R> a) { return size(toMat3(a)); }
};
using MatReals = testing::Types<float, double, PackF, PackD>;
TYPED_TEST_SUITE(MatTest, MatReals);

TYPED_TEST(MatTest, ObeysTheIdentities) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Mat3<R> a = this->mat(), b = this->mat();
        Vec<R> v = this->vec(), w = this->vec();
        R s = this->number();
        EXPECT_TRUE(all(length((a * b) * v - a * (b * v)) < this->tol));
        EXPECT_TRUE(all(this->size(transpose(a * b) - transpose(b) * transpose(a)) < this->tol));
        EXPECT_TRUE(all(length(transposeTimes(a, v) - transpose(a) * v) < this->tol));
        EXPECT_TRUE(all(length((s * a + b) * v - (s * (a * v) + b * v)) < this->tol));
        EXPECT_TRUE(all(abs(determinant(a * b) - determinant(a) * determinant(b)) < this->tol));
        EXPECT_TRUE(all(length(crossMatrix(v) * w - cross(v, w)) < this->tol));
        EXPECT_TRUE(all(length(outer(v, w) * a.x - dot(w, a.x) * v) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(outer(v)) - outer(v, v)) == R(0.0f)));
        EXPECT_TRUE(all(length(Mat3<R>::diagonal(v) * w - multiply(v, w)) < this->tol));
        EXPECT_TRUE(all(length(Mat3<R>::identity() * w - w) == R(0.0f)));
        a += b;
        a -= b;
        EXPECT_TRUE(all(length(a * v - (a + b) * v + b * v) < this->tol));
    }
}

TYPED_TEST(MatTest, SymmetricAgreesWithFull) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Sym3<R> s = this->definite(), t = this->definite();
        Mat3<R> a = this->mat(), full = toMat3(s);
        Vec<R> v = this->vec();
        EXPECT_TRUE(all(length(s * v - full * v) < this->tol));
        EXPECT_TRUE(all(this->size(a * s - a * full) < this->tol));
        EXPECT_TRUE(all(this->size(s * a - full * a) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(congruence(a, s)) - a * full * transpose(a)) < this->tol));
        EXPECT_TRUE(all(abs(determinant(s) - determinant(full)) < this->tol));
        EXPECT_TRUE(all(abs(trace(s) - (full.x.x + full.y.y + full.z.z)) < this->tol));
        EXPECT_TRUE(all(this->size(R(2.0f) * s + t - s - (s + t)) < this->tol));
        EXPECT_TRUE(all(length(Sym3<R>::diagonal(v) * v - multiply(v, v)) == R(0.0f)));
        // -[v]x [v]x = |v|^2 I - v v^T, the inertia of a unit point mass at v
        Mat3<R> c = crossMatrix(v);
        Sym3<R> inertia = Sym3<R>::scaledIdentity(lengthSquared(v)) - outer(v);
        EXPECT_TRUE(all(this->size(toMat3(inertia) + c * c) < this->tol));
    }
}

TYPED_TEST(MatTest, InverseTimesMatrixIsTheIdentity) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Sym3<R> s = this->definite();
        Mat3<R> full = Mat3<R>::identity() + R(0.3f) * this->mat(), one = Mat3<R>::identity();
        Vec<R> b = this->vec();
        EXPECT_TRUE(all(this->size(inverse(full) * full - one) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(inverse(s)) * toMat3(s) - one) < this->tol));
        EXPECT_TRUE(all(this->size(toMat3(ldltInverse(s, 0.0f)) * toMat3(s) - one) < this->tol));
        EXPECT_TRUE(all(length(s * ldltSolve(s, b, 0.0f) - b) < this->tol));
        EXPECT_TRUE(all(length(ldltInverse(s, 0.0f) * b - ldltSolve(s, b, 0.0f)) < this->tol));
    }
}

// With the eigenvalues 1, 1e-4 and 1, the backward error of LDL^T stays at the level of rounding.
TYPED_TEST(MatTest, LdltIsBackwardStable) {
    using R = TypeParam;
    for (int i = 0; i < 500; ++i) {
        Vec<R> n = normalize(this->vec(), Vec<R>{R(1.0f), R(0.0f), R(0.0f)}), b = this->vec();
        Sym3<R> s = Sym3<R>::identity() - R(0.9999f) * outer(n);
        Vec<R> x = ldltSolve(s, b, 0.0f);
        EXPECT_TRUE(all(length(s * x - b) < this->tol * (R(1.0f) + length(x))));
    }
}

TYPED_TEST(MatTest, PivotFloorKeepsSingularSystemsFinite) {
    using R = TypeParam;
    Vec<R> b{R(1.0f), R(2.0f), R(3.0f)}, y{R(0.0f), R(1.0f), R(0.0f)};
    for (Sym3<R> s : {R(0.0f) * Sym3<R>::identity(), outer(y), R(-1.0f) * Sym3<R>::identity()}) {
        Vec<R> x = ldltSolve(s, b, 1e-6f);
        EXPECT_TRUE(all(length(x) < R(1e7f)));
        EXPECT_TRUE(all(this->size(ldltInverse(s, 1e-6f)) < R(1e7f)));
        EXPECT_TRUE(all(length(x - ldltInverse(s, 1e-6f) * b) <= this->tol * length(x)));
    }
    EXPECT_TRUE(all(abs(ldltSolve(outer(y), b, 1e-6f).y - R(2.0f)) < this->tol));
}

} // namespace
} // namespace capstan
