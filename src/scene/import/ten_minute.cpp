// SPDX-License-Identifier: MIT
// Imports Ten Minute Physics scenes.
//
// Such a file is a list of meshes. Each mesh has vertices in its own frame, a transform to the world and
// `properties`. The property simType gives the kind of the mesh: Rigid... is a body, ...Joint a joint, Visual a display
// mesh. Units and conventions equal those of Capstan: metres, kilograms, radians, y up, quaternions x y z w. All
// numbers are rounded to four decimals, so every quaternion is normalised.
//   body   box: extents of the vertices; sphere: largest distance from the mean of the vertices; density 0: static
//   joint  see ten_minute_joints.hpp
// Meshes may be in any order, and joints may come before their bodies, so there are two passes.
#include "scene/import/ten_minute.hpp"

#include "scene/format/ranges.hpp"
#include "scene/import/ten_minute_joints.hpp"
#include <capstan/scene/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

namespace capstan {
namespace {

Quatf single(Quatd q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
            static_cast<float>(q.w)};
}

class Importer {
public:
    Importer(const JsonTree& tree, const ImportOptions& options, Scene& scene)
        : reading_{tree, scene.name}, options_(options), scene_(scene) {}

    Status run() {
        std::vector<TenMinuteMesh> meshes = readMeshes();
        if (reading_.error) return *reading_.error;
        for (const TenMinuteMesh& m : meshes) {
            if (m.type.rfind("Rigid", 0) == 0) body(m);
            if (reading_.error) return *reading_.error;
        }
        for (const TenMinuteMesh& m : meshes) {
            if (m.type.ends_with("Joint")) joint(m);
            if (m.type == "Visual") visual(m);
            if (reading_.error) return *reading_.error;
        }
        if (scene_.bodies.empty())
            return reading_.at(0, "", "a scene needs a body, and no mesh has a simType Rigid...");
        finish();
        return done();
    }

private:
    void note(Error what) { scene_.notes.push_back(std::move(what)); }
    // Stores the position of the mesh in the file as the Place of the object made from it. A later error about the
    // object then names the mesh's line.
    void storeContacts(const std::string& pointer, const TenMinuteMesh& m) {
        const JsonValue& v = reading_.tree.values[m.object.value()];
        scene_.places.push_back({pointer, static_cast<int>(v.line), static_cast<int>(v.column)});
    }

    // ---- meshes
    std::vector<TenMinuteMesh> readMeshes() {
        std::vector<TenMinuteMesh> all;
        JsonObject top(reading_, 0, "");
        std::uint32_t list = 0;
        const std::vector<JsonValue>& values = reading_.tree.values;
        for (std::uint32_t child = 1; child < values[0].end; child = values[child].end) {
            if (reading_.tree.strings[values[child].key].text == "meshes") list = child;
        }
        if (list == 0 || (values[list].type == JsonValue::Type::Array && values[list].end == list + 1)) {
            reading_.fail(list, list ? "/meshes" : "", "a scene needs meshes, and the file has none");
            return all;
        }
        if (values[list].type != JsonValue::Type::Array) {
            top.fail("meshes", std::string("expected an array, got ") + typeName(values[list].type));
            return all;
        }
        for (std::uint32_t child = list + 1, i = 0; child < values[list].end;
             child = values[child].end, ++i) {
            JsonObject object(reading_, child, "/meshes/" + std::to_string(i));
            if (!reading_.error) readMesh(object, all);
            if (reading_.error) return all;
        }
        return all;
    }
    void readMesh(const JsonObject& object, std::vector<TenMinuteMesh>& all) {
        if (!object.has("properties"))
            return note(object.at("properties", "a mesh needs properties; this mesh is left out"));
        JsonObject properties = object.object("properties");
        std::string type = properties.has("simType") ? properties.text("simType") : "";
        if (reading_.error) return;
        bool known = type.rfind("Rigid", 0) == 0 || type.ends_with("Joint") || type == "Visual";
        if (!known) {
            note(properties.at("simType",
                               "\"" + shorten(type) +
                                   "\" is neither a body, a joint nor a visual; the mesh is left out"));
            return;
        }
        TenMinuteMesh m{object, properties, object.text("name"), type};
        JsonObject transform = object.object("transform");
        std::vector<double> p = transform.numbers("position", 3);
        std::vector<double> q = transform.numbers("rotation", 4);
        if (reading_.error) return;
        m.x = {p[0], p[1], p[2]};
        m.q = {q[0], q[1], q[2], q[3]};
        double size = length(m.q);
        if (!(size > 1e-6)) {
            transform.fail("rotation", "a rotation must not be zero");
        } else if (std::abs(size - 1) > 1e-3) {
            note(transform.at("rotation", normalisedText(size)));
        }
        m.q = normalize(m.q);
        all.push_back(std::move(m));
    }
    std::vector<Vec3d> points(const TenMinuteMesh& m, const char* key) {
        std::vector<double> flat = m.object.numbers(key);
        if (flat.size() % 3 != 0) m.object.fail(key, "the length of the list must be a multiple of 3");
        std::vector<Vec3d> out;
        for (std::size_t i = 0; i + 2 < flat.size(); i += 3)
            out.push_back({flat[i], flat[i + 1], flat[i + 2]});
        return out;
    }

