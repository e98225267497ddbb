// SPDX-License-Identifier: MIT
// Track: a number read at the end of every frame, and what it was in between.
//
// Between samples stands the polynomial through the six samples around: for a motion of w radians a frame it
// is within 0.005 w^6 of the swing, 5e-9 at 60 frames a period. The nearest frame was refused (it is wrong by
// half a frame), and so was a fitted sinusoid: swings as wide as these are none.
#pragma once

#include <validation/harness/numerics.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace capstan::validation {

class Track {
public:
    explicit Track(double step) : step_(step) {}
    void add(double value) { values_.push_back(value); }
    std::size_t size() const { return values_.size(); }
    double operator[](std::size_t i) const { return values_[i]; }

    // Not a number where there are fewer than six samples, or t is not one.
    double at(double t) const;
    // Times at which it passes through zero, upwards or downwards. Zero itself at the first sample is none.
    std::vector<double> rises() const { return passes(1); }
    std::vector<double> falls() const { return passes(-1); }
    // Slope of the straight line that fits best.
    double slope() const;

private:
    std::vector<double> passes(double sign) const;

    double step_;
    std::vector<double> values_;
};

// An angle that grows over full turns, from what atan2 gives.
class Turns {
public:
    double add(double angle); // the whole of it

private:
    double last_ = 0, whole_ = 0;
};

// Elements by number, and not a number where there is no such element: a row made from it does not hold.
inline double pick(const std::vector<double>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::numeric_limits<double>::quiet_NaN();
}
// Mean distance of neighbours.
inline double spacing(const std::vector<double>& list) {
    if (list.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    return (list.back() - list.front()) / static_cast<double>(list.size() - 1);
}

} // namespace capstan::validation
