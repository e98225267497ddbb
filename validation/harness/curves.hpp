// SPDX-License-Identifier: MIT
// Knots and links as closed curves from formulas. Lengths are in units of the formula; a caller scales the curves.
#pragma once

#include <capstan/topology/braid.hpp>
#include <validation/harness/determinant.hpp>

#include <vector>

namespace capstan::validation {

// Each function returns curves of n points at equal steps of the parameter.
std::vector<Curve> hopfLink(int n);   // two unit circles, each through the centre of the other
std::vector<Curve> threeRings(int n); // a chain of two circles and a stadium between them
std::vector<Curve> borromean(int n);  // three ellipses at right angles
std::vector<Curve> trefoil(int n);
std::vector<Curve> figureEight(int n);
// Returns the closure of a braid: the ends of its strands are joined to rings. Each letter of the word has n points.
std::vector<Curve> closedBraid(const BraidWord& word, int strands, int n);
std::vector<Curve> whitehead(int n); // Whitehead's link as a closed braid

Curve scaled(const Curve& curve, double by);
std::vector<Curve> scaled(const std::vector<Curve>& curves, double by);
double lengthOf(const Curve& curve);

} // namespace capstan::validation
