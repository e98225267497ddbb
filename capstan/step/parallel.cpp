// SPDX-License-Identifier: MIT
// See parallel.hpp.
#include <capstan/step/parallel.hpp>

namespace capstan {
namespace {

constexpr int kSpins = 2000; // about ten microseconds

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

void Threads::start(Job job, const void* data) {
    {
        std::lock_guard lock(mutex_);
        job_ = job, data_ = data;
        busy_.store(int(workers_.size()), std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
}

void Threads::finish() {
    for (int spin = 0; busy_.load(std::memory_order_acquire) != 0; ++spin)
        if (spin > kSpins) std::this_thread::yield();
}

void Threads::workerLoop(int k) {
    std::uint64_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < kSpins && round_.load(std::memory_order_acquire) == seen; ++spin) {
        }
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return round_.load(std::memory_order_relaxed) != seen; });
            seen = round_.load(std::memory_order_relaxed);
            if (stop_) return;
        }
        job_(data_, k);
        busy_.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace capstan
