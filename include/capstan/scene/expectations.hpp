// SPDX-License-Identifier: MIT
// Expectations: what a scene's `expect` asks about, looked at while the scene runs and compared at its end.
#pragma once

#include <capstan/api.hpp>
#include <capstan/scene/scene.hpp>

#include <string>
#include <vector>

namespace capstan {

class Playback;

// One line of `expect`, tested.
struct CheckLine {
    bool ok = false;
    std::string what;     // "peak tension, segment 0"
    std::string expected; // "29430 N within 1 %"
    std::string got;      // "29412 N"
};

class CAPSTAN_API Expectations {
public:
    explicit Expectations(const Expect& expect);
    void look(const Playback& now); // at the start and after each frame
    std::vector<CheckLine> check(const Playback& now) const;

private:
    // What was seen at the moment asked for, or the largest so far.
    struct Seen {
        bool there = false; // a rope, body or joint may be gone, or a rope too short by now
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
    // The linking of two ropes: at the start, and the one that was farthest from what it must be.
    struct Wound {
        bool there = true; // both ropes, all the time
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
