// SPDX-License-Identifier: MIT
// See rope_mirror.cuh.
#include "cuda/rope_mirror.cuh"

#include <algorithm>

namespace capstan {
namespace {

// Calls f(array on the GPU, column) for each column of the State that a step changes.
template <class Mirror, class F> Status eachColumn(Mirror& there, State& s, const F& f) {
    Status good = done();
    auto one = [&](auto& to, auto& from) {
        if (good) good = f(to, from);
    };
    one(there.x, s.x);
    one(there.v, s.v);
    one(there.low, s.low);
    one(there.before, s.before);
    one(there.dBefore, s.dBefore);
    one(there.tension, s.tension);
    return good;
}

// References to the columns, so that one loop can visit them.
struct Columns {
    DeviceArray<Point>&x, &v, &low, &before, &dBefore;
    DeviceArray<float>& tension;
};

bool same(const DevicePin& a, const DevicePin& b) {
    return a.point == b.point && a.v.x == b.v.x && a.v.y == b.v.y && a.v.z == b.v.z &&
           a.target.x == b.target.x && a.target.y == b.target.y && a.target.z == b.target.z;
}

bool same(const StepDef& a, const StepDef& b) {
    return a.dt == b.dt && a.substeps == b.substeps && a.gravity.x == b.gravity.x &&
           a.gravity.y == b.gravity.y && a.gravity.z == b.gravity.z;
}

constexpr std::size_t kSharedBytes = 227 * 1024; // shared memory that a block may use on Hopper
constexpr int kProcessors = 132; // number of multiprocessors, and the wanted number of blocks of a launch

// The smallest odd number that is at least n.
int odd(int n) { return n | 1; }

} // namespace

bool RopeMirror::canRun(const Model& m, bool contact) {
    if (contact) return false;
    for (const Joint& j : m.joints)
        if (j.on() && j.rope >= 0) return false;
    for (const Cloth& c : m.cloths)
        for (const ClothPin& pin : c.pins)
            if (c.alive && pin.rope >= 0) return false; // a cloth is attached to it
    bool any = false;
    for (const Rope& r : m.ropes) {
        if (!r.alive) continue;
        any = true;
        if (!r.chain() || r.frozen || r.def.breakTension > 0) return false;
        for (int end : {0, 1})
            if (r.winchSpeed[end] != 0 || r.spooled[end] != 0) return false;
    }
    return any;
}

Status RopeMirror::upload(const Model& m, State& s, const StepDef& d, DeviceBudget& budget,
                          cudaStream_t stream) {
    if (here_ && same(d, last_)) return done();
    if (!here_) {
        bool forced = false;
        for (const Rope& r : m.ropes) forced = forced || (r.alive && r.forced);
        if (Status good = uploadColumns(s, forced, budget, stream); !good) return good;
    }
    if (Status good = uploadTable(m, d, budget, stream); !good) return good;
    last_ = d;
    here_ = true;
    return check(cudaStreamSynchronize(stream), "uploading the ropes");
}

Status RopeMirror::uploadColumns(State& s, bool forced, DeviceBudget& budget, cudaStream_t stream) {
    Columns there{x_, v_, low_, before_, dBefore_, tension_};
    Status good = eachColumn(there, s, [&](auto& to, auto& from) { return to.put(from, budget, stream); });
    if (good) good = rest_.put(s.rest, budget, stream);
    if (good && forced) good = force_.put(s.force, budget, stream);
    return good;
}

Status RopeMirror::uploadTable(const Model& m, const StepDef& d, DeviceBudget& budget, cudaStream_t stream) {
    table_.clear();
    pins_.clear();
    for (int i = 0; i < int(m.ropes.size()); ++i) {
        const Rope& r = m.ropes[i];
        if (!r.alive) continue;
        DeviceRope t;
        t.c = setupOf(m, i, d.gravity, double(d.h()));
        t.invEa = inverseStretchStiffness(r);
        t.bendStiffness = double(r.def.bendStiffness);
        t.slot = i;
        t.before = r.remembered();
        t.first = r.hFirst;
        table_.push_back(t);
    }
    std::stable_sort(table_.begin(), table_.end(),
                     [](const DeviceRope& a, const DeviceRope& b) { return a.c.nodes > b.c.nodes; });
    int pins = 0;
    for (DeviceRope& t : table_) {
        t.pinBegin = pins;
        t.pinEnd = pins += int(m.ropes[t.slot].pins.size());
    }
    if (Status good = results_.fit(table_.size(), budget); !good) return good;
    if (Status good = hostResults_.fit(table_.size()); !good) return good;
    if (Status good = ropes_.put(table_, budget, stream); !good) return good;
    return plan(budget);
}

// Plans the launches, from the longest ropes to the shortest ones. In a launch, the longest rope has at most twice as
// many nodes as the shortest.
Status RopeMirror::plan(DeviceBudget& budget) {
    jobs_.clear();
    std::size_t nodes = 0, past = 0, rings = 0;
    const int count = int(table_.size());
    for (int first = 0; first < count;) {
        RopeJob job;
        const int longest = table_[first].c.nodes;
        job.stride = odd(longest + 1);
        int fit = kRopesPerBlock;
        while (fit > 0 && ropeSharedBytes(fit, job.stride, true) > kSharedBytes) --fit;
        job.shared = fit > 0;
        int end = first;
        while (end < count && 2 * table_[end].c.nodes >= longest) ++end;
        job.ropes = end - first;
        const int wanted = (job.ropes + kProcessors - 1) / kProcessors;
        job.perBlock = std::min(wanted, job.shared ? fit : kRopesPerBlock);
        const std::size_t room = std::size_t(job.ropes) * std::size_t(job.stride);
        if (!job.shared) nodes += room;
        past += room;
        bool closed = false;
        for (int k = first; k < end; ++k) closed = closed || table_[k].c.closed;
        if (closed) rings += room;
        jobs_.push_back(job);
        first = end;
    }
    if (Status good = nodes_.fit(nodes, budget); !good) return good;
    if (Status good = past_.fit(past, budget); !good) return good;
    if (Status good = rings_.fit(rings, budget); !good) return good;
    std::size_t first = 0;
    nodes = past = rings = 0;
    for (RopeJob& job : jobs_) {
        const std::size_t room = std::size_t(job.ropes) * std::size_t(job.stride);
        bool closed = false;
        for (int k = 0; k < job.ropes; ++k) closed = closed || table_[first + std::size_t(k)].c.closed;
        job.s.x = x_.data();
        job.s.v = v_.data();
        job.s.low = low_.data();
        job.s.before = before_.data();
        job.s.dBefore = dBefore_.data();
        job.s.force = force_.data();
        job.s.tension = tension_.data();
        job.s.rest = rest_.data();
        job.rope = ropes_.data() + first;
        job.result = results_.data() + first;
        job.node = nodes_.data() + nodes;
        job.past = past_.data() + past;
        job.ring = rings_.data() + rings;
        first += std::size_t(job.ropes);
        past += room;
        if (!job.shared) nodes += room;
        if (closed) rings += room;
    }
    return done();
}

// Uploads velocities and targets of pins, which startPins() computed, if they changed.
Status RopeMirror::uploadPins(const Model& m, const State& s, DeviceBudget& budget, cudaStream_t stream) {
    std::size_t k = 0;
    bool news = false;
    for (const DeviceRope& t : table_) {
        const Rope& r = m.ropes[t.slot];
        for (const Pin& pin : r.pins) {
            const int point = r.begin + pin.node;
            const DevicePin now = {point, Vec3(s.v[point]), pin.target};
            if (k == pins_.size()) {
                pins_.push_back(now);
                news = true;
            }
            if (!same(pins_[k], now)) {
                pins_[k] = now;
                news = true;
            }
            ++k;
        }
    }
    if (!news) return done();
    if (Status good = devicePins_.put(pins_, budget, stream); !good) return good;
    for (RopeJob& job : jobs_) job.pin = devicePins_.data();
    return done();
}

Status RopeMirror::step(Model& m, State& s, const StepDef& d, ChainScratch& scratch, DeviceBudget& budget,
                        cudaStream_t stream, const DeviceClock& clock, Report& report) {
    if (Status good = uploadPins(m, s, budget, stream); !good) return good;
    cudaEventRecord(clock.begin, stream);
    for (RopeJob& job : jobs_) {
        job.substeps = d.substeps;
        if (Status good = check(launchRopes(job, stream), "starting the ropes"); !good) return good;
    }
    cudaEventRecord(clock.end, stream);
    if (Status good = results_.get(hostResults_.data(), table_.size(), stream); !good) return good;
    if (Status good = check(cudaStreamSynchronize(stream), "stepping the ropes"); !good) return good;
    ahead_ = true;
    report.deviceTime += clock.seconds();
    for (std::size_t k = 0; k < table_.size(); ++k) {
        const RopeResult& result = hostResults_[k];
        Rope& r = m.ropes[table_[k].slot];
        r.history = result.before > 0;
        r.hBefore = result.before;
        r.hFirst = result.first;
        r.stretch = result.stretch;
        r.strain = result.strain;
        report.solves += result.solves;
        if (result.diverged < 0) continue;
        ChainCounts n;
        if (Status good = finish(m, s, d, k, scratch, stream, n); !good) return good;
        report.solves += n.solves;
        report.retries += n.retries;
        report.heldStill += n.heldStill;
        report.refinedSubsteps += n.refined;
    }
    return done();
}

// Finishes the step of a rope whose Newton solve diverged: downloads it, computes the remaining substeps on the host,
// and uploads it.
Status RopeMirror::finish(Model& m, State& s, const StepDef& d, std::size_t rope, ChainScratch& scratch,
                          cudaStream_t stream, ChainCounts& n) {
    DeviceRope& t = table_[rope];
    Rope& r = m.ropes[t.slot];
    Columns there{x_, v_, low_, before_, dBefore_, tension_};
    const std::size_t begin = std::size_t(r.begin), count = std::size_t(r.count) + 1;
    auto copy = [&](cudaMemcpyKind way) {
        return eachColumn(there, s, [&](auto& device, auto& mirror) {
            const std::size_t bytes = count * sizeof(mirror[0]);
            const bool back = way == cudaMemcpyHostToDevice;
            void *to = device.data() + begin, *from = mirror.data() + begin;
            if (!back) std::swap(to, from);
            return check(cudaMemcpyAsync(to, from, bytes, way, stream), "moving a rope");
        });
    };
    Status good = copy(cudaMemcpyDeviceToHost);
    if (good) good = check(cudaStreamSynchronize(stream), "downloading a rope");
    if (!good) return good;
    n = hostResults_[rope].kinked
            ? stepChainInParts(m, s, t.slot, scratch, d.gravity, double(d.h()), d.substeps)
            : finishChain(m, s, t.slot, scratch, d.gravity, double(d.h()),
                          d.substeps - hostResults_[rope].diverged);
    for (const Pin& pin : r.pins) { // as endPins() will do
        s.x[begin + std::size_t(pin.node)] = {pin.target.x, pin.target.y, pin.target.z, 0};
        s.low[begin + std::size_t(pin.node)] = {0, 0, 0, 0};
    }
    t.before = r.remembered();
    t.first = r.hFirst;
    t.c.forced = false;
    good = copy(cudaMemcpyHostToDevice);
    if (good)
        good = check(cudaMemcpyAsync(ropes_.data() + rope, &t, sizeof t, cudaMemcpyHostToDevice, stream),
                     "moving a rope");
    return good ? check(cudaStreamSynchronize(stream), "moving a rope") : good;
}

Status RopeMirror::download(State& s, cudaStream_t stream) {
    if (!ahead_) return done();
    Columns there{x_, v_, low_, before_, dBefore_, tension_};
    Status good =
        eachColumn(there, s, [&](auto& from, auto& to) { return from.get(to.data(), to.size(), stream); });
    if (good) good = check(cudaStreamSynchronize(stream), "downloading the ropes");
    ahead_ = !good;
    return good;
}

} // namespace capstan
