// SPDX-License-Identifier: MIT
// Oracles: what must hold after every step of any world. None of them uses code of the engine.
//
// Finite: all that is read is a finite number. Pass: no rope goes through a rope. Energy: at most what went in.
#pragma once

#include <apps/fuzz/player.hpp>
#include <worlds/passes.hpp>

#include <string>
#include <vector>

namespace capstan::fuzz {

// Fault: what went wrong, and the words that describe it. An empty kind is none. The kinds stand in docs/fuzzing.md.
struct Fault {
    std::string kind, text;
    explicit operator bool() const { return !kind.empty(); }
};

// Returns a fault if a position, a velocity or a tension is not finite.
Fault findNotFinite(const World& world);

// PassOracle compares the ropes before a step with those after it.
//
// Of two closed ropes the linking number must stay, at any speed. Elsewhere three signs must agree. A pair of segments
// crosses, where nodes move linearly from one frame to the next. Gauss' integral of the two stretches about them, over
// 4 pi, changes by more than a half; a pass changes it by nearly 1. And their nodes, with those beside them, move by less
// than half a segment against each other, away from free ends. Without the third sign a rope that is thrown about within
// one step seemed to pass: of 6 worlds one.
class PassOracle {
public:
    void before(const World& world);
    Fault after(const World& world) const;

private:
    struct Rope {
        RopeId id;
        bench::Line line;
        double radius = 0;
        bool closed = false, self = false;
        bool held[2] = {false, false}; // its ends are pinned
        FilterDef filter;
    };
    static std::vector<Rope> ropesOf(const World& world);
    static bool nearEnd(const Rope& rope, std::size_t segment);
    static Fault compareLinks(const Rope& a, const Rope& a1, const Rope& b, const Rope& b1);
    static Fault compare(const Rope& a, const Rope& a1, const Rope& b, const Rope& b1);
    std::vector<Rope> ropes_;
};

// EnergyOracle: what moves and falls never has more energy than was there at the start and than edits brought.
//
// Elastic energy counts as there at the start. Afterwards it counts only if it lasts for kLasts steps. The reason is
// that a rope's lengths are solved after its bending and bend it again. A kink of 40 degrees showed it for one step.
// Where sweeps end early it never counts (Position::soft). Edits that bring a known amount are judged by the energy
// before and after them: impulses, velocities, cuts. Some edits do work that nobody can add up. After one of those the
// world is not judged any more (Position::uncertain).
class EnergyOracle {
public:
    void before(const Player& player);
    Fault after(const Player& player);
    int judged() const { return judged_; } // steps

private:
    bool begun_ = false;
    double allowed_ = 0; // J
    double last_ = 0;    // J, after the step before
    double scale_ = 0;   // J, energy that has been in play
    int judged_ = 0;
    bool spins_ = false; // a body turned too far in a substep: its energy is that of another pose
    bool tied_ = false;  // the step begins with a node that was attached before it
    int above_ = 0;      // steps in a row after which the total was too large
};

} // namespace capstan::fuzz
