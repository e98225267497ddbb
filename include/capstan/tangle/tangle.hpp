// SPDX-License-Identifier: MIT
//
// A Tangle is a place where two ropes, or two parts of one rope, bind on each other. They are in contact there, and
// tension on both presses them together. One rope is bent around the other by the wrap angle
//
//   theta = sum of the angles between neighbouring segments along the arc in contact
//
// Straight ropes that cross have theta = 0, whatever the angle between them. Friction with coefficient mu can balance
// the tensions T1 and T2 on both sides while (L. Euler 1769, J. Eytelwein 1808)
//
//   e^(-mu theta)  <=  T2 / T1  <=  e^(mu theta)
//
// Inside the bounds the tangle sticks; on a bound it slips. The formula bounds a ratio of tensions; it is not a
// stiffness.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/transcendental.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

using TangleId = Id<struct TangleTag>;

// Returns the largest ratio of the tensions on both sides of an arc that turns by theta [rad]. The sign of theta does
// not matter.
inline double capstanBound(double mu, double theta) { return exp(mu * abs(theta)); }

enum class TangleMode {
    Physical, // contact and friction of the World act alone; tangles are only detected and reported
    Assist    // drag joints also pull tangles together, for games in which tangles must hold
};

// Parameters of tangles. Distances are between centre lines, divided by the contact distance of the two ropes: 1
// means contact.
struct TangleDef {
    TangleMode mode = TangleMode::Physical;
    float friction = 0;
    float stiffness = 300;
    float maxDistance = 3;
    float minDistance = 1;
    float lockThreshold = 1.2f;
    float tightenRate = 0.02f;
    float breakTension = 0;
    float minTension = 0.5f;
    float minWrap = 0.52359878f;
    float formTime = 0.1f;
    float partTime = 0.5f;
};

template <DefOf<TangleDef> D, class V> void fields(D& d, V&& visit) {
    visit("mode", d.mode,
          any("", "mode of tangles. physical: they are found and reported; assist: a force also pulls them "
                  "together"));
    visit("friction", d.friction,
          atLeast(0, "", "friction coefficient of the capstan bound; 0: the coefficient of the ropes"));
    visit("stiffness", d.stiffness,
          atLeast(0, "N/m", "assist: stiffness of the pull, before the friction factor"));
    visit("maxDistance", d.maxDistance,
          above(1, "",
                "distance of the ropes at which a tangle breaks; also the rest distance of a new tangle"));
    visit("minDistance", d.minDistance, atLeast(1, "", "lower limit of the rest distance"));
    visit("lockThreshold", d.lockThreshold, atLeast(1, "", "rest distance below which a tangle is locked"));
    visit("tightenRate", d.tightenRate,
          atLeast(0, "1/(N s)", "decrease of the rest distance per newton and second"));
    visit("breakTension", d.breakTension,
          atLeast(0, "N",
                  "assist: tension at which a tangle lets go; a locked tangle lets go at three times this; "
                  "0: never"));
    visit("minTension", d.minTension, atLeast(0, "N", "tension below which ropes do not tangle"));
    visit("minWrap", d.minWrap, atLeast(0, "rad", "wrap angle above which a contact counts as a tangle"));
    visit("formTime", d.formTime, atLeast(0, "s", "time that a tangle must last before it is reported"));
    visit("partTime", d.partTime,
          atLeast(0, "s", "physical: time without contact after which a tangle breaks"));
}

// Phase of a tangle; tangles.hpp defines the phases.
enum class TanglePhase { Forming, Formed, Tightening, Locked, Broken };

struct Tangle {
    TangleId id;
    TanglePhase phase = TanglePhase::Forming;
    RopeId ropeA, ropeB;       // equal if a rope is tangled with itself
    int firstA = 0, lastA = 0; // range of segments in contact, of ropeA
    int firstB = 0, lastB = 0; // range of segments in contact, of ropeB
    Vec3 point = {0, 0, 0};    // m, midpoint between the ropes
    // Sign of (tA x tB) . (pA - pB), with tangents t and points p; +1 is a right-handed crossing.
    int sign = 0;
    float distance = 1; // present distance over the contact distance
    // Distance that the tangle may take up, over the contact distance; it falls as the tangle tightens.
    float restDistance = 3;
    float wrapAngle = 0;   // rad, of the rope that is bent more
    float tension = 0;     // N, largest tension of the four sides
    float ratio = 1;       // larger tension over the smaller, along the rope that is bent more
    float bound = 1;       // capstanBound for that rope
    float force = 0;       // N, sum of the normal forces
    bool slipping = false; // most of the normal force is at slipping contacts, and ratio is near bound
    bool locked = false;   // restDistance is below TangleDef::lockThreshold
    float age = 0;         // s, since it was first found
    float apart = 0;       // s since the ropes were last in contact
    float pull = 0;        // N, pull of the drag joints in the last step (assist)
};

struct TangleEvent {
    enum class Kind { Formed, Tightened, Locked, Broken };
    Kind kind = Kind::Formed;
    Tangle tangle; // the tangle at the moment of the event
};

} // namespace capstan
