// SPDX-License-Identifier: MIT
// See mechanisms.hpp. The joints form a graph, which is split into connected trees with loops.
#include "model/mechanisms.hpp"

#include "model/model.hpp"

#include <algorithm>
#include <map>

namespace capstan {
namespace {

// The two sides of a joint as nodes of the graph. Bodies have the numbers from 0, ropes follow them, and ground is
// -1.
struct Sides {
    int a = -1, b = -1;
};

class Finder {
public:
    explicit Finder(Model& m) : m_(m), bodies_(int(m.bodies.size())) {
        const std::size_t nodes = m.bodies.size() + m.ropes.size();
        edges_.resize(nodes);
        unit_.assign(nodes, -1);
        for (int j = 0; j < int(m.joints.size()); ++j) {
            if (!m.joints[j].on()) continue;
            const Sides s = sides(j);
            for (int side : {s.a, s.b})
                if (side >= 0) edges_[side].push_back(j);
        }
    }

    // Mechanisms that are connected to the ground get their root there; the others at their heaviest body.
    void find() {
        for (int j = 0; j < int(m_.joints.size()); ++j) {
            const Joint& joint = m_.joints[j];
            if (!joint.on() || joint.kind == Joint::Kind::Drag) continue;
            const Sides s = sides(j);
            if ((s.a < 0) == (s.b < 0)) continue;
            const int first = s.a < 0 ? s.b : s.a;
            if (first < bodies_ && unit_[first] < 0) grow(first, j);
        }
        std::vector<int> rest;
        for (int i = 0; i < bodies_; ++i)
            if (moves(i) && unit_[i] < 0 && !edges_[i].empty()) rest.push_back(i);
        std::sort(rest.begin(), rest.end(), [&](int a, int b) { // slots are unique, so there are no ties
            const double x = m_.bodies[a].mass, y = m_.bodies[b].mass;
            return x != y ? x > y : a < b;
        });
        for (int i : rest) {
            if (unit_[i] >= 0) continue;
            // A pinned rope is the better root, because a pin on any other rope would form a loop with the root.
            const int pinned = pinnedRope(i);
            grow(pinned >= 0 ? pinned : i, -1);
        }
        for (int i = bodies_; i < int(edges_.size()); ++i) // ropes with a drag joint only
            if (unit_[i] < 0 && !edges_[i].empty()) grow(i, -1);
    }

private:
    bool moves(int body) const { return m_.bodies[body].alive && m_.bodies[body].dynamic(); }
    int nodeOf(int body) const { return body >= 0 && moves(body) ? body : -1; }
    Sides sides(int j) const {
        const Joint& joint = m_.joints[j];
        if (joint.rope < 0) return {nodeOf(joint.body[0]), nodeOf(joint.body[1])};
        // A rope that is joined to a static or kinematic body only has a pin at that node.
        const int body = nodeOf(joint.body[1]);
        const bool alone = body < 0 && joint.kind != Joint::Kind::Drag;
        return {alone ? -1 : bodies_ + joint.rope, body};
    }

    // Returns a pinned rope in the island of a body; -1 if there is none.
    int pinnedRope(int from) const {
        std::vector<int> open = {from};
        std::vector<bool> seen(unit_.size(), false);
        seen[from] = true;
        for (std::size_t at = 0; at < open.size(); ++at) {
            const int node = open[at];
            if (node >= bodies_ && !m_.ropes[node - bodies_].pins.empty()) return node;
            for (int j : edges_[node]) {
                const Sides s = sides(j);
                for (int next : {s.a, s.b})
                    if (next >= 0 && !seen[next]) {
                        seen[next] = true;
                        open.push_back(next);
                    }
            }
        }
        return -1;
    }

    int addUnit(int node, int parent, int joint) {
        Unit u;
        u.rope = node >= bodies_;
        u.slot = u.rope ? node - bodies_ : node;
        u.parent = parent;
        u.joint = joint;
        if (joint >= 0) {
            const Joint& j = m_.joints[joint];
            if (j.rope < 0) {
                u.flipped = j.body[0] == u.slot;
                const int other = j.body[u.flipped ? 1 : 0];
                u.ground = parent < 0 ? other : -1;
            }
            if (u.rope) u.root = j.node;
        } else if (u.rope) {
            const auto& pins = m_.ropes[u.slot].pins;
            u.root = pins.empty() ? 0 : pins.front().node;
        }
        u.index = u.rope ? mechanism_.ropes++ : mechanism_.bodies++;
        unit_[node] = int(mechanism_.units.size());
        nodes_.push_back(node);
        mechanism_.units.push_back(u);
        return unit_[node];
    }

