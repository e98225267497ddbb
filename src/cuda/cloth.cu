// SPDX-License-Identifier: MIT
// Cloth on a GPU, with the phases of solver/cloth/phases.hpp: one thread per vertex, edge or triangle. Operations and
// their order are those of the CPU. LaunchRunner and ClusterRunner are Runners of solver/cloth/substep.hpp.
//
// A large sheet takes one kernel per phase; ClothMirror captures the launches into a graph. For a small sheet the
// launches would take longer than the work, so one launch does all substeps. If the sheet fits into registers,
// cloth_small.cu does it. Otherwise it is a launch of a cluster of eight blocks.
//
// Each block of the cluster owns an eighth of the vertices. Its shared memory has the rows of these vertices, and a
// copy of all positions. The results of a phase are written into all eight copies, then the blocks synchronise. A
// phase never reads memory that it writes, so no block reads a partly written state.
#include "cuda/cloth.cuh"

#include <cooperative_groups.h>

namespace capstan {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 8; // blocks of a cluster
constexpr int kClusterThreads = 256;
constexpr std::size_t kShared = 227 * 1024;

// Runs a phase for the items begin ... end - 1, one per thread.
template <class Phase>
__global__ void __launch_bounds__(kThreads) runPhase(const Phase phase, int begin, int end) {
    const int i = begin + int(blockIdx.x) * kThreads + int(threadIdx.x);
    if (i < end) phase.template at<float>(i);
}

// Runs each phase as a kernel.
struct LaunchRunner {
    cudaStream_t stream;
    template <class Phase> void run(int begin, int end, const Phase& phase) {
        const int blocks = (end - begin + kThreads - 1) / kThreads;
        if (blocks > 0) runPhase<<<blocks, kThreads, 0, stream>>>(phase, begin, end);
    }
    bool heavier(std::int32_t*) { return true; } // the host that records the launches cannot look
};

// Sets the velocity of pins, and copies x to `start`: a failed step is reset to this copy.
__global__ void startCloth(const ClothJob job) {
    const int i = int(blockIdx.x) * kThreads + int(threadIdx.x);
    if (i < job.plan.room) job.start[i] = job.view.x[i];
    if (i < job.pins) {
        const DeviceClothPin& pin = job.pin[i];
        Point& v = job.view.v[pin.vertex];
        v = {pin.v.x, pin.v.y, pin.v.z, v.w};
    }
    if (i == 0) *job.result = {};
}

// Moves pin i to its target.
__device__ void endPin(const ClothJob& job, int i) {
    const DeviceClothPin& pin = job.pin[i];
    job.view.x[pin.vertex] = {pin.target.x, pin.target.y, pin.target.z, 0};
}

__global__ void endCloth(const ClothJob job) {
    const int i = int(blockIdx.x) * kThreads + int(threadIdx.x);
    if (i < job.pins) endPin(job, i);
    writeClothResult(job, i < job.linkCount ? job.view.strain[i] : 0,
                     i < job.plan.room && (isOdd(job.view.x[i]) || isOdd(job.view.v[i])));
}

// Allocates pieces of shared memory. Each piece is a multiple of 16 bytes, so that points are aligned.
struct Pieces {
    char* at;
    template <class T> __host__ __device__ T* take(int n) {
        T* piece = reinterpret_cast<T*>(at);
        at += (std::size_t(n) * sizeof(T) + 15) / 16 * 16;
        return piece;
    }
};

// Ranges of the sheet's data that a block of the cluster owns.
struct Own {
    int begin, end;         // vertices
    int edgeBegin, edgeEnd; // entries of edgesOf
    // entries of bendOf
    int bendBegin, bendEnd;
};

__host__ __device__ constexpr int perBlock(int room) {
    return (room / kClothSlice + kBlocks - 1) / kBlocks * kClothSlice;
}

// Copies a range of an array from global memory into shared memory.
template <class Copy> struct SharedPart {
    Pieces& room;
    const Copy& copy;
#pragma nv_exec_check_disable
    template <class T> __host__ __device__ void operator()(T*& array, int begin, int end) const {
        array = copy(room.take<std::remove_const_t<T>>(end - begin), array + begin, end - begin) - begin;
    }
};

// Returns a view whose arrays are in shared memory. A block has only its own range of some arrays. Their pointers are
// shifted so that an index is valid for the full array.
#pragma nv_exec_check_disable
template <class Copy>
__host__ __device__ ClothView inShared(const ClothJob& job, const Own& own, Pieces& room, const Copy& copy) {
    const ClothView& from = job.view;
    ClothView v = from;
    SharedPart<Copy> part{room, copy};
    part(v.x, 0, job.plan.room);
    v.next = room.take<Point>(job.plan.room);
    part(v.v, own.begin, own.end);
    v.before = room.take<Point>(own.end - own.begin) - own.begin;
    part(v.edgesBegin, own.begin / kClothSlice, own.end / kClothSlice + 1);
    part(v.edgesOther, own.edgeBegin, own.edgeEnd);
    part(v.edgeRest, own.edgeBegin, own.edgeEnd);
    part(v.edgeCompliance, own.edgeBegin, own.edgeEnd);
    part(v.edgeGain, own.edgeBegin, own.edgeEnd);
    v.lambda = room.take<float>(own.edgeEnd - own.edgeBegin) - own.edgeBegin;
    if (job.plan.bends) {
        v.bendFrom = room.take<Point>(own.end - own.begin) - own.begin;
        v.bendMove = room.take<Point>(own.end - own.begin) - own.begin;
        part(v.bendOther, own.bendBegin, own.bendEnd);
        part(v.bendWeight, own.bendBegin, own.bendEnd);
        part(v.bendBound, own.begin, own.end);
    }
    return v;
}

// Copies with all threads of a block.
struct CopyIn {
    template <class T> __device__ T* operator()(T* to, const T* from, int n) const {
        for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) to[i] = from[i];
        return to;
    }
};
// Copies nothing; used to compute the size of the shared memory.
struct CopyNothing {
    template <class T> __host__ T* operator()(T* to, const T*, int) const { return to; }
};

