// SPDX-License-Identifier: MIT
// A Skin is a mesh that deforms with bones. A bone is a Transform: of a body, or of a point along a rope (ropeBones).
//
// Each vertex blends the motions of up to four bones as dual quaternions:
//     x = (sum_k w_k q_k / |sum_k w_k q_k|) x_rest,    q_k = bone now * (bone at rest)^-1
// Source: Kavan, Collins, Zara, O'Sullivan 2008, "Geometric skinning with approximate dual quaternion blending".
// Linear blending, the mean of matrices, is not a rotation. It shrinks a sleeve that is twisted by half a turn to a
// point, the "candy wrapper". Input and output are plain arrays, so any renderer can draw them.
#pragma once

#include <capstan/api.hpp>
#include <capstan/point.hpp>
#include <capstan/result.hpp>
#include <capstan/transform.hpp>

#include <array>
#include <span>
#include <vector>

namespace capstan {

struct SkinWeights {
    // The four bones of a vertex, and their weights.
    std::array<int, 4> bone = {0, 0, 0, 0};
    std::array<float, 4> weight = {1, 0, 0, 0}; // need not sum to 1
};

struct SkinDef {
    std::vector<Vec3> vertices = {}; // m, at rest
    std::vector<Vec3> normals = {};  // unit vectors, one per vertex, or empty
    std::vector<SkinWeights> weights = {};
    std::vector<Transform> bones = {}; // poses at rest
};

enum class Blend { DualQuaternion, Linear }; // Linear serves for comparison only

class CAPSTAN_API Skin {
public:
    // Returns a Skin, or an Error that names the array of `def` that is wrong.
    static Result<Skin> make(SkinDef def);

    // Writes vertices [m] and normals for the given poses of the bones. The spans have as many elements as the Def's
    // arrays; `normals` may be empty. Returns an Error if a size differs from the Def's.
    Status pose(std::span<const Transform> bones, std::span<Vec3> vertices, std::span<Vec3> normals = {},
                Blend blend = Blend::DualQuaternion) const;
    const SkinDef& def() const { return def_; }

private:
    explicit Skin(SkinDef def) : def_(std::move(def)) {}
    SkinDef def_;
};

// Returns one bone for each node: its position [m] and its frame from carryFrames.
CAPSTAN_API std::vector<Transform> ropeBones(std::span<const Point> nodes, std::span<const Quatf> frames);

// Returns the weights of vertices [m] along a rope at rest. A vertex follows the two nodes of the nearest segment,
// weighted by its position along that segment.
CAPSTAN_API std::vector<SkinWeights> ropeWeights(std::span<const Vec3> vertices, std::span<const Point> nodes,
                                                 bool closed);

} // namespace capstan
