// SPDX-License-Identifier: MIT
//
// Two readers of the braid that ropes form: BraidMotion reads the motion of their ends, and BraidReader the ropes
// themselves.
//
// Both readers use the same picture. In a View the strands run DOWN: from their starts at the top, or in time.
// Positions count from the left, 1 to n, by the coordinate along view.right. A letter +i is a right-handed crossing:
// the strand at position i + 1 passes in front of the strand at position i, nearer to the viewer. So the exponent sum
// is the sum of crossing signs (crossings.hpp), and the closed braid has the linking numbers that linking.hpp
// computes. If one strand hides another exactly, the view counts as turned by an infinitesimal angle towards
// view.right. The strand nearer to the viewer is then to the left. An example is dogs on the ground with y up:
//   viewFrom({0, 0, 1}, {0, 1, 0})      seen from the south, right = east, leashes run down from the hand.
//
// BraidMotion: the ends move in the plane across the strands (axes right and toViewer). Their world lines are a
// braid, with time running down. Between two frames the points move along straight lines.
//
// BraidReader: each strand is extended straight up from its start and straight down from its end. The result is the
// class of these strands under motions that fix the far ends. If this class contains a braid, that braid is unique
// (E. Artin 1947: braids isotopic as strings are equal). The height h in the view need not
// grow along each strand. It suffices that h + k x + m z grows for some k and m, because such a shear changes no
// braid. A perceptron searches for k and m. If there is no such tilt, triangle moves that pass through nothing first
// straighten the strands (straighten.hpp). If some strands still are not monotone, the result is not readable: one
// may be knotted or hooked around another. So the word is never wrong, but a few tangled strands that are braids may
// be refused.
//
// Both readers agree if ropes never pass through each other and the ends move below everything else:
//   word of the ropes now = word of the ropes at the start . word of the motion since              in B_n
// Each letter is exact: its sign is the exact sign of a determinant. Swaps at one height are sorted into an order
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

    // Adds a frame of points [m]; their number must be the same in each call. After an Error the frame is ignored.
    // Errors are a coordinate that is not finite, and two points at one place as seen along the strands. A passage of
    // two points through each other since the last frame, and a word longer than maxBraidLetters, are Errors too.
    Status add(std::span<const Vec3> points);
    Status add(std::span<const Vec3d> points);

    const BraidWord& word() const { return word_; } // freely reduced
    // start()[k] is the index of the point at position k in the first frame, both from 0.
    const std::vector<int>& start() const { return start_; }
    // order()[k] is the index of the point at position k now.
    const std::vector<int>& order() const { return order_; }
    void clear(); // resets everything except the view

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
    BraidWord word;         // freely reduced; empty if not readable
    std::vector<int> start; // start[k], end[k]: the rope that starts (ends) at position k, from 0
    std::vector<int> end;
    int hooked = -1;           // if not readable: a rope that could not be straightened
    bool straightened = false; // triangle moves were needed to read the braid
};

class CAPSTAN_API BraidReader {
public:
    // Reads open ropes, each from its start to its end. Errors are fewer than two ropes, a closed rope, and ropes
    // that touch. Two starts or two ends at one place, as seen along the strands, are an Error too.
    Status read(const Polylines& ropes, const View& view);
    const BraidReading& reading() const { return reading_; }

private:
    void project(const Polylines& ropes, const View& view);
    void extend();
    bool tilt();
    bool straighten();
    Status order();
    Status sweep();

    Polylines strands_; // ropes in the axes of the view, extended up and down
    View tilted_{};     // axes of the tilted picture, in the axes of the view
    std::vector<Vec3d> scratch_;
    Straightener straightener_;
    CrossingFinder finder_;
    std::vector<StrandSwap> swaps_;
    std::vector<int> order_;
    BraidReading reading_;
};

} // namespace capstan
