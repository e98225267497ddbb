// SPDX-License-Identifier: MIT
// Tests of the parts of the renderer that need no GL: cameras, meshes of solids, collected drawables, debug drawing.
// Expected values come from geometry and statics.
#include <capstan/debug_draw.hpp>
#include <render/view/camera.hpp>
#include <render/view/collect.hpp>
#include <render/view/shape_meshes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace capstan::render {
namespace {

constexpr float kPi = 3.14159265f;

TEST(Mat4, InverseUndoesTheMatrix) {
    const Camera c = Camera::at({3, 2, 5}, {0, 1, 0});
    const Mat4 m = c.projection(1.5f) * c.view(), product = inverse(m) * m;
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(product.m[i], i % 5 == 0 ? 1 : 0, 2e-4) << i;
}

TEST(Camera, ARayThroughAPixelMeetsWhatIsDrawnThere) {
    const Camera c = Camera::at({3, 2, 5}, {0.2f, 1, -0.5f}, 0.9f);
    for (Vec3 p : {Vec3{0, 0, 0}, Vec3{1, 1.5f, -2}, Vec3{-1, 0.3f, 1}}) {
        const Pixel at = c.project(p, 640, 360);
        ASSERT_TRUE(at.visible);
        const Ray ray = c.ray(at.x, at.y, 640, 360);
        const Vec3 d = p - ray.from;
        EXPECT_NEAR(length(cross(d, ray.direction)), 0, 1e-4f);
        EXPECT_GT(dot(d, ray.direction), 0);
        // Camera::projection and Camera::view map the point to the pixel of Camera::project.
        const Vec4 q = c.projection(640 / 360.0f) * (c.view() * Vec4{p.x, p.y, p.z, 1});
        EXPECT_NEAR(0.5f * (q.x / q.w + 1) * 640, at.x, 0.02f);
        EXPECT_NEAR(0.5f * (1 - q.y / q.w) * 360, at.y, 0.02f);
    }
    EXPECT_FALSE(c.project(c.eye() - c.forward(), 640, 360).visible);
}

TEST(Camera, FramingTakesInTheWholeBox) {
    const Vec3 lower = {-2, 0, -1}, upper = {3, 7, 0.5f};
    for (float aspect : {0.5f, 1.0f, 2.0f}) {
        const Camera c = Camera::framing(lower, upper, aspect, 0.9f, 0.4f);
        for (int i = 0; i < 8; ++i) {
            const Vec3 p = {i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z};
            const Pixel at = c.project(p, 100 * aspect, 100);
            EXPECT_TRUE(at.visible && at.x > 0 && at.x < 100 * aspect && at.y > 0 && at.y < 100);
        }
    }
}

TEST(Camera, APanMovesTheTargetWithTheMouse) {
    Camera c = Camera::at({0, 1, 4}, {0, 1, 0});
    const Vec3 grabbed = c.target;
    c.pan(30, -20, 360);
    const Pixel at = c.project(grabbed, 640, 360);
    EXPECT_NEAR(at.x, 320 + 30, 0.1f);
    EXPECT_NEAR(at.y, 180 - 20, 0.1f);
}

// Returns the volume by the divergence theorem. It is positive only if all triangles face outwards.
double volume(const Solid& s, int detail) {
    const ShapeMesh m = shapeMesh(s.kind, detail);
    const Scaled size = scaled(s);
    double sum = 0;
    const auto corner = [&](std::size_t i) {
        const ShapeVertex& v = m.vertices[m.indices[i]];
        return widen(multiply(v.core, size.core) + size.rounding * v.normal);
    };
    for (std::size_t i = 0; i < m.indices.size(); i += 3)
        sum += dot(corner(i), cross(corner(i + 1), corner(i + 2))) / 6;
    return sum;
}

TEST(ShapeMesh, HasTheVolumeOfItsShape) {
    Solid s;
    s.kind = SolidKind::Box;
    s.size = {1, 2, 3};
    EXPECT_NEAR(volume(s, 2), 6, 0.01); // edges are rounded by 2 cm
    s.kind = SolidKind::Sphere;
    s.size = {0.5f, 0, 0};
    EXPECT_NEAR(volume(s, 2) / (4 / 3.0 * kPi * 0.125), 1, 0.02);
    s.kind = SolidKind::Capsule;
    s.size = {0.5f, 2, 0};
    EXPECT_NEAR(volume(s, 2) / (4 / 3.0 * kPi * 0.125 + kPi * 0.25 * 2), 1, 0.02);
    s.kind = SolidKind::Cylinder;
    s.size = {0.5f, 2, 0};
    EXPECT_NEAR(volume(s, 2) / (kPi * 0.25 * 2), 1, 0.02);
    for (SolidKind kind : {SolidKind::Box, SolidKind::Sphere, SolidKind::Capsule, SolidKind::Cylinder}) {
        s.kind = kind;
        s.size = {0.5f, 2, 1};
        EXPECT_GT(volume(s, 1), 0.8 * volume(s, 2));
    }
}

TEST(Geometry, EdgesOfACubeStaySharpAndThoseOfASphereDoNot) {
    Geometry cube;
    for (int i = 0; i < 8; ++i) cube.points.push_back({i & 1 ? 1.0f : 0, i & 2 ? 1.0f : 0, i & 4 ? 1.0f : 0});
    cube.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 4, 6}, {0, 6, 2},
                      {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}};
    for (const FlatVertex& v : flatVertices(cube)) {
        const Vec3 n = abs(v.normal);
        EXPECT_NEAR(std::max({n.x, n.y, n.z}), 1, 1e-6f);
    }
    const ShapeMesh ball = shapeMesh(SolidKind::Sphere, 2);
    Geometry sphere; // without the duplicate vertices of the seam
    std::vector<int> at;
    for (const ShapeVertex& v : ball.vertices) {
        std::size_t k = 0;
        while (k < sphere.points.size() && length(sphere.points[k] - v.normal) > 1e-4f) ++k;
        if (k == sphere.points.size()) sphere.points.push_back(v.normal);
        at.push_back(int(k));
    }
    for (std::size_t i = 0; i < ball.indices.size(); i += 3) {
        const int a = at[ball.indices[i]], b = at[ball.indices[i + 1]], c = at[ball.indices[i + 2]];
        if (a != b && b != c && c != a) sphere.triangles.push_back({a, b, c});
    }
    for (const FlatVertex& v : flatVertices(sphere)) EXPECT_GT(dot(v.normal, v.position), 0.99f);
}

