// SPDX-License-Identifier: MIT
// See cloth_mirror.cuh.
#include "cuda/cloth_mirror.cuh"

#include "solver/cloth/rows.hpp"
#include "solver/cloth/view.hpp"

#include <algorithm>
#include <cstring>

namespace capstan {
namespace {

bool same(const StepDef& a, const StepDef& b) {
    return a.dt == b.dt && a.substeps == b.substeps && a.gravity.x == b.gravity.x &&
           a.gravity.y == b.gravity.y && a.gravity.z == b.gravity.z;
}

// Uploads or allocates arrays one after the other, and stops at the first error.
struct Moving {
    DeviceBudget& budget;
    cudaStream_t stream;
    Status good = done();

    template <class T> const T* put(DeviceArray<T>& to, const std::vector<T>& from) {
        if (good && !from.empty()) good = to.put(from, budget, stream);
        return from.empty() ? nullptr : to.data();
    }
    template <class T> T* room(DeviceArray<T>& to, std::size_t n) {
        if (good && n > 0) good = to.fit(n, budget);
        return n == 0 ? nullptr : to.data();
    }
};

} // namespace

ClothMirror::~ClothMirror() {
    if (graph_) cudaGraphExecDestroy(graph_);
}

bool ClothMirror::canRun(const Model& m, const Cloth& c, bool contact) {
    if (c.frozen || c.def.tearStrain > 0) return false;
    if (contact && (c.def.selfContact || !m.bodies.empty() || !m.ropes.empty())) return false;
    for (const Cloth& other : m.cloths)
        if (contact && other.alive && &other != &c) return false;
    for (const ClothPin& pin : c.pins) // the CPU steps cloth with movable hosts
        if (pin.rope >= 0 || (pin.body >= 0 && m.bodies[pin.body].dynamic())) return false;
    return true;
}

Status ClothMirror::upload(Cloth& c, ClothState& s, const StepDef& d, float damping, DeviceBudget& budget,
                           cudaStream_t stream) {
    if (here_ && same(d, last_)) return done();
    if (!here_) {
        if (c.changed) rebuildCloth(c, s);
        if (Status good = uploadState(s, budget, stream); !good) return good;
    }
    if (!here_ || d.h() != last_.h()) {
        fitGain(c, s, d.h());
        if (Status good = uploadRows(c, budget, stream); !good) return good;
    }
    // The values of the view are computed as for the CPU; its pointers are those of the GPU.
    const ClothView numbers = viewOf(c, s, d, damping);
    ClothView& v = job_.view;
    v.room = numbers.room;
    v.tethers = numbers.tethers;
    v.h = numbers.h;
    v.invH2 = numbers.invH2;
    v.dampingFactor = numbers.dampingFactor;
    v.gravity = numbers.gravity;
    v.wind = numbers.wind;
    v.drag = numbers.drag;
    job_.plan = planOf(c, d.substeps);
    job_.count = c.count;
    job_.linkCount = c.linkCount;
    for (int block = 0; block <= kTightBlocks; ++block) // links are sorted by their first vertex
        job_.linkFrom[block] = int(
            std::lower_bound(c.linkA.begin(), c.linkA.begin() + c.linkCount, block * tightThreads(c.count)) -
            c.linkA.begin());
    job_.edgeEntries = int(c.edgesOf.other.size());
    job_.bendEntries = int(c.bendOf.other.size());
    job_.longestRow = 0;
    for (int slice = 0; slice < c.room / kClothSlice; ++slice)
        if (!c.edgesOf.begin.empty() && c.edgesOf.count(slice) > job_.longestRow)
            job_.longestRow = c.edgesOf.count(slice);
    last_ = d;
    here_ = true;
    pins_.clear();
    if (graph_) {
        cudaGraphExecDestroy(graph_);
        graph_ = nullptr;
    }
    return check(cudaStreamSynchronize(stream), "uploading the cloth");
}

Status ClothMirror::uploadState(ClothState& s, DeviceBudget& budget, cudaStream_t stream) {
    Moving move{budget, stream};
    ClothView& v = job_.view;
    const std::size_t n = s.x.size();
    move.put(x_, s.x);
    move.put(v_, s.v);
    move.put(force_, s.force);
    v.x = x_.data();
    v.v = v_.data();
    v.force = s.force.empty() ? nullptr : force_.data();
    v.before = move.room(before_, n);
    v.next = move.room(next_, n);
    v.tied = move.room(tied_, s.tied.size());
    v.bendFrom = move.room(bendFrom_, s.bendFrom.size());
    v.bendMove = move.room(bendMove_, s.bendMove.size());
    v.air = move.room(air_, s.air.size());
    v.airGain = move.room(airGain_, s.airGain.size());
    v.airWeightA = move.room(airWeightA_, s.airWeightA.size());
    v.airWeightB = move.room(airWeightB_, s.airWeightB.size());
    v.heavier = move.room(heavier_, 1);
    v.lambda = move.room(lambda_, s.lambda.size());
    v.strain = move.room(strain_, s.strain.size());
    job_.start = move.room(start_, n);
    job_.result = move.room(result_, 1);
    return move.good ? hostResults_.fit(1) : move.good;
}

Status ClothMirror::uploadRows(const Cloth& c, DeviceBudget& budget, cudaStream_t stream) {
    Moving move{budget, stream};
    ClothView& v = job_.view;
    v.a = move.put(a_, c.edges.a);
    v.b = move.put(b_, c.edges.b);
    v.weightA = move.put(weightA_, c.edges.weightA);
    v.weightB = move.put(weightB_, c.edges.weightB);
    v.most = move.put(most_, c.edges.most);
    v.gain = move.put(gain_, c.edges.gain);
    v.rest = move.put(rest_, c.edges.rest);
    v.compliance = move.put(compliance_, c.edges.compliance);
    v.edgesBegin = move.put(edgesBegin_, c.edgesOf.begin);
    v.edgesOther = move.put(edgesOther_, c.edgesOf.other);
    v.edgeRest = move.put(edgeRest_, c.edgeRest);
    v.edgeCompliance = move.put(edgeCompliance_, c.edgeCompliance);
    v.edgeGain = move.put(edgeGain_, c.edgeGain);
    v.ownGain = c.def.solver == ClothSolver::Jacobi ? v.edgeGain : v.gain;
    v.ownWeightA = v.weightA;
    v.ownWeightB = v.weightB;
    v.share = move.put(share_, c.share);
    v.edgePart = move.put(edgePart_, c.edgePart);
    v.bendBegin = move.put(bendBegin_, c.bendOf.begin);
    v.bendOther = move.put(bendOther_, c.bendOf.other);
    v.bendWeight = move.put(bendWeight_, c.bendWeight);
    v.bendBound = move.put(bendBound_, c.bendBound);
    v.tiedVertex = move.put(tiedVertex_, c.tied);
    v.tetherPin = move.put(tetherPin_, c.tetherPin);
    v.tetherReach = move.put(tetherReach_, c.tetherReach);
    v.trianglesBegin = move.put(trianglesBegin_, c.trianglesOf.begin);
    v.trianglesOf = move.put(trianglesOf_, c.trianglesOf.other);
    v.corner0 = move.put(corner_[0], c.corners[0]);
    v.corner1 = move.put(corner_[1], c.corners[1]);
    v.corner2 = move.put(corner_[2], c.corners[2]);
    v.linkA = move.put(linkA_, c.linkA);
    v.linkB = move.put(linkB_, c.linkB);
    v.linkRest = move.put(linkRest_, c.linkRest);
    return move.good;
}

// Records all kernels of a step as one CUDA graph.
Status ClothMirror::record(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    Status good =
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording the cloth");
    if (!good) return good;
    const cudaError_t launched = launchCloth(job_, stream);
    good = check(cudaStreamEndCapture(stream, &graph), "recording the cloth");
    if (good) good = check(launched, "recording the cloth");
    if (good) good = check(cudaGraphInstantiate(&graph_, graph, 0), "recording the cloth");
    if (graph) cudaGraphDestroy(graph);
    return good;
}

Status ClothMirror::start(const Cloth& c, const ClothState& s, DeviceBudget& budget, cudaStream_t stream) {
    std::vector<DeviceClothPin> now;
    for (const ClothPin& pin : c.pins) now.push_back({pin.vertex, Vec3(s.v[pin.vertex]), pin.target});
    const std::size_t bytes = now.size() * sizeof(DeviceClothPin);
    if (now.size() != pins_.size() || (bytes > 0 && std::memcmp(now.data(), pins_.data(), bytes) != 0)) {
        pins_ = now;
        if (Status good = devicePins_.put(pins_, budget, stream); !good) return good;
        if (job_.pin != devicePins_.data() || job_.pins != int(pins_.size()))
            if (graph_) {
                cudaGraphExecDestroy(graph_);
                graph_ = nullptr;
            }
        job_.pin = devicePins_.data();
        job_.pins = int(pins_.size());
    }
    if (!graph_)
        if (Status good = record(stream); !good) return good;
    return check(cudaGraphLaunch(graph_, stream), "starting the cloth");
}

Status ClothMirror::requestResults(cudaStream_t stream) {
    return capstan::requestResults(result_, hostResults_, stream);
}

// Must be called after the stream is synchronised.
Status ClothMirror::readResults(Cloth& c, ClothState& s, cudaStream_t stream) {
    ahead_ = true;
    for (const ClothPin& pin : c.pins) s.x[pin.vertex] = {pin.target.x, pin.target.y, pin.target.z, 0};
    // The program's forces act in one step only, so the state is uploaded again without them.
    if (!s.force.empty()) {
        s.force.clear();
        invalidate();
        ahead_ = true;
    }
    if (hostResults_[0].odd) { // the sheet is reset to the start of the step and frozen
        if (Status good = check(cudaMemcpyAsync(x_.data(), start_.data(), s.x.size() * sizeof(Point),
                                                cudaMemcpyDeviceToDevice, stream),
                                "putting the cloth back");
            !good)
            return good;
        if (Status good = download(c, s, stream); !good) return good;
        for (Point& v : s.v) v = {0, 0, 0, v.w};
        c.frozen = true;
        invalidate();
        return done();
    }
    const unsigned bits = hostResults_[0].worst;
    std::memcpy(&c.maxStrain, &bits, sizeof bits);
    return done();
}

Status ClothMirror::download(Cloth& c, ClothState& s, cudaStream_t stream) {
    if (!ahead_) return done();
    Status good = x_.get(s.x.data(), s.x.size(), stream);
    if (good) good = v_.get(s.v.data(), s.v.size(), stream);
    if (good) good = strain_.get(s.strain.data(), s.strain.size(), stream);
    if (good) good = check(cudaStreamSynchronize(stream), "downloading the cloth");
    ahead_ = !good;
    if (good) measureStrain(c, s);
    return good;
}

} // namespace capstan
