// SPDX-License-Identifier: MIT
//
// BraidReader: reads the braid of ropes; see braid_reader.hpp.
#include <capstan/topology/braid_reader.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace capstan {
namespace {

// Fraction of the picture's height; the height of a crossing is accurate to 1e-15.
constexpr double tie = 1e-11;
constexpr int tilts = 24; // largest number of corrections of the sweeping plane
// Cosine between a segment and "down" below which tilt() gives up: the segment runs up nearly as steeply as the
// extensions run down.
constexpr double hopeless = -0.95;
constexpr int pulls = 20; // largest number of iterations of pulling and cutting; then strands count as hooked

bool leftOf(Vec3d a, Vec3d b) { return a.x < b.x || (a.x == b.x && a.z > b.z); }

} // namespace

void BraidReader::project(const Polylines& ropes, const View& view) {
    strands_.points.clear();
    for (const Vec3d& p : ropes.points)
        strands_.points.push_back({dot(p, view.right), dot(p, view.up), dot(p, view.toViewer)});
    strands_.origin = ropes.origin;
    strands_.ropes = ropes.ropes;
}

// Extends each strand straight up and down, to heights beyond all other points of the tilted picture.
void BraidReader::extend() {
    double low = 1e300, high = -1e300;
    for (const Vec3d& p : strands_.points) {
        low = std::min(low, dot(tilted_.up, p));
        high = std::max(high, dot(tilted_.up, p));
    }
    const double beyond = high > low ? high - low : 1.0;
    const auto at = [&](Vec3d p, double height) {
        return Vec3d{p.x, height - tilted_.up.x * p.x - tilted_.up.z * p.z, p.z};
    };
    scratch_.clear();
    strands_.origin.clear();
    for (Polylines::Rope& rope : strands_.ropes) {
        const Vec3d* points = strands_.points.data() + rope.first;
        rope.first = scratch_.size();
        scratch_.push_back(at(points[0], high + beyond));
        scratch_.insert(scratch_.end(), points, points + rope.count);
        scratch_.push_back(at(points[rope.count - 1], low - beyond));
        rope.count += 2;
        for (std::size_t k = 0; k < rope.count; ++k) strands_.origin.push_back(static_cast<int>(k));
    }
    strands_.points.swap(scratch_);
}

// Searches for a direction f, roughly downwards, along which every segment has a positive component. As long as a
// segment has a negative component, the worst segment is added to f. This is the perceptron of F. Rosenblatt (1958),
// which finds f whenever one exists with some margin. Then new axes shear the picture so that f is down; no point
// moves. Returns false if no f was found; `hooked` is then the rope of the worst segment.
bool BraidReader::tilt() {
    tilted_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool down = true;
    for (const Polylines::Rope& rope : strands_.ropes)
        for (std::size_t k = rope.first; k + 1 < rope.first + rope.count; ++k)
            down = down && strands_.points[k + 1].y < strands_.points[k].y;
    if (down) return true;
    scratch_.clear(); // unit vectors along the segments; the last one is that of the extensions
    for (const Polylines::Rope& rope : strands_.ropes)
        for (std::size_t k = rope.first; k + 1 < rope.first + rope.count; ++k)
            scratch_.push_back(normalize(strands_.points[k + 1] - strands_.points[k]));
    scratch_.push_back({0, -1, 0});
    Vec3d f{0, -1, 0};
    std::size_t worst = 0;
    double least = 0;
    for (int k = 0;; ++k) {
        worst = 0;
        least = dot(f, scratch_[0]);
        for (std::size_t s = 1; s < scratch_.size(); ++s)
            if (const double way = dot(f, scratch_[s]); way < least) {
                least = way;
                worst = s;
            }
        if (least > 1e-9 * length(f) || k == tilts || (k == 0 && least < hopeless)) break;
        f += scratch_[worst];
    }
    if (least <= 1e-9 * length(f)) {
        reading_.hooked = -1;
        for (std::size_t r = 0; r < strands_.ropes.size(); ++r) {
            if (worst < strands_.ropes[r].count - 1) {
                reading_.hooked = static_cast<int>(r);
                break;
            }
            worst -= strands_.ropes[r].count - 1;
        }
        return false;
    }
    tilted_.up = {f.x / f.y, 1.0, f.z / f.y};
    tilted_.toViewer = {0.0, -tilted_.up.z, 1.0};
    return true;
}

