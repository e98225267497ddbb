// SPDX-License-Identifier: MIT
// Tests that no object passes through another, at any speed. They compute the linking number of closed curves, an
// integer that only a pass can change. It depends only on the first and the last state, not on the motion within a
// step. Open curves are closed by detours far outside. For walls the tests check on which side the nodes are.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

constexpr float kThin = 0.002f; // m; at 200 m/s and 64 substeps per frame, a node moves 26 radii per substep

int linking(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    const Result<int> n = linkingNumber(a, b);
    EXPECT_TRUE(n.has_value()) << n.error().what;
    return n.has_value() ? *n : 9999;
}

// Closes a curve: straight on beyond both ends along y or z, and around via x = detour.
std::vector<Vec3d> closed(std::vector<Vec3d> x, double Vec3d::*axis, double detour) {
    const double beyond = x.front().*axis < x.back().*axis ? 90 : -90;
    Vec3d after = x.back(), before = x.front();
    after.*axis = beyond;
    before.*axis = -beyond;
    Vec3d after2 = after, before2 = before;
    after2.x = before2.x = detour;
    x.insert(x.end(), {after, after2, before2, before});
    return x;
}

// Returns the linking number of a line along z and a rope along y that starts at x < 0. It is 0 until the rope
// passes.
int passed(const std::vector<Vec3d>& line, const std::vector<Vec3d>& rope) {
    return linking(closed(line, &Vec3d::z, 90), closed(rope, &Vec3d::y, -90));
}

