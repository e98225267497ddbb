// SPDX-License-Identifier: MIT
// Tests of contact in scene files: reading, writing, errors, and expectations that must be able to fail.
#include <capstan/scene/playback.hpp>

#include <tests/scene/expect_errors.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan {
namespace {

Result<Playback> begin(const std::string& members) {
    Result<Scene> scene = parseScene("{" + members + "}", "f.json");
    if (!scene) return scene.error();
    return Playback::start(std::move(*scene));
}

Playback ran(const std::string& members) {
    Result<Playback> p = begin(members);
    EXPECT_TRUE(p) << p.error().text();
    while (!p->done()) p->frame();
    return std::move(*p);
}

std::string failing(const Playback& p) {
    std::string out;
    for (const CheckLine& line : p.check()) {
        if (!line.ok) out += line.what + ": expected " + line.expected + ", got " + line.got + "\n";
    }
    return out;
}

TEST(ContactScene, ReadsAll) {
    Result<Scene> scene = parseScene(R"({
        "world": {"contact": false},
        "ropes": [{"name": "r", "to": [1, 0, 0],
                   "material": {"friction": 0.2, "staticFriction": 0.4}, "selfContact": false,
                   "filter": {"category": 8, "mask": 2147483646, "group": -2}}],
        "bodies": [
            {"name": "floor", "type": "static", "shape": {"kind": "plane"},
             "material": {"friction": 0.9}, "filter": {"mask": 4294967287}},
            {"name": "hill", "type": "static", "material": {"restitution": 1}, "shape": {"kind": "mesh",
             "points": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1]], "triangles": [[0, 2, 1], [1, 2, 3]]}}],
        "expect": {"minContacts": 1, "maxContacts": 9, "truncated": 5, "minSeparationRatio": 0.9,
            "contact": [{"body": "hill", "otherRope": "r", "at": 1, "value": 2, "tolerance": 0.1},
                        {"otherBody": "floor", "peak": true, "value": 3, "tolerance": 0.2}]}
    })",
                                     "f.json");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_FALSE(scene->world.contact);
    const RopeDef& r = scene->ropes[0];
    EXPECT_EQ(r.material.friction, 0.2f);
    EXPECT_EQ(r.material.staticFriction, 0.4f);
    EXPECT_FALSE(r.selfContact);
    EXPECT_EQ(r.filter, (FilterDef{8, 2147483646u, -2}));
    const BodyDef &floor = scene->bodies[0], &hill = scene->bodies[1];
    EXPECT_EQ(floor.shape.kind, ShapeKind::Plane);
    EXPECT_EQ(floor.material.friction, 0.9f);
    EXPECT_EQ(floor.filter, (FilterDef{1, 0xfffffff7u, 0}));
    EXPECT_EQ(hill.shape.kind, ShapeKind::Mesh);
    EXPECT_EQ(hill.shape.points.size(), 4u);
    EXPECT_EQ(hill.shape.triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}, {1, 2, 3}}));
    EXPECT_EQ(hill.filter, FilterDef{});
    EXPECT_EQ(hill.material.friction, 0.5f); // the default friction of a body
    EXPECT_EQ(hill.material.restitution, 1);
    const Expect& e = scene->expect;
    EXPECT_EQ(*e.minContacts, 1);
    EXPECT_EQ(*e.maxContacts, 9);
    EXPECT_EQ(*e.truncated, 5);
    EXPECT_EQ(*e.minSeparationRatio, 0.9f);
    EXPECT_EQ(e.contact.at(0).otherRope, "r");
    EXPECT_TRUE(e.contact.at(1).peak);
    Result<Scene> again = parseScene(saveScene(*scene), "g.json");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(saveScene(*again), saveScene(*scene));
    EXPECT_EQ(again->bodies[1].shape.triangles, hill.shape.triangles);
    EXPECT_TRUE(Playback::start(*scene));
}

