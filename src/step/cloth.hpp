// SPDX-License-Identifier: MIT
// The step of cloth. It runs after the step of ropes and bodies, and reads their paths during the step.
//
// If no contact is possible, each sheet goes through all substeps by itself. Otherwise all sheets go through
// each substep together:
//   1. lengths and bending of each sheet;
//   2. pairs of elements that are too near push each other apart (solver/cloth/contact/pairs.hpp);
//   3. vertices collide with shapes and move bodies (shapes.hpp and bodies.hpp in solver/cloth/contact);
//   4. the step bound shortens moves along which elements would pass through each other.
// Contact with cloth also moves ropes and bodies in these substeps: they deviate from the paths that their
// own solver found. So cloth and the objects in contact with it are solved in one step. The forces of other
// objects on these ropes and bodies (a floor, a joint, the tension of a rope) respond one step later.
//
// One thread solves a small sheet, which stays in its cache. All threads share the work on a large sheet,
// phase by phase. Both ways give the same bits, because the items of a phase write to different memory.
#pragma once

#include "model/model.hpp"
#include "solver/cloth/contact/pair_phases.hpp"
#include "solver/cloth/contact/shapes.hpp"
#include "solver/cloth/rows.hpp"
#include "solver/cloth/view.hpp"
#include "solver/coupled/substep.hpp"
#include "step/exec.hpp"
#include <capstan/report.hpp>

#include <utility>
#include <vector>

