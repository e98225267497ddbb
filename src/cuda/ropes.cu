// SPDX-License-Identifier: MIT
// Chain ropes on a GPU, with the functions of solver/rope/chain.hpp, bend.hpp and newton.hpp. Operations and their
// order are those of the CPU, node by node, so the bits are equal.
//
// The solve of a rope is a recursion from its last node to its first node and back. One thread per rope executes it.
// The threads of eight ropes are lanes of one warp, which takes as many cycles as one rope. The remaining work
// (prediction, lengths, checks, acceptance) is independent for each node. One warp per rope does it, with its lanes
// over the nodes. The nodes stay in shared memory for all substeps.
//
// The largest error is found by comparisons, which do not round, so their order has no effect on the bits.
//
// A rope whose Newton solve diverges is reset to the start of that substep. The host computes its remaining substeps
// (solver/rope/group.cpp).
#include "cuda/ropes.cuh"
#include "solver/rope/bend.hpp"
#include "solver/rope/kinks.hpp"

namespace capstan {
namespace {

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;

using Lanes = ChainLanes<double>;
using Node = ChainNode<double>;

// State of one rope of a block. Its warp and the lane that executes its recursion share it.
struct RopeTurn {
    double worst, moved;
    int solves, diverged;
    double before, first; // as of DeviceRope
    bool there, active, kinked;
};

// Returns the largest value over the lanes of a warp, in all lanes.
__device__ double warpMax(double a) {
    for (int k = kWarp / 2; k > 0; k /= 2) a = max(a, __shfl_xor_sync(kAll, a, k));
    return a;
}

// The work of a warp on its rope; `at` is the lane. At the end of every function all lanes have equal results.
struct RopeWarp {
    Lanes& c;
    RopeTurn& turn;
    int at;

    template <class F> __device__ void eachNode(int from, const F& f) const {
        for (int i = from + at; i < c.nodes; i += kWarp) f(i);
        __syncwarp();
    }
    template <class F> __device__ double eachSegment(const F& f) const {
        double worst = 0;
        for (int i = 1 + at; i < c.nodes + int(c.closed); i += kWarp) f(i, worst);
        return warpMax(worst);
    }
    // Copies node 0 of a ring to node n, which closes it.
    __device__ void closeRing() const {
        if (c.closed && at == 0) c.node[c.nodes].x = c.node[0].x;
        __syncwarp();
    }

    __device__ void load(const RopeJob& job, const DeviceRope& rope) const {
        for (int p = rope.pinBegin + at; p < rope.pinEnd; p += kWarp) {
            const DevicePin& pin = job.pin[p];
            Point& v = job.s.v[pin.point];
            v = {pin.v.x, pin.v.y, pin.v.z, v.w};
        }
        __syncwarp();
        for (int i = at; i < c.nodes + int(c.closed); i += kWarp) loadNode(c, job.s, i);
        __syncwarp();
        if (c.closed && at == 0) loadBeyond(c, c.nodes);
        __syncwarp();
        const double rate = eachSegment([&](int i, double& most) { turnOf(c, i, most); });
        if (at == 0 && kinked(rate * c.invReach * c.invReach, c.dt)) {
            turn.kinked = true;
            turn.diverged = 0;
        }
        __syncwarp();
    }

    __device__ double measure() const {
        closeRing();
        return eachSegment([&](int i, double& worst) { measureSegment(c, i, worst); });
    }

    __device__ void predict(const DeviceRope& rope) const {
        double scale = 1;
        if (at == 0 && !(turn.before > 0)) turn.first = c.dt;
        if (at == 0) scale = chainUnits(c, turn.before, turn.first, rope.invEa, rope.bendStiffness);
        scale = __shfl_sync(kAll, scale, 0);
        if (scale != 1)
            for (int i = 1 + at; i < c.nodes + int(c.closed); i += kWarp)
                c.node[i].lambda = scale * c.node[i].lambda;
        __syncwarp();
        eachNode(0, [&](int i) { predictNode(c, i); });
        const double worst = measure();
        if (at == 0) {
            turn.worst = worst;
            turn.moved = 0;
            turn.active = worst < 1e30;
        }
        __syncwarp();
    }

    // Applies the fraction `scale` of the Newton step, which is stored in e and u.x.
    __device__ Progress<double> advanceAll(double scale) const {
        Progress<double> p;
        for (int i = at; i < c.nodes; i += kWarp) {
            const Vec3d dx = c.node[i].e;
            if (i > 0) {
                const Vec3d change = dx - c.node[i - 1].e;
                p.largest = max(p.largest, dot(change, change));
            }
            const double f = i > 0 ? c.node[i].u.x : 0;
            if (scale == 1)
                moveNode(c, i, true, dx, f, p);
            else
                moveNode(c, i, true, scale * dx, scale * f, p);
        }
        if (c.closed && at == 0) {
            Node& a = c.node[c.nodes];
            a.lambda = a.lambda + (scale == 1 ? a.u.x : scale * a.u.x);
        }
        __syncwarp();
        closeRing();
        p.worst = eachSegment([&](int i, double& worst) { checkSegment(c, i, worst); });
        p.moved = warpMax(p.moved);
        p.largest = warpMax(p.largest);
        return p;
    }

