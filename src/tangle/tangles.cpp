// SPDX-License-Identifier: MIT
// See tangles.hpp: contacts are grouped, measured, and matched with the known tangles.
#include <capstan/tangle/tangles.hpp>

#include "builder/field_check.hpp"
#include <capstan/check.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace capstan {
namespace {

// Returns how many segments two contacts of one tangle may be apart along a rope.
int reachOf(const World& world, RopeId rope, int segment, float touch) {
    const float l = world.restLengths(rope)[segment];
    return l > 0 ? std::clamp(int(4 * touch / l) + 1, 2, 64) : 2;
}

bool overlap(Arc a, Arc b, int reach) { return a.from - reach <= b.to && b.from - reach <= a.to; }

// True if two tangles are at the same place of the same ropes.
bool near(const World& world, const Tangle& a, const Tangle& b) {
    if (a.ropeA != b.ropeA || a.ropeB != b.ropeB) return false;
    const float touch = contactDistance(world, a);
    return overlap({a.firstA, a.lastA}, {b.firstA, b.lastA}, reachOf(world, a.ropeA, a.firstA, touch)) &&
           overlap({a.firstB, a.lastB}, {b.firstB, b.lastB}, reachOf(world, a.ropeB, a.firstB, touch));
}

// False if the ropes no longer have all segments of the arcs, because of a cut or a winch.
bool there(const World& world, const Tangle& t) {
    return world.isValid(t.ropeA) && world.isValid(t.ropeB) &&
           t.lastA < int(world.tensions(t.ropeA).size()) && t.lastB < int(world.tensions(t.ropeB).size());
}

} // namespace

Tangles::Tangles(const TangleDef& def) {
    const std::optional<Error> bad = checkFields(def);
    if (!CAPSTAN_CHECK(!bad, bad ? bad->what.c_str() : "")) return;
    if (!CAPSTAN_CHECK(def.minDistance <= def.lockThreshold && def.lockThreshold < def.maxDistance,
                       "a tangle needs minDistance <= lockThreshold < maxDistance"))
        return;
    def_ = def;
}

int Tangles::count() const {
    int n = 0;
    for (const Tangle& t : tangles_) n += t.phase != TanglePhase::Forming;
    return n;
}

std::size_t Tangles::indexOf(TangleId id) const {
    std::size_t i = 0;
    while (i < tangles_.size() && !(tangles_[i].id == id)) ++i;
    return i;
}

bool Tangles::alive(TangleId id) const { return indexOf(id) < tangles_.size(); }

const Tangle& Tangles::get(TangleId id) const {
    static const Tangle none;
    const std::size_t i = indexOf(id);
    return CAPSTAN_CHECK(i < tangles_.size(), "there is no such tangle") ? tangles_[i] : none;
}

Status Tangles::untangle(TangleId id) {
    const std::size_t i = indexOf(id);
    if (i == tangles_.size())
        return Error{"there is no such tangle; it broke, or was let go",
                     "tangle " + std::to_string(id.index)};
    Tangle t = tangles_[i];
    t.pull = 0;
    released_.push_back(t);
    if (t.phase != TanglePhase::Forming) {
        t.phase = TanglePhase::Broken;
        pending_.push_back({TangleEvent::Kind::Broken, t});
    }
    tangles_.erase(tangles_.begin() + std::ptrdiff_t(i));
    return done();
}

void Tangles::clear(World& world) {
    tangles_.clear();
    released_.clear();
    told_.clear();
    pending_.clear();
    dropAttachments(world);
}

// Collects the contacts between ropes, sorted by ropes and segments, so that the result does not depend on the
// World's order.
void Tangles::gather(const World& world) {
    contacts_.clear();
    for (const Contact& c : world.contacts()) {
        const RopeId ropeA = c.a.as<RopeId>(), ropeB = c.b.as<RopeId>();
        if (!ropeA || !ropeB || !world.isValid(ropeA) || !world.isValid(ropeB)) continue;
        RopeContact t = {ropeA, ropeB, c.elementA, c.elementB, c.point, c.normal, c.force, c.slipping};
        const bool own = t.ropeA == t.ropeB;
        if (own ? t.segmentB < t.segmentA : t.ropeB.index < t.ropeA.index) {
            std::swap(t.ropeA, t.ropeB);
            std::swap(t.segmentA, t.segmentB);
            t.normal = -t.normal;
        }
        if (own) {
            const std::span<const float> rest = world.restLengths(t.ropeA);
            float between = 0;
            for (int k = t.segmentA + 1; k < t.segmentB; ++k) between += rest[k];
            if (between < kOwnReach * 2 * world.def(t.ropeA).radius) continue;
        }
        contacts_.push_back(t);
    }
    const auto key = [](const RopeContact& t) {
        return std::make_tuple(t.ropeA.index, t.ropeB.index, t.segmentA, t.segmentB);
    };
    std::stable_sort(contacts_.begin(), contacts_.end(),
                     [&](const RopeContact& a, const RopeContact& b) { return key(a) < key(b); });
}

