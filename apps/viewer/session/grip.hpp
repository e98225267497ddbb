// SPDX-License-Identifier: MIT
// Grip: holds what was picked and draws it to where the cursor is, softly:
//
//   F = k (goal - p) - c v,   k = M w^2,   c = 2 M w,   |F| <= 20 M g
//
// with M the mass of all that joints tie to it, so that a rag doll can be lifted by its hand. For bodies and most ropes
// F is a drag joint of the World, solved with everything else, which no stiffness makes unstable. Ropes that cannot be
// joined (closed ones, those of the iterative solvers) are pulled by a force that is damped as an implicit spring would be.
// A body's turning is slowed as well, since a spring at a point would let it swing for ever.
// What obeys no forces is moved: a kinematic body, and a node or vertex that is pinned. Hair is pulled by the body that
// carries it.
//
// A vertex of a cloth weighs next to nothing: a force strong enough to lift the cloth would shoot it away within one step.
// So a hand as heavy as the cloth takes hold of it: the vertex gets the hand's mass and F is worked out as an implicit
// spring on that mass,
//
//   F = (k (goal - p) - (c + dt k) v) / (1 + dt (c + dt k) / m_hand)
//
// which no stiffness and no time step makes unstable, because what hangs on the hand only makes it heavier. The hand's
// own weight is taken off again. It needs nothing of the solvers that they do not have, on any backend.
#pragma once

#include <apps/viewer/session/pick.hpp>
#include <capstan/result.hpp>
#include <capstan/world.hpp>
#include <render/view/camera.hpp>

namespace capstan::viewer {

// Mass of the dynamic bodies and ropes that joints tie to this one, itself included, kg.
float massTied(const World& world, const Picked& picked);

class Grip {
public:
    // `facing` is the normal of the plane in which the cursor moves it. An error where nothing can be moved.
    Status take(World& world, const Picked& picked, Vec3 facing, float strength = 1);
    void release(World& world);

    void lead(const render::Ray& ray); // the goal: where the ray meets the plane
    void shift(float metres);          // the plane, along its normal
    void act(World& world, float dt);  // before each step
    void look(const World& world);     // after each step

    bool holds() const { return bool(picked_); }
    const Picked& picked() const { return picked_; }
    Vec3 held() const { return held_; } // the point that is pulled, in the world
    Vec3 goal() const { return goal_; }
    float hand() const { return hand_; }   // kg, that a vertex weighs more while it is held
    float force() const { return force_; } // N, of the last step; 0 where something is moved instead

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
    Vec3 local_ = {0, 0, 0}; // of a body: the point that is held, in its axes
    Vec3 facing_ = {0, 0, 1};
    Vec3 plane_ = {0, 0, 0}; // a point of it
    Vec3 held_ = {0, 0, 0}, goal_ = {0, 0, 0};
    float stiffness_ = 0, damping_ = 0, most_ = 0;
    float bare_ = 0, hand_ = 0; // kg, of a vertex before it was taken, and what is added
    float force_ = 0;
};

} // namespace capstan::viewer
