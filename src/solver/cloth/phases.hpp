// SPDX-License-Identifier: MIT
// The phases of a substep of cloth. They apply the formulas of solver/cloth/formulas.hpp to the columns of a cloth.
//
// A phase is a struct with at<R>(i). A call processes the items i, i + 1, ..., as many as R has lanes. The struct
// holds plain pointers, so that a CUDA kernel can run it with R = float and one thread per item. An item writes only
// to memory that no other item of its phase reads. For ClothEdgeIteration this holds within one colour.
#pragma once

#include "math/lanes.hpp"
#include "model/cloth.hpp"
#include "solver/cloth/formulas.hpp"

namespace capstan {

struct ClothView {
    Point *x, *v, *before, *next, *bendFrom, *bendMove, *air, *tied;
    const Point* force; // forces of the program; null: none
    float* lambda;

    const std::int32_t *a, *b; // edges by colour
    // by slice: 1 if vertices of edges l and l + 4 are adjacent in memory (ClothEdges::paired).
    const std::uint8_t* paired;
    // weightA, weightB: inverse masses of the ends a and b
    const float *rest, *most, *gain, *compliance, *weightA, *weightB;

    const std::int32_t *edgesBegin, *edgesOther; // edges by vertex
    const float *edgeRest, *edgeCompliance, *edgeGain;

    const std::int32_t *bendBegin, *bendOther;
    const float *bendWeight, *bendBound;

    const std::int32_t *tiedVertex, *tetherPin;
    const float* tetherReach;
    const std::int32_t *trianglesBegin, *trianglesOf, *corner0, *corner1, *corner2;

    const std::int32_t *linkA, *linkB;
    const float* linkRest;
    float* strain;

    // Weights of edges, for the masses of this substep in the air (solver/cloth/formulas.hpp); null without air.
    float *airGain, *airWeightA, *airWeightB;
    const float *ownGain, *ownWeightA, *ownWeightB; // those without air
    const float *share, *edgePart;                  // Jacobi: Cloth::share and Cloth::edgePart
    std::int32_t* heavier; // 1 after ClothPredict: the air has made some vertex heavier

    int room, tethers;
    float h, invH2, dampingFactor;
    Vec3 gravity, wind;
    float drag; // 0: no air
};

// The indices i, i + 1, ..., one for each lane.
template <class R> struct ClothLanes {
    std::int32_t index[lanesOf<R>];
    CAPSTAN_INLINE explicit ClothLanes(int i) {
        for (int k = 0; k < lanesOf<R>; ++k) index[k] = i + k;
    }
    CAPSTAN_INLINE operator const std::int32_t*() const { return index; }
};

template <class R> CAPSTAN_INLINE Vec<R> everyLane(Vec3 a) { return {R(a.x), R(a.y), R(a.z)}; }

// Computes a third of the air's force on triangle i.
struct ClothAirForce {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        Vec<R> x[3], v = {R(0.0f), R(0.0f), R(0.0f)};
        const std::int32_t* corner[3] = {c.corner0 + i, c.corner1 + i, c.corner2 + i};
        for (int k = 0; k < 3; ++k) {
            x[k] = xyz(gather<R>(c.x, corner[k]));
            v = v + xyz(gather<R>(c.v, corner[k]));
        }
        scatter(c.air, ClothLanes<R>(i),
                clothAir(x[0], x[1], x[2], R(1.0f / 3) * v, everyLane<R>(c.wind), R(c.drag)));
    }
};