TEST(Collector, HeatIsTheTensionInNewtons) {
    World world;
    RopeDef d{.from = {0, 3, 0}, .to = {0, 1, 0}, .segments = 10, .mass = 1};
    d.pins = {first};
    d.loads = {{last, 9}};
    d.damping = 2;
    world.add(d);
    for (int i = 0; i < 240; ++i) world.step(1 / 60.0f);
    SceneView view;
    Collector collector;
    CollectOptions options;
    options.heat = Heat::Tension;
    collector.collect(world, view, options);
    ASSERT_EQ(view.tubeHeat.size(), 11u);
    // The first segment carries the load and all of the rope except half a segment.
    EXPECT_NEAR(view.heatHigh, 9.81f * (9 + 0.95f), 0.2f);
    EXPECT_NEAR(view.tubeHeat[10] * view.heatHigh, 9.81f * (9 + 0.05f), 0.2f);
    EXPECT_EQ(view.tubeHeat[0], 1);
    options.heatHigh = 1000;
    collector.collect(world, view, options);
    EXPECT_NEAR(view.tubeHeat[0], 9.81f * 9.95f / 1000, 2e-4f);
    EXPECT_EQ(view.solids.size(), 2u); // the bolt at the pin and the ball of the load
    // The load is 9 kg of iron of 7800 kg/m^3.
    EXPECT_NEAR(view.solids[1].size.x, std::cbrt(3 * 9 / (4 * kPi * 7800)), 1e-4f);
}

