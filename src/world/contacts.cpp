// SPDX-License-Identifier: MIT
// World: contacts, their sums for each pair of objects, and the events ContactBegin, ContactPersist and ContactEnd.
// Contacts are sorted by pair, and within a pair by element.
#include "solver/coupled/substep.hpp"
#include "world/impl.hpp"

#include <capstan/topology/linking.hpp>

namespace capstan {
namespace {

// A side is a 64-bit key of an element. solver/coupled/rows.cpp and solver/cloth/contact/report.hpp make it. The two
// highest bits are the kind of object, then follow its slot and the element.
bool isBody(std::uint64_t side) { return side >> 63; }
bool isCloth(std::uint64_t side) { return side >> 62 == 1; }
std::uint32_t slotOf(std::uint64_t side) { return std::uint32_t(side >> 32 & 0x3fffffff); }
std::uint64_t whole(std::uint64_t side) { return side >> 32; } // key of the whole object: kind and slot

// Returns the index of the rope's segment or of the body's shape (modulo 256); 0 for cloth.
int elementOf(std::uint64_t side) {
    if (isBody(side)) return int(side >> 24 & 255);
    return isCloth(side) ? 0 : int(side & 0xffffffff);
}

std::uint64_t wholeOf(ObjectId object) {
    const std::uint64_t slot = object.index;
    if (object.kind == ObjectKind::Body) return std::uint64_t(1) << 31 | slot;
    return object.kind == ObjectKind::Cloth ? std::uint64_t(1) << 30 | slot : slot;
}

constexpr std::size_t kRecent = 8; // number of latest pairs that listPairs() searches linearly

} // namespace

std::span<const Contact> World::contacts() const { return in_.asItIs().contacts; }
std::span<const ContactPair> World::contactPairs() const { return in_.asItIs().pairs; }

std::span<const Contact> World::contactPoints(const ContactPair& pair) const {
    const Impl& w = in_.asItIs();
    const std::uint64_t a = wholeOf(pair.a), b = wholeOf(pair.b);
    const auto found =
        std::lower_bound(w.pairsNow.begin(), w.pairsNow.end(), 0,
                         [&](const PairInContact& p, int) { return p.a != a ? p.a < a : p.b < b; });
    if (found == w.pairsNow.end() || found->a != a || found->b != b) return {};
    const ContactPair& now = w.pairs[found - w.pairsNow.begin()];
    if (!(now.a == pair.a) || !(now.b == pair.b)) return {};
    return std::span<const Contact>(w.contacts)
        .subspan(std::size_t(found->begin), std::size_t(found->contacts));
}

Result<int> World::linkingNumber(RopeId a, RopeId b) const {
    std::vector<Vec3d> path[2];
    for (int k : {0, 1}) {
        const Rope* r = in_->at(k == 0 ? a : b);
        if (!r) return Error{"there is no such rope", ""};
        if (!r->def.closed) return Error{"a linking number needs two closed ropes", r->def.name};
        for (int i = 0; i < r->count; ++i) path[k].push_back(nodePosition(*r, in_->state, i));
    }
    return capstan::linkingNumber(std::span<const Vec3d>(path[0]), std::span<const Vec3d>(path[1]));
}

std::vector<int> World::linkingNumbers() const {
    std::vector<int> all;
    const std::vector<Rope>& ropes = in_->model.ropes;
    auto closed = [&](std::size_t i) { return ropes[i].alive && ropes[i].def.closed; };
    for (std::size_t a = 0; a < ropes.size(); ++a)
        for (std::size_t b = a + 1; closed(a) && b < ropes.size(); ++b) {
            if (!closed(b)) continue;
            const Result<int> n =
                linkingNumber(in_->idOf<RopeId>(std::uint32_t(a)), in_->idOf<RopeId>(std::uint32_t(b)));
            all.push_back(n ? *n : 0);
        }
    return all;
}

// Lists the pairs of the stored contacts, sorted, with the number of contacts and the total force of each. Afterwards
// pairOf[k] is the index of stored contact k in World::contacts().
void World::Impl::listPairs(std::vector<PairInContact>& list) {
    list.clear();
    pairOf.clear();
    for (const auto* stored : {&state.contacts, &state.clothContacts})
        for (const StoredContact& t : *stored) {
            // Contacts of one object are neighbours in the list. So most contacts belong to one of the last kRecent
            // pairs.
            const std::uint64_t a = whole(t.a), b = whole(t.b);
            std::size_t k = list.size();
            const std::size_t end = k > kRecent ? k - kRecent : 0;
            while (k > end && !(list[k - 1].a == a && list[k - 1].b == b)) --k;
            if (k > end) {
                list[k - 1].force += t.force;
                ++list[k - 1].contacts;
            } else {
                list.push_back({a, b, t.force});
                k = list.size();
            }
            pairOf.push_back(int(k) - 1);
        }
    for (std::size_t k = 0; k < list.size(); ++k) list[k].begin = int(k);
    std::sort(list.begin(), list.end(), [](const PairInContact& x, const PairInContact& y) {
        if (x.a != y.a) return x.a < y.a;
        // Entries that are equal in all three may be in any order.
        return x.b != y.b ? x.b < y.b : x.force < y.force;
    });
    contactAt.resize(list.size()); // for each entry before sorting: the index of its pair
    std::size_t count = 0;
    for (const PairInContact& p : list) {
        const bool known = count > 0 && list[count - 1].a == p.a && list[count - 1].b == p.b;
        contactAt[p.begin] = int(count) - known;
        if (known) {
            list[count - 1].force += p.force;
            list[count - 1].contacts += p.contacts;
        } else
            list[count++] = p;
    }
    list.resize(count);
    int begin = 0;
    for (PairInContact& p : list) {
        p.begin = begin;
        begin += p.contacts;
    }
    // Each stored contact is placed after the earlier contacts of its pair.
    std::vector<int>& next = pairNext;
    next.clear();
    for (const PairInContact& p : list) next.push_back(p.begin);
    for (int& pair : pairOf) pair = next[contactAt[pair]]++;
}

// Lists the pairs with an impact in this step, sorted, with the sum of its impulses.
void World::Impl::listImpacts() {
    std::vector<PairInContact>& list = pairsStruck;
    list.clear();
    if (!contactWorkspace || !def.contact) return; // the workspace may keep impacts of an earlier step
    for (const ContactImpulse& i : contactWorkspace->struck)
        list.push_back({whole(i.a), whole(i.b), 0, i.impulse});
    std::sort(list.begin(), list.end(), [](const PairInContact& x, const PairInContact& y) {
        if (x.a != y.a) return x.a < y.a;
        return x.b != y.b ? x.b < y.b : x.impulse < y.impulse; // equal ones may stand in any order
    });
    std::size_t count = 0;
    for (const PairInContact& p : list)
        if (count > 0 && list[count - 1].a == p.a && list[count - 1].b == p.b)
            list[count - 1].impulse += p.impulse;
        else
            list[count++] = p;
    list.resize(count);
}

// Goes through the pairs before the step, after it, and with an impact in it, which are sorted alike. A pair that was
// apart before and after its impact begins and ends.
void World::Impl::listEvents() {
    listContacts();
    listImpacts();
    auto add = [&](Event::Kind kind, const PairInContact& p, const ContactPair* known, double force,
                   double impulse) {
        Event e;
        e.kind = kind;
        e.force = narrow(force);
        e.impulse = narrow(impulse);
        e.a = known ? known->a : objectOf(p.a << 32);
        e.b = known ? known->b : objectOf(p.b << 32);
        e.userDataA = known ? known->userDataA : userDataOf(e.a);
        e.userDataB = known ? known->userDataB : userDataOf(e.b);
        events.push_back(e);
    };
    auto earlier = [](const PairInContact& x, const PairInContact& y) {
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    };
    const std::vector<PairInContact>* lists[3] = {&pairsBefore, &pairsNow, &pairsStruck};
    std::size_t at[3] = {0, 0, 0};
    for (;;) {
        const PairInContact* next = nullptr;
        for (int k = 0; k < 3; ++k)
            if (at[k] < lists[k]->size() && (!next || earlier((*lists[k])[at[k]], *next)))
                next = &(*lists[k])[at[k]];
        if (!next) return;
        const PairInContact* here[3];
        for (int k = 0; k < 3; ++k) {
            const bool in = at[k] < lists[k]->size() && !earlier(*next, (*lists[k])[at[k]]);
            here[k] = in ? &(*lists[k])[at[k]++] : nullptr;
        }
        const double impulse = here[2] ? here[2]->impulse : 0, force = here[1] ? here[1]->force : 0;
        const PairInContact& pair = *next;
        const ContactPair* known = here[1] ? &pairs[here[1] - pairsNow.data()] : nullptr;
        if (here[0] && here[1]) add(Event::Kind::ContactPersist, pair, known, force, impulse);
        if (!here[0]) add(Event::Kind::ContactBegin, pair, known, force, impulse);
        if (!here[1]) add(Event::Kind::ContactEnd, pair, known, 0, here[0] ? impulse : 0);
    }
}

void World::Impl::listContacts() {
    listPairs(pairsNow);
    pairs.clear();
    for (const PairInContact& p : pairsNow) {
        const ObjectId a = objectOf(p.a << 32), b = objectOf(p.b << 32);
        pairs.push_back({a, b, narrow(p.force), p.contacts, userDataOf(a), userDataOf(b)});
    }
    const std::size_t ofRopes = state.contacts.size();
    contacts.resize(ofRopes + state.clothContacts.size());
    threads->run(int(contacts.size()), 64, [&](int from, int to, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k) {
            const StoredContact& t = k < ofRopes ? state.contacts[k] : state.clothContacts[k - ofRopes];
            Contact& c = contacts[pairOf[k]];
            c.elementA = elementOf(t.a);
            c.elementB = elementOf(t.b);
            c.point = narrow(t.point);
            c.normal = narrow(t.normal);
            c.force = narrow(t.force);
            c.friction = narrow(-t.friction);
            c.slipping = t.slipping;
        }
    });
    // Objects and their userData are looked up once for each pair: for each contact they took 2 % of a heap's step.
    threads->run(int(pairs.size()), 64, [&](int from, int to, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k)
            for (int i = 0; i < pairsNow[k].contacts; ++i) {
                Contact& c = contacts[pairsNow[k].begin + i];
                c.a = pairs[k].a;
                c.b = pairs[k].b;
                c.userDataA = pairs[k].userDataA;
                c.userDataB = pairs[k].userDataB;
            }
    });
}

ObjectId World::Impl::objectOf(std::uint64_t side) const {
    const std::uint32_t slot = slotOf(side);
    if (isBody(side)) return idOf<BodyId>(slot);
    return isCloth(side) ? ObjectId(idOf<ClothId>(slot)) : ObjectId(idOf<RopeId>(slot));
}

void World::Impl::dropContacts(std::uint64_t side) {
    for (auto* stored : {&state.contacts, &state.clothContacts})
        std::erase_if(*stored, [&](const StoredContact& t) {
            return whole(t.a) == whole(side) || whole(t.b) == whole(side);
        });
    listContacts();
}

} // namespace capstan