// v += h (g + f / m),   x += h v. A pin moves at the velocity that was set at the start of the step.
template <class R> struct ClothSet { Vec<R> velocity, position; };
template <class R> CAPSTAN_INLINE ClothSet<R> predicted(const ClothView& c, Four<R> x, Vec<R> v, Vec<R> a) {
    const Vec<R> velocity = select(x.w > R(0.0f), v + R(c.h) * a, v);
    return {velocity, xyz(x) + R(c.h) * velocity};
}
template <class R>
CAPSTAN_INLINE void predictCloth(const ClothView& c, Point* to, const std::int32_t* n, Four<R> x, Four<R> v,
                                 Vec<R> a) {
    scatter(c.before, n, x);
    const ClothSet<R> set = predicted(c, x, xyz(v), a);
    scatter(c.v, n, Four<R>{set.velocity.x, set.velocity.y, set.velocity.z, v.w});
    scatter(to, n, Four<R>{set.position.x, set.position.y, set.position.z, x.w});
}

// v = exp(-damping h) (v + (x - x_predicted) / h). If x equals the prediction, the bracket is exactly v.
template <class R> CAPSTAN_INLINE Vec<R> finishCloth(const ClothView& c, Four<R> x, Vec<R> v, Vec<R> before) {
    Vec<R> predicted = before + R(c.h) * v;
    Vec<R> velocity = R(c.dampingFactor) * (v + R(1 / c.h) * (xyz(x) - predicted));
    return select(x.w > R(0.0f), velocity, v);
}

// Applies all tethers of vertex i to its position p.
template <class R> CAPSTAN_INLINE Vec<R> tieCloth(const ClothView& c, int i, Vec<R> p) {
    for (int k = 0; k < c.tethers; ++k)
        p = clothTether(p, xyz(gather<R>(c.tied, c.tetherPin + k * c.room + i)),
                        load<R>(c.tetherReach + k * c.room + i));
    return p;
}

// Predicts the position and velocity of vertex i.
struct ClothPredict {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n), v = gather<R>(c.v, n);
        Vec<R> a = everyLane<R>(c.gravity);
        if (c.force) a = a + x.w * xyz(gather<R>(c.force, n));
        if (c.drag > 0) a = inAir(i, x, v.w, a);
        predictCloth(c, c.x, n, x, v, a);
    }
    // Adds the air to the acceleration a. Where the air makes the vertex heavier, x.w becomes 1 / m'.
    template <class R> CAPSTAN_INLINE Vec<R> inAir(int i, Four<R>& x, R m, Vec<R> a) const {
        Vec<R> f = {R(0.0f), R(0.0f), R(0.0f)};
        R d = R(0.0f);
        const int slice = i / kClothSlice, end = c.trianglesBegin[slice + 1];
        for (int k = c.trianglesBegin[slice] + i % kClothSlice; k < end; k += kClothSlice) {
            const Four<R> third = gather<R>(c.air, c.trianglesOf + k);
            f = f + xyz(third);
            d = d + third.w;
        }
        const R heavy = R(2 * c.h) * d;
        const MaskOf<R> heavier = (heavy > m) & (x.w > R(0.0f));
        if (any(heavier)) {
            atomicStore(c.heavier);
            const R w = R(1.0f) / select(heavier, heavy, R(1.0f));
            a = select(heavier, (m * w) * a, a);
            x.w = select(heavier, w, x.w);
        }
        return a + x.w * f;
    }
    // Any number of threads store the same 1.
    CAPSTAN_INLINE static void atomicStore(std::int32_t* one) {
#ifdef __CUDACC__
        *one = 1;
#else
        __atomic_store_n(one, 1, __ATOMIC_RELAXED);
#endif
    }
};

