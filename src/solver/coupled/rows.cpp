// SPDX-License-Identifier: MIT
// The coupled solver: makes contact rows from candidates, with the multipliers of the previous substep. See
// island.hpp.
#include "solver/coupled/rows.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace capstan {
namespace {

// Identifiers of elements that persist over steps: the kind of object, its slot, and the element of it.
std::uint64_t elementOf(const CoupledIsland& t, const IslandSegment& s) {
    return std::uint64_t(std::uint32_t(t.ropes[s.rope].slot)) << 32 | std::uint32_t(s.k);
}
std::uint64_t elementOf(const CoupledIsland& t, const IslandShape& s, int triangle) {
    const std::uint64_t slot = std::uint32_t(t.bodies[s.body].slot);
    return std::uint64_t(1) << 63 | slot << 32 | std::uint64_t(s.index & 255) << 24 |
           std::uint32_t(triangle + 1);
}

// The order of rows: by kind, then by identifier. Rows are made in this order, so new and old rows are merged
// in one pass.
bool before(const ContactRow& a, const ContactRow& b) {
    const int ka = int(a.a >> 63) + int(a.b >> 63), kb = int(b.a >> 63) + int(b.b >> 63);
    if (ka != kb) return ka < kb;
    if (a.a != b.a) return a.a < b.a;
    if (a.b != b.b) return a.b < b.b;
    return a.feature < b.feature;
}
bool same(const ContactRow& a, const ContactRow& b) {
    return a.a == b.a && a.b == b.b && a.feature == b.feature;
}

struct Material {
    double slide, stick, restitution;
};
Material of(const RopeDef& d) {
    const MaterialDef& m = d.material;
    return {widen(m.friction), widen(max(m.friction, m.staticFriction)), 0};
}
Material of(const BodyDef& d) {
    const MaterialDef& m = d.material;
    return {widen(m.friction), widen(max(m.friction, m.staticFriction)), widen(m.restitution)};
}
void mix(ContactRow& r, const Material& a, const Material& b) {
    r.slide = sqrt(a.slide * b.slide);
    r.stick = sqrt(a.stick * b.stick);
    r.restitution = max(a.restitution, b.restitution);
}

void setGap(const CoupledIsland& t, ContactRow& r, double gap) {
    r.gap0 = gap;
    // An embedded core moves out slowly, because its neighbours may be pushed in other directions.
    r.allowed = min(0.0, gap + (gap < -r.D ? t.def.pushOut : t.def.push) * t.h);
}

void putSegments(const CoupledIsland& t, const Model& m, const SegmentPair& p, std::span<const Vec3d> from,
                 ContactRow& r) {
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    const Vec3d &x0 = from[a.i], &x1 = from[a.j], &y0 = from[b.i], &y1 = from[b.j];
    const auto at = touchPoint(x0, x1, y0, y1);
    const double apart = sqrt(at.distanceSquared);
    r.a = elementOf(t, a);
    r.b = elementOf(t, b);
    r.end[0].i = a.i;
    r.end[0].j = a.j;
    r.end[0].c = at.s;
    r.end[1].i = b.i;
    r.end[1].j = b.j;
    r.end[1].c = at.t;
    r.D = p.D;
    r.n = apart > 1e-6 ? (1 / apart) * (at.p - at.q) : normalize(cross(x1 - x0, y1 - y0), {0, 0, 1});
    setGap(t, r, apart - p.D);
    mix(r, of(m.ropes[t.ropes[a.rope].slot].def), of(m.ropes[t.ropes[b.rope].slot].def));
}

// Sets the contact point of a row with a shape. Friction acts on both sides at the rope's core. A rope of
// radius r gets the velocity w (R + r) from a drum of radius R and angular velocity w. Its tension T exerts
// the torque T (R + r) on the drum. So the powers on both sides are equal.
void putShape(ContactRow& r, const Nearest& c, const Pose& at, const Pose& body) {
    r.n = rotate(at.q, c.normal);
    r.end[0].c = c.t;
    const Vec3d point = at.point(c.point);
    r.end[1].core = body.local(point);
    r.end[1].surface = body.local(point + r.D * r.n);
}

// Refused: rows at the nodes. They are no stiffer, and a rope with a hanging mass never came to rest.
void rowsOfShapes(CoupledIsland& t, const Model& m, std::span<const Vec3d> from) {
    for (const ShapePair& p : t.shapePairs) {
        const IslandSegment& s = t.segments[p.segment];
        const IslandShape& shape = t.shapes[p.shape];
        const IslandBody& body = t.bodies[shape.body];
        Pose at;
        const Nearest c = nearestTo(t, p, body.current, from[s.i], from[s.j], at);
        const double moved = length(body.now.x - body.current.x) +
                             length(log(normalize(body.now.q * conjugate(body.current.q)))) *
                                 (length(shape.local.x) + shape.reach);
        const double gap = c.distance - p.D;
        if (gap > max(t.def.margin * s.radius, t.move[p.segment] + moved)) continue;
        ContactRow r;
        r.a = elementOf(t, s);
        r.b = elementOf(t, shape, p.triangle);
        r.end[0].i = s.i;
        r.end[0].j = s.j;
        r.end[1].body = shape.body;
        r.D = p.D;
        r.shape = true;
        r.pair = p;
        const Nearest touch = touchPoint(t, p, body.current, from[s.i], from[s.j], at);
        putShape(r, touch, at, body.current);
        setGap(t, r, touch.distance - p.D);
        mix(r, of(m.ropes[t.ropes[s.rope].slot].def), of(m.bodies[body.slot].def));
        t.rows.push_back(r);
    }
}

void putBodies(ContactRow& r, const ManifoldPoint& q, const Pose& a, const Pose& b) {
    r.end[0].core = a.local(q.a);
    r.end[0].surface = a.local(q.a - q.radiusA * q.normal);
    r.end[1].core = b.local(q.b);
    r.end[1].surface = b.local(q.b + q.radiusB * q.normal);
}

void rowsOfBodies(CoupledIsland& t, const Model& m) {
    for (const BodyPair& p : t.bodyPairs) {
        const IslandShape &a = t.shapes[p.a], &b = t.shapes[p.b];
        const IslandBody &A = t.bodies[a.body], &B = t.bodies[b.body];
        const double move = length(A.now.x - A.start.x) + length(B.now.x - B.start.x);
        Manifold out;
        collide(*a.shape, A.start * a.local, *b.shape, B.start * b.local, p.triangle, 0.005 + move, out);
        // Rows must be in the order of their identifiers, otherwise their old multipliers are not found.
        for (int i = 1; i < out.count; ++i)
            for (int k = i; k > 0 && out.point[k].feature < out.point[k - 1].feature; --k)
                std::swap(out.point[k], out.point[k - 1]);
        for (int k = 0; k < out.count; ++k) {
            const ManifoldPoint& q = out.point[k];
            ContactRow r;
            r.a = elementOf(t, a, -1);
            r.b = elementOf(t, b, p.triangle);
            r.feature = q.feature;
            r.end[0].body = a.body;
            r.end[1].body = b.body;
            r.n = q.normal;
            r.D = q.radiusA + q.radiusB;
            putBodies(r, q, A.start, B.start);
            setGap(t, r, q.gap);
            mix(r, of(m.bodies[A.slot].def), of(m.bodies[B.slot].def));
            t.rows.push_back(r);
        }
    }
}

// Adds the multipliers of a row that has vanished to the nearest row between the same or neighbouring
// elements.
void handOver(CoupledIsland& t, const ContactRow& gone) {
    auto near = [](std::uint64_t x, std::uint64_t y) { return x + 1 >= y && y + 1 >= x; };
    ContactRow* best = nullptr;
    double least = 1e30;
    ContactRow first = gone;
    first.a = gone.a > 0 ? gone.a - 1 : 0;
    first.b = 0;
    first.feature = 0;
    const bool bodies = gone.a >> 63;
    if (bodies) {
        first.a = gone.a;
        first.b = gone.b;
    } else if (gone.b >> 63)
        first.b = std::uint64_t(1) << 63;
    std::size_t low = 0, high = t.rows.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (before(t.rows[middle], first))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < t.rows.size(); ++low) {
        ContactRow& r = t.rows[low];
        if (((r.a >> 63) != (gone.a >> 63)) || r.a > gone.a + (bodies ? 0 : 1)) break;
        const bool fits =
            bodies ? r.a == gone.a && r.b == gone.b && r.fresh : near(r.a, gone.a) && near(r.b, gone.b);
        if (!fits || dot(r.n, gone.n) < 0.5) continue;
        const double far = bodies ? length(r.end[0].core - gone.end[0].core)
                                  : double(r.a > gone.a ? r.a - gone.a : gone.a - r.a) +
                                        double(r.b > gone.b ? r.b - gone.b : gone.b - r.b) + r.gap0 / r.D;
        if (far < least) {
            least = far;
            best = &r;
        }
    }
    if (!best || (bodies && least > 0.1)) return;
    best->ln += gone.ln;
    t.presses[best - t.rows.data()] = best->slipping ? 2 : 1;
    tellPosition(t, std::size_t(best - t.rows.data()));
    best->lt = best->lt + gone.lt - dot(gone.lt, best->n) * best->n;
}

