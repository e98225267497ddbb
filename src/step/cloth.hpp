// SPDX-License-Identifier: MIT
// The step of cloth. It follows the step of ropes and bodies, and uses the paths that they took.
//
// If no contact is possible, each sheet goes through all substeps by itself. Otherwise all sheets go through
// each substep together:
//   1. lengths and bending of each sheet;
//   2. pairs that are too near push each other apart (solver/cloth/contact/pairs.hpp);
//   3. vertices collide with shapes, whose bodies yield (shapes.hpp and bodies.hpp in solver/cloth/contact);
//   4. moves that would pass through something are shortened.
// Ropes and bodies move in these substeps too: they deviate from the paths that their own solve found. So
// cloth and the objects in contact with it are solved in one step. Forces of other objects on those objects
// (a floor, a joint, the tension of a rope) follow one step later.
//
// One thread solves a small sheet, in its cache. All threads share the work on a large sheet, phase by phase.
// Both give the same bits, because the items of a phase share nothing that they write.
#pragma once

#include "model/model.hpp"
#include "solver/cloth/contact/pair_phases.hpp"
#include "solver/cloth/contact/shapes.hpp"
#include "solver/cloth/rows.hpp"
#include "solver/cloth/view.hpp"
#include "solver/coupled/substep.hpp"
#include "step/exec.hpp"
#include <capstan/report.hpp>

#include <vector>

namespace capstan {

inline constexpr int kClothAlone = 8192; // number of vertices below which one thread solves a sheet

// Stores the positions of bodies and ropes, and adds the coupling loads of cloth to them.
void startCloths(ContactWorkspace* memory, bool contact, Model& m, State& s);

// Returns true if there is anything that cloth could be in contact with.
bool mayTouch(const Model& m);

// Rebuilds constraints if something changed, and sets the velocity of pins towards their targets.
void startCloth(const Model& m, const State& s, Cloth& c, ClothState& at, float dt);

// Moves pins to their targets, and sums up strains. A sheet with a position that is not finite returns to its
// start and is frozen.
void endCloth(Cloth& c, ClothState& at);

// Runs phases with the lanes of Exec on the calling thread only.
template <class Exec> struct OneThread {
    template <class Phase> void run(int begin, int end, const Phase& phase) {
        int i = begin;
        if constexpr (Exec::chainLanes > 1)
            for (; i + kClothSlice <= end; i += kClothSlice) phase.template at<Pack<float, kClothSlice>>(i);
        for (; i < end; ++i) phase.template at<float>(i);
    }
};

// Calls work(slot, runner): first for each small sheet on one thread, then for the large ones on all threads.
template <class Exec, class Work> void eachCloth(Exec& exec, const Model& m, const Work& work) {
    exec.each(int(m.cloths.size()), [&](int i, int) {
        OneThread<Exec> alone;
        if (m.cloths[i].count <= kClothAlone) work(std::size_t(i), alone);
    });
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].count > kClothAlone) work(i, exec);
}

// Contact of cloth with shapes in substep k.
template <class Each>
void touchShapes(const Each& each, ClothMeeting& w, const Model& m, State& s, const StepDef& d, int k) {
    const double begin = double(k) / d.substeps, end = double(k + 1) / d.substeps, h = double(d.h());
    each([&](std::size_t i, Cloth& c, ClothState& at, auto& run) {
        ClothTouching& t = w.touching[i];
        findObstacles(t, w.press, m, s, c, at, begin, end, h);
        if (!t.near.empty()) run.run(0, c.room, ClothTouch{c, at, t, k + 1 == d.substeps});
    });
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive && !m.cloths[i].frozen)
            tellHits(w.touching[i], w.press, int(i), s.cloths[i], h);
}

// Adds the counters of the sheets to the report.
inline void tellCloths(const Model& m, Report& report) {
    for (const Cloth& c : m.cloths) {
        if (!c.alive) continue;
        report.quarantined += c.frozen;
        report.maxClothStrain = max(report.maxClothStrain, c.maxStrain);
    }
}

