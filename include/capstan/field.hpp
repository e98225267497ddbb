// SPDX-License-Identifier: MIT
// Field: what is known of one field of a Def beside its name.
//
// Beside each Def stands `fields(def, visit)`, which names every field once with its unit, its range and a
// line of help. The scene reader, the command line's `info`, the documentation and viewer panels are all made
// from it, so a new field is written there and nowhere else.
#pragma once

#include <limits>
#include <type_traits>

namespace capstan {

// What stands beside a field's name. A number must lie in [min, max]; `open` leaves out min itself.
struct Field {
    const char* unit = "";
    const char* help = "";
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool open = false;
};

inline Field atLeast(double min, const char* unit, const char* help) { return {unit, help, min}; }
inline Field above(double min, const char* unit, const char* help) {
    return {unit, help, min, std::numeric_limits<double>::infinity(), true};
}
inline Field within(double min, double max, const char* unit, const char* help) {
    return {unit, help, min, max};
}
inline Field any(const char* unit, const char* help) { return {unit, help}; }

// fields() takes a Def or a const Def.
template <class D, class Def>
concept DefOf = std::is_same_v<std::remove_const_t<D>, Def>;

} // namespace capstan
