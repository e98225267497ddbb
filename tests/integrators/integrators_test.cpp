// SPDX-License-Identifier: MIT
//
// Tests of the integrators against exact solutions: Kepler's ellipse (from Kepler's equation) and the harmonic
// oscillator. They measure the claims of each header comment: order, energy over 10^4 periods, reversibility.
#include <capstan/integrators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace capstan {
namespace {

constexpr double pi = std::numbers::pi;

template <class R> struct State { std::vector<Vec<R>> x, v; };

// Harmonic oscillator of unit mass and unit frequency.
struct Spring {
    template <class R> void operator()(std::span<const Vec<R>> x, std::span<Vec<R>> a) const {
        for (std::size_t i = 0; i < x.size(); ++i) a[i] = -x[i];
    }
    static State<double> start() { return {{{1.0, 0.0, 0.0}}, {{0.0, 0.5, 0.0}}}; }
    static State<double> exact(double t) {
        return {{{std::cos(t), 0.5 * std::sin(t), 0.0}}, {{-std::sin(t), 0.5 * std::cos(t), 0.0}}};
    }
    static double energy(const State<double>& s) { return 0.5 * (dot(s.v[0], s.v[0]) + dot(s.x[0], s.x[0])); }
};

// Kepler orbit with GM = 1 and semi-major axis 1, so the period is 2 pi. It starts at the pericentre.
struct Kepler {
    static constexpr double e = 0.4;

    template <class R> void operator()(std::span<const Vec<R>> x, std::span<Vec<R>> a) const {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const R r2 = dot(x[i], x[i]);
            a[i] = (R(-1.0f) / (r2 * sqrt(r2))) * x[i];
        }
    }
    static State<double> exact(double t) {
        double E = t; // eccentric anomaly, t = E - e sin E
        for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - t) / (1.0 - e * std::cos(E));
        const double b = std::sqrt(1.0 - e * e);
        const double rate = 1.0 / (1.0 - e * std::cos(E));
        return {{{std::cos(E) - e, b * std::sin(E), 0.0}},
                {{-rate * std::sin(E), rate * b * std::cos(E), 0.0}}};
    }
    static State<double> start() { return exact(0.0); }
    static double energy(const State<double>& s) { return 0.5 * dot(s.v[0], s.v[0]) - 1.0 / length(s.x[0]); }
};

// Each method as "advance by `steps` steps of h". All of them begin and end with x and v at the same time.
struct SymplecticEuler {
    template <class R, class Field> static void run(State<R>& s, R h, long steps, const Field& field) {
        std::vector<Vec<R>> a(s.x.size());
        for (long k = 0; k < steps; ++k) symplecticEuler(s.x, s.v, h, field, a);
    }
};
struct PositionVerlet {
    template <class R, class Field> static void run(State<R>& s, R h, long steps, const Field& field) {
        std::vector<Vec<R>> a(s.x.size()), previous(s.x.size());
        startPositionVerlet(s.x, s.v, h, field, previous, a);
        for (long k = 0; k < steps; ++k) positionVerlet(s.x, previous, h, field, a);
        positionVerletVelocity(s.x, previous, h, field, s.v, a);
    }
};
struct VelocityVerlet {
    template <class R, class Field> static void run(State<R>& s, R h, long steps, const Field& field) {
        std::vector<Vec<R>> a(s.x.size());
        field(std::span<const Vec<R>>(s.x), std::span<Vec<R>>(a));
        for (long k = 0; k < steps; ++k) velocityVerlet(s.x, s.v, h, field, a);
    }
};
struct RungeKutta4 {
    template <class R, class Field> static void run(State<R>& s, R h, long steps, const Field& field) {
        std::vector<Vec<R>> scratch(5 * s.x.size());
        const auto withTime = [&](std::span<const Vec<R>> x, std::span<const Vec<R>>, R,
                                  std::span<Vec<R>> a) { field(x, a); };
        for (long k = 0; k < steps; ++k) rungeKutta4(s.x, s.v, R(k) * h, h, withTime, scratch);
    }
};

double distance(const State<double>& a, const State<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.x.size(); ++i)
        sum += lengthSquared(a.x[i] - b.x[i]) + lengthSquared(a.v[i] - b.v[i]);
    return std::sqrt(sum);
}

