// SPDX-License-Identifier: MIT
// Tethers of cloth. The rest length of a tether is the length of the path in the cloth between a vertex and a pin.
//
// Path lengths are computed from each pin by Dijkstra's algorithm, along edges and also across triangles. Let a and b
// be the known lengths at two corners of a triangle. In the plane of the triangle, S is the point at the distances a
// and b from those corners, beyond the edge between them. The length at the third corner x is |S - x| if the straight
// line crosses that edge. These lengths are exact in a flat convex sheet. In other sheets they are a little too long:
// a tether may be slack, but is never too short. Source: Novotni, Klein: Computing geodesic distances on triangular
// meshes (WSCG 2002).
#include "solver/cloth/rows.hpp"

#include <algorithm>
#include <queue>

namespace capstan {
namespace {

constexpr double kFar = 1e30;
// With more pins, every n-th one is used; the pins of a hem are redundant, so a third of them is as good.
constexpr int kMostPins = 64;

// Returns |S - x| (see above). S is at the distances a and b from p and q. Returns kFar if the line misses the edge.
double across(Vec3d p, Vec3d q, Vec3d x, double a, double b) {
    const double c = length(q - p);
    if (!(c > 0)) return kFar;
    const Vec3d e = (1 / c) * (q - p);
    const double along = dot(x - p, e), high = length(x - p - along * e);
    const double sx = (a * a - b * b + c * c) / (2 * c), deep = a * a - sx * sx;
    if (deep < 0) return kFar;
    const double sy = -sqrt(deep);
    // Position along the edge where the line crosses it.
    const double crossing = sx + (along - sx) * (-sy) / (high - sy);
    if (!(high > 0) || crossing < 0 || crossing > c) return kFar;
    return sqrt((along - sx) * (along - sx) + (high - sy) * (high - sy));
}

// Returns the path length from the pin to each vertex [m].
std::vector<double> lengthsFrom(const Cloth& c, const std::vector<std::vector<int>>& trianglesAt, int pin) {
    std::vector<double> at(std::size_t(c.count), kFar);
    std::vector<bool> done(std::size_t(c.count), false);
    using Item = std::pair<double, int>; // no two pairs are equal
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> open;
    at[pin] = 0;
    open.push({0, pin});
    while (!open.empty()) {
        const int i = open.top().second;
        open.pop();
        if (done[i]) continue;
        done[i] = true;
        const auto offer = [&](int to, double l) {
            if (l < at[to]) {
                at[to] = l;
                open.push({l, to});
            }
        };
        for (int t : trianglesAt[i]) {
            const auto& v = c.triangles[t];
            for (std::size_t k = 0; k < 3; ++k) {
                const int j = v[k], other = v[0] + v[1] + v[2] - i - j;
                if (j == i || done[j]) continue;
                const Vec3d &pi = c.rest[i], &pj = c.rest[j];
                offer(j, at[i] + length(pj - pi));
                if (done[other]) offer(j, across(pi, c.rest[other], pj, at[i], at[other]));
            }
        }
    }
    return at;
}

// Converts tethers to pins with movable hosts, and tethers of such pins to other pins, into attachment rows.
void tetherAttachments(Cloth& c, const std::vector<std::int32_t>& numbers) {
    const std::vector<std::int32_t> pinAt = pinOfVertex(c);
    for (std::size_t k = 0; k < c.tetherReach.size(); ++k) {
        if (!(c.tetherReach[k] < 1e30f)) continue;
        const std::int32_t vertex = std::int32_t(k % std::size_t(c.room)), own = pinAt[vertex],
                           to = numbers[c.tetherPin[k]];
        const auto gives = [&](std::int32_t pin) { return pin >= 0 && c.pins[pin].gives; };
        if (!gives(own) && !gives(to)) continue;
        const double rest = double(c.tetherReach[k]);
        c.tetherReach[k] = 1e30f;
        addAttachmentRow(c, pinAt, c.pins[to].vertex, vertex, rest, 0, true);
    }
}

} // namespace

std::vector<std::int32_t> pinOfVertex(const Cloth& c) {
    std::vector<std::int32_t> pinAt(std::size_t(c.room), -1);
    for (std::size_t i = 0; i < c.pins.size(); ++i) pinAt[c.pins[i].vertex] = std::int32_t(i);
    return pinAt;
}

bool addAttachmentRow(Cloth& c, const std::vector<std::int32_t>& pinAt, int a, int b, double rest,
                      double compliance, bool pulls) {
    const auto given = [&](int vertex) {
        const std::int32_t pin = pinAt[vertex];
        return pin >= 0 && c.pins[pin].gives ? pin : -1;
    };
    std::int32_t pin = given(a), other = given(b);
    if (pin < 0) {
        std::swap(a, b);
        std::swap(pin, other);
    }
    if (pin < 0) return false;
    if (other >= 0) {
        const ClothPin &p = c.pins[pin], &q = c.pins[other];
        const bool samePosition = p.body >= 0 ? p.body == q.body : p.rope == q.rope && p.node == q.node;
        if (samePosition || (pulls && p.rope >= 0 && p.rope == q.rope))
            return true; // the body or rope itself keeps that distance
    }
    c.attachmentRows.push_back({pin, std::int32_t(b), other, rest, compliance, pulls});
    return true;
}

void tetherCloth(Cloth& c) {
    std::vector<int> pins;
    std::vector<std::int32_t> numbers; // index of each element of `pins` in c.pins
    const int step = (int(c.pins.size()) + kMostPins - 1) / kMostPins;
    for (std::size_t i = 0; i < c.pins.size(); i += std::size_t(std::max(step, 1))) {
        pins.push_back(c.pins[i].vertex);
        numbers.push_back(std::int32_t(i));
    }
    // Cloth with a finite stretch stiffness has no tethers, because they would prevent its stretch.
    c.tethers = c.def.stretchStiffness > 0 ? 0 : std::min(c.def.tethers, int(pins.size()));
    const std::size_t room = std::size_t(c.room);
    c.tetherPin.assign(room * std::size_t(c.tethers), 0);
    c.tetherReach.assign(c.tetherPin.size(), 1e30f);
    c.tied.clear();
    c.attachmentRows.clear();
    if (c.tethers == 0) return;
    c.tied.assign(pins.begin(), pins.end());
    while (c.tied.size() % kClothSlice) c.tied.push_back(c.count);

    std::vector<std::vector<int>> trianglesAt(std::size_t(c.count));
    for (std::size_t t = 0; t < c.triangles.size(); ++t)
        for (int v : c.triangles[t]) trianglesAt[v].push_back(int(t));
    std::vector<double> reach(c.tetherPin.size(), kFar);
    for (std::size_t p = 0; p < pins.size(); ++p) {
        const int pin = pins[p];
        const std::vector<double> at = lengthsFrom(c, trianglesAt, pin);
        for (std::size_t i = 0; i < std::size_t(c.count); ++i) {
            if (int(i) == pin || at[i] >= kFar) continue;
            double l = at[i]; // insertion sort: keeps the nearest pins, nearest first
            std::int32_t who = std::int32_t(p);
            for (std::size_t k = 0; k < std::size_t(c.tethers); ++k) {
                const std::size_t slot = k * room + i;
                if (l < reach[slot]) {
                    std::swap(l, reach[slot]);
                    std::swap(who, c.tetherPin[slot]);
                }
            }
        }
    }
    // The reach is slightly more than the length, so that tethers do not act on cloth at rest.
    for (std::size_t k = 0; k < reach.size(); ++k)
        if (reach[k] < kFar) c.tetherReach[k] = float(reach[k] * (1 + 1e-5));
    tetherAttachments(c, numbers);
    for (const ClothPin& p : c.pins)
        for (std::size_t k = 0; k < std::size_t(c.tethers); ++k)
            c.tetherReach[k * room + std::size_t(p.vertex)] = 1e30f;
}

} // namespace capstan
