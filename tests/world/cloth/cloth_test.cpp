// SPDX-License-Identifier: MIT
// Tests of cloth in a World: the calls of a user, physical properties, and Defs that are refused.
#include <tests/world/worlds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

ClothDef sheet(int cells, float size = 1) {
    ClothDef d;
    d.origin = {0, 1, 0};
    d.edgeU = {size, 0, 0};
    d.edgeV = {0, 0, size};
    d.cellsU = d.cellsV = cells;
    return d;
}

std::string refused(const ClothDef& d) {
    World world;
    Result<ClothId> id = world.tryAdd(d);
    return id ? "" : id.error().where;
}

TEST(ClothDefs, RefuseWhatIsNoCloth) {
    ClothDef mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    EXPECT_EQ(refused(mesh), "");
    auto with = [&](auto&& change) {
        ClothDef d = mesh;
        change(d);
        return refused(d);
    };
    EXPECT_EQ(with([](ClothDef& d) { d.triangles.push_back({0, 1, 4}); }), "/triangles/2");
    EXPECT_EQ(with([](ClothDef& d) { d.triangles[1] = {1, 1, 2}; }), "/triangles/1");
    // The triangle has no area.
    EXPECT_EQ(with([](ClothDef& d) { d.points[3] = {0.5f, 0, 0.5f}; }), "/triangles/1");
    // No triangle uses the point.
    EXPECT_EQ(with([](ClothDef& d) { d.points.push_back({5, 0, 0}); }), "/points/4");
    EXPECT_EQ(with([](ClothDef& d) {
                  d.points.push_back({1, 0, 0});
                  d.triangles.push_back({4, 3, 2});
              }),
              "/points/4"); // the point coincides with point 1
    EXPECT_EQ(with([](ClothDef& d) {
                  d.points.push_back({2, 1, 0});
                  d.triangles.push_back({1, 2, 4});
              }),
              "/triangles/2"); // three triangles share an edge
    EXPECT_EQ(with([](ClothDef& d) { d.triangles.clear(); }), "/triangles");
    EXPECT_EQ(with([](ClothDef& d) { d.points.clear(); }), "/points");
    EXPECT_EQ(with([](ClothDef& d) { d.pins = {4}; }), "/pins/0");
    EXPECT_EQ(with([](ClothDef& d) { d.wind = {1, 0, 0}; }), "/drag");
    EXPECT_EQ(with([](ClothDef& d) { d.density = 0; }), "/density");
    EXPECT_EQ(with([](ClothDef& d) { d.points[0].x = std::nanf(""); }), "/points/0");
    EXPECT_EQ(with([](ClothDef& d) { d.attachments = {{.vertex = 0, .body = "nobody"}}; }),
              "/attachments/0/body");
    ClothDef grid = sheet(4);
    grid.edgeV = {2, 0, 0};
    EXPECT_EQ(refused(grid), "/edgeV");
    grid = sheet(4);
    grid.stretchStiffness = 100;
    EXPECT_EQ(refused(grid), "/shearStiffness");
    ClothDef one;
    one.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    one.triangles = {{0, 1, 2}};
    one.bendStiffness = 1;
    EXPECT_EQ(refused(one), "/bendStiffness");
}

TEST(ClothDefs, AHoleIsFine) {
    ClothDef mesh; // a ring of eight triangles
    for (int k = 0; k < 4; ++k) {
        const float c[] = {1, 0, -1, 0}, s[] = {0, 1, 0, -1};
        mesh.points.push_back({c[k], 0, s[k]});
        mesh.points.push_back({2 * c[k], 0, 2 * s[k]});
        const int a = 2 * k, b = 2 * ((k + 1) % 4);
        mesh.triangles.push_back({a, a + 1, b});
        mesh.triangles.push_back({a + 1, b + 1, b});
    }
    EXPECT_EQ(refused(mesh), "");
}

