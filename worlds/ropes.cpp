// SPDX-License-Identifier: MIT
// Generated worlds of ropes without contact: materials, rings, winches, cuts, breaks, pinned nodes and
// impulses.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

RopeDef hung(float z, int segments = 24) {
    RopeDef d = straight({0, 2, z}, {1, 2, z}, segments);
    d.pins = {first};
    return d;
}

PerFrame ropeMaterials(World& w) {
    for (int k = 0; k < 12; ++k) {
        RopeDef d = hung(0.2f * float(k), 8 + 5 * k);
        if (k % 3 == 1) d.stretchStiffness = 500.0f * float(k);
        if (k % 4 >= 2) d.bendStiffness = 0.002f * float(k);
        if (k % 5 == 4) d.maxBend = 0.3f;
        if (k % 6 == 5) d.damping = 2;
        if (k % 2) {
            d.clamps = {{first, {1, 0, 0}}};
            d.pins = {};
        }
        if (k == 7) d.clamps.push_back({last, {1, 0.5f, 0}});
        if (k == 8) d.pins = {first, last, 10};
        if (k == 9) d.loads = {{last, 50}, {4, 0.5f}};
        if (k == 10) {
            d.length = 1.3f;
            d.pins = {first, last};
        }
        w.add(d);
    }
    return {};
}

PerFrame rings(World& w) {
    for (int k = 0; k < 6; ++k) {
        RopeDef d = ring({0.6f * float(k), 1, 0}, {1, 0, 0}, {0, 0.8f, 0.6f}, 0.2f, 16 + 7 * k);
        d.velocity = {0, 2, 0};
        if (k % 2) d.stretchStiffness = 300;
        if (k % 3 == 2) d.bendStiffness = 0.001f;
        if (k == 3) d.pins = {0, 5};
        if (k == 4) {
            d.pins = {3};
            d.maxBend = 0.4f;
        }
        w.add(d);
    }
    return [](World& world, int frame) {
        for (RopeId r : world.ids<RopeId>())
            if (frame < 30) world.applyForce({r, 1}, {0.05f * float(frame), 0, 0.1f});
    };
}

// Winches at the ends pay out and reel in, also against a load, and change direction.
PerFrame winches(World& w) {
    std::vector<RopeId> ropes;
    for (int k = 0; k < 5; ++k) {
        RopeDef d = hung(0.3f * float(k));
        d.pins = {first, last};
        if (k == 1) {
            d.pins = {first};
            d.loads = {{last, 2}};
        }
        if (k == 2) d.stretchStiffness = 2000;
        if (k == 3) d.bendStiffness = 0.01f;
        ropes.push_back(w.add(d));
        w.setWinchSpeed(ropes.back(), k % 2 ? first : last, k < 3 ? 0.4f : -0.2f);
    }
    return [ropes](World& world, int frame) {
        if (frame == 50) world.setWinchSpeed(ropes[0], last, -0.9f);
        if (frame == 60) {
            world.setWinchSpeed(ropes[1], first, -0.5f);
            world.setWinchSpeed(ropes[2], first, 0.3f);
        }
        if (frame == 90) world.setWinchSpeed(ropes[1], first, 0);
    };
}

PerFrame cuts(World& w) {
    std::vector<RopeId> ropes;
    for (int k = 0; k < 4; ++k) {
        RopeDef d = hung(0.3f * float(k), 30);
        if (k == 1) {
            d.bendStiffness = 0.01f;
            d.clamps = {{first, {1, 0, 0}}};
            d.pins = {};
        }
        if (k == 2) {
            d.stretchStiffness = 1000;
            d.pins = {first, last};
        }
        ropes.push_back(w.add(d));
    }
    ropes.push_back(w.add(ring({0.5f, 1, 2}, {1, 0, 0}, {0, 1, 0}, 0.3f, 36)));
    return [ropes](World& world, int frame) {
        if (frame == 10) {
            world.cut(ropes[0], 12);
            world.cut(ropes[4], 7);
        }
        if (frame == 20) {
            world.cut(ropes[1], 5);
            world.cut(ropes[2], 15);
            world.cut(ropes[3], 0);
        }
        if (frame == 40) {
            world.cut(ropes[4], 20);
            world.cut(ropes[0], 6);
        }
    };
}

PerFrame breaks(World& w) {
    for (int k = 0; k < 5; ++k) {
        RopeDef d = hung(0.3f * float(k), 20 + k);
        d.breakTension = 20;
        d.loads = {{last, 1.0f + float(k)}};
        if (k == 3) d.stretchStiffness = 3000;
        w.add(d);
    }
    RopeDef loop = ring({0.5f, 1, 2}, {1, 0, 0}, {0, 1, 0}, 0.3f, 36);
    loop.breakTension = 15;
    loop.pins = {0};
    const RopeId opened = w.add(loop);
    return [opened](World& world, int frame) {
        if (frame > 20 && world.positions(opened).size() > 18)
            world.applyForce({opened, 18}, {0, -2.0f * float(frame), 0});
    };
}

