// SPDX-License-Identifier: MIT
// Tubes draws ropes on the graphics card. Each frame sends only positions and one direction per node, 16 bytes per
// node. The card makes the tube from them, with one instance per segment.
#pragma once

#include <render/gl/gpu.hpp>

#include <cstdint>
#include <vector>

namespace capstan::render {

class Tubes {
public:
    Status init();
    long long upload(const SceneView& view); // returns the bytes
    void draw(bool depthOnly, bool fine) const;

private:
    struct Node { // x y z, and the direction across the rope: 10 bits per component
        float x, y, z;
        std::uint32_t across;
    };
    struct Yarn { // data that seldom change
        float phase, radius;
        std::uint32_t color, second;
    };
    struct Ring {
        int indices = 0;
        std::size_t offset = 0; // bytes in the index buffer
        int vertices = 0;       // number of the first one
    };

    void makeRings();
    void point(std::size_t vertexOffset);
    long long uploadYarns(const SceneView& view);
    long long uploadHeat(const SceneView& view);
    void layOut(const SceneView& view, Node* out);
    Vec3 layOut(const Tube& tube, const Vec4* p, Vec3 across, Node* out) const;

    Program lit_, depth_;
    Buffer ring_, index_, nodes_, yarns_, heat_;
    VertexArray array_[3];   // one per ring
    Ring rings_[3];          // coarse to fine
    std::vector<Tube> last_; // tubes whose yarns are on the card
    // By tube: the direction at its first node in the last frame, so that patterns do not jump.
    std::vector<Vec3> across_;
    std::vector<Yarn> yarn_;
    std::vector<float> heats_;
    std::size_t entries_ = 0;
};

} // namespace capstan::render
