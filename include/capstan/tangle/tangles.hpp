// SPDX-License-Identifier: MIT
//
// Tangles reads the contacts of a World and finds out which of them bind (tangle.hpp). This layer lies above world: it
// uses only public calls, and it costs nothing when it is not used.
//
//     Tangles tangles;
//     for (;;) {
//         world.step(dt);
//         tangles.update(world, dt);
//         for (const TangleEvent& e : tangles.events()) ...
//     }
//
// A tangle passes through these states; times are in seconds, never in frames:
//   forming      in contact, both ropes loaded, theta > minWrap; an event follows after formTime
//   formed       d restDistance / dt = -tightenRate tension, while loaded and (physical) not slipping
//   tightening   half of the way to lockThreshold is done
//   locked       restDistance < lockThreshold
//   broken       farther apart than maxDistance, or (physical) apart for partTime, or (assist) above
//                breakTension, or a rope is gone; then it is removed
//
// Assist pulls two nodes, one of each rope, together and never apart. A drag joint (JointDef) draws each node towards
// the middle, to a distance that falls with restDistance,
//   k = stiffness min(e^(mu theta), 3),       goal = middle +- d0 / 2,       only while they are farther apart than d0.
// The joints are solved implicitly with their ropes. So the pull of one step goes no farther than to its goal, for
// every time step and every k. Two alternatives were refused. A correction of positions times the capstan factor
// diverges above 2. A force that cannot overshoot with a node alone is too weak to hold anything.
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
    // A Def out of range fails CAPSTAN_CHECK, and the default Def is used.
    explicit Tangles(const TangleDef& def = {});

    // update is called after World::step, with the same dt. The World must be the same in every call.
    void update(World& world, float dt);

    std::span<const Tangle> all() const { return tangles_; }      // with those that are forming; oldest first
    std::span<const TangleEvent> events() const { return told_; } // of the last update; oldest tangle first
    int count() const;                                            // without those that are forming
    int formed() const { return formed_; }                        // number of Formed events so far
    bool alive(TangleId id) const;
    const Tangle& get(TangleId id) const; // a stale id fails CAPSTAN_CHECK and gives an empty one
    const TangleDef& def() const { return def_; }

    // untangle releases a tangle: the next update no longer pulls it and reports it as broken. It is not found again
    // until its ropes have parted there. The call returns an error if there is no such tangle.
    Status untangle(TangleId id);
    void clear(World& world); // removes all tangles and their drag joints, without events

private:
    struct Hold { // the drag joints of assist
        TangleId of;
        JointId a, b;
        int nodeA = 0, nodeB = 0;
        float start = 0;  // m, between the nodes when the tangle formed
        float factor = 0; // capstan factor that k was made with
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
    std::vector<Tangle> released_; // by untangle(): ignored until they part
    std::vector<TangleEvent> told_;
    std::vector<TangleEvent> pending_; // from untangle(), for the next update
    std::vector<Hold> holds_;
    std::uint32_t nextId_ = 0;
    int formed_ = 0;
    // These buffers are kept between updates to reuse their memory.
    std::vector<RopeContact> contacts_;
    std::vector<int> groups_; // group of each element of touches_
    std::vector<RopeContact> one_;
    std::vector<Tangle> seen_;  // one per group of touches_, measured
    std::vector<char> binds_;   // by index in seen_
    std::vector<char> taken_;   // by index in seen_
    std::vector<int> ofTangle_; // by tangle: index in seen_, or -1
};

} // namespace capstan
