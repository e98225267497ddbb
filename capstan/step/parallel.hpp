// SPDX-License-Identifier: MIT
// Threads: a parallel-for with a fixed partition. Worker k always gets the k-th part, and the parts never write
// to the same memory, so the result is the same for any number of threads.
//
// A small pool of our own: TBB and OpenMP would be dependencies, and steal work, which is not needed here. Idle
// workers spin for a few microseconds and then sleep: on a machine whose cores are shared, a pool that only
// spins takes milliseconds from everybody else.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
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
        const int grains = (size + grain - 1) / grain, parts = count();
        auto border = [&](int part) {
            const int at = int(std::int64_t(grains) * part / parts) * grain;
            return at < size ? at : size;
        };
        const auto part = [&](int k) {
            if (border(k) < border(k + 1)) work(border(k), border(k + 1), k);
        };
        using Part = decltype(part);
        start([](const void* p, int k) { (*static_cast<const Part*>(p))(k); }, &part);
        part(0);
        finish();
    }

private:
    using Job = void (*)(const void*, int);
    void start(Job job, const void* data);
    void finish();
    void workerLoop(int k);

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<std::uint64_t> round_{0};
    std::atomic<int> busy_{0};
    Job job_ = nullptr;
    const void* data_ = nullptr;
    bool stop_ = false;
};

} // namespace capstan
