// SPDX-License-Identifier: MIT
// Bodies and joints as the engine holds them. What changes in a step is BodyState and JointState.
//
// A body's own axes here are its principal ones, with their origin at the centre of mass: there its inertia is three
// numbers. Everything is double: a joint must stay shut to a hundredth of a millimetre far from the origin, and there
// are few bodies compared with points.
#pragma once

#include "collision/geometry/shape.hpp"
#include <capstan/body_def.hpp>
#include <capstan/joint_def.hpp>
#include <capstan/transform.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

inline constexpr double kNoLimit = 1e30;
inline constexpr double kOnePlace = 1e-6; // limits closer than this leave one place, as a rigid drive does

struct BodyState {
    Vec3d x = {0, 0, 0};         // centre of mass
    Quatd q = Quatd::identity(); // principal axes
    Vec3d v = {0, 0, 0};         // speed of the centre
    Vec3d L = {0, 0, 0};         // angular momentum about the centre, in the world; kinematic: its spin
    Vec3d vBefore = {0, 0, 0};   // both one substep ago (BDF2)
    Vec3d LBefore = {0, 0, 0};
    Vec3d dBefore = {0, 0, 0};    // last substep's displacement
    Vec3d turnBefore = {0, 0, 0}; // and its rotation vector
    Vec3d force = {0, 0, 0};      // N, during this step
    Vec3d torque = {0, 0, 0};     // N m, during this step
    bool history = false;         // BDF2 may look back one substep; false after anything sudden
};

struct Body {
    BodyDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // held a number that is not finite; stands still until it is removed

    double mass = 0; // 0 unless dynamic
    Vec3d inertia = {0, 0, 0};
    Pose principal;            // principal axes and centre of mass, in the body
    MassProperties told;       // the same as the user reads it
    std::vector<Shape> shapes; // in the body
    Pose goal;                 // kinematic: where its principal axes will be at the end of the step
    Pose start;                // where they were at the start of the step; kept only where there is cloth
    Vec3d press = {0, 0, 0};   // N, of cloth, as it is expected for the next step
    Vec3d twist = {0, 0, 0};   // N m, of the same about the centre
    bool moving = false;       // kinematic: on its way to the goal
    bool late = false;         // kinematic: held up by what it touched
    bool touching = false;     // goes through this step with what it may touch

    bool dynamic() const { return def.type == BodyType::Dynamic && !frozen; }
};

// Turning about a joint's x axis, or sliding along it.
struct JointAxis {
    enum class Drive : std::uint8_t { None, Place, Speed };
    bool free = false;
    double min = -kNoLimit, max = kNoLimit;
    Drive drive = Drive::None;
    double target = 0;                         // of the drive, before control and limits
    double least = -kNoLimit, most = kNoLimit; // targets are held within
    double compliance = 0;                     // of a drive to a place; 0 is rigid
    double damping = 0;
    double strength = kNoLimit; // most force or torque of the drive
    bool limited() const { return min > -kNoLimit || max < kNoLimit; }
};

struct Joint {
    // Ball: three turns free (within a cone and a twist). Axial: at most the turn and the slide of x are free; neither
    // is a fixed joint. Rod: one distance. Pull: a spring to a point that the user moves. Spool: a Ball whose anchor on
    // the drum is taken anew in each substep, where the rope leaves it.
    enum class Kind : std::uint8_t { Ball, Axial, Rod, Pull, Spool };

    JointDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool broken = false;

    Kind kind = Kind::Ball;
    int body[2] = {-1, -1}; // slots; -1: the world
    int rope = -1;          // slot of a rope whose node stands in for body[0], or -1
    int node = 0;           // from its first end
    Pose frame[2];          // of the joint, in each body's principal axes (in the world, for -1)
    JointAxis turn, slide;
    double cone = kNoLimit;                       // Ball: largest angle between the two x axes
    double rest = 0, compliance = 0, damping = 0; // Rod, Pull
    double apart = 0;                             // of the two points when it was made
    double strength = kNoLimit;                   // Pull
    Vec3d goal = {0, 0, 0};                       // Pull: where the point will be at the end of the step
    double control[2] = {0, 0};                   // change of the target per unit of the control vector

    bool on() const { return alive && def.enabled && !broken; }
};

struct JointState {
    Vec3d force = {0, 0, 0};  // N, on body1
    Vec3d torque = {0, 0, 0}; // N m, on body1 about the anchor
    double angle = 0;         // about x, full turns counted
    double distance = 0;      // along x; of a Rod, its length
    double gap = 0;
    double tension = 0;                   // N, of a Rod
    double turnTired = 0, slideTired = 0; // sign of a drive at the end of its strength
    double turnStep = 0, slideStep = 0;   // how far angle and distance went in the last substep (BDF2)
    double turnGoal = 0, slideGoal = 0;   // targets of its drives at the end of the last step
    bool led = false;                     // they are known
    Vec3d pulled = {0, 0, 0};             // Pull: where the point is now
};

} // namespace capstan
