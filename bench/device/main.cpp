// SPDX-License-Identifier: MIT
// capstan_device runs every scene on every backend, and fails if two backends have different hashes after the same
// frames. Then it times each backend.
//
//   capstan_device [--csv FILE] [--frames N] [--cpu | --gpu] [WORD...]
//
// With words it runs only scenes whose name contains one of them. --cpu and --gpu restrict the backends.
//
// Device times are measured by CUDA events around the work of a step: median and minimum over many steps. Step times
// are measured by the host's clock and include everything. The hash is taken after `frames` steps; timing follows.
#include "cuda/device.hpp"
#include <bench/device/scenes.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace capstan::device {
namespace {

struct Options {
    const char* csv = nullptr;
    int frames = 0; // number of frames for all scenes; 0: each scene's own number
    bool cpu = true, gpu = true;
    std::vector<std::string> words;
};

struct Row {
    std::string scene, backend;
    int threads = 1, frames = 0;
    std::uint64_t hash = 0;
    double deviceMedian = 0, deviceLeast = 0, stepMedian = 0, stepLeast = 0; // us
    double endStrain = 0;                                                    // %, after the last step
    double stretch = 0, strain = 0;                                          // %
    long retries = 0;
    std::string note;
};

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> a) {
    std::sort(a.begin(), a.end());
    return a.empty() ? 0 : a[a.size() / 2];
}

double least(const std::vector<double>& a) { return a.empty() ? 0 : *std::min_element(a.begin(), a.end()); }

const char* nameOf(Backend b) { return b == Backend::Cuda ? "cuda" : b == Backend::Simd ? "simd" : "scalar"; }

// Runs a scene on one backend. If that backend is missing or has too little memory, the row contains the error.
Row run(const Scene& scene, Backend backend, int threads, const Options& options) {
    WorldDef def = scene.def;
    def.backend = backend;
    def.threads = threads;
    Row row;
    row.scene = scene.name;
    row.backend = nameOf(backend);
    row.threads = threads;
    row.frames = options.frames > 0 ? options.frames : scene.frames;
    const std::size_t before = backend == Backend::Cuda ? Device::occupied() : 0;
    Result<World> made = World::make(def);
    if (!made) {
        row.note = made.error().text();
        return row;
    }
    World& world = *made;
    scene.build(world);
    const float dt = 1.0f / 60;
    if (Status good = world.prepare(dt); !good) {
        row.note = good.error().text();
        return row;
    }
    int timed = backend == Backend::Cuda ? 300 : scene.size > 1 ? 3 : 20;
    if (options.frames > 0) timed = std::min(timed, options.frames);
    std::vector<double> onDevice, steps;
    for (int frame = 0; frame < row.frames + timed; ++frame) {
        if (frame == row.frames) {
            row.hash = world.hash();
            row.note = world.backendInfo().why;
            if (backend == Backend::Cuda) {
                const std::size_t mega = (Device::occupied() - before) / 1000000;
                row.note += (row.note.empty() ? "" : "; ") + std::to_string(mega) + " MB of the GPU";
            }
        }
        if (scene.act) scene.act(world, frame);
        const double begin = now();
        const Report& report = world.step(dt);
        const double took = now() - begin;
        row.retries += report.retries;
        row.stretch = std::max(row.stretch, 100 * double(report.maxStretch));
        row.strain = std::max(row.strain, 100 * double(std::max(report.maxStrain, report.maxClothStrain)));
        row.endStrain = 100 * double(std::max(report.maxStrain, report.maxClothStrain));
        if (frame < row.frames) continue;
        steps.push_back(1e6 * took);
        onDevice.push_back(1e6 * double(report.deviceTime));
    }
    row.deviceMedian = median(onDevice);
    row.deviceLeast = least(onDevice);
    row.stepMedian = median(steps);
    row.stepLeast = least(steps);
    return row;
}

void print(std::FILE* to, const Row& r, const char* same, bool csv) {
    const int lanes = r.backend == "simd" ? CAPSTAN_LANES : 1;
    const char* form =
        csv ? "%s,%s,%d,%d,%d,%016llx,%s,%.2f,%.2f,%.2f,%.2f,%.6f,%.6f,%.6f,%ld,\"%s\"\n"
            : "%-22s %-6s %2d %2d %4d %016llx %-5s %9.2f %9.2f %11.2f %11.2f %9.5f %9.5f %9.5f %5ld %s\n";
    std::fprintf(to, form, r.scene.c_str(), r.backend.c_str(), lanes, r.threads, r.frames,
                 static_cast<unsigned long long>(r.hash), same, r.deviceMedian, r.deviceLeast, r.stepMedian,
                 r.stepLeast, r.stretch, r.strain, r.endStrain, r.retries, r.note.c_str());
    std::fflush(to);
}

