// SPDX-License-Identifier: MIT
// The browser panel lists all scene files below a folder, and has a text field to open any other file.
#include <apps/viewer/app.hpp>

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

namespace capstan::viewer {
namespace {

namespace fs = std::filesystem;

void rows(App& app) {
    std::string group;
    bool open = false;
    std::error_code ignored;
    const fs::path now = fs::weakly_canonical(app.frame.file, ignored);
    for (const std::string& file : app.scenes) {
        const fs::path relative = fs::path(file).lexically_relative(app.folder);
        const std::string parent = relative.parent_path().string();
        if (parent != group || group.empty()) {
            group = parent.empty() ? "." : parent;
            open = ImGui::CollapsingHeader(group.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
        }
        if (!open) continue;
        std::string name = relative.stem().string();
        std::replace(name.begin(), name.end(), '_', ' ');
        ImGui::PushID(file.c_str());
        const bool here = fs::path(file) == now;
        ImGui::Indent(8);
        if (ImGui::Selectable(name.c_str(), here)) app.open(file);
        ImGui::Unindent(8);
        if (name == "three dogs") {
            const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
            app.widgets["three dogs"] = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
        }
        ImGui::PopID();
    }
}

} // namespace

void listScenes(App& app) {
    app.scenes.clear();
    std::error_code failed;
    app.folder = fs::weakly_canonical(app.folder, failed).string();
    for (fs::recursive_directory_iterator it(app.folder, failed), end; !failed && it != end;
         it.increment(failed))
        if (it->path().extension() == ".json") app.scenes.push_back(it->path().string());
    // Files are grouped by folder, and folders are sorted by name. The folder of leash scenes comes first, because it
    // is the best start for a new user.
    auto key = [&](const std::string& file) {
        const std::string parent = fs::path(file).parent_path().filename().string();
        return std::make_tuple(parent != "tangle", parent, file);
    };
    std::sort(app.scenes.begin(), app.scenes.end(),
              [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
}

void drawBrowser(App& app) {
    if (app.left.w <= 0) return;
    ImGui::SetNextWindowPos({app.left.x, app.left.y});
    ImGui::SetNextWindowSize({app.left.w, app.left.h});
    ImGui::Begin("scenes", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::SetNextItemWidth(-1);
    if (app.focusPath) ImGui::SetKeyboardFocusHere();
    app.focusPath = false;
    ImGui::InputTextWithHint("##path", "path of a scene file, then Enter", &app.path,
                             ImGuiInputTextFlags_AutoSelectAll);
    if (app.entered &&
        (ImGui::IsItemActive() || ImGui::IsItemDeactivated())) { // the typed letters have arrived
        app.open(app.path);
        ImGui::SetWindowFocus(nullptr);
    }
    app.entered = false;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    app.widgets["path"] = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("open a file by its path  ( O ); or drop a file on the window");
    ImGui::BeginChild("list");
    if (app.scenes.empty()) ImGui::TextWrapped("the folder %s has no scenes", app.folder.c_str());
    rows(app);
    ImGui::EndChild();
    ImGui::End();
}

} // namespace capstan::viewer
