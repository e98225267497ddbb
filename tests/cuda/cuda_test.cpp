// SPDX-License-Identifier: MIT
// Tests of the CUDA backend: an error on machines without a GPU, and the same bits as the CPU on others.
#include <capstan/capstan.hpp>
#include <capstan/check.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace capstan {
namespace {

bool haveGpu() { return bool(World::make({.backend = Backend::Cuda})); }

std::string lastCheck;
struct CheckCaught {
    CheckHandler before = setCheckHandler([](const char* what, const char*) { lastCheck = what; });
    CheckCaught() { lastCheck.clear(); }
    ~CheckCaught() { setCheckHandler(before); }
};

void hangRopes(World& world) {
    for (int r = 0; r < 6; ++r) {
        RopeDef def;
        def.from = {0, 5, 0.3f * float(r)};
        def.to = {2, 5, 0.3f * float(r)};
        def.segments = 20 + 4 * r;
        def.pins = {first};
        if (r % 2 == 1) def.bendStiffness = 0.002f;
        if (r == 4) def.loads = {{last, 5}};
        world.add(def);
    }
}

TEST(Cuda, WithoutGpuIsAnErrorThatSaysWhy) {
    if (haveGpu()) GTEST_SKIP() << "there is a GPU here";
    const Result<World> made = World::make({.backend = Backend::Cuda});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, "/backend");
    EXPECT_NE(made.error().what.find("CUDA"), std::string::npos) << made.error().what;

    World world;
    hangRopes(world);
    world.step(1.0f / 60);
    const std::uint64_t hash = world.hash();
    WorldDef def = world.def();
    def.backend = Backend::Cuda;
    def.substeps = 7;
    EXPECT_FALSE(world.tryConfigure(def));
    EXPECT_EQ(world.def().substeps, 4); // the definition is unchanged
    EXPECT_EQ(world.hash(), hash);
}

TEST(Cuda, WithoutGpuTheConstructorFailsItsCheckAndLeavesAWorldThatWorks) {
    if (haveGpu()) GTEST_SKIP() << "there is a GPU here";
    CheckCaught caught;
    World world({.backend = Backend::Cuda});
    EXPECT_NE(lastCheck.find("CUDA"), std::string::npos) << lastCheck;
    hangRopes(world);
    world.step(1.0f / 60);
    EXPECT_EQ(world.backendInfo().backend, Backend::Simd);
}

TEST(Cuda, BestRunsEverywhereAndSaysOnWhat) {
    World best({.contact = false, .backend = Backend::Best}),
        simd({.contact = false, .backend = Backend::Simd});
    hangRopes(best);
    hangRopes(simd);
    for (int i = 0; i < 30; ++i) {
        best.step(1.0f / 60);
        simd.step(1.0f / 60);
    }
    EXPECT_EQ(best.hash(), simd.hash());
    const BackendInfo running = best.backendInfo();
    if (running.backend == Backend::Cuda) {
        EXPECT_FALSE(running.device.empty());
    } else {
        EXPECT_EQ(running.backend, Backend::Simd);
        EXPECT_NE(running.why.find("CUDA"), std::string::npos) << running.why;
    }
    EXPECT_EQ(simd.backendInfo().why, "");
}

// A rope whose substeps are repeated must not change the ropes in the other lanes, even if those diverge later.
TEST(Cuda, RescuedRopesLeaveTheirNeighboursBitsAlone) {
    World scalar({.contact = false, .backend = Backend::Scalar}),
        simd({.contact = false, .backend = Backend::Simd});
    int retries = 0;
    for (World* world : {&scalar, &simd}) {
        for (int r = 0; r < 8; ++r) {
            RopeDef def;
            def.from = {0, 5, 0.3f * float(r)};
            def.to = {1.5f, 5, 0.3f * float(r)};
            def.segments = 50 + r;
            def.pins = {first};
            def.bendStiffness = 0.002f;
            world->add(def);
        }
        for (int frame = 0; frame < 200; ++frame) {
            const std::vector<RopeId> ropes = world->ids<RopeId>();
            for (std::size_t r = 0; frame % 10 == 5 && r < ropes.size(); ++r)
                world->applyImpulse({ropes[r], 3 + int(r) % 4}, {3, 2, -4});
            for (std::size_t r = 0; r < ropes.size(); r += 3)
                world->pin({ropes[r], first}, {frame / 5 % 2 ? 0.06f : -0.06f, 5, 0.3f * float(r)});
            retries += world->step(1.0f / 60).retries;
        }
    }
    EXPECT_GT(retries, 10) << "the ropes were not kicked hard enough to need rescue";
    EXPECT_EQ(scalar.hash(), simd.hash());
}

