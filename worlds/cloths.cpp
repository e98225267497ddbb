// SPDX-License-Identifier: MIT
// Generated worlds of cloth, alone and in contact: materials, wind, tearing, folds, all shapes, ropes, other
// cloth.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

PerFrame materials(World& w) {
    for (int k = 0; k < 8; ++k) {
        ClothDef d;
        d.origin = {1.2f * float(k), 2, 0};
        d.edgeU = {1, 0, 0};
        d.edgeV = {0, -0.3f, 0.9f};
        d.cellsU = 5 + k;
        d.cellsV = 6 + k % 3;
        d.pins = {0, 5 + k};
        if (k % 2) d.stretchStiffness = 400;
        if (k % 3 || k % 2) d.shearStiffness = 30;
        if (k % 4 == 3) d.bendStiffness = 1e-3f;
        if (k % 4 == 1) d.bendStiffness = 0.2f;
        if (k % 5 == 2) {
            d.wind = {0, 1, 4};
            d.drag = 1.2f;
        }
        d.solver = k % 3 == 2 ? ClothSolver::Jacobi : ClothSolver::GaussSeidel;
        d.iterations = 1 + k % 4;
        d.tethers = k % 4;
        d.damping = 0.3f * float(k % 3);
        d.selfContact = k < 6;
        w.add(d);
    }
    return [](World& world, int frame) {
        const std::vector<ClothId> c = world.ids<ClothId>();
        world.pin({c[0], 0}, {0.2f * narrow(std::sin(0.1 * frame)), 2, 0});
        if (frame == 30) {
            world.unpin({c[1], 0});
            world.setMass({c[2], 10}, 0.2f);
        }
        if (frame == 40) world.setWind(c[2], {3, 0, -3});
        if (frame % 20 == 7) {
            world.applyImpulse({c[3], 20}, {0, 0.01f, 0});
            world.setVelocity({c[4], 30}, {0, 1, 0});
        }
        world.applyForce({c[5], 25}, {0, 0, 0.5f});
        if (frame == 60) {
            ClothDef changed = world.def(c[6]);
            changed.stretchStiffness = 100;
            changed.bendStiffness = 0;
            changed.density = 0.4f;
            (void)world.update(c[6], changed);
        }
        if (frame == 80) {
            ClothDef changed = world.def(c[7]);
            changed.solver = ClothSolver::GaussSeidel;
            changed.iterations = 5;
            (void)world.update(c[7], changed);
        }
    };
}

// Sheets from meshes: a fan of triangles, and a strip with one more triangle at its first edge.
PerFrame meshes(World& w) {
    ClothDef fan;
    fan.points.push_back({0, 1, 0});
    for (int k = 0; k <= 12; ++k) {
        const double a = 2 * kPi * k / 13;
        fan.points.push_back({narrow(0.5 * std::cos(a)), 1, narrow(0.5 * std::sin(a))});
        if (k > 0) fan.triangles.push_back({0, k + 1, k});
    }
    fan.stretchStiffness = 1000;
    fan.bendStiffness = 1e-4f;
    fan.pins = {0};
    w.add(fan);
    ClothDef strip;
    for (int k = 0; k < 8; ++k) strip.points.push_back({2 + 0.1f * float(k / 2), 1, 0.1f * float(k % 2)});
    for (int k = 0; k + 2 < 8; ++k) strip.triangles.push_back({k, k + 1, k + 2});
    strip.points.push_back({2.2f, 1.2f, 0.05f});
    strip.triangles.push_back({0, 1, 8});
    strip.pins = {0, -1};
    w.add(strip);
    w.add(floorAt(0.6f));
    return {};
}

PerFrame tearing(World& w) {
    for (int k = 0; k < 3; ++k) {
        ClothDef d = sheet(6, 1, 2);
        d.origin.x += 1.5f * float(k);
        d.tearStrain = 0.1f + 0.1f * float(k);
        d.stretchStiffness = k == 2 ? 0 : 300.0f;
        d.pins = {0, 6, 42, 48};
        w.add(d);
    }
    BodyDef ball;
    ball.shape = Sphere{0.1f};
    ball.mass = 2;
    ball.position = {0, 2.4f, 0};
    ball.velocity = {0, -4, 0};
    w.add(ball);
    return [](World& world, int frame) {
        const std::vector<ClothId> c = world.ids<ClothId>();
        world.pin({c[1], 0}, {1 - 0.01f * float(frame), 2, -0.5f - 0.01f * float(frame)});
        if (frame < 90) world.pin({c[2], 48}, {3.5f + 0.006f * float(frame), 2, 0.5f});
    };
}

