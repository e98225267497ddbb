// SPDX-License-Identifier: MIT
// This file draws the toolbar and the status bar, and computes the layout of all panels.
#include <apps/viewer/app.hpp>
#include <apps/viewer/panels/panels.hpp>

#include <imgui.h>

#include <cstdio>
#include <filesystem>

namespace capstan::viewer {
namespace {

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                                  ImGuiWindowFlags_NoBringToFrontOnFocus;
const ImVec4 kAccent = {0.72f, 0.44f, 0.14f, 1};

void position(const Rect& r) {
    ImGui::SetNextWindowPos({r.x, r.y});
    ImGui::SetNextWindowSize({r.w, r.h});
}

void storeContacts(App& app, const char* name) {
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    app.widgets[name] = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
}

void tip(const char* text) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

// next puts the following item beside the last one, or into a new row where the window may be too narrow.
void next() {
    if (ImGui::GetItemRectMax().x + 84 < ImGui::GetWindowWidth()) ImGui::SameLine();
}

bool button(App& app, const char* name, const char* label, const char* help, bool lit = false) {
    if (lit) ImGui::PushStyleColor(ImGuiCol_Button, kAccent);
    const bool pressed = ImGui::Button(label);
    if (lit) ImGui::PopStyleColor();
    storeContacts(app, name);
    tip(help);
    next();
    return pressed;
}

void gap() {
    ImGui::Dummy({6, 1});
    next();
}

void timeButtons(App& app) {
    const bool playing = app.frame.playing;
    if (button(app, "pause", playing ? "Pause##p" : "Play ##p", "Space", !playing))
        app.post([](Session& s) { s.play(!s.playing()); });
    if (button(app, "step", "Step", "take one step, then pause  ( . )"))
        app.post([](Session& s) {
            s.play(false);
            s.step();
        });
    if (button(app, "reset", "Reset", "restart the scene  ( R )")) app.post([](Session& s) { s.reset(); });
    static constexpr float speeds[] = {2, 1, 0.5f, 0.25f, 0.1f, 0.05f, 0.02f};
    char now[32];
    std::snprintf(now, sizeof now, "%.3gx", static_cast<double>(app.frame.speed));
    ImGui::SetNextItemWidth(72);
    if (ImGui::BeginCombo("##speed", now)) {
        for (float speed : speeds) {
            char text[32];
            std::snprintf(text, sizeof text, "%.3gx", static_cast<double>(speed));
            if (ImGui::Selectable(text, speed == app.frame.speed))
                app.post([speed](Session& s) { s.setSpeed(speed); });
        }
        ImGui::EndCombo();
    }
    tip("speed of playback: [ slower, ] faster");
    next();
}

void toolButtons(App& app) {
    struct Entry {
        Tool tool;
        const char* name;
        const char* help;
    };
    static constexpr Entry entries[] = {
        {Tool::Pull, "Pull", "drag bodies, dogs, ropes and cloth  ( 1 )"},
        {Tool::Cut, "Cut", "cut ropes with a stroke  ( 2, or Ctrl + drag )"},
        {Tool::Rope, "Rope", "add a rope between two clicks  ( 3 )"},
        {Tool::Pin, "Pin", "pin with a click, release with another  ( 4, or P )"},
    };
    for (const Entry& e : entries) {
        if (!button(app, e.name, e.name, e.help, app.tool == e.tool)) continue;
        app.tool = e.tool;
        app.post([](Session& s) { s.forgetRopeEnd(); });
    }
}

void heatCombo(App& app) {
    static constexpr const char* words[] = {"colours", "tension", "stretch", "contact force"};
    int heat = static_cast<int>(app.look.heat);
    ImGui::SetNextItemWidth(112);
    if (ImGui::Combo("##heat", &heat, words, 4)) app.look.heat = static_cast<render::Heat>(heat);
    tip("quantity that the colours of ropes show  ( H )");
    next();
}

void debugMenu(App& app) {
    if (button(app, "draw", "Draw...", "layers that are drawn  ( D: forces, joints, tangles )"))
        ImGui::OpenPopup("draw");
    ImGui::SetNextWindowPos({app.widgets["draw"].first - 36, app.toolbar.h});
    ImGui::SetNextWindowSize({340, 0});
    if (!ImGui::BeginPopup("draw")) return;
    ImGui::TextDisabled("physics data");
    editFields(app.look.debug);
    ImGui::Separator();
    ImGui::Checkbox("display meshes of the scene", &app.look.visuals);
    ImGui::Checkbox("dogs and handler as figures", &app.look.figures);
    ImGui::Checkbox("shadows", &app.draw.shadows);
    ImGui::Checkbox("ground", &app.draw.ground);
    ImGui::SameLine();
    ImGui::Checkbox("grid", &app.draw.grid);
    bool fine = app.draw.quality == render::Quality::High;
    if (ImGui::Checkbox("smooth edges and soft shadows", &fine))
        app.draw.quality = fine ? render::Quality::High : render::Quality::Low;
    ImGui::EndPopup();
}

// counts formats the number of objects of each kind.
std::string counts(const Contents& c) {
    std::string text;
    auto add = [&](std::size_t n, const char* one, const char* many) {
        if (n > 0) text += std::to_string(n) + " " + (n == 1 ? one : many) + "   ";
    };
    add(c.ropes.size(), "rope", "ropes");
    add(c.bodies.size(), "body", "bodies");
    add(c.cloths.size(), "cloth", "cloths");
    add(c.hairs.size(), "head of hair", "heads of hair");
    add(c.joints.size(), "joint", "joints");
    return text;
}

} // namespace

// layOut places the panels. In a narrow window it hides them one by one, so that the picture keeps its size.
void layOut(App& app, float width, float height) {
    const bool panels = app.showPanels;
    const float top = !panels         ? 0.0f
                      : width >= 1120 ? 38.0f
                      : width >= 620  ? 66.0f
                                      : 94.0f,
                bottom = panels ? 24.0f : 0.0f;
    const float plots = panels && app.showPlots && height >= 480 ? 138.0f : 0.0f;
    const float left = panels && app.showBrowser && width >= 760 ? 216.0f : 0.0f;
    const float right = panels && app.showInspector && width >= 960 ? 296.0f : 0.0f;
    const float middle = height - top - bottom - plots;
    app.toolbar = {0, 0, width, top};
    app.left = {0, top, left, middle};
    app.right = {width - right, top, right, middle};
    app.picture = {left, top, width - left - right, middle};
    app.plots = {0, top + middle, width, plots};
    app.status = {0, height - bottom, width, bottom};
}

void drawToolbar(App& app) {
    if (app.toolbar.h <= 0) return;
    position(app.toolbar);
    ImGui::Begin("toolbar", nullptr, kBar);
    timeButtons(app);
    gap();
    toolButtons(app);
    gap();
    heatCombo(app);
    debugMenu(app);
    gap();
    if (button(app, "fit", "Fit", "show the whole scene  ( F )")) app.fit();
    if (button(app, "follow", "Follow", "let the camera follow the selected object  ( C )", app.follow)) {
        app.follow = !app.follow;
        app.followed = app.frame.follow;
    }
    gap();
    if (button(app, "scenes", "Scenes", "list of scenes", app.showBrowser))
        app.showBrowser = !app.showBrowser;
    if (button(app, "panel", "Values", "inspector: all values, which may be changed while the scene runs",
               app.showInspector))
        app.showInspector = !app.showInspector;
    if (button(app, "plots", "Plots", "plots of energy, stretch, tension and times", app.showPlots))
        app.showPlots = !app.showPlots;
    gap();
    if (button(app, "photo", "Photo", "write a picture of the window  ( F12 )")) app.shoot = true;
    if (button(app, "film", app.film ? "Stop##film" : "Film##film", "record a film of the scene  ( F9 )",
               bool(app.film)))
        app.filmName = app.film ? "" : "new";
    if (button(app, "help", "?", "keys and mouse", app.showHelp)) app.showHelp = !app.showHelp;
    ImGui::End();
}

void drawStatus(App& app) {
    if (app.status.h <= 0) return;
    const Frame& f = app.frame;
    position(app.status);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {10, 3});
    ImGui::Begin("status", nullptr, kBar);
    ImGui::PopStyleVar();
    const Contents none, &c = f.contents ? *f.contents : none;
    const double solve =
        app.history.samples.empty() ? 0 : static_cast<double>(app.history.samples.back().solve);
    const double frame =
        app.history.pictures.empty() ? 0 : static_cast<double>(app.history.pictures.back().whole);
    ImGui::Text("%.2f s", f.time);
    ImGui::SameLine(84);
    if (f.playing) {
        ImGui::TextDisabled("%.2fx real time", static_cast<double>(f.realSpeed));
    } else {
        ImGui::TextColored({0.95f, 0.64f, 0.28f, 1}, "paused");
    }
    ImGui::SameLine(216);
    ImGui::TextDisabled("step %.2f ms    picture %.1f ms", 1e3 * solve, 1e3 * frame);
    ImGui::SameLine(430);
    ImGui::TextDisabled("%s%d contacts", counts(c).c_str(), f.report.contacts);
    const char* hint = "drag: pull    right drag: turn    wheel: zoom    ?: help";
    const float width = ImGui::CalcTextSize(hint).x;
    if (app.status.w > 790 + width) {
        ImGui::SameLine(app.status.w - width - 12);
        ImGui::TextDisabled("%s", hint);
    }
    ImGui::End();
}

} // namespace capstan::viewer