    // Grows a spanning tree breadth first, in the order of the joints, so that equal worlds give equal trees.
    void grow(int first, int joint) {
        mechanism_ = {};
        nodes_.clear();
        std::vector<int> ties;
        std::map<int, bool> done;
        addUnit(first, -1, joint);
        done[joint] = true;
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            const int node = nodes_[at];
            for (int j : edges_[node]) {
                if (done.count(j)) continue;
                done[j] = true;
                const Sides s = sides(j);
                const int other = s.a == node ? s.b : s.a;
                const bool pull = m_.joints[j].kind == Joint::Kind::Drag;
                if (!pull && other >= 0 && unit_[other] < 0)
                    addUnit(other, int(at), j);
                else
                    ties.push_back(j);
            }
        }
        for (int j : ties) {
            const Sides s = sides(j);
            const Tie tie = {j, {s.a < 0 ? -1 : unit_[s.a], s.b < 0 ? -1 : unit_[s.b]}};
            (m_.joints[j].kind == Joint::Kind::Drag ? mechanism_.drags : mechanism_.loops).push_back(tie);
        }
        m_.mechanisms.push_back(std::move(mechanism_));
    }

    Model& m_;
    int bodies_;
    std::vector<std::vector<int>> edges_; // joints of each node
    std::vector<int> unit_;               // unit of each node within its mechanism
    std::vector<int> nodes_;              // node of each unit of the mechanism that is being grown
    Mechanism mechanism_;
};

// Returns the properties that all lanes of a group must share. Mechanisms of equal shape have equal signatures.
std::vector<int> signature(const Model& m, const Mechanism& s) {
    std::vector<int> sign;
    auto axis = [&](const JointAxis& a) {
        return int(a.free) + 2 * int(a.limited()) + 4 * int(a.drive) + 16 * int(a.compliance > 0) +
               32 * int(a.damping > 0) + 64 * int(a.max - a.min < kLockedRange);
    };
    for (const Unit& u : s.units) {
        sign.push_back(u.parent);
        sign.push_back(u.joint < 0);
        if (u.joint < 0) continue;
        const Joint& j = m.joints[u.joint];
        sign.push_back(int(j.kind));
        sign.push_back(axis(j.turn));
        sign.push_back(axis(j.slide));
        sign.push_back(j.cone < kNoLimit);
    }
    return sign;
}

} // namespace

void findMechanisms(Model& m, int lanes) {
    m.mechanisms.clear();
    m.trees.clear();
    Finder(m).find();
    std::map<std::vector<int>, std::vector<int>> alike;
    std::vector<TreeGroup> single;
    for (int i = 0; i < int(m.mechanisms.size()); ++i) {
        Mechanism& s = m.mechanisms[i];
        bool inContact = false; // if true, an island with contact solves the mechanism
        for (const Unit& u : s.units)
            inContact = inContact || (u.rope ? m.ropes[u.slot].inContact : m.bodies[u.slot].inContact);
        if (inContact) continue;
        s.xpbd = s.ropes == 0 && (m.xpbd || 6 * int(s.loops.size()) > kMostLoopRows);
        if (s.plain() && lanes > 1)
            alike[signature(m, s)].push_back(i);
        else
            single.push_back({{i}, 1, 1});
    }
    const int most = std::min(lanes, TreeGroup::kMost);
    for (const auto& [sign, list] : alike) {
        for (std::size_t i = 0; i < list.size(); i += std::size_t(most)) {
            TreeGroup g;
            while (g.mechanisms < most && i + std::size_t(g.mechanisms) < list.size()) {
                g.mechanism[g.mechanisms] = list[i + std::size_t(g.mechanisms)];
                ++g.mechanisms;
            }
            g.width = g.mechanisms > 4 ? 8 : g.mechanisms > 1 ? 4 : 1;
            for (int k = g.mechanisms; k < g.width; ++k) g.mechanism[k] = g.mechanism[0];
            m.trees.push_back(g);
        }
    }
    m.trees.insert(m.trees.end(), single.begin(), single.end());
}

} // namespace capstan
