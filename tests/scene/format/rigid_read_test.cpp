// SPDX-License-Identifier: MIT
// Tests of scenes with bodies and joints: reading, errors, and notes.
#include <tests/scene/expect_errors.hpp>

#include <cmath>

namespace capstan {
namespace {

TEST(ReadRigid, ReadsAll) {
    Result<Scene> scene = parseScene(R"({
        "world": {"jointSolver": "xpbd", "damping": 0.5},
        "ropes": [{"name": "r"}],
        "bodies": [
            {"name": "a", "type": "static", "position": [1, 2, 3]},
            {"name": "b", "shape": {"kind": "box", "size": [1, 2, 3]}, "mass": 4, "inertia": [1, 2, 3],
             "centerOfMass": [0, 1, 0], "rotation": [0, 0.6, 0, 0.8], "velocity": [1, 0, 0], "angularVelocity": [0, 0, 1],
             "parts": [{"kind": "capsule", "radius": 0.1, "length": 2, "position": [1, 0, 0], "density": 7}]},
            {"name": "c", "shape": {"kind": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}],
        "joints": [
            {"name": "h", "type": "hinge", "body0": "a", "body1": "b", "anchor": [1, 1, 1], "axis": [0, 0, 1],
             "reference": [0, 1, 0], "turn": {"min": -1, "max": 2, "target": 0.5}},
            {"name": "w", "type": "ball", "rope": "r", "node": 3, "body1": "c"}],
        "visuals": [{"body": "b", "color": [1, 0.5, 0], "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                     "normals": [[0, 0, 1], [0, 0, 1], [0, 0, 1]], "triangles": [0, 1, 2]}],
        "controls": [{"t": 1, "x": 2}, {"t": 2, "y": -1}],
        "actions": [{"at": 1, "do": "setTarget", "joint": "h", "value": 0.25}],
        "expect": {"maxGap": 0.001, "angularSpeed": [{"body": "b", "peak": true, "value": 3, "tolerance": 0.1}],
                   "joint": [{"joint": "h", "what": "torque", "at": 2, "value": 5, "tolerance": 1}]}
    })",
                                     "f.json");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->world.jointSolver, JointSolver::Xpbd);
    EXPECT_EQ(scene->world.damping, 0.5f);
    ASSERT_EQ(scene->bodies.size(), 3u);
    EXPECT_EQ(scene->bodies[0].type, BodyType::Static);
    const BodyDef& b = scene->bodies[1];
    EXPECT_EQ(b.shape.kind, ShapeKind::Box);
    EXPECT_EQ(b.shape.size, (Vec3{1, 2, 3}));
    EXPECT_EQ(*b.centerOfMass, (Vec3{0, 1, 0}));
    EXPECT_EQ(b.rotation.y, 0.6f);
    EXPECT_EQ(b.rotation.w, 0.8f);
    EXPECT_EQ(b.parts.at(0).kind, ShapeKind::Capsule);
    EXPECT_EQ(b.parts.at(0).density, 7);
    EXPECT_EQ(scene->bodies[2].shape.points.size(), 4u);
    ASSERT_EQ(scene->joints.size(), 2u);
    EXPECT_EQ(scene->joints[0].body0.name, "a");
    EXPECT_EQ(scene->joints[0].body1.name, "b");
    EXPECT_TRUE(scene->joints[0].rope.empty());
    EXPECT_EQ(*scene->joints[0].turn.min, -1);
    EXPECT_EQ(*scene->joints[0].turn.target, 0.5f);
    EXPECT_FALSE(scene->joints[0].slide.min);
    EXPECT_EQ(scene->joints[1].rope.name, "r");
    EXPECT_EQ(scene->joints[1].node, 3);
    EXPECT_EQ(scene->visuals.at(0).triangles, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(scene->visuals[0].color, (Vec3{1, 0.5f, 0}));
    EXPECT_EQ(scene->controls.at(1).y, -1);
    EXPECT_EQ(*scene->actions.at(0).value, 0.25f);
    EXPECT_EQ(*scene->expect.maxGap, 0.001f);
    EXPECT_EQ(scene->expect.joint.at(0).what, JointPart::Torque);
    EXPECT_TRUE(scene->notes.empty());
}

TEST(ReadRigid, Types) {
    expectErrors({
        {R"({"bodies": [{"rotation": @[0, 0, 1]}]})", "/bodies/0/rotation",
         "expected four numbers [x, y, z, w], got another array"},
        {R"({"bodies": [{"rotation": @1}]})", "/bodies/0/rotation",
         "expected four numbers [x, y, z, w], got a number"},
        {R"({"bodies": [{"rotation": [0, 0, @"a", 1]}]})", "/bodies/0/rotation",
         "expected a number, got a string"},
        {R"({"bodies": [{"shape": @"box"}]})", "/bodies/0/shape", "expected an object, got a string"},
        {R"({"bodies": [{"shape": @{"size": [1, 1, 1]}}]})", "/bodies/0/shape", "\"kind\" is missing"},
        {R"({"bodies": [{"shape": {"kind": @"bix"}}]})", "/bodies/0/shape/kind",
         "there is no word \"bix\"; did you mean \"box\"?"},
        {R"({"joints": [{"type": @"hing"}]})", "/joints/0/type",
         "there is no word \"hing\"; did you mean \"hinge\"?"},
        {R"({"joints": [@{"body1": "a"}]})", "/joints/0", "\"type\" is missing"},
        {R"({"joints": [{"type": "ball", "body1": @3}]})", "/joints/0/body1",
         "expected a string, got a number"},
        {R"({"visuals": [@{"color": [1, 1, 1]}]})", "/visuals/0", "\"body\" is missing"},
    });
}

TEST(ReadRigid, Ranges) {
    expectErrors({
        {R"({"bodies": [{"mass": @-1}]})", "/bodies/0/mass", "mass must be at least 0, got -1"},
        {R"({"bodies": [{"shape": {"kind": "box", "size": @[1, -2, 1]}}]})", "/bodies/0/shape/size",
         "size must be at least 0, got -2"},
        {R"({"bodies": [{"rotation": @[0, 0, 0, 0]}]})", "/bodies/0/rotation", "a rotation must not be zero"},
        {R"({"bodies": [{"parts": [{"kind": "box", "rotation": @[0, 1e-30, 0, 0]}]}]})",
         "/bodies/0/parts/0/rotation", "a rotation must not be zero"},
        {R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "color": @[0, 2, 0]}]})",
         "/visuals/0/color", "color must be at least 0 and at most 1, got 2"},
        {R"({"joints": [{"type": "distance", "distance": {"target": @-1}}]})", "/joints/0/distance/target",
         "target must be at least 0, got -1"},
    });
}

