// SPDX-License-Identifier: MIT
// See measure.hpp.
#include <capstan/tangle/measure.hpp>

#include "collision/geometry/closest.hpp"

#include <algorithm>

namespace capstan {
namespace {

// Returns the vector along segment k. In a closed rope, the last segment ends at the first node.
Vec3 segmentOf(std::span<const Point> x, int k) {
    const std::size_t i = std::size_t(k), j = i + 1 < x.size() ? i + 1 : 0;
    return Vec3(x[j]) - Vec3(x[i]);
}

Vec3 directionOf(std::span<const Point> x, int k) { return normalize(segmentOf(x, k), {0, 0, 0}); }

// Returns the force [N] by which the tensions of the two neighbours pull segment k in the direction `towards`.
float loadAt(std::span<const Point> x, std::span<const float> T, int k, Vec3 towards) {
    const int before = std::max(k - 1, 0), behind = std::min(k + 1, int(T.size()) - 1);
    return dot(T[behind] * directionOf(x, behind) - T[before] * directionOf(x, before), towards);
}

} // namespace

Arc widened(const World& world, RopeId rope, Arc arc, float reach) {
    const std::span<const float> rest = world.restLengths(rope);
    for (float left = reach; arc.from > 0;) {
        left -= rest[--arc.from];
        if (left <= 0) break;
    }
    for (float left = reach; arc.to + 1 < int(rest.size());) {
        left -= rest[++arc.to];
        if (left <= 0) break;
    }
    return arc;
}

float turning(const World& world, RopeId rope, Arc arc) {
    const std::span<const Point> x = world.positions(rope);
    float sum = 0;
    Vec3 before = segmentOf(x, arc.from);
    for (int k = arc.from + 1; k <= arc.to; ++k) {
        const Vec3 now = segmentOf(x, k);
        sum += atan2(length(cross(before, now)), dot(before, now));
        before = now;
    }
    return sum;
}

Nearness look(const World& world, const Tangle& t) {
    const float touch = contactDistance(world, t);
    const Arc a = widened(world, t.ropeA, {t.firstA, t.lastA}, 4 * touch);
    const Arc b = widened(world, t.ropeB, {t.firstB, t.lastB}, 4 * touch);
    const std::span<const Point> x = world.positions(t.ropeA), y = world.positions(t.ropeB);
    const std::span<const float> rest = world.restLengths(t.ropeA);
    Nearness best;
    float bestSquared = -1;
    for (int i = a.from; i <= a.to; ++i)
        for (int j = b.from; j <= b.to; ++j) {
            if (t.ropeA == t.ropeB) {
                float between = 0;
                for (int k = std::min(i, j) + 1; k < std::max(i, j); ++k) between += rest[k];
                if (i == j || between < kOwnReach * touch) continue;
            }
            const Vec3 p = x[i], q = y[j];
            const auto c = closest(p, p + segmentOf(x, i), q, q + segmentOf(y, j));
            if (bestSquared >= 0 && !(c.distanceSquared < bestSquared)) continue;
            bestSquared = c.distanceSquared;
            best = {i, j, c.s, c.t, c.p, c.q, 0};
        }
    best.distance = bestSquared < 0 ? -1 : sqrt(bestSquared);
    return best;
}

float contactDistance(const World& world, const Tangle& t) {
    return world.def(t.ropeA).radius + world.def(t.ropeB).radius;
}

bool measure(const World& world, Tangle& t, std::span<const RopeContact> contacts, float friction,
             float minTension) {
    const RopeContact& one = contacts.front();
    t.ropeA = one.ropeA;
    t.ropeB = one.ropeB;
    t.firstA = t.lastA = one.segmentA;
    t.firstB = t.lastB = one.segmentB;
    t.point = {0, 0, 0};
    t.force = 0;
    float triple = 0, slipping = 0;
    const std::span<const Point> x = world.positions(t.ropeA), y = world.positions(t.ropeB);
    for (const RopeContact& c : contacts) {
        t.firstA = std::min(t.firstA, c.segmentA);
        t.lastA = std::max(t.lastA, c.segmentA);
        t.firstB = std::min(t.firstB, c.segmentB);
        t.lastB = std::max(t.lastB, c.segmentB);
        t.point = t.point + c.point;
        t.force += c.force;
        slipping += c.slipping ? c.force : 0;
        triple += dot(cross(directionOf(x, c.segmentA), directionOf(y, c.segmentB)), c.normal);
    }
    t.point = t.point / float(contacts.size());
    if (triple != 0) t.sign = triple > 0 ? 1 : -1;

    const float reach = 2 * contactDistance(world, t);
    const Arc a = widened(world, t.ropeA, {t.firstA, t.lastA}, reach);
    const Arc b = widened(world, t.ropeB, {t.firstB, t.lastB}, reach);
    const float turnA = turning(world, t.ropeA, a), turnB = turning(world, t.ropeB, b);
    const bool more = turnA >= turnB; // true: A is bent more
    const std::span<const float> TA = world.tensions(t.ropeA), TB = world.tensions(t.ropeB);
    const float a0 = TA[a.from], a1 = TA[a.to];
    const float b0 = TB[b.from], b1 = TB[b.to];
    const float in = more ? a0 : b0, out = more ? a1 : b1, low = std::min(in, out);
    const double mu =
        friction > 0
            ? widen(friction)
            : sqrt(widen(world.def(t.ropeA).material.friction) * widen(world.def(t.ropeB).material.friction));
    t.wrapAngle = std::max(turnA, turnB);
    t.tension = std::max(std::max(a0, a1), std::max(b0, b1));
    t.ratio = low > 0 ? std::max(in, out) / low : 0;
    t.bound = narrow(capstanBound(mu, widen(t.wrapAngle)));
    // Single contacts slip even in a tangle at rest. The rope slides only if its tensions are near the bound.
    t.slipping = 2 * slipping > t.force && t.ratio > 0.8f * t.bound;

    float load = 0;
    for (const RopeContact& c : contacts)
        load += more ? loadAt(x, TA, c.segmentA, -c.normal) : loadAt(y, TB, c.segmentB, c.normal);
    return std::min(std::min(a0, a1), std::min(b0, b1)) > minTension && load > 0;
}

} // namespace capstan