// Returns how many moves the step bound truncated. The rope along y is pinned at both ends and moved over the other
// rope. Its pins approach each other, so that half of its length reaches from a pin to the crossing.
int cutsOfDrag(float speed, unsigned seed) {
    Random random(seed);
    const float tilt = narrow(random.between(-0.1, 0.1));
    World w(weightless());
    RopeDef fixed = straight({0, -tilt, -0.5f}, {0, tilt, 0.5f}, 40, kThin);
    fixed.pins = {first, last};
    RopeDef dragged = straight({-0.03f, -0.5f, -tilt}, {-0.03f, 0.5f, tilt}, 40, kThin);
    dragged.pins = {first, last};
    const RopeId a = w.add(fixed), b = w.add(dragged);
    const float step = std::max(0.01f, speed / 480), goal = 0.35f;
    int cuts = 0, still = 0;
    for (float x = -0.03f; still < 20; still += x == goal) {
        x = std::min(goal, x + step);
        const float y = 0.97f * std::sqrt(0.25f - x * x);
        w.pin({b, first}, {x, -y, -tilt});
        w.pin({b, last}, {x, y, tilt});
        cuts += w.step(step / speed).truncated;
        EXPECT_EQ(passed(positions(w, a), positions(w, b)), 0)
            << speed << " m/s, seed " << seed << ", hands at " << x;
        if (testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(w.report().quarantined, 0);
    EXPECT_NEAR(at(w, b, first).x, goal, 0.02) << speed; // the pin has arrived
    return cuts;
}

TEST(TouchThrough, ARopeDraggedOverARopeDoesNotPass) {
    int cuts = 0;
    for (const float speed : {1.0f, 10.0f, 50.0f, 200.0f})
        for (unsigned seed : {1u, 2u}) cuts += cutsOfDrag(speed, seed);
    EXPECT_GT(cuts, 0); // without truncated moves the rope would have passed
}

// The drag of the previous test without contact: the ropes pass. So the test can detect a pass.
TEST(TouchThrough, WithoutContactItDoes) {
    WorldDef def = weightless();
    def.contact = false;
    World w(def);
    RopeDef fixed = straight({0, 0, -0.5f}, {0, 0, 0.5f}, 40);
    fixed.pins = {first, last};
    RopeDef thrown = straight({-0.1f, -0.5f, 0}, {-0.1f, 0.5f, 0}, 40);
    thrown.velocity = {10, 0, 0};
    const RopeId a = w.add(fixed), b = w.add(thrown);
    for (int frame = 0; frame < 5; ++frame) w.step(1.0f / 60);
    EXPECT_EQ(std::abs(passed(positions(w, a), positions(w, b))), 1);
}

// Free rings with random velocities, at 60 frames per second. They move from a tenth of a radius to hundreds of radii
// per substep.
TEST(TouchThrough, ThrownRingsKeepTheirLinkingNumber) {
    int cuts = 0;
    for (const float speed : {1.0f, 20.0f, 200.0f}) {
        for (unsigned seed : {1u, 2u, 3u}) {
            Random random(seed);
            World w(weightless());
            const Vec3 e = random.direction(), f = normalize(perpendicular(e)), n = cross(e, f);
            const bool linked = seed != 1;
            const RopeId a = w.add(ring({0, 0, 0}, e, f, 0.2f, 40, kThin));
            RopeDef other = ring((linked ? 0.2f : 0.6f) * e, e, n, 0.2f, 40, kThin);
            other.velocity = speed * (linked ? random.direction() : -e);
            const RopeId b = w.add(other);
            const int before = linking(positions(w, a), positions(w, b));
            ASSERT_EQ(std::abs(before), int(linked));
            for (int frame = 0; frame < 12; ++frame) {
                cuts += w.step(kFrame).truncated;
                ASSERT_EQ(linking(positions(w, a), positions(w, b)), before)
                    << speed << " m/s, seed " << seed << ", frame " << frame;
            }
            EXPECT_LT(topSpeed(w), 3 * speed + 1);
        }
    }
    EXPECT_GT(cuts, 0);
}

TEST(TouchThrough, LinkedRingsStayLinkedUnderRandomForces) {
    World w;
    w.add(floorAt(-0.5f));
    RopeDef one = ring({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0.2f, 40);
    one.bendStiffness = 0.001f;
    const RopeId a = w.add(one), b = w.add(ring({0.2f, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.2f, 40));
    const int before = linking(positions(w, a), positions(w, b));
    Random random(7);
    for (int frame = 0; frame < 200; ++frame) {
        for (RopeId r : {a, b}) {
            const Vec3 force = narrow(random.between(0, 20)) * random.direction(); // the weight is about 4 N
            for (int k = 0; k < 8; ++k) w.applyForce({r, int(random.between(0, 40))}, force);
        }
        w.step(kFrame);
        ASSERT_EQ(linking(positions(w, a), positions(w, b)), before) << frame;
    }
    EXPECT_LT(topSpeed(w), 50);
    EXPECT_LT(w.report().maxStretch, 0.01);
}

// Throws a rope at a wall of 4 m x 4 m, so that nothing goes around it.
void throwAtWall(const BodyDef& wall, float speed) {
    for (unsigned seed : {1u, 2u, 3u}) {
        Random random(seed);
        World w(weightless());
        w.add(wall);
        const Vec3 along = random.direction();
        RopeDef d = straight(Vec3{-0.6f, 0, 0} - 0.3f * along, Vec3{-0.6f, 0, 0} + 0.3f * along, 30, kThin);
        d.velocity = {speed, 0, 0};
        const RopeId rope = w.add(d);
        for (int frame = 0; frame < 12; ++frame) {
            w.step(kFrame);
            for (const Vec3d x : positions(w, rope))
                ASSERT_LT(x.x, 0) << "seed " << seed << ", frame " << frame;
        }
        EXPECT_LT(topSpeed(w), 1.5 * speed); // without restitution a wall only deflects the motion
        EXPECT_EQ(w.report().quarantined, 0);
    }
}

TEST(TouchThrough, ARopeDoesNotPassAThinBox) {
    BodyDef wall;
    wall.type = BodyType::Static;
    wall.shape = Box{{0.004f, 4, 4}};
    for (const float speed : {10.0f, 100.0f}) throwAtWall(wall, speed);
}

TEST(TouchThrough, ARopeDoesNotPassATriangle) {
    BodyDef wall;
    wall.type = BodyType::Static;
    wall.shape = Mesh{{{0, -3, -4}, {0, 5, 0}, {0, -3, 4}}, {{0, 1, 2}}};
    for (const float speed : {10.0f, 100.0f}) throwAtWall(wall, speed);
}

TEST(TouchThrough, ARopeDoesNotPassAPlaneOrItsNeighbourEdges) {
    BodyDef plane = floorAt();
    plane.rotation = fromTo(Vec3{0, 1, 0}, Vec3{-1, 0, 0});
    throwAtWall(plane, 100);
    BodyDef fan; // eight triangles share the point that the rope hits
    fan.type = BodyType::Static;
    Mesh mesh;
    mesh.points.push_back({0, 0, 0});
    for (int k = 0; k < 8; ++k) {
        mesh.points.push_back({0, narrow(3 * std::cos(k * std::numbers::pi / 4)),
                               narrow(3 * std::sin(k * std::numbers::pi / 4))});
        mesh.triangles.push_back({0, k + 1, (k + 1) % 8 + 1});
    }
    fan.shape = mesh;
    throwAtWall(fan, 100);
}

// A bar along z moves against a rope along y that is pinned at both ends: the drag above with exchanged roles.
TEST(TouchThrough, AKinematicBarCarriesARope) {
    for (const float speed : {3.0f, 20.0f, 60.0f}) {
        World w(weightless());
        BodyDef bar = poleAlongZ({-0.05f, 0, 0}, 0.02f, 2, 0.3f);
        bar.type = BodyType::Kinematic;
        const BodyId b = w.add(bar);
        RopeDef d = straight({0, -0.5f, 0}, {0, 0.5f, 0}, 40, kThin);
        d.pins = {first, last};
        const RopeId rope = w.add(d);
        const float goal = 0.3f;
        int still = 0;
        for (float x = -0.05f; still < 20; still += x == goal) {
            x = std::min(goal, x + speed / 240);
            const float y = 0.93f * std::sqrt(0.25f - x * x);
            w.pin({rope, first}, {0, -y, 0});
            w.pin({rope, last}, {0, y, 0});
            w.moveTo(b, {{x, 0, 0}});
            w.step(1.0f / 240);
            const double bx = -widen(w.pose(b).position.x);
            std::vector<Vec3d> mirrored = positions(w, rope);
            for (Vec3d& p : mirrored) p.x = -p.x;
            ASSERT_EQ(passed({{bx, 0, -1}, {bx, 0, 1}}, mirrored), 0) << speed << " m/s, bar at " << x;
        }
        EXPECT_NEAR(w.pose(b).position.x, goal, 0.01f) << speed; // the bar has arrived
        EXPECT_LT(w.report().maxStretch, 0.01);
    }
}

} // namespace
} // namespace capstan
