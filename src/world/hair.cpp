// SPDX-License-Identifier: MIT
// World: the calls for hair.
#include "world/impl.hpp"

#include "builder/field_check.hpp"
#include "builder/hair.hpp"
#include <capstan/check.hpp>

namespace capstan {

Status World::Impl::draft(const HairDef& d, HairDraft& made) const {
    return makeHair(d, model, state, made.hair, made.state);
}

void World::Impl::insert(HairId id, const HairDef&, HairDraft&& made) {
    made.hair.generation = id.generation;
    made.hair.alive = true;
    model.hairs[id.index] = std::move(made.hair);
    state.hairs.resize(model.hairs.size());
    state.hairs[id.index] = std::move(made.state);
}

void World::Impl::afterRemove(HairId id) { state.hairs[id.index] = HairState{}; }

Status World::Impl::applyUpdate(HairId id, const HairDef& d) {
    Hair* h = &model.hairs[id.index];
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkMaterial(d.material, "hair", false)) return *e;
    const HairDef& old = h->def;
    const bool same = d.roots == old.roots && d.directions == old.directions &&
                      d.scalp.points == old.scalp.points && d.scalp.triangles == old.scalp.triangles &&
                      d.scalp.strands == old.scalp.strands && d.scalp.seed == old.scalp.seed &&
                      d.rootBody == old.rootBody && d.collides == old.collides && d.filter == old.filter &&
                      d.vertices == old.vertices && d.length == old.length && d.lod.levels == old.lod.levels;
    if (!same)
        return Error{"the roots, colliding bodies (collides, filter), length, vertices and levels of detail "
                     "of hair cannot be changed",
                     ""};
    h->def = d;
    h->massPerLength = hairMassPerLength(h->def);
    for (HairObstacle& o : h->obstacles) {
        o.shape.skin = h->def.radius;
        o.shape.friction = h->def.material.friction;
    }
    for (HairLevel& level : h->levels) level.tableStep = 0; // the next step recomputes the level's table
    return done();
}

void World::moveTo(HairId id, const Transform& at) {
    Hair* h = in_.asItIs().at(id);
    const Quatf& q = at.rotation;
    if (!h || !CAPSTAN_CHECK(h->rootBody.slot < 0, "a body carries this hair; move the body") ||
        !CAPSTAN_CHECK(finite(at.position) && finite(q.vector()) && finite(q.w),
                       "the transform must be finite") ||
        !CAPSTAN_CHECK(length(q) > 0, "the rotation must not be zero"))
        return;
    h->target = {widen(at.position), normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)})};
}

void World::setWind(HairId id, Vec3 wind) {
    Hair* h = in_.asItIs().at(id);
    if (h && CAPSTAN_CHECK(finite(wind), "the wind must be finite")) h->def.wind = wind;
}

void World::setViewpoint(Vec3 from) {
    if (!CAPSTAN_CHECK(finite(from), "the viewpoint must be finite")) return;
    in_.asItIs().model.viewpoint = from;
    in_.asItIs().model.hasViewpoint = true;
}

std::span<const Point> World::positions(HairId id) const {
    if (!in_->at(id)) return {};
    const HairState& s = in_->state.hairs[id.index];
    return s.drawn.empty() ? std::span<const Point>(s.x) : std::span<const Point>(s.drawn);
}

std::span<const Point> World::strand(HairId id, int strand) const {
    const Hair* h = in_->at(id);
    if (!h || !CAPSTAN_CHECK(strand >= 0 && strand < h->strands(), "the hair has no such strand")) return {};
    return positions(id).subspan(std::size_t(strand) * std::size_t(strandStride(id)),
                                 std::size_t(h->def.vertices));
}

int World::strandCount(HairId id) const {
    const Hair* h = in_.asItIs().at(id);
    return h ? h->strands() : 0;
}

int World::strandStride(HairId id) const {
    const Hair* h = in_.asItIs().at(id);
    return h ? h->levels[0].points() : 0;
}

float World::maxStrain(HairId id) const {
    Impl& w = in_.asItIs();
    return w.at(id) ? w.state.hairs[id.index].worst : 0;
}
int World::level(HairId id) const {
    const Impl& w = in_.asItIs();
    return w.at(id) ? w.state.hairs[id.index].level : 0;
}

} // namespace capstan
