// SPDX-License-Identifier: MIT
//
// This file reads the braid that ropes form in two ways that agree: from the motion of their ends, and from the ropes
// themselves.
//
// Both ways use the same picture. In a View the strands run DOWN: from their starts at the top, or in time. Positions
// count from the left, 1 to n, by the coordinate along view.right. A letter +i is a right-handed crossing: the strand
// at position i + 1 passes in front of the one at position i, nearer to the viewer. So the exponent sum is the sum of
// crossing signs (crossings.hpp) and the closed braid has the linking numbers that linking.hpp finds. Where one strand
// hides another exactly, the view counts as turned by an infinitesimal angle towards view.right. The strand nearer to
// the viewer then is to the left. An example is dogs on the ground with y up:
//   viewFrom({0, 0, 1}, {0, 1, 0})      seen from the south, right = east, leashes run down from the hand.
//
// BraidMotion reads the motion: the ends move in the plane across the strands (right, toViewer). Their world lines are
// a braid, with time running down. Between two frames the points move along straight lines.
//
// BraidReader reads the geometry: each strand is extended straight up from its start and straight down from its end.
// The result is the class of these strands under motions that leave the far ends where they are. If this class
// contains a braid, that braid is unique (E. Artin 1947: braids isotopic as strings are equal). The height need not
// grow along a strand if the height of a tilted sweeping plane, h + k x + m z, grows along all strands. Such a shear
// changes no braid. A perceptron looks for it. If there is no such tilt, triangle moves that pass through nothing
// first straighten the strands (straighten.hpp). If strands still are not monotone, the result is not readable: one
// may be knotted or hooked around another. So the word is never wrong, but a few tangled strands that are braids may
// be refused.
//
// Both ways agree if ropes never pass through each other and the ends move below everything else:
//   word of the ropes now = word of the ropes at the start . word of the motion since              in B_n
// Each letter is exact: its sign is the exact sign of a determinant. Swaps at one height are put into a possible
// order.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/crossings.hpp>
#include <capstan/topology/polylines.hpp>
#include <capstan/topology/straighten.hpp>
#include <capstan/topology/swaps.hpp>

#include <span>
#include <vector>

namespace capstan {

class CAPSTAN_API BraidMotion {
public:
    explicit BraidMotion(const View& view) : view_(view) {}

    // `points` are the points of a frame; their number is the same in each call. After an error the frame is ignored.
    // Errors are a coordinate that is not finite, and two points in one place as seen along the strands. Two points
    // that went through each other since the last frame, or a word longer than maxBraidLetters, are errors too.
    Status add(std::span<const Vec3> points);
    Status add(std::span<const Vec3d> points);

    const BraidWord& word() const { return word_; } // freely reduced
    // start()[k] is the point at position k in the first frame.
    const std::vector<int>& start() const { return start_; }
    // order()[k] is the point at position k now.
    const std::vector<int>& order() const { return order_; }
    void clear(); // resets everything but the view

private:
    Status take();

    View view_;
    std::vector<Vec3d> last_, now_; // in the axes of the view
    std::vector<int> start_, order_, newOrder_;
    std::vector<StrandSwap> swaps_;
    BraidWord word_, newWord_;
};

struct BraidReading {
    bool readable = false;
    BraidWord word;         // freely reduced; empty when not readable
    std::vector<int> start; // start[k]: rope that starts at position k, from 0
    std::vector<int> end;
    int hooked = -1; // when not readable: a rope that could not be straightened
    bool straightened = false;
};

class CAPSTAN_API BraidReader {
public:
    // The ropes are open; each runs from its start to its end. Errors are fewer than two ropes, a closed rope, and
    // ropes in contact. Starts or ends in one place, as seen along the strands, are an error too.
    Status read(const Polylines& ropes, const View& view);
    const BraidReading& reading() const { return reading_; }

private:
    void project(const Polylines& ropes, const View& view);
    void extend();
    bool tilt();
    bool straighten();
    Status order();
    Status sweep();

    Polylines strands_; // in the axes of the view
    View tilted_{};     // in the axes of view_
    std::vector<Vec3d> scratch_;
    Straightener straightener_;
    CrossingFinder finder_;
    std::vector<StrandSwap> swaps_;
    std::vector<int> order_;
    BraidReading reading_;
};

} // namespace capstan
