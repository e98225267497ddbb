// SPDX-License-Identifier: MIT
// Checks a scene whose values have the right types and ranges: values must be consistent, and references must name an
// object (names.hpp).
#include "scene/check/names.hpp"
#include "scene/format/ranges.hpp"
#include <capstan/scene/json_text.hpp>

#include <algorithm>

namespace capstan {
namespace {

class Checker : NameChecker {
public:
    explicit Checker(const Scene& scene) : NameChecker(scene) {}

    Status run() {
        if (Status status = checkRanges(scene_); !status) return status;
        bool good = size() && names() && joints() && visuals() && motions() && actions() && controls() &&
                    expectations();
        return good ? done() : Status(error_);
    }

private:
    // ---- limits of memory
    bool fits(double& points, double more, const char* folder, std::size_t i, const char* what) {
        constexpr double most = 2e7;
        points += more;
        return points <= most ||
               fail(folder + std::to_string(i), what + (" must be at most " + jsonNumber(most)));
    }
    bool size() {
        double nodes = 0, vertices = 0;
        for (std::size_t i = 0; i < scene_.ropes.size(); ++i) {
            const RopeDef& r = scene_.ropes[i];
            const double more = r.segments > 0 ? r.segments + 1.0 : static_cast<double>(r.points.size());
            if (!fits(nodes, more, "/ropes/", i, "the nodes of all ropes")) return false;
        }
        for (std::size_t i = 0; i < scene_.cloths.size(); ++i) {
            const ClothDef& c = scene_.cloths[i];
            const double cells = (c.cellsU + 1.0) * (c.cellsV + 1.0),
                         given = static_cast<double>(c.points.size());
            if (!fits(vertices, c.points.empty() ? cells : given, "/cloths/", i,
                      "the vertices of all cloths"))
                return false;
        }
        return true;
    }

    // ---- joints, visuals, controls
    bool joints() {
        auto good = [&](const auto& ref, const Names& names, const std::string& pointer) {
            return ref.name.empty() || known(ref.name, names, pointer);
        };
        for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
            const JointDef& j = scene_.joints[i];
            std::string pointer = "/joints/" + std::to_string(i);
            if (!good(j.body0, bodies_, pointer + "/body0") || !good(j.body1, bodies_, pointer + "/body1") ||
                !good(j.rope, ropes_, pointer + "/rope")) {
                return false;
            }
        }
        return true;
    }
    bool visuals() {
        for (std::size_t i = 0; i < scene_.visuals.size(); ++i) {
            const Visual& v = scene_.visuals[i];
            std::string pointer = "/visuals/" + std::to_string(i);
            if (!body(v.body, pointer)) return false;
            if (!v.normals.empty() && v.normals.size() != v.vertices.size()) {
                return fail(pointer + "/normals", "normals must be as many as vertices (" +
                                                      std::to_string(v.vertices.size()) + "), got " +
                                                      std::to_string(v.normals.size()));
            }
            if (v.triangles.size() % 3 != 0) {
                return fail(pointer + "/triangles", "triangles must have a length that is a multiple of 3");
            }
            for (std::size_t k = 0; k < v.triangles.size(); ++k) {
                if (v.triangles[k] >= 0 && static_cast<std::size_t>(v.triangles[k]) < v.vertices.size())
                    continue;
                return fail(pointer + "/triangles/" + std::to_string(k),
                            "there is no vertex " + std::to_string(v.triangles[k]) + "; the visual has " +
                                std::to_string(v.vertices.size()) + " vertices");
            }
        }
        return true;
    }
    template <class T> bool inOrder(const std::vector<T>& list, const std::string& folder, const char* what) {
        for (std::size_t i = 1; i < list.size(); ++i) {
            if (list[i].t > list[i - 1].t) continue;
            return fail(folder + "/" + std::to_string(i) + "/t",
                        std::string(what) + " must come in order of time: " + jsonNumber(list[i].t) +
                            " s is not after " + jsonNumber(list[i - 1].t) + " s");
        }
        return true;
    }
    bool controls() { return inOrder(scene_.controls, "/controls", "control points"); }

