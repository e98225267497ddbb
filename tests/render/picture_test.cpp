// SPDX-License-Identifier: MIT
// Tests of pictures that are drawn off screen. Positions in the picture are compared with the projection and the
// direction of the sun. Whole pictures are compared with small reference pictures that people have checked (golden/).
// CAPSTAN_NEW_GOLDEN=1 writes new reference pictures.
#include <render/film/image.hpp>
#include <render/gl/offscreen.hpp>
#include <render/gl/renderer.hpp>
#include <render/view/collect.hpp>

#include <GLES3/gl3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace capstan::render {
namespace {

constexpr int kWidth = 160, kHeight = 120;

class Picture : public ::testing::Test {
protected:
    // All tests share one GL context, so that shaders are compiled once.
    struct Gl {
        std::optional<Offscreen> screen;
        std::optional<Renderer> renderer;
        std::string missing;
        Gl() {
            Result<Offscreen> s = Offscreen::create(kWidth, kHeight);
            if (s) screen = std::move(*s);
            Result<Renderer> r = s ? Renderer::create() : Result<Renderer>(s.error());
            if (r)
                renderer = std::move(*r);
            else
                missing = r.error().what;
        }
    };
    static Gl& gl() {
        static Gl one;
        return one;
    }
    void SetUp() override {
        if (!gl().missing.empty()) GTEST_SKIP() << gl().missing;
    }

    const Image& draw(const SceneView& view, const Camera& camera, const DrawOptions& options) {
        gl().screen->bind();
        gl().renderer->draw(view, camera, options, kWidth, kHeight);
        readPixels(kWidth, kHeight, image_);
        EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
        return image_;
    }
    Vec3 pixel(Pixel at) const {
        const int x = std::clamp(int(at.x), 0, kWidth - 1), y = std::clamp(int(at.y), 0, kHeight - 1);
        const std::uint8_t* p = &image_.rgb[3 * std::size_t(y * kWidth + x)];
        return {float(p[0]), float(p[1]), float(p[2])};
    }
    // A few pixels may differ, because every driver draws edges a little differently.
    void expectGolden(const std::string& name) {
        const std::string file = CAPSTAN_SOURCE_DIR "/tests/render/golden/" + name + ".png";
        if (std::getenv("CAPSTAN_NEW_GOLDEN")) {
            ASSERT_TRUE(writePng(image_, file));
        }
        const Result<Image> golden = readPng(file);
        ASSERT_TRUE(golden) << golden.error().text();
        ASSERT_EQ(golden->rgb.size(), image_.rgb.size());
        double sum = 0;
        int far = 0;
        for (std::size_t i = 0; i < image_.rgb.size(); ++i) {
            const int off = std::abs(int(image_.rgb[i]) - int(golden->rgb[i]));
            sum += off;
            far += off > 40;
        }
        const double n = double(image_.rgb.size());
        const bool good = sum / n < 2 && far / n < 0.02;
        if (!good) (void)writePng(image_, ::testing::TempDir() + name + ".png");
        EXPECT_TRUE(good) << name << ": mean difference " << sum / n << ", " << 100 * far / n
                          << " % differ much; drawn: " << ::testing::TempDir() << name << ".png";
    }