PerFrame ropeHands(World& w) {
    const RopeId a = w.add(hung(0)), b = w.add(hung(0.5f)), c = w.add(hung(1));
    return [a, b, c](World& world, int frame) {
        const double t = frame / 60.0;
        world.pin({a, first}, {narrow(0.5 * std::sin(6 * t)), 2 + narrow(0.3 * std::sin(11 * t)), 0});
        if (frame == 20) world.pin({b, last}, world.positions(b).back());
        if (frame > 20 && frame < 60) world.pin({b, last}, Vec3{1, 1.5f + 0.01f * float(frame), 0.5f});
        if (frame == 60) {
            world.unpin({b, last});
            world.unpin({b, first});
        }
        if (frame % 25 == 4) world.applyImpulse({c, 12}, {0.1f, 0.3f, 0});
        world.applyForce({c, last}, {0, narrow(2 * std::sin(9 * t)), 0.5f});
        if (frame == 75) world.setVelocity({c, 20}, {0, 5, 0});
    };
}

PerFrame edits(World& w) {
    std::vector<RopeId> ropes;
    for (int k = 0; k < 4; ++k) ropes.push_back(w.add(hung(0.3f * float(k))));
    return [ropes](World& world, int frame) mutable {
        if (frame == 20) {
            RopeDef changed = world.def(ropes[0]);
            changed.bendStiffness = 0.01f;
            changed.mass = 2;
            (void)world.update(ropes[0], changed);
        }
        if (frame == 30) {
            RopeDef changed = world.def(ropes[1]);
            changed.stretchStiffness = 800;
            changed.damping = 1;
            (void)world.update(ropes[1], changed);
        }
        if (frame == 40) {
            RopeDef changed = world.def(ropes[2]);
            changed.solver = Solver::GaussSeidel;
            changed.iterations = 8;
            (void)world.update(ropes[2], changed);
        }
        if (frame == 50) {
            world.remove(ropes[3]);
            ropes[3] = world.add(hung(0.9f, 40));
        }
        if (frame == 60) world.remove(ropes[0]);
        if (frame == 70) {
            RopeDef changed = world.def(ropes[2]);
            changed.solver = Solver::Chain;
            (void)world.update(ropes[2], changed);
        }
    };
}

// The state of a rope overflows. The rope is quarantined, and all other objects continue.
PerFrame ropeQuarantined(World& w) {
    const RopeId a = w.add(hung(0)), b = w.add(hung(0.3f));
    const BodyId c = w.add(box({0, 0, 0})), d = w.add(box({5, 0, 0}));
    (void)b;
    return [a, c, d](World& world, int frame) {
        if (frame == 5) world.setVelocity({a, 10}, {3e38f, -3e38f, 3e38f});
        if (frame == 10) world.setVelocity(c, {3e38f, 3e38f, 0});
        if (frame == 15) world.setAngularVelocity(d, {3e38f, 3e38f, 3e38f});
    };
}

// Loads of up to 10,000 times a node's mass, and set velocities, so that Newton's method starts far from the
// solution.
PerFrame violent(World& w) {
    for (int k = 0; k < 4; ++k) {
        RopeDef d = hundredNodes(k % 2 ? 1000.0f : 10.0f, false, float(k));
        d.segments = 40;
        if (k >= 2) d.stretchStiffness = 1e4f;
        w.add(d);
    }
    RopeDef stiff = hung(5, 30);
    stiff.bendStiffness = 5;
    stiff.clamps = {{first, {1, 0, 0}}};
    stiff.pins = {};
    w.add(stiff);
    return [](World& world, int frame) {
        if (frame % 20 != 10) return;
        Random random{unsigned(frame)};
        for (RopeId r : world.ids<RopeId>()) world.setVelocity({r, 15}, random.vector(double(frame) * 10));
    };
}

} // namespace

void addRopeWorlds(List& list) {
    WorldDef apart, one, many;
    apart.contact = false;
    one.contact = false;
    one.substeps = 1;
    one.damping = 0.2f;
    list.push_back({"rope/materials", ropeMaterials});
    list.push_back({"rope/materials_apart", ropeMaterials, apart});
    list.push_back({"rope/materials_one_substep", ropeMaterials, one});
    list.push_back({"rope/rings", rings, apart});
    list.push_back({"rope/winches", winches});
    list.push_back({"rope/cuts", cuts});
    list.push_back({"rope/breaks", breaks, apart});
    list.push_back({"rope/hands", ropeHands, apart});
    list.push_back({"rope/edits", edits});
    list.push_back({"rope/quarantined", ropeQuarantined});
    list.push_back({"rope/violent", violent, apart, 120});
}

} // namespace capstan::worlds
