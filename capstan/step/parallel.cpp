// SPDX-License-Identifier: MIT
// See parallel.hpp.
#include <capstan/step/parallel.hpp>

namespace capstan {
namespace {

constexpr int kSpins = 2000; // some microseconds

} // namespace

Threads::Threads(int count) {
    for (int k = 1; k < count; ++k) workers_.emplace_back([this, k] { workerLoop(k); });
}

Threads::~Threads() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
}

void Threads::open(Job job, const void* data) {
    {
        std::lock_guard lock(mutex_);
        next_.store(0, std::memory_order_relaxed);
        job_ = job, data_ = data;
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
}

// Every part is claimed. Keeps late workers out and waits for those that are inside.
void Threads::close() {
    {
        std::lock_guard lock(mutex_);
        job_ = nullptr;
    }
    for (int spin = 0; active_.load(std::memory_order_acquire) != 0; ++spin)
        if (spin > kSpins) std::this_thread::yield();
}

void Threads::workerLoop(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < kSpins && round_.load(std::memory_order_acquire) == seen; ++spin) {
        }
        Job job;
        const void* data;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return round_.load(std::memory_order_relaxed) != seen; });
            seen = round_.load(std::memory_order_relaxed);
            if (stop_) return;
            if (!job_) continue; // too late
            job = job_, data = data_;
            active_.fetch_add(1, std::memory_order_relaxed);
        }
        job(data, worker);
        active_.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace capstan
