// SPDX-License-Identifier: MIT
// This file draws plots over time. ImGui's plots were refused: they have no scale, no second line and no stacked
// bands.
#include <apps/viewer/app.hpp>

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::viewer {
namespace {

const ImU32 kColors[] = {
    IM_COL32(240, 160, 70, 255),  IM_COL32(90, 170, 250, 255),  IM_COL32(120, 205, 120, 255),
    IM_COL32(220, 120, 200, 255), IM_COL32(235, 215, 90, 255),  IM_COL32(150, 130, 240, 255),
    IM_COL32(235, 105, 95, 255),  IM_COL32(110, 210, 215, 255), IM_COL32(160, 165, 175, 255)};

struct Line {
    const char* name;
    std::vector<float> values;
    std::size_t color = 0; // index in kColors
};

enum class Style { Lines, Bands }; // Bands: each line is stacked on the previous ones

// roundUp returns the smallest of 1, 2, 5, 10, ... (also 0.1, 0.2, 0.5, ...) that is at least `value`.
float roundUp(float value) {
    if (!(value > 0)) return 1;
    const float power = std::pow(10.0f, std::floor(std::log10(value)));
    for (float m : {1.0f, 2.0f, 5.0f}) {
        if (value <= m * power * 1.0001f) return m * power;
    }
    return 10 * power;
}

void text(ImDrawList* list, float x, float y, ImU32 color, const char* words, float align = 0) {
    list->AddText({x - align * ImGui::CalcTextSize(words).x, y}, color, words);
}

struct Range {
    float low = 0, high = 0;
};

// rangeOf returns the range of all values. With `usual` it ignores the largest 2 %, because one slow frame would
// flatten the rest of the plot.
Range rangeOf(const std::vector<Line>& lines, bool usual) {
    Range r;
    for (const Line& l : lines) {
        if (l.values.empty()) continue;
        std::vector<float> sorted = l.values;
        std::sort(sorted.begin(), sorted.end());
        r.low = std::min(r.low, sorted.front());
        r.high = std::max(r.high, usual ? 1.3f * sorted[(sorted.size() - 1) * 49 / 50] : sorted.back());
    }
    return r;
}

// band fills the area between two curves.
void band(ImDrawList* list, const std::vector<ImVec2>& low, const std::vector<ImVec2>& high, ImU32 color) {
    const ImDrawListFlags flags = list->Flags;
    // Antialiasing would show seams between neighbouring quads.
    list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t i = 0; i + 1 < high.size(); ++i)
        list->AddQuadFilled(low[i], low[i + 1], high[i + 1], high[i], color);
    list->Flags = flags;
}

// plot draws a box with title and unit above left, names of the lines above right, and the scale at the left edge.
void plot(const Rect& box, const char* title, const std::vector<Line>& lines, bool usual = false,
          Style style = Style::Lines) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Range range = rangeOf(lines, usual);
    const float low = range.low < 0 ? -roundUp(-range.low) : 0.0f;
    const float high = range.high > 0 ? roundUp(range.high) : (low < 0 ? 0.0f : 1.0f);
    const Rect in = {box.x, box.y + 20, box.w, box.h - 24};
    const ImU32 dim = IM_COL32(150, 155, 165, 255);
    text(list, box.x + 2, box.y + 1, IM_COL32(225, 227, 230, 255), title);
    float right = box.x + box.w - 4;
    const float left = box.x + ImGui::CalcTextSize(title).x + 10;
    for (std::size_t k = lines.size(); k-- > 0;) { // as many names as fit
        if (!*lines[k].name || right - ImGui::CalcTextSize(lines[k].name).x < left) continue;
        text(list, right, box.y + 1, kColors[lines[k].color], lines[k].name, 1);
        right -= ImGui::CalcTextSize(lines[k].name).x + 8;
    }
    list->AddRectFilled({in.x, in.y}, {in.x + in.w, in.y + in.h}, IM_COL32(20, 22, 26, 255), 3);
    list->PushClipRect({in.x, in.y}, {in.x + in.w, in.y + in.h});
    auto yOf = [&](float v) { return in.y + in.h - 3 - (v - low) / (high - low) * (in.h - 6); };
    if (low < 0) list->AddLine({in.x, yOf(0)}, {in.x + in.w, yOf(0)}, IM_COL32(70, 75, 85, 255));
    std::vector<ImVec2> points, below;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::vector<float>& v = lines[k].values;
        below.swap(points);
        points.clear();
        const float per = in.w / static_cast<float>(History::most - 1);
        const float start = in.x + in.w - per * static_cast<float>(v.size());
        for (std::size_t i = 0; i < v.size(); ++i)
            points.push_back({start + per * static_cast<float>(i), yOf(std::clamp(v[i], low, high))});
        const ImU32 color = kColors[lines[k].color];
        if (style == Style::Lines) {
            list->AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, 1.4f);
            continue;
        }
        if (k == 0)
            for (below = points; ImVec2 & p : below) p.y = yOf(0);
        band(list, below, points, color);
    }
    char number[32];
    std::snprintf(number, sizeof number, "%g", static_cast<double>(high));
    text(list, in.x + 4, in.y + 1, dim, number);
    std::snprintf(number, sizeof number, "%g", static_cast<double>(low));
    text(list, in.x + 4, in.y + in.h - 16, dim, number);
    list->PopClipRect();
}