// Returns the four indices on which a row acts: two nodes for a segment; a body and -1 for a shape.
std::array<int, 4> whoOf(const CoupledIsland& t, const ContactRow& r) {
    std::array<int, 4> who;
    for (std::size_t e : {0u, 1u}) {
        const bool body = r.end[e].body >= 0;
        who[2 * e] = body ? int(t.x.size()) + r.end[e].body : r.end[e].i;
        who[2 * e + 1] = body ? -1 : r.end[e].j;
    }
    return who;
}

// Returns the index of the first old row that does not precede `row`. Most rows existed in the previous
// substep, so it is near `guess`.
std::size_t firstOld(const std::vector<ContactRow>& old, const ContactRow& row, std::size_t guess) {
    std::size_t low = std::min(guess, old.size()), high = low;
    for (std::size_t step = 1; low > 0 && !before(old[low - 1], row); step *= 2) {
        high = low - 1;
        low = high > step ? high - step : 0;
    }
    for (std::size_t step = 1; high < old.size() && before(old[high], row); step *= 2) {
        low = high + 1;
        high = std::min(low + step, old.size());
    }
    return std::size_t(
        std::lower_bound(old.begin() + std::ptrdiff_t(low), old.begin() + std::ptrdiff_t(high), row, before) -
        old.begin());
}

