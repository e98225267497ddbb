// SPDX-License-Identifier: MIT
//
// Tangles reads the contacts of a World and finds those that bind (tangle.hpp). This layer lies above world: it uses
// public calls only. A program that does not create one pays nothing.
//
//     Tangles tangles;
//     for (;;) {
//         world.step(dt);
//         tangles.update(world, dt);
//         for (const TangleEvent& e : tangles.events()) ...
//     }
//
// A tangle passes through these phases; times are in seconds, never in frames:
//   forming      in contact, both ropes under tension, theta > minWrap; a Formed event follows after formTime
//   formed       d restDistance / dt = -tightenRate tension, while under tension and (physical) not slipping
//   tightening   restDistance has fallen half of the way to lockThreshold
//   locked       restDistance < lockThreshold
//   broken       farther apart than maxDistance, or (physical) apart for partTime, or (assist) above
//                breakTension, or a rope was removed; then the tangle is removed
//
// Assist pulls two nodes together, one of each rope; it never pushes them apart. A drag joint (JointDef) of stiffness
// k pulls each node towards its goal near the midpoint, while the nodes are farther apart than d0:
//   k = stiffness min(e^(mu theta), 3),       goal = middle +- d0 / 2
// The distance d0 falls with restDistance. The joints are solved implicitly with their ropes. So a step never moves a
// node beyond its goal, for every time step and every k. Two alternatives were refused. A correction of positions
// times the capstan factor e^(mu theta) diverges above 2. A force that is limited so that a single node cannot
// overshoot is too weak to hold anything.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/tangle/measure.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace capstan {

class CAPSTAN_API Tangles {
public:
    // A Def out of range fails CAPSTAN_CHECK, and the default Def is used instead.
    explicit Tangles(const TangleDef& def = {});

    // Updates all tangles. Call it after each World::step with the same dt [s]. The World must be the same in every
    // call.
    void update(World& world, float dt);

    std::span<const Tangle> all() const { return tangles_; } // includes those that are forming; oldest first
    std::span<const TangleEvent> events() const {
        return told_;
    }                                      // events of the last update; oldest tangle first
    int count() const;                     // number of tangles, without those that are forming
    int formed() const { return formed_; } // number of Formed events so far
    bool alive(TangleId id) const;
    const Tangle& get(TangleId id) const; // a stale id fails CAPSTAN_CHECK and gives an empty Tangle
    const TangleDef& def() const { return def_; }

    // Releases a tangle: the next update removes its drag joints and reports it as broken. It is found again only
    // after its ropes have parted there. Returns an Error if there is no such tangle.
    Status untangle(TangleId id);
    void clear(World& world); // removes all tangles and their drag joints, without events

private:
    struct Hold { // the two drag joints of a tangle (assist)
        TangleId of;
        JointId a, b;
        int nodeA = 0, nodeB = 0;
        float start = 0;  // m, distance of the two nodes when the tangle formed
        float factor = 0; // capstan factor min(e^(mu theta), 3) in the stiffness of the joints
    };

    Hold* holdOf(World& world, const Tangle& t);
    void gather(const World& world);
    void group(const World& world);
    void dropDead(const World& world);
    void match(const World& world);
    void live(const World& world, Tangle& t, const Tangle* seen, float dt);
    void follow(const World& world, Tangle& t, bool touches) const;
    bool broken(const Tangle& t) const;
    void pull(World& world, Tangle& t);
    void dropAttachments(World& world);
    void letGoOfReleased(const World& world);
    void tell(TangleEvent::Kind kind, const Tangle& t) { told_.push_back({kind, t}); }
    std::size_t indexOf(TangleId id) const;

    TangleDef def_;
    std::vector<Tangle> tangles_;
    std::vector<Tangle> released_; // released by untangle(): ignored until their ropes part
    std::vector<TangleEvent> told_;
    std::vector<TangleEvent> pending_; // events of untangle(), for the next update
    std::vector<Hold> holds_;
    std::uint32_t nextId_ = 0;
    int formed_ = 0;
    // These buffers are members so that their memory is reused in each update.
    std::vector<RopeContact> contacts_;
    std::vector<int> groups_;      // group of each element of contacts_
    std::vector<RopeContact> one_; // contacts of one group
    std::vector<Tangle> seen_;     // one measured tangle for each group of contacts_
    std::vector<char> binds_;      // by index in seen_: whether it binds
    std::vector<char> taken_;      // by index in seen_: whether it was matched with an element of tangles_
    std::vector<int> ofTangle_;    // by index in tangles_: index in seen_, or -1
};

} // namespace capstan