// Sheets without possible contact go through all substeps by themselves, without any collision test.
template <class Exec> void solveClothsApart(Exec& exec, Model& m, State& s, const StepDef& d) {
    const auto go = [&](std::size_t i, auto& run) {
        Cloth& c = m.cloths[i];
        ClothState& at = s.cloths[i];
        if (!c.alive || c.frozen) return;
        startCloth(m, s, c, at, d.dt);
        fitGain(c, at, d.h());
        at.start = at.x;
        ClothView view = viewOf(c, at, d, m.damping);
        walkCloth(run, planOf(c, d.substeps), view);
        if (view.x != at.x.data()) at.x.swap(at.next); // Jacobi swaps x and next
        endCloth(c, at);
    };
    eachCloth(exec, m, go);
}

// Sheets with possible contact go through each substep together.
template <class Exec>
void solveClothsTogether(Exec& exec, Model& m, State& s, StepDef d, Report& report, bool touch) {
    ClothMeeting& w = *exec.memory->cloths;
    findPressed(w.press, m, s);
    d.substeps = substepsOfCloths(w.press, m, s, d);
    if (d.substeps > report.substeps) report.substeps = d.substeps;
    const std::size_t cloths = m.cloths.size();
    if (w.touching.size() < cloths) {
        w.touching.resize(cloths);
        w.views.resize(cloths);
        w.plans.resize(cloths);
    }
    const auto each = [&](const auto& work) {
        eachCloth(exec, m, [&](std::size_t i, auto& run) {
            if (m.cloths[i].alive && !m.cloths[i].frozen) work(i, m.cloths[i], s.cloths[i], run);
        });
    };
    each([&](std::size_t i, Cloth& c, ClothState& at, auto&) {
        startCloth(m, s, c, at, d.dt);
        fitGain(c, at, d.h());
        at.start = at.x;
        w.views[i] = viewOf(c, at, d, m.damping);
        w.plans[i] = planOf(c, d.substeps);
        w.touching[i].count = w.touching[i].truncated = 0;
    });
    findThings(w, m, s, d, touch);
    const bool pairs = meetsOthers(w), shapes = touch && !m.bodies.empty(), holds = findHolds(w, m, s);
    for (int k = 0; k < d.substeps; ++k) {
        const double end = double(k + 1) / d.substeps;
        if (pairs) aimRopes(w, m, s, d, k);
        if (holds) aimHolds(w, m, s, d, k);
        each([&](std::size_t i, Cloth&, ClothState& at, auto& run) {
            openCloth(run, w.plans[i], w.views[i]);
            if (w.views[i].x != at.x.data()) at.x.swap(at.next);
        });
        if (holds) pullHolds(w, m, s, d);
        if (pairs) {
            loadThings(w, s);
            pushThings(exec, w, m, d);
            storeThings(w, s, d, false);
        }
        if (shapes) touchShapes(each, w, m, s, d, k);
        if (shapes || holds) pressBodies(w.press, m, s, end, double(d.h()));
        if (pairs) {
            reloadThings(w, s);
            cutThings(exec, w, m);
            storeThings(w, s, d, true);
        }
        if (holds) moveHolds(w, m, s, d, k);
        each([&](std::size_t i, Cloth&, ClothState&, auto& run) { closeCloth(run, w.plans[i], w.views[i]); });
    }
    each([&](std::size_t i, Cloth& c, ClothState& at, auto& run) {
        run.run(0, w.plans[i].links, ClothStrain{w.views[i]});
        endCloth(c, at);
    });
    endThings(w, m, s, d);
    endPressing(w.press, m, s, double(d.dt));
    w.press.told.tell(s.clothContacts, double(d.dt));
    for (const ClothTouching& t : w.touching) {
        report.contacts += t.count;
        report.truncated += t.truncated;
    }
    report.contacts += w.pushed;
    report.truncated += w.truncated;
}

// The step of all sheets.
template <class Exec> void solveCloths(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    s.clothContacts.clear();
    if (m.cloths.empty()) return;
    const bool touch = exec.contactWorkspace && mayTouch(m);
    if (exec.memory && exec.memory->cloths) unburden(exec.memory->cloths->holds, m, s);
    if (touch || anyHolds(m))
        solveClothsTogether(exec, m, s, d, report, touch);
    else
        solveClothsApart(exec, m, s, d);
    tellCloths(m, report);
}

} // namespace capstan
