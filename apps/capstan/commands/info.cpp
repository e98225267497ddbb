// SPDX-License-Identifier: MIT
// capstan info describes the content of a scene.
#include <apps/capstan/commands/print.hpp>

#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>
#include <capstan/scene/playback.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace capstan::cli {
namespace {

struct RopeFacts {
    std::string name;
    const RopeDef* def = nullptr;
    std::size_t nodes = 0;
    std::size_t segments = 0;
    double length = 0; // m, at rest
    double mass = 0;   // kg, of the rope alone
    double loads = 0;  // kg
};

std::vector<RopeFacts> facts(const Playback& p) {
    std::vector<RopeFacts> all;
    const World& world = p.world();
    for (RopeId id : world.ids<RopeId>()) {
        RopeFacts f;
        f.name = p.nameOf(id);
        f.def = &world.def(id);
        f.nodes = world.positions(id).size();
        f.segments = world.restLengths(id).size();
        for (float l : world.restLengths(id)) f.length += static_cast<double>(l);
        for (const LoadDef& load : f.def->loads) f.loads += static_cast<double>(load.mass);
        for (std::size_t i = 0; i < f.nodes; ++i)
            f.mass += static_cast<double>(world.mass({id, static_cast<int>(i)}));
        // A node's mass includes its load, and a float may lose the mass of a light node beside a heavy load.
        // So the mass of the Def is used if it is given.
        f.mass = f.def->mass > 0 ? static_cast<double>(f.def->mass) : f.mass - f.loads;
        all.push_back(f);
    }
    return all;
}

template <class T, class Text> std::string list(const std::vector<T>& items, Text text) {
    std::string out;
    for (const T& item : items) out += (out.empty() ? "" : ", ") + text(item);
    return out;
}
std::string vectorText(Vec3 v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

constexpr std::size_t mostRows = 40; // most rows of a table; --json lists all

void printRopes(const std::vector<RopeFacts>& ropes) {
    fmt::print("\n  {:<16} {:>7} {:>9} {:>10} {:>10} {:>10} {:<12} {:<12} {}\n", "rope", "nodes", "length m",
               "mass kg", "loads kg", "radius mm", "pins", "solver", "stiffness");
    for (std::size_t i = 0; i < ropes.size() && i < mostRows; ++i) {
        const RopeFacts& f = ropes[i];
        std::string pins = list(f.def->pins, [](int n) { return std::to_string(n); });
        for (const ClampDef& c : f.def->clamps) {
            pins += fmt::format("{}{} clamped", pins.empty() ? "" : ", ", c.node);
        }
        std::string stiff = f.def->stretchStiffness > 0 ? fmt::format("EA {} N", f.def->stretchStiffness)
                                                        : "does not stretch";
        if (f.def->bendStiffness > 0) stiff += fmt::format(", EI {} N m^2", f.def->bendStiffness);
        if (f.def->breakTension > 0) stiff += fmt::format(", breaks at {} N", f.def->breakTension);
        if (f.def->closed) stiff += ", closed";
        fmt::print("  {:<16} {:>7} {:>9.4g} {:>10.4g} {:>10.6g} {:>10.4g} {:<12} {:<12} {}\n", f.name,
                   f.nodes, f.length, f.mass, f.loads, 1000 * f.def->radius, pins, word(f.def->solver),
                   stiff);
    }
    if (ropes.size() > mostRows)
        fmt::print("  and {} more; --json lists them all\n", ropes.size() - mostRows);
}

std::string shapeText(const BodyDef& d) {
    std::string kind = word(d.shape.kind);
    if (d.shape.kind == ShapeKind::Mesh) kind += fmt::format(" of {}", d.shape.triangles.size());
    return d.parts.empty() ? kind : fmt::format("{} and {} more", kind, d.parts.size());
}

// width returns the number of characters of the longest text in a column, at least `least`.
template <class T, class Text> std::size_t width(const std::vector<T>& items, std::size_t least, Text text) {
    for (std::size_t i = 0; i < items.size() && i < mostRows; ++i)
        least = std::max(least, text(items[i]).size());
    return least;
}
// tidy formats a vector; components below 1e-7 are rounding errors and become 0.
std::string tidy(Vec3 v) {
    auto part = [](float a) { return std::abs(a) < 1e-7f ? 0.0f : a; };
    return fmt::format("{:.4g}, {:.4g}, {:.4g}", part(v.x), part(v.y), part(v.z));
}

void printBodies(const Playback& p) {
    std::vector<BodyId> bodies = p.world().ids<BodyId>();
    std::size_t names = width(bodies, 16, [&](BodyId id) { return p.nameOf(id); });
    fmt::print("\n  {:<{}} {:<9} {:<14} {:>11} {:<32} {}\n", "body", names, "type", "shape", "mass kg",
               "inertia kg m^2", "centre of mass m");
    for (std::size_t i = 0; i < bodies.size() && i < mostRows; ++i) {
        const BodyDef& d = p.world().def(bodies[i]);
        const MassProperties& m = p.world().massProperties(bodies[i]);
        std::string inertia = fmt::format("{:.4g}, {:.4g}, {:.4g}", m.inertia.x, m.inertia.y, m.inertia.z);
        fmt::print("  {:<{}} {:<9} {:<14} {:>11} {:<32} {}\n", p.nameOf(bodies[i]), names, word(d.type),
                   shapeText(d), m.mass > 0 ? fmt::format("{:.6g}", m.mass) : "-", m.mass > 0 ? inertia : "-",
                   tidy(p.world().centerOfMass(bodies[i])));
    }
    if (bodies.size() > mostRows)
        fmt::print("  and {} more; --json lists them all\n", bodies.size() - mostRows);
}

// side returns the name of the body on one side of a joint, or "" for the world.
std::string side(const Playback& p, const BodyRef& ref) {
    BodyId id = ref.id ? ref.id : p.world().find<BodyId>(ref.name);
    return id ? p.nameOf(id) : ref.name;
}
std::string ropeElement(const Playback& p, const RopeRef& ref) {
    return ref.id ? p.nameOf(ref.id) : ref.name;
}
Vec3 unit(Vec3 a) { return normalize(a, Vec3{1, 0, 0}); }

// anchorAndAxis gives the anchor and the axis of a joint, in the world.
std::pair<Vec3, Vec3> anchorAndAxis(const Playback& p, JointId id) {
    const JointDef& d = p.world().def(id);
    if (!d.frame0 && !d.frame1) return {d.anchor, unit(d.axis)};
    const Transform at = p.world().jointFrame(id, 1);
    return {at.position, axisX(at.rotation)};
}

// addGiven lists the numbers of a Def that differ from their default, by name. A number inside an axis is named
// "turn.min", for example.
template <class D>
void addGiven(const D& d, const std::string& prefix, std::vector<std::pair<std::string, float>>& out) {
    const D plain;
    std::vector<float> defaults;
    fields(plain, [&](const char*, const auto& v, const Field&) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, float>) defaults.push_back(v);
    });
    std::size_t i = 0;
    fields(d, [&](const char* name, const auto& v, const Field&) {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<T, float>) {
            if (v != defaults[i++]) out.push_back({prefix + name, v});
        } else if constexpr (std::is_same_v<T, std::optional<float>>) {
            if (v) out.push_back({prefix + name, *v});
        } else if constexpr (std::is_same_v<T, AxisDef>) {
            addGiven(v, std::string(name) + ".", out);
        }
    });
}
std::vector<std::pair<std::string, float>> given(const JointDef& d) {
    std::vector<std::pair<std::string, float>> out;
    addGiven(d, "", out);
    return out;
}

