// SPDX-License-Identifier: MIT
// Polygon: an exact reference for ropes without weight, whose ends move at constant speed.
//
//   m a_i = T_(i+1) n_(i+1) - T_i n_i,   n_i . (a_i - a_(i-1)) = -|v_i - v_(i-1)|^2 / l
//
// The lengths' second derivatives give the tensions, a tridiagonal system. The classic Runge-Kutta method of fourth
// order takes the step, and a projection ends it, so that lengths and their rates stay exact.
#pragma once

#include <capstan/math/vec.hpp>

#include <cstddef>
#include <vector>

namespace capstan::validation {

class Polygon {
public:
    // `link`: length of a segment [m]; `mass`: of an inner node [kg].
    Polygon(double link, double mass) : link_(link), inverse_(1 / mass) {}

    void add(Vec3d x, Vec3d v) {
        x_.push_back(x);
        v_.push_back(v);
        for (auto* column : {&tension_, &below_, &on_, &above_}) column->push_back(0);
    }

    double tension(int segment) const { return tension_[static_cast<std::size_t>(segment)]; }

    void step(double h) {
        const std::vector<Vec3d> x = x_, v = v_;
        std::vector<Vec3d> dx(x.size(), Vec3d{0, 0, 0}), dv = dx;
        const double share[4] = {1, 2, 2, 1}, next[4] = {0.5, 0.5, 1, 0};
        for (int stage = 0; stage < 4; ++stage) {
            findTensions();
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Vec3d speed = v_[i], pull = acceleration(i);
                dx[i] = dx[i] + (share[stage] * h / 6) * speed;
                dv[i] = dv[i] + (share[stage] * h / 6) * pull;
                nextX_.push_back(x[i] + (next[stage] * h) * speed);
                nextV_.push_back(v[i] + (next[stage] * h) * pull);
            }
            x_.swap(nextX_);
            v_.swap(nextV_);
            nextX_.clear();
            nextV_.clear();
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            x_[i] = x[i] + dx[i];
            v_[i] = v[i] + dv[i];
        }
        project();
        findTensions();
    }

private:
    std::size_t last() const { return x_.size() - 1; }
    double weight(std::size_t i) const { return i == 0 || i == last() ? 0 : inverse_; }
    Vec3d along(std::size_t i) const { return (1 / link_) * (x_[i] - x_[i - 1]); }

    // Solves for the multipliers of all segments, where `right(i)` is the rate of segment i that they must undo.
    template <class Right> void solve(const Right& right) {
        for (std::size_t i = 1; i <= last(); ++i) {
            const Vec3d n = along(i);
            on_[i] = dot(n, n) * (weight(i) + weight(i - 1));
            below_[i] = i > 1 ? -weight(i - 1) * dot(n, along(i - 1)) : 0;
            above_[i] = i < last() ? -weight(i) * dot(n, along(i + 1)) : 0;
            tension_[i] = right(i);
        }
        for (std::size_t i = 2; i <= last(); ++i) {
            const double f = below_[i] / on_[i - 1];
            on_[i] -= f * above_[i - 1];
            tension_[i] -= f * tension_[i - 1];
        }
        tension_[last()] /= on_[last()];
        for (std::size_t i = last() - 1; i >= 1; --i)
            tension_[i] = (tension_[i] - above_[i] * tension_[i + 1]) / on_[i];
    }

    void findTensions() {
        solve([&](std::size_t i) {
            const Vec3d off = v_[i] - v_[i - 1];
            return dot(off, off) / link_;
        });
    }

    // Change of node i by the multipliers, per inverse mass.
    Vec3d acceleration(std::size_t i) const {
        if (weight(i) == 0) return {0, 0, 0};
        return weight(i) * (tension_[i + 1] * along(i + 1) - tension_[i] * along(i));
    }

    void project() {
        solve([&](std::size_t i) {
            const Vec3d d = x_[i] - x_[i - 1];
            return (dot(d, d) - link_ * link_) / (2 * link_);
        });
        change(x_);
        solve([&](std::size_t i) { return dot(along(i), v_[i] - v_[i - 1]); });
        change(v_);
    }
    void change(std::vector<Vec3d>& column) {
        nextX_.clear();
        for (std::size_t i = 0; i < column.size(); ++i) nextX_.push_back(column[i] + acceleration(i));
        column.swap(nextX_);
        nextX_.clear();
    }

    double link_, inverse_;
    std::vector<Vec3d> x_, v_, nextX_, nextV_;
    std::vector<double> tension_, below_, on_, above_;
};

} // namespace capstan::validation
