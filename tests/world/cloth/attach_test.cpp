// SPDX-License-Identifier: MIT
// Tests of cloth that is attached to bodies and ropes, and of the forces of cloth that are reported. Expected values
// are weights, momentum and the catenary with a load.
#include <tests/watched.hpp>

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;

double wide(float a) { return static_cast<double>(a); }

ClothDef hanging(int cells, float size) {
    ClothDef d;
    d.edgeU = {size, 0, 0};
    d.edgeV = {0, -size, 0};
    d.cellsU = d.cellsV = cells;
    d.shearStiffness = 20;
    d.damping = 1;
    return d;
}

Vec3d momentum(const World& world, ClothId cloth) {
    Vec3d sum = {0, 0, 0};
    for (const Point& v : world.velocities(cloth)) sum = sum + wide(v.w) * widen(Vec3(v));
    return sum;
}

// Without gravity the sheet gains the momentum that the body loses. The world has two substeps, because each substep
// rounds the sheet's floats, and these roundings are the whole loss.
TEST(ClothAttach, AFreeBodyAndASheetKeepTheirMomentum) {
    for (const ClothSolver solver : {ClothSolver::GaussSeidel, ClothSolver::Jacobi})
        for (const float ratio : {0.1f, 1.0f, 100.0f}) {
            World world({.gravity = {0, 0, 0}, .substeps = 2});
            ClothDef d = hanging(16, 1);
            d.damping = 0;
            d.selfContact = false;
            d.filter.mask = ~(1u << 1);
            d.solver = solver;
            const ClothId cloth = world.add(d);
            const BodyId body = world.add(BodyDef{.shape = Box{{0.05f, 0.05f, 0.05f}},
                                                  .mass = 0.2f * ratio,
                                                  .position = {1.05f, 0, 0},
                                                  .velocity = {1, 6, 3},
                                                  .filter = {.category = 1u << 1}});
            world.attach({cloth, 16}, {body, Vec3{0, 0, 0}}).value();
            const Vec3d start = wide(0.2f * ratio) * widen(world.velocity(body));
            double worst = 0;
            for (int i = 0; i < 60; ++i) {
                world.step(kFrame);
                const Vec3d now = wide(0.2f * ratio) * widen(world.velocity(body)) + momentum(world, cloth);
                worst = std::max(worst, length(now - start) / length(start));
            }
            EXPECT_LT(worst, 1e-5) << "body of " << ratio << " times the sheet";
            EXPECT_GT(length(momentum(world, cloth)), 0.02 * length(start) / (1 + wide(ratio)));
        }
}

// Two ropes hold the sheet's upper corners, and a body hangs on a lower corner. All objects come to rest, and the
// ropes carry the weight.
TEST(ClothAttach, WhatHangsOnACornerHangsThere) {
    for (const float ratio : {0.1f, 1.0f, 100.0f}) {
        World world({.substeps = 8});
        ClothDef d = hanging(8, 1);
        d.mass = 0.2f;
        d.filter.mask = ~(1u << 1);
        RopeId rope[2];
        for (int k = 0; k < 2; ++k) {
            const float x = float(k);
            rope[k] = world.add(RopeDef{.from = {x, 0.5f, 0},
                                        .to = {x, 0, 0},
                                        .segments = 10,
                                        .mass = 0.02f,
                                        .damping = 2,
                                        .pins = {0}});
            d.attachments.push_back({.vertex = 8 * k, .rope = rope[k], .node = 10});
        }
        const float mass = 0.2f * ratio;
        const BodyId body = world.add(BodyDef{.shape = Sphere{0.05f},
                                              .mass = mass,
                                              .position = {1, -1.05f, 0},
                                              .damping = 2,
                                              .filter = {.category = 1u << 1}});
        const ClothId cloth = world.add(d);
        world.attach({cloth, -1}, {body, Vec3{0, 0, 0}}).value();
        for (int i = 0; i < frames(420, 30); ++i) world.step(kFrame);
        if (kWatched) continue; // the shorter run under a sanitizer does not come to rest
        double up = 0;
        for (const RopeId r : rope) {
            const auto x = world.positions(r);
            up += wide(world.tensions(r)[0]) * wide(x[0].y - x[1].y) / wide(length(Vec3(x[1]) - Vec3(x[0])));
        }
        // The pinned node carries half a segment, which is not in the tension.
        const double weight = 9.81 * (0.2 + wide(mass) + 2 * 0.02 * 0.95);
        EXPECT_NEAR(up, weight, 0.01 * weight) << ratio;
        EXPECT_LT(length(world.velocity(body)), 0.05f) << ratio;
        EXPECT_GT(world.pose(body).position.y, -1.35f) << ratio;
        EXPECT_LT(world.meanStrain(cloth), 0.01f) << ratio;
    }
}

