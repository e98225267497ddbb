// SPDX-License-Identifier: MIT
// Threads: a parallel-for over parts of a range. No part writes data that another part reads or writes. So the result
// does not depend on the number of threads, or on the worker that runs a part.
//
// Every worker has a share of the parts, and equal ranges give equal shares. So the data that a worker wrote in one
// job is in its cache in the next job. One shared counter for all workers was refused: data moved between the caches
// of two cores. A tangle then took 1.5 times as long with two threads as with one.
//
// Parts are claimed one by one. A worker that has finished its own share waits for a microsecond and then takes parts
// of other shares. So no thread waits for a worker that the system wakes late. A worker that is only a little slower
// keeps the parts whose data is in its cache.
//
// A part is claimed by one compare-and-swap of a word that also holds the job number. So a claim for an old job
// fails, and workers need not enter or leave a job. A job is done when the count of finished parts equals the count
// of parts. A worker may read the function and data pointers of a job before it has claimed a part. They are stored
// in the worker's cache line, never on the caller's stack.
//
// The pool is part of this project because TBB and OpenMP would be dependencies. Idle workers spin for some hundred
// microseconds and then sleep. While they spin, starting a job costs half a microsecond.
//
// Several Worlds may share a pool. A caller that finds the pool busy with another job runs its own job alone, as
// worker 0. A host's job system can replace the pool: each of its tasks is a worker that claims parts until all are
// claimed.
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
    explicit Threads(const TaskSystem& host); // uses the host's job system and starts no threads
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return crew_; }

    // true if a host's job system runs the jobs
    bool hosted() const { return parallelFor_ != nullptr; }

    // Wakes sleeping workers, so that they are awake at the first job of a step.
    void wake();

    // Calls work(begin, end, worker) on parts that cover [0, size). Their borders are multiples of `grain`.
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
        // Job number << 32, first unclaimed part << 16, end of the share.
        alignas(64) std::atomic<std::uint64_t> next{0};
        std::atomic<Job> job{nullptr};
        std::atomic<const void*> data{nullptr};
        // Number of parts that this worker has finished, over all jobs.
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
    std::uint64_t asked_ = 0; // number of parts of all jobs so far
    std::vector<std::thread> workers_;
    std::mutex mutex_; // for sleeping workers
    std::condition_variable wake_;
    std::atomic<int> sleeping_{0};
    std::uint32_t number_ = 0; // number of the current job
    std::atomic<bool> stop_{false};
    std::atomic<bool> busy_{false}; // true while a caller runs a job
    using HostTask = void (*)(void* data, int index);
    void* context_ = nullptr; // context of the host's job system
    void (*parallelFor_)(void* context, int count, HostTask task, void* data) = nullptr;
};

// ThreadPool holds the workers that several Worlds share.
class ThreadPool {
public:
    explicit ThreadPool(int count) : threads(count) {}
    Threads threads;
};

} // namespace capstan
