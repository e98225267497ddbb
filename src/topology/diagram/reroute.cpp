// SPDX-License-Identifier: MIT
//
// Shortest paths through the faces of a diagram; see reroute.hpp.
#include "topology/diagram/reroute.hpp"

#include "topology/diagram/faces.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>

namespace capstan {
namespace {

using VisitList = std::vector<GaussCode::Visit>;

struct Stretch {
    // `count` consecutive visits, starting at visit `start`, all over or all under.
    std::size_t rope = 0, start = 0, count = 0;
};

// An edge connects a visit to the next visit of its rope.
struct Edge {
    std::size_t rope = 0, visit = 0;
    std::size_t left = 0, right = 0; // faces to the left and right
};

// A step of a path from one face to a neighbouring face.
struct Step {
    std::size_t edge = 0;
    bool toRight = false; // true: from the left face of the edge to its right face
};

// Returns all stretches, the longest first, because they can save the most crossings. A rope that is over (or under)
// at all its crossings has no stretch, because it has no end points.
std::vector<Stretch> stretches(const GaussCode& code) {
    std::vector<Stretch> all;
    for (std::size_t r = 0; r < code.ropes.size(); ++r) {
        const VisitList& v = code.ropes[r];
        const std::size_t n = v.size();
        for (std::size_t k = 0; k < n; ++k) {
            if (v[(k + n - 1) % n].over == v[k].over) continue;
            std::size_t count = 1;
            while (v[(k + count) % n].over == v[k].over) ++count;
            all.push_back({r, k, count});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Stretch& a, const Stretch& b) { return a.count > b.count; });
    return all;
}

class Diagram {
public:
    explicit Diagram(const GaussCode& code) : code_(code), faces_(code), around_(faces_.count) {
        for (std::size_t r = 0; r < code.ropes.size(); ++r) {
            firsts_.push_back(edges_.size());
            for (std::size_t k = 0; k < code.ropes[r].size(); ++k) {
                const std::size_t out = DiagramFaces::slot(code, code.ropes[r][k], true);
                const std::size_t left = faces_.left(out), right = faces_.right(out);
                around_[left].push_back(edges_.size());
                if (right != left) around_[right].push_back(edges_.size());
                edges_.push_back({r, k, left, right});
            }
        }
    }

    // Returns true if there is a path with fewer crossings than the stretch, and stores it in way_. The search is a
    // 0-1 breadth-first search over faces.
    bool shorter(const Stretch& s) {
        enum : std::size_t { unreached = static_cast<std::size_t>(-1) };
        std::vector<std::size_t> cost(faces_.count, unreached);
        std::vector<Step> came(faces_.count);
        std::deque<std::size_t> open;
        const Edge first = edges_[edge(s, s.start + size(s) - 1)],
                   last = edges_[edge(s, s.start + s.count - 1)];
        for (std::size_t face : {first.left, first.right})
            if (cost[face] != 0) {
                cost[face] = 0;
                came[face] = {edges_.size(), false};
                open.push_back(face);
            }
        while (!open.empty()) {
            const std::size_t face = open.front();
            open.pop_front();
            for (std::size_t e : around_[face]) {
                const bool toRight = edges_[e].left == face;
                const std::size_t to = toRight ? edges_[e].right : edges_[e].left;
                const std::size_t more = lifted(s, edges_[e]) ? 0 : 1;
                if (cost[to] <= cost[face] + more) continue;
                cost[to] = cost[face] + more;
                came[to] = {e, toRight};
                if (more == 0)
                    open.push_front(to);
                else
                    open.push_back(to);
            }
        }
        std::size_t at = cost[last.left] <= cost[last.right] ? last.left : last.right;
        if (cost[at] >= s.count) return false;
        way_.clear();
        while (came[at].edge != edges_.size()) {
            const Edge& e = edges_[came[at].edge];
            if (!lifted(s, e)) way_.push_back(came[at]);
            at = came[at].toRight ? e.left : e.right;
        }
        std::reverse(way_.begin(), way_.end());
        return true;
    }

    // Returns the code with the stretch moved to the path way_.
    GaussCode laid(const Stretch& s) const {
        const VisitList& from = code_.ropes[s.rope];
        const bool over = from[s.start].over;
        std::vector<bool> gone(code_.signs.size(), false);
        for (std::size_t k = 0; k < s.count; ++k)
            gone[static_cast<std::size_t>(from[(s.start + k) % size(s)].crossing)] = true;
        GaussCode to;
        std::vector<int> number(code_.signs.size(), 0);
        for (std::size_t c = 0; c < gone.size(); ++c) {
            if (gone[c]) continue;
            number[c] = static_cast<int>(to.signs.size());
            to.signs.push_back(code_.signs[c]);
        }
        const int fresh = static_cast<int>(to.signs.size());
        for (const Step& step : way_) to.signs.push_back(step.toRight == over ? 1 : -1);
        for (std::size_t r = 0; r < code_.ropes.size(); ++r) {
            VisitList visits;
            for (std::size_t k = 0; k < code_.ropes[r].size(); ++k) {
                const GaussCode::Visit v = code_.ropes[r][k];
                if (r == s.rope && k == s.start)
                    for (std::size_t i = 0; i < way_.size(); ++i)
                        visits.push_back({fresh + static_cast<int>(i), over});
                const auto c = static_cast<std::size_t>(v.crossing);
                if (!gone[c]) visits.push_back({number[c], v.over});
                for (std::size_t i = 0; i < way_.size(); ++i)
                    if (way_[i].edge == firsts_[r] + k)
                        visits.push_back({fresh + static_cast<int>(i), !over});
            }
            to.ropes.push_back(std::move(visits));
        }
        return to;
    }

private:
    std::size_t size(const Stretch& s) const { return code_.ropes[s.rope].size(); }
    std::size_t edge(const Stretch& s, std::size_t visit) const { return firsts_[s.rope] + visit % size(s); }
    // True for edges between the stretch's own visits. They do not exist while the stretch is lifted.
    bool lifted(const Stretch& s, const Edge& e) const {
        return e.rope == s.rope && (e.visit + size(s) - s.start) % size(s) + 1 < s.count;
    }

    const GaussCode& code_;
    DiagramFaces faces_;
    std::vector<Edge> edges_; // edges of all ropes, one rope after another
    // by rope: index of its first edge
    std::vector<std::size_t> firsts_;
    std::vector<std::vector<std::size_t>> around_; // by face: indices of its edges
    std::vector<Step> way_;
};

bool rerouteOne(GaussCode& code) {
    Diagram diagram(code);
    for (const Stretch& s : stretches(code)) {
        if (!diagram.shorter(s)) continue;
        GaussCode better = diagram.laid(s);
        code = std::move(better);
        return true;
    }
    return false;
}

} // namespace

void reroute(GaussCode& code) {
    do simplify(code);
    while (rerouteOne(code));
}

} // namespace capstan
