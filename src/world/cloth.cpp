// SPDX-License-Identifier: MIT
// World: cloth.
#include "world/impl.hpp"

#include "builder/cloth.hpp"
#include "solver/cloth/energy.hpp"
#include "solver/cloth/rows.hpp"
#include <capstan/check.hpp>

namespace capstan {

Cloth* World::Inside::cloth(ClothId id) {
    const bool good = tenant(model.cloths, id) != nullptr;
    return CAPSTAN_CHECK(good, "this cloth id is stale or null") ? &model.cloths[id.index] : nullptr;
}

// The cloth and the index of one of its vertices, negative numbers counted from the last.
Cloth* World::Inside::clothVertex(ClothId id, int& vertex) {
    Cloth* c = cloth(id);
    if (!c) return nullptr;
    if (vertex < 0) vertex += c->count;
    return CAPSTAN_CHECK(vertex >= 0 && vertex < c->count, "the cloth has no such vertex") ? c : nullptr;
}

ClothId World::add(const ClothDef& def) {
    Result<ClothId> made = tryAdd(def);
    if (!made) CAPSTAN_CHECK(false, made.error().text().c_str());
    return made ? *made : ClothId{};
}

Result<ClothId> World::tryAdd(const ClothDef& def) {
    if (Status sound = checkCloth(def); !sound) return sound.error();
    if (!def.name.empty() && findCloth(def.name))
        return Error{"there is a cloth of this name already", "/name"};
    struct Held {
        BodyId body;
        RopeId rope;
        int node;
    };
    std::vector<Held> held;
    for (std::size_t i = 0; i < def.attachments.size(); ++i) {
        const AttachmentDef& a = def.attachments[i];
        const std::string where = "/attachments/" + std::to_string(i);
        Held h = {a.body.id ? a.body.id : findBody(a.body.name), a.rope.id ? a.rope.id : find(a.rope.name),
                  a.node};
        if (!a.body.empty() && !alive(h.body)) return Error{"there is no body of this name", where + "/body"};
        if (!a.rope.empty() && !alive(h.rope)) return Error{"there is no rope of this name", where + "/rope"};
        if (h.node < 0 && h.rope) h.node += int(points(h.rope).size());
        if (h.rope && (h.node < 0 || h.node >= int(points(h.rope).size())))
            return Error{"the rope has no such node", where + "/node"};
        held.push_back(h);
    }
    const std::uint32_t slot = claimSlot(in_->model.cloths, in_->freeCloth);
    in_->state.cloths.resize(in_->model.cloths.size());
    makeCloth(def, in_->model.cloths[slot], in_->state.cloths[slot]);
    const ClothId id = idAt<ClothTag>(in_->model.cloths, slot);
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i].body)
            attach(id, def.attachments[i].vertex, held[i].body);
        else
            attach(id, def.attachments[i].vertex, held[i].rope, held[i].node);
    }
    return id;
}

void World::remove(ClothId id) {
    if (!in_->cloth(id)) return;
    in_->forgetTouches(clothSide(int(id.index)));
    emptySlot(in_->model.cloths, id.index, in_->freeCloth);
    in_->state.cloths[id.index] = {};
}

bool World::alive(ClothId id) const { return tenant(in_->model.cloths, id) != nullptr; }
ClothId World::findCloth(std::string_view name) const { return idNamed<ClothTag>(in_->model.cloths, name); }
std::vector<ClothId> World::cloths() const { return everyId<ClothTag>(in_->model.cloths); }

const ClothDef& World::def(ClothId id) const {
    static const ClothDef none;
    const Cloth* c = in_->cloth(id);
    return c ? c->def : none;
}