    __device__ void advanceNewton(const NewtonDef& d, bool again) const {
        Progress<double> p = advanceAll(1);
        p.largest = p.largest * c.invReach * c.invReach;
        if (!(p.largest <= d.stride * d.stride)) {
            const double scale = d.stride / sqrt(p.largest);
            p = advanceAll(scale - 1.0);
        }
        const bool active = (p.worst >= d.good) & (p.worst < 1e30);
        if (active && again) measure();
        __syncwarp();
        if (at == 0) {
            turn.worst = p.worst;
            turn.moved = p.moved;
            turn.active = active;
            ++turn.solves;
        }
        __syncwarp();
    }

    __device__ void accept(const RopeJob& job, const NewtonDef& d, int substep) const {
        const bool good = turn.worst < d.acceptable;
        bool smooth = turn.moved * c.invReach * c.invReach < d.smooth * d.smooth;
        if (c.limits) smooth = smooth & !c.limited;
        eachNode(0, [&](int i) { acceptNode(c, good, i); });
        if (!good) store(job, false);
        if (at == 0) {
            turn.before = good && smooth ? c.dt : 0;
            if (!good) turn.diverged = substep;
        }
        __syncwarp();
    }

    __device__ void store(const RopeJob& job, bool good) const {
        const double invUnit = 1.0 / c.unit;
        for (int i = at; i < c.nodes + int(c.closed); i += kWarp) storeNode(c, job.s, good, invUnit, i);
        __syncwarp();
    }

    // Sums lengths in the order of the nodes. The lengths are stored in t, which is no longer needed.
    __device__ ChainLength<double> lengths() const {
        for (int i = 1 + at; i < c.nodes + int(c.closed); i += kWarp) c.node[i].t = segmentLength(c, i);
        __syncwarp();
        ChainLength<double> sum;
        for (int i = 1; at == 0 && i < c.nodes + int(c.closed); ++i) {
            const double l = c.node[i].t, rest = c.node[i].rest;
            sum.arc = sum.arc + l;
            sum.rest = sum.rest + rest;
            sum.off = max(sum.off, abs(l - rest));
        }
        return sum;
    }