TEST(Cloth, FallsFreelyAsOnePiece) {
    World world({.substeps = 4});
    ClothDef d = sheet(8);
    d.bendStiffness = 1e-3f;
    const ClothId id = world.add(d);
    for (int i = 0; i < 30; ++i) world.step(1.0f / 60);
    const double t = 0.5, h = 1.0 / 240, drop = 0.5 * 9.81 * t * (t + h); // fall by symplectic Euler
    for (const Point& p : world.positions(id)) EXPECT_NEAR(double(p.y), 1 - drop, 1e-4);
    EXPECT_LT(world.maxStrain(id), 1e-5f);
}

TEST(Cloth, MassIsThatOfItsArea) {
    World world;
    ClothDef d = sheet(7);
    d.density = 0.3f;
    double mass = 0;
    const ClothId id = world.add(d);
    for (const Point& v : world.velocities(id)) mass += double(v.w);
    EXPECT_NEAR(mass, 0.3, 1e-6);
}

// Benchmark W3: the strain of the edges after two seconds.
TEST(Cloth, OfW3DoesNotStretch) {
    World world({.substeps = 5, .contact = false});
    ClothDef d = hungSheet(32);
    d.mass = 1;
    const ClothId id = world.add(d);
    for (int i = 0; i < 120; ++i) world.step(1.0f / 60);
    EXPECT_LE(world.maxStrain(id), 0.10f);
    EXPECT_LE(world.meanStrain(id), 0.005f);
}

TEST(Cloth, PinsArriveWhereTheyAreTold) {
    World world;
    ClothDef d = sheet(6);
    d.pins = {0, 6};
    const ClothId id = world.add(d);
    world.pin({id, 0}, {0.1f, 1.2f, 0.3f});
    world.step(1.0f / 60);
    EXPECT_EQ(Vec3(world.positions(id)[0]), (Vec3{0.1f, 1.2f, 0.3f}));
    world.unpin({id, 0});
    EXPECT_GT(world.positions(id)[0].w, 0);
    for (int i = 0; i < 30; ++i) world.step(1.0f / 60);
    EXPECT_LT(world.positions(id)[0].y, 1.1f);
}

TEST(Cloth, AttachedVerticesGoWithBodiesAndRopes) {
    World world;
    const BodyId body = world.add(
        BodyDef{.type = BodyType::Kinematic, .shape = Box{{0.1f, 0.1f, 0.1f}}, .position = {0, 2, 0}});
    const RopeId rope = world.add(RopeDef{.from = {1, 1, 0}, .to = {1, 2, 0}, .segments = 4, .pins = {0, 4}});
    ClothDef d = sheet(4);
    const ClothId id = world.add(d);
    world.attach({id, 0}, {body, Vec3{0, 0, 0}}).value();
    world.attach({id, 4}, {rope, 0}).value();
    world.moveTo(body, {{0, 2.5f, 0}, Quatf::identity()});
    world.pin({rope, 0}, {1.1f, 1, 0});
    world.step(1.0f / 60);
    EXPECT_NEAR(world.positions(id)[0].y, 1.5f, 1e-5f);
    EXPECT_NEAR(world.positions(id)[4].x, 1.1f, 1e-5f);
    world.remove(body);
    world.step(1.0f / 60);
    EXPECT_GT(world.positions(id)[0].w, 0); // removing the body releases the vertices
}

TEST(Cloth, DoesNotPassThroughAThinPlateAtAnySpeed) {
    for (const float speed : {2.0f, 20.0f, 200.0f}) {
        World world({.gravity = {0, 0, 0}, .substeps = 2});
        world.add(BodyDef{.type = BodyType::Static, .shape = Box{{3, 0.001f, 3}}});
        ClothDef d = sheet(8);
        d.origin = {-0.5f, 0.3f, -0.5f};
        d.velocity = {0, -speed, 0};
        const ClothId id = world.add(d);
        for (int i = 0; i < 60; ++i) world.step(1.0f / 60);
        for (const Point& p : world.positions(id)) EXPECT_GT(p.y, 0) << speed;
    }
}

