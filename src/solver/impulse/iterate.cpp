// SPDX-License-Identifier: MIT
// The impulse solver: levers, gaps and the iterations over batches. See island.hpp.
//
// Let a contact point have the offset r from the centre of a body with angular momentum L. Its velocity along
// d is
//     d.v + k.L,   k = I^-1 (r x d),        and an impulse l along d gives  v += l d / m,  L += l (r x d).
// Friction uses one effective mass: the least of all directions in the contact plane. The whole 2 x 2 matrix
// was refused. Where the effective mass of a corner depends on the direction, its friction then points aside
// instead of against the sliding.
#include "solver/impulse/island.hpp"
#include "solver/mechanism/body.hpp"

#include <type_traits>

namespace capstan {
namespace {

constexpr double kSlip = 0.01;  // m/s: a point that moves faster along the surface slips
constexpr double kTouch = 1e-6; // m: rounding of a gap
constexpr double kImpact = 0.1; // m/s: a point that approaches faster is an impact
constexpr int kIterations = 8;  // iterations over the points of a patch in an impact
constexpr int kRub = 4; // after so many of them friction follows; as the last it would spoil the normals

const Quad kZero(0.0), kOne(1.0);

// The velocities of both bodies of each patch of a batch. still: all b are static and at rest, so they are
// not read.
template <bool still> struct Sides {
    Vec<Quad> vA, LA, vB, LB;
    Quad massA, massB, saysA, saysB; // inverse masses [1/kg]; `says` is 1, or 0 for a static body, and
                                     // switches the change of L
    CAPSTAN_INLINE Quad along(Vec<Quad> d, const LeverLanes& l) const {
        if constexpr (still) return dot(d, vA) + dot(l.kA, LA);
        return dot(d, vA - vB) + (dot(l.kA, LA) - dot(l.kB, LB));
    }
    CAPSTAN_INLINE void push(Vec<Quad> d, const LeverLanes& l, Quad impulse) {
        vA += (massA * impulse) * d;
        LA += (saysA * impulse) * l.jA;
        if constexpr (still) return;
        vB -= (massB * impulse) * d;
        LB -= (saysB * impulse) * l.jB;
    }
    // Velocity along e per unit impulse along d, from rotation alone: an entry of the inverse effective mass.
    CAPSTAN_INLINE Quad givesWay(const LeverLanes& d, const LeverLanes& e) const {
        if constexpr (still) return saysA * dot(d.jA, e.kA);
        return saysA * dot(d.jA, e.kA) + saysB * dot(d.jB, e.kB);
    }
};
template <bool still> CAPSTAN_INLINE Sides<still> sidesOf(const ImpulseIsland& p, const PatchBatch& b) {
    const Fields vA = take(p.solverBodies, b.a, &SolverBody::v),
                 LA = take(p.solverBodies, b.a, &SolverBody::L);
    const Vec<Quad> none = {kZero, kZero, kZero};
    if constexpr (still) return {vA.vector(), LA.vector(), none, none, vA.w, kZero, LA.w, kZero};
    const Fields vB = take(p.solverBodies, b.b, &SolverBody::v),
                 LB = take(p.solverBodies, b.b, &SolverBody::L);
    return {vA.vector(), LA.vector(), vB.vector(), LB.vector(), vA.w, vB.w, LA.w, LB.w};
}
// The same without contact in this substep.
template <bool still> CAPSTAN_INLINE Sides<still> freeSidesOf(const ImpulseIsland& p, const PatchBatch& b) {
    Sides<still> s = sidesOf<still>(p, b);
    s.vA = take(p.solverBodies, b.a, &SolverBody::free).vector();
    s.LA = take(p.solverBodies, b.a, &SolverBody::freeL).vector();
    if constexpr (still) return s;
    s.vB = take(p.solverBodies, b.b, &SolverBody::free).vector();
    s.LB = take(p.solverBodies, b.b, &SolverBody::freeL).vector();
    return s;
}
template <bool still>
CAPSTAN_INLINE void putSides(ImpulseIsland& p, const PatchBatch& b, const Sides<still>& s) {
    put(p.solverBodies, b.a, &SolverBody::v, s.vA, s.massA);
    put(p.solverBodies, b.a, &SolverBody::L, s.LA, s.saysA);
    if constexpr (still) return;
    put(p.solverBodies, b.b, &SolverBody::v, s.vB, s.massB);
    put(p.solverBodies, b.b, &SolverBody::L, s.LB, s.saysB);
}
// Calls f(batch, std::true_type if it is still, else std::false_type) for every batch.
template <class F> CAPSTAN_INLINE void eachBatch(ImpulseIsland& p, F&& f) {
    for (PatchBatch& b : p.batches) b.still ? f(b, std::true_type{}) : f(b, std::false_type{});
}

struct Positions {
    Vec<Quad> apart; // position of a minus position of b
    Mat3<Quad> RA, RB;
    Vec<Quad> yieldA, yieldB;
};
CAPSTAN_INLINE Positions positionsOf(const ImpulseIsland& p, const PatchBatch& b) {
    auto turn = [&](const int* i) {
        const Fields q = take(p.solverBodies, i, &SolverBody::q);
        return toMat3(Quat<Quad>{q.x, q.y, q.z, q.w});
    };
    return {take(p.solverBodies, b.a, &SolverBody::x).vector() -
                take(p.solverBodies, b.b, &SolverBody::x).vector(),
            turn(b.a), turn(b.b), take(p.solverBodies, b.a, &SolverBody::yield).vector(),
            take(p.solverBodies, b.b, &SolverBody::yield).vector()};
}

template <bool still>
CAPSTAN_INLINE void setLever(LeverLanes& l, const Positions& o, Vec<Quad> rA, Vec<Quad> rB, Vec<Quad> d) {
    l.jA = cross(rA, d);
    l.kA = alongAxes(o.RA, o.yieldA, l.jA);
    if constexpr (still) return;
    l.jB = cross(rB, d);
    l.kB = alongAxes(o.RB, o.yieldB, l.jB);
}

template <bool still>
CAPSTAN_INLINE void setPoint(PointLanes& point, const PatchBatch& b, const Positions& o,
                             const Sides<still>& s) {
    const Vec<Quad> cA = o.RA * point.coreA, cB = o.RB * point.coreB;
    point.gap = dot(b.n, o.apart + cA - cB) - point.radiusA - point.radiusB;
    const Vec<Quad> rA = cA - point.radiusA * b.n, rB = cB + point.radiusB * b.n;
    setLever<still>(point.n, o, rA, rB, b.n);
    setLever<still>(point.t, o, rA, rB, b.t);
    setLever<still>(point.u, o, rA, rB, b.u);
    const Quad m = s.massA + s.massB;
    const Quad tt = s.givesWay(point.t, point.t), uu = s.givesWay(point.u, point.u),
               tu = s.givesWay(point.t, point.u);
    const Quad half = Quad(0.5) * (tt - uu);
    const MaskOf<Quad> here = point.massN > kZero;
    point.massN = select(here, kOne / (m + s.givesWay(point.n, point.n)), kZero);
    point.massT = select(here, kOne / (m + Quad(0.5) * (tt + uu) + sqrt(half * half + tu * tu)), kZero);
}

// Applies the whole impulse of a point, times `sign`.
template <bool still>
CAPSTAN_INLINE void pushPoint(Sides<still>& s, const PatchBatch& b, const PointLanes& point, Quad sign) {
    s.push(b.n, point.n, sign * point.ln);
    s.push(b.t, point.t, sign * point.lt);
    s.push(b.u, point.u, sign * point.lu);
}

template <bool still>
CAPSTAN_INLINE void moveGaps(const ImpulseIsland& p, const PatchBatch& b, PointLanes* pointLanes) {
    const Vec<Quad> dxA = take(p.solverBodies, b.a, &SolverBody::dx).vector(),
                    dlA = take(p.solverBodies, b.a, &SolverBody::dl).vector();
    Quad d = dot(b.n, dxA);
    if constexpr (still) {
        for (int k = 0; k < b.count; ++k)
            pointLanes[k].gap = pointLanes[k].gap + (d + dot(pointLanes[k].n.jA, dlA));
        return;
    }
    const Vec<Quad> dxB = take(p.solverBodies, b.b, &SolverBody::dx).vector(),
                    dlB = take(p.solverBodies, b.b, &SolverBody::dl).vector();
    d = d - dot(b.n, dxB);
    for (int k = 0; k < b.count; ++k)
        pointLanes[k].gap =
            pointLanes[k].gap + (d + dot(pointLanes[k].n.jA, dlA) - dot(pointLanes[k].n.jB, dlB));
}

// Iterates friction of one point of each lane. A sticking point begins to slip only when it also moves faster
// than kSlip. The limit alone does not decide, because single points bear too much force during an iteration.
template <bool push, bool still>
CAPSTAN_INLINE void rub(Sides<still>& s, const PatchBatch& b, PointLanes& point) {
    const Quad vt = s.along(b.t, point.t), vu = s.along(b.u, point.u);
    Quad lt = point.lt - point.massT * vt, lu = point.lu - point.massT * vu;
    const Quad size2 = lt * lt + lu * lu,
               most = select(point.slipping > kZero, b.dynamicFriction, b.staticFriction) * point.ln;
    const MaskOf<Quad> beyond = size2 > most * most;
    const Quad held = select(beyond, most / sqrt(select(beyond, size2, kOne)), kOne);
    lt = held * lt;
    lu = held * lu;
    s.push(b.t, point.t, lt - point.lt);
    s.push(b.u, point.u, lu - point.lu);
    point.lt = lt;
    point.lu = lu;
    if constexpr (!push)
        point.slipping = select(beyond & (vt * vt + vu * vu > Quad(kSlip * kSlip)), kOne, kZero);
}

// One iteration over the normal impulses of a batch. Returns the most negative normal velocity, bias included
// [m/s].
template <bool push, bool still>
CAPSTAN_INLINE Quad press(const ImpulseIsland& p, Sides<still>& s, const PatchBatch& b,
                          PointLanes* pointLanes) {
    const ContactSoftness& f = p.soft[b.ground];
    const Quad perH(1 / p.h), rate(push ? f.rate : 0.0), most(-p.push), soft(f.soft), leak(f.leak);
    Quad fastest = kZero;
    for (int k = 0; k < b.count; ++k) {
        PointLanes& point = pointLanes[k];
        const MaskOf<Quad> apart = point.gap > kZero;
        const Quad bias = select(apart, perH * point.gap, max(rate * point.gap, most));
        const Quad closing = s.along(b.n, point.n);
        Quad v = closing + bias;
        // A fast point that has not met yet may be left to the next substep, in which it strikes.
        if constexpr (!push)
            v = select(b.waits & (point.gap > Quad(-kTouch)) & (closing < Quad(-kImpact)) &
                           (point.ln == kZero),
                       kZero, v);
        Quad more = point.massN * v;
        if constexpr (push)
            more = select(apart, more, soft * more + leak * max(kZero, point.ln - point.weight));
        const Quad ln = max(kZero, point.ln - more);
        s.push(b.n, point.n, ln - point.ln);
        point.ln = ln;
        fastest = min(fastest, select(point.massN > kZero, v, kZero));
    }
    return fastest;
}

// After an impact of two bodies that touch nothing else: its impulse is no guess for the next substep. So it counts as
// velocity without contact, but for the support load. One iteration would not take it back from all points of a flat
// contact. A box that slides as it falls flat lost 1.3 times what friction may take. In a pile the impact takes more
// than a substep, and the guess helps. Without it a hundred boxes sink by 0.8 m into each other as they land.
template <bool still>
CAPSTAN_INLINE void letGo(ImpulseIsland& p, const PatchBatch& b, PointLanes* pointLanes) {
    const MaskOf<Quad> over = b.struck & b.alone;
    Sides<still> free = freeSidesOf<still>(p, b);
    for (int k = 0; k < b.count; ++k) {
        PointLanes& point = pointLanes[k];
        const Quad kept = select(over, min(point.ln, point.weight), point.ln);
        const Quad lt = select(over, kZero, point.lt), lu = select(over, kZero, point.lu);
        free.push(b.n, point.n, point.ln - kept);
        free.push(b.t, point.t, point.lt - lt);
        free.push(b.u, point.u, point.lu - lu);
        point.given = point.given + (point.ln - kept);
        point.ln = kept;
        point.lt = lt;
        point.lu = lu;
    }
    const Quad zero = kZero;
    put(p.solverBodies, b.a, &SolverBody::free, free.vA, zero);
    put(p.solverBodies, b.a, &SolverBody::freeL, free.LA, zero);
    if constexpr (still) return;
    put(p.solverBodies, b.b, &SolverBody::free, free.vB, zero);
    put(p.solverBodies, b.b, &SolverBody::freeL, free.LB, zero);
}

// One iteration over a batch. Friction comes first, so that it does not disturb the velocities that the
// normal impulses set. In an impact the points of a patch are iterated kIterations times before the next
// batch. Without that a box that falls flat rotates and penetrates. Friction is solved once more after an impact.
// Without that a body that slides through an impact would lose no velocity along the surface.
template <bool push, bool still> CAPSTAN_INLINE void iterateBatch(ImpulseIsland& p, PatchBatch& b) {
    Sides<still> s = sidesOf<still>(p, b);
    PointLanes* const pointLanes = &p.pointLanes[b.first];
    if constexpr (!push) moveGaps<still>(p, b, pointLanes);
    for (int k = 0; k < b.count; ++k) rub<push>(s, b, pointLanes[k]);
    if constexpr (push) {
        b.loaded = {};
        for (int k = 0; k < b.count; ++k) b.loaded = b.loaded | (pointLanes[k].ln > kZero);
    }
    const Quad fastest = press<push>(p, s, b, pointLanes);
    const MaskOf<Quad> strikes = fastest < Quad(-kImpact);
    const MaskOf<Quad> impacts = strikes & !b.loaded;
    b.struck = push ? impacts : b.struck | impacts;
    if (any(strikes))
        for (int k = 1; k < kIterations; ++k) {
            press<push>(p, s, b, pointLanes);
            if (k != kRub) continue;
            for (int i = 0; i < b.count; ++i) rub<push>(s, b, pointLanes[i]);
        }
    else if (!push && any(b.struck))
        for (int k = 0; k < b.count; ++k) rub<push>(s, b, pointLanes[k]);
    if (!push && any(b.struck & b.alone)) letGo<still>(p, b, pointLanes);
    putSides(p, b, s);
}

} // namespace

void startBatches(ImpulseIsland& p, double least) {
    eachBatch(p, [&](const PatchBatch& b, auto still) {
        const Positions o = positionsOf(p, b);
        Sides<still> s = sidesOf<still>(p, b);
        const Sides<still> free = freeSidesOf<still>(p, b);
        for (int k = 0; k < b.count; ++k) {
            PointLanes& point = p.pointLanes[b.first + k];
            setPoint(point, b, o, s);
            const MaskOf<Quad> parts = free.along(b.n, point.n) > Quad(least);
            for (Quad* l : {&point.ln, &point.lt, &point.lu}) *l = select(parts, kZero, *l);
            pushPoint(s, b, point, kOne);
        }
        putSides(p, b, s);
    });
}

void refreshBatches(ImpulseIsland& p) {
    eachBatch(p, [&](const PatchBatch& b, auto still) {
        int turns = 0;
        for (int k = 0; k < 4; ++k) turns |= p.turns[b.a[k]] | p.turns[b.b[k]];
        if (!turns) return;
        Sides<still> s = sidesOf<still>(p, b);
        const Positions o = positionsOf(p, b);
        for (int k = 0; k < b.count; ++k) {
            PointLanes& point = p.pointLanes[b.first + k];
            // Removes the impulse with the old levers, then applies it with the new ones.
            pushPoint(s, b, point, -kOne);
            setPoint(point, b, o, s);
            pushPoint(s, b, point, kOne);
        }
        putSides(p, b, s);
    });
}

bool watchImpacts(ImpulseIsland& p, double least) {
    const Quad h(p.h);
    bool some = false;
    eachBatch(p, [&](const PatchBatch& b, auto still) {
        if (!b.restores) return;
        const Sides<still> s = sidesOf<still>(p, b);
        const Vec<Quad> a = take(p.solverBodies, b.a, &SolverBody::a).vector() -
                            take(p.solverBodies, b.b, &SolverBody::a).vector();
        for (int k = 0; k < b.count; ++k) {
            PointLanes& point = p.pointLanes[b.first + k];
            const Quad v = s.along(b.n, point.n);
            const MaskOf<Quad> strikes =
                (v < Quad(-least)) & (point.gap + h * v < kZero) & (b.restitution > kZero);
            // v is the velocity at the end of this substep, and the impact is earlier.
            const Quad share = clamp(point.gap / (-h * select(strikes, v, -kOne)), kZero, kOne);
            point.approach = select(strikes, v - (kOne - share) * h * dot(b.n, a), kZero);
            some = some || any(strikes);
        }
    });
    return some;
}

void iterate(ImpulseIsland& p, bool push) {
    eachBatch(p, [&](PatchBatch& b, auto still) {
        push ? iterateBatch<true, still>(p, b) : iterateBatch<false, still>(p, b);
    });
}

} // namespace capstan