// Returns whether the rope was laid inside this solid: it is unstrained, and nothing has moved it in this step. Such a
// row comes out at the recovery speed. At the 1 m/s of other rows, a rope 0.5 mm inside a drum got 2.6 J at 16
// substeps and 0.36 J at 4.
// Refused: all new rows that overlap. A fast rope may overlap another one where the step bound left it, and thrown
// rings passed each other. Refused: ropes that bend. A ring between plates trembled at 0.5 mm/s for ever.
bool wasLaidInside(const CoupledIsland& t, const Model& m, const ContactRow& r) {
    const auto unmoved = [&](int node) { return lengthSquared(t.current[node] - t.start[node]) == 0; };
    const Rope& rope = m.ropes[std::uint32_t(r.a >> 32)];
    return r.shape && r.pair.triangle < 0 && !rope.bends() && r.gap0 < -kOut * r.D && rope.stretch == 0 &&
           rope.strain == 0 && unmoved(r.end[0].i) && unmoved(r.end[0].j);
}

// Fills in the rows of segments, and copies old multipliers to all rows. Returns whether a row is or was
// embedded.
bool fillRows(CoupledIsland& t, const Model& m, Threads& threads, std::span<const Vec3d> positions) {
    std::vector<char>& kept = t.kept;
    kept.assign(t.old.size(), 0);
    if (t.who.size() != t.rows.size()) t.linked = false;
    t.who.resize(t.rows.size());
    t.presses.resize(t.rows.size());
    t.acts.resize(t.rows.size());
    t.told.resize(t.rows.size());
    t.added.resize(t.rows.size());
    std::atomic<bool> deep{false}, others{false};
    threads.run(int(t.rows.size()), 16, [&](int from, int to, int) {
        bool some = false, other = false;
        for (int k = from; k < std::min(to, int(t.needed.size())); ++k) {
            ContactRow& r = t.rows[k];
            r = {}; // the memory may hold a row of two substeps ago
            putSegments(t, m, t.segmentPairs[t.needed[k]], positions, r);
        }
        auto at = t.old.begin() + std::ptrdiff_t(firstOld(t.old, t.rows[from], std::size_t(from)));
        for (int k = from; k < to; ++k) {
            ContactRow& r = t.rows[k];
            while (at != t.old.end() && before(*at, r)) ++at;
            if (at != t.old.end() && same(*at, r)) {
                if ((r.shape || r.end[0].body < 0) && !(r.gap0 + r.D > 1e-6)) r.n = at->n;
                r.ln = at->ln;
                r.lt = at->lt - dot(at->lt, r.n) * r.n;
                r.slipping = at->slipping;
                r.fresh = false;
                kept[at - t.old.begin()] = 1;
                some = some || at->inside || at->slow;
            } else if (r.gap0 < 0 && !(r.a >> 63) && wasLaidInside(t, m, r)) {
                r.slow = some = true;
                r.allowed = comesOut(t, r.gap0);
            }
            some = some || belowFloor(t, r);
            r.lnBefore = r.ln;
            r.ltBefore = r.lt;
            if (r.end[0].body >= 0) r.approach = dot(r.n, shiftOf(t, r.end[0]) - shiftOf(t, r.end[1])) / t.h;
            const std::array<int, 4> who = whoOf(t, r), &was = t.who[k];
            // An entry that is not rewritten stays in every core's cache.
            if (who[0] != was[0] || who[1] != was[1] || who[2] != was[2] || who[3] != was[3]) {
                t.who[k] = who;
                other = true;
            }
            t.presses[k] = !(r.ln > 0) ? 0 : r.slipping ? 2 : 1;
            if (t.presses[k]) tellPosition(t, std::size_t(k));
        }
        if (some) deep.store(true, std::memory_order_relaxed);
        if (other) others.store(true, std::memory_order_relaxed);
    });
    if (others) t.linked = false;
    for (std::size_t k = 0; k < t.old.size(); ++k)
        if (!kept[k] && t.old[k].ln > 0) handOver(t, t.old[k]);
    return deep;
}

} // namespace

