// SPDX-License-Identifier: MIT
// Device: one GPU for one World. See device.hpp.
#include "cuda/device.hpp"

#include "cuda/cloth_mirror.cuh"
#include "cuda/hair_mirror.cuh"
#include "cuda/rope_mirror.cuh"
#include "solver/hair/draw.hpp"
#include <capstan/check.hpp>

namespace capstan {

struct Device::Impl {
    std::string name;
    cudaStream_t stream = nullptr;
    DeviceClock clock;
    DeviceBudget budget;
    RopeMirror ropes;
    std::vector<std::unique_ptr<ClothMirror>> cloths; // by slot; empty: all cloths run on the host
    std::vector<std::unique_ptr<HairMirror>> hairs;

    ~Impl() {
        if (clock.begin) cudaEventDestroy(clock.begin);
        if (clock.end) cudaEventDestroy(clock.end);
        if (stream) cudaStreamDestroy(stream);
    }
};

Device::Device(std::unique_ptr<Impl> in) : in_(std::move(in)) {}
Device::~Device() = default;

Result<std::unique_ptr<Device>> Device::open() {
    int count = 0;
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found != cudaSuccess || count == 0) {
        cudaGetLastError();
        int driver = 0; // without a driver, CUDA reports that the driver is too old
        const bool old = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
        const char* why = !old                   ? "there is no NVIDIA driver"
                          : found != cudaSuccess ? cudaGetErrorString(found)
                                                 : "no device is installed";
        return Error{std::string("no CUDA device was found: ") + why, "/backend"};
    }
    cudaDeviceProp p;
    if (Status good = check(cudaGetDeviceProperties(&p, 0), "asking for the GPU"); !good) return good.error();
    if (p.major < 9)
        return Error{std::string("the GPU ") + p.name +
                         " is older than the Hopper generation, which Capstan needs",
                     "/backend"};
    auto in = std::make_unique<Impl>();
    in->name = p.name;
    Status good = check(cudaStreamCreateWithFlags(&in->stream, cudaStreamNonBlocking), "opening the GPU");
    if (good) good = check(cudaEventCreate(&in->clock.begin), "opening the GPU");
    if (good) good = check(cudaEventCreate(&in->clock.end), "opening the GPU");
    if (!good) return good.error();
    return std::unique_ptr<Device>(new Device(std::move(in)));
}

const std::string& Device::name() const { return in_->name; }
void Device::limit(std::size_t bytes) { in_->budget.limit = bytes; }
std::size_t Device::bytes() const { return in_->budget.taken; }
std::size_t Device::occupied() {
    std::size_t free = 0, all = 0;
    return cudaMemGetInfo(&free, &all) == cudaSuccess ? all - free : 0;
}

namespace {

// Uploads each live object, by slot.
template <class Mirror, class T, class Upload>
Status uploadEach(std::vector<std::unique_ptr<Mirror>>& mirrors, const std::vector<T>& slots,
                  const Upload& upload) {
    mirrors.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!slots[i].alive) {
            mirrors[i].reset();
            continue;
        }
        if (!mirrors[i]) mirrors[i] = std::make_unique<Mirror>();
        if (Status good = upload(*mirrors[i], i); !good) return good;
    }
    return done();
}

} // namespace

// If some objects must leave the GPU, all objects are downloaded; this is rare. If one object of a kind cannot run on
// the GPU, all objects of that kind run on the host.
Status Device::upload(Model& m, State& s, const StepDef& d, bool contact) {
    Impl& in = *in_;
    const bool ropes = RopeMirror::canRun(m, contact);
    bool cloths = false, hairs = false, allCloths = true, allHairs = true;
    for (const Cloth& c : m.cloths) {
        if (!c.alive) continue;
        cloths = true;
        allCloths = allCloths && ClothMirror::canRun(m, c, contact);
    }
    for (std::size_t i = 0; i < m.hairs.size(); ++i) {
        if (!m.hairs[i].alive) continue;
        const int level = hairLevelFor(m, m.hairs[i], s.hairs[i]);
        hairs = true;
        allHairs = allHairs && HairMirror::canRun(m.hairs[i], s.hairs[i], level);
    }
    cloths = cloths && allCloths;
    hairs = hairs && allHairs;
    if ((!ropes && in.ropes.here()) || (!cloths && !in.cloths.empty()) || (!hairs && !in.hairs.empty()))
        download(m, s);
    if (!ropes) in.ropes.invalidate();
    if (!cloths) in.cloths.clear();
    if (!hairs) in.hairs.clear();
    Status good = done();
    if (ropes) good = in.ropes.upload(m, s, d, in.budget, in.stream);
    if (good && cloths)
        good = uploadEach(in.cloths, m.cloths, [&](ClothMirror& mirror, std::size_t i) {
            return mirror.upload(m.cloths[i], s.cloths[i], d, m.damping, in.budget, in.stream);
        });
    if (good && hairs)
        good = uploadEach(in.hairs, m.hairs, [&](HairMirror& mirror, std::size_t i) {
            return mirror.upload(m.hairs[i], s.hairs[i], in.budget, in.stream);
        });
    if (good) return good;
    download(m, s);
    in.ropes.invalidate();
    in.cloths.clear();
    in.hairs.clear();
    return good;
}

