// SPDX-License-Identifier: MIT
// World: what touches what, as it is told: contacts, and the events of their beginning and end.
#include "world/impl.hpp"

#include <capstan/topology/linking.hpp>

namespace capstan {
namespace {

// Sides are named in solver/coupled/rows.cpp and solver/cloth/contact/report.hpp: kind in the two highest bits, slot, part.
bool isBody(std::uint64_t side) { return side >> 63; }
bool isCloth(std::uint64_t side) { return side >> 62 == 1; }
std::uint32_t slotOf(std::uint64_t side) { return std::uint32_t(side >> 32 & 0x3fffffff); }
std::uint64_t whole(std::uint64_t side) { return side >> 32; } // kind and slot

constexpr std::size_t kRecent = 8; // pairs

} // namespace

std::span<const Contact> World::contacts() const { return in_->contacts; }

Result<int> World::linking(RopeId a, RopeId b) const {
    std::vector<Vec3d> path[2];
    for (int k : {0, 1}) {
        const Rope* r = in_->rope(k == 0 ? a : b);
        if (!r) return Error{"there is no such rope", ""};
        if (!r->def.closed) return Error{"only closed ropes have a linking number", r->def.name};
        for (int i = 0; i < r->count; ++i) path[k].push_back(placeOfNode(*r, in_->state, i));
    }
    return linkingNumber(std::span<const Vec3d>(path[0]), std::span<const Vec3d>(path[1]));
}

std::vector<int> World::linkings() const {
    std::vector<int> all;
    const std::vector<Rope>& ropes = in_->model.ropes;
    auto closed = [&](std::size_t i) { return ropes[i].alive && ropes[i].def.closed; };
    for (std::size_t a = 0; a < ropes.size(); ++a)
        for (std::size_t b = a + 1; closed(a) && b < ropes.size(); ++b) {
            if (!closed(b)) continue;
            const Result<int> n = linking(in_->idOf(std::uint32_t(a)), in_->idOf(std::uint32_t(b)));
            all.push_back(n ? *n : 0);
        }
    return all;
}

void World::Inside::listTouching(std::vector<TouchingPair>& pairs) const {
    pairs.clear();
    for (const auto* touches : {&state.touches, &state.clothTouches})
        for (const TouchMemory& t : *touches) {
            // Touches of one thing follow each other, so most are of a pair that was told of a little before.
            const std::uint64_t a = whole(t.a), b = whole(t.b);
            std::size_t k = pairs.size();
            const std::size_t end = k > kRecent ? k - kRecent : 0;
            while (k > end && !(pairs[k - 1].a == a && pairs[k - 1].b == b)) --k;
            if (k > end)
                pairs[k - 1].force += t.force;
            else
                pairs.push_back({a, b, t.force});
        }
    std::sort(pairs.begin(), pairs.end(), [](const TouchingPair& x, const TouchingPair& y) {
        if (x.a != y.a) return x.a < y.a;
        return x.b != y.b ? x.b < y.b : x.force < y.force; // equal ones may stand in any order
    });
    std::size_t count = 0;
    for (const TouchingPair& p : pairs) {
        if (count > 0 && pairs[count - 1].a == p.a && pairs[count - 1].b == p.b)
            pairs[count - 1].force += p.force;
        else
            pairs[count++] = p;
    }
    pairs.resize(count);
}

void World::Inside::tellContacts() {
    listContacts();
    const std::vector<TouchingPair>&before = touchedBefore, &now = touchingNow;
    auto tell = [&](Event::Kind kind, const TouchingPair& p) {
        Event e;
        e.kind = kind, e.force = narrow(p.force);
        const std::uint64_t a = p.a << 32, b = p.b << 32;
        nameSide(a, e.rope, e.body, e.cloth), nameSide(b, e.other, e.otherBody, e.otherCloth);
        events.push_back(e);
    };
    std::size_t i = 0;
    auto earlier = [](const TouchingPair& x, const TouchingPair& y) {
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    };
    for (const TouchingPair& p : now) {
        for (; i < before.size() && earlier(before[i], p); ++i)
            tell(Event::Kind::ContactEnd, {before[i].a, before[i].b, 0});
        const bool had = i < before.size() && !earlier(p, before[i]);
        tell(had ? Event::Kind::ContactPersist : Event::Kind::ContactBegin, p);
        i += had;
    }
    for (; i < before.size(); ++i) tell(Event::Kind::ContactEnd, {before[i].a, before[i].b, 0});
}

void World::Inside::listContacts() {
    const std::size_t ofRopes = state.touches.size();
    contacts.resize(ofRopes + state.clothTouches.size());
    threads->run(int(contacts.size()), 64, [&](int from, int to, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k) {
            const TouchMemory& t = k < ofRopes ? state.touches[k] : state.clothTouches[k - ofRopes];
            Contact c;
            nameSide(t.a, c.ropeA, c.bodyA, c.clothA), nameSide(t.b, c.ropeB, c.bodyB, c.clothB);
            if (c.ropeA) c.segmentA = int(t.a & 0xffffffff);
            if (c.ropeB) c.segmentB = int(t.b & 0xffffffff);
            c.point = narrow(t.point), c.normal = narrow(t.normal);
            c.force = narrow(t.force), c.friction = narrow(-t.friction), c.slips = t.slips;
            contacts[k] = c;
        }
    });
    listTouching(touchingNow);
}

void World::Inside::nameSide(std::uint64_t side, RopeId& rope, BodyId& body, ClothId& cloth) const {
    const std::uint32_t slot = slotOf(side);
    if (isBody(side))
        body = idAt<BodyTag>(model.bodies, slot);
    else if (isCloth(side))
        cloth = idAt<ClothTag>(model.cloths, slot);
    else
        rope = idOf(slot);
}

void World::Inside::forgetTouches(std::uint64_t thing) {
    for (auto* touches : {&state.touches, &state.clothTouches})
        std::erase_if(*touches, [&](const TouchMemory& t) {
            return whole(t.a) == whole(thing) || whole(t.b) == whole(thing);
        });
    listContacts();
}

} // namespace capstan
