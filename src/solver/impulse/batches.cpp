// SPDX-License-Identifier: MIT
// The impulse solver: contact patches into colours, batches and lanes. See island.hpp.
#include "solver/impulse/island.hpp"

namespace capstan {
namespace {

// Pairs of dynamic bodies come first, so that static bodies have the last word in an iteration. A patch that finds
// none of the 64 colours free is a batch by itself. Returns the number of colours.
int colourPatches(TouchPile& p) {
    int most = 0, alone = 0;
    for (const bool ground : {false, true}) {
        const int base = most;
        p.colours.assign(p.movers.size(), 0);
        for (TouchPatch& patch : p.patches) {
            const int a = patch.mover[0], b = patch.mover[1];
            if ((a >= p.dynamic || b >= p.dynamic) != ground) continue;
            const std::uint64_t used =
                (a < p.dynamic ? p.colours[a] : 0) | (b < p.dynamic ? p.colours[b] : 0);
            int c = 0;
            while (c < 64 && (used >> c & 1)) ++c;
            patch.colour = c < 64 ? base + c : -1 - alone++;
            if (c == 64) continue;
            p.colours[a] |= std::uint64_t(1) << c;
            p.colours[b] |= std::uint64_t(1) << c;
            most = most > base + c + 1 ? most : base + c + 1;
        }
    }
    for (TouchPatch& patch : p.patches)
        if (patch.colour < 0) patch.colour = most - 1 - patch.colour;
    return most + alone;
}

// Sorts by colour; patches with many points come first, so that the lanes of a batch are equally long.
void orderPatches(TouchPile& p, int colours) {
    auto key = [](const TouchPatch& patch) { return std::size_t(4 * patch.colour + 4 - patch.count); };
    p.starts.assign(std::size_t(4 * colours + 1), 0);
    for (const TouchPatch& patch : p.patches) ++p.starts[key(patch) + 1];
    for (std::size_t k = 1; k < p.starts.size(); ++k) p.starts[k] += p.starts[k - 1];
    p.order.resize(p.patches.size());
    for (std::size_t k = 0; k < p.patches.size(); ++k) p.order[p.starts[key(p.patches[k])]++] = int(k);
}

// One lane of a Pack.
double& at(Quad& a, int lane) { return reinterpret_cast<double*>(&a)[lane]; }
void set(Vec<Quad>& a, int lane, Vec3d v) {
    at(a.x, lane) = v.x;
    at(a.y, lane) = v.y;
    at(a.z, lane) = v.z;
}

void clearSpot(TouchSpot& s) {
    const Quad zero(0.0);
    const Vec<Quad> none = {zero, zero, zero};
    s.coreA = s.coreB = none;
    s.radiusA = s.radiusB = s.massN = s.ln = s.lt = s.lu = s.weight = s.slips = s.approach = zero;
}

void fillLane(TouchPile& p, TouchBlock& b, int k, const TouchPatch& patch) {
    const Vec3d n = patch.n, t = perpendicular(n), u = cross(n, t);
    b.a[k] = patch.mover[0];
    b.b[k] = patch.mover[1];
    set(b.n, k, n);
    set(b.t, k, t);
    set(b.u, k, u);
    at(b.stick, k) = patch.stick;
    at(b.slide, k) = patch.slide;
    at(b.bounce, k) = patch.bounce;
    b.bounces = b.bounces || patch.bounce > 0;
    b.ground = patch.mover[0] >= p.dynamic || patch.mover[1] >= p.dynamic;
    const Mover& under = p.movers[patch.mover[1]];
    b.still = b.still && patch.mover[1] >= p.dynamic &&
              Vec3d{under.v.x, under.v.y, under.v.z} == Vec3d{0, 0, 0} &&
              Vec3d{under.L.x, under.L.y, under.L.z} == Vec3d{0, 0, 0};
    for (int i = 0; i < patch.count; ++i) {
        const TouchPoint& q = p.points[patch.first + i];
        TouchSpot& s = p.spots[b.first + i];
        set(s.coreA, k, q.core[0]);
        set(s.coreB, k, q.core[1]);
        at(s.radiusA, k) = q.radius[0];
        at(s.radiusB, k) = q.radius[1];
        at(s.massN, k) = 1;
        at(s.ln, k) = q.ln;
        at(s.weight, k) = q.weight;
        at(s.lt, k) = dot(q.lt, t);
        at(s.lu, k) = dot(q.lt, u);
        at(s.slips, k) = q.slips ? 1 : 0;
    }
}

} // namespace

void packPatches(TouchPile& p) {
    orderPatches(p, colourPatches(p));
    p.blocks.clear();
    int spots = 0;
    const Quad zero(0.0), one(1.0);
    const int nobody = int(p.movers.size()) - 1;
    for (std::size_t i = 0; i < p.order.size();) {
        const TouchPatch& head = p.patches[p.order[i]];
        TouchBlock b = {{nobody, nobody, nobody, nobody},
                        {nobody, nobody, nobody, nobody},
                        {zero, one, zero},
                        {one, zero, zero},
                        {zero, zero, one},
                        zero,
                        zero,
                        zero};
        b.first = spots;
        b.count = head.count;
        spots += head.count;
        if (p.spots.size() < std::size_t(spots)) p.spots.resize(std::size_t(spots));
        for (int k = 0; k < b.count; ++k) clearSpot(p.spots[b.first + k]);
        for (int k = 0; k < 4 && i < p.order.size(); ++k, ++i) {
            TouchPatch& patch = p.patches[p.order[i]];
            if (patch.colour != head.colour) break;
            patch.block = int(p.blocks.size());
            patch.lane = k;
            fillLane(p, b, k, patch);
        }
        p.blocks.push_back(b);
    }
}

} // namespace capstan
