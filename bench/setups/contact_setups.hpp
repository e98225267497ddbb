// SPDX-License-Identifier: MIT
// The ropes of W2, tunnel, knots and pile: their positions at the start and the paths of their held nodes.
#pragma once

#include <bench/setups/contact_ropes.hpp>

namespace capstan::bench {

// Three ropes of 20 nodes, 0.05 m and 0.01 kg each, lead from one handler to three ends that wander around it.
ContactSetup threeRopes();

// Two ropes that cross. The second one comes down on the first at a given speed, without gravity.
enum class Impact {
    Dragged, // both taut, 21 nodes; the ends of the second are dragged 0.15 m below the first and stopped dead
    Slack,   // as Dragged, but the first rope sags; 60 finer nodes each, with bending stiffness
    Thrown   // the ropes of Slack, with the second one free
};
struct Collision {
    ContactSetup setup;
    Vec3d along = {0, 0, 1}; // direction of the second rope
    int frames = 0;          // until 1 s after the stop, or 2 s after the throw
};
// Seed 0 of Dragged is the scene as documented. Other seeds shift and rotate the second rope a little.
Collision collision(Impact impact, double speed, int seed);
// Detects whether the second rope is on the other side of the first, whose ends are held. Both ropes are closed far
// away. Their linking number then differs from that of the start.
double crossingOf(const Lines& lines, Vec3d along);

// One rope of 1.2 m with an open overhand knot: 100 nodes, a radius of 5 mm, 60 g/m.
ContactSetup overhand();

// 16 ropes of 64 nodes in four layers, laid crosswise.
ContactSetup grating();

// `ropes` ropes of 20 segments of 0.02 m above the plane y = 0, each at a height of its own.
ContactSetup heap(int ropes);

} // namespace capstan::bench
