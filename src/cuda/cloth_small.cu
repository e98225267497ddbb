// SPDX-License-Identifier: MIT
// A small sheet in one launch, by the Jacobi solver of solver/cloth/substep.hpp and solver/cloth/phases.hpp. Formulas
// and their order are the same. Only positions and the bending rows are outside of registers.
//
// There is one thread per vertex, in a cluster of eight blocks. A thread keeps its vertex, its rows and the pins of
// its tethers in registers. A block's shared memory has the positions of its own vertices and of their neighbours.
//
// After an iteration a position is sent only to the blocks that read it (in a grid, the rows at the borders of the
// blocks). A block continues as soon as all its positions have arrived: st.async counts the received bytes at a
// barrier of the receiver. An alternative was refused: a barrier of the whole cluster after each iteration, with a
// copy of all positions in every block. It took 1.5 times as long.
//
// Three sets of positions are used in turn. Neighbours exchange positions in both directions. So when a block
// overwrites a set, it has received a later set from each neighbour, and that neighbour no longer reads the old set.
#include "cuda/cloth.cuh"

#include <cooperative_groups.h>

namespace capstan {
namespace {

constexpr int kRows = 8, kTethers = 4; // largest numbers of rows and tethers that fit into registers
constexpr int kSets = 3;               // number of sets of positions

// Barriers in shared memory (PTX ISA 8, mbarrier), used by their address.
__device__ unsigned sharedAt(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ unsigned inBlock(unsigned address, int rank) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}
__device__ void makeBarrier(unsigned barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}
__device__ void send(unsigned to, const float4& p, unsigned barrier) {
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
            to),
        "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.w), "r"(barrier)
        : "memory");
}
__device__ void expect(unsigned barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}
__device__ void waitFor(unsigned barrier, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

// A vertex with its rows and tethers, in the registers of a thread.
struct TightCloth {
    const ClothView& c;
    const int i;
    Four<float> x;
    Vec3 v, before;
    float mass;
    int other[kRows];
    float rest[kRows], gain[kRows], stiff[kRows],
        lambda[kRows]; // stiff and lambda are not used in a rigid sheet
    Vec3 pin[kTethers], pinSpeed[kTethers];
    float reach[kTethers];
    const DeviceClothPin* held; // pin of this vertex; null: the vertex is not pinned
    Vec3 bendFrom, bendMove;
    int bendBegin, bendEnd;

    __device__ void load(const ClothJob& job) {
        const Point at = c.x[i], velocity = c.v[i];
        x = {at.x, at.y, at.z, at.w};
        v = Vec3(velocity);
        mass = velocity.w;
        const int slice = i / kClothSlice, begin = c.edgesBegin[slice] + i % kClothSlice,
                  end = c.edgesBegin[slice + 1];
#pragma unroll
        for (int k = 0; k < kRows; ++k) { // padding rows add nothing
            const int row = begin + k * kClothSlice;
            const bool there = row < end;
            other[k] = there ? c.edgesOther[row] : i;
            rest[k] = there ? c.edgeRest[row] : 0;
            gain[k] = there ? c.edgeGain[row] : 0;
            stiff[k] = there ? c.edgeCompliance[row] * c.invH2 : 0;
        }
        int tiedTo[kTethers];
#pragma unroll
        for (int k = 0; k < kTethers; ++k) {
            tiedTo[k] = k < c.tethers ? c.tiedVertex[c.tetherPin[k * c.room + i]] : i;
            reach[k] = k < c.tethers ? c.tetherReach[k * c.room + i] : 0;
            pin[k] = Vec3(c.x[tiedTo[k]]);
            pinSpeed[k] = {0, 0, 0};
        }
        held = nullptr;
        for (int n = 0; n < job.pins; ++n) {
            const DeviceClothPin& p = job.pin[n];
            if (p.vertex == i) {
                held = &p;
                v = p.v;
            }
#pragma unroll
            for (int k = 0; k < kTethers; ++k)
                if (p.vertex == tiedTo[k]) pinSpeed[k] = p.v;
        }
    }
    __device__ void loadBend() {
        bendBegin = c.bendBegin[i / kClothSlice] + i % kClothSlice;
        bendEnd = c.bendBegin[i / kClothSlice + 1];
    }
    // Returns the set of blocks, other than its own, that own a neighbour of this vertex. Their vertices read its
    // position.
    template <bool bends> __device__ unsigned lookers(int rank) const {
        unsigned blocks = 0;
#pragma unroll
        for (int k = 0; k < kRows; ++k) blocks |= 1u << (other[k] / int(blockDim.x));
        for (int k = bendBegin; bends && k < bendEnd; k += kClothSlice)
            blocks |= 1u << (c.bendOther[k] / int(blockDim.x));
        return blocks & ~(1u << rank);
    }
    __device__ void predict() {
        before = xyz(x);
        const ClothSet<float> to = predicted(c, x, v, c.gravity);
        v = to.velocity;
        x = {to.position.x, to.position.y, to.position.z, x.w};
#pragma unroll
        // The arithmetic equals that of the pin's own vertex.
        for (int k = 0; k < kTethers; ++k) pin[k] = pin[k] + c.h * pinSpeed[k];
    }
    // One iteration of bending, as in ClothBend (solver/cloth/phases.hpp).
    template <bool first> __device__ void bend(const float4* positions, float lastFactor, float newFactor) {
        Vec3 force = {0, 0, 0};
#pragma unroll 4
        for (int k = bendBegin; k < bendEnd; k += kClothSlice) {
            const float4 to = positions[c.bendOther[k]];
            force = force - c.bendWeight[k] * (Vec3{to.x, to.y, to.z} - xyz(x));
        }
        Vec3 off = {0, 0, 0};
        if (first)
            bendFrom = xyz(x);
        else
            off = bendFrom - xyz(x);
        Vec3 move = newFactor * clothBend(off, force, (c.h * c.h) * x.w, c.bendBound[i]);
        if (!first) move = move + lastFactor * bendMove;
        bendMove = select(x.w > 0, move, Vec3{0, 0, 0});
        const Vec3 p = xyz(x) + bendMove;
        x = {p.x, p.y, p.z, x.w};
    }
    // One solver iteration over the edges, as in ClothVertexIteration.
    template <bool first, bool last> __device__ void gather(const float4* positions) {
        Vec3 sum = {0, 0, 0};
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            const float4 to = positions[other[k]];
            const Vec3 d = xyz(x) - Vec3{to.x, to.y, to.z};
            const float old = first ? 0 : lambda[k], al = first ? 0 : stiff[k] * old;
            const ClothPull<float> pull = clothEdge(d, rest[k], gain[k], al);
            if (!last) lambda[k] = old + pull.dl;
            sum = sum + pull.s * d;
        }
        Vec3 p = xyz(x) + x.w * sum;
#pragma unroll
        for (int k = 0; k < kTethers; ++k)
            if (k < c.tethers) p = clothTetherQuick(p, pin[k], reach[k]);
        x = {p.x, p.y, p.z, x.w};
    }
};

