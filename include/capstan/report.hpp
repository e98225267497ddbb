// SPDX-License-Identifier: MIT
// Report: how a step went. Event: what happened in it. Contact: where two objects press on each other at its end.
#pragma once

#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>

#include <cstdint>

namespace capstan {

struct Energy { // J
    double kinetic = 0;
    double potential = 0; // of gravity
    double elastic = 0;   // stretch and bend of ropes, springs of joints
    double total() const { return kinetic + potential + elastic; }
};

struct Report {
    float maxStretch = 0; // largest |arc length / rest length - 1| of a rope; 0.01 is 1 %
    float maxStrain = 0;  // the same of one segment
    int solves = 0;       // Newton solves of ropes and mechanisms, summed over the substeps
    int retries = 0;      // substeps of those that were done again in two halves
    int heldStill = 0;    // substeps that no solve could finish: parts stayed together and lost their motion
    float maxGap = 0;     // m, the farthest that the two sides of a joint are apart
    int contacts = 0;     // points where objects press on each other
    int truncated = 0; // moves that were cut short so that nothing passes through, summed over the substeps
    int substeps = 0;  // of objects that may touch; more than WorldDef::substeps when they meet fast
    int halvedSubsteps = 0; // of those, done again in two halves: see WorldDef::minSeparationRatio
    float minSeparationRatio =
        1; // least distance of two ropes in contact, or of a rope and a shape; 1: they just touch
    float deviceTime = 0;     // s that a GPU worked; 0 without one
    float maxClothStrain = 0; // largest length / rest length - 1 of an edge of cloth
    int quarantined = 0; // ropes, bodies and cloths that are frozen: they held a number that is not finite
};

struct Event {
    enum class Kind {
        ContactBegin,   // a and b touch, and did not after the step before
        ContactPersist, // a and b still touch
        ContactEnd,     // a and b no longer touch
        Broke,          // a rope parted, or a joint broke: it is disabled from now on
        Tore,           // a cloth tore at a vertex
        Quarantined     // a rope, body or cloth is frozen: it held a number that is not finite
    };
    Kind kind = Kind::ContactBegin;
    ObjectId a; // what it happened to
    ObjectId
        b; // Contact*: the other object, or a again; Broke: the part behind a rope's break, if there is one
    int elementA = 0; // Broke: the rope's segment; Tore: the vertex
    int elementB = 0;
    float force = 0;  // N. Contact*: sum of the normal forces; Broke: tension of the rope, force of the joint
    float strain = 0; // Tore: length / rest length - 1 at that moment
    std::uint64_t userDataA = 0, userDataB = 0; // of the two Defs
};

// Contact: one point where two objects press on each other.
// A sheet of cloth has one contact for each object that it touches: force and friction are sums over all points and
// means over the step, the point is the middle of the force, and the normal is its direction. The element of a rope is
// then the segment that is pressed most. The normal of a sheet that touches itself carries no information.
struct Contact {
    ObjectId a, b;
    int elementA = 0, elementB = 0; // segment of a rope; 0 of a body and of cloth
    Vec3 point = {0, 0, 0};         // m, in the world
    Vec3 normal = {0, 0, 0};        // unit vector from b to a
    float force = 0;                // N, along the normal
    Vec3 friction = {0, 0, 0};      // N, on a
    bool slipping = false;
    std::uint64_t userDataA = 0, userDataB = 0; // of the two Defs
};

// The same object twice: it touches itself.
struct ContactPair {
    ObjectId a, b;
    float force = 0;  // N, sum of the normal forces
    int contacts = 0; // how many points
    std::uint64_t userDataA = 0, userDataB = 0;
};

} // namespace capstan
