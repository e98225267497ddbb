// SPDX-License-Identifier: MIT
// See parallel.hpp.
#include <capstan/step/parallel.hpp>

namespace capstan {
namespace {

constexpr int kSpins = 4000; // some ten microseconds

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

Threads::Threads(int count) {
    for (int k = 1; k < count; ++k) workers_.emplace_back([this, k] { workerLoop(k); });
}

Threads::~Threads() {
    stop_.store(true);
    round_.fetch_add(2);
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
}

// The round becomes odd: open. Who sleeps is woken; who spins sees it.
void Threads::open(Job job, const void* data) {
    next_.store(0, std::memory_order_relaxed);
    job_ = job, data_ = data;
    round_.fetch_add(1);
    if (sleeping_.load() == 0) return;
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
}

// Every part is claimed. Keeps late workers out and waits for those that are inside.
void Threads::close() {
    round_.fetch_add(1);
    for (int spin = 0; active_.load() != 0; ++spin) spin > kSpins ? std::this_thread::yield() : relax();
}

void Threads::workerLoop(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < kSpins && round_.load(std::memory_order_acquire) == seen; ++spin) relax();
        if (round_.load() == seen) {
            std::unique_lock lock(mutex_);
            sleeping_.fetch_add(1);
            wake_.wait(lock, [&] { return round_.load() != seen; });
            sleeping_.fetch_sub(1);
        }
        if (stop_.load()) return;
        seen = round_.load();
        if (seen % 2 == 0) continue; // closed already
        // Inside first, then a look: either the round is still open, or whoever closed it waits for this worker to leave.
        active_.fetch_add(1);
        if (round_.load() == seen) job_(data_, worker);
        active_.fetch_sub(1);
    }
}

} // namespace capstan