void findRows(CoupledIsland& t, const Model& m, Threads& threads, std::span<const Vec3d> from,
              std::span<const Vec3d> to) {
    std::swap(t.rows, t.old);
    rowsOfSegments(t, threads, from, to);
    rowsOfShapes(t, m, from);
    rowsOfBodies(t, m);
    t.openShapes.clear();
    t.openSegments.clear();
    if (fillRows(t, m, threads, from)) markEmbedded(t);
}

// Recomputes closest points and normal at the iterate. The old normal is kept if the new one is opposite to
// it.
void relinearize(CoupledIsland& t, ContactRow& r) {
    if (r.end[0].body >= 0 || r.inside) return;
    const Vec3d a = t.x[r.end[0].i], b = t.x[r.end[0].j];
    if (r.shape) {
        const ShapePair& p = r.pair;
        const IslandBody& body = t.bodies[r.end[1].body];
        Pose at;
        const Nearest c = touchPoint(t, p, body.now, a, b, at);
        if (dot(rotate(at.q, c.normal), r.n) > 0) putShape(r, c, at, body.now);
        return;
    }
    const auto c = touchPoint(a, b, t.x[r.end[1].i], t.x[r.end[1].j]);
    r.end[0].c = c.s;
    r.end[1].c = c.t;
    const Vec3d w = c.p - c.q;
    if (c.distanceSquared > 1e-12 && dot(w, r.n) > 0) r.n = (1 / sqrt(c.distanceSquared)) * w;
}

namespace {
constexpr double kTouches = 1e-6; // m: bodies with a smaller gap touch
constexpr double kFarther = 1;    // m: a pair that is farther apart keeps its normals
} // namespace

// A row between bodies that touched at the start of the substep keeps its normal, unless the true gap is smaller. On a
// convex surface a step along the new normal would gain energy. On a hollow one, the old normal would let bodies overlap.
// A chain that swung with the old normals only gained 0.2 J in a frame.
void relinearizeBodies(CoupledIsland& t) {
    auto row = t.rows.begin();
    for (const BodyPair& p : t.bodyPairs) {
        const IslandShape &a = t.shapes[p.a], &b = t.shapes[p.b];
        const std::uint64_t nameA = elementOf(t, a, -1), nameB = elementOf(t, b, p.triangle);
        if (row == t.rows.end()) return;
        if (row->a != nameA || row->b != nameB) continue;
        const IslandBody &A = t.bodies[a.body], &B = t.bodies[b.body];
        Manifold out;
        collide(*a.shape, A.now * a.local, *b.shape, B.now * b.local, p.triangle, kFarther, out);
        for (; row != t.rows.end() && row->a == nameA && row->b == nameB; ++row)
            for (int k = 0; k < out.count; ++k) {
                const ManifoldPoint& q = out.point[k];
                if (q.feature != row->feature || !(dot(q.normal, row->n) > 0)) continue;
                if (row->gap0 < kTouches && q.gap >= gapOf(t, *row)) continue;
                row->n = q.normal;
                putBodies(*row, q, A.now, B.now);
            }
    }
}

void linkRows(CoupledIsland& t) {
    const std::size_t count = t.x.size() + t.bodies.size();
    if (t.linked) return;
    t.linked = true;
    t.linkedNodes = t.x.size();
    t.useBegin.resize(count + 1);
    t.fill.assign(count, 0);
    t.touched.clear();
    for (const std::array<int, 4>& row : t.who)
        for (int who : row)
            if (who >= 0) ++t.fill[who];
    int sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (k < t.x.size() && t.fill[k] > 0) t.touched.push_back(int(k));
        t.useBegin[k] = sum;
        sum += t.fill[k];
        t.fill[k] = t.useBegin[k];
    }
    t.useBegin[count] = sum;
    t.use.resize(std::size_t(sum));
    for (std::size_t k = 0; k < t.who.size(); ++k)
        for (std::size_t e = 0; e < 4; ++e)
            if (const int who = t.who[k][e]; who >= 0) t.use[t.fill[who]++] = {int(k), int(e)};
}

} // namespace capstan
