// SPDX-License-Identifier: MIT
// Strands on a GPU, with hairStep() of solver/hair/strand_step.hpp. One thread holds a chunk of four vertices. It
// reads data of other chunks by shuffles among eight lanes. Operations and their order are those of a CPU lane, so
// the bits are equal.
//
// A strand is read once and written once per step. Its tables are in shared memory, where eight chunks cause no bank
// conflict. Data that is seldom used is in shared memory, too.
#include "cuda/hair.cuh"
#include "solver/hair/strand_step.hpp"

namespace capstan {
namespace {

constexpr int kThreads = 160;
constexpr int kBlocks = 4; // blocks per multiprocessor
constexpr unsigned kAtOnce =
    132u * kBlocks; // number of blocks that run at once on 132 multiprocessors: 10,000 strands are 500 blocks
static_assert(sizeof(HairStep) % sizeof(int4) == 0);
constexpr unsigned kAll = 0xffffffffu;

// Applies a shuffle to each word of a.
template <class T, class Take> __device__ __forceinline__ T shuffled(T a, const Take& take) {
    static_assert(sizeof(T) % sizeof(int) == 0);
    union Words {
        T value;
        int word[sizeof(T) / sizeof(int)];
        __device__ Words() {}
    } w;
    w.value = a;
#pragma unroll
    for (int i = 0; i < int(sizeof(T) / sizeof(int)); ++i) w.word[i] = take(w.word[i]);
    return w.value;
}

// Properties that are known at compile time (strand.hpp).
template <bool Full, bool Straight, bool Ball> struct HairKnown {
    static constexpr bool full = Full, straight = Straight, ball = Ball;
};

// Copies into shared memory. The loop has one or two iterations, so it is not unrolled.
template <class Word, class T> __device__ __forceinline__ void stage(T* to, const T* from, int count) {
    static_assert(sizeof(T) % sizeof(Word) == 0);
    const int words = count * int(sizeof(T) / sizeof(Word));
#pragma unroll 1
    for (int i = int(threadIdx.x); i < words; i += kThreads)
        reinterpret_cast<Word*>(to)[i] = reinterpret_cast<const Word*>(from)[i];
}

// One chunk of a strand, with the interface of solver/hair/strand.hpp. A shuffle needs all lanes, so threads past the
// last chunk execute it with values that are never used.
template <class T, bool Full, bool Straight, bool Ball> struct HairThread : HairKnown<Full, Straight, Ball> {
    T own;
    struct All {
        __device__ constexpr operator int() const { return kHairChunks; }
    };
    std::conditional_t<Full, All, int> chunks;
    mutable unsigned votes;

    static __device__ __forceinline__ int chunk() { return int(threadIdx.x % kHairChunks); }
    template <class F> __device__ __forceinline__ void each(const F& f) { f(own, chunk()); }
    template <class Get> __device__ __forceinline__ auto from(int c, int k, const Get& get) const {
        if constexpr (Full) { // past the ends a shuffle returns the thread's own value
            if (k < 0)
                return shuffled(get(own), [k](int a) { return __shfl_up_sync(kAll, a, -k, kHairChunks); });
            return shuffled(get(own), [k](int a) { return __shfl_down_sync(kAll, a, k, kHairChunks); });
        } else { // the source is never a thread past the last chunk
            const int other = c + k < 0 || c + k >= chunks ? c : c + k;
            return shuffled(get(own), [other](int a) { return __shfl_sync(kAll, a, other, kHairChunks); });
        }
    }
    __device__ __forceinline__ T& at(int) { return own; }
    template <class Test> __device__ __forceinline__ bool some(const Test& test) const {
        votes = __ballot_sync(kAll, test(own, chunk()));
        return (votes >> (threadIdx.x % 32 / kHairChunks * kHairChunks) & 0xffu) != 0;
    }
    __device__ __forceinline__ bool found(bool) const { return votes != 0; }
};

// Seldom used data of a thread, in shared memory to save registers. Each array has 16 bytes for each thread. So
// threads of a quarter warp have no bank conflict, and one base address serves all arrays.
struct HairShelf {
    float4 owed[kThreads], behind[kThreads], root[2][kThreads], plane[kHairChunk][kThreads];
};

template <bool Full, bool Straight, bool Ball>
struct HairStrand : HairThread<HairChunk<float>, Full, Straight, Ball> {
    float4* mine; // the thread's element of the first array of HairShelf
    template <class T> __device__ __forceinline__ T& shelf(int i) {
        static_assert(sizeof(T) <= sizeof(float4));
        return reinterpret_cast<T&>(mine[i * kThreads]);
    }
    __device__ __forceinline__ HairOwed<float>& owed(int) { return shelf<HairOwed<float>>(0); }
    __device__ __forceinline__ Vec3& behind() { return shelf<Vec3>(1); }
    __device__ __forceinline__ HairRootOf<float> root() {
        const float4 where = shelf<float4>(2), frame = shelf<float4>(3);
        return {{where.x, where.y, where.z}, {frame.x, frame.y, frame.z, frame.w}};
    }
    __device__ __forceinline__ HairPlane<float>& plane(int, int i) { return shelf<HairPlane<float>>(4 + i); }
};

// Reports the largest strain of a strand and of all strands. Each thread passes that of its chunk. For floats that
// are not negative, the order of the bits is the order of the values.
__device__ __forceinline__ void readResults(const HairJob& job, int strand, unsigned worst) {
    for (int step = 1; step < kHairChunks; step *= 2) {
        const unsigned other = __shfl_xor_sync(kAll, worst, step);
        worst = other > worst ? other : worst;
    }
    if (strand >= 0) job.strain[strand] = __uint_as_float(worst);
    worst = __reduce_max_sync(kAll, worst);
    if (threadIdx.x % 32 == 0) atomicMax(job.worst, worst);
}

// Returns the index of a warp's group of strands. Neighbouring strands have similar cost: those in contact with the
// head take longer. If all blocks run at once, the slowest block determines the time. Then the warps of a block are
// spread over the whole hair: 3 % less time for 10,000 strands. Otherwise the warps of a block are neighbours in
// memory: 3 % less time for a million strands.
__device__ __forceinline__ int hairWarp() {
    const int warp = int(threadIdx.x) / 32, block = int(blockIdx.x);
    return gridDim.x <= kAtOnce ? warp * int(gridDim.x) + block : kThreads / 32 * block + warp;
}

template <bool Full, bool Straight, bool Ball>
__global__ void __launch_bounds__(kThreads, kBlocks) stepHair(const HairJob job) {
    const int mine = 32 / kHairChunks * hairWarp() + int(threadIdx.x) % 32 / kHairChunks;
    const bool there = mine < job.strands;
    // A thread without a strand computes the last strand again and writes nothing.
    const int strand = there ? mine : job.strands - 1;
    HairStrand<Full, Straight, Ball> s;
    HairThread<HairFrame<float>, Full, Straight, Ball> frames;
    const int c = s.chunk();
    if constexpr (!Full) s.chunks = frames.chunks = (job.vertices + kHairChunk - 1) / kHairChunk;
    const bool used = c < s.chunks;
    const std::size_t base =
        std::size_t(strand) * std::size_t(kHairChunk * s.chunks) + std::size_t(kHairChunk * (used ? c : 0));
    float4 x[kHairChunk], v[kHairChunk]; // loaded first, because they have the longest latency
#pragma unroll
    for (int i = 0; i < kHairChunk; ++i) {
        x[i] = reinterpret_cast<const float4*>(job.x)[base + std::size_t(i)];
        v[i] = reinterpret_cast<const float4*>(job.v)[base + std::size_t(i)];
    }
    __shared__ HairShelf shelf;
    s.mine = shelf.owed + threadIdx.x;
    if (!Straight || c == 0) { // straight hair needs the root in chunk 0 only
        const float4* half = reinterpret_cast<const float4*>(job.root + strand);
        shelf.root[0][threadIdx.x] = half[0];
        shelf.root[1][threadIdx.x] = half[1];
    }
    __shared__ int4 memory[sizeof(HairStep) / sizeof(int4)];
    stage<int4>(memory, reinterpret_cast<const int4*>(job.d), int(sizeof memory / sizeof(int4)));
    const HairSubstep* substep = job.substep;
    const HairCollider* collider = job.collider;
    if constexpr (Ball) { // every substep reads these arrays, and shared memory has a lower latency
        __shared__ HairSubstep substeps[kHairStaged];
        __shared__ HairCollider colliders[kHairStaged];
        stage<int>(substeps, job.substep, job.substeps);
        stage<int>(colliders, job.collider, job.substeps);
        substep = substeps;
        collider = colliders;
    }
    __syncthreads();
    const HairStep& d = *reinterpret_cast<const HairStep*>(memory);
    const float toLambda = -1.0f / d.table.newtons, toTension = -d.table.newtons;
    HairChunk<float>& k = s.own;
#pragma unroll
    for (int i = 0; i < kHairChunk; ++i) {
        k.x[i] = {x[i].x, x[i].y, x[i].z};
        k.v[i] = {v[i].x, v[i].y, v[i].z};
        k.lambda[i] = toLambda * x[i].w;
    }
    s.owed(c) = {v[0].w, v[1].w, v[2].w, v[3].w};

    hairStep<float>(s, frames, d, substep, collider, job.faces, [&s] { return s.root(); });

    const unsigned worst = used ? __float_as_uint(hairStrain(k, d.table.chunk[c], d.table.l)) : 0;
    if (there && used) {
        const HairOwed<float> owed = s.owed(c);
#pragma unroll
        for (int i = 0; i < kHairChunk; ++i) {
            const Vec3 at = k.x[i], velocity = k.v[i];
            reinterpret_cast<float4*>(job.x)[base + std::size_t(i)] = {at.x, at.y, at.z,
                                                                       toTension * k.lambda[i]};
            reinterpret_cast<float4*>(job.v)[base + std::size_t(i)] = {velocity.x, velocity.y, velocity.z,
                                                                       owed.of[i]};
        }
    }
    readResults(job, there && c == 0 ? strand : -1, worst);
}

} // namespace

cudaError_t launchHair(const HairJob& job, cudaStream_t stream) {
    const int blocks = (job.strands * kHairChunks + kThreads - 1) / kThreads;
    const bool full = job.vertices == kHairVertices;
    // The most common case is straight hair with exactly one sphere.
    (full && !job.curls && job.ball ? stepHair<true, true, true>
     : full && !job.curls           ? stepHair<true, true, false>
     : full                         ? stepHair<true, false, false>
     : job.curls                    ? stepHair<false, false, false>
                                    : stepHair<false, true, false>)<<<blocks, kThreads, 0, stream>>>(job);
    return cudaGetLastError();
}

} // namespace capstan
