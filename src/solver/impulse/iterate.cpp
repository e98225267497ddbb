// SPDX-License-Identifier: MIT
// The impulse solver: its iterations. See island.hpp.
//
// Along the direction d, a contact point with the lever r on a body of angular momentum L has the velocity
//     d.v + k.L,   k = I^-1 (r x d),        and an impulse l along d gives  v += l d / m,  L += l (r x d).
// Friction uses one effective mass, the least of all sideways directions. The whole 2 x 2 matrix was refused.
// Wherever a corner yields more easily one way than the other, its friction pulls aside, not against the sliding.
#include "solver/impulse/island.hpp"
#include "solver/mechanism/body.hpp"

#include <type_traits>

namespace capstan {
namespace {

constexpr double kSlip = 0.01;  // m/s: faster points are slipping
constexpr double kImpact = 0.1; // m/s: faster approaches are impacts
constexpr int kRounds = 8;      // iterations over the points of a patch in an impact or restitution

const Quad kZero(0.0), kOne(1.0);

// Both sides of a batch during an iteration. still: b is a static body at rest, which has no data to read.
template <bool still> struct Sides {
    Vec<Quad> vA, LA, vB, LB;
    Quad massA, massB, saysA, saysB; // inverse masses; 1, of a static body 0
    CAPSTAN_INLINE Quad along(Vec<Quad> d, const TouchLever& l) const {
        if constexpr (still) return dot(d, vA) + dot(l.kA, LA);
        return dot(d, vA - vB) + (dot(l.kA, LA) - dot(l.kB, LB));
    }
    CAPSTAN_INLINE void push(Vec<Quad> d, const TouchLever& l, Quad impulse) {
        vA += (massA * impulse) * d;
        LA += (saysA * impulse) * l.jA;
        if constexpr (still) return;
        vB -= (massB * impulse) * d;
        LB -= (saysB * impulse) * l.jB;
    }
    // Velocity along e per unit impulse along d: how easily the point yields.
    CAPSTAN_INLINE Quad givesWay(const TouchLever& d, const TouchLever& e) const {
        if constexpr (still) return saysA * dot(d.jA, e.kA);
        return saysA * dot(d.jA, e.kA) + saysB * dot(d.jB, e.kB);
    }
};
template <bool still> CAPSTAN_INLINE Sides<still> sidesOf(const TouchPile& p, const TouchBlock& b) {
    const Fields vA = take(p.movers, b.a, &Mover::v), LA = take(p.movers, b.a, &Mover::L);
    const Vec<Quad> none = {kZero, kZero, kZero};
    if constexpr (still) return {vA.vector(), LA.vector(), none, none, vA.w, kZero, LA.w, kZero};
    const Fields vB = take(p.movers, b.b, &Mover::v), LB = take(p.movers, b.b, &Mover::L);
    return {vA.vector(), LA.vector(), vB.vector(), LB.vector(), vA.w, vB.w, LA.w, LB.w};
}
template <bool still> CAPSTAN_INLINE void putSides(TouchPile& p, const TouchBlock& b, const Sides<still>& s) {
    put(p.movers, b.a, &Mover::v, s.vA, s.massA);
    put(p.movers, b.a, &Mover::L, s.LA, s.saysA);
    if constexpr (still) return;
    put(p.movers, b.b, &Mover::v, s.vB, s.massB);
    put(p.movers, b.b, &Mover::L, s.LB, s.saysB);
}
// Calls f(batch, whether it is still) for every batch.
template <class F> CAPSTAN_INLINE void eachBlock(const TouchPile& p, F&& f) {
    for (const TouchBlock& b : p.blocks) b.still ? f(b, std::true_type{}) : f(b, std::false_type{});
}

struct Places {
    Vec<Quad> apart; // from b to a
    Mat3<Quad> RA, RB;
    Vec<Quad> yieldA, yieldB;
};
CAPSTAN_INLINE Places placesOf(const TouchPile& p, const TouchBlock& b) {
    auto turn = [&](const int* i) {
        const Fields q = take(p.movers, i, &Mover::q);
        return toMat3(Quat<Quad>{q.x, q.y, q.z, q.w});
    };
    return {take(p.movers, b.a, &Mover::x).vector() - take(p.movers, b.b, &Mover::x).vector(), turn(b.a),
            turn(b.b), take(p.movers, b.a, &Mover::yield).vector(),
            take(p.movers, b.b, &Mover::yield).vector()};
}

template <bool still>
CAPSTAN_INLINE void setLever(TouchLever& l, const Places& o, Vec<Quad> rA, Vec<Quad> rB, Vec<Quad> d) {
    l.jA = cross(rA, d);
    l.kA = alongAxes(o.RA, o.yieldA, l.jA);
    if constexpr (still) return;
    l.jB = cross(rB, d);
    l.kB = alongAxes(o.RB, o.yieldB, l.jB);
}

template <bool still>
CAPSTAN_INLINE void setSpot(TouchSpot& spot, const TouchBlock& b, const Places& o, const Sides<still>& s) {
    const Vec<Quad> cA = o.RA * spot.coreA, cB = o.RB * spot.coreB;
    spot.gap = dot(b.n, o.apart + cA - cB) - spot.radiusA - spot.radiusB;
    const Vec<Quad> rA = cA - spot.radiusA * b.n, rB = cB + spot.radiusB * b.n;
    setLever<still>(spot.n, o, rA, rB, b.n);
    setLever<still>(spot.t, o, rA, rB, b.t);
    setLever<still>(spot.u, o, rA, rB, b.u);
    const Quad m = s.massA + s.massB;
    const Quad tt = s.givesWay(spot.t, spot.t), uu = s.givesWay(spot.u, spot.u),
               tu = s.givesWay(spot.t, spot.u);
    const Quad half = Quad(0.5) * (tt - uu);
    const MaskOf<Quad> here = spot.massN > kZero;
    spot.massN = select(here, kOne / (m + s.givesWay(spot.n, spot.n)), kZero);
    spot.massT = select(here, kOne / (m + Quad(0.5) * (tt + uu) + sqrt(half * half + tu * tu)), kZero);
}

// Applies the whole impulse of a point.
template <bool still>
CAPSTAN_INLINE void pushSpot(Sides<still>& s, const TouchBlock& b, const TouchSpot& spot, Quad sign) {
    s.push(b.n, spot.n, sign * spot.ln);
    s.push(b.t, spot.t, sign * spot.lt);
    s.push(b.u, spot.u, sign * spot.lu);
}

template <bool still>
CAPSTAN_INLINE void moveGaps(const TouchPile& p, const TouchBlock& b, TouchSpot* spots) {
    const Vec<Quad> dxA = take(p.movers, b.a, &Mover::dx).vector(),
                    dlA = take(p.movers, b.a, &Mover::dl).vector();
    Quad d = dot(b.n, dxA);
    if constexpr (still) {
        for (int k = 0; k < b.count; ++k) spots[k].gap = spots[k].gap + (d + dot(spots[k].n.jA, dlA));
        return;
    }
    const Vec<Quad> dxB = take(p.movers, b.b, &Mover::dx).vector(),
                    dlB = take(p.movers, b.b, &Mover::dl).vector();
    d = d - dot(b.n, dxB);
    for (int k = 0; k < b.count; ++k)
        spots[k].gap = spots[k].gap + (d + dot(spots[k].n.jA, dlA) - dot(spots[k].n.jB, dlB));
}

// Friction. A sticking point begins to slip only when it moves: during an iteration single points bear more than
// their share.
template <bool push, bool still>
CAPSTAN_INLINE void rub(Sides<still>& s, const TouchBlock& b, TouchSpot& spot) {
    const Quad vt = s.along(b.t, spot.t), vu = s.along(b.u, spot.u);
    Quad lt = spot.lt - spot.massT * vt, lu = spot.lu - spot.massT * vu;
    const Quad size2 = lt * lt + lu * lu, most = select(spot.slips > kZero, b.slide, b.stick) * spot.ln;
    const MaskOf<Quad> beyond = size2 > most * most;
    const Quad held = select(beyond, most / sqrt(select(beyond, size2, kOne)), kOne);
    lt = held * lt;
    lu = held * lu;
    s.push(b.t, spot.t, lt - spot.lt);
    s.push(b.u, spot.u, lu - spot.lu);
    spot.lt = lt;
    spot.lu = lu;
    if constexpr (!push) spot.slips = select(beyond & (vt * vt + vu * vu > Quad(kSlip * kSlip)), kOne, kZero);
}

// One iteration over the normals of a batch. Returns the fastest approach.
template <bool push, bool still>
CAPSTAN_INLINE Quad press(const TouchPile& p, Sides<still>& s, const TouchBlock& b, TouchSpot* spots) {
    const TouchSoftness& f = p.soft[b.ground];
    const Quad perH(1 / p.h), rate(push ? f.rate : 0.0), most(-p.push), soft(f.soft), leak(f.leak);
    Quad fastest = kZero;
    for (int k = 0; k < b.count; ++k) {
        TouchSpot& spot = spots[k];
        const MaskOf<Quad> apart = spot.gap > kZero;
        const Quad bias = select(apart, perH * spot.gap, max(rate * spot.gap, most));
        const Quad v = s.along(b.n, spot.n) + bias;
        Quad more = spot.massN * v;
        if constexpr (push)
            more = select(apart, more, soft * more + leak * max(kZero, spot.ln - spot.weight));
        const Quad ln = max(kZero, spot.ln - more);
        s.push(b.n, spot.n, ln - spot.ln);
        spot.ln = ln;
        fastest = min(fastest, select(spot.massN > kZero, v, kZero));
    }
    return fastest;
}

// One iteration over four patches. Friction comes first, so that it does not spoil the result of the normals. In an
// impact the points of a patch iterate among themselves before the next patch. Without that a box that falls flat
// turns and sinks in.
template <bool push, bool still> CAPSTAN_INLINE void sweepBlock(TouchPile& p, const TouchBlock& b) {
    Sides<still> s = sidesOf<still>(p, b);
    TouchSpot* const spots = &p.spots[b.first];
    if constexpr (!push) moveGaps<still>(p, b, spots);
    for (int k = 0; k < b.count; ++k) rub<push>(s, b, spots[k]);
    const Quad fastest = press<push>(p, s, b, spots);
    if (any(fastest < Quad(-kImpact)))
        for (int k = 1; k < kRounds; ++k) press<push>(p, s, b, spots);
    putSides(p, b, s);
}

} // namespace

void startBlocks(TouchPile& p, double least) {
    eachBlock(p, [&](const TouchBlock& b, auto still) {
        const Places o = placesOf(p, b);
        Sides<still> s = sidesOf<still>(p, b), free = s;
        free.vA = take(p.movers, b.a, &Mover::free).vector();
        free.LA = take(p.movers, b.a, &Mover::freeL).vector();
        free.vB = take(p.movers, b.b, &Mover::free).vector();
        free.LB = take(p.movers, b.b, &Mover::freeL).vector();
        for (int k = 0; k < b.count; ++k) {
            TouchSpot& spot = p.spots[b.first + k];
            setSpot(spot, b, o, s);
            const MaskOf<Quad> parts = free.along(b.n, spot.n) > Quad(least);
            for (Quad* l : {&spot.ln, &spot.lt, &spot.lu}) *l = select(parts, kZero, *l);
            pushSpot(s, b, spot, kOne);
        }
        putSides(p, b, s);
    });
}

void refreshBlocks(TouchPile& p) {
    eachBlock(p, [&](const TouchBlock& b, auto still) {
        int turns = 0;
        for (int k = 0; k < 4; ++k) turns |= p.turns[b.a[k]] | p.turns[b.b[k]];
        if (!turns) return;
        Sides<still> s = sidesOf<still>(p, b);
        const Places o = placesOf(p, b);
        for (int k = 0; k < b.count; ++k) {
            TouchSpot& spot = p.spots[b.first + k];
            // The bodies get the impulse again, with the new levers.
            pushSpot(s, b, spot, -kOne);
            setSpot(spot, b, o, s);
            pushSpot(s, b, spot, kOne);
        }
        putSides(p, b, s);
    });
}

void watchImpacts(TouchPile& p, double least) {
    const Quad h(p.h), two(2.0);
    eachBlock(p, [&](const TouchBlock& b, auto still) {
        if (!b.bounces) return;
        const Sides<still> s = sidesOf<still>(p, b);
        const Vec<Quad> a = take(p.movers, b.a, &Mover::a).vector() - take(p.movers, b.b, &Mover::a).vector();
        for (int k = 0; k < b.count; ++k) {
            TouchSpot& spot = p.spots[b.first + k];
            const Quad v = s.along(b.n, spot.n);
            const MaskOf<Quad> strikes =
                (v < Quad(-least)) & (spot.gap + two * h * v < kZero) & (spot.ln == kZero);
            // v is the velocity at the end of this substep. It must be noted now: the iteration without bias slows
            // down a point that would strike in the next substep.
            const Quad share = clamp(spot.gap / (-h * select(strikes, v, -kOne)), kZero, two);
            spot.approach = select(strikes, v - (kOne - share) * h * dot(b.n, a), spot.approach);
        }
    });
}

void sweep(TouchPile& p, bool push) {
    eachBlock(p, [&](const TouchBlock& b, auto still) {
        push ? sweepBlock<true, still>(p, b) : sweepBlock<false, still>(p, b);
    });
}

void bouncePatches(TouchPile& p, double least) {
    eachBlock(p, [&](const TouchBlock& b, auto still) {
        if (!b.bounces) return;
        Sides<still> s = sidesOf<still>(p, b);
        for (int k = 0; k < kRounds * b.count; ++k) {
            TouchSpot& spot = p.spots[b.first + k % b.count];
            const MaskOf<Quad> struck = spot.approach < Quad(-least);
            const Quad missing = -b.bounce * spot.approach - s.along(b.n, spot.n);
            const Quad more = select(struck, max(kZero, spot.ln + spot.massN * missing) - spot.ln, kZero);
            s.push(b.n, spot.n, more);
            spot.ln = spot.ln + more;
        }
        putSides(p, b, s);
    });
}

} // namespace capstan
