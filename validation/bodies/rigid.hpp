// SPDX-License-Identifier: MIT
// The truths of rigid bodies and joints, for any parameters. Each is defined in the file of its law, and
// tests/validation/rigid_reference_test.cpp holds them against tables made elsewhere.
#pragma once

#include <capstan/math/quat.hpp>
#include <validation/harness/reference.hpp>

#include <vector>

namespace capstan::validation {

// The complete elliptic integral K(m), from 1 - m: near a separatrix m is 1 to many digits.
double ellipticK(double oneMinusM);

// B1. A free body that turns. Inertia along its own axes, ascending; w0 is the spin in these axes.
struct Tumble {
    Vec3d w; // spin, in the body's axes
    Quatd q; // body to world, identity at the start
};
double tumblePeriod(Vec3d inertia, Vec3d w0);
double firstFlip(Vec3d inertia, Vec3d w0); // when the spin about axis 2 first changes its sign
// At times 0, step, 2 step ...
std::vector<Tumble> tumble(Vec3d inertia, Vec3d w0, double step, int count);

// B2. A symmetric top on its tip: inertia about the tip across and along its axis, weight times the height of
// the centre, and the spin along the axis. Angles from the vertical.
struct Top {
    double across = 0, along = 0; // kg m^2
    double moment = 0;            // N m, M g l
    double spin = 0;              // rad/s
};
double slowPrecession(const Top& top, double theta);
double fastPrecession(const Top& top, double theta);
double sleepingSpin(const Top& top); // it stands upright when spun faster than this
// Released with its axis at rest at theta: falls to thetaMax and comes back, again and again.
struct Nutation {
    double thetaMax = 0;
    double period = 0;
    double precession = 0; // mean rate about the vertical
};
Nutation nutation(const Top& top, double theta);

// B3. Period of a pendulum times the frequency of its small swings.
double pendulumPeriod(double amplitude);
// Rate of a conical pendulum / sqrt(g / L), and what its string bears / m g.
double conicalRate(double angle);
double conicalTension(double angle);

// B4. Two bodies on parallel hinges, angles from the downward vertical.
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

// B5. A body of mass m on a hinge, its centre l away, let go with the arm level. Forces / m g.
struct Drop {
    double omega = 0; // at the bottom
    double time = 0;  // until then
    double bottom = 0, release = 0;
};
Drop drop(double m, double l, double inertiaOfHinge);
// A spring k and a damper d turn an inertia towards 1 from rest at 0.
struct ServoStep {
    double overshoot = 0;
    double peak = 0; // s
};
ServoStep servoStep(double k, double d, double inertia);

} // namespace capstan::validation
