// SPDX-License-Identifier: MIT
// World: the calls for cloth and for its attachments.
#include "world/impl.hpp"

#include "builder/cloth.hpp"
#include "solver/cloth/energy.hpp"
#include "solver/cloth/rows.hpp"
#include <capstan/check.hpp>

namespace capstan {

// Returns the cloth and replaces a negative `vertex`, which counts from the last one, by its index.
Cloth* World::Impl::clothVertex(ClothId id, int& vertex) {
    Cloth* c = at(id);
    if (!c) return nullptr;
    if (vertex < 0) vertex += c->count;
    return CAPSTAN_CHECK(vertex >= 0 && vertex < c->count, "the cloth has no such vertex") ? c : nullptr;
}

Status World::Impl::draft(const ClothDef& d, ClothDraft& made) const {
    if (Status sound = checkCloth(d); !sound) return sound.error();
    for (std::size_t i = 0; i < d.attachments.size(); ++i) {
        const AttachmentDef& a = d.attachments[i];
        const std::string where = "/attachments/" + std::to_string(i);
        ClothDraft::Host h = {a.body.id ? a.body.id : idNamed<BodyTag>(model.bodies, a.body.name),
                              a.rope.id ? a.rope.id : idNamed<RopeTag>(model.ropes, a.rope.name), a.node};
        const Rope* rope = tenant(model.ropes, h.rope);
        if (!a.body.empty() && !tenant(model.bodies, h.body))
            return Error{"there is no body of this name", where + "/body"};
        if (!a.rope.empty() && !rope) return Error{"there is no rope of this name", where + "/rope"};
        if (rope && h.node < 0) h.node += rope->count;
        if (rope && (h.node < 0 || h.node >= rope->count))
            return Error{"the rope has no such node", where + "/node"};
        made.hosts.push_back(h);
    }
    return done();
}

void World::Impl::insert(ClothId id, const ClothDef& d, ClothDraft&& made) {
    state.cloths.resize(model.cloths.size());
    makeCloth(d, model.cloths[id.index], state.cloths[id.index]);
    for (std::size_t i = 0; i < made.hosts.size(); ++i) {
        const ClothDraft::Host& h = made.hosts[i];
        if (h.body)
            attachVertex(id, d.attachments[i].vertex, h.body);
        else
            attachVertex(id, d.attachments[i].vertex, h.rope, h.node);
    }
}

void World::Impl::beforeRemove(ClothId id) {
    for (ClothPin& pin : model.cloths[id.index].pins) forgetAttachment(pin);
    dropContacts(clothElement(int(id.index)));
}

void World::Impl::afterRemove(ClothId id) { state.cloths[id.index] = {}; }

Status World::Impl::applyUpdate(ClothId id, const ClothDef& changed) {
    Cloth* c = &model.cloths[id.index];
    ClothDef d = changed;
    const ClothDef& old = c->def;
    if (d.origin != old.origin || d.edgeU != old.edgeU || d.edgeV != old.edgeV || d.cellsU != old.cellsU ||
        d.cellsV != old.cellsV || d.points != old.points || d.triangles != old.triangles)
        return Error{"the layout of a cloth (its grid or its mesh) cannot be changed", ""};
    if (Status sound = checkCloth(d); !sound) return sound;
    const bool weighs = d.mass != old.mass || d.density != old.density;
    d.velocity = old.velocity;
    d.pins = old.pins;
    d.attachments = old.attachments; // pins and attachments only describe the start
    c->def = std::move(d);
    if (weighs) setClothMasses(*c, state.cloths[id.index]);
    c->changed = true;
    return done();
}

// Returns the pin of a vertex and makes one if there is none. An attachment of the vertex is removed.
ClothPin* World::Impl::hold(ClothId id, int& vertex) {
    Cloth* c = clothVertex(id, vertex);
    if (!c) return nullptr;
    auto at =
        std::find_if(c->pins.begin(), c->pins.end(), [&](const ClothPin& p) { return p.vertex >= vertex; });
    if (at == c->pins.end() || at->vertex != vertex) {
        ClothPin pin;
        pin.vertex = vertex;
        at = c->pins.insert(at, pin);
        state.cloths[id.index].x[vertex].w = 0;
        c->changed = true;
    }
    forgetAttachment(*at);
    at->body = at->rope = -1;
    at->target = state.cloths[id.index].x[vertex];
    return &*at;
}

// Empties the slot of the pin's attachment, if it has one.
void World::Impl::forgetAttachment(ClothPin& pin) {
    if (pin.attachment >= 0)
        emptySlot(model.attachments, std::uint32_t(pin.attachment), freeSlot<AttachmentId>());
    pin.attachment = -1;
}

AttachmentId World::Impl::attachVertex(ClothId id, int vertex, BodyId bodyId) {
    if (!at(bodyId)) return {};
    ClothPin* p = hold(id, vertex);
    if (!p) return {};
    const BodyState& b = state.bodies[bodyId.index];
    p->body = int(bodyId.index);
    p->generation = bodyId.generation;
    p->local = Pose{b.x, b.q}.local(widen(p->target));
    return attachmentOf(id, *p);
}

AttachmentId World::Impl::attachVertex(ClothId id, int vertex, RopeId rope, int node) {
    if (!ropeNode(rope, node)) return {};
    ClothPin* p = hold(id, vertex);
    if (!p) return {};
    p->rope = int(rope.index);
    p->generation = rope.generation;
    p->node = node;
    return attachmentOf(id, *p);
}

AttachmentId World::Impl::attachmentOf(ClothId cloth, ClothPin& pin) {
    const std::uint32_t slot = claimSlot(model.attachments, freeSlot<AttachmentId>());
    Attachment& a = model.attachments[slot];
    a.alive = true;
    a.cloth = int(cloth.index);
    a.vertex = pin.vertex;
    pin.attachment = int(slot);
    return idOf<AttachmentId>(slot);
}

// Unpins the vertex by erasing its pin. The caller empties the slot of the attachment.
void World::Impl::beforeRemove(AttachmentId id) {
    const Attachment a = model.attachments[id.index];
    Cloth& c = model.cloths[a.cloth];
    ClothState& s = state.cloths[a.cloth];
    std::erase_if(c.pins, [&](const ClothPin& p) { return p.vertex == a.vertex; });
    s.x[a.vertex].w = 1 / s.v[a.vertex].w;
    c.changed = true;
}

// Ends attachments to bodies, ropes and nodes that no longer exist.
void World::Impl::detachCloths() {
    for (std::size_t i = 0; i < model.cloths.size(); ++i) {
        Cloth& c = model.cloths[i];
        const auto gone = [&](const ClothPin& p) {
            if (p.body >= 0) {
                const Body& b = model.bodies[p.body];
                return !b.alive || b.generation != p.generation;
            }
            if (p.rope < 0) return false;
            const Rope& r = model.ropes[p.rope];
            return !r.alive || r.generation != p.generation || p.node >= r.count;
        };
        for (ClothPin& p : c.pins) {
            if (!gone(p)) continue;
            forgetAttachment(p);
            const std::size_t v = std::size_t(p.vertex);
            state.cloths[i].x[v].w = 1 / state.cloths[i].v[v].w;
            c.changed = true;
        }
        std::erase_if(c.pins, gone);
    }
}

void World::setWind(ClothId id, Vec3 wind) {
    Cloth* c = in_->at(id);
    if (!c || !CAPSTAN_CHECK(finite(wind), "the wind must be finite") ||
        !CAPSTAN_CHECK(c->def.drag > 0, "wind needs a drag above 0"))
        return;
    c->def.wind = wind;
}

std::span<const Point> World::positions(ClothId id) const {
    const Cloth* c = in_->at(id);
    if (!c) return {};
    return {in_->state.cloths[id.index].x.data(), std::size_t(c->count)};
}

std::span<const Point> World::velocities(ClothId id) const {
    const Cloth* c = in_->at(id);
    if (!c) return {};
    return {in_->state.cloths[id.index].v.data(), std::size_t(c->count)};
}

std::span<const std::array<int, 3>> World::triangles(ClothId id) const {
    const Cloth* c = in_.asItIs().at(id);
    if (!c) return {};
    return c->triangles;
}

std::span<const float> World::strains(ClothId id) const {
    const Cloth* c = in_->at(id);
    if (!c || in_->state.cloths[id.index].strain.empty()) return {};
    return {in_->state.cloths[id.index].strain.data(), std::size_t(c->linkCount)};
}

float World::maxStrain(ClothId id) const {
    const Cloth* c = in_.asItIs().at(id);
    return c ? c->maxStrain : 0;
}

float World::meanStrain(ClothId id) const {
    const Cloth* c = in_->at(id);
    return c ? c->meanStrain : 0;
}

std::vector<bool> World::Impl::frozenCloths() const {
    std::vector<bool> frozen;
    for (const Cloth& c : model.cloths) frozen.push_back(c.frozen);
    return frozen;
}

// Tears each cloth at most once per step. Adds an event for each tear, and for each cloth that was frozen in this
// step.
void World::Impl::tearCloths(const std::vector<bool>& frozenBefore) {
    for (std::uint32_t i = 0; i < model.cloths.size(); ++i) {
        Cloth& c = model.cloths[i];
        if (!c.alive) continue;
        Event e;
        e.a = idOf<ClothId>(i);
        e.userDataA = c.def.userData;
        if (c.frozen && !frozenBefore[i]) {
            e.kind = Event::Kind::Quarantined;
            events.push_back(e);
        }
        if (c.frozen || !(c.def.tearStrain > 0)) continue;
        e.kind = Event::Kind::Tore;
        for (const ClothTear& t : tearCloth(c, state.cloths[i])) {
            e.elementA = t.vertex;
            e.strain = t.strain;
            events.push_back(e);
        }
    }
}

} // namespace capstan