Status World::edit(ClothId id, const std::function<void(ClothDef&)>& change) {
    Cloth* c = in_->cloth(id);
    if (!c) return Error{"this cloth id is stale or null", ""};
    ClothDef d = c->def;
    change(d);
    const ClothDef& old = c->def;
    if (d.origin != old.origin || d.edgeU != old.edgeU || d.edgeV != old.edgeV || d.cellsU != old.cellsU ||
        d.cellsV != old.cellsV || d.points != old.points || d.triangles != old.triangles)
        return Error{"the layout of a cloth (its grid or its mesh) cannot be edited", ""};
    if (Status sound = checkCloth(d); !sound) return sound;
    if (d.name != old.name && findCloth(d.name))
        return Error{"there is a cloth of this name already", "/name"};
    const bool weighs = d.mass != old.mass || d.density != old.density;
    d.velocity = old.velocity, d.pins = old.pins, d.attachments = old.attachments; // of its start
    c->def = std::move(d);
    if (weighs) setClothMasses(*c, in_->state.cloths[id.index]);
    c->changed = true;
    return done();
}

// The pin of a vertex, made if there is none.
ClothPin* World::Inside::hold(ClothId id, int& vertex) {
    Cloth* c = clothVertex(id, vertex);
    if (!c) return nullptr;
    auto at =
        std::find_if(c->pins.begin(), c->pins.end(), [&](const ClothPin& p) { return p.vertex >= vertex; });
    if (at == c->pins.end() || at->vertex != vertex) {
        ClothPin pin;
        pin.vertex = vertex;
        at = c->pins.insert(at, pin);
        state.cloths[id.index].x[std::size_t(vertex)].w = 0;
        c->changed = true;
    }
    at->body = at->rope = -1;
    at->target = state.cloths[id.index].x[std::size_t(vertex)];
    return &*at;
}

void World::pin(ClothId id, int vertex, Vec3 target) {
    if (!CAPSTAN_CHECK(finite(target), "the target must be finite")) return;
    if (ClothPin* p = in_->hold(id, vertex)) p->target = target;
}

void World::unpin(ClothId id, int vertex) {
    Cloth* c = in_->clothVertex(id, vertex);
    if (!c) return;
    std::erase_if(c->pins, [&](const ClothPin& p) { return p.vertex == vertex; });
    ClothState& s = in_->state.cloths[id.index];
    s.x[std::size_t(vertex)].w = 1 / s.v[std::size_t(vertex)].w;
    c->changed = true;
}

void World::attach(ClothId id, int vertex, BodyId bodyId) {
    if (!in_->body(bodyId)) return;
    ClothPin* p = in_->hold(id, vertex);
    if (!p) return;
    const BodyState& b = in_->state.bodies[bodyId.index];
    p->body = int(bodyId.index), p->generation = bodyId.generation;
    p->local = Pose{b.x, b.q}.local(widen(p->target));
}

void World::attach(ClothId id, int vertex, RopeId rope, int node) {
    if (!in_->ropeNode(rope, node)) return;
    ClothPin* p = in_->hold(id, vertex);
    if (!p) return;
    p->rope = int(rope.index), p->generation = rope.generation, p->node = node;
}

void World::Inside::detachCloths() {
    for (std::size_t i = 0; i < model.cloths.size(); ++i) {
        Cloth& c = model.cloths[i];
        const auto gone = [&](const ClothPin& p) {
            if (p.body >= 0) {
                const Body& b = model.bodies[std::size_t(p.body)];
                return !b.alive || b.generation != p.generation;
            }
            if (p.rope < 0) return false;
            const Rope& r = model.ropes[std::size_t(p.rope)];
            return !r.alive || r.generation != p.generation || p.node >= r.count;
        };
        for (const ClothPin& p : c.pins) {
            if (!gone(p)) continue;
            const std::size_t v = std::size_t(p.vertex);
            state.cloths[i].x[v].w = 1 / state.cloths[i].v[v].w;
            c.changed = true;
        }
        std::erase_if(c.pins, gone);
    }
}