    Image image_;
};

// Returns a view with a straight rope above the ground.
SceneView oneRope(Color color) {
    SceneView v;
    v.clear();
    for (int i = 0; i <= 10; ++i) v.tubePoints.push_back({-1 + 0.2f * float(i), 1, 0, 1});
    Tube t;
    t.count = 11;
    t.radius = 0.1f;
    t.spacing = 0.2f;
    t.color = t.second = color;
    v.tubes.push_back(t);
    v.include({-1, 1, 0}, 0.1f);
    v.include({1, 1, 0}, 0.1f);
    v.include({0, 0, 0});
    return v;
}

float brightness(Vec3 c) { return (c.x + c.y + c.z) / 3; }

TEST_F(Picture, ARopeIsWhereItIsAndItsShadowWhereTheSunPutsIt) {
    const Camera camera = Camera::at({0, 2, 4}, {0, 0.7f, 0});
    for (Quality quality : {Quality::Low, Quality::High}) {
        DrawOptions options;
        options.quality = quality;
        options.grid = false;
        options.sun = {0, 1, 0.5f};
        draw(oneRope({0.9f, 0.1f, 0.1f}), camera, options);
        const Vec3 rope = pixel(camera.project({0.31f, 1, 0}, kWidth, kHeight));
        EXPECT_GT(rope.x, 2 * rope.y);
        // The shadow on the ground is displaced along the sun's rays: from (x, 1, 0) to (x, 0, -0.5).
        const Vec3 shadow = pixel(camera.project({0.3f, 0, -0.5f}, kWidth, kHeight));
        const Vec3 beside = pixel(camera.project({0.3f, 0, 0.6f}, kWidth, kHeight));
        EXPECT_LT(brightness(shadow), 0.75f * brightness(beside));
        options.shadows = false;
        draw(oneRope({0.9f, 0.1f, 0.1f}), camera, options);
        EXPECT_NEAR(brightness(pixel(camera.project({0.3f, 0, -0.5f}, kWidth, kHeight))), brightness(beside),
                    12);
        // The sky above the horizon is blue.
        const Vec3 sky = pixel({80, 1, 0, true});
        EXPECT_GT(sky.z, sky.x);
    }
}

TEST_F(Picture, HeatGoesFromBlueToRed) {
    SceneView v = oneRope({0.5f, 0.5f, 0.5f});
    v.heat = Heat::Tension;
    v.heatHigh = 100;
    for (int i = 0; i <= 10; ++i) v.tubeHeat.push_back(0.1f * float(i));
    const Camera camera = Camera::at({0, 2, 4}, {0, 0.7f, 0});
    DrawOptions options;
    options.quality = Quality::Low;
    options.legend = false;
    draw(v, camera, options);
    const Vec3 cold = pixel(camera.project({-0.95f, 1, 0}, kWidth, kHeight));
    const Vec3 hot = pixel(camera.project({0.95f, 1, 0}, kWidth, kHeight));
    EXPECT_GT(cold.z, cold.x);
    EXPECT_GT(hot.x, 1.5f * hot.z);
}

TEST_F(Picture, TheFrontOfASheetIsNotItsBack) {
    SceneView v;
    v.clear();
    Mesh m;
    m.key = 1;
    m.points = {{-1, 0.5f, 0}, {1, 0.5f, 0}, {1, 2, 0}, {-1, 2, 0}};
    m.triangles = {{0, 1, 2}, {0, 2, 3}};
    m.color = {0.9f, 0.1f, 0.1f};
    m.back = {0.1f, 0.1f, 0.9f};
    v.meshes.push_back(m);
    v.include({-1, 0, -0.1f});
    v.include({1, 2, 0.1f});
    DrawOptions options;
    options.quality = Quality::Low;
    draw(v, Camera::at({0, 1.2f, 4}, {0, 1.2f, 0}), options);
    EXPECT_GT(pixel({80, 60, 0, true}).x, 2 * pixel({80, 60, 0, true}).z);
    draw(v, Camera::at({0, 1.2f, -4}, {0, 1.2f, 0}), options);
    EXPECT_GT(pixel({80, 60, 0, true}).z, 2 * pixel({80, 60, 0, true}).x);
}

TEST_F(Picture, ATinyOrEmptyViewIsDrawnToo) {
    SceneView v;
    v.clear();
    gl().screen->bind();
    for (Quality quality : {Quality::Low, Quality::High}) {
        DrawOptions options;
        options.quality = quality;
        options.caption = "nothing";
        gl().renderer->draw(v, Camera{}, options, 1, 1);
        gl().renderer->draw(v, Camera{}, options, 0, 0);
        gl().renderer->draw(v, Camera{}, options, 5, 3);
    }
    EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    for (int side : {0, -3, kLargestSide + 1}) EXPECT_FALSE(Offscreen::create(side, 100));
    gl().screen->bind();
}

// Each frame uploads 16 bytes per node, with two extra nodes per rope. Colours and pattern are uploaded only when
// they change.
TEST_F(Picture, OnlyPlacesTravelEachFrame) {
    SceneView v;
    v.clear();
    constexpr int ropes = 50, nodes = 100;
    for (int r = 0; r < ropes; ++r) {
        Tube t;
        t.first = r * nodes;
        t.count = nodes;
        t.closed = true;
        for (int i = 0; i < nodes; ++i) {
            const float a = 6.2831853f * float(i) / nodes;
            v.tubePoints.push_back({std::cos(a), 0.05f * float(r), std::sin(a), 1});
        }
        v.tubes.push_back(t);
    }
    v.include({-1, 0, -1});
    v.include({1, 3, 1});
    DrawOptions options;
    options.quality = Quality::Low;
    const long long each = 16 * ropes * (nodes + 3);
    draw(v, Camera{}, options);
    EXPECT_GT(gl().renderer->times().bytes, each);
    draw(v, Camera{}, options);
    EXPECT_EQ(gl().renderer->times().bytes, each);
    v.tubes[3].color = {1, 1, 1};
    draw(v, Camera{}, options);
    EXPECT_GT(gl().renderer->times().bytes, each);
}

Result<Playback> played(const char* file, int frames) {
    Result<Scene> scene = loadScene(std::string(CAPSTAN_SOURCE_DIR "/scenes/") + file);
    if (!scene) return scene.error();
    Result<Playback> p = Playback::start(std::move(*scene));
    for (int i = 0; p && i < frames; ++i) p->frame();
    return p;
}

TEST_F(Picture, DogsLookAsTheyDid) {
    const Result<Playback> p = played("tangle/three_dogs.json", 40);
    ASSERT_TRUE(p);
    SceneView view;
    Collector collector;
    collector.collect(*p, view);
    const auto& c = p->scene().camera;
    ASSERT_TRUE(c);
    DrawOptions options;
    draw(view, Camera::at(c->eye, c->target, c->fieldOfView), options);
    expectGolden("three_dogs_high");
    options.quality = Quality::Low;
    draw(view, Camera::at(c->eye, c->target, c->fieldOfView), options);
    expectGolden("three_dogs_low");
}

TEST_F(Picture, AKnotWithHeatAndDebugDrawingLooksAsItDid) {
    const Result<Playback> p = played("contact/bowline.json", 5);
    ASSERT_TRUE(p);
    SceneView view;
    Collector collector;
    CollectOptions collect;
    collect.heat = Heat::Tension;
    collect.heatHigh = 100;
    collect.debug.bounds = true;
    collector.collect(*p, view, collect);
    DrawOptions options;
    options.quality = Quality::Low;
    draw(view, Camera::framing(view.lower, view.upper, float(kWidth) / kHeight), options);
    expectGolden("bowline_heat");
}

// The picture contains every shape, a hull, a sheet and hair.
TEST_F(Picture, AllShapesLookAsTheyDid) {
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    world.add(BodyDef{.shape = Box{{0.5f, 0.5f, 0.5f}}, .position = {-1.2f, 0.25f, 0}});
    world.add(BodyDef{.shape = Sphere{0.3f}, .position = {-0.4f, 0.3f, 0}});
    world.add(BodyDef{.shape = Capsule{0.2f, 0.5f}, .position = {0.3f, 0.45f, 0}});
    world.add(BodyDef{.shape = Cylinder{0.25f, 0.6f}, .position = {1, 0.3f, 0}});
    world.add(BodyDef{.shape = Hull{{{0, 0.5f, 0}, {0.3f, 0, 0.3f}, {-0.3f, 0, 0.3f}, {0, 0, -0.4f}}},
                      .position = {0, 0, 0.9f}});
    SceneView view;
    Collector collector;
    collector.collect(world, view);
    ASSERT_EQ(view.solids.size(), 4u);
    ASSERT_EQ(view.pieces.size(), 1u);
    Mesh sheet;
    for (int i = 0; i < 4; ++i)
        sheet.points.push_back({-1.2f + 0.8f * float(i), 1.3f + 0.15f * float(i % 2), -0.8f});
    for (int i = 0; i < 4; ++i) sheet.points.push_back({-1.2f + 0.8f * float(i), 0.7f, -0.6f});
    for (int i = 0; i < 3; ++i) {
        sheet.triangles.push_back({i, i + 4, i + 5});
        sheet.triangles.push_back({i, i + 5, i + 1});
    }
    view.meshes.push_back(sheet);
    Strands hair;
    hair.width = 0.02f;
    for (int s = 0; s < 30; ++s) {
        for (int k = 0; k < 6; ++k)
            hair.points.push_back({1.1f + 0.012f * float(s), 1.4f - 0.12f * float(k), 0.02f * float(s % 5)});
        hair.counts.push_back(6);
    }
    view.strands.push_back(hair);
    view.include({1.5f, 1.5f, 0});
    DrawOptions options;
    options.quality = Quality::Low;
    draw(view, Camera::framing(view.lower, view.upper, float(kWidth) / kHeight), options);
    expectGolden("shapes");
}

} // namespace
} // namespace capstan::render