// Returns the order: the least-squares slope of log(error) over log(h).
template <class Method, class Problem> double measuredOrder(long firstSteps) {
    const double T = 2.5;
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const int sizes = 5;
    for (int k = 0; k < sizes; ++k) {
        const long steps = firstSteps << k;
        const double h = T / static_cast<double>(steps);
        State<double> s = Problem::start();
        Method::run(s, h, steps, Problem{});
        const double X = std::log(h), Y = std::log(distance(s, Problem::exact(T)));
        sx += X;
        sy += Y;
        sxx += X * X;
        sxy += X * Y;
    }
    return (sizes * sxy - sx * sy) / (sizes * sxx - sx * sx);
}

TEST(Integrators, OrderOfConvergenceOnTheOscillator) {
    EXPECT_NEAR((measuredOrder<SymplecticEuler, Spring>(200)), 1.0, 0.1);
    EXPECT_NEAR((measuredOrder<PositionVerlet, Spring>(100)), 2.0, 0.1);
    EXPECT_NEAR((measuredOrder<VelocityVerlet, Spring>(100)), 2.0, 0.1);
    EXPECT_NEAR((measuredOrder<RungeKutta4, Spring>(25)), 4.0, 0.1);
}

TEST(Integrators, OrderOfConvergenceOnTheEllipse) {
    EXPECT_NEAR((measuredOrder<SymplecticEuler, Kepler>(1000)), 1.0, 0.1);
    EXPECT_NEAR((measuredOrder<PositionVerlet, Kepler>(200)), 2.0, 0.1);
    EXPECT_NEAR((measuredOrder<VelocityVerlet, Kepler>(200)), 2.0, 0.1);
    EXPECT_NEAR((measuredOrder<RungeKutta4, Kepler>(100)), 4.0, 0.1);
}

// The header warns of this: the backward difference has order 1, and the centred formula order 2.
TEST(Integrators, BackwardDifferenceVelocityIsHalfAStepLate) {
    const Kepler field;
    for (const long steps : {1000L, 2000L}) {
        const double h = 2.5 / static_cast<double>(steps);
        State<double> s = Kepler::start();
        std::vector<Vec3d> previous(1), a(1), v(1);
        startPositionVerlet(s.x, s.v, h, field, previous, a);
        for (long k = 0; k < steps; ++k) positionVerlet(s.x, previous, h, field, a);
        positionVerletVelocity(s.x, previous, h, field, v, a);
        const State<double> now = Kepler::exact(2.5), earlier = Kepler::exact(2.5 - 0.5 * h);
        const Vec3d blocked = (s.x[0] - previous[0]) / h;
        EXPECT_LT(length(v[0] - now.v[0]), 0.05 * length(blocked - now.v[0]));
        EXPECT_LT(length(blocked - earlier.v[0]), 0.05 * length(blocked - now.v[0]));
        // The centred difference needs one more step. The formula must give the same value without that step.
        const Vec3d before = previous[0];
        positionVerlet(s.x, previous, h, field, a);
        EXPECT_LT(length((s.x[0] - before) / (2.0 * h) - v[0]), 1e-11);
    }
}

TEST(Integrators, BothVerletsAreOneOrbit) {
    State<double> p = Kepler::start(), q = p;
    PositionVerlet::run(p, 0.01, 1000, Kepler{});
    VelocityVerlet::run(q, 0.01, 1000, Kepler{});
    EXPECT_LT(distance(p, q), 1e-9);
}

