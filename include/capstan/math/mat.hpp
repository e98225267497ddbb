// SPDX-License-Identifier: MIT
// 3 x 3 matrices. Mat3<R> has three columns, the images of the x, y and z axes. Sym3<R> is symmetric and has
// six numbers; masses, inertias and stiffness blocks use it.
//
// Inverses: well-conditioned matrices use the adjugate. Nearly singular ones use the root-free Cholesky
// factorisation A = L D L^T (Golub & Van Loan, Matrix Computations, 4.1.2). Its pivots are kept above a
// floor, so a direction without stiffness gives a large finite result instead of an infinite one.
#pragma once
#include <capstan/math/vec.hpp>

namespace capstan {

template <class R> struct Sym3 {
    R xx, yy, zz, xy, xz, yz;

    CAPSTAN_INLINE static Sym3 diagonal(Vec<R> d) { return {d.x, d.y, d.z, R(0.0f), R(0.0f), R(0.0f)}; }
    CAPSTAN_INLINE static Sym3 scaledIdentity(R s) { return diagonal({s, s, s}); }
    CAPSTAN_INLINE static Sym3 identity() { return scaledIdentity(R(1.0f)); }
    CAPSTAN_INLINE Sym3& operator+=(Sym3 b) { return *this = *this + b; }
    CAPSTAN_INLINE Sym3& operator-=(Sym3 b) { return *this = *this - b; }
};

template <class R> CAPSTAN_INLINE Sym3<R> operator+(Sym3<R> a, Sym3<R> b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class R> CAPSTAN_INLINE Sym3<R> operator-(Sym3<R> a, Sym3<R> b) {
    return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class R> CAPSTAN_INLINE Sym3<R> operator*(Same<R> s, Sym3<R> a) {
    return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}
template <class R> CAPSTAN_INLINE Vec<R> operator*(Sym3<R> a, Vec<R> v) {
    return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
// Returns the matrix v v^T.
template <class R> CAPSTAN_INLINE Sym3<R> outer(Vec<R> v) {
    return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
}
template <class R> CAPSTAN_INLINE R trace(Sym3<R> a) { return a.xx + a.yy + a.zz; }
template <class R> CAPSTAN_INLINE R determinant(Sym3<R> a) {
    return a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
           a.xz * (a.xy * a.yz - a.yy * a.xz);
}
template <class R> CAPSTAN_INLINE Sym3<R> inverse(Sym3<R> a) {
    R d = R(1.0f) / determinant(a);
    return d * Sym3<R>{a.yy * a.zz - a.yz * a.yz, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy,
                       a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy, a.xy * a.xz - a.xx * a.yz};
}

// Factors of A = L D L^T with unit lower L: the reciprocals of D, and the three entries of L below its diagonal.
template <class R> struct Ldlt3 { R dx, dy, dz, lyx, lzx, lzy; };

// Factorises `a`. Pivots below pivotFloor are replaced by pivotFloor.
template <class R> CAPSTAN_INLINE Ldlt3<R> ldlt(Sym3<R> a, Same<R> pivotFloor) {
    R dx = R(1.0f) / max(a.xx, pivotFloor);
    R lyx = a.xy * dx, lzx = a.xz * dx;
    R dy = R(1.0f) / max(a.yy - lyx * a.xy, pivotFloor);
    R u = a.yz - lzx * a.xy;
    R lzy = u * dy;
    R dz = R(1.0f) / max(a.zz - lzx * a.xz - lzy * u, pivotFloor);
    return {dx, dy, dz, lyx, lzx, lzy};
}
template <class R> CAPSTAN_INLINE Vec<R> solve(Ldlt3<R> f, Vec<R> b) {
    R y = b.y - f.lyx * b.x;
    R z = (b.z - f.lzx * b.x - f.lzy * y) * f.dz;
    y = y * f.dy - f.lzy * z;
    return {b.x * f.dx - f.lyx * y - f.lzx * z, y, z};
}
template <class R> CAPSTAN_INLINE Vec<R> ldltSolve(Sym3<R> a, Vec<R> b, Same<R> pivotFloor) {
    return solve(ldlt(a, pivotFloor), b);
}
// Returns the inverse L^-T D^-1 L^-1. M = L^-1 is written out: mzx is its entry in row z and column x.
template <class R> CAPSTAN_INLINE Sym3<R> ldltInverse(Sym3<R> a, Same<R> pivotFloor) {
    Ldlt3<R> f = ldlt(a, pivotFloor);
    R mzx = f.lyx * f.lzy - f.lzx;
    R yy = f.dy * f.lyx, zx = f.dz * mzx, zy = f.dz * f.lzy;
    return {f.dx + yy * f.lyx + zx * mzx, f.dy + zy * f.lzy, f.dz, -yy - zx * f.lzy, zx, -zy};
}

template <class R> struct Mat3 {
    Vec<R> x, y, z; // columns: images of the x, y and z axes

    CAPSTAN_INLINE static Mat3 diagonal(Vec<R> d) {
        R o = R(0.0f);
        return {{d.x, o, o}, {o, d.y, o}, {o, o, d.z}};
    }
    CAPSTAN_INLINE static Mat3 identity() { return diagonal({R(1.0f), R(1.0f), R(1.0f)}); }
    CAPSTAN_INLINE Mat3& operator+=(Mat3 b) { return *this = *this + b; }
    CAPSTAN_INLINE Mat3& operator-=(Mat3 b) { return *this = *this - b; }
};

template <class R> CAPSTAN_INLINE Mat3<R> operator+(Mat3<R> a, Mat3<R> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R> CAPSTAN_INLINE Mat3<R> operator-(Mat3<R> a, Mat3<R> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R> CAPSTAN_INLINE Mat3<R> operator*(Same<R> s, Mat3<R> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class R> CAPSTAN_INLINE Vec<R> operator*(Mat3<R> a, Vec<R> v) {
    return v.x * a.x + v.y * a.y + v.z * a.z;
}
template <class R> CAPSTAN_INLINE Mat3<R> operator*(Mat3<R> a, Mat3<R> b) {
    return {a * b.x, a * b.y, a * b.z};
}
template <class R> CAPSTAN_INLINE Mat3<R> toMat3(Sym3<R> a) {
    return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
template <class R> CAPSTAN_INLINE Mat3<R> operator*(Mat3<R> a, Sym3<R> s) { return a * toMat3(s); }
template <class R> CAPSTAN_INLINE Mat3<R> operator*(Sym3<R> s, Mat3<R> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class R> CAPSTAN_INLINE Mat3<R> transpose(Mat3<R> a) {
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
// Returns a^T v without forming a^T.
template <class R> CAPSTAN_INLINE Vec<R> transposeTimes(Mat3<R> a, Vec<R> v) {
    return {dot(a.x, v), dot(a.y, v), dot(a.z, v)};
}
// Returns the matrix a b^T.
template <class R> CAPSTAN_INLINE Mat3<R> outer(Vec<R> a, Vec<R> b) { return {b.x * a, b.y * a, b.z * a}; }
// Returns the matrix [r]x, for which crossMatrix(r) * v = cross(r, v).
template <class R> CAPSTAN_INLINE Mat3<R> crossMatrix(Vec<R> r) {
    R o = R(0.0f);
    return {{o, r.z, -r.y}, {-r.z, o, r.x}, {r.y, -r.x, o}};
}
// Returns a s a^T. It rotates a symmetric matrix, such as an inertia, from the axes of frame a into the world.
template <class R> CAPSTAN_INLINE Sym3<R> congruence(Mat3<R> a, Sym3<R> s) {
    Mat3<R> b = transpose(a * s), t = transpose(a); // the columns of b and t are the rows of a s and of a
    return {dot(b.x, t.x), dot(b.y, t.y), dot(b.z, t.z), dot(b.x, t.y), dot(b.x, t.z), dot(b.y, t.z)};
}
template <class R> CAPSTAN_INLINE R determinant(Mat3<R> a) { return dot(a.x, cross(a.y, a.z)); }
// The rows of the inverse are the cross products of the columns over the determinant.
template <class R> CAPSTAN_INLINE Mat3<R> inverse(Mat3<R> a) {
    R d = R(1.0f) / determinant(a);
    return d * transpose(Mat3<R>{cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)});
}

} // namespace capstan
