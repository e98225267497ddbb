// SPDX-License-Identifier: MIT
//
// In a LeashWalk a handler walks dogs on leashes in a World. It knows at every moment which braid the leashes form,
// and it can walk the dogs so that the braid is undone. This layer lies above tangle; it uses a World as any program
// does.
//
//     World world;
//     LeashWalk walk = LeashWalk::start(world, {.seed = 7, .dogs = {{"Rex"}, {"Ida"}, {"Bo"}}}).value();
//     for (;;) walk.step(world, 1.0f / 60);              // or drive(), World::step, look()
//
// Dogs are bodies like posts, from below the ground to the collar. A dog is pushed by the force
//   F = m (v_wanted - v) / (0.2 s + h),     |F| <= strength
// So dogs feel their leashes, and no leash can get under a dog. Each grip of the hand has a finger, so that no leash
// can slip over the start of another. Hence two readings of the braid must agree (capstan/topology/braid_reader.hpp).
// One follows the motion of the dogs frame by frame; the other reads the leashes themselves now and then. Words
// describe the view from +z: left is -x, in front is +z, and leashes run down from the hand.
#pragma once

#include <capstan/api.hpp>
#include <capstan/leash/leash_def.hpp>
#include <capstan/result.hpp>
#include <capstan/tangle/tangles.hpp>
#include <capstan/topology/braid_reader.hpp>
#include <capstan/topology/untangle.hpp>
#include <capstan/world.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace capstan {

class CAPSTAN_API LeashWalk {
public:
    enum class State {
        Walking,
        Untangling, // the hand is raised, the dogs follow the plan
        Untangled,  // both readings give the trivial braid, without tangles; the dogs wait
        Stuck       // it gave up, see stuckBecause(); the dogs wait, and the braid may be any
    };
    struct Dog {
        std::string name;
        BodyId body;
        BodyId finger; // finger of the hand at the leash's start
        RopeId leash;
        Temperament temperament = Temperament::Wander;
        float mass = 20, strength = 100;
        float heading = 0;  // rad, for the wish `wander`
        float sniffing = 0; // s, rest of the stop
        std::uint64_t dice = 0;
        bool loose = false; // its leash was cut, or the dog or the leash is gone
    };

    // start adds the ground, dogs and leashes. The error names the field.
    static Result<LeashWalk> start(World& world, const LeashDef& def);

    void step(World& world, float dt);  // drive, World::step, look
    void drive(World& world, float dt); // before World::step
    void look(World& world, float dt);  // after World::step

    // A short word for the braid since the start, from motion; it is exact.
    const BraidWord& word() const { return word_; }
    int complexity() const { return int(word_.size()); }
    int peakComplexity() const { return peak_; } // largest complexity so far
    // reading() is the last reading of the leashes themselves. The counters compare all readings so far with motion.
    const BraidReading& reading() const { return reader_.reading(); }
    int readings() const { return readings_; } // readings that gave a word
    int refusals() const { return refusals_; } // readings without a word: a leash was hooked or knotted
    // disagreements() counts readings that differ from motion: 0, unless ropes passed through each other.
    int disagreements() const { return disagree_; }

    const Tangles& tangles() const { return tangles_; }
    Tangles& tangles() { return tangles_; }
    std::span<const Dog> dogs() const { return dogs_; }
    int dogCount() const { return int(dogs_.size()); }
    Vec3 hand() const { return hand_; }
    const LeashDef& def() const { return def_; }
    State state() const { return state_; }
    double time() const { return time_; }

    void raiseHand(bool up) { raised_ = up; }
    // untangle carries out the plan: the dogs line up under the raised hand, swap places as planned, and spread out.
    // The plan may change on the way if dogs swap while they line up. The call returns an error where a leash is
    // loose.
    Status untangle();
    void walkOn();                                               // back to Walking, from any state
    std::span<const UntangleMove> plan() const { return plan_; } // its remaining moves
    int movesDone() const { return movesDone_; }
    const std::string& stuckBecause() const { return stuckBecause_; }

private:
    enum class Phase { LineUp, Pass, Swap, Spread };

    explicit LeashWalk(const LeashDef& def) : def_(def), tangles_(def.tangles), motion_(defaultView()) {}
    static View defaultView();
    Status addAll(World& world);
    Status addFinger(World& world, Dog& dog, std::size_t i);
    Status addDog(World& world, std::size_t i);
    void removeAll(World& world);
    Vec3 grip(std::size_t i) const;
    Vec3 positionOf(const World& world, std::size_t i) const;
    float raisedHeight() const;
    void moveHand(World& world, float dt);
    void push(World& world, Dog& dog, Vec3 wanted, float dt) const;
    Vec3 wish(const World& world, std::size_t i, float dt);
    void checkLoose(const World& world);
    void readMotion(const World& world);
    void readLeashes(const World& world);

    // These functions are in leash/untangling.cpp.
    Vec3 obey(const World& world, std::size_t i) const;
    Vec3 slot(int rank) const;
    Vec3 goal(std::size_t i) const;
    int rankOf(int dog) const;
    bool there(const World& world, std::size_t i) const;
    void goOn(const World& world, float dt);
    void nextMove();
    void enter(Phase phase);
    void giveUp(std::string why);

    LeashDef def_;
    std::vector<Dog> dogs_;
    BodyId ground_;
    Tangles tangles_;
    Vec3 hand_ = {0, 0, 0};
    double time_ = 0;
    float sinceRead_ = 0;
    bool raised_ = false;
    bool asked_ = false; // the time untangleAt has passed

    BraidMotion motion_;
    BraidReader reader_;
    Polylines lines_;
    std::vector<Vec3> positions_;
    BraidWord word_;
    int peak_ = 0;
    int readings_ = 0, refusals_ = 0, disagree_ = 0;
    bool straightNow_ = false; // the last reading was made after the last step and is trivial

    State state_ = State::Walking;
    Phase phase_ = Phase::LineUp;
    std::vector<UntangleMove> plan_; // the next move comes first
    std::vector<int> rows_;          // dog at each slot
    BraidWord expected_;             // the braid after the current move
    float waited_ = 0;               // s since the last progress
    int movesDone_ = 0;
    std::string stuckBecause_;
};

} // namespace capstan
