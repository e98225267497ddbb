// SPDX-License-Identifier: MIT
// This file implements mat4.hpp. Clip space is GL's, with z from -1 to 1.
#include <render/view/mat4.hpp>

#include <cmath>
#include <utility>

namespace capstan::render {

Mat4 operator*(const Mat4& a, const Mat4& b) {
    Mat4 c;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += a.m[4 * k + row] * b.m[4 * column + k];
            c.m[4 * column + row] = sum;
        }
    }
    return c;
}

Vec4 operator*(const Mat4& a, Vec4 v) {
    const float in[4] = {v.x, v.y, v.z, v.w};
    float out[4] = {0, 0, 0, 0};
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) out[row] += a.m[4 * column + row] * in[column];
    return {out[0], out[1], out[2], out[3]};
}

// inverse uses Gauss-Jordan elimination with partial pivoting in double, because a projection with a far plane of a
// kilometre is badly conditioned.
Mat4 inverse(const Mat4& a) {
    double rows[4][8] = {};
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) rows[r][c] = double(a.m[4 * c + r]);
        rows[r][4 + r] = 1;
    }
    for (int c = 0; c < 4; ++c) {
        int pivot = c;
        for (int r = c + 1; r < 4; ++r)
            if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
        if (!(std::abs(rows[pivot][c]) > 0)) return {};
        for (int k = 0; k < 8; ++k) std::swap(rows[c][k], rows[pivot][k]);
        const double scale = 1 / rows[c][c];
        for (double& x : rows[c]) x *= scale;
        for (int r = 0; r < 4; ++r) {
            const double factor = r == c ? 0 : rows[r][c];
            for (int k = 0; k < 8; ++k) rows[r][k] -= factor * rows[c][k];
        }
    }
    Mat4 out;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) out.m[4 * c + r] = float(rows[r][4 + c]);
    return out;
}

Mat4 lookAt(Vec3 eye, Vec3 target, Vec3 up) {
    const Vec3 z = normalize(eye - target, {0, 0, 1});
    const Vec3 x = normalize(cross(up, z), perpendicular(z)), y = cross(z, x);
    return {
        {x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1}};
}

Mat4 perspective(float fieldOfView, float aspect, float nearest, float farthest) {
    const float f = 1 / std::tan(0.5f * fieldOfView), depth = nearest - farthest;
    return {{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (farthest + nearest) / depth, -1, 0, 0,
             2 * farthest * nearest / depth, 0}};
}

Mat4 orthographic(float left, float right, float bottom, float top, float nearest, float farthest) {
    const float w = right - left, h = top - bottom, d = farthest - nearest;
    return {{2 / w, 0, 0, 0, 0, 2 / h, 0, 0, 0, 0, -2 / d, 0, -(right + left) / w, -(top + bottom) / h,
             -(farthest + nearest) / d, 1}};
}

} // namespace capstan::render