    __device__ void end(const RopeJob& job, DeviceRope& rope, RopeResult& result) const {
        if (turn.diverged < 0) {
            store(job, true);
            const ChainLength<double> l = lengths();
            if (at == 0) {
                result.stretch = float(l.arc / l.rest - 1);
                result.strain = float(l.off * c.invReach);
            }
            // Moves pins to their targets.
            for (int p = rope.pinBegin + at; p < rope.pinEnd; p += kWarp) {
                const DevicePin& pin = job.pin[p];
                job.s.x[pin.point] = {pin.target.x, pin.target.y, pin.target.z, 0};
                job.s.low[pin.point] = {0, 0, 0, 0};
            }
        }
        if (at != 0) return;
        result.solves = turn.solves;
        result.diverged = turn.diverged;
        result.before = rope.before = turn.before;
        result.first = rope.first = turn.first;
        result.kinked = turn.kinked;
        rope.c.forced = false;
    }
};

// The recursions of an open rope. The next node is loaded while the present node is computed, so that the recursion
// does not wait for memory.
__device__ __forceinline__ ChainRoot<double> eliminateOpen(const Lanes& c) {
    Sym3<double> S = Sym3<double>::scaledIdentity(0);
    Vec3d g = {0, 0, 0};
    Node next = c.node[c.nodes - 1];
    for (int i = c.nodes - 1; i >= 1; --i) {
        Node a = next;
        next = c.node[i - 1];
        addNode<double>(a, false, nullptr, S, g);
        eliminate<double>(a, compliance(c, a), S, g, nullptr, nullptr, nullptr);
        Node& to = c.node[i];
        to.tq = a.tq;
        to.u = a.u;
        to.e = a.e;
        to.n = a.n;
        to.residual = a.residual;
    }
    addNode<double>(next, true, nullptr, S, g);
    return solveRoot<double>(S, g, nullptr);
}
__device__ __forceinline__ void substituteOpen(const Lanes& c, const ChainRoot<double>& root) {
    Vec3d D = root.z;
    Node next = c.node[1];
    for (int i = 1; i < c.nodes; ++i) {
        const Node a = next;
        if (i + 1 < c.nodes) next = c.node[i + 1];
        double f = a.residual;
        D = substituteNode<double>(a, nullptr, root, D, a.e, f);
        c.node[i].e = D;
        c.node[i].u.x = f;
    }
}

__device__ __noinline__ void recurRing(Lanes& c, RingNode<double>* ring) {
    const ChainRoot<double> root = chainEliminate<double>(c, ring, nullptr, nullptr);
    c.node[0].e = root.z;
    Vec3d D = root.z;
    for (int i = 1; i < c.nodes; ++i) {
        Node& a = c.node[i];
        double f = a.residual;
        D = substituteNode<double>(a, ring + i, root, D, a.e, f);
        a.e = D;
        a.u.x = f;
    }
    c.node[c.nodes].u.x = root.phi;
}

// The recursions of one rope, in one thread. `nodes` is a separate argument, so that the compiler knows that it
// points to shared memory.
__device__ __forceinline__ void recur(Lanes& lanes, Node* nodes, RingNode<double>* ring, bool bend) {
    if (bend && lanes.bends) chainBend(lanes);
    if (lanes.closed) return recurRing(lanes, ring);
    Lanes c; // a copy in registers
    c.node = nodes;
    c.nodes = lanes.nodes;
    c.perLength = lanes.perLength;
    c.floor = lanes.floor;
    const ChainRoot<double> root = eliminateOpen(c);
    c.node[0].e = root.z;
    substituteOpen(c, root);
}

template <bool kShared>
__global__ void __launch_bounds__(kRopesPerBlock* kWarp, 1) stepRopes(const RopeJob job) {
    extern __shared__ double memory[];
    const int first = int(blockIdx.x) * job.perBlock;
    const int left = job.ropes - first, here = left < job.perBlock ? left : job.perBlock;
    Lanes* lanes = reinterpret_cast<Lanes*>(memory);
    RopeTurn* turns = reinterpret_cast<RopeTurn*>(lanes + kRopesPerBlock);
    Node* nodes = kShared ? reinterpret_cast<Node*>(turns + kRopesPerBlock)
                          : job.node + std::size_t(first) * std::size_t(job.stride);
    const int thread = int(threadIdx.x), own = thread / kWarp;
    const RopeWarp warp = {lanes[own], turns[own], thread % kWarp};
    auto ringOf = [&](int k) { return job.ring + std::size_t(first + k) * std::size_t(job.stride); };
    const NewtonDef d;

    if (own < here) {
        if (warp.at == 0) {
            Lanes& c = lanes[own];
            c = job.rope[first + own].c;
            c.node = nodes + own * job.stride;
            c.past = job.past + std::size_t(first + own) * std::size_t(job.stride);
            c.force = job.s.force;
            c.unit = 1;
            c.limited = false;
            turns[own] = {0,    0,     0,    -1, job.rope[first + own].before, job.rope[first + own].first,
                          true, false, false};
        }
        __syncwarp();
        warp.load(job, job.rope[first + own]);
    } else if (own < kRopesPerBlock && warp.at == 0) {
        turns[own] = {0, 0, 0, -1, 0, 0, false, false, false};
    }
    auto alive = [&] { return own < here && turns[own].diverged < 0; };
    for (int substep = 0; substep < job.substeps; ++substep) {
        if (alive()) warp.predict(job.rope[first + own]);
        for (int iteration = 0; iteration < d.iterations; ++iteration) {
            if (!__syncthreads_or(alive() && turns[own].active)) break;
            if (thread < here && turns[thread].active && turns[thread].diverged < 0)
                recur(lanes[thread], nodes + thread * job.stride, ringOf(thread), iteration == 0);
            __syncthreads();
            if (alive() && turns[own].active) warp.advanceNewton(d, iteration + 1 < d.iterations);
        }
        __syncthreads();
        if (alive()) warp.accept(job, d, substep);
        __syncthreads();
    }
    if (own < here) warp.end(job, job.rope[first + own], job.result[first + own]);
}

} // namespace

std::size_t ropeSharedBytes(int perBlock, int stride, bool shared) {
    const std::size_t control = kRopesPerBlock * (sizeof(Lanes) + sizeof(RopeTurn));
    return control + (shared ? std::size_t(perBlock) * std::size_t(stride) * sizeof(Node) : 0);
}

cudaError_t launchRopes(const RopeJob& job, cudaStream_t stream) {
    auto* kernel = job.shared ? stepRopes<true> : stepRopes<false>;
    const std::size_t bytes = ropeSharedBytes(job.perBlock, job.stride, job.shared);
    if (auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)); e)
        return e;
    const int blocks = (job.ropes + job.perBlock - 1) / job.perBlock;
    kernel<<<blocks, kRopesPerBlock * kWarp, bytes, stream>>>(job);
    return cudaGetLastError();
}

} // namespace capstan