// Weights of edge i for the masses of this substep, as fitGain() makes them (Gauss-Seidel).
template <class R> CAPSTAN_INLINE R clothGain(R sum) {
    const MaskOf<R> moves = sum > R(1e-30f);
    return select(moves, R(1.0f) / select(moves, sum, R(1.0f)), R(0.0f));
}
struct ClothEdgeWeights {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        const R a = gather<R>(c.x, c.a + i).w, b = gather<R>(c.x, c.b + i).w;
        store(c.airWeightA + i, a);
        store(c.airWeightB + i, b);
        store(c.airGain + i, clothGain(a + b + load<R>(c.compliance + i) * R(c.invH2)));
    }
};
// The same for the edges of vertex i (Jacobi).
struct ClothVertexWeights {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        const R mine = gather<R>(c.x, ClothLanes<R>(i)).w * load<R>(c.share + i);
        const int slice = i / kClothSlice, end = c.edgesBegin[slice + 1];
        for (int k = c.edgesBegin[slice] + i % kClothSlice; k < end; k += kClothSlice) {
            float shares[lanesOf<R>];
            for (int l = 0; l < lanesOf<R>; ++l) shares[l] = c.share[c.edgesOther[k + l]];
            const R other = gather<R>(c.x, c.edgesOther + k).w * load<R>(shares);
            store(c.airGain + k, clothGain((mine + other) / load<R>(c.edgePart + k) +
                                           load<R>(c.edgeCompliance + k) * R(c.invH2)));
        }
    }
};

// Copies the position of pin i of the tethers. ClothTurn moves pins while other items still read their positions.
struct ClothMark {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        scatter(c.tied, ClothLanes<R>(i), gather<R>(c.x, c.tiedVertex + i));
    }
};

// One iteration of bending at vertex i, from x to next. Its displacement is `lastFactor` times the previous
// displacement plus `newFactor` times the Jacobi displacement.
template <bool first> struct ClothBend {
    ClothView c;
    float lastFactor, newFactor;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n);
        Vec<R> force = {R(0.0f), R(0.0f), R(0.0f)};
        const int slice = i / kClothSlice, end = c.bendBegin[slice + 1];
        for (int k = c.bendBegin[slice] + i % kClothSlice; k < end; k += kClothSlice)
            force = force - load<R>(c.bendWeight + k) * (xyz(gather<R>(c.x, c.bendOther + k)) - xyz(x));
        Vec<R> off = {R(0.0f), R(0.0f), R(0.0f)};
        if constexpr (first)
            scatter(c.bendFrom, n, x);
        else
            off = xyz(gather<R>(c.bendFrom, n)) - xyz(x);
        Vec<R> move = R(newFactor) * clothBend(off, force, R(c.h * c.h) * x.w, load<R>(c.bendBound + i));
        if constexpr (!first) move = move + R(lastFactor) * xyz(gather<R>(c.bendMove, n));
        move = select(x.w > R(0.0f), move, Vec<R>{R(0.0f), R(0.0f), R(0.0f)});
        scatter(c.bendMove, n, Four<R>{move.x, move.y, move.z, R(0.0f)});
        Vec<R> p = xyz(x) + move;
        scatter(c.next, n, Four<R>{p.x, p.y, p.z, x.w});
    }
};

// Gauss-Seidel: solves edge i of a colour. Multipliers are stored only if a further iteration needs them.
template <bool first, bool last> struct ClothEdgeIteration {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        if constexpr (lanesOf<R> < 8) {
            const Four<R> a = gather<R>(c.x, c.a + i), b = gather<R>(c.x, c.b + i);
            const Vec<R> d = xyz(b) - xyz(a);
            const R s = pull<R>(i, d);
            const Vec<R> p = xyz(a) - (load<R>(c.weightA + i) * s) * d,
                         q = xyz(b) + (load<R>(c.weightB + i) * s) * d;
            scatter(c.x, c.a + i, Four<R>{p.x, p.y, p.z, a.w});
            scatter(c.x, c.b + i, Four<R>{q.x, q.y, q.z, b.w});
        } else {
#ifndef __CUDACC__
            c.paired[i / kClothSlice] ? wide<lanesOf<R>, true>(i) : wide<lanesOf<R>, false>(i);
#endif
        }
    }
    template <class R> CAPSTAN_INLINE R pull(int i, Vec<R> d) const {
        R lambda = R(0.0f), al = R(0.0f);
        if constexpr (!first) lambda = load<R>(c.lambda + i);
        if constexpr (!first) al = (load<R>(c.compliance + i) * R(c.invH2)) * lambda;
        const ClothPull<R> p =
            clothStrand(d, load<R>(c.rest + i), load<R>(c.most + i), load<R>(c.gain + i), al);
        if constexpr (!last) store(c.lambda + i, lambda + p.dl);
        return p.s;
    }
