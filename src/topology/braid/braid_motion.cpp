// SPDX-License-Identifier: MIT
//
// BraidMotion: reads the braid of a motion; see braid_reader.hpp.
#include <capstan/topology/braid_reader.hpp>

#include "topology/diagram/exact.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace capstan {
namespace {

constexpr double swapTie = 1e-9; // fraction of a frame; the time of a swap is accurate to 1e-15

Vec3d asDouble(Vec3 p) { return widen(p); }
Vec3d asDouble(Vec3d p) { return p; }

// Returns true if a is to the left of b in the view turned by an infinitesimal angle.
bool isLeftOf(Vec3d a, Vec3d b) { return a.x < b.x || (a.x == b.x && a.z > b.z); }

template <class V> Status seenFrom(const View& view, std::span<const V> points, std::vector<Vec3d>& out) {
    out.clear();
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3d p = asDouble(points[k]);
        if (!(std::abs(p.x) < 1e90 && std::abs(p.y) < 1e90 && std::abs(p.z) < 1e90))
            return Error{"a coordinate must be finite and not too large", "point " + std::to_string(k)};
        out.push_back({dot(p, view.right), 0.0, dot(p, view.toViewer)});
    }
    return done();
}

std::string both(int a, int b) {
    return "points " + std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b));
}

} // namespace

Status BraidMotion::add(std::span<const Vec3> points) {
    if (Status ok = seenFrom(view_, points, now_); !ok) return ok.error();
    return take();
}

Status BraidMotion::add(std::span<const Vec3d> points) {
    if (Status ok = seenFrom(view_, points, now_); !ok) return ok.error();
    return take();
}

void BraidMotion::clear() {
    last_.clear();
    word_.clear();
    start_.clear();
    order_.clear();
}

Status BraidMotion::take() {
    const auto n = static_cast<int>(now_.size());
    if (n < 2 || n > maxBraidStrands)
        return Error{"a braid must have 2 .. " + std::to_string(maxBraidStrands) + " strands, got " +
                         std::to_string(n),
                     "points"};
    if (!last_.empty() && last_.size() != now_.size())
        return Error{"there were " + std::to_string(last_.size()) + " points before, now " +
                         std::to_string(n),
                     "points"};
    const auto at = [](const std::vector<Vec3d>& list, int k) { return list[static_cast<std::size_t>(k)]; };
    newOrder_.clear();
    for (int k = 0; k < n; ++k) newOrder_.push_back(k);
    std::sort(newOrder_.begin(), newOrder_.end(), [&](int a, int b) {
        return isLeftOf(at(now_, a), at(now_, b)) || (!isLeftOf(at(now_, b), at(now_, a)) && a < b);
    });
    for (std::size_t k = 0; k + 1 < newOrder_.size(); ++k)
        if (at(now_, newOrder_[k]) == at(now_, newOrder_[k + 1]))
            return Error{"two points must not be in one place", both(newOrder_[k], newOrder_[k + 1])};
    if (last_.empty()) {
        start_ = order_ = newOrder_;
        last_.swap(now_);
        return done();
    }

    swaps_.clear();
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b) {
            const Vec3d a0 = at(last_, a), b0 = at(last_, b);
            Vec3d a1 = at(now_, a), b1 = at(now_, b);
            if (isLeftOf(a0, b0) == isLeftOf(a1, b1)) continue;
            a1.y = b1.y = -1.0; // time runs down the picture
            const int sign = signum(spanVolume(a0, a1, b0, b1));
            if (sign == 0) return Error{"two points went through each other", both(a, b)};
            const double d0 = a0.x - b0.x, d1 = a1.x - b1.x;
            swaps_.push_back({d0 / (d0 - d1), a, b, sign});
        }
    if (swaps_.empty()) {
        last_.swap(now_);
        return done();
    }
    newOrder_ = order_;
    newWord_ = word_;
    if (!spellSwaps(swaps_, swapTie, newOrder_, newWord_))
        return Error{"the swaps of this frame have no order", "points"};
    if (newWord_.size() > maxBraidLetters)
        return Error{"word is longer than " + std::to_string(maxBraidLetters) + " letters", "braid word"};
    order_.swap(newOrder_);
    word_.swap(newWord_);
    last_.swap(now_);
    return done();
}

} // namespace capstan