struct Range {
    double low = 1e300, high = -1e300;
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// 10^4 periods of 20 steps. For the oscillator each method has an exact invariant, so the bounds are formulas:
//     symplectic Euler conserves  v^2 + x^2 - h x v      -> energy between 1 / (1 + h/2) and 1 / (1 - h/2)
//     Verlet conserves            v^2 + (1 - h^2/4) x^2  -> energy between 1 - h^2/4 and 1
//     RK4 multiplies the energy by 1 - h^6/72 + h^8/576 in every step.
TEST(Integrators, OscillatorEnergyOverTenThousandPeriods) {
    const double h = 2.0 * pi / 20.0;
    const long steps = 200000;
    State<double> euler{{{1, 0, 0}}, {{0, 0, 0}}}, verlet = euler, rk = euler;
    const double E0 = Spring::energy(euler);
    Range eulerRange, verletRange;
    double last = E0;
    for (long k = 0; k < steps; ++k) {
        SymplecticEuler::run(euler, h, 1, Spring{});
        VelocityVerlet::run(verlet, h, 1, Spring{});
        RungeKutta4::run(rk, h, 1, Spring{});
        eulerRange.add(Spring::energy(euler));
        verletRange.add(Spring::energy(verlet));
        ASSERT_LT(Spring::energy(rk), last);
        last = Spring::energy(rk);
    }
    // Over the run the phase takes nearly all values, so the energy reaches its bounds.
    EXPECT_NEAR(eulerRange.high, E0 / (1.0 - h / 2.0), 1e-6);
    EXPECT_NEAR(eulerRange.low, E0 / (1.0 + h / 2.0), 1e-6);
    EXPECT_NEAR(verletRange.high, E0,
                1e-6); // at the start, at rest, the energy has the largest value that the invariant allows
    EXPECT_NEAR(verletRange.low, E0 * (1.0 - h * h / 4.0), 1e-6);
    const double factor = 1.0 - std::pow(h, 6) / 72.0 + std::pow(h, 8) / 576.0;
    const double expected = E0 * std::pow(factor, static_cast<double>(steps));
    EXPECT_NEAR(last / expected, 1.0, 1e-7);
    EXPECT_LT(last, 0.1 * E0);
}

// Explicit Euler is not in the library: its energy grows by the factor 1 + h^2 in every step.
TEST(Integrators, ExplicitEulerGainsEnergyWhereSymplecticEulerDoesNot) {
    const double h = 0.05;
    Vec3d x{1, 0, 0}, v{0, 0, 0};
    State<double> s{{x}, {v}};
    for (int k = 0; k < 2000; ++k) {
        const Vec3d a = -x;
        x += h * v;
        v += h * a;
    }
    SymplecticEuler::run(s, h, 2000, Spring{});
    const double grown = 0.5 * (dot(x, x) + dot(v, v));
    EXPECT_NEAR(grown / (0.5 * std::pow(1.0 + h * h, 2000)), 1.0, 1e-9);
    EXPECT_LT(Spring::energy(s), 0.5 / (1.0 - h / 2.0) + 1e-12);
}

// 10^4 orbits of 100 steps. Verlet's largest error in the last tenth equals that in the first. RK4's energy
// decreases.
TEST(Integrators, KeplerEnergyOverTenThousandPeriods) {
    const double h = 2.0 * pi / 100.0;
    State<double> verlet = Kepler::start(), rk = verlet;
    const double E0 = Kepler::energy(verlet);
    std::array<double, 10> worst{}, drift{};
    for (std::size_t tenth = 0; tenth < 10; ++tenth) {
        for (int k = 0; k < 10000; ++k) {
            VelocityVerlet::run(verlet, h, 9 + k % 3, Kepler{}); // 10 steps on average, at changing phases
            worst[tenth] = std::max(worst[tenth], std::abs(Kepler::energy(verlet) - E0));
        }
        RungeKutta4::run(rk, h, 100000, Kepler{});
        drift[tenth] = Kepler::energy(rk) - E0;
    }
    EXPECT_LT(worst[0], 0.02);
    EXPECT_LT(worst[9], 1.01 * worst[0]);
    for (std::size_t k = 1; k < 10; ++k) EXPECT_LT(drift[k], drift[k - 1]);
    EXPECT_LT(drift[9], 5.0 * drift[0]);
    EXPECT_GT(std::abs(drift[9]), worst[9]);
}

TEST(Integrators, VerletRunsBackwardsToItsStartAndRungeKuttaDoesNot) {
    const double h = 0.05;
    const long steps = 400;
    const State<double> start = Kepler::start();

    State<double> s = start;
    VelocityVerlet::run(s, h, steps, Kepler{});
    EXPECT_GT(distance(s, start), 0.1);
    s.v[0] = -s.v[0];
    VelocityVerlet::run(s, h, steps, Kepler{});
    s.v[0] = -s.v[0];
    EXPECT_LT(distance(s, start), 1e-11);

    std::vector<Vec3d> x = start.x, previous(1), a(1);
    startPositionVerlet(x, start.v, h, Kepler{}, previous, a);
    const Vec3d first = previous[0];
    for (long k = 0; k < steps; ++k) positionVerlet(x, previous, h, Kepler{}, a);
    std::swap(x, previous);
    for (long k = 0; k < steps; ++k) positionVerlet(x, previous, h, Kepler{}, a);
    EXPECT_LT(length(x[0] - first), 1e-9);
    EXPECT_LT(length(previous[0] - start.x[0]), 1e-9);

    State<double> r = start;
    RungeKutta4::run(r, h, steps, Kepler{});
    r.v[0] = -r.v[0];
    RungeKutta4::run(r, h, steps, Kepler{});
    r.v[0] = -r.v[0];
    EXPECT_GT(distance(r, start), 1e-5);
}

// Only RK4 passes v and t to the force: x'' = -2 c x' - x + cos(t) with the steady state x = sin(t) / 2c.
TEST(Integrators, RungeKuttaTakesDampingAndTime) {
    const double c = 0.25, h = 0.05;
    std::vector<Vec3d> x{{0, 0, 0}}, v{{1.0 / (2.0 * c), 0, 0}}, scratch(5);
    const auto field = [&](std::span<const Vec3d> p, std::span<const Vec3d> q, double t, std::span<Vec3d> a) {
        a[0] = -p[0] - 2.0 * c * q[0] + Vec3d{std::cos(t), 0, 0};
    };
    for (int k = 0; k < 2000; ++k) rungeKutta4(x, v, k * h, h, field, scratch);
    EXPECT_NEAR(x[0].x, std::sin(100.0) / (2.0 * c), 1e-6);
    EXPECT_NEAR(v[0].x, std::cos(100.0) / (2.0 * c), 1e-6);
}

// Two particles on one spring: the force function gets all positions. x1 - x0 oscillates with omega^2 = 2 about 0.
TEST(Integrators, ParticlesFeelEachOther) {
    const auto pair = [](std::span<const Vec3d> x, std::span<Vec3d> a) {
        a[0] = x[1] - x[0];
        a[1] = x[0] - x[1];
    };
    State<double> s{{{0, 0, 0}, {1, 0, 0}}, {{0, 0.3, 0}, {0, 0.3, 0}}};
    VelocityVerlet::run(s, 0.001, 2000, pair);
    EXPECT_NEAR(s.x[1].x - s.x[0].x, std::cos(std::sqrt(2.0) * 2.0), 1e-6);
    EXPECT_NEAR(s.x[0].y, 0.6, 1e-12);
    EXPECT_NEAR(s.x[1].x + s.x[0].x, 1.0, 1e-12);
}

template <class Method> float floatError(float h) {
    State<float> s{{{1, 0, 0}}, {{0, 0.5f, 0}}};
    const long steps = 1000;
    Method::run(s, h, steps, Spring{});
    const State<double> exact = Spring::exact(double(h) * steps);
    return narrow(length(widen(s.x[0]) - exact.x[0]));
}

TEST(Integrators, Float) {
    EXPECT_LT(floatError<SymplecticEuler>(0.01f), 0.01f);
    // The error is the rounding of h^2 a when it is added to x, not that of the method.
    EXPECT_LT(floatError<PositionVerlet>(0.01f), 2e-3f);
    EXPECT_LT(floatError<VelocityVerlet>(0.01f), 1e-4f);
    EXPECT_LT(floatError<RungeKutta4>(0.01f), 2e-5f);
}

int failures = 0;

TEST(Integrators, ListsOfDifferentLengthAreRefused) {
    failures = 0;
    const CheckHandler before = setCheckHandler([](const char*, const char*) { ++failures; });
    std::vector<Vec3d> x{{1, 0, 0}}, v{{0, 1, 0}}, a, none;
    const auto field = [](auto...) { ADD_FAILURE() << "the field was called"; };
    symplecticEuler(x, v, 0.1, field, a);
    positionVerlet(x, none, 0.1, field, a);
    startPositionVerlet(x, v, 0.1, field, none, a);
    positionVerletVelocity(x, v, 0.1, field, none, a);
    velocityVerlet(x, v, 0.1, field, a);
    rungeKutta4(x, v, 0.0, 0.1, field, a);
    setCheckHandler(before);
    EXPECT_EQ(failures, 6);
    EXPECT_EQ(x[0], (Vec3d{1, 0, 0}));
    EXPECT_EQ(v[0], (Vec3d{0, 1, 0}));
}

} // namespace
} // namespace capstan