constexpr const char* kHeader =
    "scene,backend,lanes,threads,frames,hash,same,device_median_us,device_least_us,"
    "step_median_us,step_least_us,max_stretch_percent,max_strain_percent,end_strain_percent,retries,note\n";

// Tests the memory limit: a world that may use only 1 MB of the GPU must give an error about it and stay unchanged.
bool memoryRunsOut() {
    WorldDef def;
    def.contact = false;
    def.backend = Backend::Cuda;
    def.deviceMemory = 0.001f;
    Result<World> made = World::make(def);
    if (!made) return true; // without a GPU there is nothing to test
    for (const Scene& scene : ropeScenes())
        if (scene.name.find("1000") != std::string::npos) scene.build(*made);
    const std::uint64_t hash = made->hash();
    const Status good = made->prepare(1.0f / 60);
    std::printf("memory: %s\n", good ? "NO ERROR" : good.error().text().c_str());
    bool right = !good && made->hash() == hash;
    def.backend = Backend::Best;
    made->configure(def);
    made->step(1.0f / 60);
    std::printf("best:   goes on with %s: %s\n", nameOf(made->backendInfo().backend),
                made->backendInfo().why.c_str());
    return right && made->backendInfo().backend == Backend::Simd && made->hash() != hash;
}

// Runs a scene on all backends and returns whether all hashes agree.
bool runScene(const Scene& scene, const Options& options, std::FILE* csv) {
    struct Way {
        Backend backend;
        int threads;
    };
    std::vector<Way> ways;
    if (scene.size < 1) ways.push_back({Backend::Scalar, 1});
    if (scene.size == 1)
        for (Way way : {Way{Backend::Scalar, 4}, Way{Backend::Simd, 2}, Way{Backend::Simd, 4}})
            ways.push_back(way);
    else if (scene.size < 1)
        for (Way way :
             {Way{Backend::Scalar, 4}, Way{Backend::Simd, 1}, Way{Backend::Simd, 2}, Way{Backend::Simd, 4}})
            ways.push_back(way);
    else
        ways.push_back({Backend::Simd, 16});
    if (!options.cpu) ways.clear();
    if (options.gpu) ways.push_back({Backend::Cuda, 1});
    bool good = true;
    std::uint64_t golden = 0;
    for (const Way& way : ways) {
        const Row row = run(scene, way.backend, way.threads, options);
        if (golden == 0) golden = row.hash;
        const bool same = row.hash == golden && row.hash != 0;
        good = good && same;
        print(stdout, row, same ? "same" : "OTHER", false);
        if (csv) print(csv, row, same ? "yes" : "no", true);
    }
    return good;
}

Options read(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const bool more = i + 1 < argc;
        if (std::strcmp(argv[i], "--csv") == 0 && more)
            o.csv = argv[++i];
        else if (std::strcmp(argv[i], "--frames") == 0 && more)
            o.frames = std::max(1, std::atoi(argv[++i]));
        else if (std::strcmp(argv[i], "--cpu") == 0)
            o.gpu = false;
        else if (std::strcmp(argv[i], "--gpu") == 0)
            o.cpu = false;
        else
            o.words.push_back(argv[i]);
    }
    return o;
}

bool asked(const Options& o, const std::string& name) {
    for (const std::string& word : o.words)
        if (name.find(word) != std::string::npos) return true;
    return o.words.empty();
}

int main(int argc, char** argv) {
    const Options options = read(argc, argv);
    std::FILE* csv = options.csv ? std::fopen(options.csv, "w") : nullptr;
    if (options.csv && !csv) {
        std::fprintf(stderr, "cannot write %s\n", options.csv);
        return 2;
    }
    if (csv) std::fputs(kHeader, csv);
    std::printf("%-22s %-6s %2s %2s %4s %-16s %-5s %9s %9s %11s %11s %9s %9s %9s %5s\n", "scene", "on", "l",
                "t", "n", "hash", "", "gpu us", "least", "step us", "least", "stretch%", "strain%", "at end%",
                "retry");
    bool good = true;
    for (auto* scenes : {ropeScenes, clothScenes, hairScenes})
        for (const Scene& scene : scenes())
            if (asked(options, scene.name)) good = runScene(scene, options, csv) && good;
    if (options.gpu && options.words.empty()) good = memoryRunsOut() && good;
    if (csv) std::fclose(csv);
    return good ? 0 : 1;
}

} // namespace
} // namespace capstan::device

int main(int argc, char** argv) { return capstan::device::main(argc, argv); }