void World::push(ClothId id, int vertex, Vec3 impulse) {
    if (!in_->clothVertex(id, vertex) || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite"))
        return;
    ClothState& s = in_->state.cloths[id.index];
    Point& v = s.v[std::size_t(vertex)];
    const float w = s.x[std::size_t(vertex)].w;
    v = {v.x + w * impulse.x, v.y + w * impulse.y, v.z + w * impulse.z, v.w};
}

void World::pull(ClothId id, int vertex, Vec3 force) {
    if (!in_->clothVertex(id, vertex) || !CAPSTAN_CHECK(finite(force), "the force must be finite")) return;
    ClothState& s = in_->state.cloths[id.index];
    s.pull.resize(s.x.size());
    Point& f = s.pull[std::size_t(vertex)];
    f = {f.x + force.x, f.y + force.y, f.z + force.z, 0};
}

void World::setVelocity(ClothId id, int vertex, Vec3 velocity) {
    if (!in_->clothVertex(id, vertex) || !CAPSTAN_CHECK(finite(velocity), "the velocity must be finite"))
        return;
    ClothState& s = in_->state.cloths[id.index];
    Point& v = s.v[std::size_t(vertex)];
    if (s.x[std::size_t(vertex)].w > 0) v = {velocity.x, velocity.y, velocity.z, v.w};
}

void World::setMass(ClothId id, int vertex, float mass) {
    Cloth* c = in_->clothVertex(id, vertex);
    if (!c || !CAPSTAN_CHECK(finite(mass) && mass > 0, "the mass must be above 0")) return;
    ClothState& s = in_->state.cloths[id.index];
    s.v[std::size_t(vertex)].w = mass;
    if (s.x[std::size_t(vertex)].w > 0) s.x[std::size_t(vertex)].w = 1 / mass;
    c->changed = true; // rows keep inverse masses
}

float World::mass(ClothId id, int vertex) const {
    return in_->clothVertex(id, vertex) ? in_->state.cloths[id.index].v[std::size_t(vertex)].w : 0;
}

void World::setWind(ClothId id, Vec3 wind) {
    Cloth* c = in_->cloth(id);
    if (!c || !CAPSTAN_CHECK(finite(wind), "the wind must be finite") ||
        !CAPSTAN_CHECK(c->def.drag > 0, "wind needs a drag above 0"))
        return;
    c->def.wind = wind;
}

std::span<const Point> World::points(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    if (!c) return {};
    return {in_->state.cloths[id.index].x.data(), std::size_t(c->count)};
}

std::span<const Point> World::velocities(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    if (!c) return {};
    return {in_->state.cloths[id.index].v.data(), std::size_t(c->count)};
}

std::span<const std::array<int, 3>> World::triangles(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    if (!c) return {};
    return c->triangles;
}

std::span<const float> World::strain(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    if (!c || in_->state.cloths[id.index].strain.empty()) return {};
    return {in_->state.cloths[id.index].strain.data(), std::size_t(c->linkCount)};
}

float World::maxStrain(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    return c ? c->maxStrain : 0;
}

float World::meanStrain(ClothId id) const {
    const Cloth* c = in_->cloth(id);
    return c ? c->meanStrain : 0;
}

std::vector<bool> World::Inside::frozenCloths() const {
    std::vector<bool> frozen;
    for (const Cloth& c : model.cloths) frozen.push_back(c.frozen);
    return frozen;
}

// Cloths tear, once per step each, and those that froze are told of.
void World::Inside::tearCloths(const std::vector<bool>& frozenBefore) {
    for (std::uint32_t i = 0; i < model.cloths.size(); ++i) {
        Cloth& c = model.cloths[i];
        if (!c.alive) continue;
        Event e;
        e.cloth = idAt<ClothTag>(model.cloths, i);
        if (c.frozen && !frozenBefore[i]) {
            e.kind = Event::Kind::ClothQuarantined;
            events.push_back(e);
        }
        if (c.frozen || !(c.def.tearStrain > 0)) continue;
        e.kind = Event::Kind::ClothTore;
        for (const ClothTear& t : tearCloth(c, state.cloths[i])) {
            e.vertex = t.vertex, e.strain = t.strain;
            events.push_back(e);
        }
    }
}

} // namespace capstan
