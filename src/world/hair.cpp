// SPDX-License-Identifier: MIT
// World: hair.
#include "world/impl.hpp"

#include "builder/field_check.hpp"
#include "builder/hair.hpp"
#include <capstan/check.hpp>

namespace capstan {

Hair* World::Inside::hair(HairId id) {
    const bool good = tenant(model.hairs, id) != nullptr;
    return CAPSTAN_CHECK(good, "this hair id is stale or null") ? &model.hairs[id.index] : nullptr;
}

HairId World::add(const HairDef& def) {
    Result<HairId> made = tryAdd(def);
    if (!made) CAPSTAN_CHECK(false, made.error().text().c_str());
    return made ? *made : HairId{};
}

Result<HairId> World::tryAdd(const HairDef& def) {
    Hair hair;
    HairState state;
    if (Status made = makeHair(def, in_->model, in_->state, hair, state); !made) return made.error();
    if (findHair(def.name)) return Error{"there is hair of this name already", "/name"};
    const std::uint32_t slot = claimSlot(in_->model.hairs, in_->freeHair);
    hair.generation = in_->model.hairs[slot].generation;
    hair.alive = true;
    in_->model.hairs[slot] = std::move(hair);
    in_->state.hairs.resize(in_->model.hairs.size());
    in_->state.hairs[slot] = std::move(state);
    return idAt<HairTag>(in_->model.hairs, slot);
}

void World::remove(HairId id) {
    if (!in_->hair(id)) return;
    emptySlot(in_->model.hairs, id.index, in_->freeHair);
    in_->state.hairs[id.index] = HairState{};
}

bool World::alive(HairId id) const { return tenant(in_.asItIs().model.hairs, id) != nullptr; }
HairId World::findHair(std::string_view name) const {
    return idNamed<HairTag>(in_.asItIs().model.hairs, name);
}
std::vector<HairId> World::hairs() const { return everyId<HairTag>(in_.asItIs().model.hairs); }

const HairDef& World::def(HairId id) const {
    static const HairDef none;
    const Hair* h = in_->hair(id);
    return h ? h->def : none;
}

Status World::edit(HairId id, const std::function<void(HairDef&)>& change) {
    Hair* h = in_->hair(id);
    if (!h) return Error{"this hair id is stale or null", ""};
    HairDef d = h->def;
    change(d);
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkMaterial(d.material, "hair", false)) return *e;
    const HairDef& old = h->def;
    const bool same = d.roots == old.roots && d.directions == old.directions &&
                      d.scalp.points == old.scalp.points && d.scalp.triangles == old.scalp.triangles &&
                      d.scalp.strands == old.scalp.strands && d.scalp.seed == old.scalp.seed &&
                      d.rootBody == old.rootBody && d.collides == old.collides && d.filter == old.filter &&
                      d.vertices == old.vertices && d.length == old.length && d.lod.levels == old.lod.levels;
    if (!same)
        return Error{"where hair grows, what it collides with (collides, filter), its length, vertices and "
                     "levels of detail "
                     "cannot be edited",
                     ""};
    if (d.name != old.name && findHair(d.name)) return Error{"there is hair of this name already", "/name"};
    h->def = std::move(d);
    h->massPerLength = hairMassPerLength(h->def);
    for (HairObstacle& o : h->obstacles)
        o.shape.skin = h->def.radius, o.shape.friction = h->def.material.friction;
    for (HairLevel& level : h->levels) level.tableStep = 0; // its factors are made anew
    return done();
}

void World::moveTo(HairId id, const Transform& at) {
    Hair* h = in_.asItIs().hair(id);
    const Quatf& q = at.rotation;
    if (!h || !CAPSTAN_CHECK(h->rootBody.slot < 0, "a body carries this hair: move the body") ||
        !CAPSTAN_CHECK(finite(at.position) && finite(q.vector()) && finite(q.w),
                       "the transform must be finite") ||
        !CAPSTAN_CHECK(length(q) > 0, "the rotation must not be zero"))
        return;
    h->goal = {widen(at.position), normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)})};
}

void World::blow(HairId id, Vec3 wind) {
    Hair* h = in_.asItIs().hair(id);
    if (h && CAPSTAN_CHECK(finite(wind), "the wind must be finite")) h->def.wind = wind;
}

void World::look(Vec3 from) {
    if (!CAPSTAN_CHECK(finite(from), "the viewpoint must be finite")) return;
    in_.asItIs().model.viewpoint = from, in_.asItIs().model.hasViewpoint = true;
}

std::span<const Point> World::points(HairId id) const {
    if (!in_->hair(id)) return {};
    const HairState& s = in_->state.hairs[id.index];
    return s.drawn.empty() ? std::span<const Point>(s.x) : std::span<const Point>(s.drawn);
}

std::span<const Point> World::strand(HairId id, int strand) const {
    const Hair* h = in_->hair(id);
    if (!h || !CAPSTAN_CHECK(strand >= 0 && strand < h->strands(), "the hair has no such strand")) return {};
    return points(id).subspan(std::size_t(strand) * std::size_t(stride(id)), std::size_t(h->def.vertices));
}

int World::strands(HairId id) const {
    const Hair* h = in_->hair(id);
    return h ? h->strands() : 0;
}

int World::stride(HairId id) const {
    const Hair* h = in_->hair(id);
    return h ? h->levels[0].points() : 0;
}

float World::stretch(HairId id) const {
    Inside& w = in_.asItIs();
    return w.hair(id) ? w.state.hairs[id.index].worst : 0;
}
int World::level(HairId id) const { return in_->hair(id) ? in_->state.hairs[id.index].level : 0; }

} // namespace capstan