// Returns the array that a phase writes and other blocks read; null if there is none.
template <class Phase> __device__ Point* check(const Phase&) { return nullptr; }
__device__ Point* check(const ClothPredict& p) { return p.c.x; }
template <bool first> __device__ Point* check(const ClothBend<first>& p) { return p.c.next; }
template <bool first, bool last, ClothEnd end>
__device__ Point* check(const ClothVertexIteration<first, last, end>& p) {
    return p.c.next;
}

struct ClusterRunner {
    cooperative_groups::cluster_group& cluster;
    Own own;
    int links;
    float worst = 0; // largest strain that this thread computed

    template <class Phase> __device__ void run(int, int, const Phase& phase) {
        Point* column = check(phase);
        for (int i = own.begin + int(threadIdx.x); i < own.end; i += int(blockDim.x)) {
            phase.template at<float>(i);
            if (!column) continue;
            const float4 mine = *reinterpret_cast<const float4*>(column + i);
            const unsigned here = cluster.block_rank();
#pragma unroll
            for (unsigned k = 1; k < kBlocks; ++k)
                *cluster.map_shared_rank(reinterpret_cast<float4*>(column + i), (here + k) % kBlocks) = mine;
        }
        if (column)
            cluster.sync();
        else
            __syncthreads();
    }
    // Strains of links: links are split evenly over the blocks, and the results go to global memory.
    __device__ void run(int, int end, const ClothStrain& phase) {
        const int step = kBlocks * int(blockDim.x);
        for (int i = int(cluster.block_rank() * blockDim.x + threadIdx.x); i < end; i += step) {
            phase.at<float>(i);
            if (i < links && phase.c.strain[i] > worst) worst = phase.c.strain[i];
        }
    }
    // smallCloth() excludes sheets that need these phases.
    template <bool first, bool last> __device__ void run(int, int, const ClothEdgeIteration<first, last>&) {}
    __device__ bool heavier(std::int32_t*) { return false; }
    __device__ void run(int, int, const ClothAirForce&) {}
    __device__ void run(int, int, const ClothEdgeWeights&) {}
    __device__ void run(int, int, const ClothVertexWeights&) {}
    __device__ void run(int, int, const ClothMark&) {}
    __device__ void run(int, int, const ClothTurn&) {}
    __device__ void run(int, int, const ClothTether&) {}
    __device__ void run(int, int, const ClothFinish&) {}
};

