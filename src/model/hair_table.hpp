// SPDX-License-Identifier: MIT
// The numbers that all strands of a hair share, as plain floats that a CPU lane and a GPU thread read alike.
//
// A strand has 2 to 32 vertices, in chunks of four: a GPU thread holds one chunk, and eight threads hold one
// strand. A strand of n vertices owns 4 ceil(n / 4) neighbouring points in memory. The points after the last
// vertex have infinite mass and do not move. The unit of mass is the mass of an inner vertex, so the table
// does not depend on the unit of mass.
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

// Numbers of four neighbouring vertices i, and of the edges that end at them. Edge i joins vertex i to
// vertex i - 1.
struct alignas(16) HairChunkTable {
    float w[4];        // inverse mass: 0 at the root and in padding, 1 inside, 2 at the tip, which carries
                       // half an edge
    float edge[4];     // 1 if the edge exists, else 0
    float idle[4];     // 1 - edge
    float pair[4];     // sum of 2 w over both ends of the edge
    float link[4];     // -2 w if edges i and i + 1 both exist, else 0
    float bends[4];    // 1: the strand bends at this vertex; 2 at the root; else 0
    float bendRate[4]; // h^2 B w / (l^3 m), B the bending stiffness
    Vec3 rest[4];      // x_(i+1) - 2 x_i + x_(i-1) of the rest shape, in the frame of the chunk

    // The factors of I + bendRate K (solver/hair/factors.cpp). They act on the fourth differences of the
    // strand, times w in the last two rows; the other factors of bendRate are part of them. They are 0 where
    // a neighbour does not exist.
    Two fromOwn, fromNext;         // subtracted from the last two rows: they eliminate the first two
    Two fromLeft[3], fromRight[3]; // rounds of cyclic reduction over the chunks
    Two last;                      // inverse: gives the last two vertices
    Two own, ownLeft, ownLast;     // give the first two vertices from the last two
    // Fills the table up to 23 times 16 bytes, so that eight GPU threads that read eight tables have no
    // conflict of memory banks.
    float unused[4];
};
static_assert(sizeof(HairChunkTable) == 23 * 16);

// Numbers of one level of detail. A level has its own number of vertices and of substeps.
struct HairTable {
    int vertices = 0, chunks = 0;
    int iterations = 0;  // iterations of cyclic reduction for bending; more would not change a float
    bool bends = false;  // the bending stiffness is above 0
    bool curls = false;  // the rest shape is not straight
    float l = 0, l2 = 0; // m, length of an edge, and m^2, its square
    float newtons = 0;   // m l / h^2: lambda times this is the tension in N
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
    bool still = false;    // `now` and `before` are the same
    HairPose now, before;  // pose of the shape at the end and at the start of the substep
    Vec3 half = {0, 0, 0}; // box: half of its edges; capsule, cylinder: half.y is half of the length along y
    float radius = 0;      // sphere, capsule, cylinder: its radius; hull: radius of a sphere around it
    float skin = 0;        // m, radius of the strand
    float reach = 0;       // m^2, see hairNear() of solver/hair/collide.hpp
    float friction = 0;
    int face = 0, faces = 0; // hull: planes n.x <= d in the shape's axes
};

// One substep of a hair.
struct HairSubstep {
    HairPose root;      // pose of the body that holds the roots, at the end of the substep
    bool still = false; // root is the same as at the start of the substep
    int collider = 0, colliders = 0;
};

// One step of a hair.
struct HairStep {
    HairTable table;
    float h = 0, invH = 0;
    float keep = 1;                     // share of the velocity that damping and wind leave in a substep
    Vec3 fall = {0, 0, 0};              // m, displacement of a vertex by gravity and wind in a substep
    Quatf rootTurn = Quatf::identity(); // orientation of the body that holds the roots, at the start of the
                                        // step
    int substeps = 0;
};

// The root of a strand, in the axes of the body that holds it. The z axis of the frame is the direction of
// the strand at its root.
struct HairRoot {
    Vec3 x = {0, 0, 0};
    float unused = 0; // fills up to 32 bytes: two loads of a GPU
    Quatf frame = Quatf::identity();
};
static_assert(sizeof(HairRoot) == 32);

} // namespace capstan
