// SPDX-License-Identifier: MIT
// Reference solutions of contact and friction, for any parameters. Each is defined in the file of its case.
// tests/validation/contact_reference_test.cpp compares them with tables from other programs.
#pragma once

#include <validation/harness/reference.hpp>

#include <numbers>

namespace capstan::validation {

// C1. A rope without bending stiffness is wound by an angle [rad] around a fixed drum. Returns the largest ratio of
// the pulls at its ends that friction holds.
double capstanRatio(double mu, double angle);

// K1. A loose overhand knot of 2 n + 1 crossings in a rod of radius h [m] and bending stiffness B [N m^2]. Its loop
// has the radius R [m]. To leading order, tightening needs the end force elastic + mu grip, and loosening elastic -
// mu grip.
struct Overhand {
    int n = 1;
    double h = 0, B = 0, R = 0;
    double elastic() const; // N
    double grip() const;    // N per unit of mu
    double contact() const; // m, from the middle of the knot to its outermost contact
    static double endShortening(double R) { return 2 * std::numbers::pi * R; }
};

// K2. Least length / diameter of a closed rope that forms the knot or link.
inline constexpr double kHopf = 4 * std::numbers::pi; // two rings; exact (Cantarella et al. 2002)
// A chain of three rings; exact (Cantarella et al. 2002).
inline constexpr double kThreeRings = 6 * std::numbers::pi + 2;
inline constexpr double kTrefoil = 16.372; // numerical (Pieranski 1998); proven: more than 15.66 (Denne 2006)

// B6. A block on a slope. Below the friction angle it sticks.
double slideAcceleration(double mu, double angle); // m/s^2, 0 if the block sticks
double stopDistance(double mu, double speed);      // m, on level ground
double stopTime(double mu, double speed);          // s

// B7. A round body of inertia k m r^2 on a slope: sphere 2/5, cylinder 1/2, thin sphere 2/3, hoop 1.
double rollAcceleration(double k, double angle); // m/s^2, of the centre
double rollSlope(double k, double mu); // tan of the steepest slope on which it rolls without slipping
// The body is launched on level ground. At first it slides without rotation.
double rollSpeed(double k, double speed);           // m/s, at the beginning of rolling
double rollTime(double k, double mu, double speed); // s, until the beginning of rolling

} // namespace capstan::validation
