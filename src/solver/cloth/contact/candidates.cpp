// SPDX-License-Identifier: MIT
// Finds the candidate pairs of cloth. See listClothPairs in pairs.hpp.
//
// Each element is entered into all cells of a grid that its box overlaps. Cells are stored in hash buckets, which are
// filled by counting. So there is no sort, and the list is the same on every machine. Of two near elements, only the
// corners and edges that each one owns are paired. So no pair occurs twice.
#include "solver/cloth/contact/pairs.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr float kRoom = 0.5f; // smallest margin of a box around its path, as a fraction of the thickness
constexpr float kAhead = 6;   // number of substeps that a box covers at constant velocity

Vec3 floatPosition(const std::vector<Point>& x, int i) { return x[i]; }
Point pointOf(Vec3 a) { return {a.x, a.y, a.z, 0}; }

bool within(Vec3 a, const Point& low, const Point& high) {
    return a.x >= low.x && a.y >= low.y && a.z >= low.z && a.x <= high.x && a.y <= high.y && a.z <= high.z;
}

// Computes boxes around the paths of points in the next substeps, in a frame that moves by `drift` per substep. The
// extrapolated path is at most `most` [m] long.
void makeBoxes(ClothContactWorkspace& w, const ClothContactObject& t, Vec3 drift, float most,
               std::vector<Point>& low, std::vector<Point>& high) {
    const float room = kRoom * 2 * t.half;
    const Vec3 grow = {room, room, room};
    for (int i = t.begin; i < t.begin + t.count; ++i) {
        const Vec3 a = floatPosition(w.before, i), step = floatPosition(w.x, i) - drift - a;
        const float l = length(step), ahead = l * kAhead > most ? max(most / l, 1.0f) : kAhead;
        const Vec3 b = a + ahead * step;
        // The longer the extrapolated path, the less likely it is straight, so the margin grows with it.
        const float more = 0.25f * ahead * l;
        low[i] = pointOf(min(min(a, b), a + step) - grow - Vec3{more, more, more});
        high[i] = pointOf(max(max(a, b), a + step) + grow + Vec3{more, more, more});
    }
}

// Returns true if all points are still inside their boxes, so that the candidate list is complete.
bool covered(const ClothContactWorkspace& w) {
    if (!w.listed) return false;
    for (const ClothContactObject& t : w.things) {
        if (!t.sound) continue;
        const Vec3 after = t.shift + t.drift;
        for (int i = t.begin; i < t.begin + t.count; ++i) {
            const std::size_t k = std::size_t(i);
            const Vec3 a = w.before[k], b = w.x[k];
            if (t.self &&
                !(within(a - t.shift, w.low[k], w.high[k]) && within(b - after, w.low[k], w.high[k])))
                return false;
            if (t.meets &&
                !(within(a, w.crossLow[k], w.crossHigh[k]) && within(b, w.crossLow[k], w.crossHigh[k])))
                return false;
        }
    }
    return true;
}

// Returns the contact distance of a pair [m]. For a pair inside one sheet it is at most half the rest distance. In a
// fine mesh, neighbours are nearer than the thickness already at rest.
float apartOf(const Model& m, const ClothContactObject& a, const ClothContactObject& b, const std::int32_t* v,
              int first) {
    float least = a.half + b.half;
    if (&a != &b || a.cloth < 0) return least;
    const std::vector<Vec3d>& rest = m.cloths[a.cloth].rest;
    double near = 1e30;
    for (int i = 0; i < first; ++i)
        for (int j = first; j < 4; ++j)
            near = min(near, lengthSquared(rest[v[i] - a.begin] - rest[v[j] - a.begin]));
    return min(least, 0.5f * narrow(sqrt(near)));
}

// Appends the pairs of two elements to the candidates.
struct Lister {
    ClothContactWorkspace& w;
    const Model& m;
    const std::vector<Point>&low, &high; // boxes of points
    std::vector<std::int32_t> edges[4];
    std::vector<float> edgeApart, edgeFriction;

