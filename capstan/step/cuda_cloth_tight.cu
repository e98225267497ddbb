// SPDX-License-Identifier: MIT
// A small sheet that does not bend, in one launch: Jacobi as in cloth_walk.hpp and cloth_phases.hpp, with the same
// formulas in the same order, and nothing but places outside of registers.
//
// One thread per vertex, in a cluster of four blocks. A thread keeps its vertex, its rows and their multipliers in
// registers; every block has a copy of all places in its shared memory. A sweep reads one copy and writes the other, in
// all four blocks, then they wait for each other: two waits per substep with two sweeps. (The phases of cloth_walk.hpp
// with rows in shared memory took 47 us where this takes half: each thread then loads six numbers per edge.)
#include <capstan/step/cuda_cloth.cuh>

#include <cooperative_groups.h>

namespace capstan {
namespace {

constexpr int kBlocks = 4; // of a cluster
constexpr int kThreads = 320;
constexpr int kRows = 8, kTethers = 4; // that fit into registers

struct TightCloth {
    const ClothView& c;
    const int i, room;
    float4* const places; // two copies of all places, here
    Four<float> x;
    Vec3 v, before;
    float mass;
    int other[kRows], pin[kTethers];
    float rest[kRows], gain[kRows], stiff[kRows], lambda[kRows], reach[kTethers];

    __device__ void load() {
        const Point at = c.x[i], speed = c.v[i];
        x = {at.x, at.y, at.z, at.w}, v = Vec3(speed), mass = speed.w;
        const int slice = i / kClothSlice, begin = c.edgesBegin[slice] + i % kClothSlice,
                  end = c.edgesBegin[slice + 1];
#pragma unroll
        for (int k = 0; k < kRows; ++k) { // fillers add nothing
            const int row = begin + k * kClothSlice;
            const bool there = row < end;
            other[k] = there ? c.edgesOther[row] : i, rest[k] = there ? c.edgeRest[row] : 0;
            gain[k] = there ? c.edgeGain[row] : 0, stiff[k] = there ? c.edgeCompliance[row] * c.invH2 : 0;
        }
#pragma unroll
        for (int k = 0; k < kTethers; ++k) {
            const bool there = k < c.tethers;
            pin[k] = there ? c.tiedVertex[c.tetherPin[k * c.room + i]] : i;
            reach[k] = there ? c.tetherReach[k * c.room + i] : 0;
        }
    }
    __device__ Vec3 place(int from, int vertex) const {
        const float4 p = places[from * room + vertex];
        return {p.x, p.y, p.z};
    }
    __device__ void predict() {
        before = xyz(x);
        const ClothSet<float> to = predicted(c, x, v, c.gravity);
        v = to.speed, x = {to.place.x, to.place.y, to.place.z, x.w};
    }
    // One sweep over the edges; x is what places[from] has of this vertex.
    template <bool first, bool last> __device__ void gather(int from) {
        Vec3 sum = {0, 0, 0};
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            const Vec3 d = xyz(x) - place(from, other[k]);
            const float old = first ? 0 : lambda[k], al = first ? 0 : stiff[k] * old;
            const ClothPull<float> pull = clothEdge(d, rest[k], gain[k], al);
            if (!last) lambda[k] = old + pull.dl;
            sum = sum + pull.s * d;
        }
        Vec3 p = xyz(x) + x.w * sum;
#pragma unroll
        for (int k = 0; k < kTethers; ++k)
            if (k < c.tethers) p = clothTetherQuick(p, place(from, pin[k]), reach[k]);
        x = {p.x, p.y, p.z, x.w};
    }
};

// The largest strain of all links, from the places of one copy; they are told too.
__device__ float strains(const ClothJob& job, const float4* x, int first) {
    float worst = 0;
    for (int i = first; i < job.plan.links; i += kBlocks * kThreads) {
        const float4 a = x[job.view.linkA[i]], b = x[job.view.linkB[i]];
        const Vec3 d = Vec3{b.x, b.y, b.z} - Vec3{a.x, a.y, a.z};
        const float strain = sqrt(lengthSquared(d)) / job.view.linkRest[i] - 1.0f;
        job.view.strain[i] = strain;
        if (i < job.linkCount && strain > worst) worst = strain;
    }
    return worst;
}

__global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kThreads) tightCloth(const ClothJob job) {
    extern __shared__ float4 places[];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int room = job.plan.room, rank = int(cluster.block_rank());
    const int own = rank * kThreads + int(threadIdx.x);
    const bool there = own < room;
    TightCloth t{job.view, there ? own : room - 1, room, places}; // the last one again, not told
    t.load();
    float4* copy[kBlocks];
#pragma unroll
    for (int k = 0; k < kBlocks; ++k) copy[k] = cluster.map_shared_rank(places, k);
    auto tell = [&](int to) {
        const float4 at = {t.x.x, t.x.y, t.x.z, t.x.w};
        if (there)
#pragma unroll
            for (int k = 0; k < kBlocks; ++k) copy[k][to * room + own] = at;
        cluster.sync();
    };
    if (there) job.start[own] = job.view.x[own];
    if (own == 0) *job.result = {};
    for (int k = 0; k < job.pins; ++k)
        if (job.pin[k].vertex == t.i) t.v = job.pin[k].v;
    cluster.sync(); // no block may write into another before that one is there
    t.predict();
    int from = 0;
    tell(from);
    for (int s = 0; s < job.plan.substeps; ++s) {
        if (job.plan.iterations == 1) {
            t.gather<true, true>(from);
        } else {
            t.gather<true, false>(from), from = 1 - from, tell(from);
            for (int round = 2; round < job.plan.iterations; ++round)
                t.gather<false, false>(from), from = 1 - from, tell(from);
            t.gather<false, true>(from);
        }
        t.v = finishCloth(job.view, t.x, t.v, t.before);
        if (s + 1 < job.plan.substeps) t.predict();
        from = 1 - from, tell(from);
    }
    tellCloth(job, strains(job, places + from * room, own), there && isOdd({t.x.x, t.x.y, t.x.z, 0}));
    if (there) job.view.v[own] = {t.v.x, t.v.y, t.v.z, t.mass};
    for (int k = 0; k < job.pins; ++k)
        if (job.pin[k].vertex == t.i) {
            const Vec3 p = job.pin[k].target;
            t.x = {p.x, p.y, p.z, 0};
        }
    if (there) job.view.x[own] = {t.x.x, t.x.y, t.x.z, t.x.w};
    cluster.sync(); // nor may a block leave while others still write into it
}

} // namespace

bool fitsTight(const ClothJob& job) {
    return job.plan.jacobi && job.plan.fused() && !job.plan.bends && !job.view.pull &&
           job.plan.room <= kBlocks * kThreads && job.longestRow <= kRows && job.view.tethers <= kTethers;
}

cudaError_t launchTight(const ClothJob& job, cudaStream_t stream) {
    const std::size_t bytes = 2 * std::size_t(job.plan.room) * sizeof(float4);
    tightCloth<<<kBlocks, kThreads, bytes, stream>>>(job);
    return cudaGetLastError();
}

} // namespace capstan