// A rope of length 2 l over a span of 2 s, with a load W in its middle, is two arcs of a catenary. With its
// horizontal tension H, its weight per length w, V0 = W / 2 and V1 = V0 + w l,
//     s = H/w (asinh(V1/H) - asinh(V0/H)),   sag = H/w (sqrt(1 + (V1/H)^2) - sqrt(1 + (V0/H)^2))
TEST(ClothAttach, ARopeSagsUnderTheSheetThatHangsOnIt) {
    for (const float mass : {0.05f, 0.2f, 2.0f}) {
        World world({.substeps = 8});
        const RopeId rope = world.add(RopeDef{.from = {-1, 0, 0},
                                              .to = {1, 0, 0},
                                              .segments = 40,
                                              .length = 2.2f,
                                              .radius = 0.005f,
                                              .mass = 0.2f,
                                              .damping = 2,
                                              .pins = {0, 40}});
        for (int i = 0; i < 120; ++i) world.step(kFrame);
        ClothDef d = hanging(6, 0.5f);
        d.origin = Vec3(world.positions(rope)[20]);
        d.mass = mass;
        const ClothId cloth = world.add(d);
        world.attach({cloth, 0}, {rope, 20}).value();
        for (int i = 0; i < frames(420, 30); ++i) world.step(kFrame);
        if (kWatched) continue; // the shorter run under a sanitizer does not come to rest
        const double w = 0.2 * 9.81 / 2.2, l = 1.1, s = 1, v0 = 0.5 * 9.81 * wide(mass), v1 = v0 + w * l;
        double low = 1e-3, high = 1e4;
        for (int i = 0; i < 100; ++i) {
            const double H = std::sqrt(low * high);
            (H / w * (std::asinh(v1 / H) - std::asinh(v0 / H)) < s ? low : high) = H;
        }
        const double sag =
            low / w * (std::sqrt(1 + v1 * v1 / low / low) - std::sqrt(1 + v0 * v0 / low / low));
        EXPECT_NEAR(wide(world.positions(rope)[20].y), -sag, 0.002 * sag) << mass << " kg";
        EXPECT_NEAR(wide(world.tensions(rope)[0]), std::sqrt(low * low + v1 * v1),
                    0.02 * std::sqrt(low * low + v1 * v1))
            << mass << " kg";
    }
}

std::uint64_t attached(Backend backend, int threads, bool halfway) {
    World world({.substeps = 4, .backend = backend, .threads = threads});
    const RopeId rope = world.add(
        RopeDef{.from = {0, 1, 0}, .to = {1, 1, 0}, .segments = 12, .length = 1.1f, .pins = {0, 12}});
    const BodyId bar = world.add(BodyDef{.shape = Box{{0.3f, 0.02f, 0.02f}},
                                         .mass = 0.3f,
                                         .position = {0.5f, 0.3f, 0},
                                         .filter = {.category = 1u << 1}});
    for (const ClothSolver solver : {ClothSolver::GaussSeidel, ClothSolver::Jacobi}) {
        ClothDef d = hanging(4, 0.5f);
        d.origin = {0.25f, 0.85f, solver == ClothSolver::Jacobi ? 0.03f : 0.0f};
        d.solver = solver;
        d.bendStiffness = 1e-5f;
        d.drag = 1;
        d.wind = {0, 0, 1};
        d.filter.mask = ~(1u << 1);
        for (int i = 0; i < 5; i += 2) {
            d.attachments.push_back({.vertex = i, .rope = rope, .node = 3 + i});
            d.attachments.push_back({.vertex = 20 + i, .body = bar});
        }
        world.add(d);
    }
    for (int i = 0; i < frames(20, 5); ++i) world.step(kFrame);
    if (halfway) world.restore(world.snapshot());
    for (int i = 0; i < frames(20, 5); ++i) world.step(kFrame);
    return world.hash();
}

TEST(ClothAttach, HasTheSameBitsEverywhereAndFromASnapshot) {
    const std::uint64_t hash = attached(Backend::Scalar, 1, false);
    for (const int threads : {1, 2, 4}) EXPECT_EQ(attached(Backend::Simd, threads, false), hash);
    EXPECT_EQ(attached(Backend::Scalar, 3, true), hash);
}

