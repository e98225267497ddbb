// SPDX-License-Identifier: MIT
//
// Polylines::add with its checks; see polylines.hpp.
#include <capstan/topology/polylines.hpp>

#include <cmath>
#include <string>

namespace capstan {
namespace {

Vec3d asDouble(Point p) { return widen(Vec3(p)); }
Vec3d asDouble(Vec3 p) { return widen(p); }
Vec3d asDouble(Vec3d p) { return p; }

bool inRange(Vec3d p) { return std::abs(p.x) < 1e90 && std::abs(p.y) < 1e90 && std::abs(p.z) < 1e90; }

template <class V> Status take(Polylines& into, std::span<const V> row, bool closed) {
    const std::size_t first = into.points.size();
    const std::string where = "rope " + std::to_string(into.ropes.size());
    const auto refuse = [&](std::string what, std::string place) {
        into.points.resize(first);
        into.origin.resize(first);
        return Error{std::move(what), std::move(place)};
    };
    for (std::size_t k = 0; k < row.size(); ++k) {
        const Vec3d p = asDouble(row[k]);
        if (!inRange(p))
            return refuse("a coordinate must be finite and not too large",
                          where + ", point " + std::to_string(k));
        if (into.points.size() > first && into.points.back() == p) continue;
        into.points.push_back(p);
        into.origin.push_back(static_cast<int>(k));
    }
    while (closed && into.points.size() > first + 1 && into.points.back() == into.points[first]) {
        into.points.pop_back();
        into.origin.pop_back();
    }
    const std::size_t count = into.points.size() - first, need = closed ? 3 : 2;
    if (count < need)
        return refuse(closed ? "a closed rope needs three different points"
                             : "an open rope needs two different points",
                      where);
    into.ropes.push_back({first, count, closed});
    return done();
}

} // namespace

Status Polylines::add(std::span<const Point> row, bool closed) { return take(*this, row, closed); }
Status Polylines::add(std::span<const Vec3> row, bool closed) { return take(*this, row, closed); }
Status Polylines::add(std::span<const Vec3d> row, bool closed) { return take(*this, row, closed); }

void Polylines::clear() {
    points.clear();
    origin.clear();
    ropes.clear();
}

} // namespace capstan
