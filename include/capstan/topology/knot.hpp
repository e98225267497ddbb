// SPDX-License-Identifier: MIT
//
// Identifies the knot in a rope. First the rope is straightened by moves that change no knot (straighten.hpp). Then
// it is projected from several directions, and each diagram is simplified further (topology/diagram/reroute.hpp). The
// simplest diagram gives the Alexander polynomial and the signature. These are looked up in a table of all knots of
// at most eight crossings (topology/knot/knot_table.hpp).
//
// The result proves the following. Polynomial, determinant and signature are exact invariants: if they differ, the
// knots differ. `crossings` is the number of crossings of a diagram that was found, so the knot needs no more. Hence,
// with eight or fewer crossings, `names` lists every knot that is possible. If the list holds one name, the knot is
// proven (`certain`). With more crossings, `names` is conditional: if the knot has a diagram of eight crossings, it
// is one of these. Polynomial and signature do not distinguish all knots. 8_20 and the square knot share both
// invariants, and so do 8_21 and 3_1#4_1. Both names are given where the number of crossings allows both.
//
// Only a closed curve has a knot type, so an open rope is closed first. Each end is extended straight away from the
// middle of the rope's box to ten times its size. An arc joins the two extensions there. If the ends stick out of
// the knot, this closure gives the expected knot. An end inside the tangle is extended in the same way, which may tie
// or untie something. That cannot be detected.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/point.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/integer_polynomial.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace capstan {

// The sign of the signature decides between left and right. The right-handed trefoil has a negative signature, and so
// has any knot with a diagram of right-handed crossings only. A chiral knot of signature 0 (6_1, 7_7, 8_1, ..) is
// reported as unknown.
enum class Handedness { unknown, left, right, amphichiral };

struct KnotReport {
    std::vector<std::string> names; // knots of at most eight crossings; empty: the knot needs more
    bool certain = false;           // there is one name, and it is proven
    bool minimal = false;           // certain, and no diagram of this knot has fewer crossings
    Handedness hand = Handedness::unknown;
    int crossings = 0; // number of crossings of the simplest diagram found
    int writhe = 0;    // writhe of that diagram
    int signature = 0;
    std::int64_t determinant = 1;
    IntegerPolynomial alexander;
};

// Identify the knot of a rope with the given points [m]. Errors are a rope that touches itself, too few points, and
// more than maxDiagramCrossings crossings after simplification. An integer overflow is an Error too; it takes tens of
// crossings.
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Point> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3d> points, bool closed);

} // namespace capstan
