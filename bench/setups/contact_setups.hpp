// SPDX-License-Identifier: MIT
// Setups of the cases W2, tunnel, knots and pile: initial positions of ropes and paths of held nodes.
#pragma once

#include <bench/setups/contact_ropes.hpp>

namespace capstan::bench {

// Three ropes of 20 nodes, 0.05 m and 0.01 kg each, lead from one fixed end to three ends that move around it.
ContactSetup threeRopes();

// Two ropes that cross, without gravity. The second rope moves down onto the first at a given speed.
enum class Impact {
    Dragged, // both taut, 21 nodes; the ends of the second rope move 0.15 m below the first and stop at once
    Slack,   // as Dragged, but the first rope sags; 60 shorter segments each, with bending stiffness
    Thrown   // the ropes of Slack; the second one is free
};
struct Collision {
    ContactSetup setup;
    Vec3d along = {0, 0, 1}; // direction of the second rope
    int frames = 0;          // number of frames: until 1 s after the stop, or 2 s after the throw
};
// Returns a scene. Seed 0 of Dragged has no random part. Other seeds shift and rotate the second rope a little.
Collision collision(Impact impact, double speed, int seed);
// Returns the linking number of the two ropes, each closed far away; the ends of the first must be held. A change
// from the start shows that the second rope is on the other side of the first.
double crossingOf(const Lines& lines, Vec3d along);

// One rope of 1.2 m with an open overhand knot: 100 nodes, a radius of 5 mm, 60 g/m.
ContactSetup overhand();

// 16 ropes of 64 nodes in four layers, each layer across the previous one.
ContactSetup grating();

// `ropes` ropes of 20 segments of 0.02 m above the plane y = 0, without overlap.
ContactSetup heap(int ropes);

} // namespace capstan::bench