void printJoints(const Playback& p) {
    std::vector<JointId> joints = p.world().ids<JointId>();
    auto between = [&](JointId id) {
        const JointDef& d = p.world().def(id);
        std::string a = d.rope.empty() ? side(p, d.body0) : ropeElement(p, d.rope), b = side(p, d.body1);
        return fmt::format("{}, {}", a.empty() ? "world" : a, b.empty() ? "world" : b);
    };
    std::size_t names = width(joints, 16, [&](JointId id) { return p.nameOf(id); });
    std::size_t sides = width(joints, 16, between);
    fmt::print("\n  {:<{}} {:<9} {:<{}} {:<24} {:<18} {}\n", "joint", names, "type", "between", sides,
               "anchor m", "axis", "limits and drive");
    for (std::size_t i = 0; i < joints.size() && i < mostRows; ++i) {
        const JointDef& d = p.world().def(joints[i]);
        const auto [anchor, axis] = anchorAndAxis(p, joints[i]);
        fmt::print("  {:<{}} {:<9} {:<{}} {:<24} {:<18} {}\n", p.nameOf(joints[i]), names, word(d.type),
                   between(joints[i]), sides, tidy(anchor), tidy(axis),
                   list(given(d), [](const auto& f) { return fmt::format("{} {:.4g}", f.first, f.second); }));
    }
    if (joints.size() > mostRows)
        fmt::print("  and {} more; --json lists them all\n", joints.size() - mostRows);
}

