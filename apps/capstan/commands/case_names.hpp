// SPDX-License-Identifier: MIT
// These functions choose cases by name, for validate and bench alike.
#pragma once

#include <capstan/result.hpp>
#include <capstan/scene/nearest.hpp>

#include <fmt/core.h>

#include <string>
#include <vector>

namespace capstan::cli {

// caseList gives one line per case, for --help.
template <class Case> std::string caseList(const std::vector<Case>& cases) {
    std::string out = "Cases:\n";
    for (const Case& c : cases) out += fmt::format("  {:<8} {}\n", c.name, c.about);
    return out;
}

// chosen gives the named cases in the order of their list, or all when none is named. Names may be in lower case.
template <class Case>
Result<std::vector<const Case*>> chosen(const std::vector<Case>& cases,
                                        const std::vector<std::string>& names) {
    auto same = [](const std::string& a, const std::string& b) {
        auto upper = [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : int(c); };
        bool equal = a.size() == b.size();
        for (std::size_t i = 0; equal && i < a.size(); ++i) equal = upper(a[i]) == upper(b[i]);
        return equal;
    };
    std::vector<bool> wanted(cases.size(), names.empty());
    for (const std::string& name : names) {
        bool found = false;
        std::string known;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            bool hit = same(name, cases[i].name);
            found = found || hit;
            wanted[i] = wanted[i] || hit;
            known += (known.empty() ? "" : ", ") + std::string(cases[i].name);
        }
        if (!found) return Error{"no such case; known are " + known, shorten(name)};
    }
    std::vector<const Case*> out;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (wanted[i]) out.push_back(&cases[i]);
    }
    return out;
}

} // namespace capstan::cli
