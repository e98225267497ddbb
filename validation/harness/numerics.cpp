// SPDX-License-Identifier: MIT
// Numerical methods of numerics.hpp: eigenvalues by Jacobi rotations, and the fit of a sinusoid by Gauss-Newton
// steps.
#include <validation/harness/numerics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace capstan::validation {

namespace {

// A square matrix, stored row by row.
struct Square {
    std::size_t n;
    std::vector<double> a;
    double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
};

// Sets a <- J' a J and v <- v J, where the rotation J in the plane (p, q) makes a(p, q) zero.
void rotate(Square& a, Square& v, std::size_t p, std::size_t q) {
    if (a(p, q) == 0) return;
    double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
    double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    double c = 1 / std::sqrt(t * t + 1), s = t * c;
    auto turn = [&](double& x, double& y) {
        double old = x;
        x = c * old - s * y;
        y = s * old + c * y;
    };
    for (std::size_t k = 0; k < a.n; ++k) turn(a(k, p), a(k, q));
    for (std::size_t k = 0; k < a.n; ++k) turn(a(p, k), a(q, k));
    for (std::size_t k = 0; k < a.n; ++k) turn(v(k, p), v(k, q));
}

// Returns the sum of the squared off-diagonal entries, divided by the sum of all squared entries.
double offDiagonal(Square& a) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < a.n; ++i) {
        for (std::size_t j = 0; j < a.n; ++j) {
            all += a(i, j) * a(i, j);
            if (i != j) off += a(i, j) * a(i, j);
        }
    }
    return off / all;
}

// Solves the normal equations J'J d = J'r in place by elimination. The matrix is positive definite, so no pivoting is
// needed.
template <std::size_t N>
std::array<double, N> solve(std::array<std::array<double, N>, N> a, std::array<double, N> b) {
    for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t i = k + 1; i < N; ++i) {
            double f = a[i][k] / a[k][k];
            for (std::size_t j = k; j < N; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (std::size_t k = N; k-- > 0;) {
        for (std::size_t j = k + 1; j < N; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

// Coefficients of the least-squares fit a cos(omega t) + b sin(omega t), and the residual sum of squares `left`.
struct Harmonic {
    double a, b, left;
};
Harmonic harmonic(const std::vector<double>& q, double step, double omega) {
    std::array<std::array<double, 2>, 2> normal{};
    std::array<double, 2> right{};
    for (std::size_t i = 0; i < q.size(); ++i) {
        double t = step * static_cast<double>(i), c = std::cos(omega * t), s = std::sin(omega * t);
        normal[0][0] += c * c;
        normal[0][1] += c * s;
        normal[1][1] += s * s;
        right[0] += c * q[i];
        right[1] += s * q[i];
    }
    normal[1][0] = normal[0][1];
    auto [a, b] = solve(normal, right);
    double left = 0;
    for (double x : q) left += x * x;
    return {a, b, left - a * right[0] - b * right[1]};
}

} // namespace

Modes oscillations(const std::vector<double>& mass, const std::vector<double>& stiffness) {
    std::size_t n = mass.size();
    Square a{n, stiffness}, v{n, std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i) {
        v(i, i) = 1;
        for (std::size_t j = 0; j < n; ++j) a(i, j) /= std::sqrt(mass[i] * mass[j]);
    }
    // Convergence is quadratic. From 1e-20 on, one more iteration would change only rounding.
    for (int sweep = 0; sweep < 30 && offDiagonal(a) > 1e-28; ++sweep) {
        for (std::size_t p = 0; p + 1 < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, p, q);
        }
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return a(i, i) < a(j, j); });
    Modes modes;
    for (std::size_t k : order) {
        std::vector<double> shape(n);
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            shape[i] = v(i, k) / std::sqrt(mass[i]);
            if (std::abs(shape[i]) > std::abs(largest)) largest = shape[i];
        }
        for (double& x : shape) x /= largest;
        modes.omega.push_back(std::sqrt(std::max(0.0, a(k, k))));
        modes.shape.push_back(std::move(shape));
    }
    return modes;
}

Sinusoid fitSinusoid(const std::vector<double>& q, double step, double guess) {
    // As a function of omega, the sum of squares has minima of width 1 / duration. So the search step is a fraction
    // of that.
    double duration = step * static_cast<double>(q.size());
    double omega = guess, least = harmonic(q, step, guess).left;
    for (double w = 0.8 * guess; w < 1.2 * guess; w += 0.3 / duration) {
        double left = harmonic(q, step, w).left;
        if (left < least) {
            least = left;
            omega = w;
        }
    }
    Harmonic start = harmonic(q, step, omega);
    std::array<double, 4> p = {start.a, start.b, omega, 0};
    for (int k = 0; k < 30; ++k) {
        std::array<std::array<double, 4>, 4> normal{};
        std::array<double, 4> right{};
        for (std::size_t i = 0; i < q.size(); ++i) {
            double t = step * static_cast<double>(i), e = std::exp(-p[3] * t);
            double c = e * std::cos(p[2] * t), s = e * std::sin(p[2] * t), value = p[0] * c + p[1] * s;
            std::array<double, 4> slope = {c, s, t * (p[1] * c - p[0] * s), -t * value};
            for (std::size_t m = 0; m < 4; ++m) {
                right[m] += slope[m] * (q[i] - value);
                for (std::size_t l = 0; l < 4; ++l) normal[m][l] += slope[m] * slope[l];
            }
        }
        auto d = solve(normal, right);
        for (std::size_t m = 0; m < 4; ++m) p[m] += d[m];
    }
    return {p[2], std::hypot(p[0], p[1]), p[3]};
}

} // namespace capstan::validation
