// SPDX-License-Identifier: MIT
// capstan info: what is in a scene.
#include <apps/capstan/print.hpp>

#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>
#include <capstan/scene/playback.hpp>

#include <fmt/core.h>

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
    for (RopeId id : world.ropes()) {
        RopeFacts f;
        f.name = p.nameOf(id);
        f.def = &world.def(id);
        f.nodes = world.points(id).size();
        f.segments = world.restLengths(id).size();
        for (float l : world.restLengths(id)) f.length += static_cast<double>(l);
        for (const LoadDef& load : f.def->loads) f.loads += static_cast<double>(load.mass);
        for (std::size_t i = 0; i < f.nodes; ++i)
            f.mass += static_cast<double>(world.mass(id, static_cast<int>(i)));
        // A heavy load rounds away the mass of a light node beside it: prefer what was written.
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
    fmt::print("  {:<8} gravity {} m/s^2, {} substeps, {}, threads {}\n", "world",
               vectorText(scene.world.gravity), scene.world.substeps, word(scene.world.backend),
               scene.world.threads);
    fmt::print("  {:<8} {} frames at {} per second: {:.4g} s\n", "run", scene.frames, scene.rate,
               scene.frames / static_cast<double>(scene.rate));
    fmt::print("  {:<8} {} motions, {} actions\n", "script", scene.motions.size(), scene.actions.size());
    fmt::print("  {:<8} {} with {} nodes, {:.6g} kg with loads\n\n", "ropes", ropes.size(), nodes, mass);
    fmt::print("  {:<16} {:>7} {:>9} {:>10} {:>10} {:>10} {:<12} {:<12} {}\n", "rope", "nodes", "length m",
               "mass kg", "loads kg", "radius mm", "pins", "solver", "stiffness");
    constexpr std::size_t most = 40;
    for (std::size_t i = 0; i < ropes.size() && i < most; ++i) {
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
    if (ropes.size() > most) fmt::print("  and {} more; --json lists them all\n", ropes.size() - most);
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
                             "\"damping\": {}, \"breakTension\": {}}}",
                             word(d.solver), jsonNumber(d.stretchStiffness), jsonNumber(d.bendStiffness),
                             jsonNumber(d.damping), jsonNumber(d.breakTension));
}

void printJson(const Playback& p, const std::string& file) {
    const Scene& scene = p.scene();
    fmt::print("{{\n  \"scene\": {},\n  \"about\": {},\n", jsonString(file), jsonString(scene.about));
    fmt::print("  \"world\": {{\"gravity\": {}, \"substeps\": {}, \"backend\": \"{}\", \"threads\": {}}},\n",
               vectorText(scene.world.gravity), scene.world.substeps, word(scene.world.backend),
               scene.world.threads);
    fmt::print("  \"rate\": {},\n  \"frames\": {},\n  \"motions\": {},\n  \"actions\": {},\n",
               jsonNumber(scene.rate), scene.frames, scene.motions.size(), scene.actions.size());
    std::string ropes = list(facts(p), [](const RopeFacts& f) { return "\n    " + ropeJson(f); });
    fmt::print("  \"ropes\": [{}{}],\n  \"bodies\": [],\n  \"joints\": []\n}}\n", ropes,
               ropes.empty() ? "" : "\n  ");
}

} // namespace

int info(const InfoOptions& options) {
    if (options.fields) {
        fmt::print("{}", sceneFormatMarkdown());
        return success;
    }
    if (options.scene.empty()) return fail({"name a scene, or ask for --fields", "info"});
    Result<Scene> scene = load(options.scene, {});
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
