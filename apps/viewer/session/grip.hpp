// SPDX-License-Identifier: MIT
// A Grip holds the picked object and draws it softly to the cursor:
//
//   F = k (goal - p) - c v,   k = M w^2,   c = 2 M w,   |F| <= 20 M g
//
// Here goal is the point at the cursor, and p is the held point with its velocity v. M is the mass of all that joints
// connect to the object, so that a rag doll can be lifted by its hand. For bodies and most ropes, F is a drag joint of
// the World. The World solves it with everything else, so it is stable at any stiffness. Ropes that cannot have joints
// (closed ropes, and those of the iterative solvers) are pulled by a force. It is damped as an implicit spring would
// be. A body's rotation is damped as well, since a spring at a point would let it swing for ever. Objects that ignore
// forces are moved: a kinematic body, and a node or vertex that is pinned. For hair, the body that carries it is
// pulled.
//
// A vertex of a cloth is very light: a force strong enough to lift the cloth would throw it away within one step. So a
// hand as heavy as the cloth holds it: the vertex gets the hand's mass, and F is an implicit spring on that mass,
//
//   F = (k (goal - p) - (c + dt k) v) / (1 + dt (c + dt k) / m_hand)
//
// This is stable at any stiffness and time step, because the cloth on the hand only makes it heavier. The hand's own
// weight is compensated. The method needs nothing special from the solvers, on any backend.
#pragma once

#include <apps/viewer/session/pick.hpp>
#include <capstan/result.hpp>
#include <capstan/world.hpp>
#include <render/view/camera.hpp>

namespace capstan::viewer {

// massTied gives the mass, in kg, of the dynamic bodies and ropes that joints connect to this one, itself included.
float massTied(const World& world, const Picked& picked);

class Grip {
public:
    // `facing` is the normal of the plane in which the cursor moves the object. The call returns an error if the
    // object cannot be moved.
    Status take(World& world, const Picked& picked, Vec3 facing, float strength = 1);
    void release(World& world);

    void lead(const render::Ray& ray); // moves the target to where the ray meets the plane
    void shift(float metres);          // moves the plane along its normal
    void act(World& world, float dt);  // call it before each step
    void look(const World& world);     // call it after each step

    bool holds() const { return bool(picked_); }
    const Picked& picked() const { return picked_; }
    Vec3 held() const { return held_; } // the pulled point, in the world
    Vec3 goal() const { return goal_; }
    float hand() const { return hand_; }   // kg, extra mass of a held vertex
    float force() const { return force_; } // N, in the last step; 0 if the object is moved instead

private:
    enum class Way { Joint, Force, Hand, Pin, Carry };

    bool lost(const World& world) const;
    Status takeCloth(World& world, float mass);
    void pullNode(World& world, float dt);
    void pullVertex(World& world, float dt);
    Vec3 springForce(Vec3 v, float m, float dt);
    void calm(World& world) const;

    Picked picked_;
    Way way_ = Way::Joint;
    JointId joint_;
    Vec3 local_ = {0, 0, 0}; // of a body: the held point, in its axes
    Vec3 facing_ = {0, 0, 1};
    Vec3 plane_ = {0, 0, 0}; // a point of the plane
    Vec3 held_ = {0, 0, 0}, goal_ = {0, 0, 0};
    float stiffness_ = 0, damping_ = 0, most_ = 0;
    float bare_ = 0, hand_ = 0; // kg, the vertex before it was held, and the hand
    float force_ = 0;
};

} // namespace capstan::viewer
