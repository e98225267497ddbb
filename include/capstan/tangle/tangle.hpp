// SPDX-License-Identifier: MIT
//
// A Tangle is a place where two ropes, or two parts of one, bind on each other. They are in contact there, and both
// are pulled so that they press harder. One is bent around the other by a wrap angle
//
//   theta = sum of the angles between neighbouring segments along the arc that touches
//
// Straight ropes that cross have theta = 0, at whatever angle they cross. Friction can hold as long as this inequality
// holds (L. Euler 1769, J. Eytelwein 1808):
//
//   e^(-mu theta)  <=  T2 / T1  <=  e^(mu theta)
//
// Inside the bounds the tangle sticks; on a bound it slips. The bound limits a ratio of tensions and is never a
// stiffness.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/transcendental.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

using TangleId = Id<struct TangleTag>;

// capstanBound is the largest ratio of the tensions on both sides of an arc that turns by theta (rad). The sign of the
// angle does not matter.
inline double capstanBound(double mu, double theta) { return exp(mu * abs(theta)); }

enum class TangleMode {
    Physical, // contact and friction of the World act alone; tangles are only found and named
    Assist    // drag joints also draw tangles together: for games where tangles shall hold
};

// Distances are between centre lines, in contact distances of the two ropes: 1 means contact.
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

enum class TanglePhase { Forming, Formed, Tightening, Locked, Broken };

struct Tangle {
    TangleId id;
    TanglePhase phase = TanglePhase::Forming;
    RopeId ropeA, ropeB;       // equal when a rope is tangled with itself
    int firstA = 0, lastA = 0; // segments of the arc in contact
    int firstB = 0, lastB = 0; //
    Vec3 point = {0, 0, 0};    // m, between the ropes
    int sign = 0;              // sign of the crossing, that of (tA x tB) . (pA - pB); +1 is right-handed
    float distance = 1;        // present distance
    float restDistance = 3;    // distance to which it has tightened
    float wrapAngle = 0;       // rad, of the rope that is bent more
    float tension = 0;         // N, largest of its four sides
    float ratio = 1;           // larger over smaller tension across it, along the rope that is bent more
    float bound = 1;           // capstanBound of that rope
    float force = 0;           // N, sum of the normal forces
    bool slipping = false;     // most of that force slips, and ratio is near bound
    bool locked = false;       //
    float age = 0;             // s
    float apart = 0;           // s since the ropes were last in contact
    float pull = 0;            // N, of assist in the last step
};

struct TangleEvent {
    enum class Kind { Formed, Tightened, Locked, Broken };
    Kind kind = Kind::Formed;
    Tangle tangle; // the tangle at the moment of the event
};

} // namespace capstan
