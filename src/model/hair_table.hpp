// SPDX-License-Identifier: MIT
// Constants that all strands of a hair share, as plain floats that CPU lanes and GPU threads read in the same way.
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
    float w[4]; // inverse mass: 0 at the root and in padding, 1 inside, 2 at the tip, which has half the mass
    float edge[4];  // 1 if the edge exists, else 0
    float idle[4];  // 1 - edge[i]
    float pair[4];  // sum of 2 w over both ends of the edge
    float link[4];  // -2 w if edges i and i + 1 both exist, else 0
    float bends[4]; // 1 at a vertex with bending stiffness, 2 at the root, else 0
    // h^2 B w / (l^3 m): h the substep, B the bending stiffness, l the length and m the mass of an edge.
    float bendRate[4];
    Vec3 rest[4]; // x_(i+1) - 2 x_i + x_(i-1) of the rest shape, in the strand's frame at this chunk

    // Factors of the matrix I + bendRate K (solver/hair/factors.cpp). Their input is the fourth differences of the
    // strand, times w in the last two rows of a chunk. The other factors of bendRate are contained in the blocks.
    // Blocks are 0 where a neighbour does not exist.
    Two fromOwn, fromNext; // subtracted from the last two rows of a chunk: they eliminate its first two rows
    Two fromLeft[3], fromRight[3]; // rounds of cyclic reduction over the chunks
    Two last;                      // inverse of the last pivot: gives the last two vertices
    Two own, ownLeft, ownLast;     // give the first two vertices from the last two
    // Padding to 23 times 16 bytes. With this odd multiple, eight GPU threads that read eight tables have no bank
    // conflict.
    float unused[4];
};
static_assert(sizeof(HairChunkTable) == 23 * 16);

// Constants of one level of detail. They depend on its number of vertices and on the substep.
struct HairTable {
    int vertices = 0, chunks = 0;
    int iterations = 0;  // rounds of cyclic reduction for bending; another round would change no float
    bool bends = false;  // the bending stiffness is above 0
    bool curls = false;  // the rest shape is not straight
    float l = 0, l2 = 0; // m, length of an edge; m^2, its square
    // m l / h^2, m the mass of an edge: the multiplier lambda times this is the tension in N.
    float newtons = 0;
    HairChunkTable chunk[kHairChunks] = {};
};

// A pose as a point and three axes: it maps x to at + X x.x + Y x.y + Z x.z.
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
    bool still = false;    // true if `now` equals `before`
    HairPose now, before;  // pose of the shape at the end and at the start of the substep
    Vec3 half = {0, 0, 0}; // m; box: half edges; capsule, cylinder: half.y is half the length along y
    float radius = 0;      // m; sphere, capsule, cylinder: radius; hull: radius of a bounding sphere
    float skin = 0;        // m, radius of the strand
    float reach = 0;       // m^2, see hairNear() of solver/hair/collide.hpp
    float friction = 0;
    int face = 0, faces = 0; // hull: first plane and number of planes n.x <= d in the shape's axes
};

// Poses of the root body and of the colliders in one substep.
struct HairSubstep {
    HairPose root;                   // pose of the root body at the end of the substep
    bool still = false;              // true if root equals that of the previous substep
    int collider = 0, colliders = 0; // first collider and number of colliders of this substep
};

// Constants of one step of a hair.
struct HairStep {
    HairTable table;
    float h = 0, invH = 0;              // s, substep, and its reciprocal
    float keep = 1;                     // factor of the velocity by damping and wind in a substep
    Vec3 fall = {0, 0, 0};              // m, displacement of a vertex by gravity and wind in a substep
    Quatf rootTurn = Quatf::identity(); // orientation of the root body at the start of the step
    int substeps = 0;
};

// The root of a strand, in the axes of the root body. The z axis of the frame is the direction of the strand at its
// root.
struct HairRoot {
    Vec3 x = {0, 0, 0};
    float unused = 0; // padding to 32 bytes: two loads of 16 bytes on a GPU
    Quatf frame = Quatf::identity();
};
static_assert(sizeof(HairRoot) == 32);

} // namespace capstan
