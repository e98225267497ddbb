// SPDX-License-Identifier: MIT
// This file implements print.hpp.
#include <apps/capstan/commands/print.hpp>

#include <capstan/world.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::cli {

int fail(const Error& error, int code) {
    fmt::print(stderr, "capstan: {}\n", error.text());
    return code;
}

std::string quantity(double value, const char* unit) {
    struct Prefix {
        double size;
        const char* name;
    };
    static constexpr Prefix prefixes[] = {{1e9, "G"}, {1e6, "M"},  {1e3, "k"},
                                          {1, ""},    {1e-3, "m"}, {1e-6, "u"}};
    double size = std::abs(value);
    if (size == 0 || !std::isfinite(value)) return fmt::format("{} {}", value, unit);
    for (const Prefix& p : prefixes) {
        if (size >= 0.9995 * p.size) return fmt::format("{:.3g} {}{}", value / p.size, p.name, unit);
    }
    return fmt::format("{:.2e} {}", value, unit);
}

std::string percent(double fraction) {
    double value = 100 * fraction, size = std::abs(value);
    if (size == 0 || size >= 100 || size < 1e-9 || !std::isfinite(value))
        return fmt::format("{:.3g} %", value);
    int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(size))));
    return fmt::format("{:.{}f} %", value, decimals);
}

std::string wrapped(std::string_view text, std::string_view indent) {
    constexpr std::size_t width = 100;
    std::string out, line;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = text.find_first_of(" \n", at);
        if (end == text.npos) end = text.size();
        std::string_view word = text.substr(at, end - at);
        if (!line.empty() && indent.size() + line.size() + 1 + word.size() > width) {
            out += std::string(indent) + line + "\n";
            line.clear();
        }
        if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
        at = end + 1;
    }
    return line.empty() ? out : out + std::string(indent) + line + "\n";
}

Result<Scene> load(const std::string& file, const WorldOptions& options) {
    Result<Scene> scene = loadScene(file, {.centerAtOrigin = !options.boxCenters});
    if (!scene) return scene;
    for (const Error& note : scene->notes) fmt::print(stderr, "note: {}\n", note.text());
    const std::pair<const char*, Backend> backends[] = {{"scalar", Backend::Scalar},
                                                        {"simd", Backend::Simd},
                                                        {"cuda", Backend::Cuda},
                                                        {"best", Backend::Best}};
    for (const auto& [word, backend] : backends)
        if (options.backend == word) scene->world.backend = backend;
    // loadScene has already refused wrong values of the world. So an error here means that the backend is missing.
    if (scene->world.backend == Backend::Cuda)
        if (Result<World> world = World::make(scene->world); !world) return Error{world.error().what, file};
    if (options.threads > 0) scene->world.threads = options.threads;
    if (options.substeps > 0) scene->world.substeps = options.substeps;
    return scene;
}

} // namespace capstan::cli