    // ---- bodies
    void body(const TenMinuteMesh& m) {
        if (solids_.count(m.name))
            return m.object.fail("name", "two bodies are called \"" + shorten(m.name) + "\"");
        std::vector<Vec3d> vertices = points(m, "vertices");
        double density = static_cast<double>(m.properties.atLeastZero("density"));
        if (reading_.error) return;
        TenMinuteBody solid{m.x, m.q};
        Vec3d center = {0, 0, 0};
        BodyDef def;
        if (m.type == "RigidBox") {
            def.shape = box(m, vertices, density, solid, center);
        } else if (m.type == "RigidSphere") {
            def.shape = sphere(m, vertices, density, solid, center);
        } else {
            note(m.properties.at("simType", "bodies are RigidBox or RigidSphere, not \"" + shorten(m.type) +
                                                "\"; the body is left out"));
            return;
        }
        if (reading_.error) return;
        def.name = m.name;
        def.type = density > 0 ? BodyType::Dynamic : BodyType::Static;
        if (density > 0) def.density = static_cast<float>(density);
        def.position = single(m.x);
        def.rotation = single(m.q);
        if (!options_.centerAtOrigin) def.shape.position = single(center);
        storeContacts("/bodies/" + std::to_string(scene_.bodies.size()), m);
        solids_.emplace(m.name, solid);
        scene_.bodies.push_back(std::move(def));
    }
    ShapeDef box(const TenMinuteMesh& m, const std::vector<Vec3d>& vertices, double density,
                 TenMinuteBody& solid, Vec3d& center) {
        if (vertices.empty()) return noVolume(m);
        Vec3d low = vertices[0], high = vertices[0];
        for (Vec3d v : vertices) {
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        }
        Vec3d s = high - low;
        if (!(s.x > 0 && s.y > 0 && s.z > 0)) return noVolume(m);
        center = 0.5 * (low + high);
        double mass = density * s.x * s.y * s.z, k = mass / 12;
        if (mass > 0) {
            solid.inverseMass = 1 / mass;
            solid.inverseInertia = {1 / (k * (s.y * s.y + s.z * s.z)), 1 / (k * (s.z * s.z + s.x * s.x)),
                                    1 / (k * (s.x * s.x + s.y * s.y))};
        }
        return Box{single(s)};
    }
    ShapeDef sphere(const TenMinuteMesh& m, const std::vector<Vec3d>& vertices, double density,
                    TenMinuteBody& solid, Vec3d& center) {
        if (vertices.empty()) return noVolume(m);
        for (Vec3d v : vertices) center = center + (1 / static_cast<double>(vertices.size())) * v;
        double r = 0;
        for (Vec3d v : vertices) r = std::max(r, length(v - center));
        if (!(r > 0)) return noVolume(m);
        double mass = density * 4 / 3 * std::numbers::pi * r * r * r, turn = 0.4 * mass * r * r;
        if (mass > 0) {
            solid.inverseMass = 1 / mass;
            solid.inverseInertia = {1 / turn, 1 / turn, 1 / turn};
        }
        return Sphere{static_cast<float>(r)};
    }
    ShapeDef noVolume(const TenMinuteMesh& m) {
        m.object.fail("vertices", "the vertices of a body must enclose a volume");
        return {};
    }

