// SPDX-License-Identifier: MIT
// Implements nodes.hpp. Each of these changes is sudden, so the rope's BDF2 history ends.
#include "solver/rope/nodes.hpp"

#include <algorithm>

namespace capstan {
namespace {

Point mix(const Point& a, const Point& b, float t) {
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), a.w};
}

// Moves the points of the rope from index `from` on by `by` places within the rope's room.
void shift(Rope& r, State& s, int from, int by) {
    const auto begin = std::ptrdiff_t(r.begin);
    s.eachColumn([&](auto& column) {
        auto at = column.begin() + begin;
        if (by > 0)
            std::move_backward(at + from, at + r.count + 1, at + r.count + 1 + by);
        else
            std::move(at + from, at + r.count + 1, at + from + by);
    });
    r.count += by;
    for (Pin& pin : r.pins)
        if (pin.node >= from) pin.node += by;
    for (auto& load : r.loads)
        if (load.first >= from) load.first += by;
    r.history = false;
}

} // namespace

void moveToRoom(Rope& r, State& s, int room) {
    const int begin = s.size();
    s.resize(begin + room);
    for (int k = 0; k <= r.count; ++k) s.copyPoint(begin + k, s, r.begin + k);
    r.begin = begin;
    r.room = room;
}

void setMasses(Rope& r, State& s) {
    const bool closed = r.def.closed;
    for (int k = 0; k < r.count; ++k) {
        float before = k > 0 ? s.rest[r.begin + k] : closed ? s.rest[r.begin + r.count] : 0;
        float after = k < r.segments() ? s.rest[r.begin + k + 1] : 0;
        s.v[r.begin + k].w = 0.5f * r.massPerLength * (before + after);
    }
    for (const auto& [node, mass] : r.loads) s.v[r.begin + node].w += mass;
    r.totalMass = 0;
    for (int k = 0; k < r.count; ++k) {
        s.x[r.begin + k].w = 1 / s.v[r.begin + k].w;
        r.totalMass += s.v[r.begin + k].w;
    }
    for (const Pin& pin : r.pins) s.x[r.begin + pin.node].w = 0;
}

void insertNode(Rope& r, State& s, int segment, float behind) {
    if (r.count + 1 >= r.room) moveToRoom(r, s, r.room + r.room / 2 + 2);
    const int node = segment + 1; // index of the new node; the node at the segment's end gets the index node
                                  // + 1
    shift(r, s, node, 1);
    const int a = r.begin + segment, o = r.begin + node, b = o + 1;
    const float whole = s.rest[b], t = whole > 0 ? 1 - behind / whole : 0.5f;
    for (auto* column : {&s.x, &s.v, &s.low, &s.before, &s.dBefore}) {
        auto& c = *column;
        c[o] = mix(c[a], c[b], t);
    }
    if (!s.force.empty()) s.force[o] = {0, 0, 0, 0};
    s.rest[o] = whole - behind;
    s.rest[b] = behind;
    s.tension[o] = s.tension[b];
    setMasses(r, s);
}

void removeNode(Rope& r, State& s, int node) {
    const float whole = s.rest[r.begin + node] + s.rest[r.begin + node + 1];
    std::erase_if(r.pins, [&](const Pin& pin) { return pin.node == node; });
    std::erase_if(r.loads, [&](const auto& load) { return load.first == node; });
    shift(r, s, node + 1, -1);
    s.rest[r.begin + node] = whole;
    setMasses(r, s);
}

void cutRope(Rope& r, Rope& tail, State& s, int segment) {
    const int start = segment + 1;
    tail = r;
    tail.count = r.count - start;
    moveToRoom(r, s, r.room); // the tail keeps the old points, so they need no copy
    tail.begin += start;
    tail.room -= start;
    r.count = start;
    for (int end : {0, 1}) (end == 0 ? tail : r).clamp[end] = {0, 0, 0};
    r.winchSpeed[1] = tail.winchSpeed[0] = 0;
    std::erase_if(r.pins, [&](const Pin& p) { return p.node >= start; });
    std::erase_if(tail.pins, [&](const Pin& p) { return p.node < start; });
    std::erase_if(r.loads, [&](const auto& l) { return l.first >= start; });
    std::erase_if(tail.loads, [&](const auto& l) { return l.first < start; });
    for (Pin& p : tail.pins) p.node -= start;
    for (auto& l : tail.loads) l.first -= start;
    for (Rope* part : {&r, &tail}) {
        part->history = false;
        setMasses(*part, s);
    }
}

void openRing(Rope& r, State& s, int segment) {
    // Node segment + 1 becomes node 0.
    const int n = r.count, start = (segment + 1) % n;
    s.eachColumn([&](auto& column) {
        // A segment is stored at the index of the node where it ends. The closing segment is stored at n and
        // first moves to index 0, before segment 0. Then the columns of nodes and of segments rotate by the
        // same amount.
        auto at = column.begin() + r.begin;
        using T = std::decay_t<decltype(*at)>;
        if constexpr (std::is_same_v<T, float>) at[0] = at[n];
        std::rotate(at, at + start, at + n);
    });
    r.def.closed = false;
    for (Pin& p : r.pins) p.node = (p.node - start + n) % n;
    for (auto& l : r.loads) l.first = (l.first - start + n) % n;
    r.history = false;
    setMasses(r, s);
}

bool jointed(const Model& m, int rope, int node) {
    return std::any_of(m.joints.begin(), m.joints.end(), [&](const Joint& j) {
        return j.alive && j.rope == rope && (node < 0 || j.node == node);
    });
}

void writeNode(Joint& j, const Rope& r) { j.def.node = j.def.node < 0 ? j.node - r.count : j.node; }

void renumber(Model& m, int rope, int from, int by) {
    for (Joint& j : m.joints) {
        if (!j.alive || j.rope != rope) continue;
        if (j.node >= from) j.node += by;
        writeNode(j, m.ropes[rope]);
    }
}

void tidy(Model& m, State& s) {
    int used = 1;
    for (const Rope& r : m.ropes)
        if (r.alive) used += r.room;
    if (s.size() <= 2 * used + 64) return;
    State packed;
    if (!s.force.empty()) packed.force.resize(1);
    packed.resize(used);
    int next = 1;
    for (Rope& r : m.ropes) {
        if (!r.alive) continue;
        for (int k = 0; k <= r.count; ++k) packed.copyPoint(next + k, s, r.begin + k);
        r.begin = next;
        next += r.room;
    }
    packed.bodies = std::move(s.bodies);
    packed.joints = std::move(s.joints);
    packed.cloths = std::move(s.cloths);
    packed.hairs = std::move(s.hairs);
    packed.contacts = std::move(s.contacts);
    s = std::move(packed);
}

} // namespace capstan
