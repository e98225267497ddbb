// SPDX-License-Identifier: MIT
// World: the calls that every kind of object has, such as add, remove, update and find. ObjectTraits allows one
// implementation for all kinds.
#include "world/impl.hpp"

namespace capstan {

template <class I> Result<I> World::Impl::tryAdd(const typename ObjectTraits<I>::Def& d) {
    typename ObjectTraits<I>::Draft made;
    if (Status good = draft(d, made); !good) return good.error();
    if (idNamed<typename ObjectTraits<I>::Tag>(slots<I>(model), d.name))
        return Error{ObjectTraits<I>::taken, "/name"};
    const I id = idOf<I>(claimSlot(slots<I>(model), freeSlot<I>()));
    insert(id, d, std::move(made));
    return id;
}

template <class I> Status World::Impl::update(I id, const typename ObjectTraits<I>::Def& d) {
    const auto* object = at(id);
    if (!object) return Error{ObjectTraits<I>::stale, ""};
    if (d.name != object->def.name && idNamed<typename ObjectTraits<I>::Tag>(slots<I>(model), d.name))
        return Error{ObjectTraits<I>::taken, "/name"};
    return applyUpdate(id, d);
}

std::uint64_t World::Impl::userDataOf(ObjectId object) const {
    std::uint64_t data = 0;
    withKind(object.kind, [&]<class I>(I) {
        if constexpr (hasDef<I>)
            if (const auto* slot = tenant(slots<I>(model), object.as<I>())) data = slot->def.userData;
    });
    return data;
}

namespace {

// Returns the id. After an Error, fails CAPSTAN_CHECK with its text and returns a null id.
template <class I> I orCheck(const Result<I>& made) {
    if (!made) CAPSTAN_CHECK(false, made.error().text().c_str());
    return made ? *made : I{};
}

template <class Def, class Slot> const Def& defOf(const Slot* slot) {
    static const Def none;
    return slot ? slot->def : none;
}

} // namespace

RopeId World::add(const RopeDef& def) { return orCheck(tryAdd(def)); }
BodyId World::add(const BodyDef& def) { return orCheck(tryAdd(def)); }
JointId World::add(const JointDef& def) { return orCheck(tryAdd(def)); }
ClothId World::add(const ClothDef& def) { return orCheck(tryAdd(def)); }
HairId World::add(const HairDef& def) { return orCheck(tryAdd(def)); }

Result<RopeId> World::tryAdd(const RopeDef& def) { return in_->tryAdd<RopeId>(def); }
Result<BodyId> World::tryAdd(const BodyDef& def) { return in_->tryAdd<BodyId>(def); }
Result<JointId> World::tryAdd(const JointDef& def) { return in_->tryAdd<JointId>(def); }
Result<ClothId> World::tryAdd(const ClothDef& def) { return in_->tryAdd<ClothId>(def); }
Result<HairId> World::tryAdd(const HairDef& def) { return in_->tryAdd<HairId>(def); }

const RopeDef& World::def(RopeId id) const { return defOf<RopeDef>(in_.asItIs().at(id)); }
const BodyDef& World::def(BodyId id) const { return defOf<BodyDef>(in_.asItIs().at(id)); }
const JointDef& World::def(JointId id) const { return defOf<JointDef>(in_.asItIs().at(id)); }
const ClothDef& World::def(ClothId id) const { return defOf<ClothDef>(in_.asItIs().at(id)); }
const HairDef& World::def(HairId id) const { return defOf<HairDef>(in_.asItIs().at(id)); }

Status World::update(RopeId id, const RopeDef& def) { return in_->update(id, def); }
Status World::update(BodyId id, const BodyDef& def) { return in_->update(id, def); }
Status World::update(JointId id, const JointDef& def) { return in_->update(id, def); }
Status World::update(ClothId id, const ClothDef& def) { return in_->update(id, def); }
Status World::update(HairId id, const HairDef& def) { return in_->update(id, def); }

void World::remove(ObjectId object) {
    const bool known = withKind(object.kind, [&]<class I>(I) {
        if (in_.asItIs().at(object.as<I>())) in_->removeAt<I>(object.index);
    });
    CAPSTAN_CHECK(known, "this id is null");
}

bool World::isValid(ObjectId object) const {
    bool valid = false;
    withKind(object.kind, [&]<class I>(I) {
        valid = tenant(Impl::slots<I>(in_.asItIs().model), object.as<I>()) != nullptr;
    });
    return valid;
}

std::uint64_t World::userData(ObjectId object) const {
    return CAPSTAN_CHECK(isValid(object), "this id is stale or null") ? in_.asItIs().userDataOf(object) : 0;
}

ObjectId World::findNamed(ObjectKind kind, std::string_view name) const {
    ObjectId found;
    withKind(kind, [&]<class I>(I) {
        if constexpr (hasDef<I>)
            found = idNamed<typename ObjectTraits<I>::Tag>(Impl::slots<I>(in_.asItIs().model), name);
    });
    return found;
}

void World::listIds(ObjectKind kind, void (*to)(void* list, ObjectId id), void* list) const {
    withKind(kind, [&]<class I>(I) {
        const Impl& w = in_.asItIs();
        const auto& all = Impl::slots<I>(w.model);
        for (std::uint32_t i = 0; i < all.size(); ++i)
            if (all[i].alive) to(list, w.idOf<I>(i));
    });
}

} // namespace capstan
