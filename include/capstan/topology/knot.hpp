// SPDX-License-Identifier: MIT
//
// Which knot is in a rope? The rope is straightened by moves that change no knot (straighten.hpp), looked at
// from several sides, each diagram simplified further (topology/diagram/reroute.hpp), and the Alexander polynomial and
// signature of the simplest looked up among all knots of at most eight crossings (topology/knot/knot_table.hpp).
//
// What this proves. Polynomial, determinant and signature are exact invariants: different ones are different
// knots. `crossings` is a diagram that was found, so the knot has no more than that. Hence with eight or
// fewer crossings `names` lists every knot it can be, and if it is one name, that is the knot: `certain`.
// With more, a name says only: if it can be drawn with eight crossings, it is one of these. No pair of
// invariants as cheap as these tells all knots apart: 8_20 and the square knot, or 8_21 and 3_1#4_1, share
// both, and both names are given where crossings allow both.
//
// Open ropes have no knot; they are closed first: each end goes on straight away from the middle of the
// rope's box to ten times its size, and both are joined by an arc there. For a knot with its ends drawn out,
// this is what anyone would call its knot. An end buried inside the tangle is closed along that same ray,
// which may tie or untie something; that cannot be detected.
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

// Left and right by the sign of the signature: the right-handed trefoil, and any knot whose diagram has only
// right-handed crossings, has a negative one. A chiral knot of signature 0 (6_1, 7_7, 8_1, ..) stays unknown.
enum class Handedness { unknown, left, right, amphichiral };

struct KnotReport {
    std::vector<std::string> names; // of at most eight crossings; none: it takes more
    bool certain = false;           // one name, and proven
    bool minimal = false;           // certain, and no diagram of this knot has fewer crossings
    Handedness hand = Handedness::unknown;
    int crossings = 0; // of the simplest diagram found
    int writhe = 0;    // of that diagram
    int signature = 0;
    std::int64_t determinant = 1;
    IntegerPolynomial alexander;
};

// An error where the rope touches itself, has too few points or more than maxDiagramCrossings crossings that
// do not go away, or where a number outgrows its bits, which takes tens of crossings.
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Point> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3> points, bool closed);
CAPSTAN_API Result<KnotReport> identifyKnot(std::span<const Vec3d> points, bool closed);

} // namespace capstan
