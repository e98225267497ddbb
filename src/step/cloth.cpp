// SPDX-License-Identifier: MIT
// Implements cloth.hpp: views of sheets for the cloth solver, and the start and end of the cloth step.
#include "step/cloth.hpp"

#include <capstan/math/transcendental.hpp>

#include <algorithm>

namespace capstan {

ClothView viewOf(const Cloth& c, ClothState& s, const StepDef& d, float worldDamping) {
    const float h = d.h();
    ClothView v = {};
    v.x = s.x.data();
    v.v = s.v.data();
    v.before = s.before.data();
    v.next = s.next.data();
    v.bendFrom = s.bendFrom.data();
    v.bendMove = s.bendMove.data();
    v.air = s.air.data();
    v.force = s.force.empty() ? nullptr : s.force.data();
    v.lambda = s.lambda.data();
    v.a = c.edges.a.data();
    v.b = c.edges.b.data();
    v.paired = c.edges.paired.data();
    v.rest = c.edges.rest.data();
    v.most = c.edges.most.data();
    v.gain = c.edges.gain.data();
    v.compliance = c.edges.compliance.data();
    v.weightA = c.edges.weightA.data();
    v.weightB = c.edges.weightB.data();
    v.edgesBegin = c.edgesOf.begin.data();
    v.edgesOther = c.edgesOf.other.data();
    v.edgeRest = c.edgeRest.data();
    v.edgeCompliance = c.edgeCompliance.data();
    v.edgeGain = c.edgeGain.data();
    v.bendBegin = c.bendOf.begin.data();
    v.bendOther = c.bendOf.other.data();
    v.bendWeight = c.bendWeight.data();
    v.bendBound = c.bendBound.data();
    v.tiedVertex = c.tied.data();
    v.tied = s.tied.data();
    v.tetherPin = c.tetherPin.data();
    v.tetherReach = c.tetherReach.data();
    v.trianglesBegin = c.trianglesOf.begin.data();
    v.trianglesOf = c.trianglesOf.other.data();
    v.corner0 = c.corners[0].data();
    v.corner1 = c.corners[1].data();
    v.corner2 = c.corners[2].data();
    v.linkA = c.linkA.data();
    v.linkB = c.linkB.data();
    v.linkRest = c.linkRest.data();
    v.strain = s.strain.data();
    v.airGain = s.airGain.data();
    v.airWeightA = s.airWeightA.data();
    v.airWeightB = s.airWeightB.data();
    v.ownGain = c.def.solver == ClothSolver::Jacobi ? c.edgeGain.data() : c.edges.gain.data();
    v.ownWeightA = c.edges.weightA.data();
    v.ownWeightB = c.edges.weightB.data();
    v.share = c.share.data();
    v.edgePart = c.edgePart.data();
    v.heavier = &s.heavier;
    v.room = c.room;
    v.tethers = c.tethers;
    v.h = h;
    v.invH2 = 1 / (h * h);
    v.dampingFactor = exp(-(c.def.damping + worldDamping) * h);
    v.gravity = d.gravity;
    v.wind = c.def.wind;
    v.drag = c.def.drag;
    return v;
}

ClothPlan planOf(const Cloth& c, int substeps) {
    ClothPlan p;
    p.substeps = substeps;
    p.iterations = c.def.iterations;
    p.room = c.room;
    p.tied = int(c.tied.size());
    p.triangles = int(c.corners[0].size());
    p.links = int(c.linkA.size());
    p.jacobi = c.def.solver == ClothSolver::Jacobi;
    p.bends = !c.bendWeight.empty();
    p.bendRatio = c.bendRatio;
    p.air = c.def.drag > 0;
    p.tethers = c.tethers > 0;
    p.rigid = c.def.stretchStiffness == 0 && c.def.shearStiffness == 0;
    p.colorEnd = c.edges.colorEnd.data();
    p.colors = int(c.edges.colorEnd.size());
    return p;
}

bool mayHaveContacts(const Model& m) {
    int sheets = 0;
    for (const Cloth& c : m.cloths) {
        sheets += c.alive;
        if (c.alive && (c.def.selfContact || sheets > 1)) return true;
    }
    const auto alive = [](const auto& object) { return object.alive; };
    return sheets > 0 && (std::any_of(m.bodies.begin(), m.bodies.end(), alive) ||
                          std::any_of(m.ropes.begin(), m.ropes.end(), alive));
}

void startCloths(ContactWorkspace* memory, bool contact, Model& m, State& s) {
    if (m.cloths.empty()) return;
    if (memory && memory->cloths) memory->cloths->attachments.addedMasses.clear();
    if ((contact && mayHaveContacts(m)) || anyAttachments(m)) {
        if (!memory->cloths) memory->cloths = std::make_shared<ClothContactWorkspace>();
        startBodyCoupling(*memory->cloths, m, s);
    }
    for (std::size_t i = 0; i < m.bodies.size(); ++i) m.bodies[i].start = {s.bodies[i].x, s.bodies[i].q};
}

void startCloth(const Model& m, const State& s, Cloth& c, ClothState& at, float dt) {
    for (ClothPin& pin : c.pins) {
        const bool now = givesWay(m, pin);
        if (now != pin.gives) {
            pin.gives = now;
            c.changed = true;
        }
    }
    if (c.changed) rebuildCloth(c, at);
    for (ClothPin& pin : c.pins) {
        if (pin.gives) continue; // solver/cloth/contact/attach.hpp sets its position
        if (pin.body >= 0) {
            const BodyState& b = s.bodies[pin.body];
            pin.target = narrow(Pose{b.x, b.q}.point(pin.local));
        }
        if (pin.rope >= 0) {
            const Rope& r = m.ropes[pin.rope];
            if (pin.node < r.count) pin.target = s.x[r.begin + pin.node];
        }
        const Point& x = at.x[pin.vertex];
        Point& v = at.v[pin.vertex];
        const Vec3 speed = narrow((1 / double(dt)) * (widen(pin.target) - widen(Vec3(x))));
        v = {speed.x, speed.y, speed.z, v.w};
    }
}

void endCloth(Cloth& c, ClothState& at) {
    for (const ClothPin& pin : c.pins) {
        Point& x = at.x[pin.vertex];
        x = {pin.target.x, pin.target.y, pin.target.z, 0};
    }
    at.force.clear();
    // The sum becomes NaN if any position or velocity is not finite: x - x is 0 for finite x and NaN otherwise.
    Vec3 odd = {0, 0, 0};
    for (const Point& x : at.x) odd = odd + (Vec3(x) - Vec3(x));
    for (const Point& v : at.v) odd = odd + (Vec3(v) - Vec3(v));
    if (!(odd.x + odd.y + odd.z == 0)) {
        c.frozen = true;
        at.x = at.start;
        for (Point& v : at.v) v = {0, 0, 0, v.w};
        return;
    }
    measureStrain(c, at);
}

void measureStrain(Cloth& c, const ClothState& at) {
    // Four sums in parallel. In a single sum each addition would wait for the previous one.
    double sum[4] = {0, 0, 0, 0};
    float worst[4] = {0, 0, 0, 0};
    const float* strain = at.strain.data();
    for (int i = 0; i < c.linkCount; i += 4)
        for (int k = 0; k < 4 && i + k < c.linkCount; ++k) {
            sum[k] += double(abs(strain[i + k]));
            worst[k] = max(worst[k], strain[i + k]);
        }
    c.maxStrain = max(max(worst[0], worst[1]), max(worst[2], worst[3]));
    c.meanStrain = narrow(((sum[0] + sum[1]) + (sum[2] + sum[3])) / double(c.linkCount));
}

} // namespace capstan