void printText(const Playback& p, const std::string& file) {
    const Scene& scene = p.scene();
    std::vector<RopeFacts> ropes = facts(p);
    std::size_t nodes = 0;
    double mass = 0;
    for (const RopeFacts& f : ropes) {
        nodes += f.nodes;
        mass += f.mass + f.loads;
    }
    fmt::print("{}\n{}", file, wrapped(scene.about, "  "));
    fmt::print("  {:<8} gravity {} m/s^2, {} substeps, {}, threads {}{}\n", "world",
               vectorText(scene.world.gravity), scene.world.substeps, word(scene.world.backend),
               scene.world.threads, scene.world.contact ? "" : ", no contact");
    fmt::print("  {:<8} {} frames at {} per second: {:.4g} s\n", "run", scene.frames, scene.rate,
               scene.frames / static_cast<double>(scene.rate));
    fmt::print("  {:<8} {} motions, {} actions, {} control points\n", "script", scene.motions.size(),
               scene.actions.size(), scene.controls.size());
    if (!scene.bodies.empty()) {
        fmt::print("  {:<8} {} with {} joints and {} display meshes\n", "bodies", scene.bodies.size(),
                   scene.joints.size(), scene.visuals.size());
    }
    if (!ropes.empty()) {
        fmt::print("  {:<8} {} with {} nodes, {:.6g} kg with loads\n", "ropes", ropes.size(), nodes, mass);
        printRopes(ropes);
    }
    for (HairId id : p.world().ids<HairId>()) {
        const HairDef& d = p.world().def(id);
        fmt::print("  {:<8} {}: {} strands of {} vertices, {:.4g} m, {}\n", "hair",
                   d.name.empty() ? "-" : d.name, p.world().strandCount(id), d.vertices,
                   static_cast<double>(d.length), word(d.shape));
    }
    if (!scene.bodies.empty()) printBodies(p);
    if (!scene.joints.empty()) printJoints(p);
    for (ClothId id : p.world().ids<ClothId>()) {
        fmt::print("  {:<8} {}: {} vertices, {} triangles, {} pinned, {}\n", "cloth", p.nameOf(id),
                   p.world().positions(id).size(), p.world().triangles(id).size(),
                   p.world().def(id).pins.size(), word(p.world().def(id).solver));
    }
}

// touchJson returns friction, restitution and collision filter of a rope or a body as JSON.
template <class D> std::string touchJson(const D& d) {
    return fmt::format("\"material\": {{\"friction\": {}, \"staticFriction\": {}, \"restitution\": {}}}, "
                       "\"filter\": {{\"category\": {}, \"mask\": {}, \"group\": {}}}",
                       jsonNumber(d.material.friction), jsonNumber(d.material.staticFriction),
                       jsonNumber(d.material.restitution), d.filter.category, d.filter.mask, d.filter.group);
}

std::string ropeJson(const RopeFacts& f) {
    const RopeDef& d = *f.def;
    auto number = [](double x) { return jsonNumber(static_cast<float>(x)); };
    std::string out =
        fmt::format("{{\"name\": {}, \"nodes\": {}, \"segments\": {}, \"closed\": {}, \"length\": {}, "
                    "\"mass\": {}, \"radius\": {}",
                    jsonString(f.name), f.nodes, f.segments, d.closed, number(f.length), number(f.mass),
                    jsonNumber(d.radius));
    out += fmt::format(", \"pins\": [{}]", list(d.pins, [](int n) { return std::to_string(n); }));
    out += fmt::format(", \"clamps\": [{}]", list(d.clamps, [](const ClampDef& c) {
                           return fmt::format("{{\"node\": {}, \"direction\": {}}}", c.node,
                                              vectorText(c.direction));
                       }));
    out += fmt::format(", \"loads\": [{}]", list(d.loads, [](const LoadDef& l) {
                           return fmt::format("{{\"node\": {}, \"mass\": {}}}", l.node, jsonNumber(l.mass));
                       }));
    return out + fmt::format(", \"solver\": \"{}\", \"stretchStiffness\": {}, \"bendStiffness\": {}, "
                             "\"damping\": {}, \"breakTension\": {}, {}}}",
                             word(d.solver), jsonNumber(d.stretchStiffness), jsonNumber(d.bendStiffness),
                             jsonNumber(d.damping), jsonNumber(d.breakTension), touchJson(d));
}

std::string vectorJson(Vec3 v) {
    return fmt::format("[{}, {}, {}]", jsonNumber(v.x), jsonNumber(v.y), jsonNumber(v.z));
}

std::string bodyJson(const Playback& p, BodyId id) {
    const BodyDef& d = p.world().def(id);
    const MassProperties& m = p.world().massProperties(id);
    return fmt::format("{{\"name\": {}, \"type\": \"{}\", \"static\": {}, \"shape\": \"{}\", \"mass\": {}, "
                       "\"inertia\": {}, \"centerOfMass\": {}, {}}}",
                       jsonString(p.nameOf(id)), word(d.type), d.type != BodyType::Dynamic,
                       word(d.shape.kind), jsonNumber(m.mass), vectorJson(m.inertia),
                       vectorJson(p.world().centerOfMass(id)), touchJson(d));
}