    // ---- joints
    const TenMinuteBody* parent(const TenMinuteMesh& m, const char* key, const char* loses) {
        std::string name = m.properties.has(key) ? m.properties.text(key) : "";
        auto found = solids_.find(name);
        if (found != solids_.end()) return &found->second;
        if (!reading_.error) {
            note(m.properties.at(key, (m.properties.has(key) ? "no body is called \"" + shorten(name) + "\""
                                                             : "\"" + std::string(key) + "\" is missing") +
                                          "; " + loses + " \"" + shorten(m.name) + "\" is left out"));
        }
        return nullptr;
    }
    void joint(const TenMinuteMesh& m) {
        const TenMinuteBody* a = parent(m, "parent1", "the joint");
        const TenMinuteBody* b = a ? parent(m, "parent2", "the joint") : nullptr;
        if (!a || !b) return;
        if (!jointNames_.insert(m.name).second) {
            return m.object.fail("name", "two joints are called \"" + shorten(m.name) + "\"");
        }
        if (a == b || (a->inverseMass == 0 && b->inverseMass == 0)) {
            return note(m.properties.at("parent2", std::string(a == b ? "one body" : "two static bodies") +
                                                       " cannot be joined; the joint \"" + shorten(m.name) +
                                                       "\" is left out"));
        }
        std::optional<JointDef> def = tenMinuteJoint(m, *a, *b, scene_.notes);
        if (reading_.error || !def) return;
        storeContacts("/joints/" + std::to_string(scene_.joints.size()), m);
        scene_.joints.push_back(std::move(*def));
    }

    // ---- visuals
    void visual(const TenMinuteMesh& m) {
        const TenMinuteBody* of = parent(m, "parent", "the visual");
        if (!of) return;
        Visual v;
        v.body = m.properties.text("parent");
        if (m.properties.has("color")) {
            std::vector<double> c = m.properties.numbers("color", 3);
            v.color = single(
                Vec3d{std::clamp(c[0], 0.0, 1.0), std::clamp(c[1], 0.0, 1.0), std::clamp(c[2], 0.0, 1.0)});
        }
        for (Vec3d a : points(m, "vertices")) {
            v.vertices.push_back(single(rotate(conjugate(of->q), m.x + rotate(m.q, a) - of->x)));
        }
        if (m.object.has("normals")) {
            Quatd turn = conjugate(of->q) * m.q;
            for (Vec3d n : points(m, "normals")) v.normals.push_back(single(rotate(turn, n)));
        }
        std::vector<double> triangles;
        if (m.object.has("triangles")) triangles = m.object.numbers("triangles");
        if (reading_.error) return;
        const char* wrong = nullptr;
        if (triangles.size() % 3 != 0) wrong = "the length of the list must be a multiple of 3";
        for (double i : triangles) {
            if (!(i >= 0 && i < static_cast<double>(v.vertices.size()) && i == std::floor(i))) {
                wrong = "a triangle must name vertices of the mesh";
                break;
            }
            v.triangles.push_back(static_cast<int>(i));
        }
        if (wrong) return note(m.object.at("triangles", std::string(wrong) + "; the visual is left out"));
        if (!v.normals.empty() && v.normals.size() != v.vertices.size()) {
            return note(
                m.object.at("normals", "normals must be as many as vertices; the visual is left out"));
        }
        storeContacts("/visuals/" + std::to_string(scene_.visuals.size()), m);
        scene_.visuals.push_back(std::move(v));
    }

    // The original program uses 20 substeps at 30 frames per second. Here it is 20 substeps at 60, because its loops
    // of stiff joints need the accuracy. Bodies of the original program pass through each other, and its scenes rely
    // on that.
    void finish() {
        scene_.world.contact = false;
        scene_.world.substeps = 20;
        scene_.frames = 300;
        scene_.expect.maxGap = 1e-3f;
        scene_.about = "A Ten Minute Physics scene: " + std::to_string(scene_.bodies.size()) + " bodies, " +
                       std::to_string(scene_.joints.size()) + " joints and " +
                       std::to_string(scene_.visuals.size()) + " display meshes.";
    }

    JsonReading reading_;
    const ImportOptions& options_;
    Scene& scene_;
    std::map<std::string, TenMinuteBody> solids_;
    std::set<std::string> jointNames_;
};

} // namespace

bool isTenMinute(const JsonTree& tree) {
    if (tree.values[0].type != JsonValue::Type::Object) return false;
    for (std::uint32_t child = 1; child < tree.values[0].end; child = tree.values[child].end) {
        const std::string& key = tree.strings[tree.values[child].key].text;
        if (key == "meshes" || key == "exportInfo") return true;
    }
    return false;
}

Status importTenMinute(const JsonTree& tree, const ImportOptions& options, Scene& scene) {
    return Importer(tree, options, scene).run();
}

} // namespace capstan
