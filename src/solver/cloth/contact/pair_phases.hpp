// SPDX-License-Identifier: MIT
// The phases of the contact of cloth with itself, other cloth and ropes, one pair per lane. See pairs.hpp.
//
// Nearest point of a triangle: the foot of the perpendicular if it is inside, else the nearest point of the three
// sides. Ericson's method with seven regions (Real-Time Collision Detection 5.1.5) was refused, because it branches,
// and lanes cannot branch.
#pragma once

#include "collision/geometry/closest.hpp"
#include "solver/cloth/contact/pairs.hpp"
#include "solver/cloth/phases.hpp"

namespace capstan {

struct ClothPairView {
    const Point *x, *before;
    const std::int32_t* v[4];
    const float *apart, *share;
    Point *weight, *normal;
    float* told;

    explicit ClothPairView(ClothContactWorkspace& w)
        : x(w.x.data()), before(w.before.data()), v{w.pairs.v[0].data(), w.pairs.v[1].data(),
                                                    w.pairs.v[2].data(), w.pairs.v[3].data()},
          apart(w.pairs.apart.data()), share(w.share.data()), weight(w.pairs.weight.data()),
          normal(w.pairs.normal.data()), told(w.pairs.told.data()) {}
};

// Computes weights v and w of b - a and c - a for the point of the triangle that is nearest to p.
template <class R> CAPSTAN_INLINE void nearestOfFace(Vec<R> ap, Vec<R> ab, Vec<R> ac, R& v, R& w) {
    const R zero = R(0.0f), one = R(1.0f);
    const Vec<R> n = cross(ab, ac), bc = ac - ab;
    const R area = lengthSquared(n), perArea = reciprocalOrZero(area);
    const R fv = dot(cross(ap, ac), n) * perArea, fw = dot(cross(ab, ap), n) * perArea;
    const R s = clamp(dot(ap, ab) * reciprocalOrZero(lengthSquared(ab)), zero, one);
    const R t = clamp(dot(ap, ac) * reciprocalOrZero(lengthSquared(ac)), zero, one);
    const R u = clamp(dot(ap - ab, bc) * reciprocalOrZero(lengthSquared(bc)), zero, one);
    const R ds = lengthSquared(ap - s * ab), dt = lengthSquared(ap - t * ac),
            du = lengthSquared(ap - ab - u * bc);
    const MaskOf<R> second = dt < ds;
    v = select(second, zero, s);
    w = select(second, t, zero);
    const MaskOf<R> third = du < min(ds, dt);
    v = select(third, one - u, v);
    w = select(third, u, w);
    const MaskOf<R> inside = (perArea > zero) & (fv >= zero) & (fw >= zero) & (fv + fw <= one);
    v = select(inside, fv, v);
    w = select(inside, fw, w);
}

// Returns the square of the largest relative displacement between points of the two features.
template <bool edges, class R> CAPSTAN_INLINE R apartBy(Vec<R> a, Vec<R> b, Vec<R> c, Vec<R> d) {
    const R most = max(lengthSquared(a - c), lengthSquared(a - d));
    if constexpr (edges) return max(most, max(lengthSquared(b - c), lengthSquared(b - d)));
    return max(most, lengthSquared(a - b));
}

// Computes the nearest points of pair i at the start of the substep. `told` becomes positive if the pair may come
// into contact in this substep.
template <bool edges> struct ClothPairDistance {
    ClothPairView p;
    template <class R> CAPSTAN_INLINE Vec<R> move(int k, int i) const {
        return xyz(gather<R>(p.x, p.v[k] + i)) - xyz(gather<R>(p.before, p.v[k] + i));
    }
    template <class R> void at(int i) const {
        const Vec<R> a = xyz(gather<R>(p.before, p.v[0] + i)), b = xyz(gather<R>(p.before, p.v[1] + i)) - a,
                     c = xyz(gather<R>(p.before, p.v[2] + i)) - a,
                     d = xyz(gather<R>(p.before, p.v[3] + i)) - a;
        const Vec<R> zero = {R(0.0f), R(0.0f), R(0.0f)};
        Four<R> g;
        Vec<R> diff;
        if constexpr (edges) {
            const SegmentSegment<R> s = closest(zero, b, c, d);
            g = {R(1.0f) - s.s, s.s, s.t - R(1.0f), -s.t};
            diff = s.s * b - (c + s.t * (d - c));
        } else {
            R v, w;
            nearestOfFace(-b, c - b, d - b, v, w);
            g = {R(1.0f), v + w - R(1.0f), -v, -w};
            diff = -b - v * (c - b) - w * (d - b);
        }
        const Vec<R> n = normalize(diff, Vec<R>{R(0.0f), R(1.0f), R(0.0f)});
        const ClothLanes<R> here(i);
        const R l = length(diff), far = max(l - R(1.5f) * load<R>(p.apart + i), R(0.0f));
        scatter(p.weight, here, g);
        scatter(p.normal, here, Four<R>{n.x, n.y, n.z, l});
        store(p.told + i,
              apartBy<edges>(move<R>(0, i), move<R>(1, i), move<R>(2, i), move<R>(3, i)) - far * far);
    }
};

// Tests pair i by the relative displacement of its points. `told` becomes positive unless the pair is safe.
template <bool edges> struct ClothPairBound {
    ClothPairView p;
    template <class R> CAPSTAN_INLINE Vec<R> move(int k, int i) const {
        float share[lanesOf<R>];
        for (int lane = 0; lane < lanesOf<R>; ++lane) share[lane] = p.share[p.v[k][i + lane]];
        return load<R>(share) * (xyz(gather<R>(p.x, p.v[k] + i)) - xyz(gather<R>(p.before, p.v[k] + i)));
    }
    template <class R> void at(int i) const {
        const R d = gather<R>(p.normal, ClothLanes<R>(i)).w;
        const Vec<R> a = move<R>(0, i), b = move<R>(1, i), c = move<R>(2, i), e = move<R>(3, i);
        const R most = apartBy<edges>(a, b, c, e);
        const R free = max(R(0.9f) * (d - R(0.2f) * load<R>(p.apart + i)), R(0.0f));
        store(p.told + i, most - free * free);
    }
};

// Computes the nearest points of all pairs.
template <class Exec> void lookAtPairs(Exec& exec, ClothContactWorkspace& w) {
    const int corners = w.pairs.corners, size = w.pairs.size();
    exec.run(0, corners, ClothPairDistance<false>{ClothPairView(w)});
    exec.run(corners, size, ClothPairDistance<true>{ClothPairView(w)});
}

// Finds candidates, and pushes the pairs that are too near, `kPushes` times.
template <class Exec>
void solveClothContacts(Exec& exec, ClothContactWorkspace& w, const Model& m, const StepDef& d) {
    constexpr int kPushes = 3;
    listClothPairs(w, m);
    lookAtPairs(exec, w);
    w.active.clear();
    for (int i = 0; i < w.pairs.size(); ++i)
        if (w.pairs.told[i] > 0) w.active.push_back(i);
    for (int k = 0; k < kPushes; ++k) pushClothPairs(w, double(d.h()));
}

// Step bound: shortens moves so that no two features pass through each other.
template <class Exec> void boundClothStep(Exec& exec, ClothContactWorkspace& w, const Model& m) {
    // From this iteration on, every pair that may come into contact gets its plane.
    constexpr int kIterations = 6;
    // Pushes may have moved points out of their boxes. Then candidates must be found again.
    if (listClothPairs(w, m)) lookAtPairs(exec, w);
    const int corners = w.pairs.corners, size = w.pairs.size();
    w.share.assign(w.x.size(), 1.0f);
    w.pairs.planed.assign(std::size_t(size), 0);
    for (int iteration = 0;; ++iteration) {
        exec.run(0, corners, ClothPairBound<false>{ClothPairView(w)});
        exec.run(corners, size, ClothPairBound<true>{ClothPairView(w)});
        if (!planeClothPairs(w, iteration >= kIterations)) break;
    }
    cutClothPairs(w);
}

} // namespace capstan
