// SPDX-License-Identifier: MIT
// Tests of contacts that no substep can solve. Bodies overlap, and joints or the ground keep them together; or
// mechanisms move faster than a substep can follow. No body gets a high speed, and the objects beside them are not
// disturbed.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

// Checks that speeds stay below `most` and nothing is quarantined. In scenes of this kind diverged solves are held
// still. Without that a hinged body rotated at 777 rad/s after two frames, and bodies among triangles gained a fifth
// of their speed in each frame.
void expectSlow(World& w, double most, int frames, const std::string& what) {
    for (int i = 0; i < frames; ++i) {
        w.step(kFrame);
        ASSERT_LT(topSpeed(w), most) << what << ", frame " << i;
        ASSERT_EQ(w.report().quarantined, 0) << what << ", frame " << i;
    }
}

TEST(TouchLost, AHingedBodySqueezedOntoAPost) {
    World w;
    const BodyId ball = w.add(BodyDef{.shape = Capsule{0.735f, 0.652f}});
    BodyDef block{.shape = Box{{1.41f, 0.12f, 0.378f}},
                  .position = {0.0237f, -0.0819f, -0.0199f},
                  .rotation = {0.143f, -0.884f, 0.441f, -0.0575f},
                  .material = {.friction = 2}};
    Hull wedge;
    wedge.points = {{0.731f, -0.612f, -0.584f},
                    {0.579f, 0.811f, -0.496f},
                    {-0.034f, -0.618f, 0.0691f},
                    {0.226f, 0.847f, 0.308f},
                    {0.801f, -0.331f, -0.151f}};
    block.parts = {Sphere{0.626f}, wedge};
    w.add(block);
    const BodyId post = w.add(BodyDef{.type = BodyType::Static, .shape = Cylinder{0.122f, 1.48f}});
    w.add(
        JointDef{.type = JointType::Hinge, .body0 = ball, .body1 = post, .anchor = {-0.494f, 0.25f, -0.54f}});
    int lost = 0;
    for (int i = 0; i < 60; ++i) {
        w.step(kFrame);
        lost += w.report().heldStill;
        ASSERT_LT(topSpeed(w), 15) << "frame " << i;
    }
    EXPECT_GT(lost, 0); // the report counts the diverged solves
}

TEST(TouchLost, ARopeBesideAMechanismThatNoRoundFollows) {
    World w({.substeps = 1});
    const RopeId rope = w.add(straight({-0.321f, 1.11f, -0.969f}, {-0.0073f, 0.195f, 0.446f}, 32, 0.384f));
    const BodyId rod = w.add(BodyDef{.shape = Capsule{0.101f, 1.95f}, .velocity = {465, -456, -470}});
    const BodyId knob = w.add(BodyDef{.shape = Capsule{0.116f, 0.17f}});
    w.add(
        JointDef{.type = JointType::Ball, .body0 = rod, .body1 = knob, .anchor = {0.501f, -0.813f, -0.699f}});
    w.add(JointDef{
        .type = JointType::Ball, .body0 = knob, .body1 = rod, .anchor = {-0.852f, -0.0197f, -0.226f}});
    for (int i = 0; i < 30; ++i) {
        w.step(kFrame);
        ASSERT_EQ(w.report().quarantined, 0) << "frame " << i;
    }
    EXPECT_TRUE(std::isfinite(w.energy().total()));
    EXPECT_LT(w.stretch(rope), 0.05f);
}

float within(Random& dice, double low, double high) { return narrow(dice.between(low, high)); }
int upTo(Random& dice, int most) { return int(dice.between(0, most + 1)); }
Vec3 within(Random& dice, double most) {
    const float x = within(dice, -most, most), y = within(dice, -most, most);
    return {x, y, within(dice, -most, most)};
}

ShapeDef anyShape(Random& dice) {
    const float r = within(dice, 0.05, 0.4), l = within(dice, 0.1, 1);
    switch (upTo(dice, 4)) {
    case 0:
        return Box{{r, l, 2 * r}};
    case 1:
        return Sphere{r};
    case 2:
        return Capsule{r, l};
    case 3:
        return Cylinder{r, l};
    default: {
        Hull hull;
        for (int k = 0; k < 8; ++k) hull.points.push_back(within(dice, 0.5f));
        return hull;
    }
    }
}

// Compounds of random shapes at one position, with random triangles among them. Some of them are joined by hinges.
TEST(TouchLost, AnythingPutIntoAnythingElse) {
    for (int seed = 1; seed <= 60; ++seed) {
        Random dice{unsigned(seed)};
        World w({.gravity = {0, seed % 2 ? -9.81f : 0, 0}, .substeps = seed % 3 ? 4 : 1});
        std::vector<BodyId> bodies;
        const int count = 2 + upTo(dice, 4);
        for (int k = 0; k < count; ++k) {
            BodyDef d{.shape = anyShape(dice), .position = within(dice, 0.3f)};
            d.material.friction = float(upTo(dice, 2));
            d.material.restitution = float(upTo(dice, 1));
            if (upTo(dice, 1)) d.parts = {anyShape(dice)};
            if (k == 0) d.type = BodyType::Static;
            bodies.push_back(w.add(d));
        }
        if (seed % 4 == 0) {
            Mesh soup; // random triangles, some of them without area
            for (int k = 0; k < 12; ++k) soup.points.push_back(within(dice, 1));
            for (int k = 0; k < 15; ++k)
                soup.triangles.push_back({upTo(dice, 11), upTo(dice, 11), upTo(dice, 11)});
            w.add(BodyDef{.type = BodyType::Static, .shape = soup});
        }
        for (int k = 1; k < count; ++k)
            if (upTo(dice, 2) == 0)
                w.add(JointDef{.type = upTo(dice, 1) ? JointType::Hinge : JointType::Ball,
                               .body0 = bodies[k - 1],
                               .body1 = bodies[k],
                               .anchor = within(dice, 0.5f)});
        expectSlow(w, 25, 60, "seed " + std::to_string(seed));
        if (HasFatalFailure()) return;
    }
}

} // namespace
} // namespace capstan
