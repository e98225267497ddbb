// SPDX-License-Identifier: MIT
//
// Ropes as rows of points, the one input of everything here that looks at several of them at once. Points are
// kept in double; a point equal to the one before it is dropped, for a segment of length 0 has no direction.
// clear() keeps the memory: filled anew each frame, nothing is allocated.
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
        std::size_t first = 0, count = 0; // its points
        bool closed = false;              // the last point joins the first

        std::size_t segments() const { return closed ? count : count - 1; }
        std::size_t next(std::size_t k) const { return k + 1 < first + count ? k + 1 : first; }
    };
    std::vector<Vec3d> points;
    std::vector<int> origin; // of each point: its index in the row that was handed in
    std::vector<Rope> ropes;

    // An open rope needs two points, a closed one three, all finite, |x| < 1e90. After an error nothing of
    // this row is kept. `where` of the error reads "rope 2, point 5", both from 0.
    Status add(std::span<const Point> row, bool closed = false); // as World::points gives them
    Status add(std::span<const Vec3> row, bool closed = false);
    Status add(std::span<const Vec3d> row, bool closed = false);
    void clear();
    std::span<const Vec3d> of(std::size_t rope) const {
        return {points.data() + ropes[rope].first, ropes[rope].count};
    }
};

} // namespace capstan