TEST(Collector, HeatOfContactSumsToTheWeight) {
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    RopeDef d{.from = {0, 0.02f, 0}, .to = {1, 0.02f, 0}, .segments = 10, .radius = 0.02f, .mass = 2};
    world.add(d);
    for (int i = 0; i < 120; ++i) world.step(1 / 60.0f);
    SceneView view;
    Collector collector;
    CollectOptions options;
    options.heat = Heat::ContactForce;
    collector.collect(world, view, options);
    float sum = 0;
    for (float h : view.tubeHeat) sum += h * view.heatHigh;
    EXPECT_NEAR(sum, 2 * 9.81f, 0.3f);
    EXPECT_EQ(view.groundHeight, 0);
    EXPECT_TRUE(view.solids.empty()); // the horizontal plane is drawn as the ground, not as a solid
}

TEST(Collector, KeepsTheIdOfWhatIsThereFromFrameToFrame) {
    World world;
    const RopeId a = world.add(RopeDef{.from = {0, 1, 0}, .to = {1, 1, 0}});
    world.add(RopeDef{.from = {0, 2, 0}, .to = {1, 2, 0}});
    SceneView view;
    Collector collector;
    collector.collect(world, view);
    ASSERT_EQ(view.tubes.size(), 2u);
    const std::uint64_t gone = view.tubes[0].id, second = view.tubes[1].id;
    EXPECT_NE(gone, second);
    world.remove(a);
    collector.collect(world, view);
    ASSERT_EQ(view.tubes.size(), 1u);
    EXPECT_EQ(view.tubes[0].id, second);
    world.add(RopeDef{.from = {0, 1, 0}, .to = {1, 1, 0}}); // another rope in the slot of the first one
    collector.collect(world, view);
    ASSERT_EQ(view.tubes.size(), 2u);
    for (const Tube& t : view.tubes) EXPECT_NE(t.id, gone);
}

// Records the calls of debug drawing.
class Notes : public DebugDraw {
public:
    struct Stroke {
        Vec3 from, to;
    };
    std::vector<Stroke> lines;
    std::vector<Vec3> points;
    std::vector<std::string> words;
    void line(Vec3 from, Vec3 to, Vec3) override { lines.push_back({from, to}); }
    void point(Vec3 at, float, Vec3) override { points.push_back(at); }
    void text(Vec3, std::string_view text, Vec3) override { words.emplace_back(text); }
};

TEST(DebugDraw, ArrowsOfContactsCarryTheWeight) {
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    world.add(BodyDef{.shape = Box{{0.4f, 0.2f, 0.4f}}, .mass = 10, .position = {0, 0.1f, 0}});
    for (int i = 0; i < 120; ++i) world.step(1 / 60.0f);
    DebugDrawOptions options;
    options.contacts = true;
    options.forceScale = 0.02f;
    Notes notes;
    drawDebug(world, notes, options);
    ASSERT_FALSE(notes.points.empty());
    // Arrows begin at a contact and point up. Their lengths sum to m g.
    float up = 0;
    for (const Notes::Stroke& l : notes.lines)
        for (Vec3 p : notes.points)
            if (l.from == p && l.to.y > p.y + 1e-3f) up += l.to.y - l.from.y;
    EXPECT_NEAR(up / 0.02f, 10 * 9.81f, 1);
    EXPECT_FALSE(notes.words.empty());
}

