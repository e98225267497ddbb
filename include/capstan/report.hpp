// SPDX-License-Identifier: MIT
// Report: counts and largest errors of a step. Event: something that happened during a step. Contact: a point where
// two objects press on each other at the end of a step.
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
    float maxStrain = 0;  // largest |length / rest length - 1| of a rope's segment
    int solves = 0;       // Newton solves of ropes and mechanisms, summed over the substeps
    int retries = 0;      // substeps of ropes and mechanisms that were done again in two halves
    int heldStill = 0;    // substeps whose solve diverged: the parts stayed together and lost their motion
    float maxGap = 0;     // m, largest distance between the two sides of a joint
    int contacts = 0;     // points where objects press on each other
    int truncated = 0; // moves that were cut short so that nothing passes through, summed over the substeps
    int substeps = 0;  // of objects that may be in contact; more than WorldDef::substeps if they meet fast
    int halvedSubsteps = 0; // of those substeps, how many were done again in two halves (minSeparationRatio)
    float minSeparationRatio =
        1; // least distance of two ropes, or of a rope and a shape, over the distance of contact; 1: they touch
    float deviceTime = 0;     // s that a GPU worked; 0 without a GPU
    float maxClothStrain = 0; // largest length / rest length - 1 of an edge of cloth
    int quarantined = 0;      // ropes, bodies and cloths that are frozen because a number was not finite
};

struct Event {
    enum class Kind {
        ContactBegin,   // a and b are in contact; after the step before they were not
        ContactPersist, // a and b are still in contact
        ContactEnd,     // a and b are no longer in contact
        Broke,          // a rope parted, or a joint broke; a broken joint is disabled
        Tore,           // a cloth tore at a vertex
        Quarantined     // a rope, body or cloth is frozen because one of its numbers was not finite
    };
    Kind kind = Kind::ContactBegin;
    ObjectId a;       // the object of the event
    ObjectId b;       // Contact*: the other object, or a again; Broke: the rope behind the break, or null
    int elementA = 0; // Broke: the rope's segment; Tore: the vertex
    int elementB = 0;
    float force =
        0; // N. Contact*: sum of the normal forces; Broke: tension of the rope or force of the joint
    float strain = 0;                           // Tore: length / rest length - 1 at that moment
    std::uint64_t userDataA = 0, userDataB = 0; // userData of the Defs of a and b
};

// Contact: one point where two objects press on each other.
// A sheet of cloth has one contact for each object that it touches. Its force and friction are sums over all points and
// means over the step. Its point is the centre of the force, and its normal is the force's direction. The element of a
// rope is then the segment with the largest force. The normal of a sheet in contact with itself has no meaning.
struct Contact {
    ObjectId a, b;
    int elementA = 0, elementB = 0; // rope: the segment; body: the shape; cloth: 0
    Vec3 point = {0, 0, 0};         // m, in the world
    Vec3 normal = {0, 0, 0};        // unit vector from b to a
    float force = 0;                // N, along the normal
    Vec3 friction = {0, 0, 0};      // N, friction force on a
    bool slipping = false;          // the surfaces slide along each other: friction is at its limit
    std::uint64_t userDataA = 0, userDataB = 0; // userData of the Defs of a and b
};

// ContactPair: two objects that are in contact. a equals b where an object is in contact with itself.
struct ContactPair {
    ObjectId a, b;
    float force = 0;                            // N, sum of the normal forces
    int contacts = 0;                           // number of contact points
    std::uint64_t userDataA = 0, userDataB = 0; // userData of the Defs of a and b
};

} // namespace capstan
