// SPDX-License-Identifier: MIT
// The overlay is drawn on top of the picture: problems, notices, the braid with its tangles, a cutting stroke, arrow
// keys, help.
#include <apps/viewer/app.hpp>

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::viewer {
namespace {

constexpr ImGuiWindowFlags kCard = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

void cover(App& app) {
    const ImVec2 p = ImGui::GetWindowPos(), s = ImGui::GetWindowSize();
    app.covers.push_back({p.x, p.y, s.x, s.y});
}

std::string forceText(const App& app) {
    char text[32];
    std::snprintf(text, sizeof text, app.frame.force < 1000 ? "%.3g N" : "%.0f N",
                  static_cast<double>(app.frame.force));
    return text;
}

ImU32 colorOf(const LeashLine& leash, std::size_t strand) {
    const render::Color c = render::ropeColor(leash.slots[strand]);
    return ImGui::GetColorU32({c.x, c.y, c.z, 1});
}

// drawBraid draws strands from left to right, the first at the top. At a crossing the front strand is drawn last,
// with a gap around it.
void drawBraid(const LeashLine& leash) {
    constexpr float row = 16, column = 22;
    const std::size_t shown = std::min<std::size_t>(leash.letters.size(), 12);
    const std::size_t skip = leash.letters.size() - shown;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = column * static_cast<float>(std::max<std::size_t>(shown, 3) + 1);
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::vector<std::size_t> strands(static_cast<std::size_t>(leash.strands));
    for (std::size_t i = 0; i < strands.size(); ++i) strands[i] = i;
    auto yOf = [&](std::size_t i) { return at.y + row * (static_cast<float>(i) + 0.5f); };
    auto line = [&](float x, std::size_t from, std::size_t to, ImU32 color, float thick) {
        list->AddBezierCubic({x, yOf(from)}, {x + 0.5f * column, yOf(from)}, {x + 0.5f * column, yOf(to)},
                             {x + column, yOf(to)}, color, thick);
    };
    const ImU32 paper = IM_COL32(27, 29, 33, 255);
    for (std::size_t k = 0; k < leash.letters.size(); ++k) {
        const int letter = leash.letters[k];
        const std::size_t i = static_cast<std::size_t>(std::abs(letter)) - 1;
        const std::size_t above = strands[i], below = strands[i + 1];
        std::swap(strands[i], strands[i + 1]);
        if (k < skip) continue;
        const float x = at.x + column * static_cast<float>(k - skip);
        for (std::size_t j = 0; j < strands.size(); ++j)
            if (j != i && j != i + 1) line(x, j, j, colorOf(leash, strands[j]), 3);
        const bool downInFront =
            letter < 0; // the letter +i: strand i + 1 passes in front (capstan/topology/braid_reader.hpp)
        auto down = [&](bool gap) {
            line(x, i, i + 1, gap ? paper : colorOf(leash, above), gap ? 8.0f : 3.0f);
        };
        auto up = [&](bool gap) {
            line(x, i + 1, i, gap ? paper : colorOf(leash, below), gap ? 8.0f : 3.0f);
        };
        downInFront ? up(false) : down(false);
        downInFront ? down(true) : up(true);
        downInFront ? down(false) : up(false);
    }
    const float end = at.x + column * static_cast<float>(shown);
    for (std::size_t j = 0; j < strands.size(); ++j)
        list->AddLine({end, yOf(j)}, {at.x + width, yOf(j)}, colorOf(leash, strands[j]), 3);
    ImGui::Dummy({width, row * static_cast<float>(leash.strands)});
}

void tangleTable(const LeashLine& leash) {
    if (leash.tangles.empty()) return ImGui::TextDisabled("no tangles");
    if (!ImGui::BeginTable("tangles", 4, ImGuiTableFlags_SizingFixedFit)) return;
    const std::size_t most = 6;
    auto column = [](const char* widest) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ImGui::CalcTextSize(widest).x);
    };
    ImGui::TableSetupColumn("");
    column("+ tightening");
    column("0000 deg");
    column("00000 N"); // fixed width for numbers up to five digits
    for (std::size_t i = 0; i < std::min(most, leash.tangles.size()); ++i) {
        const TangleLine& t = leash.tangles[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(t.ropes.c_str());
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s %s", t.sign > 0 ? "+" : "-", t.phase.c_str());
        ImGui::TableNextColumn();
        ImGui::Text("%.0f deg", static_cast<double>(t.wrapAngle) * 57.29578);
        ImGui::TableNextColumn();
        ImGui::Text("%.0f N", static_cast<double>(t.tension));
    }
    ImGui::EndTable();
    if (leash.tangles.size() > most) ImGui::TextDisabled("and %zu more", leash.tangles.size() - most);
}

void leashCard(App& app, float top) {
    if (!app.frame.leash) return;
    const LeashLine& l = *app.frame.leash;
    ImGui::SetNextWindowPos({app.picture.x + 12, top});
    ImGui::SetNextWindowBgAlpha(0.85f);
    ImGui::Begin("leash", nullptr, kCard);
    ImGui::TextDisabled("braid of the leashes");
    ImGui::TextUnformatted(l.word.size() > 48 ? ("..." + l.word.substr(l.word.size() - 45)).c_str()
                                              : l.word.c_str());
    drawBraid(l);
    ImGui::Text("%d crossing%s, at most %d;  %s", l.complexity, l.complexity == 1 ? "" : "s", l.peak,
                l.state.c_str());
    if (!l.why.empty()) ImGui::TextWrapped("%s", l.why.c_str());
    tangleTable(l);
    for (std::size_t i = 0; i < std::min<std::size_t>(l.plan.size(), 4); ++i)
        ImGui::TextDisabled("%s %s", i == 0 ? "next:" : "then:", l.plan[i].c_str());
    if (!l.untangling && ImGui::SmallButton("untangle (U)")) app.post([](Session& s) { s.untangle(); });
    if (l.untangling && ImGui::SmallButton("walk on")) app.post([](Session& s) { s.walkOn(); });
    cover(app);
    ImGui::End();
}

// problemCard shows the error of the scene file, and returns the y at which the next card may start.
float problemCard(App& app) {
    const float top = app.picture.y + 12;
    if (app.frame.problem.empty()) return top;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, {0.36f, 0.09f, 0.08f, 0.95f});
    ImGui::SetNextWindowPos({app.picture.x + 12, top});
    ImGui::SetNextWindowSize({app.picture.w - 24, 0});
    ImGui::Begin("problem", nullptr, kCard & ~ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::TextWrapped("%s", app.frame.problem.c_str());
    ImGui::TextDisabled(app.frame.loaded
                            ? "The last valid scene runs on. The file is read again when it changes."
                            : "The file is read again when it changes.");
    cover(app);
    const float next = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y + 8;
    ImGui::End();
    ImGui::PopStyleColor();
    return next;
}

void noticeCard(App& app) {
    const double now = ImGui::GetTime();
    if (app.frame.notices != app.seenNotices) {
        app.seenNotices = app.frame.notices;
        app.ownNotice.clear();
        app.noticeAt = now;
    }
    const std::string& text = app.ownNotice.empty() ? app.frame.notice : app.ownNotice;
    if (text.empty() || now - app.noticeAt > 5) return;
    ImGui::SetNextWindowPos({app.picture.x + 12, app.picture.y + app.picture.h - 12}, 0, {0, 1});
    ImGui::SetNextWindowBgAlpha(0.85f);
    ImGui::Begin("notice", nullptr, kCard);
    ImGui::TextUnformatted(text.c_str());
    ImGui::End();
}

// steerCard shows the control vector as a pad with arrow keys.
void steerCard(App& app) {
    if (!app.frame.steerable) return;
    const float size = 64;
    ImGui::SetNextWindowPos({app.picture.x + app.picture.w - 12, app.picture.y + app.picture.h - 12}, 0,
                            {1, 1});
    ImGui::SetNextWindowBgAlpha(0.85f);
    ImGui::Begin("steer", nullptr, kCard);
    ImGui::TextDisabled("arrow keys");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRect(at, {at.x + size, at.y + size}, IM_COL32(120, 125, 135, 255), 4);
    const ImVec2 middle = {at.x + 0.5f * size, at.y + 0.5f * size};
    const ImVec2 dot = {middle.x + 0.42f * size * app.frame.controlX,
                        middle.y - 0.42f * size * app.frame.controlY};
    list->AddLine(middle, dot, IM_COL32(240, 160, 70, 255), 2);
    list->AddCircleFilled(dot, 5, IM_COL32(240, 160, 70, 255));
    ImGui::Dummy({size, size});
    ImGui::End();
}

// words writes text beside a point of the picture on a dark background.
void words(float x, float y, const char* text, ImU32 color) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const ImVec2 size = ImGui::CalcTextSize(text);
    list->AddRectFilled({x - 5, y - 3}, {x + size.x + 5, y + size.y + 3}, IM_COL32(20, 22, 26, 215), 4);
    list->AddText({x, y}, color, text);
}

