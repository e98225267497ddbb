// SPDX-License-Identifier: MIT
// A Mat4 is a 4 x 4 matrix in GL's layout: sixteen floats, column by column.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan::render {

struct Mat4 {
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; // m[4 * column + row]

    const float* data() const { return m; }
};

struct Vec4 {
    float x = 0, y = 0, z = 0, w = 1;
};

Mat4 operator*(const Mat4& a, const Mat4& b);
Vec4 operator*(const Mat4& a, Vec4 v);
Mat4 inverse(const Mat4& a); // returns the identity if the matrix is singular
Mat4 lookAt(Vec3 eye, Vec3 target, Vec3 up);
Mat4 perspective(float fieldOfView, float aspect, float nearest, float farthest); // vertical angle in rad
Mat4 orthographic(float left, float right, float bottom, float top, float nearest, float farthest);

} // namespace capstan::render
