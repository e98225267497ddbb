// SPDX-License-Identifier: MIT
// Tests of the importer of Ten Minute Physics scenes. Small files test each rule of the format once. The three
// original files are tested in ten_minute_files_test.cpp.
#include <capstan/scene/playback.hpp>

#include <tests/scene/expect_errors.hpp>

#include <cmath>
#include <numbers>

namespace capstan {
namespace {

const double pi = std::numbers::pi;

// Returns two opposite corners of a box with the given half sizes about `center`, as a list of vertices.
std::string corners(Vec3 half, Vec3 center = {0, 0, 0}) {
    Vec3 a = center - half, b = center + half;
    return "[" + std::to_string(a.x) + "," + std::to_string(a.y) + "," + std::to_string(a.z) + "," +
           std::to_string(b.x) + "," + std::to_string(b.y) + "," + std::to_string(b.z) + "]";
}

std::string mesh(const std::string& name, const std::string& properties,
                 const std::string& position = "[0, 0, 0]", const std::string& rotation = "[0, 0, 0, 1]",
                 const std::string& vertices = corners({0.1f, 0.2f, 0.3f}),
                 const std::string& more = R"("normals": [], "triangles": [])") {
    return "{\"name\": \"" + name + "\", \"properties\": {" + properties +
           "}, \"transform\": {\"position\": " + position + ", \"rotation\": " + rotation +
           "}, \"vertices\": " + vertices + ", " + more + "}";
}
const char* const heavy = R"("simType": "RigidBox", "density": 1000)";
const char* const wall = R"("simType": "RigidBox", "density": 0)";

Result<Scene> import(const std::vector<std::string>& meshes, const ImportOptions& options = {}) {
    std::string text = "{\"meshes\": [";
    for (const std::string& m : meshes) text += (&m == &meshes.front() ? "\n" : ",\n") + m;
    return parseScene(text + "]}", "f.json", options);
}
Scene imported(const std::vector<std::string>& meshes, const ImportOptions& options = {}) {
    Result<Scene> scene = import(meshes, options);
    EXPECT_TRUE(scene) << scene.error().text();
    return scene ? *scene : Scene{};
}
// Returns the JointDef of a joint between a wall and a box, after the import.
JointDef joint(const std::string& properties, const std::string& rotation = "[0, 0, 0, 1]") {
    Scene scene =
        imported({mesh("w", wall), mesh("b", heavy),
                  mesh("j", properties + R"(, "parent1": "w", "parent2": "b")", "[1, 2, 3]", rotation)});
    EXPECT_EQ(scene.joints.size(), 1u);
    EXPECT_TRUE(Playback::start(scene)) << Playback::start(scene).error().text();
    return scene.joints.empty() ? JointDef{} : scene.joints[0];
}
void expectClose(Vec3 a, Vec3 b, float within = 1e-6f) {
    EXPECT_LE(length(a - b), within) << a.x << " " << a.y << " " << a.z;
}

TEST(TenMinute, Bodies) {
    Scene scene = imported({mesh("box", heavy, "[1, 2, 3]", "[-0.7071, 0, 0, 0.7071]"), mesh("wall", wall),
                            mesh("none", R"("simType": "RigidBox")"),
                            mesh("ball", R"("simType": "RigidSphere", "density": 500)", "[0, 5, 0]",
                                 "[0, 0, 0, 1]", "[0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0]")});
    ASSERT_EQ(scene.bodies.size(), 4u);
    const BodyDef& box = scene.bodies[0];
    EXPECT_EQ(box.name, "box");
    EXPECT_EQ(box.type, BodyType::Dynamic);
    EXPECT_EQ(box.density, 1000);
    expectClose(box.shape.size, {0.2f, 0.4f, 0.6f});
    EXPECT_EQ(box.position, (Vec3{1, 2, 3}));
    EXPECT_NEAR(box.rotation.x, -std::sqrt(0.5), 1e-7); // normalised, not -0.7071
    EXPECT_EQ(scene.bodies[1].type, BodyType::Static);
    EXPECT_EQ(scene.bodies[2].type, BodyType::Static);
    EXPECT_EQ(scene.bodies[3].shape.kind, ShapeKind::Sphere);
    EXPECT_NEAR(scene.bodies[3].shape.radius, 0.5, 1e-6);
    EXPECT_EQ(scene.world.gravity, (Vec3{0, -9.81f, 0}));
    EXPECT_EQ(scene.world.substeps, 20);
    EXPECT_FALSE(scene.world.contact);
    EXPECT_EQ(*scene.expect.maxGap, 1e-3f);
    EXPECT_TRUE(scene.notes.empty());
    Result<Playback> p = Playback::start(scene);
    ASSERT_TRUE(p) << p.error().text();
    const World& w = p->world();
    EXPECT_NEAR(w.massProperties(w.find<BodyId>("box")).mass, 48, 1e-4);
    EXPECT_NEAR(w.massProperties(w.find<BodyId>("ball")).mass, 500 * 4 / 3.0 * pi * 0.125, 1e-3);
}

// The original program ignores the centre of the vertices. ImportOptions::centerAtOrigin = false keeps it.
TEST(TenMinute, CentersOfBoxes) {
    std::vector<std::string> off = {
        mesh("b", heavy, "[1, 0, 0]", "[0, 0, 0.7071, 0.7071]", corners({0.1f, 0.2f, 0.3f}, {0.5f, 0, 0}))};
    auto center = [](const Scene& scene) {
        Result<Playback> p = Playback::start(scene);
        return p ? p->world().centerOfMass(p->world().find<BodyId>("b")) : Vec3{9, 9, 9};
    };
    expectClose(center(imported(off)), {1, 0, 0});
    expectClose(center(imported(off, {.centerAtOrigin = false})), {1, 0.5f, 0}); // 90 degrees about z
}

TEST(TenMinute, FramesOfJoints) {
    // A rotation by 90 degrees about y maps the frame's x to -z.
    JointDef j = joint(R"("simType": "HingeJoint")", "[0, 0.7071, 0, 0.7071]");
    EXPECT_EQ(j.anchor, (Vec3{1, 2, 3}));
    expectClose(j.axis, {0, 0, -1});
    expectClose(*j.reference, {0, 1, 0});
    EXPECT_EQ(j.body0.name, "w");
    EXPECT_EQ(j.body1.name, "b");
}

TEST(TenMinute, JointsAndTheirDefaults) {
    JointDef j = joint(R"("simType": "BallJoint")");
    EXPECT_EQ(j.type, JointType::Ball);
    EXPECT_FALSE(j.swing.max || j.turn.min || j.turn.max);
    j = joint(R"("simType": "BallJoint", "swingMax": 0.5, "swingMin": 0, "twistMin": -0.25, "twistMax": 1)");
    EXPECT_EQ(*j.swing.max, 0.5f);
    EXPECT_EQ(*j.turn.min, -0.25f);
    EXPECT_EQ(*j.turn.max, 1);
    EXPECT_FALSE(joint(R"("simType": "BallJoint", "swingMax": 1e9)").swing.max);

    j = joint(R"("simType": "HingeJoint")");
    EXPECT_EQ(j.type, JointType::Hinge);
    EXPECT_FALSE(j.turn.min || j.turn.max || j.turn.target);
    j = joint(
        R"("simType": "HingeJoint", "swingMin": -1, "targetAngle": 0.5, "targetAngleCompliance": 0.01)");
    EXPECT_EQ(*j.turn.min, -1);
    EXPECT_FALSE(j.turn.max);
    EXPECT_EQ(*j.turn.target, 0.5f);
    EXPECT_EQ(j.turn.compliance, 0.01f);

    j = joint(R"("simType": "ServoJoint", "swingMin": -0.5, "swingMax": 0.5, "targetAngle": 0.25)");
    EXPECT_EQ(j.type, JointType::Servo);
    EXPECT_EQ(*j.turn.target, 0.25f);
    EXPECT_NEAR(j.controlX, pi / 4, 1e-6);
    EXPECT_EQ(*joint(R"("simType": "ServoJoint")").turn.target, 0);

    j = joint(R"("simType": "MotorJoint", "velocityMin": -10, "velocityMax": 10, "damping": 10)");
    EXPECT_EQ(j.type, JointType::Motor);
    EXPECT_EQ(j.turn.speed, 0);
    EXPECT_EQ(*j.turn.speedMin, -10);
    EXPECT_EQ(*j.turn.speedMax, 10);
    EXPECT_EQ(j.controlY, 5);
    EXPECT_EQ(joint(R"("simType": "MotorJoint", "velocity": 3)").turn.speed, 3);

    j = joint(R"("simType": "PrismaticJoint", "distanceMin": -0.1, "distanceMax": 0.2)");
    EXPECT_EQ(j.type, JointType::Prismatic);
    // Without limits of `turn` the joint does not rotate, and without a target it has no drive.
    EXPECT_FALSE(j.slide.target || j.turn.min || j.turn.max);
    EXPECT_EQ(*j.slide.min, -0.1f);
    j = joint(R"("simType": "PrismaticJoint", "distanceTarget": 0.05, "compliance": 0.005)");
    EXPECT_EQ(*j.slide.target, 0.05f);
    EXPECT_EQ(j.slide.compliance, 0.005f);
    EXPECT_EQ(*joint(R"("simType": "PrismaticJoint", "posTarget": 0.07)").slide.target, 0.07f);

    j = joint(R"("simType": "CylinderJoint", "distanceMin": -10, "distanceMax": 10)");
    EXPECT_EQ(j.type, JointType::Cylinder);
    EXPECT_EQ(*j.slide.target, 0);
    EXPECT_EQ(j.controlY, -0.1f);
    EXPECT_FALSE(j.turn.min || j.turn.max);

    j = joint(R"("simType": "DistanceJoint")");
    EXPECT_EQ(j.type, JointType::Distance);
    EXPECT_EQ(*j.distance.target, 0);
    j = joint(R"("simType": "DistanceJoint", "restDistance": 0.5, "compliance": 0.01)");
    EXPECT_EQ(*j.distance.target, 0.5f);
    EXPECT_EQ(j.distance.compliance, 0.01f);
    EXPECT_GT(joint(R"("simType": "DistanceJoint", "compliance": 0.01)").distance.target.value_or(0), 0);
}

// Damping at a rate of 10/s. The box has 48 kg and I = m / 12 (b^2 + c^2) = 2.08, 1.6, 0.8 about x, y, z. The wall is
// static and has no influence.
TEST(TenMinute, DampingBecomesAResistance) {
    EXPECT_NEAR(joint(R"("simType": "HingeJoint", "damping": 10)").turn.damping, 20.8, 1e-3);
    EXPECT_NEAR(
        joint(R"("simType": "HingeJoint", "damping": 10)", "[0, 0, 0.70710678, 0.70710678]").turn.damping, 16,
        1e-3);
    EXPECT_NEAR(joint(R"("simType": "PrismaticJoint", "damping": 10)").slide.damping, 480, 1e-2);
    EXPECT_NEAR(joint(R"("simType": "BallJoint", "damping": 10)").turn.damping,
                10 / ((1 / 2.08 + 1 / 1.6 + 1 / 0.8) / 3), 1e-3);
    EXPECT_EQ(joint(R"("simType": "MotorJoint", "damping": 10)").turn.damping, 0);
    // Between two boxes, the inverse masses add up.
    Scene two = imported(
        {mesh("a", heavy), mesh("b", heavy),
         mesh("j", R"("simType": "PrismaticJoint", "parent1": "a", "parent2": "b", "damping": 10)")});
    EXPECT_NEAR(two.joints.at(0).slide.damping, 240, 1e-2);
}

TEST(TenMinute, OrderIsFree) {
    Scene scene =
        imported({mesh("j", R"("simType": "BallJoint", "parent1": "w", "parent2": "b")"),
                  mesh("v", R"("simType": "Visual", "parent": "b")"), mesh("b", heavy), mesh("w", wall)});
    EXPECT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.visuals.size(), 1u);
}

TEST(TenMinute, VisualsGoIntoTheBodysAxes) {
    std::string triangle = R"("normals": [0,0,1, 0,0,1, 0,0,1], "triangles": [0, 1, 2])";
    Scene scene =
        imported({mesh("b", heavy, "[1, 2, 3]", "[0, 0, 0.70710678, 0.70710678]"),
                  mesh("v", R"("simType": "Visual", "parent": "b", "color": [1, 0.5, 0])", "[1, 3, 3]",
                       "[0.70710678, 0, 0, 0.70710678]", "[0,0,0, 1,0,0, 0,1,0]", triangle),
                  mesh("u", R"("simType": "Visual", "parent": "b")", "[1, 2, 3]",
                       "[0, 0, 0.70710678, 0.70710678]", "[0,0,0, 1,0,0, 0,1,0]", triangle)});
    ASSERT_EQ(scene.visuals.size(), 2u);
    const Visual& v = scene.visuals[0];
    EXPECT_EQ(v.body, "b");
    EXPECT_EQ(v.color, (Vec3{1, 0.5f, 0}));
    EXPECT_EQ(v.triangles, (std::vector<int>{0, 1, 2}));
    // A rotation by 90 degrees about x maps z to -y and y to z; the body is rotated by 90 degrees about z.
    Transform body = {{1, 2, 3}, scene.bodies[0].rotation};
    expectClose(body.point(v.vertices.at(0)), {1, 3, 3});
    expectClose(body.point(v.vertices.at(1)), {2, 3, 3});
    expectClose(body.point(v.vertices.at(2)), {1, 3, 4});
    expectClose(rotate(body.rotation, v.normals.at(0)), {0, -1, 0});
    EXPECT_EQ(scene.visuals[1].color, (Vec3{1, 1, 1}));
    expectClose(scene.visuals[1].vertices.at(1), {1, 0, 0});
}

TEST(TenMinute, WhatIsLeftOutIsNoted) {
    std::string bad = R"("normals": [], "triangles": [0, 1, 2])";
    Scene scene = imported(
        {mesh("b", heavy, "[0, 0, 0]", "[0, 0, 0, 2]"), mesh("w", wall), mesh("w2", wall),
         mesh("j1", R"("simType": "BallJoint", "parent1": "w", "parent2": "gone")"),
         mesh("j2", R"("simType": "BallJoint", "parent2": "b")"),
         mesh("j3", R"("simType": "BallJoint", "parent1": "w", "parent2": "w2")"),
         mesh("j4", R"("simType": "BallJoint", "parent1": "b", "parent2": "b")"),
         mesh("j5", R"("simType": "GearJoint", "parent1": "w", "parent2": "b")"),
         mesh("v1", R"("simType": "Visual", "parent": "gone")"),
         mesh("v2", R"("simType": "Visual", "parent": "b")", "[0,0,0]", "[0,0,0,1]", "[0,0,0, 1,1,1]", bad),
         mesh("l", R"("simType": "Light")"), mesh("s", R"("simType": "RigidCone", "density": 1)"),
         mesh("n", R"("density": 1)"), "{}",
         mesh("servo",
              R"("simType": "ServoJoint", "parent1": "w", "parent2": "b", "targetAngleCompliance": 1)")});
    EXPECT_EQ(scene.bodies.size(), 3u);
    EXPECT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.visuals.size(), 0u);
    std::string notes;
    for (const Error& note : scene.notes) notes += note.text() + "\n";
    for (const char* says :
         {"f.json:2:120 /meshes/0/transform/rotation: the quaternion was normalised",
          "/meshes/3/properties/parent2: no body is called \"gone\"; the joint \"j1\" is left out",
          "/meshes/4/properties: \"parent1\" is missing; the joint \"j2\" is left out",
          "/meshes/5/properties/parent2: two static bodies cannot be joined",
          "/meshes/6/properties/parent2: one body cannot be joined",
          "/meshes/7/properties/simType: there is no joint type \"GearJoint\"",
          "/meshes/8/properties/parent: no body is called \"gone\"; the visual \"v1\" is left out",
          "/meshes/9/triangles: a triangle must name vertices of the mesh",
          "/meshes/10/properties/simType: \"Light\" is neither", "\"RigidCone\"; the body is left out",
          "/meshes/12/properties: \"\" is neither", "/meshes/13: a mesh needs properties",
          "/meshes/14/properties/targetAngleCompliance: a servo of this format is rigid"}) {
        EXPECT_NE(notes.find(says), std::string::npos) << says << "\n" << notes;
    }
    EXPECT_EQ(scene.notes.size(), 13u) << notes;
}

