// SPDX-License-Identifier: MIT
// Tests of the fields of every Def of a scene: each has help, is documented, can be set in a file, and is read back.
#include <capstan/scene/field_types.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

namespace capstan {
namespace {

// Changes a value to a value inside the range that is not the default.
void change(bool& v, const Field&) { v = !v; }
void change(std::string& v, const Field&) { v = "b"; }
void change(Vec3& v, const Field& f) {
    v = f.min < 0 ? Vec3{0.1f, -2.5f, 3e-8f} : Vec3{0.1f, static_cast<float>(std::min(2.5, f.max)), 3e-8f};
}
void change(Triple& v, const Field&) { v = {0, 2, 1}; }
void change(Quatf& v, const Field&) { v = {0.6f, 0, -0.8f, 0}; }
template <class Tag> void change(Ref<Tag>& v, const Field&) { v.name = "b"; }
void change(std::uint32_t& v, const Field&) { v = 0xfffffff0u; }
void change(std::uint64_t& v, const Field&) { v = 18446744073709551615u; }
void change(int& v, const Field& f) { v = f.max < 10 ? static_cast<int>(f.max) : 7; }
void change(float& v, const Field& f) { v = static_cast<float>(std::min(1.7, f.max)); }
template <class D> std::enable_if_t<isDef<D>> change(D&, const Field&) {}
template <class T> void change(std::optional<T>& v, const Field& f) { change(v.emplace(), f); }
template <class T> void change(std::vector<T>& v, const Field& f) {
    v.resize(std::is_same_v<T, int> ? 3 : 2);
    if constexpr (!isDef<T>) change(v[1], f);
}
template <class E> std::enable_if_t<std::is_enum_v<E>> change(E& v, const Field&) {
    v = static_cast<E>((static_cast<std::size_t>(v) + 1) % wordsOf(v).size());
}

std::string documentation() {
    std::ifstream stream(CAPSTAN_SOURCE_DIR "/docs/reference/scene.md");
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Checks one field. It is no template, because everyField is compiled for every Def and type.
void judgeField(const std::string& key, const Field& field) {
    EXPECT_STRNE(field.help, "") << key;
    EXPECT_LE(field.min, field.max) << key;
    EXPECT_NE(documentation().find("| `" + key + "` |"), std::string::npos);
}

void judgeText(const std::string& key, const Scene& scene, const Scene& plain) {
    std::string text = saveScene(scene);
    EXPECT_NE(text.find("\"" + key + "\": "), std::string::npos) << text;
    EXPECT_NE(text, saveScene(plain));
    Result<Scene> read = parseScene(text, "f");
    ASSERT_TRUE(read) << read.error().text() << "\n" << text;
    EXPECT_EQ(saveScene(*read), text);
}

// For each field of a Def: makes a scene in which only this field is changed, writes the scene, and reads the text
// back.
template <class D> void everyField(const std::function<D&(Scene&)>& in, std::vector<std::string> apart = {}) {
    Scene plain;
    in(plain);
    int count = 0;
    fields(in(plain), [&](const char*, auto&, const Field&) { ++count; });
    ASSERT_GT(count, 0);
    for (int which = 0; which < count; ++which) {
        Scene scene;
        D& def = in(scene);
        std::string key;
        Field seen;
        bool whole = false;
        int i = 0;
        fields(def, [&](const char* name, auto& value, const Field& field) {
            if (i++ != which) return;
            key = name;
            seen = field;
            whole = isDef<std::remove_reference_t<decltype(value)>>;
            change(value, field);
        });
        SCOPED_TRACE(std::string(defInfo<D>().title) + "." + key);
        judgeField(key, seen);
        // Skips fields that are valid only together with other fields, and `version`, which has only one value.
        if (whole || std::find(apart.begin(), apart.end(), key) != apart.end()) continue;
        judgeText(key, scene, plain);
        if (testing::Test::HasFatalFailure()) return;
    }
}

RopeDef& oneRope(Scene& s) {
    if (s.ropes.empty()) s.ropes.emplace_back();
    return s.ropes[0];
}
template <class T> T& one(std::vector<T>& v) {
    if (v.empty()) v.emplace_back();
    return v[0];
}

TEST(Fields, Scene) {
    everyField<Scene>([](Scene& s) -> Scene& { return s; },
                      {"version", "motions", "actions", "visuals", "controls"});
}
LeashDef& oneLeash(Scene& s) {
    if (!s.leash) s.leash.emplace();
    return *s.leash;
}
CameraDef& oneCamera(Scene& s) {
    if (!s.camera) s.camera.emplace();
    return *s.camera;
}
TEST(Fields, Camera) { everyField<CameraDef>(oneCamera); }
TEST(Fields, Leash) { everyField<LeashDef>(oneLeash); }
TEST(Fields, Dog) {
    everyField<DogDef>([](Scene& s) -> DogDef& { return one(oneLeash(s).dogs); });
}
TEST(Fields, Tangles) {
    everyField<TangleDef>([](Scene& s) -> TangleDef& { return oneLeash(s).tangles; });
}
TEST(Fields, World) {
    everyField<WorldDef>([](Scene& s) -> WorldDef& { return s.world; });
}
TEST(Fields, Rope) { everyField<RopeDef>(oneRope); }
TEST(Fields, Material) {
    everyField<MaterialDef>([](Scene& s) -> MaterialDef& { return oneRope(s).material; });
}
TEST(Fields, Filter) {
    everyField<FilterDef>([](Scene& s) -> FilterDef& { return oneRope(s).filter; });
}
TEST(Fields, Axis) {
    everyField<AxisDef>([](Scene& s) -> AxisDef& { return one(s.joints).turn; });
}
TEST(Fields, Frame) {
    everyField<Transform>([](Scene& s) -> Transform& {
        JointDef& j = one(s.joints);
        if (!j.frame0) j.frame0.emplace();
        return *j.frame0;
    });
}
TEST(Fields, Load) {
    everyField<LoadDef>([](Scene& s) -> LoadDef& { return one(oneRope(s).loads); });
}
TEST(Fields, Clamp) {
    everyField<ClampDef>([](Scene& s) -> ClampDef& { return one(oneRope(s).clamps); });
}

// Adds objects named "b", so that references to "b" are valid.
void addNamed(Scene& s) {
    if (s.bodies.empty()) {
        oneRope(s).name = "b";
        s.bodies.resize(1);
        s.bodies[0].name = "b";
        s.bodies[0].type = BodyType::Kinematic;
    }
}
TEST(Fields, Body) {
    everyField<BodyDef>([](Scene& s) -> BodyDef& { return one(s.bodies); });
}
TEST(Fields, Shape) {
    everyField<ShapeDef>([](Scene& s) -> ShapeDef& { return one(s.bodies).shape; });
    everyField<ShapeDef>([](Scene& s) -> ShapeDef& { return one(one(s.bodies).parts); });
}
TEST(Fields, Joint) {
    everyField<JointDef>([](Scene& s) -> JointDef& {
        addNamed(s);
        return one(s.joints);
    });
}
TEST(Fields, Visual) {
    everyField<Visual>(
        [](Scene& s) -> Visual& {
            addNamed(s);
            Visual& v = one(s.visuals);
            if (v.body.empty()) {
                s.bodies.emplace_back();
                s.bodies[1].name = v.body = "c";
                v.vertices.resize(8);
            }
            return v;
        },
        {"normals", "vertices"});
}
TEST(Fields, ControlPoint) {
    everyField<ControlPoint>([](Scene& s) -> ControlPoint& { return one(s.controls); });
}

Motion& oneMotion(Scene& s) {
    oneRope(s).name = "b";
    Motion& m = one(s.motions);
    if (m.path.empty()) m.path = {{1, {0, 0, 0}}, {2, {0, 0, 0}}};
    return m;
}
TEST(Fields, Motion) {
    everyField<Motion>(oneMotion, {"path", "circle", "shake", "body", "joint", "cloth", "angularVelocity"});
    // Motions of a body, of a joint and of a cloth.
    for (const char* motion : {R"("body": "k", "angularVelocity": [0, 2, 0])",
                               R"("joint": "d", "path": [{"t": 1, "position": [0, 0, 0]}])",
                               R"("body": "k", "circle": {"center": [0, 0, 0], "rate": 1, "turn": true})",
                               R"("cloth": "c", "node": 0, "path": [{"t": 1, "position": [0, 0, 0]}])"}) {
        Result<Scene> scene = parseScene(std::string(R"({"bodies": [{"name": "k", "type": "kinematic"}],
            "cloths": [{"name": "c", "pins": [0]}],
            "joints": [{"name": "d", "type": "drag", "body1": "k"}], "motions": [{)") +
                                             motion + "}]}",
                                         "f");
        ASSERT_TRUE(scene) << scene.error().text();
        Result<Scene> again = parseScene(saveScene(*scene), "g");
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(saveScene(*again), saveScene(*scene));
        EXPECT_EQ(again->motions[0].body, scene->motions[0].body);
        EXPECT_EQ(again->motions[0].joint, scene->motions[0].joint);
        EXPECT_EQ(again->motions[0].cloth, scene->motions[0].cloth);
        EXPECT_EQ(again->motions[0].angularVelocity, scene->motions[0].angularVelocity);
    }
}
TEST(Fields, Waypoint) {
    everyField<Waypoint>([](Scene& s) -> Waypoint& { return oneMotion(s).path[0]; });
}
TEST(Fields, Circle) {
    everyField<Circle>([](Scene& s) -> Circle& {
        oneMotion(s).path.clear();
        if (!s.motions[0].circle) {
            addNamed(s);
            s.motions[0].rope.clear();
            s.motions[0].body = "b";
            s.motions[0].circle.emplace();
        }
        return *s.motions[0].circle;
    });
}
TEST(Fields, Shake) {
    everyField<Shake>([](Scene& s) -> Shake& {
        oneMotion(s).path.clear();
        if (!s.motions[0].shake) s.motions[0].shake.emplace();
        return *s.motions[0].shake;
    });
}

// Each kind of action has its own keys. applyForce and cut together have all keys except three.
TEST(Fields, Pull) {
    everyField<Action>(
        [](Scene& s) -> Action& {
            oneRope(s).name = "b";
            Action& a = one(s.actions);
            a.act = Act::ApplyForce;
            a.node = 1;
            a.force = Vec3{1, 0, 0};
            return a;
        },
        {"do", "segment", "speed", "position", "impulse", "part", "body", "joint", "torque", "value"});
}
TEST(Fields, OtherActions) {
    for (const char* action :
         {R"("do": "cut", "segment": 1, "part": "p")", R"("do": "winch", "node": 0, "speed": 2)",
          R"("do": "pin", "node": 2, "position": [1, 2, 3])", R"("do": "unpin", "node": 2)",
          R"("do": "applyImpulse", "node": 2, "impulse": [1, 2, 3])", R"("do": "remove")",
          R"("do": "applyImpulse", "body": "b", "impulse": [1, 2, 3], "position": [1, 0, 0])",
          R"("do": "applyForce", "body": "b", "force": [1, 2, 3], "duration": 2)",
          R"("do": "applyTorque", "body": "b", "torque": [1, 2, 3], "duration": 2)",
          R"("do": "remove", "body": "b")", R"("do": "setTarget", "joint": "j", "value": 2)",
          R"("do": "enable", "joint": "j")", R"("do": "disable", "joint": "j")",
          R"("do": "remove", "joint": "j")"}) {
        Result<Scene> scene = parseScene(R"({"ropes": [{}], "bodies": [{"name": "b"}],
            "joints": [{"name": "j", "type": "hinge", "body1": "b"}], "actions": [{)" +
                                             std::string(action) + "}]}",
                                         "f");
        ASSERT_TRUE(scene) << scene.error().text();
        Result<Scene> again = parseScene(saveScene(*scene), "g");
        ASSERT_TRUE(again);
        EXPECT_EQ(saveScene(*again), saveScene(*scene));
        EXPECT_EQ(again->actions[0].act, scene->actions[0].act);
        EXPECT_EQ(again->actions[0].body, scene->actions[0].body);
        EXPECT_EQ(again->actions[0].joint, scene->actions[0].joint);
        EXPECT_EQ(again->actions[0].torque, scene->actions[0].torque);
        EXPECT_EQ(again->actions[0].value, scene->actions[0].value);
    }
}

// Fields that are lists are tested below, together with the fields that they need.
TEST(Fields, Expect) {
    everyField<Expect>(
        [](Scene& s) -> Expect& {
            oneRope(s);
            return s.expect;
        },
        {"hash", "angularSpeed", "joint", "contact", "linking"});
}
TEST(Fields, ExpectLists) {
    auto named = [](Scene& s) -> Expect& {
        oneRope(s).name = "b";
        if (s.bodies.empty()) s.bodies.emplace_back();
        s.bodies[0].name = "b";
        if (s.joints.empty()) s.joints.emplace_back();
        s.joints[0].name = "b";
        return s.expect;
    };
    everyField<ExpectTension>([&](Scene& s) -> ExpectTension& { return one(named(s).tension); });
    everyField<ExpectSpeed>([&](Scene& s) -> ExpectSpeed& { return one(named(s).speed); });
    everyField<ExpectPosition>([&](Scene& s) -> ExpectPosition& { return one(named(s).position); });
    everyField<ExpectHeight>([&](Scene& s) -> ExpectHeight& { return one(named(s).height); });
    everyField<ExpectLength>([&](Scene& s) -> ExpectLength& { return one(named(s).length); });
    // The two objects of a contact must differ, and the other object must be given.
    everyField<ExpectContact>(
        [&](Scene& s) -> ExpectContact& {
            ExpectContact& e = one(named(s).contact);
            if (s.bodies.size() == 1) {
                s.bodies.emplace_back();
                s.bodies[1].name = e.otherBody = "c";
            }
            return e;
        },
        {"otherRope"});
    everyField<ExpectLinking>([&](Scene& s) -> ExpectLinking& {
        ExpectLinking& e = one(named(s).linking);
        if (s.ropes.size() == 1) {
            s.ropes.resize(3);
            s.ropes[1].name = e.rope = "c";
            s.ropes[2].name = e.otherRope = "d";
        }
        return e;
    });
    // These two have no rope as a default: the changed value is another body or joint.
    everyField<ExpectAngularSpeed>([&](Scene& s) -> ExpectAngularSpeed& {
        ExpectAngularSpeed& e = one(named(s).angularSpeed);
        if (s.bodies.size() == 1) {
            s.bodies.emplace_back();
            s.bodies[1].name = e.body = "c";
        }
        return e;
    });
    everyField<ExpectJoint>([&](Scene& s) -> ExpectJoint& {
        ExpectJoint& e = one(named(s).joint);
        if (s.joints.size() == 1) {
            s.joints.emplace_back();
            s.joints[1].name = e.joint = "c";
        }
        return e;
    });
}

TEST(Documentation, IsUpToDate) {
    std::istringstream written(documentation()), made(sceneFormatMarkdown());
    std::string there, wanted;
    int line = 1;
    for (; std::getline(made, wanted); ++line) {
        std::getline(written, there);
        ASSERT_EQ(there, wanted) << "line " << line
                                 << "; run: capstan info --fields > docs/reference/scene.md";
    }
    EXPECT_FALSE(std::getline(written, there)) << "docs/reference/scene.md has more than it should";
}

TEST(Documentation, ItsExamplesAreScenes) {
    std::string text = sceneFormatMarkdown();
    int count = 0;
    for (std::size_t begin = text.find("```json\n"); begin != text.npos; ++count) {
        std::size_t end = text.find("```", begin + 8);
        Result<Scene> scene = parseScene(text.substr(begin + 8, end - begin - 8), "example");
        EXPECT_TRUE(scene) << scene.error().text();
        begin = text.find("```json\n", end);
    }
    EXPECT_EQ(count, 2);
}

} // namespace
} // namespace capstan