#ifndef __CUDACC__
    // Computes all corrections first, then all displacements, without transposing positions. While one group of eight
    // waits for square root and division, the next group is processed. Only differences are transposed into columns.
    template <bool paired> struct Two {
        Point *x, *y; // vertices of edges l and l + 4 at the same end; adjacent in memory if paired
        TwoRecords now;
        CAPSTAN_INLINE Two(Point* at, const std::int32_t* n) {
            x = at + n[0];
            if constexpr (paired)
                std::memcpy(&now, x, 32);
            else {
                y = at + n[4];
                loadTwo(now, x, y);
            }
        }
        CAPSTAN_INLINE void put(TwoRecords next) const {
            if constexpr (paired)
                std::memcpy(x, &next, 32);
            else
                storeTwo(x, y, next);
        }
    };
    template <int lanes, bool paired> CAPSTAN_INLINE void wide(int i) const {
        TwoRecords s[lanes / 8];
        Point* x = c.x;
        const std::int32_t *a = c.a + i, *b = c.b + i;
        for (int k = 0; k < lanes; k += 8) {
            TwoRecords d[4];
            for (int l = k; l < k + 4; ++l) d[l - k] = Two<paired>(x, b + l).now - Two<paired>(x, a + l).now;
            s[k / 8] = pull<TwoRecords>(i + k, xyz(columns(d)));
        }
        for (int k = 0; k < lanes; k += 8) {
            const TwoRecords sa = load<TwoRecords>(c.weightA + i + k) * s[k / 8],
                             sb = load<TwoRecords>(c.weightB + i + k) * s[k / 8];
            move<0, paired>(x, a + k, b + k, sa, sb);
            move<1, paired>(x, a + k, b + k, sa, sb);
            move<2, paired>(x, a + k, b + k, sa, sb);
            move<3, paired>(x, a + k, b + k, sa, sb);
        }
    }
    template <int k, bool paired>
    CAPSTAN_INLINE static void move(Point* x, const std::int32_t* a, const std::int32_t* b, TwoRecords sa,
                                    TwoRecords sb) {
        const Two<paired> from(x, a + k), to(x, b + k);
        const TwoRecords d = keepXyz(to.now - from.now); // inverse masses do not change
        from.put(from.now - spread<k>(sa) * d);
        to.put(to.now + spread<k>(sb) * d);
    }
#endif
};

// Work that ClothVertexIteration appends for a vertex after its last iteration.
enum class ClothEnd { None, Turn, Finish };

