// SPDX-License-Identifier: MIT
// See cloth_self.hpp. Pairs are listed with slack, by a grid: a feature is entered in all cells that its box meets, and
// entries are sorted by cell and number, so that the list is the same on every machine.
#include <capstan/step/cloth_self.hpp>

#include <capstan/collide/closest.hpp>
#include <capstan/collide/nearest.hpp>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr double kShare = 0.45; // of the distance of a pair that each side may use up
constexpr int kPushes = 2;

using Cell = std::array<std::int32_t, 3>;
struct Entry {
    Cell cell;
    std::int32_t feature;
};

Vec3d placeOf(const std::vector<Point>& x, int i) { return widen(Vec3(x[std::size_t(i)])); }

struct Grid {
    double size;
    std::vector<Entry> entries;

    Cell cellOf(Vec3d p) const {
        return {std::int32_t(std::floor(p.x / size)), std::int32_t(std::floor(p.y / size)),
                std::int32_t(std::floor(p.z / size))};
    }
    void enter(const Bounds& box, int feature) {
        const Cell low = cellOf(box.min), high = cellOf(box.max);
        for (std::int32_t i = low[0]; i <= high[0]; ++i)
            for (std::int32_t j = low[1]; j <= high[1]; ++j)
                for (std::int32_t k = low[2]; k <= high[2]; ++k) entries.push_back({{i, j, k}, feature});
    }
    void sort() {
        std::sort(entries.begin(), entries.end(),
                  [](const Entry& a, const Entry& b) { // a feature is in a cell once
                      return a.cell != b.cell ? a.cell < b.cell : a.feature < b.feature;
                  });
    }
};

Bounds boxOf(const std::vector<Point>& x, const std::int32_t* v, int count, double grow) {
    Bounds box;
    for (int i = 0; i < count; ++i) box.add(placeOf(x, v[i]));
    box.grow(grow);
    return box;
}

// What neighbours in the sheet can keep: they are nearer than the thickness already where cells are small.
float apartOf(const Cloth& c, const ClothPair& p) {
    double least = double(c.def.thickness);
    const int first = p.edges ? 2 : 1;
    for (int i = 0; i < first; ++i)
        for (int j = first; j < 4; ++j)
            least = min(least, 0.5 * length(c.rest[std::size_t(p.v[i])] - c.rest[std::size_t(p.v[j])]));
    return narrow(least);
}

bool share(const ClothPair& p) {
    const int first = p.edges ? 2 : 1;
    for (int i = 0; i < first; ++i)
        for (int j = first; j < 4; ++j)
            if (p.v[i] == p.v[j]) return true;
    return false;
}

void add(ClothSelf& w, const Cloth& c, ClothPair p) {
    if (share(p)) return;
    p.apart = apartOf(c, p);
    w.pairs.push_back(p);
}

void listCorners(ClothSelf& w, const Cloth& c, const std::vector<Point>& x, double reach, double size) {
    Grid grid = {size, {}};
    for (std::size_t t = 0; t < c.triangles.size(); ++t)
        grid.enter(boxOf(x, c.triangles[t].data(), 3, reach), int(t));
    grid.sort();
    for (int i = 0; i < c.count; ++i) {
        const Vec3d p = placeOf(x, i);
        const Cell cell = grid.cellOf(p);
        auto at = std::lower_bound(grid.entries.begin(), grid.entries.end(), cell,
                                   [](const Entry& e, const Cell& to) { return e.cell < to; });
        for (; at != grid.entries.end() && at->cell == cell; ++at) {
            const auto& t = c.triangles[std::size_t(at->feature)];
            Bounds here;
            here.add(p);
            if (boxOf(x, t.data(), 3, reach).meets(here)) add(w, c, {{i, t[0], t[1], t[2]}, false, 0});
        }
    }
}

