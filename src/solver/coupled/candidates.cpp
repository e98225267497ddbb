// SPDX-License-Identifier: MIT
// The coupled solver: finds candidates, the pairs of elements in an island that may come into contact. The
// list is made with a margin and is rebuilt when an element leaves its margin. See island.hpp.
//
// On one rope only segments that share a node are exempt from contact: the knot type does not change where
// they pass through each other. The surfaces of a rope of radius r touch at the
// distance D of the cores. With a length g of rope between the two segments,
//     D = 2 r                      for g >= pi r
//     D = 0.95 2 r sin(g / 2 r)    for less: a rope bends no tighter than its radius, nor pushes itself
//
// Ropes that are held at one point spread from it like a cone. There D is at most half of the length of rope
// between two segments.
#include "solver/coupled/rows.hpp"

#include <capstan/math/transcendental.hpp>

#include <algorithm>
#include <utility>

namespace capstan {

// Of 2 r: with less rope between them, two segments of an uneven rope are as if they shared a node. Otherwise the step
// bound keeps a fifth of that distance and cuts nearly every move. A machine with a segment of 0.3 mm then took 100 s.
static constexpr double kShort = 0.1;

// Length of rope between two segments of an uneven rope. The mean length in its place pushes the neighbours of a short
// segment apart. With a segment of 10 um an Atwood machine of 1 and 1.35 kg ran backwards at 4 m/s^2.
static double ropeBetween(const CoupledIsland& t, const IslandRope& r, int a, int b) {
    if (a > b) std::swap(a, b);
    const auto arc = [&](int k) { return k < r.segments ? t.arc[r.firstSegment + k] : r.whole; };
    const double inner = arc(b) - arc(a + 1);
    return r.closed ? min(inner, r.whole - (arc(b + 1) - arc(a))) : inner;
}

double pairDistance(const CoupledIsland& t, const IslandSegment& a, const IslandSegment& b) {
    double D = a.radius + b.radius;
    if (a.rope != b.rope) {
        for (const CommonEnd& c : t.commonEnds) {
            const bool forward = c.rope[0] == a.rope && c.rope[1] == b.rope;
            if (!forward && !(c.rope[0] == b.rope && c.rope[1] == a.rope)) continue;
            auto arc = [&](const IslandSegment& s, int node) {
                const int between = node <= s.k ? s.k - node : node - s.k - 1;
                return between * t.ropes[s.rope].length;
            };
            D = min(D, 0.5 * (arc(a, c.node[forward ? 0 : 1]) + arc(b, c.node[forward ? 1 : 0])));
        }
        return D;
    }
    const IslandRope& r = t.ropes[a.rope];
    if (!r.self) return 0;
    int apart = a.k > b.k ? a.k - b.k : b.k - a.k;
    if (r.closed) apart = apart < r.segments - apart ? apart : r.segments - apart;
    if (apart <= 1) return 0;
    const double g = r.even ? (apart - 1) * r.length : ropeBetween(t, r, a.k, b.k);
    if (!r.even && g < kShort * D) return 0;
    return g >= 3.14159265358979 * r.radius ? D : 0.95 * D * sin(g / D);
}

namespace {

// Returns whether a body that does not move in the step has another pose than when the list was made.
bool teleported(const IslandBody& b) {
    const Vec3d x = b.current.x - b.listed.x;
    const Vec3d u = b.current.q.vector() - b.listed.q.vector();
    return dot(x, x) > 0 || dot(u, u) > 0 || b.current.q.w != b.listed.q.w;
}

// Returns whether the list is stale: an element has left its margin since the list was made, or will leave
// it.
bool worn(const CoupledIsland& t) {
    for (const IslandRope& r : t.ropes)
        if (r.worn) return true;
    for (const IslandBody& b : t.bodies) {
        if (b.kind == IslandBody::Kind::Ground && !b.moves) {
            if (teleported(b)) return true;
            continue;
        }
        for (const Pose* p : {&b.current, &b.now}) {
            const double turn = length(log(normalize(p->q * conjugate(b.listed.q))));
            if (!(length(p->x - b.listed.x) + turn * b.reach <= b.margin)) return true;
        }
    }
    return false;
}

bool tied(const CoupledIsland& t, const IslandSegment& s, int bodySlot) {
    for (const TiedNode& a : t.tiedNodes) {
        if (a.rope != s.rope || a.body != bodySlot) continue;
        const int between = a.node <= s.k ? s.k - a.node : a.node - s.k - 1;
        if (between < a.segments) return true;
    }
    return false;
}

double marginOf(const CoupledIsland& t, const IslandSegment& s) { return max(t.margin[s.i], t.margin[s.j]); }

void addSegmentPair(const CoupledIsland& t, const Model& m, int a, int b, std::vector<SegmentPair>& pairs) {
    const IslandSegment &s = t.segments[a], &u = t.segments[b];
    // Tests balls around the positions for which the list is made; this excludes more pairs than the boxes.
    const double reach =
        t.half[a] + t.half[b] + s.radius + u.radius + t.move[a] + t.move[b] + marginOf(t, s) + marginOf(t, u);
    if (lengthSquared(t.middle[a] - t.middle[b]) > reach * reach) return;
    if (s.rope != u.rope) {
        const RopeDef& d = m.ropes[t.ropes[s.rope].slot].def;
        const RopeDef& e = m.ropes[t.ropes[u.rope].slot].def;
        if (!mayTouch(d.filter, e.filter)) return;
    }
    const double D = pairDistance(t, s, u);
    if (D > 0) pairs.push_back({a, b, D});
}

void addShapePair(CoupledIsland& t, const Model& m, int segment, int shape, int triangle) {
    const IslandSegment& s = t.segments[segment];
    const IslandBody& b = t.bodies[t.shapes[shape].body];
    const RopeDef& d = m.ropes[t.ropes[s.rope].slot].def;
    const BodyDef& e = m.bodies[b.slot].def;
    if (!mayTouch(d.filter, e.filter) || tied(t, s, b.slot)) return;
    t.shapePairs.push_back({segment, shape, triangle, s.radius});
}

void addBodyPair(CoupledIsland& t, const Model& m, int a, int b, int triangle) {
    const int x = t.shapes[a].body, y = t.shapes[b].body;
    const IslandBody &A = t.bodies[x], &B = t.bodies[y];
    if (x == y || (!A.tree && !B.tree) || t.exemptions->joined(A.slot, B.slot)) return;
    const BodyDef &d = m.bodies[A.slot].def, &e = m.bodies[B.slot].def;
    if (!mayTouch(d.filter, e.filter)) return;
    t.bodyPairs.push_back({a, b, triangle});
}

void addPair(CoupledIsland& t, const Model& m, CandidateItem a, CandidateItem b) {
    if (a.shape < 0) return addShapePair(t, m, a.part, b.shape, b.part);
    // A mesh is always the second shape. Of two other shapes the one in the lower slot comes first.
    auto slot = [&](const CandidateItem& i) { return t.bodies[t.shapes[i.shape].body].slot; };
    if (a.part >= 0 && b.part >= 0) return;
    const bool swap = a.part >= 0 || (b.part < 0 && slot(b) < slot(a));
    swap ? addBodyPair(t, m, b.shape, a.shape, a.part) : addBodyPair(t, m, a.shape, b.shape, b.part);
}

// Adds the pairs in fixed parts, each with its own list, so that threads can share the work. Returns the
// number of parts.
int addPairs(CoupledIsland& t, const Model& m, Threads& threads, const std::vector<IndexPair>& found) {
    constexpr int kPart = 512;
    const int pairs = int(found.size()), parts = (pairs + kPart - 1) / kPart;
    if (int(t.pairParts.size()) < parts) t.pairParts.resize(std::size_t(parts));
    auto item = [&](int k) { return t.items[k]; };
    threads.run(parts, 1, [&](int begin, int end, int) {
        for (int part = begin; part < end; ++part) {
            std::vector<SegmentPair>& list = t.pairParts[part];
            list.clear();
            list.reserve(kPart); // so that no later step allocates memory
            for (int k = part * kPart; k < std::min(pairs, (part + 1) * kPart); ++k) {
                const IndexPair p = found[k];
                if (item(p.a).shape < 0 && item(p.b).shape < 0)
                    addSegmentPair(t, m, item(p.a).part, item(p.b).part, list);
            }
        }
    });
    for (std::size_t k = 0; !t.shapes.empty() && k < found.size(); ++k) {
        const IndexPair p = found[k];
        if (item(p.a).shape >= 0 || item(p.b).shape >= 0) addPair(t, m, item(p.a), item(p.b));
    }
    return parts;
}

// Adds the pairs of a plane. Boxes do not bound a plane, since all of the space below it is solid.
void addPlanePairs(CoupledIsland& t, const Model& m, int shape) {
    const std::vector<CandidateItem>& items = t.items;
    const IslandShape& s = t.shapes[shape];
    const Pose at = t.bodies[s.body].current * s.local;
    const Vec3d n = rotate(at.q, {0, 1, 0});
    for (std::size_t k = 0; k < items.size(); ++k) {
        const Bounds& b = t.boxes[k];
        const Vec3d low = {n.x > 0 ? b.min.x : b.max.x, n.y > 0 ? b.min.y : b.max.y,
                           n.z > 0 ? b.min.z : b.max.z};
        if (dot(n, low - at.x) > t.bodies[s.body].margin + t.slack) continue;
        if (items[k].shape < 0)
            addShapePair(t, m, items[k].part, shape, -1);
        else if (items[k].part < 0)
            addBodyPair(t, m, items[k].shape, shape, -1);
    }
}

void addItems(CoupledIsland& t, Threads& threads, std::span<const Vec3d> from, std::span<const Vec3d> to) {
    std::vector<CandidateItem>& items = t.items;
    t.boxes.resize(t.segments.size());
    items.resize(t.segments.size());
    threads.run(int(t.segments.size()), 256, [&](int begin, int end, int) {
        for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
            const IslandSegment& s = t.segments[k];
            Bounds b;
            for (int node : {s.i, s.j}) {
                b.add(from[node]);
                b.add(to[node]);
            }
            b.grow(s.radius + marginOf(t, s));
            t.boxes[k] = b;
            items[k] = {-1, int(k)};
        }
    });
    Bounds all;
    for (const Bounds& b : t.boxes) {
        all.add(b.min);
        all.add(b.max);
    }
    auto boxOf = [&](const IslandShape& s) {
        const IslandBody& body = t.bodies[s.body];
        Bounds b = boundsOf(*s.shape, body.current * s.local);
        if (body.tree || body.moves) {
            const Bounds c = boundsOf(*s.shape, body.now * s.local);
            b.add(c.min);
            b.add(c.max);
        }
        b.grow(body.margin + t.slack);
        return b;
    };
    for (int pass : {0, 1}) // meshes come last, when the bounds of all other shapes are known
        for (std::size_t k = 0; k < t.shapes.size(); ++k) {
            const IslandShape& s = t.shapes[k];
            if ((s.shape->kind == ShapeKind::Mesh) != (pass == 1) || s.shape->kind == ShapeKind::Plane)
                continue;
            if (pass == 0) {
                t.boxes.push_back(boxOf(s));
                items.push_back({int(k), -1});
                all.add(t.boxes.back().min);
                all.add(t.boxes.back().max);
                continue;
            }
            const Pose at = t.bodies[s.body].current * s.local, end = t.bodies[s.body].now * s.local;
            for (std::size_t f = 0; f < s.shape->triangles.size(); ++f) {
                Bounds b;
                for (int c : s.shape->triangles[f]) {
                    b.add(at.point(s.shape->corners[c]));
                    b.add(end.point(s.shape->corners[c]));
                }
                b.grow(t.bodies[s.body].margin + t.slack);
                if (b.meets(all)) {
                    t.boxes.push_back(b);
                    items.push_back({int(k), int(f)});
                }
            }
        }
}

// Rows are made in the order of their elements' identifiers (rows.cpp).
void sortPairs(CoupledIsland& t) {
    auto name = [&](int shape) {
        const IslandShape& s = t.shapes[shape];
        return std::pair{t.bodies[s.body].slot, s.index};
    };
    std::sort(t.shapePairs.begin(), t.shapePairs.end(), [&](const ShapePair& a, const ShapePair& b) {
        if (a.segment != b.segment) return a.segment < b.segment;
        const auto x = name(a.shape), y = name(b.shape);
        return x != y ? x < y : a.triangle < b.triangle;
    });
    std::sort(t.bodyPairs.begin(), t.bodyPairs.end(), [&](const BodyPair& a, const BodyPair& b) {
        const auto x = std::pair{name(a.a), name(a.b)}, y = std::pair{name(b.a), name(b.b)};
        return x != y ? x < y : a.triangle < b.triangle;
    });
}

// Sets how far each node and body may move from the positions for which the list is made. A slow object gets
// a small margin, which keeps the list short. A fast object gets 1.5 times its move in a substep, so that the
// list stays valid for longer.
void setMargins(CoupledIsland& t, Threads& threads, std::span<const Vec3d> from, std::span<const Vec3d> to) {
    t.margin.resize(from.size());
    threads.run(int(t.ropes.size()), 1, [&](int begin, int end, int) {
        for (int rope = begin; rope < end; ++rope) {
            const IslandRope& r = t.ropes[rope];
            for (int k = r.first; k < r.first + r.count; ++k) {
                const std::size_t i = std::size_t(k);
                t.margin[i] = t.lasting ? max(0.25 * r.radius, 1.5 * length(to[i] - from[i])) : 0;
            }
            for (int k = r.firstSegment; k < r.firstSegment + r.segments; ++k) {
                const std::size_t s = std::size_t(k), i = std::size_t(t.segments[s].i),
                                  j = std::size_t(t.segments[s].j);
                t.middle[s] = 0.5 * (to[i] + to[j]);
                t.half[s] = 0.50001 * length(to[i] - to[j]);
                t.move[s] = sqrt(max(lengthSquared(to[i] - from[i]), lengthSquared(to[j] - from[j])));
            }
        }
    });
    for (IslandBody& b : t.bodies) {
        const double turn = length(log(normalize(b.now.q * conjugate(b.current.q))));
        b.margin = t.lasting && (b.tree || b.moves)
                       ? 0.002 + 1.5 * (length(b.now.x - b.current.x) + turn * b.reach)
                       : 0;
    }
}

// Copies the pairs of the segments [from, to) from the lists of all parts. Pairs are sorted by their first
// segment, then by the second. The pairs of segment k begin at begin[k + 1]. While they are copied, begin[k +
// 1] advances to their end.
void takePairs(CoupledIsland& t, std::vector<int>& begin, int parts, int from, int to) {
    if (from == to) return; // an empty range: begin[from + 1] belongs to another worker
    int first = begin[std::size_t(from) + 1];
    for (int part = 0; part < parts; ++part)
        for (const SegmentPair& p : t.pairParts[part])
            if (p.a >= from && p.a < to) t.segmentPairs[begin[std::size_t(p.a) + 1]++] = p;
    for (int k = from; k < to; ++k) {
        const int end = begin[std::size_t(k) + 1];
        for (int i = first + 1; i < end; ++i) {
            const SegmentPair p = t.segmentPairs[i];
            int at = i;
            for (; at > first && t.segmentPairs[std::size_t(at) - 1].b > p.b; --at)
                t.segmentPairs[at] = t.segmentPairs[std::size_t(at) - 1];
            t.segmentPairs[at] = p;
        }
        first = end;
    }
}

// Joins the lists of all parts. Every worker reads all lists and copies the pairs of its own range of
// segments. The ranges hold about equally many pairs.
void joinPairs(CoupledIsland& t, Threads& threads, int parts) {
    const int segments = int(t.segments.size()), shares = threads.count();
    std::vector<int>& begin = t.fill;
    begin.assign(std::size_t(segments) + 2, 0);
    for (int part = 0; part < parts; ++part)
        for (const SegmentPair& p : t.pairParts[part]) ++begin[std::size_t(p.a) + 2];
    for (std::size_t k = 2; k < begin.size(); ++k) begin[k] += begin[k - 1];
    t.segmentPairs.resize(std::size_t(begin.back()));
    t.borders.assign(std::size_t(shares) + 1, segments);
    for (int k = 0, a = 0; k < shares; ++k) {
        while (a < segments && begin[std::size_t(a) + 1] < std::int64_t(begin.back()) * k / shares) ++a;
        t.borders[k] = a;
    }
    threads.run(shares, 1, [&](int from, int to, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(to); ++k)
            takePairs(t, begin, parts, t.borders[k], t.borders[k + 1]);
    });
}

} // namespace

bool listPairs(CoupledIsland& t, const Model& m, Threads& threads, std::span<const Vec3d> from,
               std::span<const Vec3d> to) {
    if (t.listGood && !worn(t)) return false;
    t.shapePairs.clear();
    t.bodyPairs.clear();
    setMargins(t, threads, from, to);
    addItems(t, threads, from, to);
    const int parts =
        addPairs(t, m, threads, t.overlaps.find(t.boxes, [&](int count, const std::function<void(int)>& f) {
            threads.run(count, 1, [&](int begin, int end, int) {
                for (int k = begin; k < end; ++k) f(k);
            });
        }));
    for (std::size_t k = 0; k < t.shapes.size(); ++k)
        if (t.shapes[k].shape->kind == ShapeKind::Plane) addPlanePairs(t, m, int(k));
    joinPairs(t, threads, parts);
    sortPairs(t);
    t.listed.assign(to.begin(), to.end());
    for (IslandBody& b : t.bodies) b.listed = b.now;
    t.listGood = true;
    t.travel = 0;
    t.room = -1e30;
    return true;
}

} // namespace capstan