// Groups contacts of the same two ropes that are near along both ropes, and measures each group.
void Tangles::group(const World& world) {
    groups_.assign(contacts_.size(), -1);
    int groups = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const RopeContact& t = contacts_[i];
        const float touch = world.def(t.ropeA).radius + world.def(t.ropeB).radius;
        const int reachA = reachOf(world, t.ropeA, t.segmentA, touch);
        const int reachB = reachOf(world, t.ropeB, t.segmentB, touch);
        for (std::size_t j = i; j-- > 0;) {
            const RopeContact& u = contacts_[j];
            if (u.ropeA != t.ropeA || u.ropeB != t.ropeB || u.segmentA < t.segmentA - reachA) break;
            if (std::abs(u.segmentB - t.segmentB) > reachB || groups_[i] == groups_[j]) continue;
            const int old = groups_[i], now = groups_[j];
            groups_[i] = now;
            if (old >= 0) std::replace(groups_.begin(), groups_.begin() + std::ptrdiff_t(i), old, now);
        }
        if (groups_[i] < 0) groups_[i] = groups++;
    }
    seen_.clear();
    binds_.clear();
    for (int g = 0; g < groups; ++g) {
        one_.clear();
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            if (groups_[i] == g) one_.push_back(contacts_[i]);
        if (one_.empty()) continue; // it was merged into another group
        Tangle t;
        binds_.push_back(measure(world, t, one_, def_.friction, def_.minTension));
        seen_.push_back(t);
    }
}

// Removes tangles whose ropes or segments no longer exist.
void Tangles::dropDead(const World& world) {
    std::erase_if(released_, [&](const Tangle& t) { return !there(world, t); });
    std::erase_if(tangles_, [&](Tangle& t) {
        if (there(world, t)) return false;
        t.phase = TanglePhase::Broken;
        t.pull = 0;
        tell(TangleEvent::Kind::Broken, t);
        return true;
    });
}

// Matches tangles with groups, the oldest tangle first. If the group of a younger tangle is already matched, the two
// have merged. The younger tangle then counts as apart.
void Tangles::match(const World& world) {
    taken_.assign(seen_.size(), 0);
    ofTangle_.assign(tangles_.size(), -1);
    for (const Tangle& r : released_)
        for (std::size_t k = 0; k < seen_.size(); ++k)
            if (near(world, r, seen_[k])) taken_[k] = 1;
    for (std::size_t i = 0; i < tangles_.size(); ++i)
        for (std::size_t k = 0; k < seen_.size() && ofTangle_[i] < 0; ++k) {
            if (taken_[k] || !near(world, tangles_[i], seen_[k])) continue;
            taken_[k] = 1;
            ofTangle_[i] = int(k);
        }
}

bool Tangles::broken(const Tangle& t) const {
    if (t.distance > def_.maxDistance) return true;
    if (t.phase == TanglePhase::Forming && t.apart > 0) return true;
    if (def_.mode == TangleMode::Physical) return t.apart > def_.partTime;
    const float limit = def_.breakTension * (t.locked ? 3.0f : 1.0f);
    return limit > 0 && t.tension > limit;
}

