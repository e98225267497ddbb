// SPDX-License-Identifier: MIT
// capstan_golden: runs one scene file or generated world and prints its hashes as JSON; tools/same_bits compares them.
#include "leash_outputs.hpp"

#include <capstan/scene/playback.hpp>
#include <worlds/worlds.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace capstan::golden {
namespace {

const char* const usage =
    "capstan_golden --list                         names of the generated worlds\n"
    "capstan_golden WORLD [--on ON] [--frames N]   runs a scene file or a generated world; prints JSON\n"
    "  ON: backend and threads (scalar:1, simd:2, cuda:1; default simd:1). N: where to end at the latest "
    "(600).\n"
    "  JSON: hash of the state (World::hash) and of the outputs after frame 60 and after the last frame.\n";

constexpr int kFirstMark = 60, kReadEvery = 10;

struct Asked {
    std::string world;
    std::string on = "simd:1";
    Backend backend = Backend::Simd;
    int threads = 1;
    int frames = 600;
};

struct Mark {
    int frame = 0;
    std::uint64_t state = 0, outputs = 0;
};

// Records a run: events, report and contacts of every frame, and all other outputs at intervals.
class Record {
public:
    explicit Record(int frames) : frames_(frames) {}
    int frames() const { return frames_; }
    void frame(const World& world, const LeashWalk* leash) {
        ++frame_;
        foldReport(fold_, world.report());
        foldEvents(fold_, world);
        foldContacts(fold_, world);
        const bool mark = frame_ == frames_ || frame_ == kFirstMark;
        if (mark || frame_ % kReadEvery == 0) {
            foldReadings(fold_, world);
            if (leash) foldLeash(fold_, *leash);
        }
        if (mark) marks_.push_back({frame_, world.hash(), fold_.value()});
    }
    const std::vector<Mark>& marks() const { return marks_; }

private:
    int frames_ = 0, frame_ = 0;
    Fold fold_;
    std::vector<Mark> marks_;
};

Result<Record> runScene(const Asked& asked) {
    Result<Scene> scene = loadScene(asked.world);
    if (!scene) return scene.error();
    scene->world.backend = asked.backend;
    scene->world.threads = asked.threads;
    Record record(std::min(asked.frames, scene->frames));
    Result<Playback> play = Playback::start(std::move(*scene));
    if (!play) return play.error();
    for (int i = 0; i < record.frames(); ++i) {
        play->frame();
        record.frame(play->world(), play->leash());
    }
    return record;
}

Result<Record> runGenerated(const Asked& asked) {
    const worlds::Generated* generated = worlds::find(asked.world);
    if (!generated)
        return Error{"there is no such generated world; capstan_golden --list names them", asked.world};
    WorldDef def = generated->def;
    def.backend = asked.backend;
    def.threads = asked.threads;
    Result<World> world = World::make(def);
    if (!world) return world.error();
    const worlds::PerFrame perFrame = generated->make(*world);
    Record record(std::min(asked.frames, generated->frames));
    for (int i = 0; i < record.frames(); ++i) {
        if (perFrame) perFrame(*world, i);
        world->step(1.0f / 60);
        record.frame(*world, nullptr);
    }
    return record;
}

std::optional<Asked> parse(int count, char** words) {
    Asked asked;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--on" && i + 1 < count) {
            asked.on = words[++i];
        } else if (word == "--frames" && i + 1 < count) {
            asked.frames = std::atoi(words[++i]);
        } else if (asked.world.empty() && word[0] != '-') {
            asked.world = word;
        } else {
            return std::nullopt;
        }
    }
    const std::size_t colon = asked.on.find(':');
    const std::string backend = asked.on.substr(0, colon);
    if (colon != std::string::npos) asked.threads = std::atoi(asked.on.c_str() + colon + 1);
    if (backend == "scalar") asked.backend = Backend::Scalar;
    if (backend == "cuda") asked.backend = Backend::Cuda;
    const bool known = backend == "scalar" || backend == "simd" || backend == "cuda";
    if (asked.world.empty() || !known || asked.frames < 1 || asked.threads < 1) return std::nullopt;
    return asked;
}

int main(int count, char** words) {
    if (count == 2 && std::string(words[1]) == "--list") {
        for (const worlds::Generated& g : worlds::all()) std::printf("%s\n", g.name.c_str());
        return 0;
    }
    const std::optional<Asked> asked = parse(count, words);
    if (!asked) {
        std::fputs(usage, stderr);
        return 2;
    }
    const bool isScene = asked->world.ends_with(".json");
    const Result<Record> record = isScene ? runScene(*asked) : runGenerated(*asked);
    if (!record) {
        std::fprintf(stderr, "%s\n", record.error().text().c_str());
        return 2;
    }
    std::printf("{\"world\": \"%s\", \"on\": \"%s\", \"seconds\": %.3f, \"marks\": [", asked->world.c_str(),
                asked->on.c_str(),
                double(std::clock()) / CLOCKS_PER_SEC); // CPU time, which other programs do not affect
    const char* comma = "";
    for (const Mark& m : record->marks()) {
        std::printf("%s{\"frame\": %d, \"state\": \"%016" PRIx64 "\", \"outputs\": \"%016" PRIx64 "\"}",
                    comma, m.frame, m.state, m.outputs);
        comma = ", ";
    }
    std::printf("]}\n");
    return 0;
}

} // namespace
} // namespace capstan::golden

int main(int count, char** words) { return capstan::golden::main(count, words); }
