// SPDX-License-Identifier: MIT
// See energy.hpp.
#include "solver/cloth/energy.hpp"

namespace capstan {
namespace {

template <class... T> std::size_t bytesOf(const std::vector<T>&... v) {
    return ((v.capacity() * sizeof(T)) + ...);
}

Vec3d positionOf(const ClothState& s, int i) { return widen(Vec3(s.x[i])); }

// Returns the energy 1/2 C^2 / compliance of all edges [J], with C = length - rest length. Each edge counts once.
double stretchEnergy(const Cloth& c, const ClothState& s) {
    double sum = 0;
    const auto add = [&](int a, int b, float rest, float compliance) {
        const double over = length(positionOf(s, b) - positionOf(s, a)) - double(rest);
        if (compliance > 0 && a != b) sum += 0.5 * over * over / double(compliance);
    };
    for (std::size_t i = 0; i < c.edges.a.size(); ++i)
        add(c.edges.a[i], c.edges.b[i], c.edges.rest[i], c.edges.compliance[i]);
    for (int i = 0; !c.edgesOf.begin.empty() && i < c.room; ++i) {
        const std::size_t slice = std::size_t(i / kClothSlice);
        for (int k = c.edgesOf.begin[slice] + i % kClothSlice; k < c.edgesOf.begin[slice + 1];
             k += kClothSlice)
            if (c.edgesOf.other[k] > i) add(i, c.edgesOf.other[k], c.edgeRest[k], c.edgeCompliance[k]);
    }
    return sum;
}

// Returns the bending energy 1/2 x.K x [J] as a sum over pairs of vertices, because each row of K sums to zero.
double bendEnergy(const Cloth& c, const ClothState& s) {
    double sum = 0;
    for (int i = 0; !c.bendWeight.empty() && i < c.room; ++i) {
        const std::size_t slice = std::size_t(i / kClothSlice);
        for (int k = c.bendOf.begin[slice] + i % kClothSlice; k < c.bendOf.begin[slice + 1]; k += kClothSlice)
            sum -= 0.25 * double(c.bendWeight[k]) *
                   lengthSquared(positionOf(s, c.bendOf.other[k]) - positionOf(s, i));
    }
    return sum;
}

} // namespace

Energy clothEnergy(const Cloth& c, const ClothState& s, Vec3 gravity) {
    Energy e;
    for (int i = 0; i < c.count; ++i) {
        const Point& v = s.v[i];
        if (!(s.x[i].w > 0)) continue; // pinned
        e.kinetic += 0.5 * double(v.w) * lengthSquared(widen(Vec3(v)));
        e.potential -= double(v.w) * dot(widen(gravity), positionOf(s, i));
    }
    e.elastic = stretchEnergy(c, s) + bendEnergy(c, s);
    return e;
}

std::size_t bytesOfCloth(const Cloth& c, const ClothState& s) {
    const auto rows = [](const ClothRows& r) { return bytesOf(r.begin, r.other); };
    return sizeof(Cloth) + sizeof(ClothState) +
           bytesOf(c.triangles, c.rest, c.pins, c.linkA, c.linkB, c.linkRest) +
           bytesOf(c.edges.a, c.edges.b, c.edges.rest, c.edges.compliance, c.edges.weightA, c.edges.weightB,
                   c.edgeRest, c.edgeCompliance, c.edgeGain, c.edgePart, c.share) +
           bytesOf(c.bendWeight, c.bendBound, c.tied, c.tetherPin, c.tetherReach) +
           bytesOf(c.corners[0], c.corners[1], c.corners[2]) + rows(c.edgesOf) + rows(c.bendOf) +
           rows(c.trianglesOf) + bytesOf(c.def.points, c.def.triangles, c.def.pins) +
           bytesOf(s.x, s.v, s.before, s.force, s.strain, s.next, s.bendFrom, s.bendMove, s.tied, s.air,
                   s.lambda);
}

} // namespace capstan
