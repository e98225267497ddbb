// SPDX-License-Identifier: MIT
// This file implements panels.hpp.
#include <apps/viewer/panels/panels.hpp>

#include <imgui_stdlib.h>

namespace capstan::viewer {
namespace {

// speedOf returns the change per pixel of a drag: a drag across the widget changes a number by about its own size.
// Numbers that are never negative, like the bending stiffness of hair, may be tiny.
float speedOf(float value, const Field& f) {
    const bool tiny = f.min >= 0 && value > 0 && value < 1e-3f;
    return std::max(std::fabs(value) * 0.005f, tiny ? 0.0f : 1e-4f);
}

// inside keeps a number within its range, and above the minimum where the range is open.
float inside(float value, const Field& f) {
    float least = static_cast<float>(f.min), most = static_cast<float>(f.max);
    if (f.open) least = std::nextafter(least, most);
    return std::clamp(value, least, most);
}

} // namespace

void fieldLabel(const char* name, const Field& field) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    if (ImGui::IsItemHovered()) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(320);
        ImGui::TextUnformatted(field.help);
        if (*field.unit) ImGui::TextDisabled("in %s", field.unit);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    ImGui::SameLine(std::max(118.0f, ImGui::GetContentRegionAvail().x * 0.45f));
    ImGui::SetNextItemWidth(-1);
}

bool widget(bool& value, const Field&) { return ImGui::Checkbox("##v", &value); }

bool widget(int& value, const Field& f) {
    const int least = static_cast<int>(std::max(f.min, -1e9)), most = static_cast<int>(std::min(f.max, 1e9));
    return ImGui::DragInt("##v", &value, 0.2f, least, most, "%d", ImGuiSliderFlags_AlwaysClamp);
}

bool widget(std::uint32_t& value, const Field&) {
    return ImGui::InputScalar("##v", ImGuiDataType_U32, &value, nullptr, nullptr, "%08x",
                              ImGuiInputTextFlags_CharsHexadecimal);
}

bool widget(std::uint64_t& value, const Field&) {
    return ImGui::InputScalar("##v", ImGuiDataType_U64, &value);
}

bool widget(float& value, const Field& f) {
    std::string format = std::string("%.5g ") + f.unit;
    if (!ImGui::DragFloat("##v", &value, speedOf(value, f), 0, 0, format.c_str())) return false;
    value = inside(value, f);
    return true;
}

bool widget(Vec3& value, const Field& f) {
    const float size = std::max({std::fabs(value.x), std::fabs(value.y), std::fabs(value.z)});
    if (!ImGui::DragFloat3("##v", &value.x, speedOf(size, f), 0, 0, "%.3g")) return false;
    value = {inside(value.x, f), inside(value.y, f), inside(value.z, f)};
    return true;
}

bool widget(Quatf& value, const Field&) { return ImGui::InputFloat4("##v", &value.x, "%.2f"); }

bool widget(std::string& value, const Field&) {
    return ImGui::InputText("##v", &value, ImGuiInputTextFlags_EnterReturnsTrue);
}

bool choice(int& value, std::span<const char* const> words) {
    return ImGui::Combo("##v", &value, words.data(), static_cast<int>(words.size()));
}

} // namespace capstan::viewer
