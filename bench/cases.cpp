// SPDX-License-Identifier: MIT
// The list of all benchmark cases.
#include <bench/cases.hpp>

namespace capstan::bench {

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"W1", "one rope of 100 nodes, let go level with its pin", runW1},
        {"W2", "three ropes of 20 nodes whose ends wander around one handler, with contact", runW2},
        {"W3", "a cloth of 32 x 32 vertices, pinned at two corners", runW3},
        {"W4", "the rope of W1 with 100, 1000 and 10000 kg at its end, hanging and swinging", runW4},
        {"W5", "a chain of 100 links, ball joints and hinges, alone and with a load", runW5},
        {"W6", "1000 ropes like that of W1", runW6},
        {"W7", "boxes: a stack of 10 and a pile of 100", runW7},
        {"tunnel", "a rope dragged and thrown across another at 1 to 200 m/s, over many seeds", runTunnel},
        {"knots", "an overhand knot pulled tight, and a tangle of 16 ropes", runKnots},
        {"pile", "10 to 1000 ropes in a heap on a plane", runPile},
        {"kicks", "shaken pins, kicked nodes and slack that snaps taut, over many seeds", runKicks},
        {"crate", "the rope of W1 with a tumbling crate of 2 and 1000 kg tied to its end", runCrate},
        {"hinges", "1000 pairs of boxes, each joined by a hinge", runHinges},
        {"mechanisms", "chains of W5, kicked, shaken and spun, over many seeds", runMechanisms},
        {"classic", "the small loops of textbooks: sweeps over 100 links, Verlet over 1000 particles",
         runClassic},
        {"dogs", "3 and 10 dogs of 20 kg on leashes of 20 segments, with contact, tangles and braid",
         runDogs},
        {"cloth", "the cloth of W3 with 1024 and 16384 vertices, and a million with --full", runClothSizes},
        {"hair", "10,000 strands of 32 vertices on a turning head; with --full 100,000 and 1,000,000",
         runHair},
        {"rays", "the nearest hits of 1000 rays into 1000 boxes", runRays},
        {"memory", "bytes per particle", runMemory},
    };
    return all;
}

} // namespace capstan::bench
