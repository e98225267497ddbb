// SPDX-License-Identifier: MIT
// Latency between two cores, measured by two threads that write two cache lines in turn.
#include <bench/setups/hand_over.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

namespace capstan::bench {

double handOverNs() {
    using Clock = std::chrono::steady_clock;
    constexpr int kTimes = 1000, kTries = 20;
    struct alignas(64) Line {
        std::atomic<int> number{0};
    } there, back;
    // The loop yields from time to time. Without it, two threads on a machine with one core would wait for their time
    // slice.
    const auto await = [](const Line& line, int number) {
        for (int spin = 1; line.number.load(std::memory_order_acquire) != number; ++spin)
            if (spin % 4096 == 0) std::this_thread::yield();
    };
    std::thread other([&] {
        for (int k = 1; k <= kTimes * kTries; ++k) {
            await(there, k);
            back.number.store(k, std::memory_order_release);
        }
    });
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kTimes * kTries;) {
        const auto begin = Clock::now();
        for (const int end = k + kTimes; k < end;) {
            there.number.store(++k, std::memory_order_release);
            await(back, k);
        }
        const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
        best = std::min(best, time.count() / (2 * kTimes));
    }
    other.join();
    return best;
}

} // namespace capstan::bench
