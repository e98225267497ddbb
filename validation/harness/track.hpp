// SPDX-License-Identifier: MIT
// Track: a number that is read at the end of every frame, and interpolated in between.
//
// Between samples the value is that of the polynomial through the six nearest samples. For a motion of w radians a
// frame its error is below 0.005 w^6 of the amplitude, which is 5e-9 at 60 frames a period. Two alternatives were
// refused. The nearest frame is wrong by half a frame. A fitted sinusoid is wrong because wide swings are not
// sinusoids.
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

    // Returns NaN if there are fewer than six samples, or if t is NaN.
    double at(double t) const;
    // Returns the times at which the track passes through zero, upwards or downwards. A zero at the first sample does
    // not count.
    std::vector<double> rises() const { return passes(1); }
    std::vector<double> falls() const { return passes(-1); }
    // Returns the slope of the straight line that fits best.
    double slope() const;

private:
    std::vector<double> passes(double sign) const;

    double step_;
    std::vector<double> values_;
};

// An angle that grows over full turns, from what atan2 gives.
class Turns {
public:
    double add(double angle); // returns the whole angle, with all turns

private:
    double last_ = 0, whole_ = 0;
};

// Returns element i, or NaN if it does not exist. A row that is made from NaN fails.
inline double pick(const std::vector<double>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::numeric_limits<double>::quiet_NaN();
}
// Mean difference between neighbouring elements.
inline double spacing(const std::vector<double>& list) {
    if (list.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    return (list.back() - list.front()) / static_cast<double>(list.size() - 1);
}

} // namespace capstan::validation
