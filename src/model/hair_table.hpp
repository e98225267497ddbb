// SPDX-License-Identifier: MIT
// What all strands of a hair share, as plain floats that a CPU lane and a GPU thread read alike.
//
// A strand has 2 to 32 vertices, in chunks of four: a GPU thread holds one chunk, eight threads one strand. A strand of
// n vertices owns 4 ceil(n / 4) neighbouring points in memory; those beyond the last vertex have no mass and stay where
// they are. Masses are in units of the mass of an inner vertex, so that nothing here depends on the size of a kilogram.
#pragma once

#include <capstan/math/quat.hpp>
#include <capstan/point.hpp>

#include <cstdint>

namespace capstan {

inline constexpr int kHairChunk = 4;
inline constexpr int kHairChunks = 8;
inline constexpr int kHairVertices = kHairChunk * kHairChunks;

// A 2 x 2 matrix by rows.
struct Two {
    float a, b, c, d;
};

// Of four neighbouring vertices i, and of the edges that end at them. Edge i joins vertex i to vertex i - 1.
struct alignas(16) HairChunkTable {
    float w[4];        // inverse mass: 0 root and padding, 1, 2 at the tip, which carries half an edge
    float edge[4];     // 1: the edge is there
    float idle[4];     // 1 - edge
    float pair[4];     // 2 w of both ends of the edge
    float link[4];     // -2 w where edges i and i + 1 are both there, else 0
    float bends[4];    // 1: the strand bends at this vertex; 2 at the root; else 0
    float bendRate[4]; // h^2 B w / (l^3 m), B the bending stiffness
    Vec3 rest[4];      // x_(i+1) - 2 x_i + x_(i-1) of the rest shape in the frame of the chunk

    // The factors of I + bendRate K: see solver/hair/factors.cpp. They take the fourth differences of the strand, times w
    // in the last two rows: the rest of bendRate is in them. Where a neighbour is missing they are 0.
    Two fromOwn, fromNext;         // what the last two rows lose by eliminating the first two rows
    Two fromLeft[3], fromRight[3]; // rounds of cyclic reduction over the chunks
    Two last;                      // then the last two vertices are this times what is left
    Two own, ownLeft, ownLast;     // and the first two follow
    float unused[4]; // 23 times 16 bytes: eight GPU threads that read eight tables meet no memory bank twice
};
static_assert(sizeof(HairChunkTable) == 23 * 16);

// Of one level of detail: so many vertices, so many substeps.
struct HairTable {
    int vertices = 0, chunks = 0;
    int rounds = 0;      // of the bending's cyclic reduction: as many as float can feel
    bool bends = false;  // stiffness above 0
    bool curls = false;  // the rest shape is not straight
    float l = 0, l2 = 0; // m, of an edge, and its square
    float newtons = 0;   // m l / h^2: lambda times this is tension
    HairChunkTable chunk[kHairChunks] = {};
};

// x -> at + X x.x + Y x.y + Z x.z
struct HairPose {
    Vec3 at = {0, 0, 0};
    Vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};
    friend bool operator==(const HairPose& a, const HairPose& b) {
        return a.at == b.at && a.X == b.X && a.Y == b.Y && a.Z == b.Z;
    }
};

enum class HairSolid : std::int32_t { Sphere, Capsule, Box, Cylinder, Plane, Hull };

// A shape that a strand collides with, during one substep.
struct HairCollider {
    HairSolid kind = HairSolid::Sphere;
    bool still = false;    // now and before are the same
    HairPose now, before;  // of the shape at the end and at the start of the substep
    Vec3 half = {0, 0, 0}; // box: half of its edges; capsule, cylinder: half of its length along y in half.y
    float radius = 0;      // sphere, capsule, cylinder; hull: of a sphere around it
    float skin = 0;        // m, the strand's own radius
    float reach = 0;       // m^2: see hairNear() of solver/hair/collide.hpp
    float friction = 0;
    int face = 0, faces = 0; // hull: planes n.x <= d in the shape's axes
};

// One substep of a hair.
struct HairSubstep {
    HairPose root;      // of the body that holds the roots, at the end of the substep
    bool still = false; // as at the start of the substep
    int collider = 0, colliders = 0;
};

// One step of a hair.
struct HairStep {
    HairTable table;
    float h = 0, invH = 0;
    float keep = 1;                     // what damping and wind leave of the speed in a substep
    Vec3 fall = {0, 0, 0};              // m, what gravity and wind move a vertex in a substep
    Quatf rootTurn = Quatf::identity(); // of the body that holds the roots, at the start of the step
    int substeps = 0;
};

// Where a strand grows, in the axes of the body that holds it. z of the frame is along the strand as it leaves.
struct HairRoot {
    Vec3 x = {0, 0, 0};
    float unused = 0; // 32 bytes: two loads of a GPU
    Quatf frame = Quatf::identity();
};
static_assert(sizeof(HairRoot) == 32);

} // namespace capstan