// Runs the same frames on the CPU and on the GPU, with reads and edits between frames, and compares hashes.
void expectParity(const WorldDef& def, const std::function<void(World&)>& build,
                  const std::function<void(World&, int)>& act, int frames = 120) {
    if (!haveGpu()) GTEST_SKIP() << World::make({.backend = Backend::Cuda}).error().what;
    std::uint64_t hash[2] = {}, half[2] = {};
    for (int k : {0, 1}) {
        WorldDef d = def;
        d.backend = k == 0 ? Backend::Scalar : Backend::Cuda;
        World world(d);
        build(world);
        for (int frame = 0; frame < frames; ++frame) {
            act(world, frame);
            world.step(1.0f / 60);
            if (frame == frames / 2) half[k] = world.hash();
        }
        hash[k] = world.hash();
        if (k == 1) {
            EXPECT_EQ(world.backendInfo().why, "");
            EXPECT_GT(world.report().deviceTime, 0);
        }
    }
    EXPECT_EQ(half[0], half[1]);
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(Cuda, RopesHaveTheBitsOfTheCpu) {
    expectParity({.contact = false}, hangRopes, [](World& world, int frame) {
        const std::vector<RopeId> ropes = world.ids<RopeId>();
        world.pin({ropes[0], first}, {0.02f * float(frame % 7), 5, 0});
        if (frame == 30) world.applyImpulse({ropes[1], 8}, {3, 1, 0});
        if (frame == 50) world.applyForce({ropes[2], last}, {0, 40, 0});
        if (frame == 70) world.remove(ropes[3]);
    });
}

TEST(Cuda, ClothHasTheBitsOfTheCpu) {
    for (ClothSolver solver : {ClothSolver::Jacobi, ClothSolver::GaussSeidel})
        expectParity(
            {.substeps = 8, .contact = false},
            [&](World& world) {
                ClothDef def;
                def.pins = {0, 16};
                def.solver = solver;
                def.iterations = 2;
                def.bendStiffness = 1e-5f;
                world.add(def);
            },
            [](World& world, int frame) {
                const ClothId cloth = world.ids<ClothId>()[0];
                world.pin({cloth, 0}, {0.01f * float(frame % 9), 0, 0});
                if (frame == 40) world.applyImpulse({cloth, 100}, {0, 0.01f, 0});
            });
}

TEST(Cuda, HairHasTheBitsOfTheCpu) {
    expectParity(
        {.contact = false},
        [](World& world) {
            BodyDef head;
            head.name = "head";
            head.type = BodyType::Kinematic;
            head.shape = Sphere{0.1f};
            world.add(head);
            HairDef hair;
            hair.rootBody = "head";
            hair.collides = {"head"};
            hair.shape = HairShape::Curly;
            for (int i = 0; i < 37; ++i) {
                const float a = 0.17f * float(i);
                hair.roots.push_back({0.1f * std::cos(a), 0, 0.1f * std::sin(a)});
                hair.directions.push_back({std::cos(a), 0.5f, std::sin(a)});
            }
            world.add(hair);
        },
        [](World& world, int frame) {
            Transform at;
            at.position = {0.01f * float(frame % 5), 0, frame > 60 ? 5.0f : 0.0f}; // teleported at frame 61
            world.moveTo(world.find<BodyId>("head"), at);
        });
}

TEST(Cuda, OutOfDeviceMemoryIsAnErrorAndLosesNothing) {
    if (!haveGpu()) GTEST_SKIP() << World::make({.backend = Backend::Cuda}).error().what;
    World world({.contact = false, .backend = Backend::Cuda, .deviceMemory = 1e-6f}); // deviceMemory in GB
    hangRopes(world);
    const std::uint64_t hash = world.hash();
    const Status prepared = world.prepare(1.0f / 60);
    ASSERT_FALSE(prepared);
    EXPECT_NE(prepared.error().what.find("out of device memory"), std::string::npos) << prepared.error().what;
    EXPECT_EQ(world.hash(), hash);
    WorldDef def = world.def();
    def.backend = Backend::Best;
    world.configure(def);
    world.step(1.0f / 60);
    EXPECT_EQ(world.backendInfo().backend, Backend::Simd);
    EXPECT_NE(world.backendInfo().why.find("out of device memory"), std::string::npos);
}

} // namespace
} // namespace capstan
