// SPDX-License-Identifier: MIT
// Scene: one JSON file that is a sample, a test, a benchmark and a page of documentation.
//
// A Scene is Defs plus what happens (motions, actions) plus what must hold (expect). Reading, writing and
// docs/scene_format.md are all made from the `fields` visitors below, as for the Defs of defs.hpp: a new
// field is written here and nowhere else. To run one, see playback.hpp.
#pragma once

#include <capstan/defs.hpp>
#include <capstan/result.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

struct Waypoint {
    float t = 0;
    Vec3 position = {0, 0, 0};
};

template <DefOf<Waypoint> D, class V> void fields(D& d, V&& visit) {
    visit("t", d.t, atLeast(0, "s", "when"));
    visit("position", d.position, any("m", "where the node is then"));
}

struct Circle {
    Vec3 center = {0, 0, 0};
    Vec3 axis = {0, 1, 0};
    float rate = 0;
};

template <DefOf<Circle> D, class V> void fields(D& d, V&& visit) {
    visit("center", d.center, any("m", "a point of the axis"));
    visit("axis", d.axis, any("", "direction of the axis; the node turns right-handed about it"));
    visit("rate", d.rate, any("rad/s", "how fast; below 0 turns the other way"));
}

struct Shake {
    Vec3 amplitude = {0, 0, 0};
    float frequency = 1;
};

template <DefOf<Shake> D, class V> void fields(D& d, V&& visit) {
    visit("amplitude", d.amplitude, any("m", "farthest from the place of the start"));
    visit("frequency", d.frequency, atLeast(0, "1/s", "shakes per second"));
}

// Where a pinned node goes. It starts where the rope starts, so radius and phase of a circle follow from that
// and need not agree with it by hand.
struct Motion {
    std::string rope;
    int node = first;
    std::vector<Waypoint> path;
    bool loop = false;
    std::optional<Circle> circle;
    std::optional<Shake> shake;
};

template <DefOf<Motion> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "a node that is pinned or clamped; negative counts from the last end"));
    visit("path", d.path, any("", "places and times, straight lines between; it then stays at the last"));
    visit("loop", d.loop, any("", "the path begins again when it ends; it must end where it began"));
    visit("circle", d.circle, any("", "in place of path: go round an axis, starting where the node is"));
    visit("shake", d.shake,
          any("", "in place of path: place of the start + amplitude sin(2 pi frequency t)"));
}

enum class Act { Cut, Winch, Pin, Unpin, Push, Pull, Remove };

// Something done at a moment.
struct Action {
    float at = 0;
    Act act = Act::Cut;
    std::string rope;
    std::optional<int> node;
    std::optional<int> segment;
    std::optional<float> speed;
    std::optional<Vec3> position;
    std::optional<Vec3> impulse;
    std::optional<Vec3> force;
    std::optional<float> duration;
    std::string part;
};

template <DefOf<Action> D, class V> void fields(D& d, V&& visit) {
    visit("at", d.at, atLeast(0, "s", "when"));
    visit("do", d.act, any("", "what to do"));
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "winch (0 or -1), pin, unpin, push, pull: which node"));
    visit("segment", d.segment, any("", "cut: which segment; negative counts from the last end"));
    visit("speed", d.speed, any("m/s", "winch: rope paid out per second; below 0 reels in"));
    visit("position", d.position, any("m", "pin: where to; left out, the node is held where it is"));
    visit("impulse", d.impulse, any("N s", "push: how hard, at once"));
    visit("force", d.force, any("N", "pull: how hard, for as long as duration"));
    visit("duration", d.duration,
          above(0, "s", "winch, pull: how long; left out, winch goes on for ever, pull for one frame"));
    visit("part", d.part, any("", "cut: a name for the part behind the cut"));
}

// What must be measured. `at` picks one moment, `peak` the largest over the whole run; the end when neither.
struct ExpectTension {
    std::string rope;
    int segment = first;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectTension> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("segment", d.segment, any("", "which segment; negative counts from the last end"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, any("N", "what it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, as a fraction of value"));
}

struct ExpectSpeed {
    std::string rope;
    int node = last;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectSpeed> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "which node; negative counts from the last end"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, atLeast(0, "m/s", "what it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, as a fraction of value"));
}

struct ExpectPosition {
    std::string rope;
    int node = last;
    std::optional<float> at;
    Vec3 value = {0, 0, 0};
    float tolerance = 0;
};

