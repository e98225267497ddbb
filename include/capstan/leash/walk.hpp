// SPDX-License-Identifier: MIT
//
// A LeashWalk moves a handler and dogs on leashes in a World. It tracks the braid that the leashes form, and it can
// move the dogs so that the braid becomes trivial. This layer lies above tangle and uses the public calls of World
// only.
//
//     World world;
//     LeashWalk walk = LeashWalk::start(world, {.seed = 7, .dogs = {{"Rex"}, {"Ida"}, {"Bo"}}}).value();
//     for (;;) walk.step(world, 1.0f / 60);              // or drive(), World::step, look()
//
// A dog is a vertical post from below the ground to the collar. The force on a dog is
//   F = m (v_wanted - v) / (0.2 s + h),     |F| <= strength,     h the time step
// So leashes pull on dogs, and no leash can get under a dog. At each leash's start the hand has a finger (a small
// body), so that no leash can slip over the start of another. Hence two readings of the braid must agree
// (capstan/topology/braid_reader.hpp). One reading follows the motion of the dogs frame by frame. The other reads the
// shape of the leashes every LeashDef::readEvery seconds. In comments, left is
// -x and in front is +z. Leashes run down from the hand.
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
        Untangling, // the hand is raised, and the dogs carry out the plan
        Untangled,  // both readings give the trivial braid, and there are no tangles; the dogs stand still
        Stuck // untangling was given up, see stuckBecause(); the dogs stand still, and the braid may be any
    };
    struct Dog {
        std::string name;
        BodyId body;
        BodyId finger; // finger of the hand, a body at the leash's start
        RopeId leash;
        Temperament temperament = Temperament::Wander;
        float mass = 20, strength = 100;
        float heading = 0;      // rad, heading of the wish `wander`
        float sniffing = 0;     // s, remaining time of the stop
        std::uint64_t dice = 0; // state of the dog's random numbers
        bool loose = false;     // the leash was cut, or the dog or the leash was removed
    };

    // Adds the ground, dogs and leashes to the World. The Error names the field of `def` that is wrong.
    static Result<LeashWalk> start(World& world, const LeashDef& def);

    void step(World& world, float dt);  // s; calls drive, World::step and look
    void drive(World& world, float dt); // s; sets forces and the hand; call it before World::step
    void look(World& world, float dt);  // s; reads the braid and tangles; call it after World::step

    // A short braid word of the motion since the start; its braid is exact. complexity() is its number of letters.
    const BraidWord& word() const { return word_; }
    int complexity() const { return int(word_.size()); }
    int peakComplexity() const { return peak_; } // largest complexity so far
    // The last reading of the leashes' shape. The three counters compare all readings so far with the motion.
    const BraidReading& reading() const { return reader_.reading(); }
    int readings() const { return readings_; } // number of readings that gave a word
    int refusals() const { return refusals_; } // readings without a word: a leash was hooked or knotted
    // Number of readings that differ from the word of the motion: 0, unless ropes passed through each other.
    int disagreements() const { return disagree_; }

    const Tangles& tangles() const { return tangles_; }
    Tangles& tangles() { return tangles_; }
    std::span<const Dog> dogs() const { return dogs_; }
    int dogCount() const { return int(dogs_.size()); }
    Vec3 hand() const { return hand_; }
    const LeashDef& def() const { return def_; }
    State state() const { return state_; }
    double time() const { return time_; }

    // Raises the hand above the dogs, or lowers it again.
    void raiseHand(bool up) { raised_ = up; }
    // Starts untangling: the dogs line up under the raised hand, swap places as planned, and spread out. The plan
    // changes if dogs swap places while they line up. Returns an Error if a leash is loose.
    Status untangle();
    void walkOn();                                               // sets the state to Walking, from any state
    std::span<const UntangleMove> plan() const { return plan_; } // the remaining moves
    int movesDone() const { return movesDone_; }
    // Reason why untangling was given up; empty in any other state.
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
    bool asked_ = false; // the time untangleAt has passed, and untangling was started

    BraidMotion motion_;
    BraidReader reader_;
    Polylines lines_;
    std::vector<Vec3> positions_;
    BraidWord word_;
    int peak_ = 0;
    int readings_ = 0, refusals_ = 0, disagree_ = 0;
    bool straightNow_ = false; // the last reading was made after the last step, and its braid is trivial

    State state_ = State::Walking;
    Phase phase_ = Phase::LineUp;
    std::vector<UntangleMove> plan_; // remaining moves, the next one first
    std::vector<int> rows_;          // dog at each slot
    BraidWord expected_;             // the braid after the current move
    float waited_ = 0;               // s since the last progress
    int movesDone_ = 0;
    std::string stuckBecause_;
};

} // namespace capstan
