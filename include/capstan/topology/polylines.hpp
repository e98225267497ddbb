// SPDX-License-Identifier: MIT
//
// Polylines stores several ropes as lists of points. It is the input of every function of topology that reads several
// ropes at once. Points are kept in double. A point that equals the previous one is dropped, because a segment of
// length 0 has no direction. clear() keeps the memory, so filling Polylines anew in each frame allocates nothing.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/point.hpp>
#include <capstan/result.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace capstan {

struct CAPSTAN_API Polylines {
    struct Rope {
        std::size_t first = 0, count = 0; // index of the first point, and number of points
        bool closed = false;              // the last point joins the first

        std::size_t segments() const { return closed ? count : count - 1; }
        std::size_t next(std::size_t k) const { return k + 1 < first + count ? k + 1 : first; }
    };
    std::vector<Vec3d> points;
    std::vector<int> origin; // for each point: its index in the list that was added
    std::vector<Rope> ropes;

    // Adds a rope. An open rope needs two points, a closed one three. All coordinates must be finite, below 1e90 in
    // absolute value. After an Error nothing of this rope is stored. `where` of the Error reads "rope 2, point 5",
    // both counted from 0.
    Status add(std::span<const Point> row, bool closed = false); // points as World::positions returns them
    Status add(std::span<const Vec3> row, bool closed = false);
    Status add(std::span<const Vec3d> row, bool closed = false);
    void clear();
    // Returns the points of a rope.
    std::span<const Vec3d> of(std::size_t rope) const {
        return {points.data() + ropes[rope].first, ropes[rope].count};
    }
};

} // namespace capstan
