// SPDX-License-Identifier: MIT
// Grip: holds what was picked and draws it to where the cursor is, softly:
//
//   F = k (goal - p) - c v,   k = M w^2,   c = 2 M w,   |F| <= 20 M g
//
// with M the mass of all that joints tie to it, so that a rag doll can be lifted by its hand. For bodies and most ropes
// F is a drag joint of the World, solved with everything else, which no stiffness makes unstable. Ropes that cannot be
// joined (closed ones, those of the iterative solvers) are pulled by a force that is damped as an implicit spring would be.
// A body's turning is slowed as well, since a spring at a point would let it swing for ever.
// What obeys no forces is moved: a kinematic body, and a node that is pinned.
#pragma once

#include <apps/viewer/pick.hpp>
#include <capstan/result.hpp>
#include <capstan/world.hpp>
#include <render/camera.hpp>

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
    float force() const { return force_; } // N, of the last step; 0 where something is moved instead

private:
    enum class Way { Joint, Force, Pin, Carry };

    bool lost(const World& world) const;
    void pullNode(World& world, float dt);
    void calm(World& world) const;

    Picked picked_;
    Way way_ = Way::Joint;
    JointId joint_;
    Vec3 local_ = {0, 0, 0}; // of a body: the point that is held, in its axes
    Vec3 facing_ = {0, 0, 1};
    Vec3 plane_ = {0, 0, 0}; // a point of it
    Vec3 held_ = {0, 0, 0}, goal_ = {0, 0, 0};
    float stiffness_ = 0, damping_ = 0, most_ = 0;
    float force_ = 0;
};

} // namespace capstan::viewer
