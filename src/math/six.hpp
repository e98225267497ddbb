// SPDX-License-Identifier: MIT
// The symmetric positive definite system A u = b for the displacement u = (dx, dtheta) of a body.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct Six {
    double a[6][6] = {}, b[6] = {};

    // Adds m J^T P J to A, with J = (1, -[r]x) and P = n n^T + across (1 - n n^T). The columns of J are the
    // displacements of the surface point at r for each unknown.
    void add(double m, Vec3d r, Vec3d n, double across) {
        const Vec3d column[6] = {{1, 0, 0},      {0, 1, 0},      {0, 0, 1},
                                 {0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
        double along[6];
        for (int i = 0; i < 6; ++i) along[i] = dot(column[i], n);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j)
                a[i][j] +=
                    m * (across * (dot(column[i], column[j]) - along[i] * along[j]) + along[i] * along[j]);
    }
    // Adds a force f and a torque to b.
    void load(Vec3d f, Vec3d torque) {
        const double all[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
        for (int i = 0; i < 6; ++i) b[i] += all[i];
    }
    // Replaces the lower half of A by its Cholesky factor.
    void factor() {
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j) {
                double sum = a[i][j];
                for (int k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
                a[i][j] = i == j ? sqrt(max(sum, 1e-30)) : sum / a[j][j];
            }
    }
    // Solves A u = b after factor().
    void solve(double (&u)[6]) const {
        for (int i = 0; i < 6; ++i) {
            u[i] = b[i];
            for (int k = 0; k < i; ++k) u[i] -= a[i][k] * u[k];
            u[i] /= a[i][i];
        }
        for (int i = 5; i >= 0; --i) {
            for (int k = i + 1; k < 6; ++k) u[i] -= a[k][i] * u[k];
            u[i] /= a[i][i];
        }
    }
};

} // namespace capstan