template <DefOf<ExpectPosition> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "which node; negative counts from the last end"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("value", d.value, any("m", "where it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest distance from there"));
}

struct ExpectLength {
    std::string rope;
    std::optional<float> at;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectLength> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("value", d.value, atLeast(0, "m", "what its length, measured along it, must be"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest error"));
}

// What must hold. Energies are told as fractions of the energy at play (playback.hpp, Summary::scale).
struct Expect {
    bool finite = true;
    std::optional<float> maxStretch;
    std::optional<float> maxStrain;
    std::optional<float> energyRise;
    std::optional<float> energyLoss;
    std::optional<float> restsWithin;
    std::optional<int> lastResorts;
    std::optional<int> breaks;
    std::vector<ExpectTension> tension;
    std::vector<ExpectSpeed> speed;
    std::vector<ExpectPosition> position;
    std::vector<ExpectLength> length;
    std::string hash;
};

template <DefOf<Expect> D, class V> void fields(D& d, V&& visit) {
    visit("finite", d.finite, any("", "every number stays finite and no rope is quarantined"));
    visit("maxStretch", d.maxStretch,
          atLeast(0, "", "largest |length / rest length - 1| of a rope during the run; 0.01 is 1 %"));
    visit("maxStrain", d.maxStrain, atLeast(0, "", "the same of one segment"));
    visit("energyRise", d.energyRise,
          atLeast(0, "",
                  "largest rise of energy above that of the start, as a fraction of the energy at play"));
    visit("energyLoss", d.energyLoss,
          atLeast(0, "",
                  "largest fall of energy below that of the start, as a fraction of the energy at play"));
    visit("restsWithin", d.restsWithin, atLeast(0, "m/s", "no node is faster than this at the end"));
    visit("lastResorts", d.lastResorts,
          within(0, 1e9, "", "most substeps that were only kept together, at the cost of their motion"));
    visit("breaks", d.breaks, within(0, 1e9, "", "how many times a rope breaks, exactly"));
    visit("tension", d.tension, any("", "pull in a segment"));
    visit("speed", d.speed, any("", "speed of a node"));
    visit("position", d.position, any("", "place of a node"));
    visit("length", d.length, any("", "length of a rope"));
    visit("hash", d.hash, any("", "golden state hash of the end: 16 hexadecimal digits"));
}

// Where a value stands in the file it was read from.
struct Place {
    std::string pointer; // "/ropes/2/radius"
    int line = 0;
    int column = 0;
};

struct Scene {
    int version = 1;
    std::string about;
    WorldDef world;
    float rate = 60;
    int frames = 600;
    std::vector<RopeDef> ropes;
    std::vector<Motion> motions;
    std::vector<Action> actions;
    Expect expect;

    // Not part of the file: where it came from, so that an error found later still names line and column.
    std::string name;
    std::vector<Place> places;
};

template <DefOf<Scene> D, class V> void fields(D& d, V&& visit) {
    visit("version", d.version, within(1, 1, "", "of the format"));
    visit("about", d.about, any("", "what a newcomer sees here, in a sentence or two"));
    visit("world", d.world, any("", "gravity and how to solve"));
    visit("rate", d.rate, within(1, 1e5, "1/s", "frames per second"));
    visit("frames", d.frames, within(1, 1e8, "", "length of the run"));
    visit("ropes", d.ropes, any("", "what there is"));
    visit("motions", d.motions, any("", "where pinned nodes go"));
    visit("actions", d.actions, any("", "what is done, and when"));
    visit("expect", d.expect, any("", "what must hold; `capstan check` tests it"));
}

// Read a scene. `name` stands for the file in errors, whose `where` reads "knot.json:14:9 /ropes/2/radius".
// Numbers and references are checked; what only a World can judge is checked by Playback::start.
Result<Scene> parseScene(std::string_view text, std::string_view name);
Result<Scene> loadScene(const std::filesystem::path& file);

// Fields that hold their default are left out. parseScene(saveScene(s)) gives s back, bit for bit.
std::string saveScene(const Scene& scene);

// Ranges, and references between parts. parseScene has done it; a scene made by a program needs it.
Status checkScene(const Scene& scene);

// An error at a value of the scene, with its line and column when it came from a file.
Error errorAt(const Scene& scene, const std::string& pointer, std::string what);

// docs/scene_format.md
std::string sceneFormatMarkdown();

} // namespace capstan
