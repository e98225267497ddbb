// SPDX-License-Identifier: MIT
// Builds the batches and groups of the solvers from the ropes. It runs after objects were added, removed or edited,
// and when the set of objects with contact changes.
#include "model/model.hpp"

#include <capstan/math/transcendental.hpp>

#include <algorithm>

namespace capstan {
namespace {

// The nearest pin along the rope, and the rest length of rope up to that pin [m]. node < 0: the rope has no pin.
struct NearestPin {
    int node = -1;
    float arc = 0;
};

std::vector<NearestPin> nearestPins(const Rope& r, const State& s) {
    std::vector<NearestPin> nearest(std::size_t(r.count));
    for (const Pin& pin : r.pins) {
        for (int step : {-1, 1}) {
            float arc = 0;
            for (int k = pin.node; k >= 0 && k < r.count; k += step) {
                NearestPin& n = nearest[k];
                if (n.node < 0 || arc < n.arc) n = {pin.node, arc};
                arc += step > 0 ? (k + 1 < r.count ? s.rest[r.begin + k + 1] : 0) : s.rest[r.begin + k];
            }
        }
    }
    return nearest;
}

void addConstraints(Batches& b, const Rope& r, const State& s) {
    const RopeDef& d = r.def;
    const int iterations = d.iterations;
    const float l = r.segmentLength;
    auto point = [&](int node) { return std::int32_t(r.begin + (node + r.count) % r.count); };

    for (int k = 0; k < r.segments(); ++k) {
        float rest = s.rest[r.begin + k + 1];
        float compliance = d.stretchStiffness > 0 ? rest / d.stretchStiffness : 0;
        batch<Distance>(b).add({point(k), point(k + 1)}, {rest, compliance}, iterations);
    }
    for (int k = d.closed ? 0 : 1; k < (d.closed ? r.count : r.count - 1); ++k) {
        if (d.bendStiffness > 0)
            batch<Bend>(b).add({point(k - 1), point(k), point(k + 1)}, {0, l * l * l / d.bendStiffness},
                               iterations);
        if (d.maxBend > 0)
            batch<BendLimit>(b).add({point(k - 1), point(k), point(k + 1)}, {2 * l * sin(d.maxBend / 2), 0},
                                    iterations);
    }
    if (d.tethers && !d.closed) {
        std::vector<NearestPin> nearest = nearestPins(r, s);
        for (int k = 0; k < r.count; ++k)
            if (nearest[k].node >= 0 && std::abs(nearest[k].node - k) > 1)
                batch<Tether>(b).add({point(nearest[k].node), point(k)}, {nearest[k].arc, 0}, iterations);
    }
}

// Puts ropes of similar length into groups. Unused lanes repeat the first rope of the group, and their results are
// dropped.
void addGroups(Model& m, std::vector<int> ropes, int lanes) {
    auto kind = [&](int i) { return 2 * int(m.ropes[i].def.closed) + int(m.ropes[i].bends()); };
    std::sort(ropes.begin(), ropes.end(), [&](int a, int b) { // slots are unique, so there are no ties
        if (kind(a) != kind(b)) return kind(a) < kind(b);
        return m.ropes[a].count != m.ropes[b].count ? m.ropes[a].count > m.ropes[b].count : a < b;
    });
    const int most = std::min(lanes, ChainGroup::kMost);
    for (std::size_t i = 0; i < ropes.size();) {
        const int head = ropes[i];
        ChainGroup g;
        g.nodes = m.ropes[head].count;
        g.closed = m.ropes[head].def.closed;
        g.bends = m.ropes[head].bends();
        auto fits = [&](int r) {
            if (kind(r) != kind(head)) return false;
            return g.closed ? m.ropes[r].count == g.nodes : m.ropes[r].count * 5 >= g.nodes * 4;
        };
        while (i < ropes.size() && g.ropes < most && fits(ropes[i])) g.rope[g.ropes++] = ropes[i++];
        g.width = g.ropes > 4 ? 8 : g.ropes > 1 ? 4 : 1;
        for (int k = g.ropes; k < g.width; ++k) g.rope[k] = g.rope[0];
        m.chainScratchNodes = std::max(m.chainScratchNodes, (g.nodes + 1) * g.width);
        m.groups.push_back(g);
    }
}

// Makes a pin of each node that is joined to a static or kinematic body. The pin moves with the body.
void pinToGround(Model& m, State& s) {
    for (Rope& r : m.ropes) {
        for (const Pin& pin : r.pins)
            if (pin.joint >= 0) s.x[r.begin + pin.node].w = 1 / s.v[r.begin + pin.node].w;
        std::erase_if(r.pins, [](const Pin& pin) { return pin.joint >= 0; });
    }
    for (int i = 0; i < int(m.joints.size()); ++i) {
        const Joint& j = m.joints[i];
        if (!j.on() || j.rope < 0 || j.kind == Joint::Kind::Drag) continue;
        if (j.body[1] >= 0 && m.bodies[j.body[1]].dynamic()) continue;
        Rope& r = m.ropes[j.rope];
        const Point& x = s.x[r.begin + j.node];
        r.pins.push_back({j.node, {x.x, x.y, x.z}, i});
        s.x[r.begin + j.node].w = 0;
    }
}

} // namespace

void rebuild(Model& m, State& s, int lanes) {
    forEach(Constraints{}, [&]<class C>() {
        batch<C>(m.gaussSeidel).clear();
        batch<C>(m.jacobi).clear();
    });
    m.groups.clear();
    m.iterativeNodes.clear();
    m.iterations = 0;
    m.chainScratchNodes = 0;
    pinToGround(m, s);
    findMechanisms(m, lanes);
    std::vector<bool> tied(m.ropes.size(), false), held(m.bodies.size(), false);
    for (const Mechanism& mechanism : m.mechanisms)
        for (const Unit& u : mechanism.units) (u.rope ? tied : held)[u.slot] = true;
    m.freeBodies.clear();
    for (int i = 0; i < int(m.bodies.size()); ++i)
        if (m.bodies[i].alive && m.bodies[i].dynamic() && !held[i] && !m.bodies[i].inContact)
            m.freeBodies.push_back(i);
    std::vector<int> chains;
    for (int i = 0; i < int(m.ropes.size()); ++i) {
        const Rope& r = m.ropes[i];
        if (!r.alive || r.frozen || tied[i] || r.inContact) continue;
        if (r.chain()) {
            chains.push_back(i);
        } else {
            addConstraints(r.def.solver == Solver::Jacobi ? m.jacobi : m.gaussSeidel, r, s);
            m.iterativeNodes.push_back({r.begin, r.begin + r.count, i});
            m.iterations = std::max(m.iterations, r.def.iterations);
        }
    }
    addGroups(m, std::move(chains), lanes);
    colorModel(m, s.size());
    m.changed = false;
    ++m.version;
}

} // namespace capstan