    bool meet(const std::int32_t* a, int na, float growA, const std::int32_t* b, int nb, float growB) const {
        const auto box = [&](const std::int32_t* v, int n, Vec3& from, Vec3& to) {
            from = low[v[0]];
            to = high[v[0]];
            for (int k = 1; k < n; ++k) {
                from = min(from, Vec3(low[v[k]]));
                to = max(to, Vec3(high[v[k]]));
            }
        };
        const float grow = growA + growB;
        Vec3 la, ha, lb, hb;
        box(a, na, la, ha);
        box(b, nb, lb, hb);
        const Vec3 gap = max(la - hb, lb - ha);
        return gap.x <= grow && gap.y <= grow && gap.z <= grow;
    }
    // Returns true if the box of a feature with n points, grown by `grow`, overlaps the box of an element. The box of
    // the element includes its margin.
    bool nearPiece(const std::int32_t* v, int n, float grow, const ClothElement* piece) const {
        const std::size_t p = std::size_t(piece - w.pieces.data());
        Vec3 from = low[v[0]], to = high[v[0]];
        if (n == 2) {
            from = min(from, Vec3(low[v[1]]));
            to = max(to, Vec3(high[v[1]]));
        }
        const Vec3 gap = max(from - Vec3(w.pieceHigh[p]), Vec3(w.pieceLow[p]) - to);
        return gap.x <= grow && gap.y <= grow && gap.z <= grow;
    }
    void corner(const ClothElement& a, const ClothElement& b) {
        const ClothContactObject &ta = w.things[a.thing], &tb = w.things[b.thing];
        for (int k = 0; b.face && k < 3; ++k) {
            const std::int32_t v[4] = {a.v[k], b.v[0], b.v[1], b.v[2]};
            if (!(a.owns >> k & 1) || v[0] == v[1] || v[0] == v[2] || v[0] == v[3] ||
                !nearPiece(v, 1, ta.half, &b))
                continue;
            for (int i = 0; i < 4; ++i) w.pairs.v[i].push_back(v[i]);
            w.pairs.apart.push_back(apartOf(m, ta, tb, v, 1));
            w.pairs.friction.push_back(sqrt(ta.friction * tb.friction));
        }
    }
    void edge(const ClothElement& a, const ClothElement& b) {
        const ClothContactObject &ta = w.things[a.thing], &tb = w.things[b.thing];
        for (int i = 0; i < 3; ++i) {
            const std::int32_t one[2] = {a.v[i], a.v[(i + 1) % 3]};
            if (!(a.owns >> (3 + i) & 1) || !nearPiece(one, 2, ta.half, &b)) continue;
            for (int j = 0; j < 3; ++j) {
                const std::int32_t v[4] = {a.v[i], a.v[(i + 1) % 3], b.v[j], b.v[(j + 1) % 3]};
                if (!(b.owns >> (3 + j) & 1) || v[0] == v[2] || v[0] == v[3] || v[1] == v[2] ||
                    v[1] == v[3] || !meet(v, 2, ta.half, v + 2, 2, tb.half))
                    continue;
                for (int k = 0; k < 4; ++k) edges[k].push_back(v[k]);
                edgeApart.push_back(apartOf(m, ta, tb, v, 2));
                edgeFriction.push_back(sqrt(ta.friction * tb.friction));
            }
        }
    }
};

} // namespace

// Returns true if the filters let the two objects collide.
bool touchEachOther(const Model& m, const ClothContactObject& a, const ClothContactObject& b) {
    if (a.cloth < 0 && b.cloth < 0) return false;
    const auto filter = [&](const ClothContactObject& t) -> const FilterDef& {
        return t.cloth >= 0 ? m.cloths[t.cloth].def.filter : m.ropes[t.rope].def.filter;
    };
    if (!mayTouch(filter(a), filter(b))) return false;
    // A curtain does not collide with the rope that it hangs from.
    const ClothContactObject &cloth = a.cloth >= 0 ? a : b, &other = a.cloth >= 0 ? b : a;
    if (other.rope >= 0)
        for (const ClothPin& pin : m.cloths[cloth.cloth].pins)
            if (pin.rope == other.rope) return false;
    return true;
}

namespace {

std::uint32_t hashOf(const std::int32_t* cell) {
    return std::uint32_t(cell[0]) * 73856093u ^ std::uint32_t(cell[1]) * 19349663u ^
           std::uint32_t(cell[2]) * 83492791u;
}

// Finds all pairs of elements in w.listedPieces, within one object or between two objects.
struct Grid {
    ClothContactWorkspace& w;
    const Model& m;
    Lister& list;
    float perSize = 1; // 1 / size of a cell, 1/m

