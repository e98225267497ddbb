// SPDX-License-Identifier: MIT
// World: the total energy [J], and the stretch of a rope.
//
//     kinetic     m v^2 / 2 + sum of L_i^2 / (2 I_i) over the principal axes i
//     potential   -m g.x
//     elastic     d^2 / (2 c) for a spring of compliance c and stretch d, while its force is at most `strength`
// The energies of ropes and cloths are computed in solver/rope/measure.hpp and solver/cloth/energy.hpp.
#include "world/impl.hpp"

#include "solver/cloth/energy.hpp"
#include "solver/mechanism/load.hpp"

namespace capstan {

namespace {

Energy energyOf(const Body& b, const BodyState& s, Vec3 gravity) {
    const Vec3d l = rotate(conjugate(s.q), s.L), &i = b.inertia;
    Energy e;
    e.kinetic = 0.5 * (b.mass * lengthSquared(s.v) + l.x * l.x / i.x + l.y * l.y / i.y + l.z * l.z / i.z);
    e.potential = -b.mass * dot(widen(gravity), s.x);
    return e;
}

// Returns the energy of a spring [J] whose force is limited to `strength`. Beyond the stretch at that force, the
// force is constant.
double springEnergy(double stretch, double compliance, double strength) {
    const double d = abs(stretch), most = strength * compliance;
    return d <= most ? 0.5 * d * d / compliance : strength * (d - 0.5 * most);
}

double driveEnergy(const Model& m, const Joint& j, const JointAxis& a, double at) {
    if (a.drive != JointAxis::Drive::Position || !(a.compliance > 0)) return 0;
    return springEnergy(at - driveTarget(m, j, a), a.compliance, a.strength);
}

double elasticEnergy(const Joint& j, const JointState& s, const Model& m, const State& all) {
    if (j.kind == Joint::Kind::Rod && j.compliance > 0)
        return springEnergy(s.distance - j.rest, j.compliance, j.strength);
    if (j.kind == Joint::Kind::Drag) {
        Vec3d point;
        if (j.rope >= 0) {
            point = nodePosition(m.ropes[j.rope], all, j.node);
        } else {
            const BodyState& b = all.bodies[j.body[1]];
            point = Pose{b.x, b.q}.point(j.frame[1].x);
        }
        return springEnergy(length(point - s.dragPoint), j.compliance, j.strength);
    }
    return driveEnergy(m, j, j.turn, s.angle) + driveEnergy(m, j, j.slide, s.distance);
}

} // namespace

Energy World::energy() const {
    const Model& m = in_->model;
    const State& s = in_->state;
    Energy sum;
    auto add = [&](const Energy& e) {
        sum.kinetic += e.kinetic;
        sum.potential += e.potential;
        sum.elastic += e.elastic;
    };
    for (const Rope& r : m.ropes)
        if (r.alive) add(energyOf(r, s, in_->def.gravity));
    for (std::size_t i = 0; i < m.bodies.size(); ++i)
        if (m.bodies[i].alive && m.bodies[i].dynamic())
            add(energyOf(m.bodies[i], s.bodies[i], in_->def.gravity));
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive) add(clothEnergy(m.cloths[i], s.cloths[i], in_->def.gravity));
    for (std::size_t i = 0; i < m.joints.size(); ++i)
        if (m.joints[i].on()) sum.elastic += elasticEnergy(m.joints[i], s.joints[i], m, s);
    return sum;
}

float World::stretch(RopeId id) const {
    const Rope* r = in_->at(id);
    return r ? float(signedStretch(*r, in_->state)) : 0;
}

} // namespace capstan
