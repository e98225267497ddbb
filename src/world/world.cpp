// SPDX-License-Identifier: MIT
// World: construction, and the calls for ropes. Bodies are in bodies.cpp, joints in joints.cpp, the step in step.cpp.
// Calls that every kind of object has are in objects.cpp.
#include "world/impl.hpp"

#include "builder/field_check.hpp"
#include "builder/rope.hpp"
#include "solver/rope/nodes.hpp"
#include <capstan/check.hpp>

#include <algorithm>

namespace capstan {

World::World(const WorldDef& def) {
    in_->state.resize(1);  // point 0 belongs to no rope (state.hpp)
    configure(WorldDef{}); // stays in force if `def` is invalid
    configure(def);
}

Result<World> World::make(const WorldDef& def) {
    World world;
    if (Status good = world.tryConfigure(def); !good) return good.error();
    return world;
}

World::Hold::Hold() : inside_(std::make_unique<Impl>()) {}
World::Hold::~Hold() = default;
World::Hold::Hold(Hold&&) noexcept = default;
World::Hold& World::Hold::operator=(Hold&&) noexcept = default;

World::Impl* World::Hold::operator->() const {
    if (inside_->device) inside_->device->download(inside_->model, inside_->state);
    return inside_.get();
}
World::Impl* World::Hold::operator->() {
    std::as_const(*this).operator->();
    if (inside_->device) inside_->device->invalidate();
    return inside_.get();
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

// Returns the rope and replaces a negative `node`, which counts from the last end, by its index.
Rope* World::Impl::ropeNode(RopeId id, int& node) {
    Rope* r = at(id);
    if (!r) return nullptr;
    if (node < 0) node += r->count;
    return CAPSTAN_CHECK(node >= 0 && node < r->count, "the rope has no such node") ? r : nullptr;
}

Status World::Impl::draft(const RopeDef& d, RopeDraft&) const { return checkRope(d, def.gravity); }

void World::Impl::insert(RopeId id, const RopeDef& d, RopeDraft&&) {
    makeRope(d, def.gravity, model.ropes[id.index], state);
    model.changed = true;
}

void World::Impl::beforeRemove(RopeId id) {
    rehang(int(id.index), [](int) { return std::pair(-1, 0); });
    dropContacts(ropeElement(int(id.index)));
}

void World::Impl::afterRemove(RopeId) {
    tidy(model, state);
    model.changed = true;
}

Status World::Impl::applyUpdate(RopeId id, const RopeDef& d) {
    Rope& r = model.ropes[id.index];
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkMaterial(d.material, "a rope", true)) return *e;
    const RopeDef& old = r.def;
    if (d.closed != old.closed || d.segments != old.segments || d.mass != old.mass || d.length != old.length)
        return Error{"the layout of a rope (closed, segments, mass, length) cannot be changed", ""};
    if (d.solver != Solver::Chain && (lengthSquared(r.clamp[0]) > 0 || lengthSquared(r.clamp[1]) > 0))
        return Error{"clamps need the chain solver", "/solver"};
    if (d.solver != Solver::Chain && jointed(model, int(id.index)))
        return Error{"only a rope solved by chain can be joined to a body", "/solver"};
    if (d.closed && r.count < 6 && (d.bendStiffness > 0 || d.maxBend > 0))
        return Error{"a closed rope that bends needs at least 6 segments", "/bendStiffness"};
    if (d.solver != old.solver) forgetLow(r);
    r.def = d;
    r.history = false;
    model.changed = true;
    return done();
}

// Clears State::low of the rope. The iterative solvers use only the float x and do not maintain its rounding error.
void World::Impl::forgetLow(const Rope& r) {
    for (int k = 0; k < r.count; ++k) state.low[r.begin + k] = {0, 0, 0, 0};
}

void World::setWinchSpeed(RopeId id, int end, float speed) {
    Rope* r = in_->ropeNode(id, end);
    if (!r ||
        !CAPSTAN_CHECK(end == 0 || end == r->count - 1, "a winch must be at the first or the last node") ||
        !CAPSTAN_CHECK(!r->def.closed, "a closed rope has no end for a winch") ||
        !CAPSTAN_CHECK(speed - speed == 0, "the speed must be finite"))
        return;
    r->winchSpeed[end == 0 ? 0 : 1] = speed;
}

RopeId World::cut(RopeId id, int segment) {
    Rope* r = in_->at(id);
    if (!r) return {};
    if (segment < 0) segment += r->segments();
    if (!CAPSTAN_CHECK(segment >= 0 && segment < r->segments(), "the rope has no such segment")) return {};
    return in_->cut(id.index, segment);
}

RopeId World::Impl::cut(std::uint32_t slot, int segment) {
    model.changed = true;
    dropContacts(ropeElement(int(slot))); // the segments get new numbers
    const int n = model.ropes[slot].count, start = segment + 1, here = int(slot);
    if (model.ropes[slot].def.closed) {
        openRing(model.ropes[slot], state, segment);
        return {}; // a closed rope has no joints
    }
    // A part of one node would have no length. So such a cut only drops that node and its segment.
    if (n < 4 || segment == 0 || segment == n - 2) return trim(slot, segment);
    const std::uint32_t other = claimSlot(model.ropes, freeSlot<RopeId>());
    const std::uint32_t generation = model.ropes[other].generation;
    Rope& r = model.ropes[slot];
    cutRope(r, model.ropes[other], state, segment);
    model.ropes[other].generation = generation;
    model.ropes[other].def.name = uniqueName(r.def.name);
    rehang(here, [&](int node) {
        return node < start ? std::pair(here, node) : std::pair(int(other), node - start);
    });
    return idOf<RopeId>(other);
}

// Cuts off an end segment. The end node is dropped, with its load and its joints. A rope of one segment cannot be
// cut.
RopeId World::Impl::trim(std::uint32_t slot, int segment) {
    Rope& r = model.ropes[slot];
    if (!CAPSTAN_CHECK(r.count > 2, "a rope of one segment cannot be cut")) return {};
    Rope dropped;
    cutRope(r, dropped, state, segment);
    const int start = segment + 1, here = int(slot);
    const bool keepTail = r.count < dropped.count;
    if (keepTail) {
        dropped.generation = r.generation;
        r = dropped;
    }
    rehang(here, [&](int node) {
        if ((node < start) == keepTail) return std::pair(-1, 0);
        return std::pair(here, keepTail ? node - start : node);
    });
    return {};
}

std::string World::Impl::uniqueName(const std::string& name) const {
    if (name.empty()) return name;
    for (int k = 2;; ++k) {
        std::string candidate = name + "." + std::to_string(k);
        bool taken = false;
        for (const Rope& r : model.ropes) taken = taken || (r.alive && r.def.name == candidate);
        if (!taken) return candidate;
    }
}

std::span<const Point> World::positions(RopeId id) const {
    const Rope* r = in_->at(id);
    if (!r) return {};
    return {in_->state.x.data() + r->begin, std::size_t(r->count)};
}

std::span<const Point> World::velocities(RopeId id) const {
    const Rope* r = in_->at(id);
    if (!r) return {};
    return {in_->state.v.data() + r->begin, std::size_t(r->count)};
}

std::span<const float> World::tensions(RopeId id) const {
    const Rope* r = in_->at(id);
    if (!r) return {};
    return {in_->state.tension.data() + r->begin + 1, std::size_t(r->segments())};
}

std::span<const float> World::restLengths(RopeId id) const {
    const Impl& w = in_.asItIs();
    const Rope* r = w.at(id);
    if (!r) return {};
    return {w.state.rest.data() + r->begin + 1, std::size_t(r->segments())};
}

float World::maxStrain(RopeId id) const {
    const Rope* r = in_.asItIs().at(id);
    return r ? r->strain : 0;
}

} // namespace capstan