TEST(TenMinute, MistakesHaveAPlace) {
    auto whole = [](const std::string& meshes) { return "{\"meshes\": [" + meshes + "]}"; };
    auto vertices = [&](const char* properties, const std::string& list) {
        return whole(mesh("b", properties, "[0, 0, 0]", "[0, 0, 0, 1]", list));
    };
    expectErrors({
        {R"({"meshes": @[]})", "/meshes", "a scene needs meshes, and the file has none"},
        {R"(@{"exportInfo": {}})", "", "a scene needs meshes, and the file has none"},
        {R"({"meshes": @3})", "/meshes", "expected an array, got a number"},
        {R"({"meshes": [@3]})", "/meshes/0", "expected an object, got a number"},
        {R"({"meshes": [@{"properties": {"simType": "RigidBox"}}]})", "/meshes/0", "\"name\" is missing"},
        {"@" + whole(mesh("l", R"("simType": "Light")")), "",
         "a scene needs a body, and no mesh has a simType Rigid..."},
        {whole(mesh("b", R"("simType": @3)")), "/meshes/0/properties/simType",
         "expected a string, got a number"},
        {whole(mesh("b", R"("simType": "RigidBox", "density": @-1)")), "/meshes/0/properties/density",
         "density must be at least 0, got -1"},
        {whole(mesh("b", R"("simType": "RigidBox", "density": @"1")")), "/meshes/0/properties/density",
         "expected a number, got a string"},
        {whole(mesh("b", R"("simType": "RigidBox", "density": @1e39)")), "/meshes/0/properties/density",
         "a number must be at most 3.4e38, to fit into single precision"},
        {whole(mesh("b", R"("simType": "RigidBox", "density": @1e999)")), "",
         "a number must be at most 1.8e308; found 1e999"},
        {whole(mesh("b", R"("simType": "RigidBox", "density": @NaN)")), "",
         "syntax error while parsing value - invalid literal; found NaN"},
        {whole(mesh("b", heavy, "@[0, 0]")), "/meshes/0/transform/position", "expected 3 numbers, got 2"},
        {whole(mesh("b", heavy, "[0, 0, 0]", "@[0, 0, 0, 0]")), "/meshes/0/transform/rotation",
         "a rotation must not be zero"},
        {vertices(heavy, "@[1, 2]"), "/meshes/0/vertices", "the length of the list must be a multiple of 3"},
        {vertices(heavy, "@[]"), "/meshes/0/vertices", "the vertices of a body must enclose a volume"},
        {vertices(wall, "@[0,0,0, 1,1,0]"), "/meshes/0/vertices",
         "the vertices of a body must enclose a volume"},
        {vertices(R"("simType": "RigidSphere", "density": 1)", "@[1,1,1]"), "/meshes/0/vertices",
         "the vertices of a body must enclose a volume"},
        {vertices(heavy, "[0,0,0, 1,@\"1\",0]"), "/meshes/0/vertices", "expected a number, got a string"},
        {whole(mesh("b", heavy) + R"(, {"name": @"b", )" + mesh("b", heavy).substr(14)), "/meshes/1/name",
         "two bodies are called \"b\""},
        {R"({"meshes": [], "meshes": @[]})", "/meshes", "key \"meshes\" is given twice"},
    });
    Result<Scene> twice = import({mesh("w", wall), mesh("b", heavy),
                                  mesh("j", R"("simType": "BallJoint", "parent1": "w", "parent2": "b")"),
                                  mesh("j", R"("simType": "BallJoint", "parent1": "w", "parent2": "b")")});
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().what, "two joints are called \"j\"");
    EXPECT_EQ(twice.error().where, "f.json:5:10 /meshes/3/name");
}

// Errors that only a World can find also name the mesh.
TEST(TenMinute, LaterErrorsNameTheMesh) {
    Scene scene =
        imported({mesh("w", wall), mesh("b", heavy),
                  mesh("j", R"("simType": "HingeJoint", "parent1": "w", "parent2": "b", "swingMin": 2,
                                 "swingMax": 1)")});
    Result<Playback> p = Playback::start(scene);
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().where, "f.json:4:1 /joints/0/turn/min");
}

TEST(TenMinute, ComesBackAsAScene) {
    Scene scene = imported({mesh("w", wall), mesh("b", heavy, "[0, 0, 0]", "[-0.7071, 0, 0, 0.7071]"),
                            mesh("j", R"("simType": "ServoJoint", "parent1": "w", "parent2": "b")"),
                            mesh("v", R"("simType": "Visual", "parent": "b")")});
    std::string text = saveScene(scene);
    Result<Scene> read = parseScene(text, "g.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(saveScene(*read), text);
    EXPECT_TRUE(read->notes.empty());
}

} // namespace
} // namespace capstan
