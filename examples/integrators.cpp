// SPDX-License-Identifier: MIT
// Textbook integrators: a planet on an ellipse for 100 orbits, and the energy error of each method.
#include <capstan/integrators.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace capstan;

int main() {
    using V = Vec<double>;
    const double h = 0.01;
    const int steps = int(100 * 2 * 3.14159265358979 / h);
    const auto gravity = [](std::span<const V> x, std::span<V> a) {
        for (std::size_t i = 0; i < x.size(); ++i) a[i] = -x[i] / std::pow(dot(x[i], x[i]), 1.5);
    };
    const auto energy = [](V x, V v) { return 0.5 * dot(v, v) - 1 / std::sqrt(dot(x, x)); };
    const V x0 = {1, 0, 0}, v0 = {0, 1.2, 0};
    const double start = energy(x0, v0);

    std::array<V, 1> x = {x0}, v = {v0}, a;
    for (int i = 0; i < steps; ++i) symplecticEuler<double>(x, v, h, gravity, a);
    const double euler = std::fabs(energy(x[0], v[0]) / start - 1);

    x = {x0};
    v = {v0};
    gravity(x, a); // velocityVerlet needs the accelerations at the start
    for (int i = 0; i < steps; ++i) velocityVerlet<double>(x, v, h, gravity, a);
    const double verlet = std::fabs(energy(x[0], v[0]) / start - 1);

    x = {x0};
    v = {v0};
    std::array<V, 5> scratch;
    const auto field = [&](std::span<const V> at, std::span<const V>, double, std::span<V> to) {
        gravity(at, to);
    };
    for (int i = 0; i < steps; ++i) rungeKutta4<double>(x, v, i * h, h, field, scratch);
    const double kutta = std::fabs(energy(x[0], v[0]) / start - 1);

    std::printf("energy after 100 turns is off by %.1e (symplectic Euler), %.1e (velocity Verlet), %.1e "
                "(Runge-Kutta 4)\n",
                euler, verlet, kutta);
    return verlet < euler && euler < 0.01 && kutta < 1e-6 ? 0 : 1;
}
