// SPDX-License-Identifier: MIT
// Threads: a parallel-for. The parts of a range share nothing that they write, so the result is the same whoever does
// which part, for any number of threads.
//
// Parts are claimed one by one, and the caller starts at once: a worker that the system wakes late finds less to do, or
// nothing, and nobody waits for it. (With a fixed share per worker a late one made two threads slower than one on a
// shared machine.) A small pool of our own: TBB and OpenMP would be dependencies. Idle workers spin for some ten
// microseconds and then sleep; while they spin a job is opened and closed without a lock, in a fraction of one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
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

    int count() const { return int(workers_.size()) + 1; }

    // Calls work(begin, end, worker) on parts of [0, size) whose borders are multiples of `grain`.
    template <class Work> void run(int size, int grain, const Work& work) {
        if (workers_.empty() || size <= grain) {
            if (size > 0) work(0, size, 0);
            return;
        }
        const int parts = (size + grain - 1) / grain;
        const auto claim = [&](int worker) {
            for (int part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts;) {
                const int begin = part * grain;
                work(begin, begin + grain < size ? begin + grain : size, worker);
            }
        };
        using Claim = decltype(claim);
        open([](const void* p, int worker) { (*static_cast<const Claim*>(p))(worker); }, &claim);
        claim(0);
        close();
    }

private:
    using Job = void (*)(const void*, int);
    void open(Job job, const void* data);
    void close();
    void workerLoop(int worker);

    std::vector<std::thread> workers_;
    std::mutex mutex_; // of those who sleep
    std::condition_variable wake_;
    std::atomic<std::uint64_t> round_{0}; // odd: a job is open
    std::atomic<int> active_{0};          // workers inside the open job
    std::atomic<int> sleeping_{0};
    std::atomic<int> next_{0}; // part not yet claimed
    std::atomic<bool> stop_{false};
    Job job_ = nullptr; // changes only while nobody is inside
    const void* data_ = nullptr;
};

} // namespace capstan
