// SPDX-License-Identifier: MIT
// World::Impl holds the data and the private functions of a World. It is not part of the API.
#pragma once

#include "core/threads.hpp"
#include "model/model.hpp"
#include "solver/mechanism/group.hpp"
#include "solver/rope/group.hpp"
#include "solver/rope/measure.hpp"
#include "step/exec_cuda.hpp"
#include "world/body_tree.hpp"
#include "world/objects.hpp"
#include <capstan/check.hpp>
#include <capstan/world.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace capstan {

// Uses that x - x is 0 for every finite x, and NaN otherwise.
inline bool finite(float a) { return a - a == 0; }
inline bool finite(Vec3 a) { return finite(a.x) && finite(a.y) && finite(a.z); }

struct ContactWorkspace;

// Two objects in contact, each as kind and slot (contacts.cpp), and the sum of the normal forces between them [N].
struct PairInContact {
    std::uint64_t a, b;
    double force, impulse = 0; // N; N s, of impacts in this step
    int contacts = 1;          // number of contact points
    int begin = 0;             // index of its first contact in World::contacts()
};

struct World::Impl {
    WorldDef def;
    Model model;
    State state;
    Report report;
    StepTimes times;
    bool timed = false;
    std::vector<Event> events;
    std::vector<Contact> contacts;
    double time = 0;
    std::array<std::uint32_t, 7> lowestFree = {}; // by ObjectKind: every slot below this index is in use

    std::shared_ptr<Threads> threads;  // the World's own threads, or those of a shared pool
    std::unique_ptr<Device> device;    // null without a GPU
    std::string why;                   // BackendInfo::why
    std::vector<ChainScratch> scratch; // one for each thread
    std::vector<TreeScratch> treeScratch;
    std::shared_ptr<ContactWorkspace> contactWorkspace; // a shared_ptr because the type is incomplete here

    // Calls for objects of any kind (objects.cpp). at() fails CAPSTAN_CHECK and returns null if the id is stale.
    template <class I> static auto& slots(auto& model) { return model.*ObjectTraits<I>::slots; }
    template <class I> std::uint32_t& freeSlot() { return lowestFree[std::size_t(kindOf<I>)]; }
    template <class I> auto* at(I id);
    template <class I> const auto* at(I id) const { return const_cast<Impl*>(this)->at(id); }
    template <class I> I idOf(std::uint32_t slot) const { return {slot, slots<I>(model)[slot].generation}; }
    template <class I> Result<I> tryAdd(const typename ObjectTraits<I>::Def& d);
    template <class I> void removeAt(std::uint32_t slot);
    template <class I> Status update(I id, const typename ObjectTraits<I>::Def& d);
    std::uint64_t userDataOf(ObjectId object) const;

    // Each kind of object implements these functions. draft() checks a Def and builds the object before it has a
    // slot. insert() puts it into its slot. beforeRemove() and afterRemove() run before and after the slot is
    // emptied. applyUpdate() applies a changed Def whose name is not in use.
    Status draft(const RopeDef& d, RopeDraft& made) const;
    Status draft(const BodyDef& d, BodyDraft& made) const;
    Status draft(const JointDef& d, JointDraft& made) const;
    Status draft(const ClothDef& d, ClothDraft& made) const;
    Status draft(const HairDef& d, HairDraft& made) const;
    void insert(RopeId id, const RopeDef& d, RopeDraft&& made);
    void insert(BodyId id, const BodyDef& d, BodyDraft&& made);
    void insert(JointId id, const JointDef& d, JointDraft&& made);
    void insert(ClothId id, const ClothDef& d, ClothDraft&& made);
    void insert(HairId id, const HairDef& d, HairDraft&& made);
    void beforeRemove(RopeId id);
    void beforeRemove(BodyId id);
    void beforeRemove(JointId id);
    void beforeRemove(ClothId id);
    void beforeRemove(HairId) {}
    void beforeRemove(AttachmentId id);
    void afterRemove(RopeId id);
    void afterRemove(BodyId id);
    void afterRemove(JointId id);
    void afterRemove(ClothId id);
    void afterRemove(HairId id);
    void afterRemove(AttachmentId) {}
    Status applyUpdate(RopeId id, const RopeDef& d);
    Status applyUpdate(BodyId id, const BodyDef& d);
    Status applyUpdate(JointId id, const JointDef& d);
    Status applyUpdate(ClothId id, const ClothDef& d);
    Status applyUpdate(HairId id, const HairDef& d);