namespace capstan {

inline constexpr int kClothAlone = 8192; // number of vertices below which one thread solves a sheet

// Stores the positions of bodies and ropes at the start of the step, and adds the coupling loads of cloth to
// them.
void startCloths(ContactWorkspace* memory, bool contact, Model& m, State& s);

// Returns true if cloth may be in contact with another object or with itself.
bool mayHaveContacts(const Model& m);

// Rebuilds constraints if something changed, and sets the velocity of pins towards their targets.
void startCloth(const Model& m, const State& s, Cloth& c, ClothState& at, float dt);

// Moves pins to their targets, and measures strains. A sheet with a position that is not finite returns to
// its start positions and is frozen.
void endCloth(Cloth& c, ClothState& at);

// An Exec that runs phases on the calling thread only, with the lanes of Exec.
template <class Exec> struct OneThread {
    template <class Phase> void run(int begin, int end, const Phase& phase) {
        int i = begin;
        if constexpr (Exec::chainLanes > 1)
            for (; i + kClothSlice <= end; i += kClothSlice) phase.template at<Pack<float, kClothSlice>>(i);
        for (; i < end; ++i) phase.template at<float>(i);
    }
    bool heavier(std::int32_t* flag) { return std::exchange(*flag, 0) != 0; }
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

// Solves the contact of all sheets with shapes in substep k.
template <class Each>
void solveShapeContacts(const Each& each, ClothContactWorkspace& w, const Model& m, State& s,
                        const StepDef& d, int k) {
    const double begin = double(k) / d.substeps, end = double(k + 1) / d.substeps, h = double(d.h());
    each([&](std::size_t i, Cloth& c, ClothState& at, auto& run) {
        ClothShapeContacts& t = w.shapeContacts[i];
        findObstacles(t, w.coupling, m, s, c, at, begin, end, h);
        if (!t.near.empty()) run.run(0, c.room, ClothShapeContact{c, at, t, k + 1 == d.substeps});
    });
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive && !m.cloths[i].frozen)
            reportHits(w.shapeContacts[i], w.coupling, int(i), s.cloths[i], h);
}

// Adds the counters of the sheets to the report.
inline void reportCloths(const Model& m, Report& report) {
    for (const Cloth& c : m.cloths) {
        if (!c.alive) continue;
        report.quarantined += c.frozen;
        report.maxClothStrain = max(report.maxClothStrain, c.maxStrain);
    }
}

// Solves all substeps of sheets that can have no contact, sheet by sheet and without collision tests.
template <class Exec> void solveClothsWithoutContact(Exec& exec, Model& m, State& s, const StepDef& d) {
    const auto go = [&](std::size_t i, auto& run) {
        Cloth& c = m.cloths[i];
        ClothState& at = s.cloths[i];
        if (!c.alive || c.frozen) return;
        startCloth(m, s, c, at, d.dt);
        fitGain(c, at, d.h());
        at.start = at.x;
        ClothView view = viewOf(c, at, d, m.damping);
        runCloth(run, planOf(c, d.substeps), view);
        if (view.x != at.x.data()) at.x.swap(at.next); // Jacobi swaps x and next
        endCloth(c, at);
    };
    eachCloth(exec, m, go);
}

// Solves the sheets that may have contact, all of them together in each substep.
template <class Exec>
void solveClothsInContact(Exec& exec, Model& m, State& s, StepDef d, Report& report, bool contact) {
    ClothContactWorkspace& w = *exec.memory->cloths;
    findCoupledBodies(w.coupling, m, s);
    d.substeps = substepsOfCloths(w.coupling, m, s, d);
    if (d.substeps > report.substeps) report.substeps = d.substeps;
    const std::size_t cloths = m.cloths.size();
    if (w.shapeContacts.size() < cloths) {
        w.shapeContacts.resize(cloths);
        w.views.resize(cloths);
        w.plans.resize(cloths);
    }
    // Those of sheets that were removed or quarantined too: the report sums over all.
    for (ClothShapeContacts& t : w.shapeContacts) t.count = t.truncated = 0;
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
    });
    findContactObjects(w, m, s, d, contact);
    const bool pairs = hasContactPairs(w), shapes = contact && !m.bodies.empty(),
               attachments = findAttachments(w, m, s);
    for (int k = 0; k < d.substeps; ++k) {
        const double end = double(k + 1) / d.substeps;
        if (pairs) aimRopes(w, m, s, d, k);
        if (attachments) predictAttachments(w, m, s, d, k);
        each([&](std::size_t i, Cloth&, ClothState& at, auto& run) {
            openCloth(run, w.plans[i], w.views[i]);
            if (w.views[i].x != at.x.data()) at.x.swap(at.next);
        });
        if (attachments) solveAttachments(w, m, s, d);
        if (pairs) {
            loadContactPoints(w, s);
            solveClothContacts(exec, w, m, d);
            storeContactPoints(w, s, d, false);
        }
        if (shapes) solveShapeContacts(each, w, m, s, d, k);
        if (shapes || attachments) moveCoupledBodies(w.coupling, m, s, end, double(d.h()));
        if (pairs) {
            reloadContactPoints(w, s);
            boundClothStep(exec, w, m);
            storeContactPoints(w, s, d, true);
        }
        if (attachments) moveAttachments(w, m, s, d, k);
        each([&](std::size_t i, Cloth&, ClothState&, auto& run) { closeCloth(run, w.plans[i], w.views[i]); });
    }
    each([&](std::size_t i, Cloth& c, ClothState& at, auto& run) {
        run.run(0, w.plans[i].links, ClothStrain{w.views[i]});
        endCloth(c, at);
    });
    endContactObjects(w, m, s, d);
    endBodyCoupling(w.coupling, m, s, double(d.dt));
    w.coupling.contacts.store(s.clothContacts, double(d.dt));
    for (const ClothShapeContacts& t : w.shapeContacts) {
        report.contacts += t.count;
        report.truncated += t.truncated;
    }
    report.contacts += w.pushed;
    report.truncated += w.truncated;
}

// Solves all sheets.
template <class Exec> void solveCloths(Exec& exec, Model& m, State& s, const StepDef& d, Report& report) {
    s.clothContacts.clear();
    if (m.cloths.empty()) return;
    const bool contact = exec.contactWorkspace && mayHaveContacts(m);
    if (exec.memory && exec.memory->cloths) removeClothMass(exec.memory->cloths->attachments, m, s);
    if (contact || anyAttachments(m))
        solveClothsInContact(exec, m, s, d, report, contact);
    else
        solveClothsWithoutContact(exec, m, s, d);
    reportCloths(m, report);
}

} // namespace capstan
