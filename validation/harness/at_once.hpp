// SPDX-License-Identifier: MIT
// Runs independent trials in parallel on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace capstan::validation {

// Calls work(i) once for every i below `count`, in any order. The calling thread calls tell(i, done) before each of
// its own trials, where `done` is the number of finished trials.
template <class Work, class Tell> void eachAtOnce(int count, const Work& work, const Tell& tell) {
    std::atomic<int> next{0}, done{0};
    auto go = [&](auto&& before) {
        for (int i = next++; i < count; i = next++) {
            before(i);
            work(i);
            ++done;
        }
    };
    std::vector<std::thread> others;
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    for (int k = 1; k < std::min(cores, count); ++k) others.emplace_back([&] { go([](int) {}); });
    go([&](int i) { tell(i, done.load()); });
    for (std::thread& t : others) t.join();
}

} // namespace capstan::validation