TEST(ContactScene, Types) {
    expectErrors({
        {R"({"world": {"contact": @1}})", "/world/contact", "expected true or false, got a number"},
        {R"({"ropes": [{"filter": @3}]})", "/ropes/0/filter", "expected an object, got a number"},
        {R"({"ropes": [{"filter": {"group": @1.5}}]})", "/ropes/0/filter/group", "expected a whole number"},
        {R"({"ropes": [{"filter": {"category": @1.5}}]})", "/ropes/0/filter/category",
         "expected a whole number from 0 to 4294967295"},
        {R"({"ropes": [{"filter": {"mask": @-1}}]})", "/ropes/0/filter/mask",
         "expected a whole number from 0 to 4294967295"},
        {R"({"ropes": [{"filter": {"mask": @4294967296}}]})", "/ropes/0/filter/mask",
         "expected a whole number from 0 to 4294967295"},
        {R"({"bodies": [{"shape": {"kind": @"meshes"}}]})", "/bodies/0/shape/kind",
         "there is no word \"meshes\"; did you mean \"mesh\"?"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": @0}}]})", "/bodies/0/shape/triangles",
         "expected an array, got a number"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [@0, 1, 2]}}]})",
         "/bodies/0/shape/triangles/0", "expected three whole numbers [a, b, c], got a number"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [[0, 1, 2], @[0, 1]]}}]})",
         "/bodies/0/shape/triangles/1", "expected three whole numbers [a, b, c], got another array"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [@[0, 1, 2, 3]]}}]})",
         "/bodies/0/shape/triangles/0", "expected three whole numbers [a, b, c], got another array"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [@[0, 1, [2]]]}}]})",
         "/bodies/0/shape/triangles/0", "expected three whole numbers [a, b, c], got another array"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [[0, @1.5, 2]]}}]})",
         "/bodies/0/shape/triangles/0", "expected a whole number"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [[0, 1, @"2"]]}}]})",
         "/bodies/0/shape/triangles/0", "expected a number, got a string"},
        {R"({"bodies": [{"shape": {"kind": "mesh", "triangles": [[0, 1, @1e10]]}}]})",
         "/bodies/0/shape/triangles/0", "expected a whole number of at most 2147483647"},
        {R"({"ropes": [{}], "expect": {"contact": [@{"otherRope": "r", "value": 1}]}})", "/expect/contact/0",
         "\"tolerance\" is missing"},
        {R"({"expect": {"linking": [@{"rope": "r"}]}})", "/expect/linking/0", "\"otherRope\" is missing"},
    });
}

TEST(ContactScene, Ranges) {
    expectErrors({
        {R"({"ropes": [{"material": {"friction": @-1}}]})", "/ropes/0/material/friction",
         "friction must be at least 0, got -1"},
        {R"({"bodies": [{"material": {"restitution": @1.5}}]})", "/bodies/0/material/restitution",
         "restitution must be at least 0 and at most 1, got 1.5"},
        {R"({"bodies": [{"material": {"staticFriction": @-1}}]})", "/bodies/0/material/staticFriction",
         "staticFriction must be at least 0, got -1"},
        {R"({"expect": {"minContacts": @-1}})", "/expect/minContacts",
         "minContacts must be at least 0 and at most 1000000000, got -1"},
    });
}

TEST(ContactScene, References) {
    expectErrors({
        {R"({"bodies": [{"name": "a"}], "expect": {"contact": [@{"body": "a", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0", "an expected contact must have either \"otherRope\" or \"otherBody\""},
        {R"({"ropes": [{"name": "r"}], "bodies": [{"name": "a"}, {"name": "b"}], "expect": {"contact":
 [@{"body": "a", "otherRope": "r", "otherBody": "b", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0", "an expected contact must have either \"otherRope\" or \"otherBody\""},
        {R"({"bodies": [{"name": "a"}], "expect": {"contact":
 [{"body": "a", "otherBody": @"A", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0/otherBody", "no body is called \"A\"; did you mean \"a\"?"},
        {R"({"ropes": [{"name": "r"}], "expect": {"contact":
 [{"otherRope": @"s", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0/otherRope", "no rope is called \"s\"; known are r"},
        {R"({"bodies": [{"name": "a"}], "expect": {"contact":
 [{"body": "a", "otherBody": @"a", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0/otherBody", "otherBody must be another body"},
        {R"({"bodies": [{"name": "a"}], "expect": {"contact":
 [@{"otherBody": "a", "value": 1, "tolerance": 1}]}})",
         "/expect/contact/0", "\"rope\" must be given, because the scene has 0 ropes"},
        {R"({"ropes": [{"name": "r"}], "frames": 60, "expect": {"contact":
 [{"otherRope": "r", "value": 1, "tolerance": 1, "at": @1.5}]}})",
         "/expect/contact/0/at", "at must be within the run, which ends at 1 s"},
        {R"({"ropes": [{"name": "r"}], "expect": {"contact":
 [{"otherRope": "r", "value": 1, "tolerance": 1, "at": 1, "peak": @true}]}})",
         "/expect/contact/0/peak", "an expectation must have either \"at\" or \"peak\"; leave one out"},
        {R"({"ropes": [{"name": "r"}, {"name": "s"}], "expect": {"linking": [{"rope": "r", "otherRope": @"t"}]}})",
         "/expect/linking/0/otherRope", "no rope is called \"t\"; known are r, s"},
        {R"({"ropes": [{"name": "r"}], "expect": {"linking": [{"rope": "r", "otherRope": @"r"}]}})",
         "/expect/linking/0/otherRope", "otherRope must be another rope"},
        {R"({"ropes": [{"name": "r"}], "actions": [{"do": "cut", "segment": 3, "part": "s"}],
 "expect": {"linking": [{"rope": @"s", "otherRope": "r"}]}})",
         "/expect/linking/0/rope", "the rope must exist at the start, and a cut makes it later"},
    });
}

