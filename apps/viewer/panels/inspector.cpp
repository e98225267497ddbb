// SPDX-License-Identifier: MIT
// The inspector panel shows and edits the values of the world and of the selected object. A `fields` visitor makes
// one row per value. Changes go through World::tryConfigure and World::update, and their errors are shown.
#include <apps/viewer/app.hpp>
#include <apps/viewer/panels/panels.hpp>

#include <imgui.h>

namespace capstan::viewer {
namespace {

// Fields that cannot change after the object is made; the panel shows them as read-only.
constexpr const char* kRopeFixed[] = {"name",    "from", "to",       "segments", "length",   "closed",
                                      "density", "mass", "velocity", "node",     "direction"};
constexpr const char* kBodyFixed[] = {"name",     "type",     "centerOfMass",   "position",
                                      "rotation", "velocity", "angularVelocity"};
constexpr const char* kShapeFixed[] = {"shape", "parts"}; // with all fields inside these Defs
constexpr const char* kClothFixed[] = {"name", "origin", "edgeU", "edgeV", "cellsU", "cellsV", "velocity"};
constexpr const char* kHairFixed[] = {"name", "rootBody", "vertices", "length", "strands", "seed", "levels"};
constexpr const char* kJointFixed[] = {"name", "type",      "node",   "anchor", "anchor1",
                                       "axis", "reference", "frame0", "frame1"};

// While a widget is held, it shows the user's value and not the latest one of the simulation.
template <class Def> Def& shown(std::optional<Def>& mine, const Def& told) {
    if (!mine || !ImGui::IsAnyItemActive()) mine = told;
    return *mine;
}

// The panel shows means over the last 30 samples, because flickering numbers cannot be read.
void stepTimes(const App& app) {
    const auto& samples = app.history.samples;
    const std::size_t n = std::min<std::size_t>(samples.size(), 30);
    if (n == 0) return;
    ImGui::TextDisabled("step time by phase, ms");
    StepTimes mean;
    for (std::size_t k = samples.size() - n; k < samples.size(); ++k)
        for (int i = 0; i < StepTimes::phases; ++i)
            mean[StepPhase(i)] += samples[k].phases[StepPhase(i)] / static_cast<float>(n);
    for (int i = 0; i < StepTimes::phases; ++i) {
        const StepPhase p = StepPhase(i);
        ImGui::TextDisabled("%s", StepTimes::name(p));
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", StepTimes::help(p));
        ImGui::SameLine(118);
        ImGui::Text("%.3f", 1e3 * static_cast<double>(mean[p]));
    }
}

void worldTab(App& app) {
    WorldDef& def = shown(app.worldEdit, app.frame.world);
    if (editFields(def)) app.post([def](Session& s) { s.editWorld(def); });
    ImGui::Separator();
    ImGui::SetNextItemWidth(-1);
    ImGui::SliderFloat("##strength", &app.strength, 0.05f, 20, "pull strength %.2gx",
                       ImGuiSliderFlags_Logarithmic);
    if (!app.frame.about.empty()) {
        ImGui::Separator();
        ImGui::TextWrapped("%s", app.frame.about.c_str());
    }
    for (const std::string& note : app.frame.notes) ImGui::TextWrapped("note: %s", note.c_str());
    ImGui::Separator();
    const Report& r = app.frame.report;
    ImGui::TextDisabled("last step");
    ImGui::Text("%d solves, %d retries, %d held still", r.solves, r.retries, r.heldStill);
    ImGui::Text("largest gap of a joint %.2g m", static_cast<double>(r.maxGap));
    ImGui::Text("largest stretch %.3g %%", 100 * static_cast<double>(r.maxStretch));
    if (r.quarantined > 0)
        ImGui::TextColored({1, 0.45f, 0.4f, 1}, "%d objects frozen: their state was not finite",
                           r.quarantined);
    stepTimes(app);
}

void facts(const App& app) {
    for (const auto& [name, value] : app.frame.facts) {
        ImGui::TextDisabled("%s", name.c_str());
        ImGui::SameLine(118);
        ImGui::TextUnformatted(value.c_str());
    }
    ImGui::Separator();
}

void selectedTab(App& app) {
    const Frame& f = app.frame;
    if (!f.rope && !f.body && !f.joint && !f.cloth && !f.hair) {
        ImGui::TextWrapped("Click a rope, a body, a cloth or hair, or select one in the list.");
        return;
    }
    ImGui::Text("%s%s", f.selectedName.c_str(), f.selectedPinned ? "  (pinned)" : "");
    const bool pins = !f.joint && !f.hair;
    if (pins && ImGui::SmallButton(f.selectedPinned ? "let go" : "pin"))
        app.post([](Session& s) { s.togglePin(); });
    if (pins) ImGui::SameLine();
    if (ImGui::SmallButton("remove")) app.post([](Session& s) { s.removeSelected(); });
    facts(app);
    ImGui::BeginChild("fields");
    if (f.rope) {
        RopeDef& def = shown(app.ropeEdit, *f.rope);
        if (editFields(def, kRopeFixed))
            app.post([id = f.selected.rope, def](Session& s) { s.edit(id, def); });
    } else if (f.body) {
        BodyDef& def = shown(app.bodyEdit, *f.body);
        if (editFields(def, kBodyFixed, kShapeFixed))
            app.post([id = f.selected.body, def](Session& s) { s.edit(id, def); });
    } else if (f.cloth) {
        ClothDef& def = shown(app.clothEdit, *f.cloth);
        if (editFields(def, kClothFixed))
            app.post([id = f.selected.cloth, def](Session& s) { s.edit(id, def); });
    } else if (f.hair) {
        HairDef& def = shown(app.hairEdit, *f.hair);
        if (editFields(def, kHairFixed))
            app.post([id = f.selected.hair, def](Session& s) { s.edit(id, def); });
    } else {
        JointDef& def = shown(app.jointEdit, *f.joint);
        if (editFields(def, kJointFixed))
            app.post([id = f.selectedJoint, def](Session& s) { s.edit(id, def); });
    }
    ImGui::EndChild();
}

template <class List, class Select> void group(const char* title, const List& list, Select&& select) {
    if (list.empty()) return;
    const std::string header = std::string(title) + " (" + std::to_string(list.size()) + ")###" + title;
    if (!ImGui::CollapsingHeader(header.c_str(), ImGuiTreeNodeFlags_DefaultOpen)) return;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(list.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::PushID(i);
            if (ImGui::Selectable(list[static_cast<std::size_t>(i)].name.c_str()))
                select(list[static_cast<std::size_t>(i)].id);
            ImGui::PopID();
        }
    }
}

void listTab(App& app) {
    if (!app.frame.contents) return;
    const Contents& c = *app.frame.contents;
    group("ropes", c.ropes, [&](RopeId id) {
        Picked p;
        p.rope = id;
        app.post([p](Session& s) { s.select(p); });
    });
    group("bodies", c.bodies, [&](BodyId id) {
        Picked p;
        p.body = id;
        app.post([p](Session& s) { s.select(p); });
    });
    group("cloths", c.cloths, [&](ClothId id) {
        Picked p;
        p.cloth = id;
        app.post([p](Session& s) { s.select(p); });
    });
    group("hair", c.hairs, [&](HairId id) {
        Picked p;
        p.hair = id;
        app.post([p](Session& s) { s.select(p); });
    });
    group("joints", c.joints, [&](JointId id) { app.post([id](Session& s) { s.select(id); }); });
}

} // namespace

void drawInspector(App& app) {
    if (app.right.w <= 0) return;
    ImGui::SetNextWindowPos({app.right.x, app.right.y});
    ImGui::SetNextWindowSize({app.right.w, app.right.h});
    ImGui::Begin("values", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const bool turned = app.frame.selectedName != app.seenSelection && !app.frame.selectedName.empty();
    app.seenSelection = app.frame.selectedName;
    auto tab = [&](const char* name, auto&& body, bool turn = false) {
        if (!ImGui::BeginTabItem(name, nullptr, turn ? ImGuiTabItemFlags_SetSelected : 0)) return;
        ImGui::BeginChild("tab");
        body(app);
        ImGui::EndChild();
        ImGui::EndTabItem();
    };
    if (ImGui::BeginTabBar("tabs")) {
        tab("World", worldTab);
        tab("Selected", selectedTab, turned);
        tab("List", listTab);
        ImGui::EndTabBar();
    }
    ImGui::End();
}

} // namespace capstan::viewer
