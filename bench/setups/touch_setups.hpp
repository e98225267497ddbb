// SPDX-License-Identifier: MIT
// The ropes of W2, tunnel, knots and pile: how they lie at the start and where their held nodes go.
#pragma once

#include <bench/setups/touching.hpp>

namespace capstan::bench {

// Three ropes of 20 nodes, 0.05 m and 0.01 kg each, from one handler to three ends that wander around it.
TouchSetup threeRopes();

// Two ropes that cross; the second comes down on the first at a speed. No gravity.
enum class Impact {
    Dragged, // both taut, 21 nodes; the ends of the second are dragged 0.15 m below the first and stopped dead
    Slack,   // the same with a first rope that sags; 60 finer nodes each, bending stiffness
    Thrown   // the ropes of Slack, the second one free
};
struct Collision {
    TouchSetup setup;
    Vec3d along = {0, 0, 1}; // of the second rope
    int frames = 0;          // until a second after the stop, or two after the throw
};
// Seed 0 of Dragged is the scene as documented; others shift and turn the second rope a little.
Collision collision(Impact impact, double speed, int seed);
// Whether the second rope has got to the other side of the first, whose ends are held: their linking number, both
// closed far away, has changed from that of the start.
double crossingOf(const Lines& lines, Vec3d along);

// One rope of 1.2 m with an open overhand knot in it: 100 nodes, 5 mm thick radius, 60 g/m.
TouchSetup overhand();

// 16 ropes of 64 nodes in four layers, laid crosswise.
TouchSetup grating();

// `ropes` ropes of 20 segments of 0.02 m above the plane y = 0, each at a height of its own.
TouchSetup heap(int ropes);

} // namespace capstan::bench
