// SPDX-License-Identifier: MIT
// Numerical methods of the reference solutions and measurements, in double and without a library. They are bisection,
// a Runge-Kutta step, eigenvalues of a symmetric matrix, and the fit of a sinusoid to samples.
#pragma once

#include <cstddef>
#include <vector>

namespace capstan::validation {

// Returns the position in [lo, hi] where `above` changes from false to true, to the last bit, by bisection. Newton's
// method was refused: the reference solutions are monotone in one unknown, and a bracket cannot diverge.
template <class Above> double threshold(double lo, double hi, Above&& above) {
    for (;;) {
        double mid = lo + (hi - lo) / 2;
        if (!(mid > lo && mid < hi)) return mid;
        (above(mid) ? hi : lo) = mid;
    }
}

// Returns y after one step h of the classical fourth-order Runge-Kutta method for y' = f(x, y). State is an array of
// doubles.
template <class State, class Slope> State rungeKutta(double x, const State& y, double h, Slope&& f) {
    auto add = [](State a, double s, const State& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
        return a;
    };
    State k1 = f(x, y), k2 = f(x + h / 2, add(y, h / 2, k1)), k3 = f(x + h / 2, add(y, h / 2, k2)),
          k4 = f(x + h, add(y, h, k3));
    return add(add(add(add(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
}

struct Modes {
    std::vector<double> omega;              // angular frequencies, ascending
    std::vector<std::vector<double>> shape; // shape[k][i]: displacement of node i in mode k; the largest is 1
};

// Returns the free oscillations of  M x'' + K x = 0,  where M = diag(mass) and K is symmetric and stored row by row.
// The method is cyclic Jacobi rotations of M^-1/2 K M^-1/2 (Golub & Van Loan, "Matrix Computations", 8.5).
Modes oscillations(const std::vector<double>& mass, const std::vector<double>& stiffness);

struct Sinusoid {
    double omega = 0;
    double amplitude = 0; // at t = 0
    double decay = 0;     // decay rate: the amplitude is proportional to exp(-decay t)
};

// Fits q = exp(-decay t) (a cos(omega t) + b sin(omega t)) by least squares to samples, `step` apart from t = 0 on.
// It searches for omega within 20 % of the guess. Timing of zero crossings was refused: it uses two samples out of
// hundreds.
Sinusoid fitSinusoid(const std::vector<double>& q, double step, double guess);

} // namespace capstan::validation