TEST(DebugDraw, BoundsOfATurnedCylinder) {
    World world;
    // The cylinder is along (1, 1, 0) / sqrt 2. Half the edges of its bounding box are 0.707 (half length + radius)
    // in x and y, and the radius in z.
    world.add(BodyDef{.shape = Cylinder{0.1f, 1},
                      .position = {1, 2, 3},
                      .rotation = Quatf::fromAxisAngle({0, 0, 1}, -kPi / 4)});
    DebugDrawOptions options;
    options.bounds = true;
    Notes notes;
    drawDebug(world, notes, options);
    ASSERT_EQ(notes.lines.size(), 12u);
    Vec3 lower = {1e9f, 1e9f, 1e9f}, upper = -lower;
    for (const Notes::Stroke& l : notes.lines) {
        lower = min(lower, min(l.from, l.to));
        upper = max(upper, max(l.from, l.to));
    }
    const float half = 0.6f * std::sqrt(0.5f);
    EXPECT_NEAR(length(lower - Vec3{1 - half, 2 - half, 2.9f}), 0, 1e-5f);
    EXPECT_NEAR(length(upper - Vec3{1 + half, 2 + half, 3.1f}), 0, 1e-5f);
}

TEST(DebugDraw, FramesOfAJointAreCarriedByBothSides) {
    World world;
    const BodyId bar = world.add(BodyDef{.shape = Box{{1, 0.1f, 0.1f}}, .mass = 1, .position = {0.5f, 2, 0}});
    const JointId hinge = world.add(JointDef{.type = JointType::Hinge,
                                             .body1 = bar,
                                             .anchor = {0, 2, 0},
                                             .axis = {0, 0, 1},
                                             .turn = {.min = -1.2f}});
    for (int i = 0; i < 20; ++i) world.step(1 / 60.0f);
    const Transform a = world.jointFrame(hinge, 0), b = world.jointFrame(hinge, 1);
    EXPECT_NEAR(length(a.position - Vec3{0, 2, 0}), 0, 1e-5f);
    EXPECT_NEAR(length(b.position - a.position), 0, 1e-4f);
    // Side 1 has rotated about the x axis of the joint frame by the angle that jointForces() returns.
    const float angle = std::atan2(dot(cross(axisY(a.rotation), axisY(b.rotation)), axisX(a.rotation)),
                                   dot(axisY(a.rotation), axisY(b.rotation)));
    EXPECT_LT(world.jointForces(hinge).angle, -0.1f);
    EXPECT_NEAR(angle, world.jointForces(hinge).angle, 1e-4f);
    DebugDrawOptions options;
    options.jointFrames = options.jointLimits = true;
    Notes notes;
    drawDebug(world, notes, options);
    EXPECT_GT(notes.lines.size(), 6u);

    const RopeId rope = world.add(RopeDef{.from = {0, 5, 0}, .to = {1, 5, 0}});
    const JointId drag = world.add(
        JointDef{.type = JointType::Drag, .rope = rope, .node = last, .distance = {.compliance = 0.01f}});
    world.setTarget(drag, {2, 6, 0});
    EXPECT_EQ(world.jointFrame(drag, 0).position, (Vec3{2, 6, 0}));
    EXPECT_NEAR(length(world.jointFrame(drag, 1).position - Vec3{1, 5, 0}), 0, 1e-5f);
}

TEST(DebugDraw, NothingAskedForNothingDrawn) {
    World world;
    world.add(RopeDef{.from = {0, 1, 0}, .to = {1, 1, 0}});
    Notes notes;
    drawDebug(world, notes, {});
    EXPECT_TRUE(notes.lines.empty() && notes.points.empty() && notes.words.empty());
    DebugDrawOptions options;
    options.nodes = options.tangles = true;
    Tangle tangle;
    tangle.phase = TanglePhase::Formed;
    tangle.sign = -1;
    tangle.wrapAngle = kPi / 2;
    drawDebug(world, notes, options, std::span(&tangle, 1));
    EXPECT_EQ(notes.points.size(), 33u + 1u); // one per node, and one for the tangle
    ASSERT_EQ(notes.words.size(), 1u);
    EXPECT_EQ(notes.words[0], "- 90 deg");
}

} // namespace
} // namespace capstan::render
