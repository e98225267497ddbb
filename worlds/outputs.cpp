// SPDX-License-Identifier: MIT
// The outputs of a World as one hash: implements outputs.hpp.
#include <worlds/outputs.hpp>

#include <bit>
#include <cmath>

namespace capstan::golden {

void Fold::bits(std::uint64_t a, int bytes) {
    for (int k = 0; k < bytes; ++k) hash_ = (hash_ ^ (a >> (8 * k) & 255)) * 1099511628211ull;
}

void Fold::word(std::string_view text) {
    for (const char c : text) bits(static_cast<unsigned char>(c), 1);
    bits(0, 1);
}

// All NaNs count as one value, because their sign and payload depend on the processor.
void Fold::number(float a) {
    notFinite_ += !std::isfinite(a);
    bits(std::isnan(a) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(a), 4);
}
void Fold::number(double a) {
    notFinite_ += !std::isfinite(a);
    bits(std::isnan(a) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(a), 8);
}
void Fold::number(std::int64_t a) { bits(std::uint64_t(a), 8); }

namespace {

void foldCount(Fold& fold, std::size_t a) { fold.number(std::int64_t(a)); }

template <class Tag> bool foldThing(Fold& fold, const char* kind, Id<Tag> id) {
    if (!id) return false;
    fold.word(kind);
    fold.number(std::int64_t(id.index));
    return true;
}

void foldSide(Fold& fold, ObjectId id) {
    if (!foldThing(fold, "rope", id.as<RopeId>()) && !foldThing(fold, "body", id.as<BodyId>()) &&
        !foldThing(fold, "cloth", id.as<ClothId>()))
        fold.word("none");
}

const char* wordOf(Event::Kind kind) {
    switch (kind) {
    case Event::Kind::Broke:
        return "broke";
    case Event::Kind::Quarantined:
        return "quarantined";
    case Event::Kind::ContactBegin:
        return "contactBegin";
    case Event::Kind::ContactPersist:
        return "contactPersist";
    case Event::Kind::ContactEnd:
        return "contactEnd";
    case Event::Kind::Tore:
        return "tore";
    }
    return "";
}

void foldEvent(Fold& fold, const Event& e) {
    fold.word(wordOf(e.kind));
    switch (e.kind) {
    case Event::Kind::Broke: // e.b is the rope behind the break, or null
        if (!foldThing(fold, "joint", e.a.as<JointId>())) {
            foldSide(fold, e.a);
            foldSide(fold, e.b);
            fold.number(std::int64_t(e.elementA));
        }
        fold.number(e.force);
        break;
    case Event::Kind::Tore:
        foldSide(fold, e.a);
        fold.number(std::int64_t(e.elementA));
        fold.number(e.strain);
        break;
    case Event::Kind::Quarantined:
        foldSide(fold, e.a);
        break;
    default: // all kinds of contact events
        foldSide(fold, e.a);
        foldSide(fold, e.b);
        fold.number(e.force);
    }
}

void foldContact(Fold& fold, const Contact& c) {
    foldSide(fold, c.a);
    if (c.a.as<RopeId>()) fold.number(std::int64_t(c.elementA));
    foldSide(fold, c.b);
    if (c.b.as<RopeId>()) fold.number(std::int64_t(c.elementB));
    fold.vector(c.point);
    fold.vector(c.normal);
    fold.number(c.force);
    fold.vector(c.friction);
    fold.word(c.slipping ? "slips" : "sticks");
}

void foldRopes(Fold& fold, const World& world) {
    for (const RopeId id : world.ids<RopeId>()) {
        foldThing(fold, "rope", id);
        for (const float t : world.tensions(id)) fold.number(t);
        for (const float l : world.restLengths(id)) fold.number(l);
        for (std::size_t k = 0; k < world.positions(id).size(); ++k) fold.number(world.mass({id, int(k)}));
        fold.number(world.stretch(id));
    }
    for (const int n : world.linkingNumbers()) fold.number(std::int64_t(n));
}

void foldBodies(Fold& fold, const World& world) {
    for (const BodyId id : world.ids<BodyId>()) {
        foldThing(fold, "body", id);
        const Transform t = world.pose(id);
        fold.vector(t.position);
        for (const float a : {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}) fold.number(a);
        fold.vector(world.centerOfMass(id));
        fold.vector(world.velocity(id));
        fold.vector(world.angularVelocity(id));
        const MassProperties& m = world.massProperties(id);
        fold.number(m.mass);
        fold.vector(m.centerOfMass);
        fold.vector(m.inertia);
        if (!std::isfinite(dot(t.position, t.position))) continue;
        // The ray points down to the object's centre; another object may be hit first.
        const RayHit hit = world.castRay(t.position + Vec3{0.01f, 5, 0.02f}, {0, -1, 0}, 20);
        foldSide(fold, hit.object);
        if (hit) {
            fold.vector(hit.point);
            fold.vector(hit.normal);
            fold.number(hit.distance);
        }
    }
}

void foldJoints(Fold& fold, const World& world) {
    for (const JointId id : world.ids<JointId>()) {
        foldThing(fold, "joint", id);
        const JointForces r = world.jointForces(id);
        fold.vector(r.force);
        fold.vector(r.torque);
        fold.number(r.angle);
        fold.number(r.distance);
        fold.number(r.gap);
        fold.word(r.broken ? "broken" : "whole");
        for (const int side : {0, 1}) {
            const Transform f = world.jointFrame(id, side);
            fold.vector(f.position);
            for (const float a : {f.rotation.x, f.rotation.y, f.rotation.z, f.rotation.w}) fold.number(a);
        }
    }
}

void foldSoft(Fold& fold, const World& world) {
    for (const ClothId id : world.ids<ClothId>()) {
        foldThing(fold, "cloth", id);
        foldCount(fold, world.positions(id).size());
        for (const auto& t : world.triangles(id))
            for (const int corner : t) fold.number(std::int64_t(corner));
        for (const float s : world.strains(id)) fold.number(s);
        fold.number(world.maxStrain(id));
        fold.number(world.meanStrain(id));
        for (std::size_t k = 0; k < world.positions(id).size(); ++k) fold.number(world.mass({id, int(k)}));
    }
    for (const HairId id : world.ids<HairId>()) {
        foldThing(fold, "hair", id);
        fold.number(std::int64_t(world.strandCount(id)));
        fold.number(std::int64_t(world.level(id)));
        fold.number(world.maxStrain(id));
        for (int s = 0; s < world.strandCount(id); ++s)
            for (const Point& p : world.strand(id, s)) {
                fold.vector(p);
                fold.number(p.w);
            }
    }
}

} // namespace

// Report::deviceTime is left out, because it varies from run to run.
void foldReport(Fold& fold, const Report& r) {
    for (const float a : {r.maxStretch, r.maxStrain, r.maxGap, r.minSeparationRatio, r.maxClothStrain})
        fold.number(a);
    for (const int a : {r.solves, r.retries, r.heldStill, r.contacts, r.truncated, r.substeps,
                        r.halvedSubsteps, r.quarantined})
        fold.number(std::int64_t(a));
}

void foldEvents(Fold& fold, const World& world) {
    foldCount(fold, world.events().size());
    for (const Event& e : world.events()) foldEvent(fold, e);
}

void foldContacts(Fold& fold, const World& world) {
    std::uint64_t sum = 0;
    for (const Contact& c : world.contacts()) {
        Fold one;
        foldContact(one, c);
        sum += one.value();
    }
    foldCount(fold, world.contacts().size());
    fold.number(std::int64_t(sum));
}

void foldReadings(Fold& fold, const World& world) {
    foldRopes(fold, world);
    foldBodies(fold, world);
    foldJoints(fold, world);
    foldSoft(fold, world);
    const Energy e = world.energy();
    fold.number(e.kinetic);
    fold.number(e.potential);
    fold.number(e.elastic);
    fold.number(world.time());
}

} // namespace capstan::golden
