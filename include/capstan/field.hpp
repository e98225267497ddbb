// SPDX-License-Identifier: MIT
// Field: the unit, range and help of one field of a Def.
//
// Each Def has a function `fields(def, visit)`, which calls visit(name, member, Field) once for each field. The scene
// reader, the command line's `info`, the documentation and the viewer's panels all use these functions. So a new
// field is declared there and nowhere else.
#pragma once

#include <limits>
#include <type_traits>

namespace capstan {

// A number must lie in [min, max], in the given unit. If `open` is true, min itself is excluded.
struct Field {
    const char* unit = "";
    const char* help = "";
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool open = false;
};

// Each of the next four functions returns a Field: value >= min, value > min, min <= value <= max, and no range.
inline Field atLeast(double min, const char* unit, const char* help) { return {unit, help, min}; }
inline Field above(double min, const char* unit, const char* help) {
    return {unit, help, min, std::numeric_limits<double>::infinity(), true};
}
inline Field within(double min, double max, const char* unit, const char* help) {
    return {unit, help, min, max};
}
inline Field any(const char* unit, const char* help) { return {unit, help}; }

// A place or a length of which floats form squares: 1e15 m.
inline Field place(const char* help) { return within(-1e15, 1e15, "m", help); }

// DefOf lets fields() accept both a Def and a const Def.
template <class D, class Def>
concept DefOf = std::is_same_v<std::remove_const_t<D>, Def>;

} // namespace capstan
