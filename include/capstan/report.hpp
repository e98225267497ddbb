// SPDX-License-Identifier: MIT
// Report: how a step went. Events: what happened in it.
#pragma once

#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

struct Energy { // joules
    double kinetic = 0;
    double potential = 0; // gravity
    double elastic = 0;   // stretch and bend of ropes, springs of joints
    double total() const { return kinetic + potential + elastic; }
};

struct Report {
    float maxStretch = 0; // largest |arc length / rest length - 1| of a rope; 0.01 is 1 %
    float maxStrain = 0;  // the same of one segment
    int solves = 0;       // Newton solves of ropes and joint trees, all of them and all substeps together
    int retries = 0;      // their substeps done again in two halves
    int lastResorts = 0;  // substeps that were only kept together, at the cost of their motion
    float maxGap = 0;     // m, the farthest that a joint's two sides are apart
    int touching = 0;     // points where things touch and press
    int truncated =
        0; // moves of nodes and bodies cut short so that nothing passes through, all substeps together
    int substeps = 0; // of what may touch; more than asked for when things meet fast
    int retaken = 0;  // of those, taken again in halves: see WorldDef::minDistance
    float minDistance =
        1; // least distance of two touching ropes or of a rope and a shape, 1: surfaces just touch
    float deviceTime = 0;     // s that a GPU worked; 0 without one
    float maxClothStrain = 0; // largest length / rest length - 1 of an edge of cloth
    int quarantined = 0;      // ropes, bodies and cloths frozen because they held a number that is not finite
};

struct Event {
    enum class Kind {
        RopeBroke,
        RopeQuarantined,
        JointBroke,
        BodyQuarantined,
        ContactBegin,   // two things began to touch in this step
        ContactPersist, // they touched before and still do
        ContactEnd,     // they touched after the last step and no longer do
        ClothTore,      // a cloth tore at a vertex
        ClothQuarantined
    };
    Kind kind = Kind::RopeBroke;
    RopeId rope;        // what it happened to
    RopeId other;       // RopeBroke: the part behind the break; null if a ring opened
    int segment = 0;    // RopeBroke: where
    float tension = 0;  // RopeBroke, JointBroke: N, at that moment
    BodyId body = {};   // BodyQuarantined, Contact*
    JointId joint = {}; // JointBroke: it is disabled from now on

    // Contact*: the two things are rope, body or cloth, and other, otherBody or otherCloth; both the same: it touches
    // itself.
    BodyId otherBody = {};
    float force = 0; // N, sum of the normal forces between them

    ClothId cloth = {}; // ClothTore, ClothQuarantined, Contact*
    int vertex = 0;     // ClothTore: where
    float strain = 0;   // ClothTore: at that moment
    ClothId otherCloth = {};
};

// One point where two things press on each other. Of cloth, which is A then, there is one for each thing it touches:
// force and friction are sums over all points, means over the step; the point is where the middle of the force is, the
// normal its direction (of a sheet that touches itself it says nothing), segmentB where a rope is pressed most.
struct Contact {
    RopeId ropeA, ropeB;            // each side is a rope
    BodyId bodyA, bodyB;            // or a body
    ClothId clothA, clothB;         // or a cloth
    int segmentA = 0, segmentB = 0; // of ropes
    Vec3 point = {0, 0, 0};
    Vec3 normal = {0, 0, 0};   // from B to A
    float force = 0;           // N, along the normal
    Vec3 friction = {0, 0, 0}; // N, on A
    bool slips = false;
};

} // namespace capstan