void Device::download(Model& m, State& s) {
    Status good = in_->ropes.download(s, in_->stream);
    for (std::size_t i = 0; good && i < in_->cloths.size(); ++i)
        if (in_->cloths[i]) good = in_->cloths[i]->download(m.cloths[i], s.cloths[i], in_->stream);
    for (std::size_t i = 0; good && i < in_->hairs.size(); ++i)
        if (in_->hairs[i]) good = in_->hairs[i]->download(s.hairs[i], in_->stream);
    if (!good) CAPSTAN_CHECK(false, good.error().text().c_str());
}

void Device::invalidate() {
    in_->ropes.invalidate();
    for (auto& cloth : in_->cloths)
        if (cloth) cloth->invalidate();
    for (auto& hair : in_->hairs)
        if (hair) hair->invalidate();
}
bool Device::hasRopes() const { return in_->ropes.here(); }
bool Device::hasCloths() const { return !in_->cloths.empty(); }
bool Device::hasHairs() const { return !in_->hairs.empty(); }

void Device::stepRopes(Model& m, State& s, const StepDef& d, ChainScratch& scratch, Report& report) {
    const Status good = in_->ropes.step(m, s, d, scratch, in_->budget, in_->stream, in_->clock, report);
    if (!good) CAPSTAN_CHECK(false, good.error().text().c_str());
}

void Device::stepCloths(Model& m, State& s, Report& report) {
    Impl& in = *in_;
    Status good = done();
    auto each = [&](const auto& f) {
        for (std::size_t i = 0; good && i < in.cloths.size(); ++i)
            if (in.cloths[i]) good = f(*in.cloths[i], m.cloths[i], s.cloths[i]);
    };
    cudaEventRecord(in.clock.begin, in.stream);
    each([&](ClothMirror& mirror, Cloth& c, ClothState& at) {
        return mirror.start(c, at, in.budget, in.stream);
    });
    cudaEventRecord(in.clock.end, in.stream);
    each([&](ClothMirror& mirror, Cloth&, ClothState&) { return mirror.requestResults(in.stream); });
    if (good) good = check(cudaStreamSynchronize(in.stream), "stepping the cloth");
    if (good) report.deviceTime += in.clock.seconds();
    each([&](ClothMirror& mirror, Cloth& c, ClothState& at) { return mirror.readResults(c, at, in.stream); });
    if (!good) CAPSTAN_CHECK(false, good.error().text().c_str());
}

void Device::stepHairs(Model& m, State& s, const StepDef& d, Report& report) {
    Impl& in = *in_;
    Status good = done();
    std::vector<HairPlan> plans(in.hairs.size());
    auto each = [&](const auto& f) {
        for (std::size_t i = 0; good && i < in.hairs.size(); ++i)
            if (in.hairs[i]) good = f(*in.hairs[i], i);
    };
    each([&](HairMirror& mirror, std::size_t i) {
        if (hairJumps(m, s, m.hairs[i], s.hairs[i], d)) {
            if (Status settled = mirror.download(s.hairs[i], in.stream); !settled) return settled;
            carryHair(m, s, m.hairs[i], s.hairs[i]);
            mirror.invalidate();
            if (Status back = mirror.upload(m.hairs[i], s.hairs[i], in.budget, in.stream); !back) return back;
        }
        plans[i] = planHair(m, s, m.hairs[i], s.hairs[i], d);
        return mirror.put(plans[i], in.budget, in.stream);
    });
    cudaEventRecord(in.clock.begin, in.stream);
    each([&](HairMirror& mirror, std::size_t) { return mirror.start(in.stream); });
    cudaEventRecord(in.clock.end, in.stream);
    each([&](HairMirror& mirror, std::size_t) { return mirror.requestResults(in.stream); });
    if (good) good = check(cudaStreamSynchronize(in.stream), "stepping the hair");
    if (good) report.deviceTime += in.clock.seconds();
    each([&](HairMirror& mirror, std::size_t i) {
        return mirror.readResults(m.hairs[i], s.hairs[i], plans[i], in.stream);
    });
    if (!good) CAPSTAN_CHECK(false, good.error().text().c_str());
}

} // namespace capstan
