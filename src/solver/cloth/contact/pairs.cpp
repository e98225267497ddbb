// SPDX-License-Identifier: MIT
// Pushes pairs of cloth apart and shortens moves. See pairs.hpp.
#include "solver/cloth/contact/pairs.hpp"

#include <utility>

namespace capstan {
namespace {

Vec3d positionInPair(const std::vector<Point>& x, int i) { return widen(Vec3(x[i])); }
void moveTo(Point& x, Vec3d to) {
    const Vec3 p = narrow(to);
    x = {p.x, p.y, p.z, x.w};
}

// Adds the contact of pair i to the report. `impulse` [N s] acts on the first feature.
void tellPair(ClothContactWorkspace& w, std::size_t i, Vec3d impulse, Vec3d n, Vec3d at) {
    const auto thingOf = [&](int point) -> const ClothContactObject& {
        std::size_t k = 0;
        while (point >= w.things[k].begin + w.things[k].count) ++k;
        return w.things[k];
    };
    const int points[2] = {w.pairs.v[0][i], w.pairs.v[2][i]};
    const ClothContactObject *a = &thingOf(points[0]), *b = &thingOf(points[1]);
    int part = 0;
    // Objects are sheets in the order of their slots, then ropes. The earlier object becomes a.
    if (b < a) {
        std::swap(a, b);
        impulse = -impulse;
        n = -n;
    }
    if (b->rope >= 0) {
        const int node = (a == &thingOf(points[0]) ? points[1] : points[0]) - b->begin;
        part = node < b->pieces ? node : b->pieces - 1; // the last node belongs to the last segment
    }
    w.coupling.contacts.add(clothElement(a->cloth),
                            b->rope >= 0 ? ropeElement(b->rope) : clothElement(b->cloth), impulse, n, at,
                            part);
}

} // namespace

void pushClothPairs(ClothContactWorkspace& w, double h) {
    const ClothPairs& p = w.pairs;
    w.pushed = 0;
    if (w.active.empty()) return;
    w.split.assign(w.x.size(), 0);
    w.ask.assign(w.x.size(), Vec3d{0, 0, 0});
    w.deep.resize(w.active.size());
    const auto weights = [&](int i, double(&g)[4]) {
        const Point& a = p.weight[i];
        g[0] = double(a.x);
        g[1] = double(a.y);
        g[2] = double(a.z);
        g[3] = double(a.w);
    };
    double g[4];
    for (std::size_t at = 0; at < w.active.size(); ++at) {
        const std::size_t i = std::size_t(w.active[at]);
        weights(int(i), g);
        Vec3d now = {0, 0, 0};
        for (int k = 0; k < 4; ++k) now += g[k] * positionInPair(w.x, p.v[k][i]);
        w.deep[at] = double(p.apart[i]) - dot(widen(Vec3(p.normal[i])), now);
        if (!(w.deep[at] > 0)) continue;
        ++w.pushed;
        for (int k = 0; k < 4; ++k)
            if (g[k] != 0) w.split[p.v[k][i]] += 1;
    }
    for (std::size_t at = 0; at < w.active.size(); ++at) {
        const std::size_t i = std::size_t(w.active[at]);
        const double deep = w.deep[at];
        if (!(deep > 0)) continue;
        weights(int(i), g);
        const Vec3d n = widen(Vec3(p.normal[i]));
        Vec3d moved = {0, 0, 0}, middle = {0, 0, 0};
        double weight = 0;
        for (int k = 0; k < 4; ++k) {
            const int v = p.v[k][i];
            moved += g[k] * (positionInPair(w.x, v) - positionInPair(w.before, v));
            weight += double(w.x[v].w) * double(w.split[v]) * g[k] * g[k];
            middle += (0.5 * abs(g[k])) * positionInPair(w.x, v);
        }
        if (!(weight > 0)) continue;
        const Vec3d across = moved - dot(moved, n) * n;
        const double l = length(across);
        Vec3d by = deep * n;
        if (l > 0) by = by - (min(double(p.friction[i]) * deep, l) / l) * across;
        tellPair(w, i, (1 / (h * weight)) * by, n, middle);
        for (int k = 0; k < 4; ++k) {
            const std::size_t v = std::size_t(p.v[k][i]);
            w.ask[v] += (double(w.x[v].w) * g[k] / weight) * by;
        }
    }
    for (std::size_t v = 0; v < w.x.size(); ++v)
        if (w.split[v] > 0) moveTo(w.x[v], widen(Vec3(w.x[v])) + w.ask[v]);
}

namespace {

// Puts a plane with normal n between the two features of pair i, and limits the displacement of each side towards the
// plane.
void planePair(ClothContactWorkspace& w, int i) {
    const ClothPairs& p = w.pairs;
    const int first = i < p.corners ? 1 : 2;
    const Vec3d n = widen(Vec3(p.normal[i]));
    const double d = double(p.normal[i].w), floor = 0.2 * double(p.apart[i]);
    double low = 1e30, high = -1e30, nears[2] = {0, 0}, by[4];
    for (int k = 0; k < 4; ++k) {
        const int v = p.v[k][i];
        const double at = dot(n, positionInPair(w.before, v)), to = dot(n, positionInPair(w.x, v));
        if (k < first) {
            low = min(low, at);
            by[k] = at - to;
            nears[0] = max(nears[0], by[k]);
        } else {
            high = max(high, at);
            by[k] = to - at;
            nears[1] = max(nears[1], by[k]);
        }
    }
    const double slab = low - high, free = 0.9 * max(slab - floor, 0.0);
    const bool plain = slab > 0.5 * d;
    const double both = nears[0] + nears[1];
    const double second = both > 0 ? clamp(nears[1] / both, 0.05, 0.95) : 0.5;
    for (int k = 0; k < 4; ++k) {
        const int v = p.v[k][i];
        double most = 1;
        if (plain) {
            const double margin = (k < first ? 1 - second : second) * free;
            if (by[k] > margin) most = margin / by[k];
        } else {
            const double l = length(positionInPair(w.x, v) - positionInPair(w.before, v));
            const double margin = 0.45 * max(d - floor, 0.0);
            if (l > margin) most = margin / l;
        }
        if (w.x[v].w > 0) w.share[v] = min(w.share[v], narrow(most));
    }
}

// Returns true if the features could come into contact for some combination of shortened moves.
bool mayMeet(const ClothContactWorkspace& w, int i) {
    const ClothPairs& p = w.pairs;
    const int first = i < p.corners ? 1 : 2;
    double most[2] = {0, 0};
    for (int k = 0; k < 4; ++k) {
        const int v = p.v[k][i];
        double& side = most[k < first ? 0 : 1];
        side = max(side, length(positionInPair(w.x, v) - positionInPair(w.before, v)));
    }
    return most[0] + most[1] > 0.9 * (double(p.normal[i].w) - 0.2 * double(p.apart[i]));
}

} // namespace

bool planeClothPairs(ClothContactWorkspace& w, bool all) {
    bool any = false;
    for (int i = 0; i < w.pairs.size(); ++i) {
        if (w.pairs.planed[i]) continue;
        if (!(w.pairs.told[i] > 0) && !(all && mayMeet(w, i))) continue;
        planePair(w, i);
        w.pairs.planed[i] = 1;
        any = true;
    }
    return any;
}

void cutClothPairs(ClothContactWorkspace& w) {
    for (std::size_t v = 0; v < w.x.size(); ++v) {
        const double share = double(w.share[v]);
        if (!(share < 1)) continue;
        const Vec3d from = widen(Vec3(w.before[v]));
        moveTo(w.x[v], from + share * (widen(Vec3(w.x[v])) - from));
        ++w.truncated;
    }
    for (ClothContactObject& t : w.things) t.shift = t.shift + t.drift;
}

} // namespace capstan
