// SPDX-License-Identifier: MIT
// Generated worlds of bodies in contact: piles of all shapes, restitution, slopes, meshes, filters, kinematic bodies,
// and bodies that are jammed.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

Hull wedge(float size) {
    return {{{0, 0, 0},
             {size, 0, 0},
             {0, size, 0},
             {0, 0, size},
             {size, size, 0.2f * size},
             {0.3f * size, 0.1f * size, -0.4f * size}}};
}

BodyDef ofShape(int kind, Vec3 at, float size) {
    BodyDef d;
    d.position = at;
    d.density = 500;
    switch (kind % 6) {
    case 0:
        d.shape = Box{{size, 0.7f * size, 0.5f * size}};
        break;
    case 1:
        d.shape = Sphere{0.5f * size};
        break;
    case 2:
        d.shape = Capsule{0.3f * size, size};
        break;
    case 3:
        d.shape = Cylinder{0.4f * size, 0.7f * size};
        break;
    case 4:
        d.shape = wedge(size);
        break;
    default: // a hammer: a compound of a capsule, a box and a sphere
        d.shape = ShapeDef(Capsule{0.1f * size, size});
        d.parts = {ShapeDef(Box{{0.6f * size, 0.3f * size, 0.3f * size}}).at({0, 0.6f * size, 0}),
                   ShapeDef(Sphere{0.2f * size}).at({0, -0.6f * size, 0})};
    }
    return d;
}

BodyDef ground() { // hills as a triangle mesh
    Mesh m;
    constexpr int n = 7;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            m.points.push_back(
                {float(i) - 3, 0.4f * narrow(std::sin(i * 1.3) * std::cos(j * 1.7)), float(j) - 3});
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int k = j * n + i;
            m.triangles.push_back({k, k + n, k + 1});
            m.triangles.push_back({k + 1, k + n, k + n + 1});
        }
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = m;
    return d;
}

PerFrame pile(World& w, int count, bool onMesh) {
    w.add(onMesh ? ground() : floorAt());
    Random random(11);
    for (int k = 0; k < count; ++k) {
        const float x = random.number(-0.4, 0.4), z = random.number(-0.4, 0.4);
        BodyDef d = ofShape(k, {x, 0.6f + 0.3f * float(k), z}, 0.3f);
        d.rotation = fromTo(Vec3{0, 1, 0}, random.direction());
        d.material.friction = random.number(0, 1);
        d.material.staticFriction = k % 2 ? 1.0f : 0;
        w.add(d);
    }
    return {};
}

PerFrame bounces(World& w) {
    w.add(floorAt());
    for (int k = 0; k < 12; ++k) {
        BodyDef d = ofShape(k, {float(k), 1 + 0.1f * float(k), 0}, 0.4f);
        d.material.restitution = 0.08f * float(k);
        d.velocity = {0.5f, 0, 0};
        d.angularVelocity = {0, 0, float(k)};
        w.add(d);
    }
    return {};
}

PerFrame slope(World& w) {
    BodyDef plane = floorAt();
    plane.rotation = Quatf::fromAxisAngle({0, 0, 1}, -0.5f);
    w.add(plane);
    for (int k = 0; k < 8; ++k) {
        BodyDef d = box({0.1f, 0.12f, 0.5f * float(k)}, 1);
        d.rotation = plane.rotation;
        d.material.friction = 0.2f * float(k);
        d.material.staticFriction = k % 2 ? 0.6f : 0;
        if (k >= 6) {
            d.shape = Cylinder{0.1f, 0.2f};
            d.rotation = Quatf::fromAxisAngle({1, 0, 0}, 1.5707963f);
        }
        w.add(d);
    }
    return {};
}

PerFrame stack(World& w) {
    w.add(floorAt());
    for (int k = 0; k < 8; ++k) w.add(box({0, 0.1f + 0.2f * float(k), 0}, k == 7 ? 20.0f : 1));
    for (int k = 0; k < 4; ++k) {
        BodyDef d = box({1, 0.15f + 0.31f * float(k), 0}, 1, {1 - 0.2f * float(k), 0.3f, 0.4f});
        w.add(d);
    }
    return [](World& world, int frame) {
        if (frame == 90) world.applyImpulse(world.ids<BodyId>()[3], {3, 0, 1});
    };
}