// Exchange of positions between blocks: the positions that this block stores, and the blocks that read its own
// positions.
struct Exchange {
    float4* const positions; // index: [set][vertex]
    const unsigned barriers;
    const int own, room;
    const unsigned lookers;
    const bool there;
    int bytes = 0, set = 0;
    unsigned parity = 0;

    __device__ const float4* now() const { return positions + set * room; }
    // Waits until all blocks have started, and counts the bytes that this block will receive per set. `coming` is in
    // shared memory.
    __device__ void open(cooperative_groups::cluster_group& cluster, int* coming) {
        if (threadIdx.x == 0) {
            for (int k = 0; k < kSets; ++k) makeBarrier(barriers + 8u * unsigned(k));
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
            *coming = 0;
        }
        cluster.sync();
#pragma unroll
        for (int k = 0; k < kTightBlocks; ++k) {
            const int sent = __popc(__ballot_sync(0xffffffffu, lookers >> k & 1));
            if (sent > 0 && threadIdx.x % 32 == 0) atomicAdd(cluster.map_shared_rank(coming, k), sent);
        }
        cluster.sync();
        bytes = *coming * int(sizeof(float4));
    }
    // Sends x to all blocks that read it, and waits until all positions for this block have arrived.
    __device__ void readResults(Four<float> x) {
        const float4 at = {x.x, x.y, x.z, x.w};
        const int position = set * room + own;
        const unsigned barrier = barriers + 8u * unsigned(set);
        if (there) positions[position] = at;
        for (unsigned left = lookers; left; left &= left - 1) {
            const int rank = __ffs(int(left)) - 1;
            send(inBlock(sharedAt(positions + position), rank), at, inBlock(barrier, rank));
        }
        if (threadIdx.x == 0) expect(barrier, bytes);
        __syncthreads();
        waitFor(barrier, parity);
    }
    __device__ void next() {
        set = set + 1 == kSets ? 0 : set + 1;
        parity ^= unsigned(set == 0);
    }
};

