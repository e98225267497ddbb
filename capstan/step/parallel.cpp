// SPDX-License-Identifier: MIT
// See parallel.hpp.
#include <capstan/step/parallel.hpp>

namespace capstan {
namespace {

constexpr int kSpins = 4000; // some hundred microseconds

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

Threads::Threads(int count) : crew_(count > 1 ? count : 1), shares_(new Share[std::size_t(crew_)]) {
    for (int k = 1; k < crew_; ++k) workers_.emplace_back([this, k] { workerLoop(k); });
}

Threads::~Threads() {
    stop_.store(true);
    number_.fetch_add(1);
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
}

void Threads::wake() {
    if (sleeping_.load() == 0) return;
    number_.fetch_add(1); // a job without parts
    wakeAll();
}

void Threads::wakeAll() {
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
}

void Threads::runParts(int parts, Job job, const void* data) {
    const std::uint32_t number = number_.load(std::memory_order_relaxed) + 1;
    job_.store(job, std::memory_order_relaxed), data_.store(data, std::memory_order_relaxed);
    for (int k = 0; k < crew_; ++k) {
        const auto from = std::uint64_t(parts) * std::uint64_t(k) / std::uint64_t(crew_),
                   end = std::uint64_t(parts) * std::uint64_t(k + 1) / std::uint64_t(crew_);
        shares_[std::size_t(k)].next.store(std::uint64_t(number) << 32 | from << 16 | end,
                                           std::memory_order_release);
    }
    // Who spins sees it. Who falls asleep at this moment may not be seen here: then the next job wakes it.
    number_.store(number, std::memory_order_release);
    if (sleeping_.load() != 0) wakeAll();
    asked_ += std::uint64_t(parts);
    claimAll(number, 0);
    for (int spin = 0; doneByAll() != asked_; ++spin) spin > kSpins ? std::this_thread::yield() : relax();
}

// The own share first.
void Threads::claimAll(std::uint32_t number, int worker) {
    const Job job = job_.load(std::memory_order_relaxed);
    const void* data = data_.load(std::memory_order_relaxed);
    std::atomic<std::uint64_t>& done = shares_[std::size_t(worker)].done;
    for (int k = 0; k < crew_; ++k) {
        std::atomic<std::uint64_t>& next = shares_[std::size_t((worker + k) % crew_)].next;
        std::uint64_t seen = next.load(std::memory_order_acquire);
        while (seen >> 32 == number && (seen >> 16 & 0xffff) < (seen & 0xffff)) {
            if (!next.compare_exchange_weak(seen, seen + 0x10000, std::memory_order_acq_rel)) continue;
            job(data, int(seen >> 16 & 0xffff), worker);
            done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_release);
            seen = next.load(std::memory_order_acquire);
        }
    }
}

std::uint64_t Threads::doneByAll() const {
    std::uint64_t sum = 0;
    for (int k = 0; k < crew_; ++k) sum += shares_[std::size_t(k)].done.load(std::memory_order_acquire);
    return sum;
}

void Threads::workerLoop(int worker) {
    std::uint32_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < kSpins && number_.load(std::memory_order_acquire) == seen; ++spin) relax();
        if (number_.load() == seen) {
            std::unique_lock lock(mutex_);
            sleeping_.fetch_add(1);
            wake_.wait(lock, [&] { return number_.load() != seen; });
            sleeping_.fetch_sub(1);
        }
        if (stop_.load()) return;
        seen = number_.load();
        claimAll(seen, worker);
    }
}

} // namespace capstan