void cursorHints(App& app) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    for (std::size_t i = 2; i + 1 < app.trail.size(); i += 2)
        list->AddLine({app.trail[i - 2], app.trail[i - 1]}, {app.trail[i], app.trail[i + 1]},
                      IM_COL32(255, 90, 70, 230), 2.5f);
    if (app.frame.pulling && !app.film) {
        const render::Pixel p = app.camera.project(app.frame.goal, app.picture.w, app.picture.h);
        words(app.picture.x + p.x + 12, app.picture.y + p.y - 24, forceText(app).c_str(),
              IM_COL32(255, 190, 100, 255));
    }
    if (app.holding != Holding::Nothing || app.frame.hoveredName.empty()) return;
    if (!app.picture.holds(app.lastX, app.lastY) || app.showHelp) return;
    words(app.lastX + 14, app.lastY + 14, app.frame.hoveredName.c_str(), IM_COL32(235, 236, 238, 255));
}

} // namespace

void drawOverlay(App& app) {
    app.covers.clear();
    const float top = problemCard(app);
    leashCard(app, top);
    noticeCard(app);
    steerCard(app);
    cursorHints(app);
}

// addPull adds the spring of a pull to the view: a zigzag in the plane of the picture, with the force beside it.
void addPull(App& app) {
    render::SceneView& view = app.frame.view;
    if (app.frame.ropeEnd) view.dots.push_back({*app.frame.ropeEnd, {0.95f, 0.6f, 0.2f}, 10, true});
    if (!app.frame.pulling) return;
    const Vec3 from = app.frame.held, to = app.frame.goal, span = to - from;
    const Vec3 side = normalize(cross(span, app.camera.forward()));
    const float wide = std::min(6 * app.camera.metresPerPixel(from, app.picture.h), 0.2f * length(span));
    const render::Color color = {1.0f, 0.62f, 0.15f};
    const float pixels = length(span) / app.camera.metresPerPixel(from, app.picture.h);
    const int turns = std::clamp(static_cast<int>(pixels / 7), 4, 24);
    Vec3 last = from;
    for (int i = 1; i <= turns; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(turns);
        Vec3 next = from + t * span;
        if (i > 1 && i < turns - 1) next += (i % 2 ? wide : -wide) * side;
        view.lines.push_back({last, next, color, true});
        last = next;
    }
    view.dots.push_back({from, color, 9, true});
    view.dots.push_back({to, {1, 1, 1}, 6, true});
    // On the screen ImGui writes the force, in a better font. A film is drawn without ImGui, so the view gets a
    // label.
    if (app.film) view.labels.push_back({to, forceText(app), {1, 0.85f, 0.55f}});
}