// Updates the distance between the ropes of a tangle. Without contact the tangle follows the nodes of its drag
// joints, or else the nearest points of the ropes.
void Tangles::follow(const World& world, Tangle& t, bool contacts) const {
    const float touch = contactDistance(world, t);
    Nearness n = look(world, t);
    for (const Hold& h : holds_) {
        if (contacts || !(h.of == t.id)) continue;
        n.segmentA = std::min(h.nodeA, int(world.tensions(t.ropeA).size()) - 1);
        n.segmentB = std::min(h.nodeB, int(world.tensions(t.ropeB).size()) - 1);
        n.p = world.positions(t.ropeA)[h.nodeA];
        n.q = world.positions(t.ropeB)[h.nodeB];
        n.distance = std::max(length(n.p - n.q) - h.start + touch, 0.0f);
    }
    if (n.distance >= 0) t.distance = n.distance / touch;
    if (contacts || n.distance < 0) return;
    t.firstA = t.lastA = n.segmentA;
    t.firstB = t.lastB = n.segmentB;
    t.point = 0.5f * (n.p + n.q);
    t.tension = std::max(world.tensions(t.ropeA)[n.segmentA], world.tensions(t.ropeB)[n.segmentB]);
}

// Updates the phase and the numbers of a tangle. `seen` is its group, or null without contact.
void Tangles::live(const World& world, Tangle& t, const Tangle* seen, float dt) {
    t.age += dt;
    if (seen) {
        Tangle now = *seen;
        now.id = t.id;
        now.phase = t.phase;
        now.locked = t.locked;
        now.age = t.age;
        now.restDistance = t.restDistance;
        if (now.sign == 0) now.sign = t.sign;
        t = now;
    } else {
        t.apart += dt;
        t.force = 0;
        t.tension = 0;
        t.slipping = false;
    }
    follow(world, t, seen != nullptr);
    if (broken(t)) {
        if (t.phase != TanglePhase::Forming) {
            t.phase = TanglePhase::Broken;
            t.pull = 0;
            tell(TangleEvent::Kind::Broken, t);
        }
        t.phase = TanglePhase::Broken;
        return;
    }
    if (t.phase == TanglePhase::Forming) {
        if (t.age < def_.formTime) return;
        t.phase = TanglePhase::Formed;
        ++formed_;
        tell(TangleEvent::Kind::Formed, t);
    }
    const bool holds = def_.mode == TangleMode::Assist || (seen && !t.slipping);
    if (holds && t.tension > def_.minTension)
        t.restDistance = std::max(def_.minDistance, t.restDistance - def_.tightenRate * t.tension * dt);
    if (t.phase == TanglePhase::Formed && t.restDistance < 0.5f * (def_.maxDistance + def_.lockThreshold)) {
        t.phase = TanglePhase::Tightening;
        tell(TangleEvent::Kind::Tightened, t);
    }
    if (t.phase == TanglePhase::Tightening && t.restDistance < def_.lockThreshold) {
        t.phase = TanglePhase::Locked;
        t.locked = true;
        tell(TangleEvent::Kind::Locked, t);
    }
}

// Forgets released tangles whose ropes have parted.
void Tangles::letGoOfReleased(const World& world) {
    std::erase_if(released_, [&](Tangle& r) {
        for (const Tangle& s : seen_)
            if (near(world, r, s)) { // the released tangle follows the contacts
                r.firstA = s.firstA;
                r.lastA = s.lastA;
                r.firstB = s.firstB;
                r.lastB = s.lastB;
                return false;
            }
        const Nearness n = look(world, r);
        return n.distance < 0 || n.distance > def_.maxDistance * contactDistance(world, r);
    });
}

void Tangles::update(World& world, float dt) {
    if (!CAPSTAN_CHECK(dt > 0 && std::isfinite(dt), "dt must be above 0")) return;
    told_ = pending_;
    pending_.clear();
    dropDead(world);
    dropAttachments(world);
    gather(world);
    group(world);
    match(world);
    for (std::size_t i = 0; i < tangles_.size(); ++i)
        live(world, tangles_[i], ofTangle_[i] < 0 ? nullptr : &seen_[ofTangle_[i]], dt);
    std::erase_if(tangles_, [](const Tangle& t) { return t.phase == TanglePhase::Broken; });
    letGoOfReleased(world);
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        if (taken_[k] || !binds_[k] || seen_[k].wrapAngle < def_.minWrap) continue;
        // A group next to an existing tangle belongs to that tangle.
        if (std::any_of(tangles_.begin(), tangles_.end(),
                        [&](const Tangle& t) { return near(world, t, seen_[k]); }))
            continue;
        Tangle t = seen_[k];
        t.id = {++nextId_, 1};
        t.restDistance = def_.maxDistance;
        tangles_.push_back(t);
    }
    if (def_.mode == TangleMode::Physical) return;
    dropAttachments(world);
    for (Tangle& t : tangles_) pull(world, t);
}

} // namespace capstan
