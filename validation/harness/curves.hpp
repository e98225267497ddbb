// SPDX-License-Identifier: MIT
// Knots and links as closed curves, each point from a formula. Units are the formula's: scale as needed.
#pragma once

#include <capstan/topology/braid.hpp>
#include <validation/harness/determinant.hpp>

#include <vector>

namespace capstan::validation {

// n points a curve, at equal steps of the parameter.
std::vector<Curve> hopfLink(int n);   // two unit circles, each through the other's centre
std::vector<Curve> threeRings(int n); // a chain of two circles and a stadium between them
std::vector<Curve> borromean(int n);  // three ellipses at right angles
std::vector<Curve> trefoil(int n);
std::vector<Curve> figureEight(int n);
// The strands of a braid bent round into rings, n points for each letter of the word.
std::vector<Curve> closedBraid(const BraidWord& word, int strands, int n);
std::vector<Curve> whitehead(int n); // as a closed braid

Curve scaled(const Curve& curve, double by);
std::vector<Curve> scaled(const std::vector<Curve>& curves, double by);
double lengthOf(const Curve& curve);

} // namespace capstan::validation
