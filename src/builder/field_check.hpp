// SPDX-License-Identifier: MIT
// Checks the numbers of a Def against the ranges that its fields() states.
#pragma once

#include <capstan/defs.hpp>
#include <capstan/result.hpp>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace capstan {

inline std::string shortNumber(double a) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", a);
    return text;
}

// Visits the fields of a Def, and keeps the Error of the first field that is out of range.
class FieldCheck {
public:
    explicit FieldCheck(std::string path = "") : path_(std::move(path)) {}

    const std::optional<Error>& error() const { return error_; }

    template <class T> void operator()(const char* name, const T& value, const Field& field) {
        if (!error_) look(value, path_ + "/" + name, name, field);
    }

private:
    void look(float v, const std::string& at, const char* name, const Field& f) {
        number(double(v), at, name, f);
    }
    void look(int v, const std::string& at, const char* name, const Field& f) { number(v, at, name, f); }
    void look(Vec3 v, const std::string& at, const char* name, const Field& f) {
        for (float a : {v.x, v.y, v.z})
            if (!error_) number(double(a), at, name, f);
    }
    void look(Quatf q, const std::string& at, const char* name, const Field& f) {
        for (float a : {q.x, q.y, q.z, q.w})
            if (!error_) number(double(a), at, name, f);
    }
    template <class T>
    void look(const std::optional<T>& v, const std::string& at, const char* name, const Field& f) {
        if (v) look(*v, at, name, f);
    }
    template <class T>
    void look(const std::vector<T>& v, const std::string& at, const char* name, const Field& f) {
        for (std::size_t i = 0; i < v.size() && !error_; ++i)
            look(v[i], at + "/" + std::to_string(i), name, f);
    }
    // Visits a Def within a Def. Names, enumerators and flags have no range and are not checked.
    template <class T> void look(const T& v, const std::string& at, const char*, const Field&) {
        if constexpr (requires(FieldCheck & inner) { fields(v, inner); }) {
            FieldCheck inner(at);
            fields(v, inner);
            error_ = inner.error();
        }
    }

    void number(double a, const std::string& at, const char* name, const Field& f) {
        if (!std::isfinite(a))
            error_ = Error{std::string(name) + " must be a finite number", at};
        else if (a < f.min || (f.open && a <= f.min))
            error_ = Error{std::string(name) + " must be " + (f.open ? "above " : "at least ") +
                               shortNumber(f.min) + ", got " + shortNumber(a),
                           at};
        else if (a > f.max)
            error_ = Error{
                std::string(name) + " must be at most " + shortNumber(f.max) + ", got " + shortNumber(a), at};
    }

    std::string path_;
    std::optional<Error> error_;
};

// A field of the material that this kind of object does not use must be 0. `sticks`: it uses staticFriction.
inline std::optional<Error> checkMaterial(const MaterialDef& m, const char* kind, bool sticks) {
    const auto unused = [&](const char* name, float value) {
        return Error{std::string(name) + ": must be 0 for " + kind + ", got " + shortNumber(double(value)) +
                         "; leave it out",
                     std::string("/material/") + name};
    };
    if (!sticks && m.staticFriction != 0) return unused("staticFriction", m.staticFriction);
    if (m.restitution != 0) return unused("restitution", m.restitution);
    return {};
}

// Returns the Error of the first field that is out of range.
template <class Def> std::optional<Error> checkFields(const Def& def) {
    FieldCheck check;
    fields(def, check);
    return check.error();
}

} // namespace capstan
