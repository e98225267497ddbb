// SPDX-License-Identifier: MIT
// Ropes on the graphics card. Only places and one direction per node travel each frame, 16 bytes a node; the card makes the
// tube of them, one instance per segment.
#pragma once

#include <render/gl/gpu.hpp>

#include <cstdint>
#include <vector>

namespace capstan::render {

class Tubes {
public:
    Status init();
    long long upload(const SceneView& view); // bytes
    void draw(bool depthOnly, bool fine) const;

private:
    struct Node { // x y z, and across the rope: 10 bits a number
        float x, y, z;
        std::uint32_t across;
    };
    struct Yarn { // what seldom changes
        float phase, radius;
        std::uint32_t color, second;
    };
    struct Ring {
        int indices = 0;
        std::size_t offset = 0; // bytes in the index buffer
        int vertices = 0;       // first
    };

    void makeRings();
    void point(std::size_t vertexOffset);
    long long uploadYarns(const SceneView& view);
    long long uploadHeat(const SceneView& view);
    void layOut(const SceneView& view, Node* out);
    Vec3 layOut(const Tube& tube, const Vec4* p, Vec3 across, Node* out) const;

    Program lit_, depth_;
    Buffer ring_, index_, nodes_, yarns_, heat_;
    VertexArray array_[3];     // one per ring
    Ring rings_[3];            // coarse to fine
    std::vector<Tube> last_;   // whose yarns are on the card
    std::vector<Vec3> across_; // of each tube's first node, from the last frame: patterns do not jump
    std::vector<Yarn> yarn_;
    std::vector<float> heats_;
    std::size_t entries_ = 0;
};

} // namespace capstan::render
