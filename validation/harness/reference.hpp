// SPDX-License-Identifier: MIT
// Reference solutions: closed forms, and equations integrated in double, for any parameters. Each is defined in the
// file of its case. tests/validation/reference_test.cpp compares them with tables from other programs.
#pragma once

#include <validation/harness/numerics.hpp>

#include <vector>

namespace capstan::validation {

inline constexpr double kGravity = 9.81;

// R1. A rod of length 1 is clamped level at the origin and bends under its weight. Here
// gamma = w L^3 / B, with the weight per length w and the bending stiffness B.
struct Elastica {
    std::vector<double> x, y; // n + 1 points at equal arc length, clamp first, y up
    double tipAngle = 0;      // rad, below the horizontal
    double heightOverReach() const { return -y.back() / x.back(); }
};
Elastica heavyElastica(double gamma, int n);

// R3. A rope hangs between (0, 0) and (span, rise). Forces are divided by its weight.
struct Catenary {
    double sag = 0;         // depth of the lowest point below the origin
    double horizontal = 0;  // horizontal component of the tension, constant along the rope
    double tensionLeft = 0; // tension at the left support
    double tensionRight = 0;
};
Catenary catenary(double span, double rise, double length);
// Supports at equal height, rest length 1, `stiffness` is EA / weight.
Catenary elasticCatenary(double span, double stiffness);

// The catenary of n equal straight links. Their mass is lumped at the nodes, and the supports carry half a link's
// mass. With stiffness 0 the links do not stretch.
struct ChainCatenary {
    std::vector<double> x, y;    // n + 1 nodes
    std::vector<double> tension; // of the n links
};
ChainCatenary chainCatenary(int n, double span, double rise, double length, double stiffness);

// R4. Modes of a hanging chain of length 1 with equal links and gravity 1; mass[i] is at the lower end of link i.
Modes hangingChain(const std::vector<double>& mass);
// Returns the motion of the chain at any amplitude. The result is the offsets of all nodes (0 for the support) at
// times 0, step, 2 step and so on. It starts at rest with the given offsets.
std::vector<std::vector<double>> swingingChain(const std::vector<double>& mass,
                                               const std::vector<double>& offset, double step, int count);
// Returns the angular frequency of a continuous chain of length 1, gravity 1 and mass 1 with the mass `bob` at its
// end. Modes count from 1.
double hangingChainOmega(int mode, double bob);
// Returns beta L of a beam clamped at one end: omega = (beta L)^2 sqrt(B / (mu L^4)), with mass per length mu. Modes
// count from 1.
double cantileverBeam(int mode);
// Returns the shape of that mode of the beam at s in [0, 1], scaled to 1 at the tip.
double cantileverShape(double betaL, double s);

// R5. Returns the angular frequency of a taut string of n links with fixed ends, length 1 and wave speed 1.
double stringOmega(int n, int mode);
// Returns displacements of the n + 1 nodes of that string after a time t, exact for small slopes. The initial
// displacements are y, and the initial velocities v.
std::vector<double> stringAt(const std::vector<double>& y, const std::vector<double>& v, double t);

// R6. A rope of mass m, length 1 and stretch stiffness EA (N) carries a load (kg).
double topTension(double mass, double load);
double elongation(double mass, double load, double stiffness);

} // namespace capstan::validation
