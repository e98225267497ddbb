// SPDX-License-Identifier: MIT
// CoupledDef: the constants of the coupled solver, with their units and the effects of other values.
// island.hpp has the formulas in which they stand.
#pragma once

namespace capstan {

// Constants of the coupled solver, found by experiment on knots, capstans and impacts. An island is heavy if
// it contains a mechanism, a free body or a moving kinematic body. It is also heavy if the masses attached to
// a rope outweigh the rope. A tackle is a rope over several pulleys.
struct CoupledDef {
    // Penalty, in local stiffnesses; below 1 the solve enters a limit cycle, at 10 knots are crushed.
    double rho = 3;
    // Penalty in a heavy island; at 3 the rope of a tackle trembles by 5 %, 30 takes three times as long.
    double heavyRho = 7;
    double slipping = 0.1; // of rho: least sideways stiffness of a slipping row
    // Contact at the force fn gives a segment the rotational stiffness turn * fn / D; without, knots explode.
    double turn = 2;
    double least = 0.3;    // least geometric stiffness of a segment, as a fraction of a node's mass
    double margin = 0.15;  // of the thinner radius: largest gap at which a fast pair gets a row
    double margin0 = 0.03; // of the thinner radius: a pair with a smaller gap always gets a row, even at rest
    double near = 0.005;   // of D: a row that does not push is active up to this gap
    double floor = 0.2;    // of D: least distance of a pair, even if the world's minSeparationRatio is less
    double gamma = 0.9;    // fraction of the way to the floor that one pass of the step bound may use
    int cuts = 4;          // largest number of passes of the step bound
    int outers = 3;        // most times that rows are found in a substep; again only if moves were shortened
    // Of a radius in a substep: a sticking node that moves less is braked by its rows until it rests.
    double creeps = 0.02;
    double small = 0.05;  // of the thinnest radius: after a shorter step one Newton iteration is enough
    int rounds = 10;      // largest number of Newton iterations of a substep
    double overlap = 0.1; // of D: after a deeper overlap another iteration follows
    double finer = 0.01;  // of D: in the k-th halving of a substep, `overlap` is at most finer / 2^k
    int answers = 5;      // largest number of responses of the units in an iteration
    double still = 0.02;  // of the forces: the responses end when the unbalanced force is less
    // Stiff ropes use stiffStill times their coefficient of friction in place of `still`, but at least
    // `stillest`. The reason is that an unbalanced force acts like friction. In an elastic knot of five
    // crossings the pull is less than 0.02 of the forces, so the knot would stick without friction.
    double stiffStill = 0.1, stillest = 0.002;
    int stiffAnswers = 40;
    int heavyRounds = 40;  // largest number of Newton iterations of a substep in a heavy island
    int heavyAnswers = 40; // largest number of responses in an iteration in a heavy island
    int work = 640; // after so many Newton iterations in a step, a heavy island gets tiredRounds per substep
    int lostWork = 80;   // replaces `work` after a solve of the step has diverged
    int tiredRounds = 4; // largest number of Newton iterations of a substep after `work` or `lostWork`
    // `still` of a heavy island; with 0.02 a mass balanced on a tackle sinks by centimetres in a second.
    double heavyStill = 0.005;
    // Heavy: iterations end when the forces change by less than this fraction of their sum.
    double settled = 0.0005;
    double felt = 0.02;       // heavy: or when they change by less than this fraction of the ropes' weight
    double push = 1;          // m/s: largest speed at which overlapping surfaces are pushed apart
    double pushOut = 0.1;     // m/s: largest recovery speed of an embedded core
    double pushTime = 0.02;   // s: least time constant of that recovery; without it loads are thrown up
    double drag = 1;          // penalty of an embedded row, in local stiffnesses
    double restitution = 0.5; // m/s: slower impacts have no restitution
    int substeps = 64;        // largest number of substeps of a step that fast motion may cause
    int finest = 256;         // largest number of substeps of a step after halving (halving.cpp)
    double stiff = 12; // B h^2 / (m l^3): above this, bending is solved with contact: see stiff_rope.hpp
    double stiffStrut = 0.3;  // the same for a strut; bent before contact at 5.7 it buckles 2.5 % too early
    double strut = 1;         // L^2 / B: a rope is a strut above this pressure along it
    double strutYield = 0.01; // over the mass of a strut: least compliance along it
    // Of the mean mass of a node, loads included: least local stiffness of a rope with loads. Without it two
    // loads on a drum bounce by 10 mJ at 64 substeps. At 2 they fall 5 % too slowly at 16 substeps.
    double carried = 0.5,
           carriedTime = 5e-4; // at substeps of that many s; elsewhere less: docs/theory/contact.md
};

} // namespace capstan
