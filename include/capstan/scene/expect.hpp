// SPDX-License-Identifier: MIT
// Expect lists what must hold in a scene; `capstan check` tests it.
//
// `at` picks one moment, and `peak` the largest value of the whole run. Without either, the value at the end counts.
#pragma once

#include <capstan/defs.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

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
    std::string body;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectSpeed> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "which node; negative counts from the last end"));
    visit("body", d.body, any("", "in place of a node: name of a body, at its centre of mass"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, atLeast(0, "m/s", "what it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, as a fraction of value"));
}

struct ExpectAngularSpeed {
    std::string body;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectAngularSpeed> D, class V> void fields(D& d, V&& visit) {
    visit("body", d.body, any("", "name of a body"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, atLeast(0, "rad/s", "what it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, as a fraction of value"));
}

struct ExpectPosition {
    std::string rope;
    int node = last;
    std::string body;
    std::optional<float> at;
    Vec3 value = {0, 0, 0};
    float tolerance = 0;
};

template <DefOf<ExpectPosition> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "which node; negative counts from the last end"));
    visit("body", d.body, any("", "in place of a node: name of a body, by its origin"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("value", d.value, any("m", "where it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest distance from there"));
}

struct ExpectHeight {
    std::string rope;
    int node = last;
    std::string body;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectHeight> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node, any("", "which node; negative counts from the last end"));
    visit("body", d.body, any("", "in place of a node: name of a body, by its origin"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, any("m", "what its y must be"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest error"));
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

enum class JointPart { Angle, Distance, Force, Torque, Gap };

struct ExpectJoint {
    std::string joint;
    JointPart what = JointPart::Angle;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectJoint> D, class V> void fields(D& d, V&& visit) {
    visit("joint", d.joint, any("", "name of a joint"));
    visit("what", d.what,
          any("", "angle (rad, full turns counted), distance (m), force (N), torque (N m) or gap (m)"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, any("", "what it must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, in the same unit"));
}

struct ExpectContact {
    std::string rope;
    std::string body;
    std::string otherRope;
    std::string otherBody;
    std::optional<float> at;
    bool peak = false;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectContact> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of a rope; may be left out when there is only one"));
    visit("body", d.body, any("", "in its place, name of a body"));
    visit("otherRope", d.otherRope, any("", "what it touches: name of a rope"));
    visit("otherBody", d.otherBody, any("", "or name of a body"));
    visit("at", d.at, atLeast(0, "s", "when; left out, at the end of the run"));
    visit("peak", d.peak, any("", "the largest of the whole run instead"));
    visit("value", d.value, atLeast(0, "N", "what the normal forces between them, added up, must be"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, as a fraction of value"));
}

struct ExpectLinking {
    std::string rope;
    std::string otherRope;
    std::optional<float> value;
    float tolerance = 0;
};

template <DefOf<ExpectLinking> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of a rope"));
    visit("otherRope", d.otherRope, any("", "name of another"));
    visit("value", d.value,
          any("", "what it must be during the whole run; left out, what it is at the start"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error"));
}

// Expect holds all expectations of a scene. Energies are given as fractions of the energy at play (playback.hpp,
// Summary::scale).
struct Expect {
    bool finite = true;
    std::optional<float> maxStretch;
    std::optional<float> maxStrain;
    std::optional<float> maxGap;
    std::optional<float> maxClothStrain;
    std::optional<float> meanClothStrain;
    std::optional<float> clothAbove;
    std::optional<int> minTears;
    std::optional<float> energyRise;
    std::optional<float> energyLoss;
    std::optional<float> restsWithin;
    std::optional<int> heldStill;
    std::optional<int> breaks;
    std::optional<int> minContacts;
    std::optional<int> maxContacts;
    std::optional<int> truncated;
    std::optional<float> minSeparationRatio;
    std::optional<bool> untangled;
    std::vector<ExpectTension> tension;
    std::vector<ExpectSpeed> speed;
    std::vector<ExpectAngularSpeed> angularSpeed;
    std::vector<ExpectPosition> position;
    std::vector<ExpectHeight> height;
    std::vector<ExpectLength> length;
    std::vector<ExpectJoint> joint;
    std::vector<ExpectContact> contact;
    std::vector<ExpectLinking> linking;
    std::string hash;
};

template <DefOf<Expect> D, class V> void fields(D& d, V&& visit) {
    visit("finite", d.finite, any("", "every number stays finite and nothing is quarantined"));
    visit("maxStretch", d.maxStretch,
          atLeast(0, "", "largest |length / rest length - 1| of a rope during the run; 0.01 is 1 %"));
    visit("maxStrain", d.maxStrain, atLeast(0, "", "the same of one segment"));
    visit("maxGap", d.maxGap,
          atLeast(0, "m", "farthest that the two sides of a joint come apart during the run"));
    visit("maxClothStrain", d.maxClothStrain,
          atLeast(0, "", "largest length / rest length - 1 of an edge of cloth during the run"));
    visit("meanClothStrain", d.meanClothStrain,
          atLeast(0, "", "mean size of the strains of a cloth's edges, at the end"));
    visit("clothAbove", d.clothAbove, any("m", "no vertex of a cloth is lower at the end"));
    visit("minTears", d.minTears, within(0, 1e9, "", "fewest times that cloth tears"));
    visit("energyRise", d.energyRise,
          atLeast(0, "",
                  "largest rise of energy above that of the start, as a fraction of the energy at play"));
    visit("energyLoss", d.energyLoss,
          atLeast(0, "",
                  "largest fall of energy below that of the start, as a fraction of the energy at play"));
    visit("restsWithin", d.restsWithin, atLeast(0, "m/s", "no node and no body is faster at the end"));
    visit("heldStill", d.heldStill,
          within(0, 1e9, "", "most substeps that were only kept together, at the cost of their motion"));
    visit("breaks", d.breaks, within(0, 1e9, "", "how many times a rope or a joint breaks, exactly"));
    visit("minContacts", d.minContacts,
          within(0, 1e9, "", "fewest points where things touch and press at the end"));
    visit("maxContacts", d.maxContacts, within(0, 1e9, "", "most of them"));
    visit(
        "truncated", d.truncated,
        within(0, 1e9, "", "most moves that are cut short so that nothing passes through, in the whole run"));
    visit("minSeparationRatio", d.minSeparationRatio,
          any("", "least distance of two ropes, or of a rope and a shape, that touch; 1 where their surfaces "
                  "just do"));
    visit("untangled", d.untangled,
          any("",
              "whether the leashes are untangled at the end: the handler has walked the plan, and the braid "
              "is trivial. Either way, leashes and dogs must have told the same braid all the time"));
    visit("tension", d.tension, any("", "pull in a segment"));
    visit("speed", d.speed, any("", "speed of a node or a body"));
    visit("angularSpeed", d.angularSpeed, any("", "angular speed of a body"));
    visit("position", d.position, any("", "place of a node or a body"));
    visit("height", d.height, any("", "height of a node or a body"));
    visit("length", d.length, any("", "length of a rope"));
    visit("joint", d.joint, any("", "what a joint reads"));
    visit("contact", d.contact, any("", "how hard two things press on each other"));
    visit("linking", d.linking, any("", "how often two ropes wind around each other"));
    visit("hash", d.hash, any("", "golden state hash of the end: 16 hexadecimal digits"));
}

} // namespace capstan