TEST(ReadRigid, References) {
    expectErrors({
        {R"({"bodies": [{"name": "crate"}, {"name": @"crate"}]})", "/bodies/1/name",
         "two bodies are called \"crate\""},
        {R"({"bodies": [{"name": "a"}], "joints": [{"name": "j", "type": "ball", "body1": "a"},
 {"name": @"j", "type": "ball", "body1": "a"}]})",
         "/joints/1/name", "two joints are called \"j\""},
        {R"({"bodies": [{"name": "crate"}], "joints": [{"type": "ball", "body0": @"crat"}]})",
         "/joints/0/body0", "no body is called \"crat\"; did you mean \"crate\"?"},
        {R"({"bodies": [{"name": "crate"}], "joints": [{"type": "ball", "rope": @"r", "body1": "crate"}]})",
         "/joints/0/rope", "no rope is called \"r\""},
        {R"({"bodies": [{"name": "b"}], "expect": {"angularSpeed": [{"body": @"c", "value": 1, "tolerance": 1}]}})",
         "/expect/angularSpeed/0/body", "no body is called \"c\"; known are b"},
        {R"({"expect": {"joint": [{"joint": @"j", "what": "gap", "value": 1, "tolerance": 1}]}})",
         "/expect/joint/0/joint", "no joint is called \"j\""},
        {R"({"ropes": [{"name": "r"}], "bodies": [{"name": "b"}],
 "expect": {"speed": [@{"rope": "r", "body": "b", "value": 1, "tolerance": 1}]}})",
         "/expect/speed/0", "only one of \"rope\" and \"body\" may be given"},
    });
    // A rope, a body and a joint may share a name.
    EXPECT_TRUE(parseScene(R"({"ropes": [{"name": "a"}], "bodies": [{"name": "a"}],
        "joints": [{"name": "a", "type": "ball", "body1": "a"}]})",
                           "f"));
}

TEST(ReadRigid, Visuals) {
    expectErrors({
        {R"({"visuals": [{"body": @"b"}]})", "/visuals/0/body", "no body is called \"b\""},
        {R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "vertices": [[0,0,0]],
 "triangles": [0, 0, @1]}]})",
         "/visuals/0/triangles/2", "there is no vertex 1; the visual has 1 vertices"},
        {R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "vertices": [[0,0,0]],
 "triangles": [0, @-1, 0]}]})",
         "/visuals/0/triangles/1", "there is no vertex -1; the visual has 1 vertices"},
        {R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "vertices": [[0,0,0]],
 "triangles": @[0, 0]}]})",
         "/visuals/0/triangles", "triangles must have a length that is a multiple of 3"},
        {R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "vertices": [[0,0,0]],
 "normals": @[[0,0,1], [0,0,1]]}]})",
         "/visuals/0/normals", "normals must be as many as vertices (1), got 2"},
    });
    // In a large mesh the positions of single indices are not stored: the message gives the position of the list.
    std::string many = "0";
    for (int i = 1; i < 1500; ++i) many += ", 0";
    Result<Scene> scene =
        parseScene(R"({"bodies": [{"name": "b"}], "visuals": [{"body": "b", "vertices": [[0,0,0]],
 "triangles": [)" + many +
                       ", 0, 0, 9]}]}",
                   "f.json");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().where, "f.json:2:15 /visuals/0/triangles/1502");
}

