// SPDX-License-Identifier: MIT
//
// Tangles: watches the contacts of a World and tells which of them bind (tangle.hpp). Above world on the ladder:
// it sees only what any program sees, and costs nothing when it is not used.
//
//     Tangles tangles;
//     for (;;) {
//         world.step(dt);
//         tangles.update(world, dt);
//         for (const TangleEvent& e : tangles.events()) ...
//     }
//
// Life, in seconds and never in frames:
//   forming      they touch, both are loaded, theta > minWrap; told after formTime
//   formed       d restDistance / dt = -tightenRate tension, while loaded and (physical) not slipping
//   tightening   half of the way to lockThreshold is done
//   locked       restDistance < lockThreshold
//   broken       farther apart than maxDistance, or (physical) apart for partTime, or (assist) above
//                breakTension, or a rope is gone; then it is forgotten
//
// Assist pulls two nodes, one of each rope, together and never apart: each is drawn by a drag joint (JointDef) towards
// the middle, to a distance that falls with restDistance,
//   k = stiffness min(e^(mu theta), 3),       goal = middle +- d0 / 2,       only while they are farther apart than d0.
// The joints are solved with their ropes, implicitly, so that the pull of one step goes no farther than to its goal,
// whatever the time step and k are. (Two ways were refused: a correction of positions times the capstan factor
// diverges above 2; a force that a node alone could not overshoot with is so weak that it holds nothing.)
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
    // A Def out of range fails CAPSTAN_CHECK, and the default is taken.
    explicit Tangles(const TangleDef& def = {});

    // After World::step, with the same dt. Always the same World.
    void update(World& world, float dt);

    std::span<const Tangle> all() const { return tangles_; }      // forming ones too; oldest first
    std::span<const TangleEvent> events() const { return told_; } // of the last update: by age, oldest first
    int count() const;                                            // without those that are forming
    int formed() const { return formed_; }                        // that were told so far
    bool alive(TangleId id) const;
    const Tangle& get(TangleId id) const; // a stale id fails CAPSTAN_CHECK and gives an empty one
    const TangleDef& def() const { return def_; }

    // Lets go of one: by the next update it is no longer pulled and told as broken, and it is not found again until
    // its ropes have parted there. An error if there is no such tangle.
    Status untangle(TangleId id);
    void clear(World& world); // forgets all, without events, and takes every pull away

private:
    struct Hold { // of assist
        TangleId of;
        JointId a, b;
        int nodeA = 0, nodeB = 0;
        float start = 0;  // m, between the nodes when it formed
        float factor = 0; // that k was made with
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
    void dropHolds(World& world);
    void letGoOfReleased(const World& world);
    void tell(TangleEvent::Kind kind, const Tangle& t) { told_.push_back({kind, t}); }
    std::size_t indexOf(TangleId id) const;

    TangleDef def_;
    std::vector<Tangle> tangles_;
    std::vector<Tangle> released_; // by the user: ignored until they part
    std::vector<TangleEvent> told_;
    std::vector<TangleEvent> pending_; // of untangle(), for the next update
    std::vector<Hold> holds_;
    std::uint32_t nextId_ = 0;
    int formed_ = 0;
    // Kept from update to update for their memory.
    std::vector<RopeTouch> touches_;
    std::vector<int> groups_; // of touches_
    std::vector<RopeTouch> one_;
    std::vector<Tangle> seen_;  // groups of touches, measured
    std::vector<char> binds_;   // of seen_
    std::vector<char> taken_;   // of seen_
    std::vector<int> ofTangle_; // index in seen_, or -1
};

} // namespace capstan
