// SPDX-License-Identifier: MIT
// Expect lists the requirements on the result of a scene; `capstan check` tests them. fields() gives the units.
//
// `at` selects one moment, and `peak` selects the largest value of the whole run. Without either, the value at the
// end of the run counts.
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("segment", d.segment,
          any("", "index of the segment; a negative index counts from the last segment"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, any("N", "expected tension"));
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("node", d.node, any("", "index of the node; a negative index counts from the last node"));
    visit("body", d.body, any("", "name of a body, in place of a node; its centre of mass is read"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, atLeast(0, "m/s", "expected speed"));
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
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, atLeast(0, "rad/s", "expected angular speed"));
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("node", d.node, any("", "index of the node; a negative index counts from the last node"));
    visit("body", d.body, any("", "name of a body, in place of a node; its origin is read"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("value", d.value, any("m", "expected position"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest distance from the expected position"));
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("node", d.node, any("", "index of the node; a negative index counts from the last node"));
    visit("body", d.body, any("", "name of a body, in place of a node; its origin is read"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, any("m", "expected y coordinate"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest error of the height"));
}

struct ExpectLength {
    std::string rope;
    std::optional<float> at;
    float value = 0;
    float tolerance = 0;
};

template <DefOf<ExpectLength> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("value", d.value, atLeast(0, "m", "expected length, measured along the rope"));
    visit("tolerance", d.tolerance, atLeast(0, "m", "largest error of the length"));
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
          any("", "quantity that is read: angle (rad, full turns counted), distance (m), force (N), torque "
                  "(N m) or gap (m)"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, any("", "expected value, in the unit of `what`"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error, in the unit of `what`"));
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("body", d.body, any("", "name of a body, in place of a rope"));
    visit("otherRope", d.otherRope, any("", "name of the second rope in contact"));
    visit("otherBody", d.otherBody, any("", "name of the second body in contact, in place of a rope"));
    visit("at", d.at, atLeast(0, "s", "time of the reading; left out: the end of the run"));
    visit("peak", d.peak,
          any("", "whether the largest value of the whole run is read, in place of the value at a time"));
    visit("value", d.value, atLeast(0, "N", "expected sum of the normal forces between the two objects"));
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
    visit("otherRope", d.otherRope, any("", "name of the second rope"));
    visit("value", d.value,
          any("", "expected linking number during the whole run; left out: the linking number at the start"));
    visit("tolerance", d.tolerance, atLeast(0, "", "largest error of the linking number"));
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
    visit("finite", d.finite, any("", "whether all numbers must stay finite, with no object quarantined"));
    visit("maxStretch", d.maxStretch,
          atLeast(0, "", "largest |length / rest length - 1| of a rope during the run; 0.01 is 1 %"));
    visit("maxStrain", d.maxStrain,
          atLeast(0, "", "largest |length / rest length - 1| of a segment during the run"));
    visit("maxGap", d.maxGap, atLeast(0, "m", "largest gap between the two sides of a joint during the run"));
    visit("maxClothStrain", d.maxClothStrain,
          atLeast(0, "", "largest length / rest length - 1 of an edge of cloth during the run"));
    visit("meanClothStrain", d.meanClothStrain,
          atLeast(0, "", "largest mean |length / rest length - 1| of a cloth's edges at the end"));
    visit("clothAbove", d.clothAbove,
          any("m", "lower limit of the y coordinate of all cloth vertices at the end"));
    visit("minTears", d.minTears, within(0, 1e9, "", "least number of tears of cloth"));
    visit("energyRise", d.energyRise,
          atLeast(0, "",
                  "largest rise of energy above that of the start, as a fraction of the energy at play"));
    visit("energyLoss", d.energyLoss,
          atLeast(0, "",
                  "largest fall of energy below that of the start, as a fraction of the energy at play"));
    visit("restsWithin", d.restsWithin, atLeast(0, "m/s", "largest speed of a node or a body at the end"));
    visit("heldStill", d.heldStill,
          within(0, 1e9, "",
                 "largest number of substeps in which the solver stopped objects because it could not solve "
                 "their motion"));
    visit("breaks", d.breaks, within(0, 1e9, "", "number of breaks of ropes and joints"));
    visit("minContacts", d.minContacts,
          within(0, 1e9, "", "least number of contact points with a force at the end"));
    visit("maxContacts", d.maxContacts,
          within(0, 1e9, "", "largest number of contact points with a force at the end"));
    visit("truncated", d.truncated,
          within(0, 1e9, "", "largest number of moves that the step bound shortens in the whole run"));
    visit("minSeparationRatio", d.minSeparationRatio,
          any("", "least distance of two ropes, or of a rope and a shape, as a ratio to the distance at "
                  "which the surfaces touch"));
    visit("untangled", d.untangled,
          any("", "whether the leashes are untangled at the end: the handler has walked the plan, and the "
                  "braid is trivial. In either case the braid read from the leashes must have agreed with "
                  "the dogs' motion all the time"));
    visit("tension", d.tension, any("", "expected tensions of segments"));
    visit("speed", d.speed, any("", "expected speeds of nodes and bodies"));
    visit("angularSpeed", d.angularSpeed, any("", "expected angular speeds of bodies"));
    visit("position", d.position, any("", "expected positions of nodes and bodies"));
    visit("height", d.height, any("", "expected heights of nodes and bodies"));
    visit("length", d.length, any("", "expected lengths of ropes"));
    visit("joint", d.joint, any("", "expected readings of joints"));
    visit("contact", d.contact, any("", "expected contact forces between two objects"));
    visit("linking", d.linking, any("", "expected linking numbers of two ropes"));
    visit("hash", d.hash, any("", "golden hash of the state at the end: 16 hexadecimal digits"));
}

} // namespace capstan
