// SPDX-License-Identifier: MIT
// A Grip connects the picked object to the cursor with a critically damped spring:
//
//   F = k (goal - p) - c v,   k = M w^2,   c = 2 M w,   |F| <= 20 M g
//
// Here goal is the point at the cursor. p is the held point, and v its velocity. The natural frequency w is 15 rad/s,
// and g is gravity. M is the mass of all objects that joints connect to the held one, so that a rag doll can
// be lifted by its hand. For bodies and most ropes, F is a drag joint of the World. The World solves it together with
// all other joints, so it is stable at any stiffness. Ropes that cannot have joints (closed ropes, and ropes of the
// iterative solvers) get F as an external force of an implicit spring. A body's rotation is damped as well, since a
// spring at a point would let it swing for ever. Objects that ignore forces are moved: a kinematic body, and a pinned
// node or vertex. For hair, the body on which it grows is pulled.
//
// A vertex of a cloth is very light: a force strong enough to lift the cloth would throw the vertex away within one
// step. So the vertex gets an extra mass m_hand, the mass of the cloth ("the hand"). F is an implicit spring on it,
//
//   F = (k (goal - p) - (c + dt k) v) / (1 + dt (c + dt k) / m_hand)
//
// with the time step dt. This is stable at any stiffness and time step, because the cloth on the vertex only adds
// mass. The weight of m_hand is compensated. The method needs no support by the solvers, on any backend.
#pragma once

#include <apps/viewer/session/pick.hpp>
#include <capstan/result.hpp>
#include <capstan/world.hpp>
#include <render/view/camera.hpp>

namespace capstan::viewer {

// massTied returns the total mass [kg] of the picked object and of all dynamic bodies and ropes that joints connect
// to it.
float massTied(const World& world, const Picked& picked);

class Grip {
public:
    // `facing` is the normal of the plane in which the cursor moves the object. The call returns an error if the
    // object cannot be moved.
    Status take(World& world, const Picked& picked, Vec3 facing, float strength = 1);
    void release(World& world);

    void lead(const render::Ray& ray); // moves the target to the intersection of the ray and the plane
    void shift(float metres);          // moves the plane along its normal
    void act(World& world, float dt);  // applies the pull; must be called before each step
    void look(const World& world);     // reads force and position; must be called after each step

    bool holds() const { return bool(picked_); }
    const Picked& picked() const { return picked_; }
    Vec3 held() const { return held_; } // the held point, in the world
    Vec3 goal() const { return goal_; }
    float hand() const { return hand_; }   // kg, extra mass of a held vertex (m_hand)
    float force() const { return force_; } // N, in the last step; 0 for an object that is moved

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
    Vec3 local_ = {0, 0, 0}; // the held point in the local frame of the body
    Vec3 facing_ = {0, 0, 1};
    Vec3 plane_ = {0, 0, 0}; // a point of the plane in which the target moves
    Vec3 held_ = {0, 0, 0}, goal_ = {0, 0, 0};
    float stiffness_ = 0, damping_ = 0, most_ = 0;
    float bare_ = 0, hand_ = 0; // kg: mass of the vertex before it was held, and m_hand
    float force_ = 0;
};

} // namespace capstan::viewer
