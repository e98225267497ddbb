// SPDX-License-Identifier: MIT
// Player: carries out the lines of a recipe on a World, through the public API alone.
//
// Every bad call is made as it stands, because a refused call that changes something is one of the faults looked for.
// While a Player lives, failed checks are counted and do not abort.
#pragma once

#include <apps/fuzz/recipe.hpp>
#include <capstan/check.hpp>
#include <capstan/world.hpp>

#include <map>
#include <string>

namespace capstan::fuzz {

// On: the backend and threads that a run uses, whatever the recipe's own world says.
struct On {
    Backend backend = Backend::Simd;
    int threads = 1;
};

// Position: how far a Player is. With a Snapshot of its World it is enough to go on elsewhere.
struct Position {
    std::size_t op = 0;
    int inner = 0; // steps of the present line that are done
    int steps = 0;
    std::map<std::string, ObjectId> names = {};
    std::map<int, Snapshot> kept = {};
    bool edited = false;    // a line since the last step may have changed the energy
    bool tied = false;      // something was attached to a static or kinematic body since the last step
    bool uncertain = false; // a hand, a drive or an overlap does work that nobody can add up
    bool soft = false;      // sweeps that are not at their end leave strain behind that no force has made
    bool lawless = false;   // a number of the recipe was made wrong on purpose
    long work = 0;          // contacts times substeps, of all steps since something was taken away
};

class Player {
public:
    Player(const Recipe& recipe, On on);
    Player(const Recipe& recipe, On on, const Position& position, const Snapshot& snapshot);
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    bool edit(); // does all lines before the next step; false: there is no step any more
    void step();
    double dt() const { return double(recipe_.ops[at_.op].number("dt", 1.0f / 60)); } // s, of the next step
    World& world() { return world_; }
    const World& world() const { return world_; }
    const Position& position() const { return at_; }
    static int refused(); // calls refused in this process

private:
    using Verb = void (Player::*)(const Op& op);
    static const std::map<std::string, Verb, std::less<>>& verbs();
    void act(const Op& op);
    template <class D, class I> void add(const Op& op);
    template <class D, class I> void update(const Op& op, I id);
    ObjectId object(const Op& op) const;
    template <class I> I id(const Op& op) const { return object(op).as<I>(); }
    Anchor anchor(const Op& op, std::string_view prefix) const;
    void addRope(const Op& op);
    void addBody(const Op& op);
    void addJoint(const Op& op);
    void addCloth(const Op& op);
    void addHair(const Op& op);
    void doUpdate(const Op& op);
    void doConfigure(const Op& op);
    void doAttach(const Op& op);
    void doPin(const Op& op);
    void doUnpin(const Op& op);
    void doForce(const Op& op);
    void doImpulse(const Op& op);
    void doTorque(const Op& op);
    void doSpin(const Op& op);
    void doVelocity(const Op& op);
    void doMass(const Op& op);
    void doMove(const Op& op);
    void doTeleport(const Op& op);
    void doWind(const Op& op);
    void doTarget(const Op& op);
    void doControl(const Op& op);
    void doEnable(const Op& op);
    void doWinch(const Op& op);
    void doCut(const Op& op);
    void doRemove(const Op& op);
    void doRay(const Op& op);
    void doSnapshot(const Op& op);
    void doRestore(const Op& op);
    void doLawless(const Op& op);

    void keepOn(WorldDef def);
    void thinOut();

    const Recipe& recipe_;
    On on_;
    World world_;
    Position at_;
    CheckHandler before_;
};

} // namespace capstan::fuzz
