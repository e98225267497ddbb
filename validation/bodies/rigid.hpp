// SPDX-License-Identifier: MIT
// Reference solutions of rigid bodies and joints, for any parameters. Each is defined in the file of its case, with
// its equations. tests/validation/rigid_reference_test.cpp compares them with tables from other programs.
#pragma once

#include <capstan/math/quat.hpp>
#include <validation/harness/reference.hpp>

#include <vector>

namespace capstan::validation {

// Returns the complete elliptic integral K(m) for the argument 1 - m. Near a separatrix m is so close to 1 that 1 - m
// would lose its digits.
double ellipticK(double oneMinusM);

// B1. A free body rotates. Its principal moments of inertia are in ascending order, and w0 is its angular velocity in
// its principal axes.
struct Tumble {
    Vec3d w; // rad/s, angular velocity in the body's local frame
    Quatd q; // rotation from body to world; identity at the start
};
double tumblePeriod(Vec3d inertia, Vec3d w0);
// Returns the time [s] at which the angular velocity about axis 2 first changes its sign.
double firstFlip(Vec3d inertia, Vec3d w0);
// Returns the motion at the times 0, step, 2 step and so on.
std::vector<Tumble> tumble(Vec3d inertia, Vec3d w0, double step, int count);

// B2. A symmetric top on its tip. Angles are measured from the vertical.
struct Top {
    double across = 0, along = 0; // kg m^2, moments of inertia about the tip: across the axis, and along it
    double moment = 0;            // N m, M g l: weight times the distance of the centre of mass from the tip
    double spin = 0;              // rad/s, angular velocity along the axis
};
double slowPrecession(const Top& top, double theta);
double fastPrecession(const Top& top, double theta);
double sleepingSpin(const Top& top); // rad/s; with a larger angular velocity the top stands upright
// Motion of a top whose axis is released at rest at the angle theta. The angle oscillates between theta and thetaMax.
struct Nutation {
    double thetaMax = 0;
    double period = 0;
    double precession = 0; // rad/s, mean rate about the vertical
};
Nutation nutation(const Top& top, double theta);

// B3. Returns the period of a pendulum times the angular frequency of its small swings.
double pendulumPeriod(double amplitude);
// Return the angular velocity of a conical pendulum divided by sqrt(g / L), and the force of its string divided by m
// g.
double conicalRate(double angle);
double conicalTension(double angle);

// B4. Two bodies on parallel hinges. Angles are measured from the downward vertical.
struct DoublePendulum {
    double mass[2] = {1, 1};
    double arm = 1;             // m, from the first hinge to the second
    double center[2] = {1, 1};  // m, from a body's hinge to its centre of mass
    double inertia[2] = {0, 0}; // kg m^2, about the centre of mass
};
struct Swing {
    double theta[2] = {0, 0};
    double omega[2] = {0, 0};
};
Swing swing(const DoublePendulum& two, const Swing& start, double seconds);

// B5. A body of mass m on a hinge, with its centre of mass at the distance l, is released with this arm level. Forces
// `bottom` and `release` are divided by m g.
struct Drop {
    double omega = 0; // rad/s, at the bottom
    double time = 0;  // s, from the release to the bottom
    double bottom = 0, release = 0;
};
Drop drop(double m, double l, double inertiaOfHinge);
// A servo of stiffness k and damping d moves an inertia from rest at angle 0 to the target angle 1.
struct ServoStep {
    double overshoot = 0;
    double peak = 0; // s, time of the largest angle
};
ServoStep servoStep(double k, double d, double inertia);

// B8. A sphere strikes a wall at the speed `into`, slides along it at `along` and spins. A ball that rolls at the speed
// v spins at v / radius.
struct SphereImpact {
    double along = 0, spin = 0, away = 0; // m/s, rad/s, m/s: after the impact
};
SphereImpact impactOfSphere(double friction, double restitution, double into, double along, double spin,
                            double radius);

// B9. Equal balls on a line, with their speeds and the gaps between them. Pairs that touch strike at once, the fastest
// first; else the next pair that meets. Returns the speeds when none approaches another.
std::vector<double> lineOfBalls(std::vector<double> speed, std::vector<double> gap, double restitution);

} // namespace capstan::validation