TEST(ReadRigid, MotionsAndControls) {
    expectErrors({
        {R"({"bodies": [{"name": "b"}], "motions": [{"body": @"b", "angularVelocity": [0, 1, 0]}]})",
         "/motions/0/body", "a motion needs a kinematic body"},
        {R"({"bodies": [{"name": "b"}], "joints": [{"name": "j", "type": "ball", "body1": "b"}],
 "motions": [{"joint": @"j", "shake": {"amplitude": [0, 1, 0]}}]})",
         "/motions/0/joint", "a motion needs a drag joint"},
        {R"({"ropes": [{}], "motions": [{"angularVelocity": @[0, 1, 0], "shake": {"amplitude": [0, 1, 0]}}]})",
         "/motions/0/angularVelocity", "angularVelocity needs a body; leave it out"},
        {R"({"ropes": [{}], "motions": [{"circle": {"center": [0, 0, 0], "rate": 1, "turn": @true}}]})",
         "/motions/0/circle/turn", "turn needs a body; leave it out"},
        {R"({"bodies": [{"name": "b", "type": "kinematic"}], "motions": [@{"body": "b"}]})", "/motions/0",
         "a motion must have exactly one of path, circle and shake"},
        {R"({"ropes": [{"name": "r"}], "bodies": [{"name": "b", "type": "kinematic"}],
 "motions": [@{"rope": "r", "body": "b", "angularVelocity": [0, 0, 1]}]})",
         "/motions/0", "only one of \"rope\" and \"body\" may be given"},
        {R"({"controls": [{"t": 1, "x": 1}, {"t": @1, "x": 0}]})", "/controls/1/t",
         "control points must come in order of time: 1 s is not after 1 s"},
        {R"({"controls": [@{"x": 1}]})", "/controls/0", "\"t\" is missing"},
    });
}

TEST(ReadRigid, Actions) {
    expectErrors({
        {R"({"bodies": [{"name": "b"}], "actions": [@{"do": "applyImpulse", "body": "b"}]})", "/actions/0",
         "applyImpulse needs \"impulse\""},
        {R"({"bodies": [{"name": "b"}], "actions": [{"do": "applyImpulse", "body": "b", "node": @1, "impulse": [1,0,0]}]})",
         "/actions/0/node", "applyImpulse takes no \"node\""},
        {R"({"actions": [@{"do": "applyTorque", "torque": [1, 0, 0]}]})", "/actions/0",
         "applyTorque needs \"body\""},
        {R"({"actions": [@{"do": "setTarget", "value": 1}]})", "/actions/0", "setTarget needs \"joint\""},
        {R"({"bodies": [{"name": "b"}], "actions": [{"do": "cut", "body": @"b", "segment": 1}]})",
         "/actions/0/body", "cut takes no \"body\""},
        {R"({"bodies": [{"name": "b"}], "joints": [{"name": "j", "type": "ball", "body1": "b"}],
 "actions": [{"do": "setTarget", "joint": @"j", "value": 1}]})",
         "/actions/0/joint", "a ball joint has no target"},
        {R"({"bodies": [{"name": "b"}], "actions": [{"do": "remove", "body": @"c"}]})", "/actions/0/body",
         "no body is called \"c\"; known are b"},
    });
}

// Rotations.

TEST(ReadRigid, RotationsAreNormalised) {
    Result<Scene> scene = parseScene(R"({"bodies": [
        {"rotation": [-0.7071, 0, 0, 0.7071]},
        {"rotation": [0, 0, 0, 2], "shape": {"kind": "box", "rotation": [0, 3, 0, 0]}}]})",
                                     "f.json");
    ASSERT_TRUE(scene) << scene.error().text();
    // A rotation with four decimals is off by 1e-5. It is normalised without a note.
    EXPECT_NEAR(length(scene->bodies[0].rotation), 1, 1e-7);
    EXPECT_EQ(scene->bodies[1].rotation.w, 1);
    EXPECT_EQ(scene->bodies[1].shape.rotation.y, 1);
    ASSERT_EQ(scene->notes.size(), 2u);
    EXPECT_EQ(scene->notes[0].text(),
              "f.json:3:22 /bodies/1/rotation: the quaternion was normalised; its length was 2");
    EXPECT_EQ(scene->notes[1].where, "f.json:3:73 /bodies/1/shape/rotation");
}

// A normalised rotation is written so that reading it gives the same bits, for any direction.
TEST(ReadRigid, NormalisedRotationsComeBack) {
    Scene scene;
    for (int i = 0; i < 1000; ++i) {
        BodyDef& b = scene.bodies.emplace_back();
        auto part = [&](int k) { return std::sin(static_cast<float>(i * k) + 0.3f); };
        b.rotation = {part(1), part(2), part(3), part(5)};
    }
    normalizeRotations(scene);
    std::string text = saveScene(scene);
    Result<Scene> read = parseScene(text, "f");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(saveScene(*read), text);
    EXPECT_TRUE(read->notes.empty());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        Quatf a = scene.bodies[i].rotation, b = read->bodies[i].rotation;
        ASSERT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w) << i;
        ASSERT_NEAR(length(a), 1, 2e-7);
    }
}

} // namespace
} // namespace capstan