template <class Of> std::vector<float> series(const std::deque<Sample>& samples, Of&& of) {
    std::vector<float> values;
    for (const Sample& s : samples) values.push_back(static_cast<float>(of(s)));
    return values;
}

template <class Of> std::vector<float> series(const std::deque<Picture>& pictures, Of&& of) {
    std::vector<float> values;
    for (const Picture& p : pictures) values.push_back(of(p));
    return values;
}

// colored assigns colours to the lines in order.
std::vector<Line> colored(std::vector<Line> lines) {
    for (std::size_t k = 0; k < lines.size(); ++k) lines[k].color = k;
    return lines;
}

// stepBands returns the time of a step as bands, one per phase, and one for the viewer's work. Phases that are always
// negligible get no band.
std::vector<Line> stepBands(const std::deque<Sample>& s) {
    std::vector<Line> all;
    for (int i = 0; i < StepTimes::phases; ++i)
        all.push_back({StepTimes::name(StepPhase(i)),
                       series(s, [&](const Sample& a) { return 1e3f * a.phases[StepPhase(i)]; })});
    all.push_back({"script", series(s, [](const Sample& a) { return 1e3f * a.script; })});
    all.push_back({"show", series(s, [](const Sample& a) { return 1e3f * a.show; })});
    all = colored(std::move(all));
    auto sum = [](const Line& l) {
        float total = 0;
        for (float v : l.values) total += v;
        return total;
    };
    float total = 0;
    for (const Line& l : all) total += sum(l);
    std::erase_if(all, [&](const Line& l) { return sum(l) < 0.02f * total; });
    for (std::size_t k = 1; k < all.size(); ++k)
        for (std::size_t i = 0; i < s.size(); ++i) all[k].values[i] += all[k - 1].values[i];
    return all;
}

} // namespace

void drawPlots(App& app) {
    if (app.plots.h <= 0) return;
    ImGui::SetNextWindowPos({app.plots.x, app.plots.y});
    ImGui::SetNextWindowSize({app.plots.w, app.plots.h});
    ImGui::Begin("plots", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const auto& s = app.history.samples;
    const auto& p = app.history.pictures;
    // The plot of phases has the most names in its legend, so it is the widest.
    constexpr float widths[] = {1, 0.75f, 0.75f, 1.5f, 1};
    const float width = (app.plots.w - 20 - 4 * 12) / 5;
    auto box = [&](int i) {
        float x = app.plots.x + 10;
        for (int k = 0; k < i; ++k) x += widths[k] * width + 12;
        return Rect{x, app.plots.y + 4, widths[i] * width, app.plots.h - 8};
    };
    plot(box(0), "energy, J",
         colored({{"kinetic", series(s, [](const Sample& a) { return a.energy.kinetic; })},
                  {"potential", series(s, [](const Sample& a) { return a.energy.potential; })},
                  {"elastic", series(s, [](const Sample& a) { return a.energy.elastic; })}}));
    plot(box(1), "largest stretch, %", {{"", series(s, [](const Sample& a) { return 100 * a.stretch; })}});
    plot(box(2), "largest tension, N", {{"", series(s, [](const Sample& a) { return a.tension; })}});
    plot(box(3), "step, ms", stepBands(s), true, Style::Bands);
    plot(box(4), "picture, ms",
         colored({{"all", series(p, [](const Picture& a) { return 1e3f * a.whole; })},
                  {"draw", series(p, [](const Picture& a) { return 1e3f * a.draw; })},
                  {"panels", series(p, [](const Picture& a) { return 1e3f * a.panels; })},
                  {"screen", series(p, [](const Picture& a) { return 1e3f * a.swap; })}}),
         true);
    ImGui::End();
}

} // namespace capstan::viewer
