// SPDX-License-Identifier: MIT
// World: its configuration, and the step with the events that it lists.
#include "world/impl.hpp"

#include "builder/field_check.hpp"
#include "collision/geometry/closest.hpp"
#include "solver/coupled/island.hpp"
#include "step/step.hpp"
#include <capstan/check.hpp>

#include <algorithm>
#include <chrono>

namespace capstan {

namespace {

// A shorter step is skipped, s. Tensions are multipliers over h^2. Of a single float, h^2 is 0 below 1e-23 s, and tensions
// of 1e-18 s were infinite. In 1e-9 s nothing that moves slower than 60 m/s leaves its float at 1 m from the origin.
constexpr float kLeastStep = 1e-9f;

Status checkTasks(const WorldDef& def) {
    if (!def.tasks.parallelFor) return done();
    if (def.pool) return Error{"tasks and pool must not both be given; leave one out", "/tasks"};
    if (def.tasks.workers < 1 || def.tasks.workers > 256)
        return Error{"workers must be from 1 to 256, got " + std::to_string(def.tasks.workers),
                     "/tasks/workers"};
    return done();
}

// Sets the program's job system, the shared pool, or the World's own threads. Existing threads are kept if their
// number is right.
void setWorkers(std::shared_ptr<Threads>& threads, const WorldDef& def) {
    if (def.tasks.parallelFor)
        threads = std::make_shared<Threads>(def.tasks);
    else if (def.pool)
        threads = std::shared_ptr<Threads>(def.pool, &def.pool->threads);
    else if (!threads || threads->count() != def.threads || threads.use_count() > 1 || threads->hosted())
        threads = std::make_shared<Threads>(def.threads);
}

} // namespace

void World::configure(const WorldDef& def) {
    if (Status good = tryConfigure(def); !good) CAPSTAN_CHECK(false, good.error().text().c_str());
}

Status World::tryConfigure(const WorldDef& def) {
    if (auto e = checkFields(def)) return *e;
    if (Status good = checkTasks(def); !good) return good;
    Impl& w = *in_;
    const bool gpu = def.backend == Backend::Cuda || def.backend == Backend::Best;
    std::string why;
    if (gpu && !w.device) {
        auto opened = Device::open();
        if (!opened && def.backend == Backend::Cuda) return opened.error();
        if (opened)
            w.device = std::move(*opened);
        else
            why = opened.error().what;
    }
    if (!gpu) w.device.reset();
    if (w.device) w.device->limit(std::size_t(1e9 * double(def.deviceMemory)));
    setWorkers(w.threads, def);
    if (!w.contactWorkspace) w.contactWorkspace = std::make_shared<ContactWorkspace>();
    w.def = def;
    w.why = why;
    w.model.damping = def.damping;
    w.model.xpbd = def.jointSolver == JointSolver::Xpbd;
    w.model.changed = true; // the number of lanes of a group depends on the backend
    return done();
}

BackendInfo World::backendInfo() const {
    const Impl& w = in_.asItIs();
    if (w.device) {
        bool ropes = false;
        for (const Rope& r : w.model.ropes) ropes = ropes || r.alive;
        const bool home = ropes && !w.device->hasRopes();
        return {Backend::Cuda, w.device->name(),
                home ? "the CPU steps the ropes, because ropes with contact, joints, winches or breaking do "
                       "not run on the GPU"
                     : w.why};
    }
    return {w.def.backend == Backend::Scalar ? Backend::Scalar : Backend::Simd, "", w.why};
}

const WorldDef& World::def() const { return in_.asItIs().def; }
const Report& World::report() const { return in_.asItIs().report; }
const StepTimes& World::stepTimes() const { return in_.asItIs().times; }
void World::setStepTiming(bool on) {
    in_.asItIs().timed = on;
    in_.asItIs().times = {};
}
double World::time() const { return in_.asItIs().time; }
std::span<const Event> World::events() const { return in_.asItIs().events; }

Status World::prepare(float dt) {
    Impl& w = in_.asItIs();
    if (!w.device) return done();
    const StepDef d = {w.def.gravity, w.def.substeps, dt, w.def.minSeparationRatio};
    Status taken = w.device->upload(w.model, w.state, d, w.def.contact);
    if (taken || w.def.backend == Backend::Cuda) return taken;
    w.device->download(w.model, w.state);
    w.device.reset();
    w.why = taken.error().what;
    return done();
}

#ifndef NDEBUG
namespace {

// Returns true if two closed ropes are nearer than the least distance that the step bound allows, or if a contact is
// embedded.
bool throughEachOther(const Model& m, const State& s) {
    for (const StoredContact& touch : s.contacts)
        if (touch.embedded) return true;
    auto at = [&](const Rope& r, int k) { return widen(Vec3(s.x[r.begin + k % r.count])); };
    for (std::size_t i = 0; i < m.ropes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Rope &a = m.ropes[i], &b = m.ropes[j];
            if (!a.alive || !b.alive || !a.def.closed || !b.def.closed) continue;
            const double near = CoupledDef{}.floor * widen(a.def.radius + b.def.radius);
            for (int k = 0; k < a.count; ++k)
                for (int l = 0; l < b.count; ++l)
                    if (closest(at(a, k), at(a, k + 1), at(b, l), at(b, l + 1)).distanceSquared < near * near)
                        return true;
        }
    return false;
}

} // namespace
#endif

const Report& World::step(float dt) {
    using Clock = std::chrono::steady_clock;
    Impl& w = in_.asItIs();
    Clock::time_point since = w.timed ? Clock::now() : Clock::time_point();
    const auto lap = [&](StepPhase phase) {
        if (!w.timed) return;
        const Clock::time_point now = Clock::now();
        w.times[phase] = std::chrono::duration<float>(now - since).count();
        since = now;
    };
    if (!CAPSTAN_CHECK(dt >= 0 && dt <= 10, "dt must be from 0 to 10 s") || dt < kLeastStep) return w.report;
    if (Status good = prepare(dt); !good && !CAPSTAN_CHECK(false, good.error().text().c_str()))
        return w.report;
    w.threads->wake(); // the workers wake up during the work before the first job
    w.events.clear();
    std::swap(w.pairsBefore, w.pairsNow);
#ifndef NDEBUG
    const std::vector<int> linkedBefore = w.def.contact ? linkingNumbers() : std::vector<int>{};
    const bool throughBefore = w.def.contact && throughEachOther(w.model, w.state);
#endif
    const std::vector<BodyId> frozenBefore = w.frozenBodies();
    const std::vector<bool> clothsBefore = w.frozenCloths();
    w.detachCloths();
    const StepDef d = {w.def.gravity, w.def.substeps, dt, w.def.minSeparationRatio};
    ExecScalar scalar{*w.threads, w.scratch, w.treeScratch,
                      w.def.contact ? w.contactWorkspace.get() : nullptr, w.contactWorkspace.get()};
    ExecSimd simd{scalar};
    if (w.device) {
        ExecCuda cuda{simd, *w.device};
        w.report = capstan::step(cuda, w.model, w.state, d, lap);
    } else if (w.def.backend == Backend::Scalar) {
        w.report = capstan::step(scalar, w.model, w.state, d, lap);
    } else {
        w.report = capstan::step(simd, w.model, w.state, d, lap);
    }
#ifndef NDEBUG
    // Ropes that overlap at the start of a step may separate to either side, even within one step.
    if (w.def.contact && !throughBefore && !throughEachOther(w.model, w.state))
        CAPSTAN_CHECK(linkingNumbers() == linkedBefore, "two closed ropes have passed through each other");
#endif
    w.breakRopes();
    w.listFrozen(frozenBefore);
    w.breakJoints();
    w.listEvents();
    w.tearCloths(clothsBefore);
    w.bodyTree.markStale();
    w.time += double(dt);
    lap(StepPhase::Finish);
    return w.report;
}

// Parts each rope whose largest tension exceeds breakTension at that segment, once per step. The two parts may part
// again in the next step. Also lists ropes that were frozen.
void World::Impl::breakRopes() {
    const std::size_t slots = model.ropes.size(); // new parts are not checked in this step
    for (std::uint32_t i = 0; i < slots; ++i) {
        const Rope& r = model.ropes[i];
        if (r.alive && r.frozen && report.quarantined > 0)
            events.push_back({.kind = Event::Kind::Quarantined,
                              .a = idOf<RopeId>(i),
                              .b = {},
                              .userDataA = r.def.userData});
        if (!r.alive || r.frozen || !(r.def.breakTension > 0) || r.count < 3) continue;
        int worst = 0;
        const float* tension = state.tension.data() + r.begin + 1;
        for (int k = 1; k < r.segments(); ++k)
            if (tension[k] > tension[worst]) worst = k;
        if (!(tension[worst] > r.def.breakTension)) continue;
        Event e;
        e.kind = Event::Kind::Broke;
        e.a = idOf<RopeId>(i);
        e.elementA = worst;
        e.force = tension[worst];
        e.userDataA = r.def.userData;
        e.b = cut(i, worst);
        e.userDataB = userDataOf(e.b);
        events.push_back(e);
    }
}

std::vector<BodyId> World::Impl::frozenBodies() const {
    std::vector<BodyId> ids;
    for (std::uint32_t i = 0; i < model.bodies.size(); ++i)
        if (model.bodies[i].alive && model.bodies[i].frozen) ids.push_back(idAt<BodyTag>(model.bodies, i));
    return ids;
}

// Adds one event for each body that was frozen in this step.
void World::Impl::listFrozen(const std::vector<BodyId>& before) {
    for (BodyId body : frozenBodies()) {
        if (std::find(before.begin(), before.end(), body) != before.end()) continue;
        Event e;
        e.kind = Event::Kind::Quarantined;
        e.a = body;
        e.userDataA = userDataOf(body);
        events.push_back(e);
        model.changed = true; // the body leaves its groups before the next step
    }
}

} // namespace capstan
