// SPDX-License-Identifier: MIT
// World: stepping, energy, snapshots, the hash.
#include <capstan/world_inside.hpp>

#include <capstan/check.hpp>
#include <capstan/make/field_check.hpp>
#include <capstan/step/step.hpp>

#include <cstring>

namespace capstan {

void World::configure(const WorldDef& def) {
    if (auto e = checkFields(def); e && !CAPSTAN_CHECK(false, e->text().c_str())) return;
    if (!in_->threads || in_->threads->count() != def.threads)
        in_->threads = std::make_unique<Threads>(def.threads);
    in_->def = def;
    in_->model.changed = true; // the lanes of a group depend on the backend
}

const WorldDef& World::def() const { return in_->def; }
const Report& World::report() const { return in_->report; }
double World::time() const { return in_->time; }
std::span<const Event> World::events() const { return in_->events; }

const Report& World::step(float dt) {
    Inside& w = *in_;
    if (!CAPSTAN_CHECK(dt > 0 && dt <= 10, "dt must be above 0 and at most 10 s")) return w.report;
    w.events.clear();
    const StepDef d = {w.def.gravity, w.def.substeps, dt};
    ExecScalar scalar{*w.threads, w.scratch};
    ExecSimd simd{scalar};
    const bool wide = w.def.backend == Backend::Simd;
    w.report = wide ? capstan::step(simd, w.model, w.state, d) : capstan::step(scalar, w.model, w.state, d);
    w.breakRopes();
    w.time += double(dt);
    return w.report;
}

// A rope parts at its most loaded segment, once per step; the two parts may part again in the next.
void World::Inside::breakRopes() {
    const std::size_t slots = model.ropes.size(); // parts born here are not looked at again
    for (std::uint32_t i = 0; i < slots; ++i) {
        const Rope& r = model.ropes[i];
        if (r.alive && r.frozen && report.quarantined > 0)
            events.push_back({Event::Kind::RopeQuarantined, idOf(i), {}, 0, 0});
        if (!r.alive || r.frozen || !(r.def.breakTension > 0) || r.count < 3) continue;
        int worst = 0;
        const float* tension = state.tension.data() + r.begin + 1;
        for (int k = 1; k < r.segments(); ++k)
            if (tension[k] > tension[worst]) worst = k;
        if (!(tension[worst] > r.def.breakTension)) continue;
        Event e = {Event::Kind::RopeBroke, idOf(i), {}, worst, tension[worst]};
        e.other = cut(i, worst);
        events.push_back(e);
    }
}

Energy World::energy() const {
    Energy sum;
    for (const Rope& r : in_->model.ropes) {
        if (!r.alive) continue;
        const Energy e = energyOf(r, in_->state, in_->def.gravity);
        sum.kinetic += e.kinetic, sum.potential += e.potential, sum.elastic += e.elastic;
    }
    return sum;
}

float World::stretch(RopeId id) const {
    const Rope* r = in_->rope(id);
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
    in_->model = at.model, in_->state = at.state;
    in_->report = at.report, in_->events = at.events, in_->time = at.time;
    in_->lowestFree = 0;
    in_->model.changed = true; // working memory may have been fitted to other ropes
}

// FNV-1a over the bits of places and speeds, rope by rope.
std::uint64_t World::hash() const {
    std::uint64_t h = 14695981039346656037ull;
    auto mix = [&](float a) {
        std::uint32_t bits;
        std::memcpy(&bits, &a, sizeof bits);
        for (int k = 0; k < 4; ++k) h = (h ^ (bits >> (8 * k) & 255)) * 1099511628211ull;
    };
    for (const Rope& r : in_->model.ropes) {
        for (int k = 0; r.alive && k < r.count; ++k) {
            const Point &x = in_->state.x[r.begin + k], &v = in_->state.v[r.begin + k];
            mix(x.x), mix(x.y), mix(x.z), mix(v.x), mix(v.y), mix(v.z);
        }
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
        sum += bytesOf(b.sweeps) + bytesOf(b.lambda);
    });
    return sum;
}
} // namespace

std::size_t World::bytes() const {
    std::size_t sum = sizeof(Inside) + bytesOf(in_->model.gaussSeidel) + bytesOf(in_->model.jacobi);
    in_->state.eachColumn([&](auto& column) { sum += bytesOf(column); });
    const Incidence& inc = in_->model.incidence;
    sum += bytesOf(inc.begin) + bytesOf(inc.row) + bytesOf(inc.slot);
    for (const ChainScratch& c : in_->scratch) sum += bytesOf(c.nodes) + bytesOf(c.rings);
    sum += bytesOf(in_->model.ropes) + bytesOf(in_->model.groups);
    for (const Rope& r : in_->model.ropes) sum += bytesOf(r.pins) + bytesOf(r.loads) + bytesOf(r.def.points);
    return sum;
}

} // namespace capstan
