// SPDX-License-Identifier: MIT
// Cloth: each sheet goes through all substeps by itself, after ropes and bodies have made theirs.
//
// A small sheet stays on one thread and in its cache; a large one is worked on by all threads, phase by phase.
// Both give the same bits: the items of a phase share nothing that they write.
#pragma once

#include <capstan/model/cloth_rows.hpp>
#include <capstan/model/model.hpp>
#include <capstan/report.hpp>
#include <capstan/step/cloth_plan.hpp>
#include <capstan/step/cloth_self.hpp>
#include <capstan/step/cloth_touch.hpp>
#include <capstan/step/exec.hpp>

#include <vector>

namespace capstan {

inline constexpr int kClothAlone = 8192; // vertices; fewer are one thread's work

// Keeps where bodies are.
void startCloths(Model& m, const State& s);

// Rows are made anew where something changed; pins set off for their targets.
void startCloth(const Model& m, const State& s, Cloth& c, ClothState& at, float dt);

// Pins arrive; what is not finite is put back and frozen; strains are summed up.
void endCloth(Cloth& c, ClothState& at, const std::vector<Point>& before);

// Runs phases with the lanes of Exec on the calling thread only.
template <class Exec> struct OneThread {
    template <class Phase> void run(int begin, int end, const Phase& phase) {
        int i = begin;
        if constexpr (Exec::chainLanes > 1)
            for (; i + kClothSlice <= end; i += kClothSlice) phase.template at<Pack<float, kClothSlice>>(i);
        for (; i < end; ++i) phase.template at<float>(i);
    }
};

// All substeps; see cloth_walk.hpp.
template <class Runner, class Between>
void stepCloth(Runner& run, const Cloth& c, ClothState& s, ClothView& view, int substeps, bool touches,
               const Between& between) {
    walkCloth(run, planOf(c, substeps, touches), view, [&](int i) {
        if (view.x != s.x.data()) s.x.swap(s.next); // Jacobi goes from one to the other
        if (touches) between(i);
    });
}

inline void tellCloths(const Model& m, Report& report) {
    for (const Cloth& c : m.cloths) {
        if (!c.alive) continue;
        report.quarantined += c.frozen;
        report.maxClothStrain = max(report.maxClothStrain, c.maxStrain);
    }
}

template <class Exec> void solveCloths(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    const int cloths = int(m.cloths.size());
    std::atomic<int> touching{0}, truncated{0};
    const auto go = [&](int i, auto& run) {
        Cloth& c = m.cloths[std::size_t(i)];
        ClothState& at = s.cloths[std::size_t(i)];
        if (!c.alive || c.frozen) return;
        startCloth(m, s, c, at, d.dt);
        const std::vector<Point> before = at.x;
        ClothView view = viewOf(c, at, d, m.damping);
        ClothTouching w;
        ClothSelf self;
        const bool bodies = exec.meeting && !m.bodies.empty(), itself = exec.meeting && c.def.selfContact;
        stepCloth(run, c, at, view, d.substeps, bodies || itself, [&](int k) {
            if (itself) pushSelf(self, c, at);
            if (bodies) findObstacles(w, m, s, c, at, double(k) / d.substeps, double(k + 1) / d.substeps);
            if (!w.near.empty()) run.run(0, c.room, ClothTouch{c, at, w, k + 1 == d.substeps});
            if (itself) cutSelf(self, c, at);
        });
        endCloth(c, at, before);
        touching += w.touching, truncated += w.truncated + self.truncated;
    };
    exec.each(cloths, [&](int i, int) {
        OneThread<Exec> alone;
        if (m.cloths[std::size_t(i)].count <= kClothAlone) go(i, alone);
    });
    for (int i = 0; i < cloths; ++i)
        if (m.cloths[std::size_t(i)].count > kClothAlone) go(i, exec);
    tellCloths(m, report);
    report.touching += touching, report.truncated += truncated;
}

} // namespace capstan
