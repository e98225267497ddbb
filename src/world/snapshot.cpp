// SPDX-License-Identifier: MIT
// World: snapshots of all data that later steps depend on, the hash of its positions and velocities, and its size in
// memory.
//
// The hash is 64-bit FNV-1a (Fowler, Noll, Vo 1991): h = (h xor byte) * prime, byte by byte.
#include "world/impl.hpp"

#include "solver/cloth/energy.hpp"
#include <capstan/check.hpp>

namespace capstan {

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
    in_->bodyTree.markStale();
    in_->model.changed = true; // working memory may belong to other ropes
}

// Hashes the bits of positions and velocities: first all ropes, then all bodies, all cloths and all hair.
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