TEST(Cloth, RestsOnASlopeBelowItsFrictionAngleAndSlidesAboveIt) {
    for (const bool holds : {true, false}) {
        World world({.substeps = 8});
        // The slopes have the tangents 0.203 and 0.546; the friction is 0.36.
        const float angle = holds ? 0.2f : 0.5f;
        const float half = 0.5f * angle;
        world.add(BodyDef{.type = BodyType::Static,
                          .shape = Plane{},
                          .rotation = {0, 0, std::sin(half), std::cos(half)},
                          .material = {.friction = 0.36f}});
        ClothDef d = sheet(6, 0.5f);
        d.origin = {0, 0.0021f, 0};
        d.edgeU = {0.5f * std::cos(angle), 0.5f * std::sin(angle), 0};
        d.material.friction = 0.36f;
        d.selfContact = false;
        const ClothId id = world.add(d);
        for (int i = 0; i < 30; ++i) world.step(1.0f / 60);
        const Vec3 settled = world.positions(id)[0];
        for (int i = 0; i < 60; ++i) world.step(1.0f / 60);
        const float slid = length(Vec3(world.positions(id)[0]) - settled);
        if (holds)
            EXPECT_LT(slid, 1e-3f);
        else
            EXPECT_GT(slid, 0.3f);
    }
}

// Returns whether an edge passes through a triangle. A sheet falls on its edge and folds on itself; after each step
// no edge may pass through a triangle.
bool pierced(std::span<const Point> x, std::span<const std::array<int, 3>> triangles) {
    const auto at = [&](int i) { return widen(Vec3(x[i])); };
    const auto volume = [](Vec3d a, Vec3d b, Vec3d c, Vec3d d) { return dot(cross(b - a, c - a), d - a); };
    for (const auto& t : triangles)
        for (const auto& u : triangles) {
            bool apart = true;
            for (int i : t)
                for (int j : u) apart = apart && i != j;
            if (!apart) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d p = at(u[k]), q = at(u[(k + 1) % 3]), a = at(t[0]), b = at(t[1]), c = at(t[2]);
                const double e = 1e-10, vp = volume(a, b, c, p),
                             vq = volume(a, b, c, q); // m^3; the threshold 1e-10 is above rounding
                if (!(vp * vq < 0) || std::abs(vp) < e || std::abs(vq) < e) continue;
                const double v = volume(p, q, a, b), y = volume(p, q, b, c), z = volume(p, q, c, a);
                if ((v > e && y > e && z > e) || (v < -e && y < -e && z < -e)) return true;
            }
        }
    return false;
}

TEST(Cloth, FoldsOnItselfWithoutPassingThrough) {
    for (const bool contact : {true, false}) {
        World world({.substeps = 8});
        world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
        ClothDef d;
        d.origin = {-0.1f, 0.02f, 0};
        d.edgeU = {0.2f, 0, 0};
        d.edgeV = {0, 0.5f, 0.05f};
        d.cellsU = 4;
        d.cellsV = 14;
        d.shearStiffness = 50;
        d.bendStiffness = 5e-5f;
        d.thickness = 0.01f;
        d.selfContact = contact;
        const ClothId id = world.add(d);
        bool through = false;
        for (int i = 0; i < 90; ++i) {
            world.step(1.0f / 60);
            through = through || pierced(world.positions(id), world.triangles(id));
        }
        EXPECT_EQ(through, !contact); // without contact the check must find an edge that passes through
    }
}

TEST(Cloth, TearsAcrossThePullAndLosesNothing) {
    World world({.gravity = {0, 0, 0}, .substeps = 4});
    ClothDef d = sheet(8);
    d.stretchStiffness = 200;
    d.shearStiffness = 50;
    d.tearStrain = 0.2f;
    for (int j = 0; j <= 8; ++j) {
        d.pins.push_back(9 * j);
        d.pins.push_back(9 * j + 8);
    }
    const ClothId id = world.add(d);
    const std::size_t triangles = world.triangles(id).size();
    int tears = 0;
    for (int i = 1; i <= 60; ++i) {
        for (int j = 0; j <= 8; ++j) world.pin({id, 9 * j + 8}, {1 + float(i) / 60, 1, float(j) / 8});
        world.step(1.0f / 60);
        for (const Event& e : world.events()) tears += e.kind == Event::Kind::Tore && e.a.as<ClothId>() == id;
    }
    EXPECT_GT(tears, 4);
    EXPECT_EQ(world.triangles(id).size(), triangles);
    EXPECT_EQ(world.positions(id).size(), 81u + std::size_t(tears));
    double mass = 0;
    for (const Point& v : world.velocities(id)) mass += double(v.w);
    EXPECT_NEAR(mass, 0.2, 1e-6);
}

