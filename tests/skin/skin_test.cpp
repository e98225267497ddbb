// SPDX-License-Identifier: MIT
// Tests of skinning against geometry: volume under twist, rigid motion, frames of known curves.
#include <capstan/skin/skin.hpp>
#include <capstan/skin/tube.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace capstan {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

// Returns the volume by the divergence theorem: a sixth of the sum of a . (b x c) over the triangles.
double volumeOf(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += dot(widen(mesh.vertices[a]), cross(widen(mesh.vertices[b]), widen(mesh.vertices[c]))) / 6;
    return sum;
}

std::vector<Vec3> straight(int n, float length) {
    std::vector<Vec3> x;
    for (int i = 0; i < n; ++i) x.push_back({0, 0, length * float(i) / float(n - 1)});
    return x;
}

SurfaceMesh tubeAround(const std::vector<Vec3>& x, bool closed, float radius, int sides) {
    FrameMemory memory;
    std::vector<Quatf> frames;
    carryFrames(x, closed, memory, frames);
    SurfaceMesh mesh;
    makeTube(x, frames, std::span<const float>(&radius, 1), closed, sides, mesh);
    return mesh;
}

// A tube along z with a bone at each end. The weights change linearly in between.
Skin sleeve(const SurfaceMesh& mesh) {
    SkinDef def;
    def.vertices = mesh.vertices;
    def.normals = mesh.normals;
    def.bones = {{}, {{0, 0, 4}, Quatf::identity()}};
    for (Vec3 v : mesh.vertices) def.weights.push_back({{0, 1, 0, 0}, {1 - v.z / 4, v.z / 4, 0, 0}});
    return Skin::make(std::move(def)).value();
}

TEST(Skin, KeepsTheVolumeOfATwistedSleeve) {
    SurfaceMesh mesh = tubeAround(straight(129, 4), false, 1, 64);
    const Skin skin = sleeve(mesh);
    const double before = volumeOf(mesh);
    EXPECT_NEAR(before, 4 * std::numbers::pi, 0.01 * before);
    const std::vector<Transform> bones = {{}, {{0, 0, 4}, Quatf::fromAxisAngle({0, 0, 1}, 0.9999f * kPi)}};
    ASSERT_TRUE(skin.pose(bones, mesh.vertices));
    EXPECT_NEAR(volumeOf(mesh), before, 0.01 * before);
    float least = 1;
    for (std::size_t i = 0; i < 129 * 65; ++i)
        least = std::min(least, std::hypot(mesh.vertices[i].x, mesh.vertices[i].y));
    EXPECT_NEAR(least, 1, 1e-4);

    // A linear blend of a half turn collapses the tube in the middle, like a candy wrapper.
    ASSERT_TRUE(skin.pose(bones, mesh.vertices, {}, Blend::Linear));
    // The radius at t in [0, 1] is |1 - 2 t|, and the mean of (1 - 2 t)^2 is a third.
    EXPECT_NEAR(volumeOf(mesh), before / 3, 0.01 * before);
    least = 1;
    for (std::size_t i = 0; i < 129 * 65; ++i)
        least = std::min(least, std::hypot(mesh.vertices[i].x, mesh.vertices[i].y));
    EXPECT_LT(least, 0.01f);
}

TEST(Skin, MovesRigidlyWithBonesThatMoveTogether) {
    const SurfaceMesh mesh = tubeAround(straight(5, 4), false, 1, 8);
    const Skin skin = sleeve(mesh);
    const Transform move = {{3, -2, 1}, Quatf::fromAxisAngle(normalize(Vec3{1, 2, 3}), 2)};
    const std::vector<Transform> bones = {move, {move.point({0, 0, 4}), move.rotation}};
    std::vector<Vec3> x(mesh.vertices.size()), n(mesh.normals.size());
    ASSERT_TRUE(skin.pose(bones, x, n));
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LT(length(x[i] - move.point(mesh.vertices[i])), 3e-6f);
        EXPECT_LT(length(n[i] - rotate(move.rotation, mesh.normals[i])), 3e-6f);
    }
}

