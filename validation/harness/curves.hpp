// SPDX-License-Identifier: MIT
// Knots and links as closed curves, whose points come from a formula. Lengths have the formula's unit, so a caller
// scales them as needed.
#pragma once

#include <capstan/topology/braid.hpp>
#include <validation/harness/determinant.hpp>

#include <vector>

namespace capstan::validation {

// Each curve has n points, at equal steps of its parameter.
std::vector<Curve> hopfLink(int n);   // two unit circles, each through the other's centre
std::vector<Curve> threeRings(int n); // a chain of two circles and a stadium between them
std::vector<Curve> borromean(int n);  // three ellipses at right angles
std::vector<Curve> trefoil(int n);
std::vector<Curve> figureEight(int n);
// The closure of a braid: its strands are bent round into rings. Each letter of the word has n points.
std::vector<Curve> closedBraid(const BraidWord& word, int strands, int n);
std::vector<Curve> whitehead(int n); // as a closed braid

Curve scaled(const Curve& curve, double by);
std::vector<Curve> scaled(const std::vector<Curve>& curves, double by);
double lengthOf(const Curve& curve);

} // namespace capstan::validation
