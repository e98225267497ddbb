// SPDX-License-Identifier: MIT
// Tubes draws ropes. Each frame sends a position and a direction per node to the GPU, 16 bytes per node. The vertex
// shader makes the tube, with one instance per segment.
#pragma once

#include <render/gl/gpu.hpp>

#include <cstdint>
#include <vector>

namespace capstan::render {

class Tubes {
public:
    Status init();
    long long upload(const SceneView& view); // returns the number of bytes
    void draw(bool depthOnly, bool fine) const;

private:
    struct Node { // position x y z, and the direction across the rope with 10 bits per component
        float x, y, z;
        std::uint32_t across;
    };
    struct Yarn { // data that rarely change
        float phase, radius;
        std::uint32_t color, second;
    };
    struct Ring {
        int indices = 0;
        std::size_t offset = 0; // bytes in the index buffer
        int vertices = 0;       // index of the first vertex
    };

    void makeRings();
    void point(std::size_t vertexOffset);
    long long uploadYarns(const SceneView& view);
    long long uploadHeat(const SceneView& view);
    void layOut(const SceneView& view, Node* out);
    Vec3 layOut(const Tube& tube, const Vec4* p, Vec3 across, Node* out) const;

    Program lit_, depth_;
    Buffer ring_, index_, nodes_, yarns_, heat_;
    VertexArray array_[3];   // one per entry of rings_
    Ring rings_[3];          // meshes of a segment, coarse to fine
    std::vector<Tube> last_; // ropes whose Yarn data are on the GPU
    // The direction across the first node of each rope in the last frame, so that patterns do not jump.
    std::vector<Vec3> across_;
    std::vector<Yarn> yarn_;
    std::vector<float> heats_;
    std::size_t entries_ = 0;
};

} // namespace capstan::render