    void cellOf(const Point& p, std::int32_t* cell) const {
        const float at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; ++k) // positions that are not finite are excluded before
            cell[k] = std::int32_t(std::floor(clamp(at[k] * perSize, -1e9f, 1e9f)));
    }
    template <class F> void eachCell(int piece, const F& f) const {
        std::int32_t from[3], to[3], c[3];
        cellOf(w.pieceLow[piece], from);
        cellOf(w.pieceHigh[piece], to);
        for (c[0] = from[0]; c[0] <= to[0]; ++c[0])
            for (c[1] = from[1]; c[1] <= to[1]; ++c[1])
                for (c[2] = from[2]; c[2] <= to[2]; ++c[2]) f(c);
    }
    void boxPieces() {
        float sum = 0, most = 0;
        for (int p : w.listedPieces) {
            const ClothElement& piece = w.pieces[p];
            const float half = w.things[piece.thing].half;
            Vec3 a = list.low[piece.v[0]], b = list.high[piece.v[0]];
            for (int k = 1; k < 3; ++k) {
                a = min(a, Vec3(list.low[piece.v[k]]));
                b = max(b, Vec3(list.high[piece.v[k]]));
            }
            a = a - Vec3{half, half, half};
            b = b + Vec3{half, half, half};
            w.pieceLow[p] = pointOf(a);
            w.pieceHigh[p] = pointOf(b);
            const float wide = max(max(b.x - a.x, b.y - a.y), b.z - a.z);
            sum += wide;
            most = max(most, wide);
        }
        perSize = 1 / max(sum / float(w.listedPieces.size()), 0.25f * most);
    }
    void fill() {
        std::uint32_t buckets = 64;
        while (buckets < 4 * w.listedPieces.size()) buckets *= 2;
        w.bucketEnd.assign(buckets + 1, 0);
        int entries = 0;
        for (int p : w.listedPieces)
            eachCell(p, [&](const std::int32_t* c) {
                ++w.bucketEnd[hashOf(c) % buckets + 1];
                ++entries;
            });
        for (std::uint32_t b = 0; b < buckets; ++b) w.bucketEnd[b + 1] += w.bucketEnd[b];
        w.entry.resize(std::size_t(entries));
        w.cell.resize(3 * std::size_t(entries));
        w.entryLow.resize(std::size_t(entries));
        w.entryHigh.resize(std::size_t(entries));
        for (int p : w.listedPieces)
            eachCell(p, [&](const std::int32_t* c) {
                const std::size_t at = std::size_t(w.bucketEnd[hashOf(c) % buckets]++);
                w.entry[at] = p;
                w.entryLow[at] = w.pieceLow[p];
                w.entryHigh[at] = w.pieceHigh[p];
                std::copy(c, c + 3, w.cell.begin() + std::ptrdiff_t(3 * at));
            });
        // Now bucketEnd[b] is the end of bucket b and the start of bucket b + 1.
    }
    void run(bool cross) {
        if (w.listedPieces.empty()) return;
        boxPieces();
        fill();
        int begin = 0;
        for (std::size_t bucket = 0; bucket + 1 < w.bucketEnd.size(); ++bucket) {
            const int end = w.bucketEnd[bucket];
            for (int i = begin; i < end; ++i)
                for (int j = i + 1; j < end; ++j) visit(i, j, cross);
            begin = end;
        }
    }
    void visit(int i, int j, bool cross) {
        const Point &la = w.entryLow[i], &lb = w.entryLow[j], &ha = w.entryHigh[i], &hb = w.entryHigh[j];
        if (la.x > hb.x || lb.x > ha.x || la.y > hb.y || lb.y > ha.y || la.z > hb.z || lb.z > ha.z) return;
        const std::int32_t *c = &w.cell[3 * std::size_t(i)], *d = &w.cell[3 * std::size_t(j)];
        if (c[0] != d[0] || c[1] != d[1] || c[2] != d[2]) return;
        // Two elements may share many cells. Their pair is taken only in the cell of the lowest corner of their
        // boxes' overlap.
        std::int32_t home[3];
        cellOf(pointOf(max(Vec3(la), Vec3(lb))), home);
        if (home[0] != c[0] || home[1] != c[1] || home[2] != c[2]) return;
        const ClothElement &a = w.pieces[w.entry[i]], &b = w.pieces[w.entry[j]];
        if (cross && (a.thing == b.thing || !touchEachOther(m, w.things[a.thing], w.things[b.thing]))) return;
        list.corner(a, b);
        list.corner(b, a);
        list.edge(a, b);
    }
};

