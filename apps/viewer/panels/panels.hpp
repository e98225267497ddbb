// SPDX-License-Identifier: MIT
// Widgets for the fields of any Def: one row per field with its unit, range and help. A `fields` visitor makes the
// rows. So a new field of a Def appears in the viewer without a change here.
#pragma once

#include <capstan/defs.hpp>
#include <capstan/scene/field_types.hpp>

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capstan::viewer {

// fieldLabel writes the field's name with its help as a tooltip, and moves ImGui's cursor to the place of the widget.
void fieldLabel(const char* name, const Field& field);

// Widgets for each type of field. Each returns true when the user changed the value.
bool widget(bool& value, const Field& field);
bool widget(int& value, const Field& field);
bool widget(std::uint32_t& value, const Field& field);
bool widget(std::uint64_t& value, const Field& field);
bool widget(float& value, const Field& field);
bool widget(Vec3& value, const Field& field);
bool widget(Quatf& value, const Field& field);
bool widget(std::string& value, const Field& field);
bool choice(int& value, std::span<const char* const> words);

template <class T> inline constexpr bool isOptionalDef = false;
template <class T> inline constexpr bool isOptionalDef<std::optional<T>> = isDef<T>;

// Rows visits a Def and makes its rows. Fields named in `fixed` are read-only, and so are all fields inside a Def
// that `whole` names.
class Rows {
public:
    explicit Rows(std::span<const char* const> fixed, std::span<const char* const> whole = {})
        : fixed_(fixed), whole_(whole) {}
    bool changed() const { return changed_; }

    template <class T> void operator()(const char* name, T& value, const Field& field) {
        ImGui::PushID(name);
        if constexpr (isVector<T>) {
            fieldLabel(name, field);
            ImGui::TextDisabled(value.size() == 1 ? "1 item" : "%zu items", value.size());
        } else if constexpr (isRef<T>) {
            fieldLabel(name, field);
            ImGui::TextDisabled("%s", value.name.empty() ? (value.id ? "(by id)" : "-") : value.name.c_str());
        } else if constexpr (isOptionalDef<T>) { // the anchor frames of a joint cannot be edited
            fieldLabel(name, field);
            ImGui::TextDisabled(value ? "given" : "-");
        } else if constexpr (isDef<T>) {
            if (ImGui::TreeNode(name)) {
                const bool before = std::exchange(locked_, locked_ || in(whole_, name));
                fields(value, *this);
                locked_ = before;
                ImGui::TreePop();
            }
        } else {
            fieldLabel(name, field);
            ImGui::BeginDisabled(locked_ || in(fixed_, name));
            changed_ = any(value, field) || changed_;
            ImGui::EndDisabled();
        }
        ImGui::PopID();
    }

private:
    static bool in(std::span<const char* const> list, std::string_view name) {
        return std::any_of(list.begin(), list.end(), [&](std::string_view f) { return f == name; });
    }
    template <class T> static bool any(T& value, const Field& field) {
        if constexpr (isOptional<T>) {
            bool given = value.has_value();
            bool changed = ImGui::Checkbox("##given", &given);
            if (changed) value = given ? T(typename T::value_type{}) : T{};
            if (!given) return changed;
            ImGui::SameLine();
            ImGui::SetNextItemWidth(-1);
            return any(*value, field) || changed;
        } else if constexpr (std::is_enum_v<T>) {
            int index = static_cast<int>(value);
            if (!choice(index, wordsOf(value))) return false;
            value = static_cast<T>(index);
            return true;
        } else {
            return widget(value, field);
        }
    }

    std::span<const char*const> fixed_, whole_;
    bool changed_ = false, locked_ = false;
};

// editFields makes the rows of a Def, and returns true when the user changed a value.
template <class Def>
bool editFields(Def& def, std::span<const char* const> fixed = {}, std::span<const char* const> whole = {}) {
    Rows rows(fixed, whole);
    fields(def, rows);
    return rows.changed();
}

} // namespace capstan::viewer
