// SPDX-License-Identifier: MIT
// Exec: how a phase runs. A phase is a struct with at<R>(i): the work for the items i, i + 1, ... of as many
// lanes as R has. Scalar and SIMD run the same source and give the same bits; so does any number of threads.
#pragma once

#include <capstan/math/pack.hpp>
#include <capstan/step/chain_group.hpp>
#include <capstan/step/parallel.hpp>
#include <capstan/step/step_def.hpp>
#include <capstan/step/tree_group.hpp>

#include <vector>

namespace capstan {

struct Meeting;

struct ExecScalar {
    static constexpr int chainLanes = 1;
    Threads& threads;
    std::vector<ChainScratch>& scratch;
    std::vector<TreeScratch>& treeScratch;
    Meeting* meeting = nullptr; // null: nothing touches anything
    Meeting* memory = nullptr;  // the same, also where nothing touches anything: for what is sewn on

    template <class Phase> void run(int begin, int end, const Phase& phase) {
        threads.run(end - begin, 256, [&](int from, int to, int) {
            for (int i = begin + from; i < begin + to; ++i) phase.template at<float>(i);
        });
    }
    // Working memory for every thread; only grows.
    void fit(const Model& m) {
        bool rings = false;
        int longest = 0;
        for (const ChainGroup& g : m.groups) {
            rings = rings || g.closed;
            if (g.width > 1 && g.nodes >= longest) longest = g.nodes + 1; // of those that share lanes
        }
        scratch.resize(std::size_t(threads.count()));
        for (ChainScratch& one : scratch) one.reserve(m.chainScratchNodes, longest, rings);
        treeScratch.resize(std::size_t(threads.count()));
        for (TreeScratch& one : treeScratch) one.fit(m);
    }

    // work(item, worker): items that share nothing.
    template <class Work> void each(int items, const Work& work) {
        threads.run(items, 1, [&](int from, int to, int worker) {
            for (int i = from; i < to; ++i) work(i, worker);
        });
    }
};

struct ExecSimd : ExecScalar {
    // A group's nodes live in the second-level cache: lanes beyond one vector only make it larger.
    static constexpr int chainLanes = kVectorBytes >= 64 ? 8 : 4;

    template <class Phase> void run(int begin, int end, const Phase& phase) {
        threads.run(end - begin, 256, [&](int from, int to, int) {
            int i = begin + from;
            for (; i + kLanes <= begin + to; i += kLanes) phase.template at<PackF>(i);
            for (; i < begin + to; ++i) phase.template at<float>(i);
        });
    }
};

// Batches and groups from the ropes, and working memory for them.
template <class Exec> void regroup(Exec& exec, Model& m, State& s) {
    rebuild(m, s, Exec::chainLanes);
    exec.fit(m);
}

} // namespace capstan
