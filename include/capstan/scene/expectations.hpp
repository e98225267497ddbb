// SPDX-License-Identifier: MIT
// Expectations measures the quantities of a scene's `expect` while the scene runs, and compares them at the end of
// the run.
#pragma once

#include <capstan/api.hpp>
#include <capstan/scene/scene.hpp>

#include <string>
#include <vector>

namespace capstan {

class Playback;

// A CheckLine is the result of one line of `expect`.
struct CheckLine {
    bool ok = false;
    std::string what;     // "peak tension, segment 0"
    std::string expected; // "29430 N within 1 %"
    std::string got;      // "29412 N"
};

class CAPSTAN_API Expectations {
public:
    explicit Expectations(const Expect& expect);
    void look(const Playback& now); // measures; call it at the start and after each frame
    std::vector<CheckLine> check(const Playback& now) const; // one line for each expectation

private:
    // The measured value: that of the requested moment, or the largest so far.
    struct Seen {
        // false: the rope, body or joint was removed, or the rope has fewer nodes than needed.
        bool there = false;
        double value = 0;
        Vec3 place = {0, 0, 0};
    };
    static Seen see(const Playback& now, const ExpectTension& e);
    static Seen see(const Playback& now, const ExpectSpeed& e);
    static Seen see(const Playback& now, const ExpectAngularSpeed& e);
    static Seen see(const Playback& now, const ExpectPosition& e);
    static Seen see(const Playback& now, const ExpectHeight& e);
    static Seen see(const Playback& now, const ExpectLength& e);
    static Seen see(const Playback& now, const ExpectJoint& e);
    static Seen see(const Playback& now, const ExpectContact& e);
    // Linking numbers of two ropes: the expected one (by default that at the start), and the measured one farthest
    // from it.
    struct Wound {
        bool there = true; // both ropes existed all the time
        double expected = 0, got = 0;
    };
    void lookAtLinking(const Playback& now);
    void compareLinking(const std::vector<ExpectLinking>& list, std::vector<CheckLine>& lines) const;
    template <class E>
    static void lookAt(const Playback& now, const std::vector<E>& list, std::vector<Seen>& seen);
    template <class E>
    static void compare(const Playback& now, const std::vector<E>& list, const std::vector<Seen>& seen,
                        std::vector<CheckLine>& lines);

    std::vector<Seen> tension_, speed_, spin_, position_, height_, length_, joint_, contact_;
    std::vector<Wound> linking_;
};

} // namespace capstan
