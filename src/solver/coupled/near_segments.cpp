// SPDX-License-Identifier: MIT
// The coupled solver: finds the pairs of segments that get a row in this substep. See island.hpp.
//
// A pair gets a row if its gap is small, or if its segments may touch during their moves. Two tests are
// cheaper than a distance and come first: `far`, a lower bound from earlier substeps, and balls around the
// segments. The remaining pairs are tested by conservative advancement (Mirtich 1996, "Impulse-based Dynamic
// Simulation of Rigid Body Systems"):
//     time += (distance - D) / speed,    until the gap is small or time is 1
#include "solver/coupled/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

// Returns whether two approaching segments touch within the substep. Conservative advancement, relative to
// their mean motion.
bool willMeet(const Vec3d (&x)[4], Vec3d (&d)[4], double distance, double D, double close) {
    const Vec3d mean = 0.25 * (d[0] + d[1] + d[2] + d[3]);
    double a = 0, b = 0;
    for (int k = 0; k < 4; ++k) {
        d[k] = d[k] - mean;
        double& most = k < 2 ? a : b;
        most = max(most, dot(d[k], d[k]));
    }
    const double speed = sqrt(a) + sqrt(b);
    double time = 0;
    for (int k = 0; k < 12; ++k) {
        if (distance - D < close) return true;
        time += (distance - D) / max(speed, 1e-12);
        if (time >= 1) return false;
        const auto c =
            closest(x[0] + time * d[0], x[1] + time * d[1], x[2] + time * d[2], x[3] + time * d[3]);
        distance = sqrt(c.distanceSquared);
    }
    return true;
}

// Returns the gap at which a pair gets a row [m]. A pair that hardly moves needs a row only if it is almost
// in contact.
double closeTo(const CoupledIsland& t, double thin, double move) {
    return clamp(4 * move, t.def.margin0 * thin, t.def.margin * thin);
}

// close: gap at which a pair of segments gets a row [m]; move: longest move of its two sides together [m].
struct PairMargin {
    double close, move;
};
PairMargin reachOf(const CoupledIsland& t, const SegmentPair& p) {
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    const double thin = min(a.radius, b.radius), move = t.move[p.a] + t.move[p.b];
    const bool near = p.D < 0.999 * (a.radius + b.radius); // neighbours along one rope
    return {near ? 0.05 * thin : closeTo(t, thin, move), move};
}

// Returns whether the pair may need a row, by the balls around its segments.
bool mayNeedRow(const CoupledIsland& t, SegmentPair& p) {
    const std::size_t pa = std::size_t(p.a), pb = std::size_t(p.b);
    const PairMargin reach = reachOf(t, p);
    const double apart = length(t.middle[pa] - t.middle[pb]) - t.half[pa] - t.half[pb];
    const bool may = !(apart - p.D > max(reach.close, reach.move));
    p.far = may ? p.far : apart + t.travel;
    return may;
}

// Returns whether the pair, at the distance d [m], needs a row.
bool needsRow(const CoupledIsland& t, SegmentPair& p, double d, std::span<const Vec3d> from,
              std::span<const Vec3d> to) {
    const PairMargin reach = reachOf(t, p);
    const double gap = d - p.D;
    p.far = d + t.travel;
    if (gap <= reach.close) return true;
    if (gap > reach.move) return false;
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    const Vec3d x[4] = {from[a.i], from[a.j], from[b.i], from[b.j]};
    Vec3d moves[4] = {to[a.i] - x[0], to[a.j] - x[1], to[b.i] - x[2], to[b.j] - x[3]};
    return willMeet(x, moves, d, p.D, reach.close);
}

} // namespace

void measureRope(CoupledIsland& t, IslandRope& rope, std::span<const Vec3d> from, std::span<const Vec3d> to) {
    rope.move = 0;
    for (int s = rope.firstSegment; s < rope.firstSegment + rope.segments; ++s) {
        const std::size_t k = std::size_t(s), i = std::size_t(t.segments[k].i),
                          j = std::size_t(t.segments[k].j);
        putBall(t, k, from[i], from[j]);
        t.move[k] = sqrt(max(lengthSquared(to[i] - from[i]), lengthSquared(to[j] - from[j])));
        rope.move = max(rope.move, t.move[k]);
    }
}

// Finds the pairs in parts, each with its own list. The lists are joined in order.
void rowsOfSegments(CoupledIsland& t, Threads& threads, std::span<const Vec3d> from,
                    std::span<const Vec3d> to) {
    constexpr int kPart = 256;
    double longest = 0, widest = 0;
    for (const IslandRope& r : t.ropes) longest = max(longest, r.move);
    for (const IslandRope& r : t.ropes) widest = max(widest, closeTo(t, r.radius, 2 * longest));
    // A pair whose distance exceeds D by more than this gets no row.
    const double out = max(widest, 2 * longest) + t.travel;
    const int pairs = int(t.segmentPairs.size()), parts = (pairs + kPart - 1) / kPart;
    if (int(t.parts.size()) < parts) t.parts.resize(std::size_t(parts));
    t.sums.assign(std::size_t(parts), 0);
    threads.run(parts, 1, [&](int begin, int end, int) {
        for (int part = begin; part < end; ++part) {
            std::vector<int>& needed = t.parts[part];
            needed.clear();
            needed.reserve(kPart); // so that no later step allocates memory
            const int low = part * kPart, high = std::min(pairs, low + kPart);
            // It is hard to predict which pairs pass. So the index of every pair is written without a branch,
            // and the count keeps or overwrites it.
            int asked[kPart], near = 0, count = 0;
            for (int k = low; k < high; ++k) {
                const SegmentPair& p = t.segmentPairs[k];
                asked[near] = k;
                near += p.far - p.D <= out;
            }
            for (int n = 0; n < near; ++n) {
                const int k = asked[n];
                asked[count] = k;
                count += mayNeedRow(t, t.segmentPairs[k]);
            }
            double squared[kPart];
            distancesOf(t, {asked, std::size_t(count)}, from, squared);
            for (int n = 0; n < count; ++n)
                if (needsRow(t, t.segmentPairs[asked[n]], sqrt(squared[n]), from, to))
                    needed.push_back(asked[n]);
            double room = 1e30;
            for (int k = low; k < high; ++k) {
                const SegmentPair& p = t.segmentPairs[k];
                room = min(room, p.far - highestFloor(t, p.D));
            }
            t.sums[part] = room;
        }
    });
    t.room = 1e30;
    for (double room : t.sums) t.room = min(t.room, room);
    t.needed.clear();
    for (int part = 0; part < parts; ++part)
        t.needed.insert(t.needed.end(), t.parts[part].begin(), t.parts[part].end());
    t.rows.resize(t.needed.size());
}

} // namespace capstan
