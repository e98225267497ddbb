// SPDX-License-Identifier: MIT
//
// This file identifies the knot in a rope. Moves that change no knot straighten the rope (straighten.hpp). It is then
// seen from several sides, and each diagram is simplified further (topology/diagram/reroute.hpp). The simplest diagram
// gives the Alexander polynomial and the signature. A table of all knots of at most eight crossings is searched for
// them (topology/knot/knot_table.hpp).
//
// The result proves the following. Polynomial, determinant and signature are exact invariants: if they differ, the
// knots differ. `crossings` is the number of crossings of a diagram that was found, so the knot needs no more. Hence,
// with eight or fewer crossings, `names` lists every knot that is possible. If it holds one name, the knot is that
// one: `certain`. With more crossings, `names` means only: if the knot has a diagram of eight crossings, it is one of
// these. No pair of invariants as cheap as these distinguishes all knots. 8_20 and the square knot share both, and so
// do 8_21 and 3_1#4_1. Both names are given where the crossings allow both.
//
// An open rope has no knot, so it is closed first. Each end is extended straight away from the middle of the rope's
// box to ten times its size, and an arc joins both there. If the ends stick out of the knot, this closure gives the
// knot that anyone would name. An end inside the tangle is closed along the same kind of ray, which may tie or untie
// something. That cannot be detected.
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
// has any knot with a diagram of right-handed crossings only. A chiral knot of signature 0 (6_1, 7_7, 8_1, ..) stays
// unknown.
enum class Handedness { unknown, left, right, amphichiral };

struct KnotReport {
    std::vector<std::string> names; // knots of at most eight crossings; empty: the knot needs more
    bool certain = false;           // one name, which is proven
    bool minimal = false;           // certain, and no diagram of this knot has fewer crossings
    Handedness hand = Handedness::unknown;
    int crossings = 0; // of the simplest diagram found
    int writhe = 0;    // of that diagram
    int signature = 0;
    std::int64_t determinant = 1;
    IntegerPolynomial alexander;
};

// Errors are a rope that touches itself, too few points, and more than maxDiagramCrossings crossings after
// simplification. A value may also outgrow its bits, which takes tens of crossings.
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Point> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3d> points, bool closed);

} // namespace capstan
