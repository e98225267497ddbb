// SPDX-License-Identifier: MIT
// Reference solutions: closed forms, and governing equations integrated in double, for any parameters. Each one is
// defined in the file of its law. tests/validation/reference_test.cpp compares them with tables made elsewhere.
#pragma once

#include <validation/harness/numerics.hpp>

#include <vector>

namespace capstan::validation {

inline constexpr double kGravity = 9.81;

// R1. A rod of length 1 is clamped level at the origin and bends under its weight: gamma = w L^3 / B.
struct Elastica {
    std::vector<double> x, y; // n + 1 points at equal arc length, clamp first, y up
    double tipAngle = 0;      // rad, below the horizontal
    double heightOverReach() const { return -y.back() / x.back(); }
};
Elastica heavyElastica(double gamma, int n);

// R3. A rope hangs between (0, 0) and (span, rise). Forces are in units of its weight.
struct Catenary {
    double sag = 0;         // depth of the lowest point below the origin
    double horizontal = 0;  // horizontal part of the tension, the same everywhere
    double tensionLeft = 0; // tension at the left support
    double tensionRight = 0;
};
Catenary catenary(double span, double rise, double length);
// Level supports, unstretched length 1, stiffness EA / weight.
Catenary elasticCatenary(double span, double stiffness);

// The catenary of n equal straight links. Their mass is at the nodes, half a link's mass at the supports. With
// stiffness 0 the links do not stretch.
struct ChainCatenary {
    std::vector<double> x, y;    // n + 1 nodes
    std::vector<double> tension; // n links
};
ChainCatenary chainCatenary(int n, double span, double rise, double length, double stiffness);

// R4. A hanging chain of length 1 and equal links, gravity 1; mass[i] hangs at the lower end of link i.
Modes hangingChain(const std::vector<double>& mass);
// The motion of the chain at any amplitude, as a reference beyond small angles. It starts at rest with the given
// offsets. The result is the offsets of all nodes (the support's 0 first) at times 0, step, 2 step and so on.
std::vector<std::vector<double>> swingingChain(const std::vector<double>& mass,
                                               const std::vector<double>& offset, double step, int count);
// Frequency of the continuous chain of length 1, gravity 1 and mass 1, with a bob at its end. Modes count from 1.
double hangingChainOmega(int mode, double bob);
// beta L of a beam clamped at one end: omega = (beta L)^2 sqrt(B / (mu L^4)). Modes count from 1.
double cantileverBeam(int mode);
// Shape of that beam's mode at s in [0, 1], scaled to 1 at the tip.
double cantileverShape(double betaL, double s);

// R5. Frequency of a taut string of n links with both ends held, length 1 and wave speed 1.
double stringOmega(int n, int mode);
// Displacements of that string's n + 1 nodes after a time t, exact for small slopes. y and v are the displacements and
// velocities at time 0.
std::vector<double> stringAt(const std::vector<double>& y, const std::vector<double>& v, double t);

// R6. A rope of mass m, length 1 and stiffness EA (N) carries a load.
double topTension(double mass, double load);
double elongation(double mass, double load, double stiffness);

} // namespace capstan::validation
