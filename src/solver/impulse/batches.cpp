// SPDX-License-Identifier: MIT
// The impulse solver: sorts contact patches into colours, batches and lanes. See island.hpp.
#include "solver/impulse/island.hpp"

namespace capstan {
namespace {

// Gives each patch a colour, so that no two patches of a colour share a dynamic body. Patches between two
// dynamic bodies get the lower colours. Patches with a static body are solved after them, so that static
// bodies decide the result of an iteration. If all 64 colours are taken at a patch's bodies, the patch gets a
// colour of its own. Returns the number of colours.
int colourPatches(ImpulseIsland& p) {
    int most = 0, alone = 0;
    for (const bool ground : {false, true}) {
        const int base = most;
        p.colours.assign(p.solverBodies.size(), 0);
        for (ContactPatch& patch : p.patches) {
            const int a = patch.solverBody[0], b = patch.solverBody[1];
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
    for (ContactPatch& patch : p.patches)
        if (patch.colour < 0) patch.colour = most - 1 - patch.colour;
    return most + alone;
}

// Marks the patches whose dynamic bodies have no other patch.
void findAlone(ImpulseIsland& p) {
    p.starts.assign(p.solverBodies.size(), 0);
    for (const ContactPatch& patch : p.patches)
        for (int body : patch.solverBody) ++p.starts[body];
    for (ContactPatch& patch : p.patches) {
        patch.alone = true;
        for (int body : patch.solverBody)
            patch.alone = patch.alone && (body >= p.dynamic || p.starts[body] == 1);
    }
}

// Sorts patches by colour. Within a colour, patches with many points come first, so that the lanes of a batch
// have nearly equal numbers of points.
void orderPatches(ImpulseIsland& p, int colours) {
    auto key = [](const ContactPatch& patch) { return std::size_t(4 * patch.colour + 4 - patch.count); };
    p.starts.assign(std::size_t(4 * colours + 1), 0);
    for (const ContactPatch& patch : p.patches) ++p.starts[key(patch) + 1];
    for (std::size_t k = 1; k < p.starts.size(); ++k) p.starts[k] += p.starts[k - 1];
    p.order.resize(p.patches.size());
    for (std::size_t k = 0; k < p.patches.size(); ++k) p.order[p.starts[key(p.patches[k])]++] = int(k);
}

// Returns a reference to one lane of a Pack.
double& at(Quad& a, int lane) { return reinterpret_cast<double*>(&a)[lane]; }
void set(Vec<Quad>& a, int lane, Vec3d v) {
    at(a.x, lane) = v.x;
    at(a.y, lane) = v.y;
    at(a.z, lane) = v.z;
}

void clearPoint(PointLanes& s) {
    const Quad zero(0.0);
    const Vec<Quad> none = {zero, zero, zero};
    s.coreA = s.coreB = none;
    s.radiusA = s.radiusB = s.massN = s.ln = s.lt = s.lu = s.weight = s.slipping = s.approach = s.given =
        zero;
}

void fillLane(ImpulseIsland& p, PatchBatch& b, int k, const ContactPatch& patch) {
    const Vec3d n = patch.n, t = perpendicular(n), u = cross(n, t);
    b.a[k] = patch.solverBody[0];
    b.b[k] = patch.solverBody[1];
    set(b.n, k, n);
    set(b.t, k, t);
    set(b.u, k, u);
    at(b.staticFriction, k) = patch.staticFriction;
    at(b.dynamicFriction, k) = patch.dynamicFriction;
    at(b.restitution, k) = patch.restitution;
    b.restores = b.restores || patch.restitution > 0;
    b.ground = patch.solverBody[0] >= p.dynamic || patch.solverBody[1] >= p.dynamic;
    const SolverBody& under = p.solverBodies[patch.solverBody[1]];
    b.still = b.still && patch.solverBody[1] >= p.dynamic &&
              Vec3d{under.v.x, under.v.y, under.v.z} == Vec3d{0, 0, 0} &&
              Vec3d{under.L.x, under.L.y, under.L.z} == Vec3d{0, 0, 0};
    for (int i = 0; i < patch.count; ++i) {
        const PatchPoint& q = p.points[patch.first + i];
        PointLanes& s = p.pointLanes[b.first + i];
        set(s.coreA, k, q.core[0]);
        set(s.coreB, k, q.core[1]);
        at(s.radiusA, k) = q.radius[0];
        at(s.radiusB, k) = q.radius[1];
        at(s.massN, k) = 1;
        at(s.ln, k) = q.ln;
        at(s.weight, k) = q.weight;
        at(s.lt, k) = dot(q.lt, t);
        at(s.lu, k) = dot(q.lt, u);
        at(s.slipping, k) = q.slipping ? 1 : 0;
    }
}

} // namespace

void packPatches(ImpulseIsland& p) {
    findAlone(p);
    orderPatches(p, colourPatches(p));
    p.batches.clear();
    int pointLanes = 0;
    const Quad zero(0.0), one(1.0);
    const int nobody = int(p.solverBodies.size()) - 1;
    for (std::size_t i = 0; i < p.order.size();) {
        const ContactPatch& head = p.patches[p.order[i]];
        PatchBatch b = {{nobody, nobody, nobody, nobody},
                        {nobody, nobody, nobody, nobody},
                        {zero, one, zero},
                        {one, zero, zero},
                        {zero, zero, one},
                        zero,
                        zero,
                        zero};
        b.first = pointLanes;
        b.count = head.count;
        pointLanes += head.count;
        if (p.pointLanes.size() < std::size_t(pointLanes)) p.pointLanes.resize(std::size_t(pointLanes));
        for (int k = 0; k < b.count; ++k) clearPoint(p.pointLanes[b.first + k]);
        Quad alone = zero;
        for (int k = 0; k < 4 && i < p.order.size(); ++k, ++i) {
            ContactPatch& patch = p.patches[p.order[i]];
            if (patch.colour != head.colour) break;
            patch.batch = int(p.batches.size());
            patch.lane = k;
            fillLane(p, b, k, patch);
            at(alone, k) = patch.alone ? 1 : 0;
        }
        b.alone = alone > zero;
        b.waits = b.alone | (b.restitution > zero);
        p.batches.push_back(b);
    }
}

} // namespace capstan