// Errors that only a World can find also have a line and a column of the file.
TEST(ContactScene, ShapesHaveAPlaceToo) {
    struct {
        const char *text, *where, *what;
    } all[] = {
        {"\"bodies\": [\n{\"shape\": {\"kind\": \"plane\"}}]", "f.json:2:20 /bodies/0/shape/kind",
         "a plane has no mass; its body must be static or kinematic"},
        {"\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\",\n\"points\": [[0, 0, 0], [1, "
         "0, 0], [0, 1, 0]],\n"
         "\"triangles\": [[0, 1, 2], [0, 1, 3]]}}]",
         "f.json:3:14 /bodies/0/shape/triangles/1", "there is no point 3; the mesh has 3 points"},
        {"\"bodies\": [{\"type\": \"static\", \"parts\": [\n{\"kind\": \"mesh\"}]}]",
         "f.json:2:1 /bodies/0/parts/0/points", "a mesh needs points"},
    };
    for (const auto& bad : all) {
        SCOPED_TRACE(bad.text);
        Result<Playback> p = begin(bad.text);
        ASSERT_FALSE(p);
        EXPECT_EQ(p.error().where, bad.where);
        EXPECT_EQ(p.error().what, bad.what);
    }
}

// Two rings of 1 m that are linked, and a thread of 2 m through the first. There is no gravity, and nothing moves.
std::string ring(const char* name, bool upright) {
    std::string points;
    for (int k = 0; k < 24; ++k) {
        const double a = 2 * std::numbers::pi * k / 24, c = std::cos(a), s = std::sin(a);
        char text[80];
        std::snprintf(text, sizeof text, upright ? "[%.6f, 0, %.6f]" : "[%.6f, %.6f, 0]", upright ? 1 + c : c,
                      s);
        points += (k > 0 ? ", " : "") + std::string(text);
    }
    return R"({"name": ")" + std::string(name) + R"(", "closed": true, "segments": 0, "points": [)" + points +
           "]}";
}
std::string linked() {
    return R"("world": {"gravity": [0, 0, 0]}, "frames": 10, "ropes": [)" + ring("a", false) + ", " +
           ring("b", true) +
           R"(, {"name": "thread", "from": [-0.5, 0, -1], "to": [-0.5, 0, 1], "segments": 20}])";
}

TEST(ContactExpectations, LinkingStays) {
    Playback p = ran(linked() + R"(, "expect": {"linking": [{"rope": "a", "otherRope": "b"},
        {"rope": "b", "otherRope": "a", "value": 1}, {"rope": "a", "otherRope": "thread", "tolerance": 0.01},
        {"rope": "thread", "otherRope": "b", "value": 0, "tolerance": 0.1}]})");
    const std::vector<CheckLine> lines = p.check();
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(std::abs(std::stoi(lines[1].got)), 1); // linked once, in either orientation
    // The linking number does not depend on the order of the two ropes. Its sign is tested in tests/topology.
    EXPECT_EQ(lines[1].got, lines[2].got);
    for (std::size_t i : {0u, 1u, 3u, 4u}) EXPECT_TRUE(lines[i].ok) << lines[i].what << " " << lines[i].got;
    // The thread ends 1 m above and below a disc of radius 1. The solid angle is most of the full one.
    EXPECT_GT(std::abs(std::stod(lines[3].got)), 0.5);
    EXPECT_LT(std::abs(std::stod(lines[3].got)), 1);
}