// Jacobi: vertex i computes all its edges, from x to next. Both ends of an edge compute it, with the same bits. Each
// iteration ends with the tethers. With tethers only at the end of a substep, a falling sheet stretches by a tenth
// more. Iterations do not move pins, so tethers read the positions of their pins from x.
//
// If no phase follows the last iteration, it also computes the velocity and the prediction of the next substep. The
// bits are those of ClothFinish and ClothPredict, with half the memory traffic and half the synchronisation.
template <bool first, bool last, ClothEnd end = ClothEnd::None> struct ClothVertexIteration {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n);
        Vec<R> sum = {R(0.0f), R(0.0f), R(0.0f)};
        const int slice = i / kClothSlice, stop = c.edgesBegin[slice + 1];
        CAPSTAN_UNROLL_FOUR
        for (int k = c.edgesBegin[slice] + i % kClothSlice; k < stop; k += kClothSlice) {
            const Vec<R> d = xyz(x) - xyz(gather<R>(c.x, c.edgesOther + k));
            R lambda = R(0.0f), al = R(0.0f);
            if constexpr (!first) lambda = load<R>(c.lambda + k);
            if constexpr (!first) al = (load<R>(c.edgeCompliance + k) * R(c.invH2)) * lambda;
            const ClothPull<R> pull = clothEdge(d, load<R>(c.edgeRest + k), load<R>(c.edgeGain + k), al);
            if constexpr (!last) store(c.lambda + k, lambda + pull.dl);
            sum = sum + pull.s * d;
        }
        const Vec<R> p = tie(i, xyz(x) + x.w * sum);
        if constexpr (end == ClothEnd::None)
            scatter(c.next, n, Four<R>{p.x, p.y, p.z, x.w});
        else
            finish(n, Four<R>{p.x, p.y, p.z, x.w});
    }
    template <class R> CAPSTAN_INLINE Vec<R> tie(int i, Vec<R> p) const {
        for (int k = 0; k < c.tethers; ++k) {
            std::int32_t pin[lanesOf<R>];
            for (int l = 0; l < lanesOf<R>; ++l) pin[l] = c.tiedVertex[c.tetherPin[k * c.room + i + l]];
            p = clothTetherQuick(p, xyz(gather<R>(c.x, pin)), load<R>(c.tetherReach + k * c.room + i));
        }
        return p;
    }
    template <class R> CAPSTAN_INLINE void finish(const ClothLanes<R>& n, Four<R> x) const {
        const Four<R> v = gather<R>(c.v, n);
        const Vec<R> velocity = finishCloth(c, x, xyz(v), xyz(gather<R>(c.before, n)));
        if constexpr (end == ClothEnd::Finish) {
            scatter(c.v, n, Four<R>{velocity.x, velocity.y, velocity.z, v.w});
            scatter(c.next, n, x);
        } else {
            Vec<R> a = everyLane<R>(c.gravity);
            if (c.force) a = a + x.w * xyz(gather<R>(c.force, n));
            predictCloth(c, c.next, n, x, Four<R>{velocity.x, velocity.y, velocity.z, v.w}, a);
        }
    }
};

// Applies the tethers of vertex i.
struct ClothTether {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n);
        Vec<R> p = tieCloth(c, i, xyz(x));
        scatter(c.x, n, Four<R>{p.x, p.y, p.z, x.w});
    }
};

// Computes the velocity of vertex i at the end of a substep.
struct ClothFinish {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n), v = gather<R>(c.v, n);
        Vec<R> velocity = finishCloth(c, x, xyz(v), xyz(gather<R>(c.before, n)));
        scatter(c.v, n, Four<R>{velocity.x, velocity.y, velocity.z, v.w});
        if (c.drag > 0) { // the air's mass lasts one substep
            x.w = select(x.w > R(0.0f), R(1.0f) / select(x.w > R(0.0f), v.w, R(1.0f)), x.w);
            scatter(c.x, n, x);
        }
    }
};

// ClothTether, ClothFinish and the next substep's ClothPredict in one phase, if no other phase is between them. The
// bits are the same, with half the memory traffic. It is used for Gauss-Seidel; ClothVertexIteration includes this
// work.
struct ClothTurn {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        ClothLanes<R> n(i);
        Four<R> x = gather<R>(c.x, n), v = gather<R>(c.v, n);
        Vec<R> p = tieCloth(c, i, xyz(x));
        x = {p.x, p.y, p.z, x.w};
        Vec<R> velocity = finishCloth(c, x, xyz(v), xyz(gather<R>(c.before, n)));
        Vec<R> a = everyLane<R>(c.gravity);
        if (c.force) a = a + x.w * xyz(gather<R>(c.force, n));
        predictCloth(c, c.x, n, x, Four<R>{velocity.x, velocity.y, velocity.z, v.w}, a);
    }
};

// Computes the strain of stretch edge (link) i.
struct ClothStrain {
    ClothView c;
    template <class R> CAPSTAN_HD void at(int i) const {
        Vec<R> d = xyz(gather<R>(c.x, c.linkB + i)) - xyz(gather<R>(c.x, c.linkA + i));
        store(c.strain + i, sqrt(lengthSquared(d)) / load<R>(c.linkRest + i) - R(1.0f));
    }
};

} // namespace capstan