    // ---- motions
    bool motions() {
        for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
            if (!motion(scene_.motions[i], "/motions/" + std::to_string(i))) return false;
        }
        return true;
    }
    bool motion(const Motion& m, const std::string& pointer) {
        Who follower = Who::Rope;
        const bool both = !m.cloth.empty() && (!m.rope.empty() || !m.body.empty() || !m.joint.empty());
        if (both)
            return fail(pointer,
                        "a motion must have either \"cloth\" or one of \"rope\", \"body\" and \"joint\"");
        const bool found = m.cloth.empty() ? who(m.rope, m.body, m.joint, pointer, follower)
                                           : known(m.cloth, cloths_, pointer + "/cloth");
        if (!found || !mayFollow(m, follower, pointer)) return false;
        int kinds = (m.path.empty() ? 0 : 1) + (m.circle ? 1 : 0) + (m.shake ? 1 : 0);
        if (kinds != 1 && !(kinds == 0 && m.angularVelocity)) {
            return fail(pointer, "a motion must have exactly one of path, circle and shake");
        }
        if (m.circle && m.circle->axis == Vec3{0, 0, 0}) {
            return fail(pointer + "/circle/axis", "axis must not be zero");
        }
        if (!inOrder(m.path, pointer + "/path", "waypoints")) return false;
        if (!m.loop) return true;
        if (m.path.size() < 2)
            return fail(pointer + "/loop", "a path that loops needs two or more waypoints");
        return m.path.front().position == m.path.back().position ||
               fail(pointer + "/loop", "a path that loops must end where it begins");
    }
    bool mayFollow(const Motion& m, Who follower, const std::string& pointer) {
        if (follower == Who::Body && scene_.bodies[bodies_.number[m.body]].type != BodyType::Kinematic) {
            return fail(pointer + "/body", "a motion needs a kinematic body");
        }
        if (follower == Who::Joint && scene_.joints[joints_.number[m.joint]].type != JointType::Drag) {
            return fail(pointer + "/joint", "a motion needs a drag joint");
        }
        if (follower != Who::Body && m.angularVelocity)
            return fail(pointer + "/angularVelocity", "angularVelocity needs a body; leave it out");
        if (follower != Who::Body && m.circle && m.circle->turn) {
            return fail(pointer + "/circle/turn", "turn needs a body; leave it out");
        }
        return true;
    }

    // ---- actions
    struct Takes {
        Act act;
        Who who;
        std::vector<std::string_view> needs, may;
    };
    static const std::vector<Takes>& rules() {
        static const std::vector<Takes> all = {
            {Act::Cut, Who::Rope, {"segment"}, {"part"}},
            {Act::Winch, Who::Rope, {"node", "speed"}, {"duration"}},
            {Act::Pin, Who::Rope, {"node"}, {"position"}},
            {Act::Unpin, Who::Rope, {"node"}, {}},
            {Act::ApplyImpulse, Who::Rope, {"node", "impulse"}, {}},
            {Act::ApplyImpulse, Who::Body, {"impulse"}, {"position"}},
            {Act::ApplyForce, Who::Rope, {"node", "force"}, {"duration"}},
            {Act::ApplyForce, Who::Body, {"force"}, {"position", "duration"}},
            {Act::Remove, Who::Rope, {}, {}},
            {Act::Remove, Who::Body, {}, {}},
            {Act::Remove, Who::Joint, {}, {}},
            {Act::ApplyTorque, Who::Body, {"torque"}, {"duration"}},
            {Act::SetTarget, Who::Joint, {"value"}, {}},
            {Act::Enable, Who::Joint, {}, {}},
            {Act::Disable, Who::Joint, {}, {}},
        };
        return all;
    }
    bool actions() {
        for (std::size_t i = 0; i < scene_.actions.size(); ++i) {
            if (!action(scene_.actions[i], "/actions/" + std::to_string(i))) return false;
        }
        return true;
    }
    bool action(const Action& a, const std::string& pointer) {
        Who to = !a.body.empty() ? Who::Body : !a.joint.empty() ? Who::Joint : Who::Rope;
        const Takes* takes = nullptr;
        const char* needs = nullptr;
        for (const Takes& t : rules()) {
            if (t.act != a.act) continue;
            if (t.who == to) takes = &t;
            needs = t.who == Who::Body ? "body" : "joint";
        }
        std::string does = word(a.act);
        if (!takes && to == Who::Rope) return fail(pointer, does + " needs \"" + needs + "\"");
        if (!takes) {
            const char* key = to == Who::Body ? "body" : "joint";
            return fail(pointer + "/" + key, does + " takes no \"" + key + "\"");
        }
        return who(a.rope, a.body, a.joint, pointer, to) && keys(a, *takes, does, pointer) &&
               hasTarget(a, pointer);
    }
    bool keys(const Action& a, const Takes& takes, const std::string& does, const std::string& pointer) {
        auto in = [](const std::vector<std::string_view>& list, std::string_view key) {
            return std::find(list.begin(), list.end(), key) != list.end();
        };
        bool good = true;
        auto key = [&](const char* name, bool given) {
            if (good && !given && in(takes.needs, name)) {
                good = fail(pointer, does + " needs \"" + name + "\"");
            }
            if (good && given && !in(takes.needs, name) && !in(takes.may, name)) {
                good = fail(pointer + "/" + name, does + " takes no \"" + name + "\"");
            }
        };
        key("node", a.node.has_value());
        key("segment", a.segment.has_value());
        key("speed", a.speed.has_value());
        key("position", a.position.has_value());
        key("impulse", a.impulse.has_value());
        key("force", a.force.has_value());
        key("torque", a.torque.has_value());
        key("value", a.value.has_value());
        key("duration", a.duration.has_value());
        key("part", !a.part.empty());
        if (good && a.act == Act::Winch && *a.node != first && *a.node != last) {
            return fail(pointer + "/node", "a winch must be at an end: node 0 or -1");
        }
        return good;
    }
    bool hasTarget(const Action& a, const std::string& pointer) {
        if (a.act != Act::SetTarget) return true;
        JointType type = scene_.joints[joints_.number[a.joint]].type;
        bool driven = type == JointType::Hinge || type == JointType::Servo || type == JointType::Motor ||
                      type == JointType::Prismatic || type == JointType::Cylinder;
        return driven || fail(pointer + "/joint", std::string("a ") + word(type) + " joint has no target");
    }