// Lists the elements that may come near other objects.
void crossPieces(ClothContactWorkspace& w) {
    w.listedPieces.clear();
    for (std::size_t i = 0; i < w.things.size(); ++i) {
        const ClothContactObject& t = w.things[i];
        if (!t.meets || !t.sound) continue;
        for (int p = t.firstPiece; p < t.firstPiece + t.pieces; ++p) {
            Bounds box;
            for (int v : w.pieces[p].v) {
                box.add(widen(Vec3(w.crossLow[v])));
                box.add(widen(Vec3(w.crossHigh[v])));
            }
            box.grow(double(t.half));
            for (std::size_t j = 0; j < w.things.size(); ++j)
                if (j != i && w.things[j].meets && w.things[j].sound && box.meets(w.things[j].way)) {
                    w.listedPieces.push_back(p);
                    break;
                }
        }
    }
}

void measureThings(ClothContactWorkspace& w) {
    for (ClothContactObject& t : w.things) {
        Vec3d sum = {0, 0, 0};
        for (int i = t.begin; i < t.begin + t.count; ++i)
            sum += widen(floatPosition(w.x, i)) - widen(floatPosition(w.before, i));
        t.drift = narrow((1.0 / (t.count > 0 ? t.count : 1)) * sum);
        const double odd = sum.x + sum.y + sum.z;
        t.sound = odd - odd == 0;
    }
}

} // namespace

bool listClothPairs(ClothContactWorkspace& w, const Model& m) {
    measureThings(w);
    if (covered(w)) return false;
    const std::size_t points = w.x.size();
    for (auto* column : {&w.low, &w.high, &w.crossLow, &w.crossHigh}) column->resize(points);
    w.pieceLow.resize(w.pieces.size());
    w.pieceHigh.resize(w.pieces.size());
    ClothPairs& pairs = w.pairs;
    for (auto& column : pairs.v) column.clear();
    pairs.apart.clear();
    pairs.friction.clear();
    Lister self = {w, m, w.low, w.high, {}, {}, {}}, cross = {w, m, w.crossLow, w.crossHigh, {}, {}, {}};
    Grid selfGrid = {w, m, self}, crossGrid = {w, m, cross};
    for (ClothContactObject& t : w.things) {
        t.shift = {0, 0, 0};
        if (!t.sound) continue;
        if (t.self) {
            makeBoxes(w, t, t.drift, 1e30f, w.low, w.high);
            w.listedPieces.clear();
            for (int p = t.firstPiece; p < t.firstPiece + t.pieces; ++p) w.listedPieces.push_back(p);
            selfGrid.run(false);
        }
        t.way = {};
        if (!t.meets) continue;
        // For pairs of fast objects the extrapolated path is limited, so their candidates may be recomputed in every
        // substep. Boxes for many substeps would overlap almost everything.
        makeBoxes(w, t, {0, 0, 0}, 16 * t.half, w.crossLow, w.crossHigh);
        for (int i = t.begin; i < t.begin + t.count; ++i) {
            t.way.add(widen(Vec3(w.crossLow[i])));
            t.way.add(widen(Vec3(w.crossHigh[i])));
        }
        t.way.grow(double(t.half));
    }
    crossPieces(w);
    crossGrid.run(true);
    pairs.corners = pairs.size();
    for (Lister* l : {&self, &cross}) {
        for (int k = 0; k < 4; ++k)
            pairs.v[k].insert(pairs.v[k].end(), l->edges[k].begin(), l->edges[k].end());
        pairs.apart.insert(pairs.apart.end(), l->edgeApart.begin(), l->edgeApart.end());
        pairs.friction.insert(pairs.friction.end(), l->edgeFriction.begin(), l->edgeFriction.end());
    }
    const std::size_t count = std::size_t(pairs.size());
    pairs.weight.resize(count);
    pairs.normal.resize(count);
    pairs.told.resize(count);
    w.listed = true;
    return true;
}

} // namespace capstan