void drawHelp(App& app) {
    if (!app.showHelp) return;
    static constexpr const char* rows[][2] = {
        {"left drag", "pull the object under the cursor; beside all objects: turn the camera"},
        {"right drag", "turn the camera"},
        {"middle drag, Shift + drag", "move the camera"},
        {"wheel", "zoom; while pulling: move the pulled object nearer or farther"},
        {"Ctrl + drag", "cut ropes"},
        {"", ""},
        {"Space", "play, pause"},
        {".", "one step"},
        {"[  ]", "slower, faster"},
        {"R", "reset"},
        {"arrow keys", "steer motors, servos and cylinders"},
        {"1 2 3 4", "tools: pull, cut, rope, pin"},
        {"P", "pin or release the pulled or selected object"},
        {"Delete", "remove the selected object"},
        {"U", "untangle the leashes"},
        {"", ""},
        {"F", "show the whole scene"},
        {"C", "let the camera follow the selected object"},
        {"H", "colours of ropes: tension, stretch, contact force"},
        {"D", "forces of contact, joints and their limits, tangles"},
        {"O", "open a file by its path; or drop a file on the window"},
        {"Tab", "show or hide panels"},
        {"F12   F9", "photo of the window   film of the scene"},
        {"?   Esc   Ctrl + Q", "this page   back to pulling   quit"},
    };
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.5f * io.DisplaySize.y}, 0, {0.5f, 0.5f});
    ImGui::Begin("help", nullptr, kCard);
    ImGui::TextColored({0.95f, 0.64f, 0.28f, 1}, "Keys and mouse");
    ImGui::Separator();
    for (const auto& row : rows) {
        if (!*row[0]) {
            ImGui::Spacing();
            continue;
        }
        ImGui::TextUnformatted(row[0]);
        ImGui::SameLine(210);
        ImGui::TextDisabled("%s", row[1]);
    }
    ImGui::End();
}

} // namespace capstan::viewer