PerFrame onShapes(World& w) {
    w.add(floorAt());
    ShapeDef shapes[] = {Box{{0.4f, 0.4f, 0.4f}}, Sphere{0.25f}, Capsule{0.15f, 0.3f}, Cylinder{0.2f, 0.4f},
                         Hull{{{-0.2f, -0.2f, -0.2f}, {0.3f, -0.2f, 0}, {0, -0.2f, 0.3f}, {0, 0.3f, 0}}}};
    for (int k = 0; k < 6; ++k) {
        BodyDef b;
        b.position = {1.2f * float(k), 0.3f, 0};
        b.type = k % 3 == 2 ? BodyType::Dynamic : BodyType::Static;
        if (k < 5) b.shape = shapes[k];
        if (k == 5) {
            b.type = BodyType::Static;
            b.shape = Mesh{{{-0.3f, 0, -0.3f}, {0.3f, 0, -0.3f}, {0, 0, 0.4f}, {0, 0.3f, 0}},
                           {{0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
        }
        w.add(b);
        ClothDef d = sheet(10, 0.9f, 0.75f);
        d.origin.x += 1.2f * float(k);
        d.material.friction = 0.2f * float(k);
        d.solver = k % 2 ? ClothSolver::Jacobi : ClothSolver::GaussSeidel;
        w.add(d);
    }
    return {};
}

PerFrame folding(World& w) {
    w.add(floorAt());
    ClothDef d;
    d.origin = {0, 0.05f, 0};
    d.edgeU = {0.3f, 0, 0.02f};
    d.edgeV = {0, 0.8f, 0.03f};
    d.cellsU = 6;
    d.cellsV = 16;
    d.bendStiffness = 1e-4f;
    d.shearStiffness = 20;
    w.add(d);
    ClothDef other = sheet(8, 0.6f, 1);
    other.velocity = {0.2f, -1, 0};
    w.add(other);
    return {};
}

// Layers of cloth with ropes above and below, and bodies that are thrown into a framed sheet.
PerFrame catching(World& w) {
    ClothDef net = sheet(12, 1, 1);
    for (int k = 0; k <= 12; ++k) net.pins.insert(net.pins.end(), {k, 156 + k, 13 * k, 13 * k + 12});
    std::sort(net.pins.begin(), net.pins.end());
    net.pins.erase(std::unique(net.pins.begin(), net.pins.end()), net.pins.end());
    w.add(net);
    w.add(sheet(8, 0.5f, 1.2f));
    w.add(straight({-0.3f, 1.1f, 0}, {0.3f, 1.1f, 0.1f}, 24));
    RopeDef under = straight({-0.8f, 0.8f, 0.1f}, {0.8f, 0.8f, 0}, 30);
    under.pins = {first, last};
    w.add(under);
    w.add(ring({0, 1.3f, 0}, {1, 0, 0}, {0, 0, 1}, 0.15f, 24));
    BodyDef quick = box({0.1f, 1.8f, 0.1f}, 0.5f, {0.15f, 0.15f, 0.15f});
    quick.velocity = {0, -15, 0};
    w.add(quick);
    quick.shape = Sphere{0.1f};
    quick.position = {-0.2f, 1.6f, -0.2f};
    w.add(quick);
    const BodyId hand = w.add(ofType(BodyType::Kinematic, box({0.3f, 0.6f, 0.3f}, 1, {0.1f, 0.1f, 0.1f})));
    return [hand](World& world, int frame) {
        world.moveTo(hand, {{0.3f, 0.6f + 0.4f * narrow(std::sin(0.05 * frame)), 0.3f}});
    };
}

PerFrame quarantined(World& w) {
    const ClothId a = w.add(sheet(6, 0.5f, 1)), b = w.add(sheet(6, 0.5f, 2));
    (void)b;
    return [a](World& world, int frame) {
        if (frame == 10) world.setVelocity({a, 20}, {3e38f, 3e38f, 3e38f});
    };
}

} // namespace

void addClothWorlds(List& list) {
    WorldDef apart, near;
    apart.contact = false;
    near.minSeparationRatio = 0.5f;
    list.push_back({"cloth/materials", materials, {}, 120});
    list.push_back({"cloth/materials_apart", materials, apart, 120});
    list.push_back({"cloth/meshes", meshes});
    list.push_back({"cloth/tearing", tearing, {}, 90});
    list.push_back({"cloth/on_shapes", onShapes, {}, 120});
    list.push_back({"cloth/folding", folding});
    list.push_back({"cloth/catching", catching});
    list.push_back({"cloth/catching_near", catching, near, 120});
    list.push_back({"cloth/quarantined", quarantined, {}, 90});
}

} // namespace capstan::worlds
