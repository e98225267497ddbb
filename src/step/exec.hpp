// SPDX-License-Identifier: MIT
// Exec: runs the phases of a step, in lanes and threads. A phase is a struct with at<R>(i). It processes the
// items i, i + 1, ..., as many as R has lanes. Scalar and SIMD compile the same source and give the same
// bits, with any number of threads.
#pragma once

#include "core/step_def.hpp"
#include "core/threads.hpp"
#include "math/pack.hpp"
#include "solver/mechanism/group.hpp"
#include "solver/rope/group.hpp"

#include <utility>
#include <vector>

namespace capstan {

struct ContactWorkspace;

// Runs a phase one item at a time.
struct ExecScalar {
    static constexpr int chainLanes = 1;
    Threads& threads;
    std::vector<ChainScratch>& scratch;
    std::vector<TreeScratch>& treeScratch;
    ContactWorkspace* contactWorkspace = nullptr; // null: no contact in this world
    // the same workspace, but never null: attachments of cloth need it even in a world without contact
    ContactWorkspace* memory = nullptr;

    template <class Phase> void run(int begin, int end, const Phase& phase) {
        threads.run(end - begin, 256, [&](int from, int to, int) {
            for (int i = begin + from; i < begin + to; ++i) phase.template at<float>(i);
        });
    }
    // Reads a flag that a phase has set, and clears it.
    bool heavier(std::int32_t* flag) { return std::exchange(*flag, 0) != 0; }
    // Resizes the working memory of every thread for the model. Memory never shrinks.
    void fit(const Model& m) {
        bool rings = false;
        int longest = 0;
        for (const ChainGroup& g : m.groups) {
            rings = rings || g.closed;
            // Only a group of several lanes needs extra memory to rescue its longest rope.
            if (g.width > 1 && g.nodes >= longest) longest = g.nodes + 1;
        }
        scratch.resize(std::size_t(threads.count()));
        for (ChainScratch& one : scratch) one.reserve(m.chainScratchNodes, longest, rings);
        treeScratch.resize(std::size_t(threads.count()));
        for (TreeScratch& one : treeScratch) one.fit(m);
    }

    // Calls work(item, worker) for each item. Items must not share anything that they write.
    template <class Work> void each(int items, const Work& work) {
        threads.run(items, 1, [&](int from, int to, int worker) {
            for (int i = from; i < to; ++i) work(i, worker);
        });
    }
};

// Runs a phase with several items at a time, one in each lane.
struct ExecSimd : ExecScalar {
    // The nodes of a group fit into the second-level cache. More lanes than one vector register has would
    // only need more cache.
    static constexpr int chainLanes = kVectorBytes >= 64 ? 8 : 4;

    template <class Phase> void run(int begin, int end, const Phase& phase) {
        threads.run(end - begin, 256, [&](int from, int to, int) {
            int i = begin + from;
            for (; i + kLanes <= begin + to; i += kLanes) phase.template at<PackF>(i);
            for (; i < begin + to; ++i) phase.template at<float>(i);
        });
    }
};

// Rebuilds the batches and groups of ropes, and their working memory.
template <class Exec> void regroup(Exec& exec, Model& m, State& s) {
    rebuild(m, s, Exec::chainLanes);
    exec.fit(m);
}

} // namespace capstan
