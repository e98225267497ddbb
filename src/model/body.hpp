// SPDX-License-Identifier: MIT
// Bodies and joints as the engine holds them. BodyState and JointState hold the part that changes in a step.
//
// The axes of a body are here its principal axes, with their origin at the centre of mass. In these axes the
// inertia is three numbers. All numbers are double: a joint must stay closed to a hundredth of a millimetre
// far from the origin. There are few bodies compared with points.
#pragma once

#include "collision/geometry/shape.hpp"
#include <capstan/body_def.hpp>
#include <capstan/joint_def.hpp>
#include <capstan/transform.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

inline constexpr double kNoLimit = 1e30;
inline constexpr double kLockedRange =
    1e-6; // limits closer than this leave one position, as a rigid drive does

struct BodyState {
    Vec3d x = {0, 0, 0};         // centre of mass
    Quatd q = Quatd::identity(); // principal axes
    Vec3d v = {0, 0, 0};         // velocity of the centre of mass
    Vec3d L = {0, 0, 0}; // angular momentum about the centre of mass, world axes; kinematic: angular velocity
    Vec3d vBefore = {0, 0, 0};    // v one substep ago (BDF2)
    Vec3d LBefore = {0, 0, 0};    // L one substep ago (BDF2)
    Vec3d dBefore = {0, 0, 0};    // displacement in the last substep
    Vec3d turnBefore = {0, 0, 0}; // rotation vector of the last substep
    Vec3d force = {0, 0, 0};      // N, during this step
    Vec3d torque = {0, 0, 0};     // N m, during this step
    bool history = false;         // BDF2 may use the last substep; false after a sudden change
};

struct Body {
    BodyDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // a value was not finite; the body stands still until it is removed

    double mass = 0; // 0 unless dynamic
    Vec3d inertia = {0, 0, 0};
    Pose principal;                // principal axes and centre of mass, in the axes of the BodyDef
    MassProperties massProperties; // as the user reads them, in the axes of the BodyDef
    std::vector<Shape> shapes;     // in the axes of the BodyDef
    Pose target;                   // kinematic: pose of the principal axes at the end of the step
    Pose start; // pose of the principal axes at the start of the step; set only if there is cloth
    Vec3d couplingForce = {0, 0, 0}; // N, coupling force of cloth, as expected for the next step
    Vec3d twist = {0, 0, 0};         // N m, coupling torque of cloth about the centre of mass
    bool hasTarget = false;          // kinematic: on the way to its goal
    bool blocked = false;            // kinematic: contact held it up on the way to its goal
    bool inContact = false;          // solved in this step in an island with contact

    bool dynamic() const { return def.type == BodyType::Dynamic && !frozen; }
};

// One free axis: turning about the joint's x axis, or sliding along it.
struct JointAxis {
    enum class Drive : std::uint8_t { None, Position, Velocity };
    bool free = false;
    double min = -kNoLimit, max = kNoLimit;
    Drive drive = Drive::None;
    double target = 0;                         // target of the drive, before control and limits
    double least = -kNoLimit, most = kNoLimit; // bounds of the target
    double compliance = 0;                     // of a drive to a position; 0: rigid
    double damping = 0;
    double strength = kNoLimit; // largest force or torque of the drive
    bool limited() const { return min > -kNoLimit || max < kNoLimit; }
};

struct Joint {
    // Ball: three turns are free, within a cone and a twist. Axial: the turn about x and the slide along x
    // may be free; a fixed joint frees neither. Rod: one distance. Drag: a spring to a point that the user
    // moves. Spool: a Ball whose anchor on the drum moves in each substep to the point where the rope leaves
    // the drum.
    enum class Kind : std::uint8_t { Ball, Axial, Rod, Drag, Spool };

    JointDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool broken = false;

    Kind kind = Kind::Ball;
    int body[2] = {-1, -1}; // slots; -1: the world
    int rope = -1;          // slot of a rope whose node takes the place of body[0]; -1: none
    int node = 0;           // node of that rope, counted from its first end
    Pose frame[2];          // frame of the joint in the principal axes of each body; in the world for body -1
    JointAxis turn, slide;
    double cone = kNoLimit;                       // Ball: largest angle between the two x axes
    double rest = 0, compliance = 0, damping = 0; // Rod, Drag: rest length, compliance, damping
    double apart = 0;                             // distance of the two points when the joint was made
    double strength = kNoLimit;                   // Drag: largest force
    Vec3d target = {0, 0, 0};                     // Drag: position of the point at the end of the step
    double control[2] = {0, 0};                   // change of the target per unit of the control vector

    bool on() const { return alive && def.enabled && !broken; }
};

struct JointState {
    Vec3d force = {0, 0, 0};                        // N, on body1
    Vec3d torque = {0, 0, 0};                       // N m, on body1 about the anchor
    double angle = 0;                               // rad, about x; full turns are counted
    double distance = 0;                            // m, along x; Rod: its length
    double gap = 0;                                 // m, distance by which the joint is open
    double tension = 0;                             // N, of a Rod
    double turnSaturated = 0, slideSaturated = 0;   // sign of the force of a saturated drive, else 0
    double turnStep = 0, slideStep = 0;             // change of angle and distance in the last substep (BDF2)
    double lastTurnTarget = 0, lastSlideTarget = 0; // targets of the drives at the end of the last step
    bool targetsKnown = false;                      // lastTurnTarget and lastSlideTarget are known
    Vec3d dragPoint = {0, 0, 0};                    // Drag: present position of the point
};

} // namespace capstan