TEST(Cloth, WindCarriesItAlong) {
    World world({.gravity = {0, 0, 0}, .substeps = 4});
    ClothDef d = sheet(4);
    d.wind = {0, 5, 0};
    d.drag = 1.2f;
    const ClothId id = world.add(d);
    for (int i = 0; i < 600; ++i) world.step(1.0f / 60);
    EXPECT_NEAR(world.velocities(id)[12].y, 5, 0.3); // a flat plate reaches the velocity of the air
}

TEST(Cloth, IdsSnapshotsAndMisuse) {
    World world;
    ClothDef d = sheet(4);
    d.name = "flag";
    d.pins = {0};
    const ClothId id = world.add(d);
    EXPECT_EQ(world.find<ClothId>("flag"), id);
    EXPECT_FALSE(world.tryAdd(d));
    for (int i = 0; i < 5; ++i) world.step(1.0f / 60);
    const Snapshot then = world.snapshot();
    for (int i = 0; i < 20; ++i) world.step(1.0f / 60);
    const std::uint64_t hash = world.hash();
    world.restore(then);
    for (int i = 0; i < 20; ++i) world.step(1.0f / 60);
    EXPECT_EQ(world.hash(), hash);
    world.remove(id);
    EXPECT_FALSE(world.isValid(id));
    CountChecks checks;
    world.applyImpulse({id, 0}, {1, 0, 0});
    const ClothId other = world.add(sheet(2));
    EXPECT_NE(other, id);
    world.pin({other, 9}, {0, 0, 0});
    world.setWind(other, {1, 0, 0});
    EXPECT_EQ(checks.count(), 3);
}

// v = J / m for a vertex with a larger mass, pinned or not. A sheet with a smaller stretch stiffness hangs lower.
TEST(Cloths, MassesAndMaterialCanBeChanged) {
    World world;
    ClothDef d = sheet(6);
    d.edgeV = {0, -1, 0};
    d.pins = {0, 6};
    d.stretchStiffness = 2000;
    d.shearStiffness = 500;
    d.damping = 3;
    const ClothId id = world.add(d);
    const float bare = world.mass({id, 30});
    world.setMass({id, 30}, 0.5f);
    world.applyImpulse({id, 30}, {0, 0, 1});
    EXPECT_FLOAT_EQ(world.velocities(id)[30].z, 2);
    world.setMass({id, 0}, 0.3f);
    EXPECT_EQ(world.positions(id)[0].w, 0); // the vertex is still pinned
    world.unpin({id, 0});
    EXPECT_FLOAT_EQ(world.positions(id)[0].w, 1 / 0.3f);
    world.pin({id, 0}, {0, 1, 0});
    {
        ClothDef changed = world.def(id);
        changed.density = 0.4f;
        ASSERT_TRUE(world.update(id, changed));
    } // the masses are by area again
    EXPECT_FLOAT_EQ(world.mass({id, 30}), 2 * bare);
    auto lowest = [&] {
        for (int i = 0; i < 240; ++i) world.step(1 / 60.0f);
        float low = 1;
        for (const Point& p : world.positions(id)) low = std::min(low, p.y);
        return low;
    };
    const float before = lowest();
    {
        ClothDef changed = world.def(id);
        changed.stretchStiffness = 200;
        changed.shearStiffness = 50;
        ASSERT_TRUE(world.update(id, changed));
    }
    EXPECT_LT(lowest(), before - 0.005f);
    {
        ClothDef changed = world.def(id);
        changed.shearStiffness = 0;
        EXPECT_EQ(world.update(id, changed).error().where, "/shearStiffness");
    }
    {
        ClothDef changed = world.def(id);
        changed.cellsU = 7;
        EXPECT_FALSE(world.update(id, changed));
    }
    EXPECT_EQ(world.def(id).cellsU, 6);
    CountChecks checks;
    world.setMass({id, 30}, 0);
    world.setMass({id, 999}, 1);
    EXPECT_EQ(checks.count(), 2);
}

} // namespace
} // namespace capstan
