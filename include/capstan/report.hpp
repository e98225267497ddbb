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
    double elastic = 0;   // of stretch and bending in ropes, and of springs in joints
    double total() const { return kinetic + potential + elastic; }
};

// Counts and largest errors of the last step. Numbers without a unit are ratios or counts.
struct Report {
    float maxStretch = 0; // largest |arc length / rest length - 1| of a rope; 0.01 is 1 %
    float maxStrain = 0;  // largest |length / rest length - 1| of a rope's segment
    int solves = 0;       // Newton solves of ropes and mechanisms, summed over the substeps
    int retries = 0;      // substeps of ropes and mechanisms that were solved again in two halves
    int heldStill = 0; // substeps whose solve diverged: the objects kept their connections and lost velocity
    int refinedSubsteps =
        0; // substeps of ropes and mechanisms that were cut into parts, because a kink turns fast in them
    float maxGap = 0;  // m, largest distance between the two sides of a joint
    int contacts = 0;  // points where objects press on each other
    int truncated = 0; // moves that were shortened so that nothing passes through, summed over the substeps
    int substeps =
        0; // substeps of objects that may be in contact; more than WorldDef::substeps if they approach fast
    int halvedSubsteps =
        0; // number of those substeps that were solved again in two halves (minSeparationRatio)
    float minSeparationRatio =
        1; // least distance of two ropes, or of a rope and a shape, over the distance at which they touch
    float deviceTime = 0;     // s, time of work on the GPU; 0 without a GPU
    float maxClothStrain = 0; // largest length / rest length - 1 of an edge of cloth
    int quarantined = 0;      // ropes, bodies and cloths that are frozen because a number was not finite
};

struct Event {
    enum class Kind {
        ContactBegin,   // a and b are in contact; after the previous step they were not
        ContactPersist, // a and b are still in contact
        ContactEnd,     // a and b are no longer in contact
        Broke,          // a rope parted, or a joint broke; a broken joint is disabled
        Tore,           // a cloth tore at a vertex
        Quarantined     // a rope, body or cloth is frozen because one of its numbers was not finite
    };
    Kind kind = Kind::ContactBegin;
    ObjectId a;       // object of the event
    ObjectId b;       // Contact*: the other object, or a again; Broke: the rope behind the break, or null
    int elementA = 0; // Broke: the rope's segment; Tore: the vertex
    int elementB = 0;
    float force =
        0; // N. Contact*: sum of the normal forces; Broke: tension of the rope or force of the joint
    float impulse = 0; // N s. Contact*: sum of the normal impulses of the impacts of a and b in this step
    float strain = 0;  // Tore: length / rest length - 1 at that moment
    std::uint64_t userDataA = 0, userDataB = 0; // userData of the Defs of a and b
};

// Contact: one point where two objects press on each other.
// A cloth has one contact for each object that it touches. Its force and friction are sums over all contact points
// and means over the substeps. Its point is the centre of the force, and its normal is the direction of the force.
// The element of a rope in such a contact is the segment with the largest force. The normal of a cloth in contact
// with itself has no meaning.
struct Contact {
    ObjectId a, b;
    int elementA = 0, elementB = 0; // rope: the segment; body: the shape; cloth: 0
    Vec3 point = {0, 0, 0};         // m, in the world
    Vec3 normal = {0, 0, 0};        // unit vector from b to a
    float force = 0;                // N, along the normal
    Vec3 friction = {0, 0, 0};      // N, friction force on a
    bool slipping = false;          // the surfaces slide along each other, and friction is at its limit
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