// Also in a world without contact, a body falls until the sheet to which it is attached holds it.
TEST(ClothAttach, HoldsInAWorldWithoutContact) {
    World world({.substeps = 8, .contact = false});
    ClothDef d = hanging(8, 0.5f);
    d.pins = {0, 8};
    const ClothId cloth = world.add(d);
    const BodyId body =
        world.add(BodyDef{.shape = Sphere{0.05f}, .mass = 1, .position = {0.25f, -0.5f, 0}, .damping = 1});
    world.attach({cloth, 76}, {body, Vec3{0, 0, 0}}).value();
    for (int i = 0; i < 120; ++i) world.step(kFrame);
    EXPECT_NEAR(world.pose(body).position.y, -0.5f, 0.05f);
    world.unpin({cloth, 76});
    for (int i = 0; i < 30; ++i) world.step(kFrame);
    EXPECT_LT(world.pose(body).position.y, -1.0f);
}

int count(const World& world, Event::Kind kind, ClothId cloth) {
    return static_cast<int>(std::count_if(world.events().begin(), world.events().end(), [&](const Event& e) {
        return e.kind == kind && e.a.as<ClothId>() == cloth;
    }));
}

// A sheet lies on a plate, a ball on a framed sheet, and a rope beside the ball. The reported forces must be the
// weights.
TEST(ClothContacts, AreTheWeights) {
    World world({.substeps = 8});
    const BodyId plate =
        world.add(BodyDef{.type = BodyType::Static, .shape = Box{{1, 0.1f, 1}}, .position = {0, -0.1f, 0}});
    ClothDef d;
    d.origin = {-0.3f, 0.01f, -0.3f};
    d.edgeU = {0.6f, 0, 0};
    d.edgeV = {0, 0, 0.6f};
    d.cellsU = d.cellsV = 8;
    d.mass = 0.5f;
    d.damping = 2;
    const ClothId lying = world.add(d);
    int begun = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(kFrame);
        begun += count(world, Event::Kind::ContactBegin, lying);
    }
    EXPECT_EQ(begun, 1);
    ASSERT_EQ(world.contacts().size(), 1u);
    const Contact c = world.contacts()[0];
    EXPECT_TRUE(c.a.as<ClothId>() == lying && c.b.as<BodyId>() == plate && !c.b.as<ClothId>() &&
                !c.a.as<RopeId>());
    EXPECT_NEAR(wide(c.force), 9.81 * 0.5, 0.01 * 9.81 * 0.5);
    EXPECT_NEAR(c.normal.y, 1, 1e-3f);
    EXPECT_NEAR(c.point.x, 0, 0.01f);
    EXPECT_EQ(count(world, Event::Kind::ContactPersist, lying), 1);
    for (int i = 0; i < 81; ++i) world.setVelocity({lying, i}, {0, 5, 0});
    int ended = 0;
    for (int i = 0; i < 3; ++i) {
        world.step(kFrame);
        ended += count(world, Event::Kind::ContactEnd, lying);
    }
    EXPECT_EQ(ended, 1);
    EXPECT_TRUE(world.contacts().empty());
    world.remove(lying);

    d = hanging(12, 1);
    d.origin = {-0.5f, 1, -0.5f};
    d.edgeV = {0, 0, 1};
    d.density = 0.5f;
    d.damping = 3;
    d.selfContact = false;
    for (int k = 0; k < 13; ++k) d.pins.insert(d.pins.end(), {k, 156 + k, 13 * k, 13 * k + 12});
    std::sort(d.pins.begin(), d.pins.end());
    d.pins.erase(std::unique(d.pins.begin(), d.pins.end()), d.pins.end());
    const ClothId framed = world.add(d);
    const BodyId ball =
        world.add(BodyDef{.shape = Sphere{0.1f}, .mass = 0.5f, .position = {-0.15f, 1.11f, 0}, .damping = 3});
    const RopeId rope = world.add(RopeDef{.from = {0.2f, 1.02f, -0.2f},
                                          .to = {0.2f, 1.02f, 0.2f},
                                          .segments = 12,
                                          .radius = 0.01f,
                                          .mass = 0.2f,
                                          .damping = 3});
    for (int i = 0; i < 180; ++i) world.step(kFrame);
    double onBall = 0, onRope = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(kFrame);
        for (const Contact& told : world.contacts()) {
            if (told.a.as<ClothId>() != framed) continue;
            if (told.b.as<BodyId>() == ball)
                onBall -= wide(told.force * told.normal.y + told.friction.y) / 60;
            if (told.b.as<RopeId>() == rope)
                onRope -= wide(told.force * told.normal.y + told.friction.y) / 60;
        }
    }
    // Magnitudes of forces are summed, and the normals under a ball differ. So the sum exceeds its weight by up to
    // the slope of the normals.
    EXPECT_GT(onBall, 9.81 * 0.5);
    EXPECT_LT(onBall, 1.4 * 9.81 * 0.5);
    EXPECT_NEAR(onRope, 9.81 * 0.2, 0.05 * 9.81 * 0.2);
}

} // namespace
} // namespace capstan
