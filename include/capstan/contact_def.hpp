// SPDX-License-Identifier: MIT
// MaterialDef describes a surface: its friction and restitution. FilterDef says which objects may be in contact.
// Ropes, bodies, cloth and hair all have both.
#pragma once

#include <capstan/field.hpp>

#include <cstdint>

namespace capstan {

// Surface numbers, all without unit. Of two surfaces in contact, the friction is the square root of the product of
// their frictions. The restitution is the larger of the two.
struct MaterialDef {
    float friction = 0.3f;
    float staticFriction = 0;
    float restitution = 0;
};

template <DefOf<MaterialDef> D, class V> void fields(D& d, V&& visit) {
    visit("friction", d.friction,
          atLeast(0, "",
                  "coefficient of sliding friction; a contact uses the square root of the product of both "
                  "surfaces"));
    visit(
        "staticFriction", d.staticFriction,
        atLeast(
            0, "",
            "ropes, bodies: coefficient of static friction; a value below `friction` is read as `friction`"));
    visit("restitution", d.restitution,
          within(0, 1, "",
                 "bodies: ratio of the speeds after and before an impact; a contact uses the larger of both "
                 "surfaces"));
}

// Two objects may be in contact when each one's mask shares a bit with the other's category. For two objects of the
// same nonzero group the masks do not matter. They may be in contact if the group is positive, and never if it is
// negative. This is the rule of Box2D.
struct FilterDef {
    std::uint32_t category = 1;
    std::uint32_t mask = 0xffffffffu;
    int group = 0;

    friend bool operator==(const FilterDef&, const FilterDef&) = default;
};

template <DefOf<FilterDef> D, class V> void fields(D& d, V&& visit) {
    visit("category", d.category, any("", "bits of the categories that the object belongs to"));
    visit("mask", d.mask, any("", "bits of the categories that the object touches"));
    visit("group", d.group,
          any("", "group of the object; masks do not matter between two objects of one group: above 0 they "
                  "always touch, below 0 never; 0: no group"));
}

// Returns whether two objects with these filters may be in contact.
inline bool mayTouch(const FilterDef& a, const FilterDef& b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.mask & b.category) != 0 && (b.mask & a.category) != 0;
}

} // namespace capstan