void listEdges(ClothSelf& w, const Cloth& c, const std::vector<Point>& x, double reach, double size) {
    const std::vector<ClothEdge> edges = edgesOf(c.triangles, c.grid);
    Grid grid = {size, {}};
    std::vector<Bounds> boxes;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        boxes.push_back(boxOf(x, &edges[e].a, 2, 0.5 * reach));
        grid.enter(boxes.back(), int(e));
    }
    grid.sort();
    for (std::size_t i = 0; i < grid.entries.size(); ++i)
        for (std::size_t j = i + 1; j < grid.entries.size() && grid.entries[j].cell == grid.entries[i].cell;
             ++j) {
            const Bounds &a = boxes[std::size_t(grid.entries[i].feature)],
                         &b = boxes[std::size_t(grid.entries[j].feature)];
            // A pair that meets in many cells is taken in the one of the lowest corner of what the boxes share.
            if (!a.meets(b) || grid.cellOf({max(a.min.x, b.min.x), max(a.min.y, b.min.y),
                                            max(a.min.z, b.min.z)}) != grid.entries[i].cell)
                continue;
            const ClothEdge &e = edges[std::size_t(grid.entries[i].feature)],
                            &f = edges[std::size_t(grid.entries[j].feature)];
            add(w, c, {{e.a, e.b, f.a, f.b}, true, 0});
        }
}

// Weights of the nearest points: sum_k g_k x_k leads from the second feature to the first.
// Point and triangle: Ericson, Real-Time Collision Detection, 5.1.5.
void cornerWeights(Vec3d p, Vec3d a, Vec3d b, Vec3d c, double (&g)[4]) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                 d6 = dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double v = 0, w = 0;
    if (d1 <= 0 && d2 <= 0) {
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / (d1 - d3);
    } else if (d6 >= 0 && d5 <= d6) {
        w = 1;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w = d2 / (d2 - d6);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w;
    } else {
        const double sum = 1 / (va + vb + vc);
        v = vb * sum, w = vc * sum;
    }
    g[0] = 1, g[1] = -(1 - v - w), g[2] = -v, g[3] = -w;
}

ClothNear nearOf(const ClothPair& p, const std::vector<Point>& x) {
    ClothNear r;
    const Vec3d a = placeOf(x, p.v[0]), b = placeOf(x, p.v[1]), c = placeOf(x, p.v[2]),
                d = placeOf(x, p.v[3]);
    if (p.edges) {
        const SegmentSegment<double> s = closest(a, b, c, d);
        r.g[0] = 1 - s.s, r.g[1] = s.s, r.g[2] = s.t - 1, r.g[3] = -s.t;
    } else {
        cornerWeights(a, b, c, d, r.g);
    }
    const Vec3d diff = r.g[0] * a + r.g[1] * b + r.g[2] * c + r.g[3] * d;
    r.d = length(diff);
    r.n = normalize(diff, Vec3d{0, 1, 0});
    return r;
}

// The common motion of a free sheet.
Vec3d drift(const Cloth& c, const std::vector<Point>& from, const std::vector<Point>& to) {
    Vec3d sum = {0, 0, 0};
    if (!c.pins.empty()) return sum;
    for (int i = 0; i < c.count; ++i) sum += placeOf(to, i) - placeOf(from, i);
    return (1.0 / c.count) * sum;
}

double farthest(const Cloth& c, const std::vector<Point>& from, const std::vector<Point>& to) {
    const Vec3d common = drift(c, from, to);
    double most = 0;
    for (int i = 0; i < c.count; ++i)
        most = max(most, lengthSquared(placeOf(to, i) - placeOf(from, i) - common));
    return sqrt(most);
}

