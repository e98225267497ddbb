// SPDX-License-Identifier: MIT
// Track: a value that is sampled at the end of every frame and interpolated in between.
//
// The interpolation is the polynomial through the six nearest samples. For an oscillation of w radians per frame its
// error is below 0.005 w^6 of the amplitude, which is 5e-9 at 60 frames per period. Two alternatives were refused.
// The nearest frame has an error of up to half a frame. A fitted sinusoid is wrong because wide swings are not
// sinusoidal.
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
    // Return the times at which the value passes through zero, upwards or downwards. A zero at the first sample does
    // not count.
    std::vector<double> rises() const { return passes(1); }
    std::vector<double> falls() const { return passes(-1); }
    // Returns the slope of the least-squares line.
    double slope() const;

private:
    std::vector<double> passes(double sign) const;

    double step_;
    std::vector<double> values_;
};

// Unwraps an angle [rad] given by atan2, so that full turns add up.
class Turns {
public:
    double add(double angle); // returns the unwrapped angle

private:
    double last_ = 0, whole_ = 0;
};

// Returns element i, or NaN if it does not exist. A NaN makes a row fail.
inline double pick(const std::vector<double>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::numeric_limits<double>::quiet_NaN();
}
// Returns the mean difference of neighbouring elements.
inline double spacing(const std::vector<double>& list) {
    if (list.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    return (list.back() - list.front()) / static_cast<double>(list.size() - 1);
}

} // namespace capstan::validation
