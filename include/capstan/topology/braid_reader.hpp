// SPDX-License-Identifier: MIT
//
// The braid that ropes form, read in two ways that agree: from the motion of their ends, and from the ropes
// themselves.
//
// One picture for both. A View has the strands run DOWN it: from their starts at the top, or in time.
// Positions count from the left, 1 to n, by the coordinate along view.right. A letter +i is a right-handed
// crossing: the strand at position i + 1 passes in front of (nearer to the viewer than) the one at position
// i. So the exponent sum is the sum of crossing signs (crossings.hpp) and the closed braid has the linking
// numbers that linking.hpp finds. Where two strands are seen in line, the view counts as turned by an
// infinitesimal angle towards view.right: the one nearer to the viewer then is to the left. For dogs on the
// ground, y up:
//   viewFrom({0, 0, 1}, {0, 1, 0})      seen from the south, right = east, leashes run down from the hand.
//
// From motion: the ends move in the plane across the strands (right, toViewer); their world lines, with time
// running down, are a braid. Between two frames points move straight.
//
// From geometry: each strand is thought to go on straight up from its start and straight down from its end.
// What is read is the class of these strands under motions that leave the far ends where they are; if a braid
// is among them it is unique (E. Artin 1947: braids isotopic as strings are equal). The height need not grow
// along a strand as long as some tilt of the sweeping plane, h + k x + m z, grows along all of them (a
// shear, which changes no braid); it is looked for with a perceptron. Otherwise the strands are first
// straightened by triangle moves that pass nothing (straighten.hpp). Strands that do not come out monotone
// are not read: one may be knotted or hooked around another. Never a wrong word; but a few tangled yet true
// braids may be refused.
//
// Both agree, if ropes never pass through each other and the ends move below everything else:
//   word of the ropes now = word of the ropes at the start . word of the motion since              in B_n
// A letter is exact: its sign is the exact sign of a determinant, and swaps at one height are put in an order
// that is possible.
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

    // The points of a frame, the same number each time. Errors, after which the frame counts as not given: a
    // coordinate is not finite, two points are in one place (seen along the strands), or two went
    // through each other since the last frame, or the word would grow beyond maxBraidLetters.
    Status add(std::span<const Vec3> points);
    Status add(std::span<const Vec3d> points);

    const BraidWord& word() const { return word_; }          // freely reduced
    const std::vector<int>& start() const { return start_; } // start()[k]: point at position k at first
    const std::vector<int>& order() const { return order_; } // and now
    void clear();                                            // forgets everything but the view

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
    int hooked = -1; // when not readable: a rope that would not come straight
    bool straightened = false;
};

class CAPSTAN_API BraidReader {
public:
    // Open ropes, each from its start to its end. An error is for what no braid could have: fewer than two
    // ropes, a closed one, ropes that touch, starts or ends in one place as seen along the strands.
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
    View tilted_{};     // in those axes
    std::vector<Vec3d> scratch_;
    Straightener straightener_;
    CrossingFinder finder_;
    std::vector<StrandSwap> swaps_;
    std::vector<int> order_;
    BraidReading reading_;
};

} // namespace capstan
