// SPDX-License-Identifier: MIT
// Result<T>: a value, or an Error that says what went wrong and where.
//
// A Result reports errors that come from outside the program: a scene file, a mesh, a missing GPU. CAPSTAN_CHECK
// reports a mistake of the calling program (check.hpp). Report counts numerical problems of the physics (report.hpp).
// The member names are those of std::expected, which g++ 12 has only under C++23.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace capstan {

struct Error {
    std::string what;  // a sentence: "radius must be above 0, got -1"
    std::string where; // position of the error: "scenes/knot.json:14:9" or "/ropes/2/radius"

    std::string text() const { return where.empty() ? what : where + ": " + what; }
};

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : both_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : both_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return both_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() { return std::get<0>(both_); }
    const T& value() const { return std::get<0>(both_); }
    const Error& error() const { return std::get<1>(both_); }

    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> both_;
};

// Status: success, or an Error. It is a Result without a value.
using Status = Result<std::monostate>;
inline Status done() { return Status(std::monostate{}); }

} // namespace capstan
