// SPDX-License-Identifier: MIT
// Interpolation of track.hpp: Lagrange's polynomial in its barycentric form (Berrut & Trefethen 2004).
#include <validation/harness/track.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

double Track::at(double t) const {
    constexpr std::size_t count = 6;
    constexpr double weight[count] = {-1, 5, -10, 10, -5, 1};
    if (values_.size() < count || !std::isfinite(t)) return std::numeric_limits<double>::quiet_NaN();
    double last = static_cast<double>(values_.size() - count);
    double from = std::clamp(std::floor(t / step_) - 2, 0.0, last);
    double above = 0, below = 0;
    for (std::size_t k = 0; k < count; ++k) {
        double away = t / step_ - from - static_cast<double>(k);
        double value = values_[static_cast<std::size_t>(from) + k];
        if (away == 0) return value;
        above += weight[k] / away * value;
        below += weight[k] / away;
    }
    return above / below;
}

std::vector<double> Track::passes(double sign) const {
    std::vector<double> times;
    for (std::size_t i = 1; i + 1 < values_.size(); ++i) {
        if (!(sign * values_[i] < 0 && sign * values_[i + 1] >= 0)) continue;
        double t = step_ * static_cast<double>(i);
        times.push_back(threshold(t, t + step_, [&](double x) { return sign * at(x) >= 0; }));
    }
    return times;
}

double Track::slope() const {
    double n = static_cast<double>(values_.size()), mean = (n - 1) / 2, along = 0, square = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        double d = static_cast<double>(i) - mean;
        along += d * values_[i];
        square += d * d;
    }
    return along / (square * step_);
}

double Turns::add(double angle) {
    whole_ += std::remainder(angle - last_, 2 * std::numbers::pi);
    last_ = angle;
    return whole_;
}

} // namespace capstan::validation
