// SPDX-License-Identifier: MIT
// Threads: a parallel-for. The parts of a range share nothing that they write, so the result is the same whoever does
// which part, for any number of threads.
//
// Every worker has a share of the parts, the same one for the same range: what it wrote in one job is in its cache in the
// next. (With one counter for all, rows went to and fro between two caches, and a tangle took half as long again with two
// threads as with one.) Parts are claimed one by one, and who has done with its own share goes on with the others' after
// a microsecond: a worker that the system wakes late finds less to do, or nothing, and nobody waits for it; one that is
// merely not done yet keeps what is in its cache.
//
// Nobody enters or leaves a job: a part is claimed by one compare-and-swap of a word that also holds the number of the
// job, so a claim for a job that is over fails, and a job is over when as many parts are done as there are. What a worker
// needs of a job before it has claimed a part is in one line of the cache of its own, never on the caller's stack.
//
// A small pool of our own: TBB and OpenMP would be dependencies. Idle workers spin for some hundred microseconds and then
// sleep; while they spin a job costs half of one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace capstan {

class Threads {
public:
    explicit Threads(int count);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return crew_; }

    // Whoever sleeps is up when the first job comes.
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
        runParts((size - 1) / wide + 1, job, &part);
    }

private:
    static constexpr int kParts = 32; // most in a share
    using Job = void (*)(const void* data, int part, int worker);

    // Two lines of the cache for each worker: what it is told, and what it tells.
    struct Share {
        alignas(64) std::atomic<std::uint64_t> next{
            0}; // number of the job << 32, first part not claimed << 16, end of the share
        std::atomic<Job> job{nullptr};
        std::atomic<const void*> data{nullptr};
        alignas(64) std::atomic<std::uint64_t> done{0}; // parts that this worker has done, of all jobs so far
    };

    void runParts(int parts, Job job, const void* data);
    void tell(int parts, Job job, const void* data);
    void wakeAll();
    void work(std::uint32_t number, int worker);
    void claim(std::uint32_t number, Share& from, int worker);
    std::uint64_t doneByAll() const;
    void workerLoop(int worker);

    int crew_;
    std::unique_ptr<Share[]> shares_;
    std::uint64_t asked_ = 0; // parts, of all jobs so far
    std::vector<std::thread> workers_;
    std::mutex mutex_; // of those who sleep
    std::condition_variable wake_;
    std::atomic<int> sleeping_{0};
    std::uint32_t number_ = 0; // of the job
    std::atomic<bool> stop_{false};
};

} // namespace capstan
