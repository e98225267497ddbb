// SPDX-License-Identifier: MIT
// A trefoil knot that snaps tight. Two of its nodes are pulled with up to 1000 times its weight.
#pragma once

#include <worlds/heap.hpp>

namespace capstan {

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
