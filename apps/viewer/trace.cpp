// SPDX-License-Identifier: MIT
// This file writes one line of JSON per picture, for tests and other programs. docs/reference/output.md explains the keys.
#include <apps/viewer/app.hpp>
#include <capstan/scene/json_text.hpp>

#include <imgui.h>

namespace capstan::viewer {
namespace {

std::string list(std::initializer_list<float> numbers) {
    std::string text;
    for (float n : numbers) text += (text.empty() ? "[" : ", ") + jsonNumber(n);
    return text + "]";
}

std::string key(const char* name, const std::string& value) { return ", " + jsonString(name) + ": " + value; }
std::string key(const char* name, bool value) { return key(name, std::string(value ? "true" : "false")); }
std::string key(const char* name, double value) { return key(name, jsonNumber(value)); }
std::string ms(const char* name, float seconds) { return key(name, 1e3 * static_cast<double>(seconds)); }

// whereabouts gives, for every object of a kind, its position in the world and its pixel in the window. The position
// of a rope or a cloth is that of its middle node or vertex.
std::string whereabouts(const App& app, Whereabouts::Kind kind) {
    std::string text;
    for (const Whereabouts& w : app.frame.whereabouts) {
        if (w.kind != kind) continue;
        const render::Pixel p = app.camera.project(w.at, app.picture.w, app.picture.h);
        const float s = ImGui::GetIO().DisplayFramebufferScale.x;
        text += (text.empty() ? "" : ", ") + jsonString(w.name) + ": " +
                list({w.at.x, w.at.y, w.at.z, s * (p.x + app.picture.x), s * (p.y + app.picture.y)});
    }
    return "{" + text + "}";
}

std::string widgets(const App& app) {
    std::string text;
    const float s = ImGui::GetIO().DisplayFramebufferScale.x;
    for (const auto& [name, at] : app.widgets)
        text += (text.empty() ? "" : ", ") + jsonString(name) + ": " + list({s * at.first, s * at.second});
    return "{" + text + "}";
}

} // namespace

std::string traceLine(const App& app, long long number, const Picture& times) {
    const Frame& f = app.frame;
    const Sample last = app.history.samples.empty() ? Sample{} : app.history.samples.back();
    static constexpr const char* tools[] = {"pull", "cut", "rope", "pin"};
    const Contents none, &c = f.contents ? *f.contents : none;
    std::string t = "{\"picture\": " + std::to_string(number);
    t += key("time", f.time) + key("steps", static_cast<double>(f.steps)) + key("playing", f.playing);
    t += key("speed", static_cast<double>(f.speed)) + key("realSpeed", static_cast<double>(f.realSpeed));
    t += key("scene", jsonString(f.file)) + key("problem", jsonString(f.problem));
    t += key("notice", jsonString(app.ownNotice.empty() ? f.notice : app.ownNotice));
    t += key("tool", jsonString(tools[static_cast<std::size_t>(app.tool)]));
    t += key("selected", jsonString(f.selectedName)) + key("pinned", f.selectedPinned);
    t += key("hovered", jsonString(f.hoveredName)) + key("pulling", f.pulling);
    t += key("force", static_cast<double>(f.force)) + key("held", list({f.held.x, f.held.y, f.held.z}));
    t += key("goal", list({f.goal.x, f.goal.y, f.goal.z}));
    t += key("ropes", static_cast<double>(c.ropes.size())) +
         key("bodies", static_cast<double>(c.bodies.size()));
    t += key("joints", static_cast<double>(c.joints.size())) +
         key("cloths", static_cast<double>(c.cloths.size())) +
         key("hairs", static_cast<double>(c.hairs.size()));
    t += key("control", list({f.controlX, f.controlY}));
    t += key("word", f.leash ? jsonString(f.leash->word) : std::string("null"));
    t += key("camera", list({app.camera.yaw, app.camera.pitch, app.camera.distance}));
    t += key("filming", bool(app.film)) + key("help", app.showHelp) + key("typing", app.typing);
    t += ms("solveMs", last.solve) + ms("scriptMs", last.script) + ms("showMs", last.show);
    t += ms("pictureMs", times.whole) + ms("drawMs", times.draw) + ms("panelsMs", times.panels);
    t += ms("screenMs", times.swap);
    using Kind = Whereabouts::Kind;
    for (int i = 0; i < StepTimes::phases; ++i)
        t += ms((std::string(StepTimes::name(StepPhase(i))) + "Ms").c_str(), last.phases[StepPhase(i)]);
    t += key("places", whereabouts(app, Kind::Body)) + key("ropePlaces", whereabouts(app, Kind::Rope)) +
         key("clothPlaces", whereabouts(app, Kind::Cloth));
    return t + key("widgets", widgets(app)) + "}";
}

} // namespace capstan::viewer
