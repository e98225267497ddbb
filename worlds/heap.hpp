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

// A trefoil knot that snaps tight. Two of its nodes are pulled with up to 1000 times its weight.
class Snap {
public:
    Snap(World& w, Vec3 center) {
        RopeDef d;
        d.closed = true;
        d.radius = 0.005f;
        d.damping = 1;
        d.segments = kSegments;
        for (int k = 0; k < 600; ++k) {
            const double a = 2 * kPi * k / 600;
            const Vec3d x = {std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a),
                             -std::sin(3 * a)};
            d.points.push_back(center + narrow(0.04 * x));
        }
        rope_ = w.add(d);
        force_ = narrow(1000 * kG * massOf(w, rope_));
    }
    RopeId rope() const { return rope_; }
    // Applies the forces of this frame. It must be called before each step.
    void draw(World& w, int frame) const {
        const Vec3 pull = force_ * std::min(1.0f, float(frame + 1) / 30) * Vec3{0.6f, 0.8f, 0};
        w.applyForce({rope_, 0}, pull);
        w.applyForce({rope_, kSegments / 2}, -pull);
    }

private:
    static constexpr int kSegments = 115; // so that a segment is about as long as the rope is thick
    RopeId rope_;
    float force_ = 0;
};

// The trefoil of Snap in the heap of heap.hpp, beside a rope of 0.6 m that a winch pays out at 0.5 m/s.
struct SnapInHeap {
    explicit SnapInHeap(World& w) : heap(populateHeap(w)), knot(w, {0, 1.05f, 0}) {
        RopeDef d = straight({-0.3f, 1.2f, 0.1f}, {0.3f, 1.2f, 0.1f}, 20);
        d.pins = {first, last};
        paid = w.add(d);
        w.setWinchSpeed(paid, last, 0.5f);
    }
    void step(World& w, int frame) const {
        knot.draw(w, frame);
        stepHeap(w, heap, frame);
    }
    Heap heap;
    Snap knot;
    RopeId paid;
};

} // namespace capstan
