// SPDX-License-Identifier: MIT
// World: the step, the energy, snapshots and the hash.
#include "world/impl.hpp"

#include "builder/field_check.hpp"
#include "collision/geometry/closest.hpp"
#include "solver/cloth/energy.hpp"
#include "solver/coupled/island.hpp"
#include "solver/mechanism/load.hpp"
#include "step/step.hpp"
#include <capstan/check.hpp>

#include <algorithm>
#include <chrono>

namespace capstan {

namespace {

Status checkTasks(const WorldDef& def) {
    if (!def.tasks.parallelFor) return done();
    if (def.pool) return Error{"tasks and pool must not both be given; leave one out", "/tasks"};
    if (def.tasks.workers < 1 || def.tasks.workers > 256)
        return Error{"workers must be from 1 to 256, got " + std::to_string(def.tasks.workers),
                     "/tasks/workers"};
    return done();
}

// Sets the program's job system, the shared pool, or the world's own threads. Existing threads stay if their number is
// right.
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
        return {
            Backend::Cuda, w.device->name(),
            home ? "the CPU steps the ropes: on a GPU they are without contact, joints, winches and breaking"
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

// Returns whether two closed ropes are nearer than the least distance of the step bound, or a contact is still
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
    if (!CAPSTAN_CHECK(dt >= 0 && dt <= 10, "dt must be from 0 to 10 s") || dt == 0) return w.report;
    if (Status good = prepare(dt); !good && !CAPSTAN_CHECK(false, good.error().text().c_str()))
        return w.report;
    w.threads->wake(); // they wake while the work before the first job is done
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
    // Ropes that overlap at the start of a step may leave on either side, even within one step.
    if (w.def.contact && !throughBefore && !throughEachOther(w.model, w.state))
        CAPSTAN_CHECK(linkingNumbers() == linkedBefore, "two closed ropes have passed through each other");
#endif
    w.breakRopes();
    w.listFrozen(frozenBefore);
    w.breakJoints();
    w.listEvents();
    w.tearCloths(clothsBefore);
    w.time += double(dt);
    lap(StepPhase::Finish);
    return w.report;
}

// A rope parts at its most loaded segment, once per step. The two parts may part again in the next step.
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

namespace {

Energy energyOf(const Body& b, const BodyState& s, Vec3 gravity) {
    const Vec3d l = rotate(conjugate(s.q), s.L), &i = b.inertia;
    Energy e;
    e.kinetic = 0.5 * (b.mass * lengthSquared(s.v) + l.x * l.x / i.x + l.y * l.y / i.y + l.z * l.z / i.z);
    e.potential = -b.mass * dot(widen(gravity), s.x);
    return e;
}

// Energy of a spring whose force is at most `strength`. Beyond that stretch its force is constant.
double springEnergy(double stretch, double compliance, double strength) {
    const double d = abs(stretch), most = strength * compliance;
    return d <= most ? 0.5 * d * d / compliance : strength * (d - 0.5 * most);
}

double driveEnergy(const Model& m, const Joint& j, const JointAxis& a, double at) {
    if (a.drive != JointAxis::Drive::Position || !(a.compliance > 0)) return 0;
    return springEnergy(at - driveTarget(m, j, a), a.compliance, a.strength);
}

double elasticEnergy(const Joint& j, const JointState& s, const Model& m, const State& all) {
    if (j.kind == Joint::Kind::Rod && j.compliance > 0)
        return springEnergy(s.distance - j.rest, j.compliance, j.strength);
    if (j.kind == Joint::Kind::Drag) {
        Vec3d point;
        if (j.rope >= 0) {
            point = nodePosition(m.ropes[j.rope], all, j.node);
        } else {
            const BodyState& b = all.bodies[j.body[1]];
            point = Pose{b.x, b.q}.point(j.frame[1].x);
        }
        return springEnergy(length(point - s.dragPoint), j.compliance, j.strength);
    }
    return driveEnergy(m, j, j.turn, s.angle) + driveEnergy(m, j, j.slide, s.distance);
}

} // namespace

Energy World::energy() const {
    const Model& m = in_->model;
    const State& s = in_->state;
    Energy sum;
    auto add = [&](const Energy& e) {
        sum.kinetic += e.kinetic;
        sum.potential += e.potential;
        sum.elastic += e.elastic;
    };
    for (const Rope& r : m.ropes)
        if (r.alive) add(energyOf(r, s, in_->def.gravity));
    for (std::size_t i = 0; i < m.bodies.size(); ++i)
        if (m.bodies[i].alive && m.bodies[i].dynamic())
            add(energyOf(m.bodies[i], s.bodies[i], in_->def.gravity));
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive) add(clothEnergy(m.cloths[i], s.cloths[i], in_->def.gravity));
    for (std::size_t i = 0; i < m.joints.size(); ++i)
        if (m.joints[i].on()) sum.elastic += elasticEnergy(m.joints[i], s.joints[i], m, s);
    return sum;
}

float World::stretch(RopeId id) const {
    const Rope* r = in_->at(id);
    return r ? float(signedStretch(*r, in_->state)) : 0;
}

Snapshot World::snapshot() const {
    Snapshot s;
    s.held_ = std::make_shared<const Moment>(
        Moment{in_->def, in_->model, in_->state, in_->report, in_->events, in_->time});
    return s;
}

void World::restore(const Snapshot& snapshot) {
    if (!CAPSTAN_CHECK(snapshot.held_ != nullptr, "this snapshot is empty")) return;
    const Moment& at = *static_cast<const Moment*>(snapshot.held_.get());
    configure(at.def);
    in_->model = at.model;
    in_->state = at.state;
    in_->report = at.report;
    in_->events = at.events;
    in_->time = at.time;
    in_->listContacts();
    in_->lowestFree = {};
    in_->model.changed = true; // working memory may belong to other ropes
}

// FNV-1a over the bits of positions and velocities: all ropes, then all bodies, then all cloths, then all hair.
std::uint64_t World::hash() const {
    std::uint64_t h = 14695981039346656037ull;
    auto mix = [&](auto a) {
        const auto bits = toBits(a);
        for (unsigned k = 0; k < sizeof bits; ++k) h = (h ^ (bits >> (8 * k) & 255)) * 1099511628211ull;
    };
    for (const Rope& r : in_->model.ropes) {
        for (int k = 0; r.alive && k < r.count; ++k) {
            const Point &x = in_->state.x[r.begin + k], &v = in_->state.v[r.begin + k];
            mix(x.x);
            mix(x.y);
            mix(x.z);
            mix(v.x);
            mix(v.y);
            mix(v.z);
        }
    }
    for (std::size_t i = 0; i < in_->model.bodies.size(); ++i) {
        if (!in_->model.bodies[i].alive) continue;
        const BodyState& b = in_->state.bodies[i];
        for (Vec3d a : {b.x, b.q.vector(), b.v, b.L}) {
            mix(a.x);
            mix(a.y);
            mix(a.z);
        }
        mix(b.q.w);
    }
    for (std::size_t i = 0; i < in_->model.cloths.size(); ++i) {
        const Cloth& c = in_->model.cloths[i];
        for (std::size_t k = 0; c.alive && k < std::size_t(c.count); ++k) {
            const Point &x = in_->state.cloths[i].x[k], &v = in_->state.cloths[i].v[k];
            mix(x.x);
            mix(x.y);
            mix(x.z);
            mix(v.x);
            mix(v.y);
            mix(v.z);
        }
    }
    for (const HairState& hair : in_->state.hairs)
        for (std::size_t i = 0; i < hair.x.size(); ++i) {
            const Point &x = hair.x[i], &v = hair.v[i];
            mix(x.x);
            mix(x.y);
            mix(x.z);
            mix(v.x);
            mix(v.y);
            mix(v.z);
        }
    return h;
}

namespace {
template <class T> std::size_t bytesOf(const std::vector<T>& v) { return v.capacity() * sizeof(T); }

std::size_t bytesOf(Batches& batches) {
    std::size_t sum = 0;
    forEach(Constraints{}, [&]<class C>() {
        Batch<C>& b = batch<C>(batches);
        for (auto& c : b.index) sum += bytesOf(c);
        for (auto& c : b.param) sum += bytesOf(c);
        for (auto& c : b.ask) sum += bytesOf(c);
        sum += bytesOf(b.iterations) + bytesOf(b.lambda);
    });
    return sum;
}
} // namespace

std::size_t World::bytes() const {
    std::size_t sum = sizeof(Impl) + bytesOf(in_->model.gaussSeidel) + bytesOf(in_->model.jacobi);
    in_->state.eachColumn([&](auto& column) { sum += bytesOf(column); });
    const Incidence& inc = in_->model.incidence;
    sum += bytesOf(inc.begin) + bytesOf(inc.row) + bytesOf(inc.slot);
    for (const ChainScratch& c : in_->scratch) sum += c.bytes();
    sum += bytesOf(in_->model.ropes) + bytesOf(in_->model.groups);
    for (const Rope& r : in_->model.ropes) sum += bytesOf(r.pins) + bytesOf(r.loads) + bytesOf(r.def.points);
    for (const TreeScratch& t : in_->treeScratch) sum += t.bytes();
    for (const Mechanism& t : in_->model.mechanisms)
        sum += bytesOf(t.units) + bytesOf(t.loops) + bytesOf(t.drags);
    sum += bytesOf(in_->model.mechanisms) + bytesOf(in_->model.trees) + bytesOf(in_->model.freeBodies);
    sum += bytesOf(in_->model.bodies) + bytesOf(in_->model.joints);
    sum += bytesOf(in_->state.bodies) + bytesOf(in_->state.joints) + bytesOf(in_->state.contacts);
    for (std::size_t i = 0; i < in_->model.cloths.size(); ++i)
        sum += bytesOfCloth(in_->model.cloths[i], in_->state.cloths[i]);
    for (const Body& b : in_->model.bodies) {
        sum += bytesOf(b.shapes) + bytesOf(b.def.shape.points) + bytesOf(b.def.shape.triangles) +
               bytesOf(b.def.parts);
        for (const ShapeDef& part : b.def.parts) sum += bytesOf(part.points) + bytesOf(part.triangles);
        for (const Shape& shape : b.shapes) sum += bytesOf(shape.corners) + bytesOf(shape.triangles);
    }
    for (const Hair& h : in_->model.hairs) {
        sum += sizeof(Hair) + bytesOf(h.roots) + bytesOf(h.levels) + bytesOf(h.faces) + bytesOf(h.obstacles);
        sum += bytesOf(h.def.roots) + bytesOf(h.def.directions) + bytesOf(h.def.scalp.points);
        for (const HairLevel& level : h.levels) sum += bytesOf(level.follow);
    }
    for (const HairState& h : in_->state.hairs)
        sum += sizeof(HairState) + bytesOf(h.x) + bytesOf(h.v) + bytesOf(h.strain) + bytesOf(h.drawn) +
               bytesOf(h.offset);
    return sum;
}

} // namespace capstan