    // ---- expect
    bool expectations() {
        const Expect& e = scene_.expect;
        if (!e.hash.empty()) {
            bool hex = e.hash.size() == 16 && e.hash.find_first_not_of("0123456789abcdef") == e.hash.npos;
            if (!hex) return fail("/expect/hash", "a hash must have 16 digits out of 0123456789abcdef");
        }
        return each(e.tension, "/expect/tension/") && each(e.speed, "/expect/speed/") &&
               each(e.angularSpeed, "/expect/angularSpeed/") && each(e.position, "/expect/position/") &&
               each(e.height, "/expect/height/") && each(e.length, "/expect/length/") &&
               each(e.joint, "/expect/joint/") && each(e.contact, "/expect/contact/") && contacts() &&
               linkings();
    }
    bool contacts() {
        const std::vector<ExpectContact>& all = scene_.expect.contact;
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::string pointer = "/expect/contact/" + std::to_string(i);
            const ExpectContact& e = all[i];
            if (e.otherRope.empty() == e.otherBody.empty()) {
                return fail(pointer, "an expected contact must have either \"otherRope\" or \"otherBody\"");
            }
            if (!e.otherRope.empty() && !known(e.otherRope, ropes_, pointer + "/otherRope")) return false;
            if (!e.otherBody.empty() && !known(e.otherBody, bodies_, pointer + "/otherBody")) return false;
            if (!e.body.empty() && e.body == e.otherBody) {
                return fail(pointer + "/otherBody", "otherBody must be another body");
            }
        }
        return true;
    }
    bool linkings() {
        const std::vector<ExpectLinking>& all = scene_.expect.linking;
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::string pointer = "/expect/linking/" + std::to_string(i);
            for (auto [name, key] :
                 {std::pair(&all[i].rope, "/rope"), std::pair(&all[i].otherRope, "/otherRope")}) {
                if (!known(*name, ropes_, pointer + key)) return false;
                if (ropes_.number[*name] >= scene_.ropes.size()) {
                    return fail(pointer + key, "the rope must exist at the start, and a cut makes it later");
                }
            }
            if (all[i].rope == all[i].otherRope) {
                return fail(pointer + "/otherRope", "otherRope must be another rope");
            }
        }
        return true;
    }
    template <class E> bool each(const std::vector<E>& list, const std::string& folder) {
        constexpr bool ofRope = requires(E e) { e.rope; };
        constexpr bool ofBody = requires(E e) { e.body; };
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::string pointer = folder + std::to_string(i);
            Who ignored = Who::Rope;
            if constexpr (ofRope && ofBody) {
                if (!who(list[i].rope, list[i].body, "", pointer, ignored)) return false;
            } else if constexpr (ofRope) {
                if (!rope(list[i].rope, pointer)) return false;
            } else if constexpr (ofBody) {
                if (!body(list[i].body, pointer)) return false;
            } else {
                if (!joint(list[i].joint, pointer)) return false;
            }
            double length = scene_.frames / static_cast<double>(scene_.rate);
            if (list[i].at && *list[i].at > length * (1 + 1e-6)) {
                return fail(pointer + "/at", "at must be within the run, which ends at " +
                                                 jsonNumber(static_cast<float>(length)) + " s");
            }
            if constexpr (requires(E e) { e.peak; }) {
                if (list[i].at && list[i].peak)
                    return fail(pointer + "/peak",
                                "an expectation must have either \"at\" or \"peak\"; leave one out");
            }
        }
        return true;
    }
};

} // namespace

Status checkScene(const Scene& scene) { return Checker(scene).run(); }

Error errorAt(const Scene& scene, const std::string& pointer, std::string what) {
    // If the value was left out of the file, it has no place. Then the place of the innermost value that contains it
    // is used.
    for (std::string at = pointer;; at.resize(at.rfind('/'))) {
        for (const Place& place : scene.places) {
            if (place.pointer == at) {
                return {std::move(what), scene.name + ":" + std::to_string(place.line) + ":" +
                                             std::to_string(place.column) + " " + pointer};
            }
        }
        if (at.empty()) break;
    }
    return {std::move(what), scene.name.empty() ? pointer : scene.name + " " + pointer};
}

} // namespace capstan
