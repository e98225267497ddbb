// SPDX-License-Identifier: MIT
// Bodies and joints as the engine holds them. BodyState and JointState hold the part that changes in a step.
//
// Internally, the axes of a body are its principal axes, with their origin at the centre of mass. In these axes the
// inertia tensor is diagonal. All numbers are double: the gap of a joint must stay below a hundredth of a millimetre
// far from the origin. The cost is small because there are few bodies compared with points.
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
    1e-6; // limits closer than this [m or rad] leave one position, as a rigid drive does

struct BodyState {
    Vec3d x = {0, 0, 0};         // m, centre of mass
    Quatd q = Quatd::identity(); // orientation of the principal axes
    Vec3d v = {0, 0, 0};         // m/s, velocity of the centre of mass
    // kg m^2/s, angular momentum in world axes; kinematic body: angular velocity, rad/s.
    Vec3d L = {0, 0, 0};
    Vec3d vBefore = {0, 0, 0};    // m/s, v one substep ago (BDF2)
    Vec3d LBefore = {0, 0, 0};    // L one substep ago (BDF2)
    Vec3d dBefore = {0, 0, 0};    // m, displacement in the last substep
    Vec3d turnBefore = {0, 0, 0}; // rad, rotation vector of the last substep
    Vec3d force = {0, 0, 0};      // N, during this step
    Vec3d torque = {0, 0, 0};     // N m, during this step
    bool history = false;         // BDF2 may use the last substep; false after a sudden change
    double hBefore = 0;           // s, length of that substep
    double remembered() const { return history ? hBefore : 0; }
};

struct Body {
    BodyDef def; // as the program gave it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false; // a value was not finite; the body stands still until it is removed

    double mass = 0; // kg, 0 unless dynamic
    // kg m^2, about the principal axes
    Vec3d inertia = {0, 0, 0};
    Pose principal;                // principal axes and centre of mass, in the axes of the BodyDef
    MassProperties massProperties; // as the program reads them, in the axes of the BodyDef
    std::vector<Shape> shapes;     // in the axes of the BodyDef
    Pose target;                   // kinematic: pose of the principal axes at the end of the step
    Pose start; // pose of the principal axes at the start of the step; set only if there is a cloth
    Vec3d couplingForce = {0, 0, 0}; // N, force of cloth on the body, as predicted for the next step
    Vec3d twist = {0, 0, 0}; // N m, torque of cloth about the centre of mass, as predicted for the next step
    bool hasTarget = false;  // kinematic: the target has not been reached yet
    bool blocked = false;    // kinematic: contact stopped it before it reached its target
    bool inContact = false;  // solved in this step in an island with contact

    bool dynamic() const { return def.type == BodyType::Dynamic && !frozen; }
};

// One free axis of a joint: rotation about the joint's x axis [rad], or sliding along it [m].
struct JointAxis {
    enum class Drive : std::uint8_t { None, Position, Velocity };
    bool free = false;
    double min = -kNoLimit, max = kNoLimit;
    Drive drive = Drive::None;
    double target = 0;                         // target of the drive, before control and limits
    double least = -kNoLimit, most = kNoLimit; // bounds of the target
    double compliance = 0;                     // compliance of a position drive [m/N or rad/(N m)]; 0: rigid
    double damping = 0;
    double strength = kNoLimit; // largest force or torque of the drive
    bool limited() const { return min > -kNoLimit || max < kNoLimit; }
};

struct Joint {
    // Ball: three rotations are free, within a cone and a twist. Axial: the rotation about x and the slide along x
    // may be free; a fixed joint has neither. Rod: one distance. Drag: a spring to a target point that the program
    // moves. Spool: a Ball whose anchor on the drum moves in each substep to the point where the rope leaves the
    // drum.
    enum class Kind : std::uint8_t { Ball, Axial, Rod, Drag, Spool };

    JointDef def; // as the program gave it
    std::uint32_t generation = 0;
    bool alive = false;
    bool broken = false;

    Kind kind = Kind::Ball;
    int body[2] = {-1, -1}; // slots of the two bodies; -1: the world
    int rope = -1;          // slot of a rope whose node takes the place of body[0]; -1: none
    int node = 0;           // node of that rope, counted from its first end
    Pose frame[2];          // frame of the joint in the principal axes of each body; in the world for body -1
    JointAxis turn, slide;
    double cone = kNoLimit;                       // Ball: largest angle between the two x axes
    double rest = 0, compliance = 0, damping = 0; // Rod, Drag: rest length, compliance, damping
    double apart = 0;                             // m, distance of the two anchors when the joint was made
    double strength = kNoLimit;                   // N, largest force of a Drag
    Vec3d target = {0, 0, 0};                     // Drag: position of the point at the end of the step
    double control[2] = {0, 0}; // change of the drive's target per unit of the control vector

    bool on() const { return alive && def.enabled && !broken; }
};

struct JointState {
    Vec3d force = {0, 0, 0};                        // N, on body1
    Vec3d torque = {0, 0, 0};                       // N m, on body1 about the anchor
    double angle = 0;                               // rad, about x; counts full turns
    double distance = 0;                            // m, along x; Rod: its length
    double gap = 0;                                 // m, distance between the two points that should coincide
    double tension = 0;                             // N, of a Rod
    double turnSaturated = 0, slideSaturated = 0;   // sign of the force of a saturated drive, else 0
    double turnStep = 0, slideStep = 0;             // change of angle and distance in the last substep (BDF2)
    double lastTurnTarget = 0, lastSlideTarget = 0; // targets of the drives at the end of the last step
    bool targetsKnown = false;                      // lastTurnTarget and lastSlideTarget are known
    Vec3d dragPoint = {0, 0, 0};                    // Drag: present position of the point
};

} // namespace capstan
