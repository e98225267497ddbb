// SPDX-License-Identifier: MIT
// Reference solutions of rigid bodies and joints, for any parameters. Each one is defined in the file of its law.
// tests/validation/rigid_reference_test.cpp compares them with tables made elsewhere.
#pragma once

#include <capstan/math/quat.hpp>
#include <validation/harness/reference.hpp>

#include <vector>

namespace capstan::validation {

// The complete elliptic integral K(m). Its argument is 1 - m, because near a separatrix m is 1 to many digits.
double ellipticK(double oneMinusM);

// B1. A free body rotates. Its principal inertias are in ascending order, and w0 is its angular velocity in the
// principal axes.
struct Tumble {
    Vec3d w; // rad/s, angular velocity in the body's axes
    Quatd q; // rotation from body to world; identity at the start
};
double tumblePeriod(Vec3d inertia, Vec3d w0);
double firstFlip(Vec3d inertia, Vec3d w0); // when the spin about axis 2 first changes its sign
// Returns the motion at times 0, step, 2 step and so on.
std::vector<Tumble> tumble(Vec3d inertia, Vec3d w0, double step, int count);

// B2. A symmetric top on its tip. Angles are measured from the vertical.
struct Top {
    double across = 0, along = 0; // kg m^2, inertia about the tip, across the axis and along it
    double moment = 0;            // N m, M g l: weight times the distance of the centre from the tip
    double spin = 0;              // rad/s, along the axis
};
double slowPrecession(const Top& top, double theta);
double fastPrecession(const Top& top, double theta);
double sleepingSpin(const Top& top); // rad/s; with a larger spin the top stands upright
// The top is released with its axis at rest at theta. It falls to thetaMax and comes back, again and again.
struct Nutation {
    double thetaMax = 0;
    double period = 0;
    double precession = 0; // rad/s, mean rate about the vertical
};
Nutation nutation(const Top& top, double theta);

// B3. Period of a pendulum times the frequency of its small swings.
double pendulumPeriod(double amplitude);
// Rate of a conical pendulum over sqrt(g / L), and the pull of its string over m g.
double conicalRate(double angle);
double conicalTension(double angle);

// B4. Two bodies on parallel hinges. Angles are measured from the downward vertical.
struct DoublePendulum {
    double mass[2] = {1, 1};
    double arm = 1;             // from the first hinge to the second
    double center[2] = {1, 1};  // from a body's hinge to its centre of mass
    double inertia[2] = {0, 0}; // about the centre of mass
};
struct Swing {
    double theta[2] = {0, 0};
    double omega[2] = {0, 0};
};
Swing swing(const DoublePendulum& two, const Swing& start, double seconds);

// B5. A body of mass m on a hinge, with its centre at distance l, is released with the arm level. Forces are over m g.
struct Drop {
    double omega = 0; // rad/s, at the bottom
    double time = 0;  // s, from the release to the bottom
    double bottom = 0, release = 0;
};
Drop drop(double m, double l, double inertiaOfHinge);
// A spring k and a damper d turn an inertia towards angle 1, from rest at angle 0.
struct ServoStep {
    double overshoot = 0;
    double peak = 0; // s, time of the largest angle
};
ServoStep servoStep(double k, double d, double inertia);

} // namespace capstan::validation
