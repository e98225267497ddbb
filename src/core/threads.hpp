// SPDX-License-Identifier: MIT
// Threads: a parallel-for. The parts of a range share nothing that they write. So the result does not depend on
// which worker does which part, or on the number of threads.
//
// Every worker has a share of the parts, the same share for the same range. So the data that it wrote in one
// job is in its cache in the next job. One counter for all workers was tried: rows moved to and fro between two
// caches. A tangle then took half as long again with two threads as with one.
//
// Parts are claimed one by one. A worker that has done its own share waits for a microsecond and then takes
// parts of other shares. So a worker that the system wakes late finds fewer parts or none, and no thread waits
// for it. A worker that is only a little slower keeps the parts that are in its cache.
//
// A part is claimed by one compare-and-swap of a word that also holds the number of the job. So a claim for an
// old job fails, and workers need not enter or leave a job. A job is done when the count of done parts equals
// the count of parts. A worker may read data of a job before it has claimed a part. That data is in a cache
// line of its own, never on the caller's stack.
//
// The pool is our own because TBB and OpenMP would be dependencies. Idle workers spin for some hundred
// microseconds and then sleep. While they spin, a job costs half a microsecond.
//
// Several Worlds may share a pool. A caller that finds the pool busy with another job does its job alone, as worker 0.
// A host's job system can stand in for the pool: each of its tasks is a worker that claims parts until none is left.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace capstan {

struct TaskSystem;

class Threads {
public:
    explicit Threads(int count);
    explicit Threads(const TaskSystem& host); // no threads of our own
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return crew_; }

    bool hosted() const { return parallelFor_ != nullptr; }

    // Wakes sleeping workers, so that they are awake when the first job comes.
    void wake();

    // Calls work(begin, end, worker) on parts of [0, size) whose borders are multiples of `grain`.
    template <class Work> void run(int size, int grain, const Work& work) {
        if (crew_ == 1 || size <= grain) {
            if (size > 0) work(0, size, 0);
            return;
        }
        const int least = (size - 1) / (crew_ * kParts) + 1, wide = (least + grain - 1) / grain * grain;
        const auto part = [&](int k, int worker) {
            work(k * wide, size - k * wide > wide ? (k + 1) * wide : size, worker);
        };
        using Part = decltype(part);
        const Job job = [](const void* p, int k, int worker) { (*static_cast<const Part*>(p))(k, worker); };
        const int parts = (size - 1) / wide + 1;
        if (hosted()) {
            runOnHost(parts, job, &part);
        } else if (busy_.exchange(true, std::memory_order_acquire)) {
            work(0, size, 0);
        } else {
            runParts(parts, job, &part);
            busy_.store(false, std::memory_order_release);
        }
    }

private:
    static constexpr int kParts = 32; // largest number of parts in a share
    using Job = void (*)(const void* data, int part, int worker);

    // Two cache lines for each worker: one that it reads, and one that it writes.
    struct Share {
        // Number of the job << 32, first part not claimed << 16, end of the share.
        alignas(64) std::atomic<std::uint64_t> next{0};
        std::atomic<Job> job{nullptr};
        std::atomic<const void*> data{nullptr};
        // Number of parts that this worker has done, in all jobs so far.
        alignas(64) std::atomic<std::uint64_t> done{0};
    };

    void runParts(int parts, Job job, const void* data);
    void runOnHost(int parts, Job job, const void* data) const;
    void announce(int parts, Job job, const void* data);
    void wakeAll();
    void work(std::uint32_t number, int worker);
    void claim(std::uint32_t number, Share& from, int worker);
    std::uint64_t doneByAll() const;
    void workerLoop(int worker);

    int crew_;
    std::unique_ptr<Share[]> shares_;
    std::uint64_t asked_ = 0; // number of parts in all jobs so far
    std::vector<std::thread> workers_;
    std::mutex mutex_; // for sleeping workers
    std::condition_variable wake_;
    std::atomic<int> sleeping_{0};
    std::uint32_t number_ = 0; // number of the job
    std::atomic<bool> stop_{false};
    std::atomic<bool> busy_{false}; // with somebody's job
    using HostTask = void (*)(void* data, int index);
    void* context_ = nullptr; // of the host's job system
    void (*parallelFor_)(void* context, int count, HostTask task, void* data) = nullptr;
};

// ThreadPool holds the workers that several Worlds share.
class ThreadPool {
public:
    explicit ThreadPool(int count) : threads(count) {}
    Threads threads;
};

} // namespace capstan