// Sorts the strands from left to right at their starts and at their ends.
Status BraidReader::order() {
    const auto n = static_cast<int>(strands_.ropes.size());
    for (const bool atStart : {true, false}) {
        std::vector<int>& list = atStart ? reading_.start : reading_.end;
        const auto position = [&](int r) {
            const Polylines::Rope& rope = strands_.ropes[static_cast<std::size_t>(r)];
            Vec3d p = strands_.points[atStart ? rope.first : rope.first + rope.count - 1];
            p.y = 0;
            return p;
        };
        list.clear();
        for (int r = 0; r < n; ++r) list.push_back(r);
        std::sort(list.begin(), list.end(), [&](int a, int b) {
            return leftOf(position(a), position(b)) || (!leftOf(position(b), position(a)) && a < b);
        });
        for (std::size_t k = 0; k + 1 < list.size(); ++k)
            if (position(list[k]) == position(list[k + 1]))
                return Error{atStart ? "two ropes start in one place, seen along the strands"
                                     : "two ropes end in one place, seen along the strands",
                             "rope " + std::to_string(list[k]) + " and rope " + std::to_string(list[k + 1])};
    }
    return done();
}

Status BraidReader::sweep() {
    extend();
    const auto crossings = finder_.find(strands_, tilted_);
    if (!crossings) return crossings.error();
    swaps_.clear();
    double low = 1e300, high = -1e300;
    for (const Crossing& c : *crossings) {
        const Polylines::Rope& rope = strands_.ropes[static_cast<std::size_t>(c.over.rope)];
        const std::size_t k = rope.first + static_cast<std::size_t>(c.over.segment);
        const Vec3d from = strands_.points[k], to = strands_.points[k + 1];
        const double depth = -dot(tilted_.up, from + c.over.t * (to - from));
        low = std::min(low, depth);
        high = std::max(high, depth);
        swaps_.push_back({depth, c.over.rope, c.under.rope, c.sign});
    }
    order_ = reading_.start;
    reading_.readable =
        spellSwaps(swaps_, tie * (high - low), order_, reading_.word) && order_ == reading_.end;
    if (!reading_.readable) reading_.word.clear();
    return done();
}

// Cutting corners is nearly always enough. If strands are tightly wound, relax() makes more cuts possible.
bool BraidReader::straighten() {
    reading_.straightened = true;
    extend();
    straightener_.cut(strands_);
    for (int k = 0; !tilt(); ++k) {
        if (k == pulls) return false;
        for (int i = 0; i < 4; ++i) straightener_.relax(strands_);
        straightener_.cut(strands_);
    }
    return true;
}

Status BraidReader::read(const Polylines& ropes, const View& view) {
    const std::size_t n = ropes.ropes.size();
    if (n < 2 || n > static_cast<std::size_t>(maxBraidStrands))
        return Error{"a braid must have 2 .. " + std::to_string(maxBraidStrands) + " strands, got " +
                         std::to_string(n),
                     "ropes"};
    for (std::size_t r = 0; r < n; ++r)
        if (ropes.ropes[r].closed)
            return Error{"a strand of a braid must be an open rope", "rope " + std::to_string(r)};
    reading_.readable = false;
    reading_.straightened = false;
    reading_.hooked = -1;
    reading_.word.clear();
    project(ropes, view);
    if (Status ok = order(); !ok) return ok.error();
    if (!tilt() && !straighten()) return done();
    return sweep();
}

} // namespace capstan
