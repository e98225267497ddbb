// SPDX-License-Identifier: MIT
// B4: a double pendulum: two bodies on parallel hinges are released level. Their motion is known by integration.
//
//   with d = theta1 - theta2, k = m2 a c2:
//   (J1 + m1 c1^2 + m2 a^2) theta1'' + k cos(d) theta2'' = -k sin(d) theta2'^2 - (m1 c1 + m2 a) g sin(theta1)
//   k cos(d) theta1'' + (J2 + m2 c2^2) theta2''          =  k sin(d) theta1'^2 - m2 c2 g sin(theta2)
//   (Lagrange), integrated by a fourth-order Runge-Kutta method with steps of 1e-4 s. Body i has the angle theta_i
// from
//   the vertical, the mass m_i, the inertia J_i about its centre, and the distance c_i from its hinge to its centre.
//   a is the distance of the two hinges.
//
// Point masses are bodies with an inertia of 1e-6 kg m^2, also in the reference. Bars have the inertia of a bar. The
// error must also shrink with the step: a motion that is right by chance would not pass this.
#include <validation/bodies/bodies.hpp>
#include <validation/bodies/rigid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace capstan::validation {

namespace {

// Adds both bodies along the x axis, horizontally.
std::array<BodyId, 2> addBoth(World& world, const DoublePendulum& two) {
    std::array<BodyId, 2> bodies;
    BodyRef parent;
    for (int i = 0; i < 2; ++i) {
        double hinge = i * two.arm;
        BodyDef def;
        def.mass = static_cast<float>(two.mass[i]);
        def.inertia = at(two.inertia[i], two.inertia[i], two.inertia[i]);
        def.position = at(hinge + two.center[i], 0);
        bodies[static_cast<std::size_t>(i)] = world.add(def);
        JointDef joint;
        joint.type = JointType::Hinge;
        joint.body0 = parent;
        joint.body1 = bodies[static_cast<std::size_t>(i)];
        joint.anchor = at(hinge, 0);
        joint.axis = {0, 0, 1};
        world.add(joint);
        parent = bodies[static_cast<std::size_t>(i)];
    }
    return bodies;
}

// Returns the angle of the body from the downward vertical. The body's x axis points from its hinge to its centre.
double thetaOf(const World& world, BodyId body) {
    Vec3d along = direction(world, body, {1, 0, 0});
    return std::atan2(along.x, -along.y);
}

// Returns the larger error of the two angles [rad], after 1 s and after 2 s.
std::array<double, 2> errors(const DoublePendulum& two, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    std::array<BodyId, 2> bodies = addBoth(world, two);
    Swing level = {{std::numbers::pi / 2, std::numbers::pi / 2}, {0, 0}};
    std::array<double, 2> worst = {0, 0};
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < frames(1); ++i) world.step(kFrame);
        Swing exact = swing(two, level, s + 1);
        for (int k = 0; k < 2; ++k) {
            double got = thetaOf(world, bodies[static_cast<std::size_t>(k)]);
            double error = std::abs(std::remainder(got - exact.theta[k], 2 * std::numbers::pi));
            double& most = worst[static_cast<std::size_t>(s)];
            if (!(error <= most)) most = error;
        }
    }
    return worst;
}

} // namespace

Swing swing(const DoublePendulum& two, const Swing& start, double seconds) {
    using State = std::array<double, 4>;
    double k = two.mass[1] * two.arm * two.center[1];
    double a11 =
        two.inertia[0] + two.mass[0] * two.center[0] * two.center[0] + two.mass[1] * two.arm * two.arm;
    double a22 = two.inertia[1] + two.mass[1] * two.center[1] * two.center[1];
    double g1 = (two.mass[0] * two.center[0] + two.mass[1] * two.arm) * kGravity;
    double g2 = two.mass[1] * two.center[1] * kGravity;
    auto slope = [&](double, const State& s) -> State {
        double c = k * std::cos(s[0] - s[1]), sine = k * std::sin(s[0] - s[1]);
        double b1 = -sine * s[3] * s[3] - g1 * std::sin(s[0]), b2 = sine * s[2] * s[2] - g2 * std::sin(s[1]);
        double det = a11 * a22 - c * c;
        return {s[2], s[3], (a22 * b1 - c * b2) / det, (a11 * b2 - c * b1) / det};
    };
    State s = {start.theta[0], start.theta[1], start.omega[0], start.omega[1]};
    int steps = static_cast<int>(std::ceil(seconds / 1e-4));
    for (int i = 0; i < steps; ++i) s = rungeKutta(0, s, seconds / steps, slope);
    return {{s[0], s[1]}, {s[2], s[3]}};
}

std::vector<Row> runDoublePendulum(const Options& options) {
    const double small = 1e-6, bar = 1.0 / 12;
    struct Two {
        const char* name;
        DoublePendulum of;
    };
    const Two list[] = {{"point masses", {{1, 1}, 1, {1, 1}, {small, small}}},
                        {"bars", {{1, 1}, 1, {0.5, 0.5}, {bar, bar}}},
                        {"a light bar and a heavy one", {{1, 10}, 1, {0.5, 0.5}, {bar, 10 * bar}}}};
    Sheet sheet("B4", options, static_cast<int>(std::size(list)));
    for (const Two& two : list) {
        std::vector<double> after;
        sheet.refine(two.name, {0, kDynamicSubsteps}, [&](Resolution r) -> std::vector<Measured> {
            std::array<double, 2> e = errors(two.of, r);
            after.push_back(e[1]);
            using enum Measured::Kind;
            return {{AtMost, "error of the angles after 1 s (rad)", 0, e[0], 0.02, 0.001},
                    {AtMost, "error of the angles after 2 s (rad)", 0, e[1], 0.06, 0.001}};
        });
        // With twice the substeps, a first-order method halves the error, a second-order one quarters it. Below 1e-6
        // the error is rounding.
        double left = after[1] < 1e-6 ? 0 : after[1] / after[0];
        sheet.add(atMost("B4", std::string(two.name) + ": part of the error left with twice the substeps",
                         left, 0.6, 0.3));
    }
    return sheet.take();
}

} // namespace capstan::validation
