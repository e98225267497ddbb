// SPDX-License-Identifier: MIT
// Reference solutions of contact and friction, for any parameters. Each one is defined in the file of its law.
// tests/validation/contact_reference_test.cpp compares them with tables made elsewhere.
#pragma once

#include <validation/harness/reference.hpp>

#include <numbers>

namespace capstan::validation {

// C1. A limp rope is wound by an angle around a fixed drum. Returns the pull that it holds over the pull on its other
// end.
double capstanRatio(double mu, double angle);

// K1. A loose overhand knot of 2 n + 1 crossings, in a rod of radius h and bending stiffness B. Its loop has radius R.
// To leading order the ends are pulled with elastic + mu grip to tighten it, and with elastic - mu grip to loosen it.
struct Overhand {
    int n = 1;
    double h = 0, B = 0, R = 0;
    double elastic() const; // N
    double grip() const;    // N for each unit of mu
    double contact() const; // m, from the middle of the knot to its outermost contact
    static double endShortening(double R) { return 2 * std::numbers::pi * R; }
};

// K2. Least length / diameter of a closed rope.
inline constexpr double kHopf = 4 * std::numbers::pi;           // both rings; exact (Cantarella et al. 2002)
inline constexpr double kThreeRings = 6 * std::numbers::pi + 2; // a chain of three; exact (same)
inline constexpr double kTrefoil = 16.372; // numerical (Pieranski 1998); proven: more than 15.66 (Denne 2006)

// B6. A block on a slope. Below the angle of friction it stays.
double slideAcceleration(double mu, double angle); // m/s^2, 0 if the block sticks
double stopDistance(double mu, double speed);      // m, on level ground
double stopTime(double mu, double speed);          // s

// B7. A round body of inertia k m r^2 on a slope: sphere 2/5, cylinder 1/2, thin sphere 2/3, hoop 1.
double rollAcceleration(double k, double angle); // m/s^2, of the centre
double rollSlope(double k, double mu); // tan of the steepest slope on which it rolls without slipping
// The body is launched on level ground. It slides without spin at first.
double rollSpeed(double k, double speed);           // m/s, when it begins to roll
double rollTime(double k, double mu, double speed); // s, until it begins to roll

} // namespace capstan::validation