// Filter categories without contact, a joint whose two bodies collide, and a kinematic body that pushes.
PerFrame layers(World& w) {
    w.add(floorAt());
    for (int k = 0; k < 6; ++k) {
        BodyDef d = box({0, 0.2f + 0.25f * float(k), 0}, 1);
        d.filter.category = 1u << (k % 3);
        if (k % 3 == 1) d.filter.mask = ~1u;
        if (k % 3 == 2) d.filter.mask = ~6u;
        w.add(d);
    }
    const BodyId a = w.add(box({1, 0.3f, 0}, 1)), b = w.add(box({1.15f, 0.3f, 0}, 1));
    JointDef d = joint(JointType::Hinge, a, b, {1.1f, 0.4f, 0}, {0, 0, 1});
    d.collideConnected = true;
    w.add(d);
    RopeDef rope = straight({-0.5f, 2, 0}, {0.5f, 2, 0}, 20);
    rope.filter.category = 1u << 4;
    rope.filter.mask = ~(1u | 1u << 4);
    w.add(rope);
    const BodyId hand = w.add(ofType(BodyType::Kinematic, box({-1, 0.3f, 0}, 1, {0.2f, 0.6f, 1})));
    return [hand](World& world, int frame) {
        const Quatf turn = Quatf::fromAxisAngle({0, 1, 0}, 0.02f * float(frame));
        world.moveTo(hand, {{-1 + 0.01f * float(frame), 0.3f, 0}, turn});
        if (frame == 100) {
            BodyDef changed = world.def(world.ids<BodyId>()[1]);
            changed.filter.mask = ~7u;
            changed.material.friction = 0;
            (void)world.update(world.ids<BodyId>()[1], changed);
        }
    };
}

// Fast bodies hit walls, bodies overlap at the start, and a kinematic body presses bodies to the floor.
PerFrame stuck(World& w) {
    w.add(floorAt());
    w.add(ofType(BodyType::Static, box({3, 1, 0}, 1, {0.05f, 2, 4})));
    for (int k = 0; k < 5; ++k) {
        BodyDef d = ofShape(k, {0, 0.4f, 0.5f * float(k) - 1}, 0.2f);
        d.velocity = {10.0f * narrow(std::pow(4.0, k % 4)), 0, 0};
        w.add(d);
    }
    for (int k = 0; k < 6; ++k) w.add(ofShape(k, {-1 + 0.05f * float(k), 0.15f, 0.1f * float(k)}, 0.3f));
    const BodyId press = w.add(ofType(BodyType::Kinematic, box({-1, 1.2f, 0}, 1, {1, 0.2f, 2})));
    return [press](World& world, int frame) {
        world.moveTo(press, {{-1, std::max(1.2f - 0.02f * float(frame), 0.15f), 0}});
    };
}

// Single bodies: rotation about the middle axis of inertia, impulses at points, forces, damping, and a teleport.
PerFrame free(World& w) {
    for (int k = 0; k < 6; ++k) {
        BodyDef d = ofShape(k, {float(k), 0, 0}, 0.4f);
        d.angularVelocity = {0.01f, 5, 0.02f};
        d.damping = 0.1f * float(k % 2);
        if (k == 0) {
            d.inertia = {0.01f, 0.02f, 0.03f};
            d.mass = 2;
        }
        if (k == 1) d.centerOfMass = Vec3{0.1f, 0, 0.02f};
        w.add(d);
    }
    return [](World& world, int frame) {
        const std::vector<BodyId> b = world.ids<BodyId>();
        if (frame % 20 == 3) {
            world.applyImpulse(b[2], {1, 0, 0});
            world.applyImpulse(b[3], {0, 1, 0}, {3, 0.2f, 0});
        }
        if (frame < 50) {
            world.applyForce(b[4], {0, 5, 0});
            world.applyForce(b[5], {1, 5, 0}, {5, 0, 0.3f});
            world.applyTorque(b[0], {0.1f, 0, 0});
        }
        if (frame == 60) {
            world.applyAngularImpulse(b[1], {0, 0.2f, 0.1f});
            world.setVelocity(b[2], {0, 3, 0});
            world.setAngularVelocity(b[3], {1, 2, 3});
        }
        if (frame == 70) world.teleport(b[4], {{0, 5, 0}, Quatf::fromAxisAngle({1, 0, 0}, 1)});
    };
}

} // namespace

void addBodyWorlds(List& list) {
    WorldDef near;
    near.minSeparationRatio = 0.8f;
    list.push_back({"body/pile", [](World& w) { return pile(w, 24, false); }});
    list.push_back({"body/pile_on_mesh", [](World& w) { return pile(w, 12, true); }});
    list.push_back({"body/bounces", bounces});
    list.push_back({"body/slope", slope, {}, 120});
    list.push_back({"body/stack", stack});
    list.push_back({"body/layers", layers});
    list.push_back({"body/stuck", stuck, {}, 90});
    list.push_back({"body/stuck_near", stuck, near, 60});
    list.push_back({"body/free", free, weightless(), 120});
}

} // namespace capstan::worlds
