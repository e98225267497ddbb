// SPDX-License-Identifier: MIT
// The part of Playback that updates its Summary after each frame.
#include <capstan/scene/playback.hpp>

#include <capstan/scene/reach.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {

namespace {
std::string named(const std::string& name, std::uint32_t index) {
    return name.empty() ? "#" + std::to_string(index) : name;
}
bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
} // namespace

std::string Playback::nameOf(RopeId id) const { return named(world_.def(id).name, id.index); }
std::string Playback::nameOf(BodyId id) const { return named(world_.def(id).name, id.index); }
std::string Playback::nameOf(ClothId id) const { return named(world_.def(id).name, id.index); }
std::string Playback::nameOf(HairId id) const { return named(world_.def(id).name, id.index); }
std::string Playback::nameOf(JointId id) const { return named(world_.def(id).name, id.index); }

RopeId Playback::rope(const std::string& name) const {
    auto found = names_.find(name);
    return found != names_.end() && world_.isValid(found->second) ? found->second : RopeId{};
}

void Playback::startSummary() {
    double g = static_cast<double>(length(world_.def().gravity));
    for (RopeId id : world_.ids<RopeId>()) {
        std::span<const Point> points = world_.positions(id);
        double all = 0, free = 0, rest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            double mass = static_cast<double>(world_.mass({id, static_cast<int>(i)}));
            all += mass;
            if (points[i].w > 0) free += mass;
        }
        for (float l : world_.restLengths(id)) rest += static_cast<double>(l);
        weights_[id.index] = all * g;
        summary_.scale += free * g * rest;
    }
    std::vector<BodyId> bodies = world_.ids<BodyId>();
    std::vector<double> reach = reaches(world_);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        summary_.scale += static_cast<double>(world_.massProperties(bodies[i]).mass) * g * reach[i];
    }
    for (ClothId id : world_.ids<ClothId>()) { // as for a rope: a cloth can fall by its own size
        std::span<const Point> points = world_.positions(id), speeds = world_.velocities(id);
        Vec3 low = points[0], high = points[0];
        double free = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            low = min(low, Vec3(points[i]));
            high = max(high, Vec3(points[i]));
            if (points[i].w > 0) free += static_cast<double>(speeds[i].w);
        }
        summary_.scale += free * g * static_cast<double>(length(high - low));
    }
    summary_.energyStart = summary_.energyNow = world_.energy();
    summary_.scale += summary_.energyStart.kinetic + summary_.energyStart.elastic;
}

void Playback::watch(const Report& report) {
    Summary& s = summary_;
    s.time = s.frames / static_cast<double>(scene_.rate);
    s.maxStretch = std::max(s.maxStretch, report.maxStretch);
    s.maxStrain = std::max(s.maxStrain, report.maxStrain);
    s.maxGap = std::max(s.maxGap, report.maxGap);
    s.maxClothStrain = std::max(s.maxClothStrain, report.maxClothStrain);
    s.solves += report.solves;
    s.retries += report.retries;
    s.heldStill += report.heldStill;
    s.deviceSeconds += static_cast<double>(report.deviceTime);
    s.quarantined = report.quarantined;
    s.contacts = report.contacts;
    s.truncated += report.truncated;
    s.halvedSubsteps += report.halvedSubsteps;
    s.minSeparationRatio = std::min(s.minSeparationRatio, report.minSeparationRatio);
    s.energyNow = world_.energy();
    double change = s.energyNow.total() - s.energyStart.total();
    // Without energy at play, any change gives a practically infinite ratio.
    double part = change == 0 ? 0 : change / (s.scale > 0 ? s.scale : std::numeric_limits<double>::min());
    s.rise = std::max(s.rise, part);
    s.loss = std::max(s.loss, -part);
    s.finite = s.finite && std::isfinite(change) && std::isfinite(report.maxStrain) &&
               std::isfinite(report.maxGap) && report.quarantined == 0;
    for (ClothId id : world_.ids<ClothId>())
        for (const Point& p : world_.positions(id)) s.finite = s.finite && finite(p);
    watchRopes();
    watchBodies();
    watchJoints();
    watchEvents();
}

void Playback::watchRopes() {
    for (RopeId id : world_.ids<RopeId>()) {
        for (const Point& p : world_.positions(id)) summary_.finite = summary_.finite && finite(p);
        std::span<const float> tension = world_.tensions(id);
        auto most = std::max_element(tension.begin(), tension.end());
        if (most == tension.end() || !(*most > summary_.peakTension)) continue;
        summary_.peakTension = *most;
        summary_.peakRope = nameOf(id);
        summary_.peakSegment = static_cast<int>(most - tension.begin());
        summary_.peakTime = summary_.time;
        summary_.peakWeight = weights_[id.index];
    }
}

void Playback::watchBodies() {
    for (BodyId id : world_.ids<BodyId>()) {
        Transform at = world_.pose(id);
        bool good = finite(at.position) && std::isfinite(dot(at.rotation, at.rotation)) &&
                    finite(world_.velocity(id)) && finite(world_.angularVelocity(id));
        summary_.finite = summary_.finite && good;
    }
}

void Playback::watchJoints() {
    for (JointId id : world_.ids<JointId>()) {
        float force = length(world_.jointForces(id).force);
        if (!(force > summary_.peakForce)) continue;
        summary_.peakForce = force;
        summary_.peakJoint = nameOf(id);
        summary_.peakForceTime = summary_.time;
    }
}

void Playback::watchEvents() {
    using Kind = Event::Kind;
    for (const Event& e : world_.events()) {
        // Contact events are left out, because a pile of rope has thousands of them. `expect` has keys for contacts.
        if (e.kind == Kind::ContactBegin || e.kind == Kind::ContactPersist || e.kind == Kind::ContactEnd)
            continue;
        if (e.kind == Kind::Broke && e.a.kind == ObjectKind::Rope)
            split(e.a.as<RopeId>(), e.b.as<RopeId>(), e.elementA);
        if (e.kind == Kind::Broke) ++summary_.breaks;
        if (e.kind == Kind::Tore && ++summary_.tears > 1)
            continue; // only the first tear is listed, because tears spread
        // A quarantined object stays frozen, so it is listed only once.
        bool again =
            e.kind == Kind::Quarantined && e.a.kind != ObjectKind::Cloth &&
            std::any_of(summary_.happenings.begin(), summary_.happenings.end(),
                        [&](const Happening& h) { return h.event.kind == e.kind && h.event.a == e.a; });
        if (again) continue;
        std::string name = e.a.kind == ObjectKind::Joint   ? nameOf(e.a.as<JointId>())
                           : e.a.kind == ObjectKind::Cloth ? nameOf(e.a.as<ClothId>())
                           : e.a.kind == ObjectKind::Body  ? nameOf(e.a.as<BodyId>())
                                                           : nameOf(e.a.as<RopeId>());
        summary_.happenings.push_back({summary_.time, e, name});
    }
}

} // namespace capstan
