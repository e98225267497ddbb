// SPDX-License-Identifier: MIT
// StepTimes: the time that each phase of a step took.
#pragma once

#include <array>
#include <cstddef>

namespace capstan {

enum class StepPhase { Prepare, BroadPhase, SolveFree, SolveContact, Cloth, Hair, Finish };

// Times of the last step [s], measured on the thread that called World::step. They are 0 unless
// World::setStepTiming(true) was called.
struct StepTimes {
    static constexpr int phases = 7;
    std::array<float, phases> seconds = {};

    float& operator[](StepPhase p) { return seconds[static_cast<std::size_t>(p)]; }
    float operator[](StepPhase p) const { return seconds[static_cast<std::size_t>(p)]; }
    float total() const {
        float sum = 0;
        for (float s : seconds) sum += s;
        return sum;
    }
    // name() returns one word for the phase, and help() a line that explains it.
    static constexpr const char* name(StepPhase p) {
        constexpr const char* words[] = {"prepare", "broadPhase", "solveFree", "solveContact",
                                         "cloth",   "hair",       "finish"};
        return words[static_cast<std::size_t>(p)];
    }
    static constexpr const char* help(StepPhase p) {
        constexpr const char* words[] = {
            "sorting of objects after edits, winches and pins, copies to a GPU",
            "broad phase: pairs that may be in contact, and their islands",
            "islands without contact: ropes, mechanisms and bodies",
            "islands with contact: contact and friction, ropes, joints and bodies together",
            "cloth",
            "hair",
            "measuring of lengths, breaking, tearing and events"};
        return words[static_cast<std::size_t>(p)];
    }
};

} // namespace capstan
