// SPDX-License-Identifier: MIT
// XPBD: the joints of a system solved one by one, the alternative to the tree (body.hpp). A substep is
//     free flight of every body;  lambda = 0;  a sweep over the joints in the order of slots, and back; speeds
// A row C(x, q) = 0 of compliance alpha and multiplier lambda, which begins at 0 in each substep, has
//     dlambda = (-C - alpha/h^2 lambda) / (w + alpha/h^2)
//     dx = dlambda n / m,  turn = dlambda I^-1 (r x n)
// with w what a unit of lambda moves C by. Force = lambda / h^2; that of a drive is held within its strength.
// Speeds are those of the flight and what the rows added: (x - x0) / h, and for the turn L + the angular
// impulses, which unlike a speed taken from two orientations keeps the angular momentum of what flies free.
//
// Why there and back: without forces x' = P (2 x - x before), P the product of the joints' projections. In
// one direction P may have complex eigenvalues, and then energy grows: a hub of nine ball joints gained 4 kJ
// in 50 frames of 40 substeps. There and back P is, to first order, symmetric in the metric of the masses;
// its eigenvalues lie between 0 and 1, and nothing grows.
// Forces travel few joints per substep, so that a heavy load on a long chain needs many; in return a substep
// costs the same whatever the joints form, and a net of a thousand loops needs no dense matrix.
//
// Sources: Müller, Macklin, Chentanez, Jeschke & Kim 2020, "Detailed rigid body simulation with extended
// position based dynamics"; Macklin et al. 2019, "Small steps in physics simulation" (substeps, not sweeps).
#pragma once

#include "model/body.hpp"
#include "solver/mechanism/tree_joint.hpp"

namespace capstan {

struct TreeContext;

// Multipliers of the rows on one free axis.
struct XpbdAxis {
    double soft = 0, drive = 0, low = 0, high = 0;
};

struct XpbdJoint {
    const Joint* joint = nullptr;
    int slot = -1;
    int unit[2] = {-1, -1}; // -1: ground
    Vec3d x[2], y[2];       // axes of the joint's frame, in those of each side
    Vec3d anchor[2];
    double invMass[2] = {0, 0};
    Quatd frames; // from the frame in side 0 to that in side 1
    double turnTarget = 0, slideTarget = 0;
    bool turns = false; // rows on the turn: limits, drive, spring, damping; of a ball also its cone
    bool slides = false;

    Pose ground
        [2]; // of a side that does not move by itself, at the end of the substep; Pull: side 0 is the goal
    Mat3<double> groundR[2];
    Vec3d groundTurn = {0, 0, 0}; // rotation vector of the ground below side 1 less that below side 0

    double angle = 0, slid = 0, swing = 0;      // at the start of the substep; Rod: slid is its length
    Vec3d old = {0, 0, 0}, oldTurn = {0, 0, 0}; // of errors that were there before, what may stay
    Vec3d armStart[2];                          // from each centre to the anchor of side 1
    bool slow = false;                          // enough for those to be the levers of spin
    Vec3d before = {0, 0, 0};                   // Pull: the point
    XpbdAxis turn, slide;                       // multipliers
    double cone = 0, rod = 0;
    Vec3d damper = {0, 0, 0};           // of a ball
    Vec3d F = {0, 0, 0}, T = {0, 0, 0}; // all of them together, on side 1; T about its anchor
};

// All substeps of length dt of a system without ropes.
void stepXpbd(TreeContext& c, int system, double dt, int substeps);

} // namespace capstan
