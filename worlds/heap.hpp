// SPDX-License-Identifier: MIT
// A heap with every kind of contact: free, closed and attached ropes, boxes, a drum with a motor, and a mesh.
#pragma once

#include <worlds/parts.hpp>

namespace capstan {

struct Heap {
    std::vector<RopeId> ropes;
    BodyId kinematic;
};

inline Heap populateHeap(World& w) {
    Heap heap;
    w.add(floorAt());
    BodyDef ramp;
    ramp.type = BodyType::Static;
    ramp.shape = Mesh{{{-0.5f, 0.01f, -0.5f}, {0.5f, 0.2f, -0.5f}, {0.5f, 0.2f, 0.5f}, {-0.5f, 0.01f, 0.5f}},
                      {{0, 1, 2}, {0, 2, 3}}};
    w.add(ramp);
    for (int k = 0; k < 5; ++k) { // ropes along x and z in turn, one above the other
        const float y = 0.28f + 0.03f * float(k), s = 0.4f;
        RopeDef d = k % 2 ? straight({-s, y, 0.01f}, {s, y, 0.02f}, 24 + k)
                          : straight({0.02f, y, -s}, {0.01f, y, s}, 24);
        if (k == 3) d.bendStiffness = 0.001f;
        heap.ropes.push_back(w.add(d));
    }
    heap.ropes.push_back(w.add(ring({0, 0.45f, 0}, {1, 0, 0}, {0, 0, 1}, 0.2f, 30)));
    const BodyId crate = w.add(box({0.1f, 0.58f, 0.05f}, 0.5f));
    w.add(box({0.12f, 0.8f, 0}, 0.5f));
    RopeDef tied = straight({-0.5f, 0.68f, 0.05f}, {0.1f, 0.68f, 0.05f}, 20);
    const RopeId tie = w.add(tied);
    heap.ropes.push_back(tie);
    w.attach({tie, last}, {crate, {0, 0.1f, 0}}).value();
    BodyDef drum = poleAlongZ({-0.25f, 0.19f, 0}, 0.08f, 0.4f, 0.5f);
    drum.type = BodyType::Dynamic;
    const BodyId turning = w.add(drum);
    JointDef axle = joint(JointType::Motor, BodyRef{}, turning, {-0.25f, 0.19f, 0}, {0, 0, 1});
    axle.turn.speed = 3;
    w.add(axle);
    BodyDef paddle = ofType(BodyType::Kinematic, box({0.6f, 0.4f, 0}, 1, {0.1f, 0.1f, 0.5f}));
    heap.kinematic = w.add(paddle);
    return heap;
}

inline void stepHeap(World& w, const Heap& heap, int frame) {
    w.moveTo(heap.kinematic, {{0.6f - 0.4f * narrow(std::sin(frame * 0.05)), 0.4f, 0}});
    w.step(kFrame);
}

} // namespace capstan
