// SPDX-License-Identifier: MIT
// The truths: closed forms and governing equations integrated in double, for any parameters. Each is defined
// in the file of its law, and tests/validation/reference_test.cpp holds them against tables made elsewhere.
#pragma once

#include <validation/harness/numerics.hpp>

#include <vector>

namespace capstan::validation {

inline constexpr double kGravity = 9.81;

// R1. A rod of length 1 clamped level at the origin, bent by its weight: gamma = w L^3 / B.
struct Elastica {
    std::vector<double> x, y; // n + 1 places at equal arc length, clamp first, y up
    double tipAngle = 0;      // below the horizontal
    double heightOverReach() const { return -y.back() / x.back(); }
};
Elastica heavyElastica(double gamma, int n);

// R3. A rope between (0, 0) and (span, rise); forces in units of its weight.
struct Catenary {
    double sag = 0;         // of the lowest point below the origin
    double horizontal = 0;  // the part of the tension that is the same everywhere
    double tensionLeft = 0; // at the supports
    double tensionRight = 0;
};
Catenary catenary(double span, double rise, double length);
// Level supports, unstretched length 1, stiffness EA / weight.
Catenary elasticCatenary(double span, double stiffness);

// The same with n equal straight links, mass at the nodes (half a link's at the supports). Stiffness 0: links
// do not stretch.
struct ChainCatenary {
    std::vector<double> x, y;    // n + 1 nodes
    std::vector<double> tension; // n links
};
ChainCatenary chainCatenary(int n, double span, double rise, double length, double stiffness);

// R4. A hanging chain of length 1 and equal links, gravity 1; mass[i] hangs at the lower end of link i.
Modes hangingChain(const std::vector<double>& mass);
// The chain itself, at any width: offsets of all nodes (the support's 0 first) at times 0, step, 2 step ...,
// from rest with given offsets. For truths beyond small angles.
std::vector<std::vector<double>> swingingChain(const std::vector<double>& mass,
                                               const std::vector<double>& offset, double step, int count);
// The continuous chain of length 1, gravity 1, mass 1, with a bob at its end; modes count from 1.
double hangingChainOmega(int mode, double bob);
// beta L of a beam clamped at one end: omega = (beta L)^2 sqrt(B / (mu L^4)). Modes count from 1.
double cantileverBeam(int mode);
// Its shape at s in [0, 1], scaled to 1 at the tip.
double cantileverShape(double betaL, double s);

// R5. A taut string of n links with both ends held, length 1, wave speed 1.
double stringOmega(int n, int mode);
// Displacements of its n + 1 nodes after a time t, exact for small slopes, from those at 0 and their speeds.
std::vector<double> stringAt(const std::vector<double>& y, const std::vector<double>& v, double t);

// R6. A rope of mass m, length 1, stiffness EA (N), carrying a load.
double topTension(double mass, double load);
double elongation(double mass, double load, double stiffness);

} // namespace capstan::validation
