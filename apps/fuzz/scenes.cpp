// SPDX-License-Identifier: MIT
#include <apps/fuzz/scenes.hpp>

#include <capstan/scene/playback.hpp>
#include <worlds/dice.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace capstan::fuzz {
namespace {

// A scene that is played takes at most some hundredths of a second.
bool small(const Scene& scene) {
    int parts = 0;
    for (const RopeDef& r : scene.ropes) {
        if (r.segments > 100 || r.points.size() > 100 || r.iterations > 10) return false;
        parts += 100;
    }
    for (const BodyDef& b : scene.bodies)
        if (b.shape.points.size() > 100 || b.shape.triangles.size() > 100 || b.parts.size() > 10)
            return false;
    for (const ClothDef& c : scene.cloths) {
        if (c.cellsU > 20 || c.cellsV > 20 || c.points.size() > 400 || c.iterations > 10) return false;
        parts += 200;
    }
    for (const HairDef& h : scene.hairs) {
        if (h.roots.size() > 50 || h.scalp.strands > 50 || h.substeps > 20) return false;
        parts += 100;
    }
    return parts <= 1000 && scene.bodies.size() <= 30 && scene.joints.size() <= 30 &&
           scene.world.substeps <= 10 && scene.world.threads == 1;
}

constexpr int kFrames = 5; // that a small scene is played

class Mutation {
public:
    Mutation(const std::vector<std::string>& scenes, std::uint64_t seed)
        : scenes_(scenes), dice_(seed * 0xDA942042E4DD58B5u + 1), text_(any()) {}

    std::string run() {
        // Of the mutants with broken brackets nothing reaches the engine: with those alone 13 % could be read.
        const bool numbers = pick(10) < 7;
        for (int left = 1 + pick(6); left > 0 && !text_.empty(); --left) numbers ? number() : change();
        return std::move(text_);
    }

private:
    int pick(std::size_t count) { return int(std::min(dice_.between(0, double(count)), double(count) - 1)); }
    const std::string& any() { return scenes_[std::size_t(pick(scenes_.size()))]; }
    std::size_t place() { return std::size_t(pick(text_.size())); }

    void change() {
        switch (pick(10)) {
        case 0:
            text_[place()] = char(pick(256));
            break;
        case 1:
            text_.insert(place(), 1, R"({}[]",:-+.eE0123456789 /)"[std::size_t(pick(24))]);
            break;
        case 2: {
            const std::size_t at = place();
            text_.erase(at, std::size_t(1 + pick(40)));
            break;
        }
        case 3: { // a span of another scene
            const std::string& other = any();
            const std::size_t from = std::size_t(pick(other.size() + 1)), count = std::size_t(1 + pick(200));
            text_.insert(place(), other.substr(from, count));
            break;
        }
        case 4:
            line();
            break;
        default:
            number();
        }
    }

    // Drops a line, or says it twice.
    void line() {
        const std::size_t at = place(), newline = text_.rfind('\n', at);
        const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
        const std::size_t end = std::min(text_.find('\n', at), text_.size() - 1) + 1;
        const std::string whole = text_.substr(begin, end - begin);
        if (pick(2))
            text_.erase(begin, end - begin);
        else
            text_.insert(end, whole);
    }

    void number() {
        static const char* const all[] = {"0",           "-1",    "1",    "2",     "1e-9",    "1e9",
                                          "0.5",         "-0.0",  "3.14", "100",   "1000000", "2147483647",
                                          "1e38",        "-1e38", "1e-3", "1e999", "12345",   "-17.25e-3",
                                          "10000000000", "7",     "1e5"};
        const std::size_t from = place();
        std::size_t at = from;
        while (at < text_.size() && !std::isdigit(static_cast<unsigned char>(text_[at]))) ++at;
        std::size_t end = at;
        while (end < text_.size() &&
               std::string_view("0123456789.eE+-").find(text_[end]) != std::string_view::npos)
            ++end;
        if (at > 0 && text_[at - 1] == '-') --at;
        static const double factors[] = {-1, 0.001, 0.1, 0.5, 0.9, 1.1, 2, 10, 1000};
        char scaled[32];
        std::snprintf(scaled, sizeof scaled, "%.9g",
                      std::strtod(text_.substr(at, end - at).c_str(), nullptr) *
                          factors[pick(std::size(factors))]);
        text_.replace(at, end - at, pick(2) ? scaled : all[pick(std::size(all))]);
    }

    const std::vector<std::string>& scenes_;
    Dice dice_;
    std::string text_;
};

Fault wrong(const char* what) { return {"scene", what}; }

} // namespace

Result<std::vector<std::string>> readScenes(const std::vector<std::string>& places) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const std::string& place : places) {
        std::error_code error;
        if (fs::is_regular_file(place, error)) files.emplace_back(place);
        if (!fs::is_directory(place, error)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(place, error))
            if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    if (files.empty())
        return Error{"there must be a scene file in these folders; name others with --corpus",
                     places.empty() ? "--corpus" : places.front()};
    std::sort(files.begin(), files.end());
    std::vector<std::string> texts;
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        constexpr std::size_t most = 200000; // a mutant of a megabyte of numbers is read for a second
        if (!text.empty() && text.size() < most) texts.push_back(std::move(text));
    }
    return texts;
}

std::string mutated(const std::vector<std::string>& scenes, std::uint64_t seed) {
    return Mutation(scenes, seed).run();
}

Fault judgeScene(std::string_view text) {
    Result<Scene> scene = parseScene(text, "input");
    if (!scene) {
        if (scene.error().what.empty()) return wrong("an error says nothing");
        return scene.error().where.rfind("input", 0) == 0 ? Fault{} : wrong("an error has no place");
    }
    const std::string written = saveScene(*scene);
    Result<Scene> again = parseScene(written, "written");
    if (!again) return wrong("the written scene cannot be read");
    if (saveScene(*again) != written) return wrong("the written scene reads differently");
    if (!small(*scene)) return {};
    Result<Playback> playback = Playback::start(std::move(*scene));
    for (int i = 0; playback && i < kFrames; ++i) {
        playback->frame();
        if (Fault fault = findNotFinite(playback->world())) return fault;
    }
    return {};
}

} // namespace capstan::fuzz
