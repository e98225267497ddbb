// SPDX-License-Identifier: MIT
// Implements threads.hpp.
#include "core/threads.hpp"

#include <capstan/check.hpp>
#include <capstan/defs.hpp>

namespace capstan {
namespace {

constexpr int kSpins = 4000;  // spins of an idle worker before it sleeps: some hundred microseconds
constexpr int kPatience = 50; // spins before a worker takes parts of other shares: one microsecond

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

Threads::Threads(int count) : crew_(count > 1 ? count : 1), shares_(new Share[std::size_t(crew_)]) {
    for (int k = 1; k < crew_; ++k) workers_.emplace_back([this, k] { workerLoop(k); });
}

Threads::Threads(const TaskSystem& host)
    : crew_(host.workers > 1 ? host.workers : 1), context_(host.context), parallelFor_(host.parallelFor) {}

Threads::~Threads() {
    if (hosted()) return;
    stop_.store(true);
    announce(0, nullptr, nullptr);
    wakeAll();
    for (std::thread& t : workers_) t.join();
}

void Threads::wake() {
    if (sleeping_.load() == 0 || busy_.exchange(true, std::memory_order_acquire)) return;
    announce(0, nullptr, nullptr); // a job without parts, which only wakes the workers
    wakeAll();
    busy_.store(false, std::memory_order_release);
}

void Threads::wakeAll() {
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
}

// Publishes the next job to every worker. Each worker reads one cache line of its own.
void Threads::announce(int parts, Job job, const void* data) {
    const std::uint64_t number = ++number_, all = std::uint64_t(parts), crew = std::uint64_t(crew_);
    for (std::uint64_t k = 0; k < crew; ++k) {
        Share& s = shares_[k];
        s.job.store(job, std::memory_order_relaxed);
        s.data.store(data, std::memory_order_relaxed);
        s.next.store(number << 32 | (all * k / crew) << 16 | all * (k + 1) / crew);
    }
}

// Runs a job on the workers and on the calling thread, which waits until all parts are done.
void Threads::runParts(int parts, Job job, const void* data) {
    announce(parts, job, data);
    if (sleeping_.load() != 0) wakeAll();
    asked_ += std::uint64_t(parts);
    work(number_, 0);
    for (int spin = 0; doneByAll() != asked_; ++spin) spin > kSpins ? std::this_thread::yield() : relax();
}

// Each task of the host's job system is a worker, which claims parts until all are claimed. So the host may also run
// its tasks one after the other.
void Threads::runOnHost(int parts, Job job, const void* data) const {
    struct Shared {
        Job job;
        const void* data;
        int parts;
        std::atomic<int> next{0};
    } shared{job, data, parts, {0}};
    const auto task = [](void* to, int worker) {
        Shared& s = *static_cast<Shared*>(to);
        for (int part = s.next.fetch_add(1); part < s.parts; part = s.next.fetch_add(1))
            s.job(s.data, part, worker);
    };
    parallelFor_(context_, parts < crew_ ? parts : crew_, task, &shared);
}

// Runs the parts of the share `from` that are not claimed yet.
void Threads::claim(std::uint32_t number, Share& from, int worker) {
    Share& own = shares_[worker];
    const Job job = own.job.load(std::memory_order_relaxed);
    const void* data = own.data.load(std::memory_order_relaxed);
    std::uint64_t seen = from.next.load(std::memory_order_acquire), count = 0;
    while (seen >> 32 == number && (seen >> 16 & 0xffff) < (seen & 0xffff)) {
        if (!from.next.compare_exchange_weak(seen, seen + 0x10000, std::memory_order_acq_rel)) continue;
        job(data, int(seen >> 16 & 0xffff), worker);
        seen = from.next.load(std::memory_order_acquire);
        ++count;
    }
    // `done` is written once, not after every part, because the caller polls its cache line while it waits.
    if (count > 0)
        own.done.store(own.done.load(std::memory_order_relaxed) + count, std::memory_order_release);
}

// Runs the parts of the worker's own share, and after a while the unclaimed parts of other shares.
void Threads::work(std::uint32_t number, int worker) {
    Share& own = shares_[worker];
    claim(number, own, worker);
    for (int spin = 0; spin < kPatience; ++spin) {
        if (worker == 0 ? doneByAll() == asked_ : own.next.load(std::memory_order_relaxed) >> 32 != number)
            return;
        relax();
    }
    for (int k = 1; k < crew_; ++k) claim(number, shares_[(worker + k) % crew_], worker);
}

std::uint64_t Threads::doneByAll() const {
    std::uint64_t sum = 0;
    for (int k = 0; k < crew_; ++k) sum += shares_[k].done.load(std::memory_order_acquire);
    return sum;
}

void Threads::workerLoop(int worker) {
    std::atomic<std::uint64_t>& announced = shares_[worker].next;
    std::uint32_t seen = 0;
    auto next = [&] { return std::uint32_t(announced.load() >> 32); };
    for (;;) {
        for (int spin = 0; spin < kSpins && next() == seen; ++spin) relax();
        if (next() == seen) {
            std::unique_lock lock(mutex_);
            sleeping_.fetch_add(1);
            wake_.wait(lock, [&] { return next() != seen; });
            sleeping_.fetch_sub(1);
        }
        seen = next();
        if (stop_.load())
            return; // read after next(): a worker that has read the last job number also reads stop_ as true
        work(seen, worker);
    }
}

std::shared_ptr<ThreadPool> makeThreadPool(int threads) {
    if (!CAPSTAN_CHECK(threads >= 1 && threads <= 256, "a pool has 1 to 256 threads")) threads = 1;
    return std::make_shared<ThreadPool>(threads);
}

} // namespace capstan
