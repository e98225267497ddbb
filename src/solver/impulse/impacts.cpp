// SPDX-License-Identifier: MIT
// The impulse solver: impacts with restitution. See island.hpp and reflect.hpp.
//
// In the substep of an impact the first iteration moves the bodies until they meet. Then they get back the velocity
// that they had before it, and are reflected. The velocity that impacts gave is no guess for the next substep. So it counts as
// velocity without contact.
#include "solver/impulse/island.hpp"

namespace capstan {
namespace {

constexpr double kMeets = 1e-4; // m: a pair with a smaller gap passes impacts on

Vec3d vec(const SolverBody::Row& r) { return {r.x, r.y, r.z}; }
void add(SolverBody::Row& r, Vec3d by) {
    r.x += by.x;
    r.y += by.y;
    r.z += by.z;
}

// Gap after the bodies have moved. The iteration without bias moves it in the lanes later.
double movedGap(const ImpulseIsland& p, const ContactPatch& patch, const PointLanes& s, bool still) {
    const SolverBody &a = p.solverBodies[patch.solverBody[0]], &b = p.solverBodies[patch.solverBody[1]];
    const int i = patch.lane;
    double d = lane(s.gap, i) + dot(patch.n, vec(a.dx)) + dot(lane(s.n.jA, i), vec(a.dl));
    if (!still) d -= dot(patch.n, vec(b.dx)) + dot(lane(s.n.jB, i), vec(b.dl));
    return d;
}

ImpactDirection directionOf(ImpulseIsland& p, const ContactPatch& patch, const Vec<Quad>& along,
                            const LeverLanes& l, bool still) {
    Impacts& w = p.impacts;
    const Vec3d none = {0, 0, 0}, d = lane(along, patch.lane);
    ImpactDirection to = {
        d, {lane(l.kA, patch.lane), still ? none : lane(l.kB, patch.lane)}, int(w.responses.size()), 0};
    for (int k : {0, 1}) {
        const int body = patch.solverBody[k];
        const SolverBody& m = p.solverBodies[body];
        const double sign = k == 0 ? 1 : -1;
        if (body < p.dynamic)
            w.responses.push_back(
                {body, (sign * m.v.w) * d, (sign * m.L.w) * lane(k == 0 ? l.jA : l.jB, patch.lane)});
    }
    to.end = int(w.responses.size());
    return to;
}

void addPoint(ImpulseIsland& p, const ContactPatch& patch, const PatchBatch& b, const PointLanes& s) {
    ImpactPoint q;
    q.n = directionOf(p, patch, b.n, s.n, b.still);
    q.t = directionOf(p, patch, b.t, s.t, b.still);
    q.u = directionOf(p, patch, b.u, s.u, b.still);
    q.massN = lane(s.massN, patch.lane);
    q.massT = lane(s.massT, patch.lane);
    q.approach = lane(s.approach, patch.lane);
    q.ln = q.lt = q.lu = 0;
    p.impacts.points.push_back(q);
}

// Calls f(patch, batch, lanes of the point) for points that strike or meet, and g(patch) after those of a patch.
template <class F, class G> void eachInReach(ImpulseIsland& p, const F& f, const G& g) {
    for (const ContactPatch& patch : p.patches) {
        const PatchBatch& b = p.batches[patch.batch];
        for (int i = 0; i < patch.count; ++i) {
            PointLanes& s = p.pointLanes[b.first + i];
            if (lane(s.approach, patch.lane) < 0 || movedGap(p, patch, s, b.still) < kMeets) f(patch, b, s);
        }
        g(patch);
    }
}

void load(ImpulseIsland& p) {
    Impacts& w = p.impacts;
    w.clear(p.solverBodies.size());
    for (std::size_t k = 0; k < p.solverBodies.size(); ++k) {
        w.v[k] = vec(p.solverBodies[k].v);
        w.y[k] = vec(p.solverBodies[k].L);
    }
    int first = 0;
    eachInReach(
        p, [&](auto& patch, auto& b, PointLanes& s) { addPoint(p, patch, b, s); },
        [&](const ContactPatch& patch) {
            const int end = int(w.points.size());
            if (end > first)
                w.pairs.push_back({{patch.solverBody[0], patch.solverBody[1]},
                                   first,
                                   end,
                                   patch.restitution,
                                   patch.dynamicFriction,
                                   0});
            first = end;
        });
}

// Gives all bodies and points what they had before the first iteration.
void restore(ImpulseIsland& p) {
    for (std::size_t k = 0; k < p.solverBodies.size(); ++k) {
        p.solverBodies[k].v = p.had[2 * k];
        p.solverBodies[k].L = p.had[2 * k + 1];
    }
    std::size_t at = 0;
    for (PatchBatch& b : p.batches) {
        b.struck = {};
        for (int k = 0; k < b.count; ++k) {
            PointLanes& s = p.pointLanes[b.first + k];
            for (Quad* l : {&s.ln, &s.lt, &s.lu}) *l = p.hadImpulses[at++];
        }
    }
}

void store(ImpulseIsland& p) {
    const Impacts& w = p.impacts;
    for (std::size_t k = 0; k < std::size_t(p.dynamic); ++k) {
        SolverBody& m = p.solverBodies[k];
        const Vec3d dv = w.v[k] - vec(m.v), dL = w.y[k] - vec(m.L);
        add(m.v, dv);
        add(m.L, dL);
        add(m.free, dv);
        add(m.freeL, dL);
    }
    std::size_t at = 0;
    eachInReach(
        p,
        [&](const ContactPatch& patch, auto&, PointLanes& s) {
            reinterpret_cast<double*>(&s.given)[patch.lane] += w.points[at++].ln;
        },
        [](auto&) {});
}

} // namespace

void noteVelocities(ImpulseIsland& p) {
    p.had.clear();
    p.hadImpulses.clear();
    for (const SolverBody& m : p.solverBodies) {
        p.had.push_back(m.v);
        p.had.push_back(m.L);
    }
    for (const PatchBatch& b : p.batches)
        for (int k = 0; k < b.count; ++k) {
            const PointLanes& s = p.pointLanes[b.first + k];
            for (const Quad* l : {&s.ln, &s.lt, &s.lu}) p.hadImpulses.push_back(*l);
        }
}

void reflectImpacts(ImpulseIsland& p) {
    restore(p);
    load(p);
    reflect(p.impacts);
    store(p);
}

} // namespace capstan
