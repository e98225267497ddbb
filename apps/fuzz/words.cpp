// SPDX-License-Identifier: MIT
#include <apps/fuzz/words.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace capstan::fuzz {
namespace {

template <class T> bool readInteger(std::string_view text, T& to) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc{} && end == text.data() + text.size();
}

template <std::size_t N> bool readAll(std::string_view text, float (&to)[N]) {
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.size() != N) return false;
    for (std::size_t i = 0; i < N; ++i)
        if (!read(parts[i], to[i])) return false;
    return true;
}

} // namespace

std::string textOf(float a) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", double(a));
    return text;
}

std::string textOf(Vec3 a) { return textOf(a.x) + "," + textOf(a.y) + "," + textOf(a.z); }
std::string textOf(const Quatf& a) { return textOf(Vec3{a.x, a.y, a.z}) + "," + textOf(a.w); }

// strtof reads "nan" and "inf", which recipes with wrong numbers contain.
bool read(std::string_view text, float& to) {
    const std::string copy(text);
    char* end = nullptr;
    to = std::strtof(copy.c_str(), &end);
    return !copy.empty() && end == copy.c_str() + copy.size();
}

bool read(std::string_view text, int& to) { return readInteger(text, to); }
bool read(std::string_view text, std::uint32_t& to) { return readInteger(text, to); }
bool read(std::string_view text, std::uint64_t& to) { return readInteger(text, to); }

bool read(std::string_view text, Vec3& to) {
    float n[3];
    if (!readAll(text, n)) return false;
    to = {n[0], n[1], n[2]};
    return true;
}

bool read(std::string_view text, Quatf& to) {
    float n[4];
    if (!readAll(text, n)) return false;
    to = Quatf(n[0], n[1], n[2], n[3]);
    return true;
}

bool read(std::string_view text, std::array<int, 3>& to) {
    const std::vector<std::string_view> parts = split(text, ',');
    return parts.size() == 3 && read(parts[0], to[0]) && read(parts[1], to[1]) && read(parts[2], to[2]);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

} // namespace capstan::fuzz