// The expectation `linking` fails if a rope passes through, if the value is wrong from the start, or if a rope is
// removed.
TEST(ContactExpectations, LinkingCanFail) {
    const char* const through = R"(, "actions": [{"at": 0.05, "do": "remove", "rope": "thread"}])";
    Playback p =
        ran(linked() + through + R"(, "expect": {"linking": [{"rope": "a", "otherRope": "b", "value": 3},
        {"rope": "a", "otherRope": "thread", "tolerance": 9}]})");
    EXPECT_EQ(p.check()[1].what, "linking of a with b");
    EXPECT_EQ(p.check()[1].expected, "3 within 0 all the time");
    EXPECT_FALSE(p.check()[1].ok);
    EXPECT_FALSE(p.check()[2].ok);
    EXPECT_EQ(p.check()[2].got, "one of the ropes is gone");
    // Without contact, the second ring is pulled out of the first.
    std::string pulled = linked();
    pulled.replace(pulled.find("\"gravity\""), 0, "\"contact\": false, ");
    std::string b = "\"name\": \"b\"";
    pulled.replace(pulled.find(b), b.size(), b + ", \"velocity\": [33, 0, 0]");
    p = ran(pulled + R"(, "expect": {"linking": [{"rope": "a", "otherRope": "b"}]})");
    EXPECT_EQ(p.check()[1].got, "0");
    EXPECT_FALSE(p.check()[1].ok);
}

const char* const crate =
    R"("frames": 90, "bodies": [{"name": "floor", "type": "static", "shape": {"kind": "plane"}},
    {"name": "crate", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "mass": 10, "position": [0, 0.1, 0]},
    {"name": "far", "type": "static", "shape": {"kind": "box", "size": [1, 1, 1]}, "position": [9, 0, 0]}])";

// A crate at rest on four corners exerts its weight, 98.1 N, on the floor.
TEST(ContactExpectations, ACrateOnTheFloor) {
    Playback p = ran(std::string(crate) + R"(, "expect": {"minContacts": 3, "maxContacts": 4, "truncated": 0,
        "restsWithin": 0.001, "contact": [
        {"body": "crate", "otherBody": "floor", "value": 98.1, "tolerance": 0.01},
        {"body": "floor", "otherBody": "crate", "at": 1, "value": 98.1, "tolerance": 0.01},
        {"body": "crate", "otherBody": "far", "peak": true, "value": 0, "tolerance": 0}]})");
    EXPECT_EQ(failing(p), "");
    EXPECT_TRUE(p.summary().happenings.empty()); // contacts are not happenings
}

TEST(ContactExpectations, EachCanFail) {
    Playback p =
        ran(std::string(crate) + R"(, "expect": {"minContacts": 99, "minSeparationRatio": 1.5, "contact": [
        {"body": "crate", "otherBody": "floor", "value": 50, "tolerance": 0.5},
        {"body": "crate", "otherBody": "far", "at": 1, "value": 50, "tolerance": 0.5}]})");
    const std::string bad = failing(p);
    for (const char* what : {"minContacts: expected at least 99", "minSeparationRatio: expected at least 1.5",
                             "contact of crate with floor",
                             "contact of crate with far at 1 s: expected 50 N within 50 %, got 0 N"}) {
        EXPECT_NE(bad.find(what), std::string::npos) << what << " should fail\n" << bad;
    }
    p = ran(std::string(crate) + R"(, "expect": {"maxContacts": 0})");
    EXPECT_NE(failing(p).find("maxContacts: expected at most 0, got 4"), std::string::npos) << failing(p);
    p = ran(std::string(crate) +
            R"(, "actions": [{"at": 0.5, "do": "remove", "body": "crate"}], "expect": {"contact":
        [{"body": "crate", "otherBody": "floor", "value": 0, "tolerance": 0}]})");
    EXPECT_NE(failing(p).find("the object is gone"), std::string::npos) << failing(p);
}

} // namespace
} // namespace capstan