TEST(Skin, SaysWhatIsWrong) {
    SkinDef def;
    EXPECT_EQ(Skin::make(def).error().where, "/vertices");
    def.vertices = {{0, 0, 0}, {1, 0, 0}};
    EXPECT_EQ(Skin::make(def).error().where, "/bones");
    def.bones = {{}};
    EXPECT_EQ(Skin::make(def).error().where, "/weights");
    def.weights = {{}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    EXPECT_EQ(Skin::make(def).error().where, "/weights/1");
    def.weights[1] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    EXPECT_EQ(Skin::make(def).error().where, "/weights/1");
    def.weights[1] = {};
    Result<Skin> skin = Skin::make(def);
    ASSERT_TRUE(skin);
    std::vector<Vec3> x(1);
    EXPECT_FALSE(skin->pose(def.bones, x));
}

// A plane curve that bends to one side and then to the other. Frenet frames flip in between; these frames keep their
// y.
TEST(Frames, DoNotFlipWhereABendChangesItsSide) {
    std::vector<Vec3> x;
    for (int i = 0; i <= 100; ++i) x.push_back({float(i) * 0.1f, 0, std::sin(float(i) * 0.2f)});
    FrameMemory memory;
    std::vector<Quatf> frames;
    carryFrames(x, false, memory, frames);
    for (std::size_t i = 1; i < frames.size(); ++i) {
        EXPECT_GT(dot(axisX(frames[i]), axisX(frames[i - 1])), 0.9f);
        EXPECT_GT(dot(axisY(frames[i]), axisY(frames[i - 1])), 0.9999f);
    }
}

// Around a closed curve, a parallel frame rotates by the area that its tangents enclose on the unit sphere
// (Gauss-Bonnet). For a plane curve it does not rotate.
TEST(Frames, ComeBackTurnedByTheAreaTheTangentsEnclose) {
    const int n = 400;
    for (float lift : {0.0f, 0.5f}) {
        std::vector<Vec3> x;
        for (int i = 0; i < n; ++i) {
            const float a = 2 * kPi * float(i) / n;
            x.push_back({std::cos(a), std::sin(a), lift * std::sin(2 * a)});
        }
        FrameMemory memory;
        std::vector<Quatf> frames;
        carryFrames(x, true, memory, frames);
        if (lift == 0) {
            EXPECT_NEAR(memory.closure, 0, 1e-3);
        }
        // The frames are as smooth at the seam as elsewhere.
        const Quatf seam = conjugate(frames[n - 1]) * frames[0];
        EXPECT_LT(length(log(normalize(seam))), 0.06f) << lift;
        for (int i = 1; i < n; ++i)
            EXPECT_LT(length(log(normalize(conjugate(frames[std::size_t(i) - 1]) * frames[i]))), 0.06f);
    }
}

// The curve rotates through all directions in small steps. The first frame never jumps.
TEST(Frames, GoOnFromPictureToPicture) {
    FrameMemory memory;
    std::vector<Quatf> frames;
    Quatf before = Quatf::identity();
    for (int k = 0; k < 1000; ++k) {
        const float a = 0.02f * float(k), b = 0.013f * float(k);
        const Vec3 d = {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)};
        const std::vector<Vec3> x = {{0, 0, 0}, d};
        carryFrames(x, false, memory, frames);
        EXPECT_LT(length(axisZ(frames[0]) - d), 1e-5f);
        if (k > 0) {
            EXPECT_LT(length(log(normalize(conjugate(before) * frames[0]))), 0.05f) << k;
        }
        before = frames[0];
    }
}

TEST(Tube, HasTheAreaAndVolumeOfATorus) {
    std::vector<Vec3> x;
    const int n = 256;
    for (int i = 0; i < n; ++i)
        x.push_back({2 * std::cos(2 * kPi * float(i) / n), 2 * std::sin(2 * kPi * float(i) / n), 0});
    const SurfaceMesh mesh = tubeAround(x, true, 0.5f, 64);
    const double truth = 2 * std::numbers::pi * std::numbers::pi * 2 * 0.25;
    EXPECT_NEAR(volumeOf(mesh), truth, 0.01 * truth);
}

TEST(Ribbon, FacesTheViewer) {
    const std::vector<Vec3> x = straight(5, 1);
    FrameMemory memory;
    std::vector<Quatf> frames;
    carryFrames(x, false, memory, frames);
    const Vec3 eye = {7, 3, 0.5f};
    SurfaceMesh mesh;
    makeRibbon(x, frames, 0.1f, &eye, mesh);
    ASSERT_EQ(mesh.vertices.size(), 10u);
    ASSERT_EQ(mesh.triangles.size(), 8u);
    EXPECT_NEAR(length(mesh.vertices[1] - mesh.vertices[0]), 0.1f, 1e-6f); // at the root
    EXPECT_NEAR(length(mesh.vertices[9] - mesh.vertices[8]), 0, 1e-6f);    // at the tip
    for (std::size_t i = 0; i < 10; ++i) {
        const Vec3 view = normalize(eye - x[i / 2]), across = view - view.z * Vec3{0, 0, 1};
        EXPECT_GT(dot(mesh.normals[i], normalize(across)), 0.999f);
    }
}

TEST(RopeSkin, FollowsTheNodesItLiesOn) {
    const std::vector<Point> nodes = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 2, 1}};
    const std::vector<SkinWeights> w = ropeWeights(std::vector<Vec3>{{1, 0, 0.25f}, {0, 1, 2}}, nodes, false);
    EXPECT_EQ(w[0].bone[0], 0);
    EXPECT_FLOAT_EQ(w[0].weight[0], 0.75f);
    EXPECT_FLOAT_EQ(w[0].weight[1], 0.25f);
    EXPECT_EQ(w[1].bone[1], 2);
    EXPECT_FLOAT_EQ(w[1].weight[1], 1);
}

} // namespace
} // namespace capstan