std::string jointJson(const Playback& p, JointId id) {
    const JointDef& d = p.world().def(id);
    const auto [anchor, direction] = anchorAndAxis(p, id);
    std::string out = fmt::format(
        "{{\"name\": {}, \"type\": \"{}\", \"body0\": {}, \"body1\": {}, \"anchor\": {}, \"axis\": {}",
        jsonString(p.nameOf(id)), word(d.type), jsonString(side(p, d.body0)), jsonString(side(p, d.body1)),
        vectorJson(anchor), vectorJson(direction));
    if (!d.rope.empty()) {
        out += fmt::format(", \"rope\": {}, \"node\": {}", jsonString(ropeElement(p, d.rope)), d.node);
    }
    std::string axis; // name of the joint axis whose numbers are written
    for (const auto& [name, value] : given(d)) {
        const std::size_t dot = name.find('.');
        const std::string whose = dot == name.npos ? "" : name.substr(0, dot);
        const bool more = !whose.empty() && whose == axis;
        if (!axis.empty() && !more) out += "}";
        out += ", ";
        if (!whose.empty() && !more) out += fmt::format("\"{}\": {{", whose);
        out += fmt::format("\"{}\": {}", whose.empty() ? name : name.substr(dot + 1), jsonNumber(value));
        axis = whose;
    }
    return out + (axis.empty() ? "}" : "}}");
}

std::string clothJson(const Playback& p, ClothId id) {
    const ClothDef& d = p.world().def(id);
    double mass = 0;
    for (const Point& v : p.world().velocities(id)) mass += static_cast<double>(v.w);
    return fmt::format(
        "{{\"name\": {}, \"vertices\": {}, \"triangles\": {}, \"mass\": {}, \"pins\": {}, \"solver\": "
        "\"{}\", \"stretchStiffness\": {}, \"shearStiffness\": {}, \"bendStiffness\": {}}}",
        jsonString(p.nameOf(id)), p.world().positions(id).size(), p.world().triangles(id).size(),
        jsonNumber(static_cast<float>(mass)), d.pins.size(), word(d.solver), jsonNumber(d.stretchStiffness),
        jsonNumber(d.shearStiffness), jsonNumber(d.bendStiffness));
}

void printJson(const Playback& p, const std::string& file) {
    const Scene& scene = p.scene();
    fmt::print("{{\n  \"scene\": {},\n  \"about\": {},\n", jsonString(file), jsonString(scene.about));
    fmt::print("  \"world\": {{\"gravity\": {}, \"substeps\": {}, \"backend\": \"{}\", \"threads\": {}, "
               "\"contact\": {}}},\n",
               vectorText(scene.world.gravity), scene.world.substeps, word(scene.world.backend),
               scene.world.threads, scene.world.contact);
    fmt::print(
        "  \"rate\": {},\n  \"frames\": {},\n  \"motions\": {},\n  \"actions\": {},\n  \"controls\": {},\n"
        "  \"visuals\": {},\n",
        jsonNumber(scene.rate), scene.frames, scene.motions.size(), scene.actions.size(),
        scene.controls.size(), scene.visuals.size());
    std::string ropes = list(facts(p), [](const RopeFacts& f) { return "\n    " + ropeJson(f); });
    std::string bodies = list(p.world().ids<BodyId>(), [&](BodyId id) { return "\n    " + bodyJson(p, id); });
    std::string joints =
        list(p.world().ids<JointId>(), [&](JointId id) { return "\n    " + jointJson(p, id); });
    std::string cloths =
        list(p.world().ids<ClothId>(), [&](ClothId id) { return "\n    " + clothJson(p, id); });
    auto end = [](const std::string& rows) { return rows.empty() ? "" : "\n  "; };
    fmt::print(
        "  \"ropes\": [{}{}],\n  \"bodies\": [{}{}],\n  \"joints\": [{}{}],\n  \"cloths\": [{}{}]\n}}\n",
        ropes, end(ropes), bodies, end(bodies), joints, end(joints), cloths, end(cloths));
}

} // namespace

int info(const InfoOptions& options) {
    if (options.fields) {
        fmt::print("{}", sceneFormatMarkdown());
        return success;
    }
    if (options.scene.empty()) return fail({"info needs a scene file or --fields", "info"});
    Result<Scene> scene = load(options.scene, options.world);
    if (!scene) return fail(scene.error());
    Result<Playback> started = Playback::start(std::move(*scene));
    if (!started) return fail(started.error());
    if (options.json)
        printJson(*started, options.scene);
    else
        printText(*started, options.scene);
    return success;
}

} // namespace capstan::cli