    struct MassPoint {
        Point *x = nullptr, *v = nullptr;
        Rope* rope = nullptr;
        Cloth* cloth = nullptr;
        int index = 0; // index in the columns of State or of ClothState
    };
    MassPoint massPoint(const Anchor& anchor);
    void regroupPinned(const Rope& r); // after a pin was added or removed
    Rope* ropeNode(RopeId id, int& node);
    Cloth* clothVertex(ClothId id, int& vertex);
    ClothPin* hold(ClothId id, int& vertex);
    void forgetAttachment(ClothPin& pin);
    AttachmentId attachmentOf(ClothId cloth, ClothPin& pin);
    AttachmentId attachVertex(ClothId cloth, int vertex, BodyId body);
    AttachmentId attachVertex(ClothId cloth, int vertex, RopeId rope, int node);
    Vec3 worldPoint(BodyId body, Vec3 local) const;
    void detachCloths(); // ends attachments to bodies, ropes and nodes that no longer exist
    void tearCloths(const std::vector<bool>& frozenBefore);
    std::vector<bool> frozenCloths() const;
    RopeId cut(std::uint32_t slot, int segment);
    RopeId trim(std::uint32_t slot, int segment);
    std::string uniqueName(const std::string& name) const;
    void forgetLow(const Rope& r);
    void breakRopes();

    Status checkRopeSide(const JointDef& d, int rope, int& node) const;
    bool attached(int rope, int node) const; // whether a ball or spool joint holds the node
    void disturb(const Joint& j);            // clears BDF2 history of both sides after a sudden change
    void rehang(int rope, const std::function<std::pair<int, int>(int node)>& where);
    void breakJoints();
    std::vector<BodyId> frozenBodies() const;
    void listFrozen(const std::vector<BodyId>& before);
    // Contacts (contacts.cpp)
    std::vector<PairInContact> pairsBefore, pairsNow; // pairs in contact before and after the step
    std::vector<PairInContact> pairsStruck;           // pairs with an impact in the step
    std::vector<ContactPair> pairs;                   // pairsNow as the program reads it
    std::vector<int> pairOf, contactAt, pairNext;     // working memory of listPairs()
    void listPairs(std::vector<PairInContact>& list);
    void listImpacts();
    void listEvents();
    void listContacts();
    ObjectId objectOf(std::uint64_t side) const;
    // Drops the stored contacts of the object; used if it is removed or its elements are renumbered.
    void dropContacts(std::uint64_t side);

    BodyTree bodyTree; // for queries
    std::vector<Transform>
        bodyPoses; // memory of the spans that World::bodyPoses() and bodyVelocities() return
    std::vector<BodyVelocity> bodyVelocities;
};

template <class I> auto* World::Impl::at(I id) {
    const bool good = tenant(slots<I>(model), id) != nullptr;
    return CAPSTAN_CHECK(good, ObjectTraits<I>::stale) ? &slots<I>(model)[id.index] : nullptr;
}

template <class I> void World::Impl::removeAt(std::uint32_t slot) {
    beforeRemove(idOf<I>(slot));
    emptySlot(slots<I>(model), slot, freeSlot<I>());
    afterRemove(I{slot, 0});
}

// The data of a World that a Snapshot keeps.
struct Moment {
    WorldDef def;
    Model model;
    State state;
    Report report;
    std::vector<Event> events;
    double time;
};

} // namespace capstan
