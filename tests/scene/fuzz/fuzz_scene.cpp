// SPDX-License-Identifier: MIT
// Fuzzing of the scene reader: any text must give a scene or an error. A scene must be the same after writing and
// reading it. A small scene must also start and run a few frames. With -fsanitize=fuzzer this is a libFuzzer program.
// tests/scene/format/corpus_test.cpp calls the function on the inputs in tests/scene/corpus.
#include <capstan/scene/playback.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz_scene: %s\n", what);
    std::abort();
}

bool small(const capstan::Scene& scene) {
    int nodes = 0;
    for (const capstan::RopeDef& r : scene.ropes) {
        if (r.segments > 100 || r.points.size() > 100 || r.iterations > 10) return false;
        nodes += 100;
    }
    for (const capstan::BodyDef& b : scene.bodies) {
        if (b.shape.points.size() > 100 || b.shape.triangles.size() > 100 || b.parts.size() > 10)
            return false;
    }
    return nodes <= 1000 && scene.bodies.size() <= 30 && scene.joints.size() <= 30 &&
           scene.world.substeps <= 10 && scene.world.threads == 1;
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace capstan;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    Result<Scene> scene = parseScene(text, "input");
    if (!scene) {
        demand(!scene.error().what.empty(), "an error says nothing");
        demand(scene.error().where.rfind("input", 0) == 0, "an error has no place");
        return 0;
    }
    std::string written = saveScene(*scene);
    Result<Scene> again = parseScene(written, "written");
    demand(again.has_value(), "what was written cannot be read");
    demand(saveScene(*again) == written, "what was written reads differently");
    if (!small(*scene)) return 0;
    Result<Playback> playback = Playback::start(std::move(*scene));
    for (int i = 0; playback && i < 3; ++i) playback->frame();
    return 0;
}