__global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kClusterThreads)
    wholeCloth(const ClothJob job) {
    extern __shared__ char memory[];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int per = perBlock(job.plan.room), rank = int(cluster.block_rank());
    auto upTo = [&](int n) { return n < job.plan.room ? n : job.plan.room; };
    Own own = {upTo(rank * per), upTo((rank + 1) * per), 0, 0, 0, 0};
    const int slice = own.begin / kClothSlice, end = own.end / kClothSlice;
    own.edgeBegin = job.view.edgesBegin[slice];
    own.edgeEnd = job.view.edgesBegin[end];
    if (job.plan.bends) {
        own.bendBegin = job.view.bendBegin[slice];
        own.bendEnd = job.view.bendBegin[end];
    }
    Pieces room{memory};
    ClothView view = inShared(job, own, room, CopyIn{});
    if (rank == 0 && threadIdx.x == 0) *job.result = {};
    for (int i = int(rank * blockDim.x + threadIdx.x); i < job.plan.room; i += kBlocks * int(blockDim.x))
        job.start[i] = job.view.x[i];
    __syncthreads();
    for (int i = int(threadIdx.x); i < job.pins; i += int(blockDim.x)) {
        const DeviceClothPin& pin = job.pin[i];
        if (pin.vertex < own.begin || pin.vertex >= own.end) continue;
        view.v[pin.vertex] = {pin.v.x, pin.v.y, pin.v.z, view.v[pin.vertex].w};
    }
    cluster.sync(); // no block may write to the shared memory of a block that has not started
    ClusterRunner run{cluster, own, job.linkCount};
    runCloth(run, job.plan, view);
    bool odd = false;
    for (int i = own.begin + int(threadIdx.x); i < own.end; i += int(blockDim.x)) {
        job.view.x[i] = view.x[i];
        job.view.v[i] = view.v[i];
        odd = odd || isOdd(view.x[i]) || isOdd(view.v[i]);
    }
    writeClothResult(job, run.worst, odd);
    __syncthreads();
    for (int i = int(threadIdx.x); i < job.pins; i += int(blockDim.x))
        if (job.pin[i].vertex >= own.begin && job.pin[i].vertex < own.end) endPin(job, i);
    cluster.sync(); // no block may end while others still write into its shared memory
}

std::size_t sharedBytes(const ClothJob& job) {
    // Largest range of any block. Rows have nearly equal lengths in all slices; one more slice is a margin.
    const int per = perBlock(job.plan.room), slices = job.plan.room / kClothSlice;
    const Own own = {0, per,
                     0, job.edgeEntries / slices * (per / kClothSlice + 1) + 16 * kClothSlice,
                     0, job.bendEntries / slices * (per / kClothSlice + 1) + 16 * kClothSlice};
    Pieces room{nullptr};
    ClothJob counted = job;
    inShared(counted, own, room, CopyNothing{});
    return std::size_t(room.at - static_cast<char*>(nullptr));
}

} // namespace

bool smallCloth(const ClothJob& job) {
    return job.plan.jacobi && !job.plan.air && !job.view.force && job.plan.room >= kBlocks * kClothSlice &&
           sharedBytes(job) <= kShared;
}

cudaError_t launchCloth(const ClothJob& job, cudaStream_t stream) {
    ClothJob done = job;
    if (fitsTight(job)) return launchTight(job, stream);
    if (smallCloth(job)) {
        const std::size_t bytes = sharedBytes(job);
        if (auto e =
                cudaFuncSetAttribute(wholeCloth, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
            e)
            return e;
        wholeCloth<<<kBlocks, kClusterThreads, bytes, stream>>>(job);
    } else {
        const int widest = job.plan.room > job.linkCount ? job.plan.room : job.linkCount;
        auto blocks = [](int n) { return (n + kThreads - 1) / kThreads; };
        startCloth<<<blocks(job.plan.room), kThreads, 0, stream>>>(job);
        LaunchRunner run{stream};
        runCloth(run, job.plan, done.view);
        if (done.view.x != job.view.x) {
            const std::size_t bytes = std::size_t(job.plan.room) * sizeof(Point);
            if (auto e = cudaMemcpyAsync(job.view.x, done.view.x, bytes, cudaMemcpyDeviceToDevice, stream); e)
                return e;
        }
        endCloth<<<blocks(widest), kThreads, 0, stream>>>(job);
    }
    return cudaGetLastError();
}

} // namespace capstan