// Writes the strains of the links that begin in this block, and returns the largest one.
__device__ float strains(const ClothJob& job, const float4* x, int rank) {
    float worst = 0;
    for (int i = job.linkFrom[rank] + int(threadIdx.x); i < job.linkFrom[rank + 1]; i += int(blockDim.x)) {
        const float4 a = x[job.view.linkA[i]], b = x[job.view.linkB[i]];
        const Vec3 d = Vec3{b.x, b.y, b.z} - Vec3{a.x, a.y, a.z};
        const float strain = sqrt(lengthSquared(d)) / job.view.linkRest[i] - 1.0f;
        job.view.strain[i] = strain;
        if (strain > worst) worst = strain;
    }
    // Padding links have the strain -1.
    for (int i = job.linkCount + int(threadIdx.x); rank == 0 && i < job.plan.links; i += int(blockDim.x))
        job.view.strain[i] = -1.0f;
    return worst;
}

template <bool rigid, bool bends>
__global__ void __cluster_dims__(kTightBlocks, 1, 1) __launch_bounds__(kTightThreads)
    tightCloth(const ClothJob job) {
    extern __shared__ float4 positions[];
    __shared__ alignas(8) unsigned long long barriers[kSets];
    __shared__ int coming;
    // Factors of the bending iterations: of the previous displacement, and of the Jacobi displacement.
    __shared__ float2 iterations[bends ? ClothBendIterations::kMost : 1];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int rank = int(cluster.block_rank()), own = rank * int(blockDim.x) + int(threadIdx.x);
    const bool there = own < job.count;
    // A thread without a vertex computes the last vertex again and sends nothing.
    TightCloth t{job.view, there ? own : job.count - 1};
    t.load(job);
    int bendIterations = 0;
    if constexpr (bends) {
        t.loadBend();
        ClothBendIterations b(job.plan.bendRatio * double(job.view.h) * double(job.view.h));
        bendIterations = b.count;
        for (int k = 0; threadIdx.x == 0 && k < b.count; ++k, b.next())
            iterations[k] = {b.lastFactor, b.newFactor};
    }
    for (int k = own; k < job.plan.room; k += kTightBlocks * int(blockDim.x)) job.start[k] = job.view.x[k];
    if (own == 0) *job.result = {};
    Exchange at{positions, sharedAt(barriers), own, job.count, there ? t.lookers<bends>(rank) : 0, there};
    at.open(cluster, &coming);
    t.predict();
    at.readResults(t.x);
    for (int s = 0; s < job.plan.substeps; ++s) {
        for (int k = 0; bends && k < bendIterations; ++k) {
            if (k == 0)
                t.bend<true>(at.now(), iterations[k].x, iterations[k].y);
            else
                t.bend<false>(at.now(), iterations[k].x, iterations[k].y);
            at.next();
            at.readResults(t.x);
        }
        for (int iteration = 1; iteration < job.plan.iterations; ++iteration) {
            if (rigid)
                t.gather<true, true>(at.now());
            else if (iteration == 1)
                t.gather<true, false>(at.now());
            else
                t.gather<false, false>(at.now());
            at.next();
            at.readResults(t.x);
        }
        if (rigid || job.plan.iterations == 1)
            t.gather<true, true>(at.now());
        else
            t.gather<false, true>(at.now());
        t.v = finishCloth(job.view, t.x, t.v, t.before);
        if (s + 1 < job.plan.substeps) t.predict();
        at.next();
        at.readResults(t.x);
    }
    writeClothResult(job, strains(job, at.now(), rank),
                     there && (isOdd({t.x.x, t.x.y, t.x.z, 0}) || isOdd({t.v.x, t.v.y, t.v.z, 0})));
    if (there) {
        job.view.v[own] = {t.v.x, t.v.y, t.v.z, t.mass};
        if (t.held) t.x = {t.held->target.x, t.held->target.y, t.held->target.z, 0};
        job.view.x[own] = {t.x.x, t.x.y, t.x.z, t.x.w};
    }
    cluster.sync(); // no block may end while others still write into its shared memory
}

} // namespace

bool fitsTight(const ClothJob& job) {
    return job.plan.jacobi && job.plan.fused() && !job.view.force &&
           tightThreads(job.count) <= kTightThreads && job.longestRow <= kRows &&
           job.view.tethers <= kTethers;
}

cudaError_t launchTight(const ClothJob& job, cudaStream_t stream) {
    const std::size_t bytes = std::size_t(kSets) * std::size_t(job.count) * sizeof(float4);
    const auto kernel = job.plan.bends   ? job.plan.rigid ? tightCloth<true, true> : tightCloth<false, true>
                          : job.plan.rigid ? tightCloth<true, false>
                                         : tightCloth<false, false>;
    if (auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)); e)
        return e;
    kernel<<<kTightBlocks, unsigned(tightThreads(job.count)), bytes, stream>>>(job);
    return cudaGetLastError();
}

} // namespace capstan