void list(ClothSelf& w, const Cloth& c, const ClothState& s) {
    w.pairs.clear();
    w.at = s.before;
    w.slack = max(0.25 * double(c.def.thickness), 3 * farthest(c, s.before, s.x));
    // Whoever is not on the list stays at least a thickness away.
    const double reach = double(c.def.thickness) + 2 * w.slack;
    double longest = 0;
    for (const auto& t : c.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            longest = max(longest, lengthSquared(placeOf(w.at, t[k]) - placeOf(w.at, t[(k + 1) % 3])));
    const double size = sqrt(longest) + reach;
    listCorners(w, c, w.at, reach, size);
    listEdges(w, c, w.at, reach, size);
}

void push(ClothSelf& w, const Cloth& c, ClothState& s) {
    w.ask.assign(std::size_t(c.count), Vec3d{0, 0, 0}), w.asks.assign(std::size_t(c.count), 0);
    const double mu = double(c.def.friction);
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
        const ClothPair& p = w.pairs[i];
        const ClothNear& n = w.near[i];
        if (n.g[0] == 0 && n.g[1] == 0) continue; // passed over
        Vec3d now = {0, 0, 0}, moved = {0, 0, 0};
        double weight = 0;
        for (int k = 0; k < 4; ++k) {
            const Vec3d x = placeOf(s.x, p.v[k]);
            now += n.g[k] * x, moved += n.g[k] * (x - placeOf(s.before, p.v[k]));
            weight += double(s.x[std::size_t(p.v[k])].w) * n.g[k] * n.g[k];
        }
        const double deep = double(p.apart) - dot(n.n, now);
        if (!(deep > 0) || !(weight > 0)) continue;
        const Vec3d across = moved - dot(moved, n.n) * n.n;
        const double l = length(across);
        Vec3d by = deep * n.n;
        if (l > 0) by = by - (min(mu * deep, l) / l) * across;
        for (int k = 0; k < 4; ++k) {
            if (n.g[k] == 0) continue;
            w.ask[std::size_t(p.v[k])] += (double(s.x[std::size_t(p.v[k])].w) * n.g[k] / weight) * by;
            w.asks[std::size_t(p.v[k])] += 1;
        }
    }
    for (int i = 0; i < c.count; ++i) {
        if (w.asks[std::size_t(i)] == 0) continue;
        Point& x = s.x[std::size_t(i)];
        const Vec3 to =
            narrow(placeOf(s.x, i) + (1 / double(w.asks[std::size_t(i)])) * w.ask[std::size_t(i)]);
        x = {to.x, to.y, to.z, x.w};
    }
}

// A distance that the pair certainly has: that of the boxes around its features.
double atLeastApart(const ClothPair& p, const std::vector<Point>& x) {
    const int first = p.edges ? 2 : 1;
    Vec3 low[2], high[2];
    for (int k = 0; k < 4; ++k) {
        const int side = k < first ? 0 : 1;
        const Vec3 at = x[std::size_t(p.v[k])];
        const bool begins = k == 0 || k == first;
        low[side] = begins ? at : min(low[side], at), high[side] = begins ? at : max(high[side], at);
    }
    const Vec3 gap = max(max(low[0] - high[1], low[1] - high[0]), Vec3{0, 0, 0});
    return double(length(gap));
}

// Pairs that are too far apart to meet in this substep are passed over; their distance is the one of their boxes.
void look(ClothSelf& w, const Cloth& c, const ClothState& s) {
    const double enough = 2 * double(c.def.thickness) + 3 * farthest(c, s.before, s.x);
    w.near.resize(w.pairs.size());
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
        const double apart = atLeastApart(w.pairs[i], s.before);
        w.near[i] = apart > enough ? ClothNear{{0, 0, 0, 0}, {0, 1, 0}, apart} : nearOf(w.pairs[i], s.before);
    }
}

} // namespace

void pushSelf(ClothSelf& w, const Cloth& c, ClothState& s) {
    if (w.slack < 0 || farthest(c, w.at, s.x) > w.slack) list(w, c, s);
    look(w, c, s);
    for (int k = 0; k < kPushes; ++k) push(w, c, s);
}

void cutSelf(ClothSelf& w, const Cloth& c, ClothState& s) {
    // Pushes may have led beyond what the list covers: then more pairs must be known.
    if (farthest(c, w.at, s.x) > w.slack) list(w, c, s), look(w, c, s);
    w.limit.assign(std::size_t(c.count), 1e30f);
    for (std::size_t i = 0; i < w.pairs.size(); ++i)
        for (int v : w.pairs[i].v)
            w.limit[std::size_t(v)] = min(w.limit[std::size_t(v)], narrow(kShare * w.near[i].d));
    const Vec3d common = drift(c, s.before, s.x);
    for (int i = 0; i < c.count; ++i) {
        Point& x = s.x[std::size_t(i)];
        const Vec3d from = placeOf(s.before, i), way = placeOf(s.x, i) - from - common;
        const double l = length(way), most = double(w.limit[std::size_t(i)]);
        if (!(x.w > 0) || l <= most) continue;
        const Vec3 to = narrow(from + common + (most / l) * way);
        x = {to.x, to.y, to.z, x.w};
        ++w.truncated;
    }
}

} // namespace capstan
