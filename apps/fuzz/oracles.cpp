// SPDX-License-Identifier: MIT
// Source of Gauss' integral over two segments: K. Klenin, J. Langowski, "Computation of writhe in modeling of
// supercoiled DNA", Biopolymers 54 (2000), method 1a. worlds/passes.hpp has both parts.
#include <apps/fuzz/oracles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace capstan::fuzz {
namespace {

bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
bool allFinite(std::span<const Point> points) {
    return std::all_of(points.begin(), points.end(), [](const Point& p) { return finite(p); });
}
bool allFinite(std::span<const float> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float a) { return std::isfinite(a); });
}

Fault notFinite(const char* of, std::uint32_t slot) {
    return {"notFinite", std::string(of) + " of slot " + std::to_string(slot)};
}

// Ropes nearer than this share of the distance of contact overlapped when they were made, or when they were made thicker.
// The engine leads them out of each other and may let them pass (belowFloor in src/solver/coupled/rows.hpp).
constexpr double kFloorShare = 0.19;

} // namespace

Fault findNotFinite(const World& world) {
    for (const RopeId r : world.ids<RopeId>()) {
        if (!allFinite(world.positions(r))) return notFinite("a position of the rope", r.index);
        if (!allFinite(world.velocities(r))) return notFinite("a velocity of the rope", r.index);
        if (!allFinite(world.tensions(r))) return notFinite("a tension of the rope", r.index);
    }
    for (const BodyId b : world.ids<BodyId>()) {
        const Quatf q = world.pose(b).rotation;
        if (!finite(world.position(b)) || !finite(q.vector()) || !std::isfinite(q.w))
            return notFinite("the pose of the body", b.index);
        if (!finite(world.velocity(b)) || !finite(world.angularVelocity(b)))
            return notFinite("a velocity of the body", b.index);
    }
    for (const ClothId c : world.ids<ClothId>()) {
        if (!allFinite(world.positions(c))) return notFinite("a position of the cloth", c.index);
        if (!allFinite(world.velocities(c))) return notFinite("a velocity of the cloth", c.index);
        if (!allFinite(world.strains(c))) return notFinite("a strain of the cloth", c.index);
    }
    for (const HairId h : world.ids<HairId>())
        if (!allFinite(world.positions(h))) return notFinite("a position of the hair", h.index);
    for (const JointId j : world.ids<JointId>()) {
        const JointForces f = world.jointForces(j);
        if (!finite(f.force) || !finite(f.torque) || !std::isfinite(f.angle) || !std::isfinite(f.distance))
            return notFinite("a reading of the joint", j.index);
    }
    for (const Contact& c : world.contacts())
        if (!finite(c.point) || !finite(c.normal) || !std::isfinite(c.force) || !finite(c.friction))
            return {"notFinite", "a contact"};
    return {};
}

std::vector<PassOracle::Rope> PassOracle::ropesOf(const World& world) {
    std::vector<Rope> ropes;
    if (!world.def().contact) return ropes;
    for (const RopeId id : world.ids<RopeId>()) {
        const RopeDef& def = world.def(id);
        const std::span<const Point> points = world.positions(id);
        Rope rope = {id, {}, double(def.radius), def.closed, def.selfContact, {}, def.filter};
        for (const Point& p : points) rope.line.push_back(widen(Vec3(p)));
        rope.held[0] = points.front().w == 0;
        rope.held[1] = points.back().w == 0;
        if (def.closed && !rope.line.empty()) rope.line.push_back(rope.line.front());
        ropes.push_back(std::move(rope));
    }
    return ropes;
}

void PassOracle::before(const World& world) { ropes_ = ropesOf(world); }

namespace {

// Returns Gauss' integral of two lines, over 4 pi: the linking number, if they are closed.
double crossings(const bench::Line& a, const bench::Line& b) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < a.size(); ++i)
        for (std::size_t j = 0; j + 1 < b.size(); ++j)
            sum += bench::signedSolidAngle(a[i], a[i + 1], b[j], b[j + 1]);
    return sum / (4 * std::numbers::pi);
}

struct Segment {
    std::size_t i;
    const bench::Line &from, &to;
    bench::SegmentMove move() const { return {{from[i], to[i]}, {from[i + 1], to[i + 1]}}; }
};

bool boxesMeet(const bench::SegmentMove& a, const bench::SegmentMove& b) {
    const auto low = [](const bench::SegmentMove& m) {
        return min(min(m.p[0], m.p[1]), min(m.q[0], m.q[1]));
    };
    const auto high = [](const bench::SegmentMove& m) {
        return max(max(m.p[0], m.p[1]), max(m.q[0], m.q[1]));
    };
    const Vec3d gap = max(low(a) - high(b), low(b) - high(a));
    return gap.x <= 0 && gap.y <= 0 && gap.z <= 0;
}

// A stretch of a rope about one of its segments. Of a closed rope it goes round.
struct Stretch {
    const bench::Line &from, &to;
    bool closed;
    int middle;
    int segments() const { return int(from.size()) - 1; }
    bool has(int k) const { return closed || (k >= 0 && k < segments()); }
    std::size_t index(int k) const { return std::size_t((k % segments() + segments()) % segments()); }
};
constexpr int kBeside = 2; // segments on each side of those that cross

// Returns by how much Gauss' integral of two stretches changes, over 4 pi. A pass changes it by nearly 1. The integral
// of whole ropes was refused: a ring thrown about by 0.1 m in a step changed that of itself by a half.
double jump(const Stretch& a, const Stretch& b, bool same) {
    double sum = 0;
    for (int i = a.middle - kBeside; i <= a.middle + kBeside; ++i) {
        for (int j = b.middle - kBeside; a.has(i) && j <= b.middle + kBeside; ++j) {
            if (!b.has(j) || (same && (j - i < 2 || j - i > a.segments() - 2))) continue;
            const std::size_t k = a.index(i), l = b.index(j);
            sum += bench::signedSolidAngle(a.to[k], a.to[k + 1], b.to[l], b.to[l + 1]) -
                   bench::signedSolidAngle(a.from[k], a.from[k + 1], b.from[l], b.from[l + 1]);
        }
    }
    return sum / (4 * std::numbers::pi);
}

// Returns whether the nodes of the two segments and of those beside them move by less than a quarter of a segment against each
// other. Then their true ways are near the lines between the two frames.
bool movesLittle(const Stretch& a, const Stretch& b) {
    std::vector<Vec3d> moves;
    double least = 1e30;
    for (const Stretch* s : {&a, &b})
        for (int k = s->middle - 1; k <= s->middle + 1; ++k) {
            if (!s->has(k)) continue;
            const std::size_t at = s->index(k);
            least = std::min(least, length(s->from[at + 1] - s->from[at]));
            moves.push_back(s->to[at] - s->from[at]);
            moves.push_back(s->to[at + 1] - s->from[at + 1]);
        }
    Vec3d mean = {0, 0, 0};
    for (const Vec3d& move : moves) mean = mean + (1.0 / double(moves.size())) * move;
    return std::all_of(moves.begin(), moves.end(),
                       [&](Vec3d move) { return length(move - mean) < 0.25 * least; });
}

constexpr std::size_t kNearEnd = 2; // segments beside a free end, which others can slip around

} // namespace

bool PassOracle::nearEnd(const Rope& r, std::size_t segment) {
    if (r.closed) return false;
    return (!r.held[0] && segment < kNearEnd) || (!r.held[1] && segment + kNearEnd + 1 >= r.line.size());
}

Fault PassOracle::compareLinks(const Rope& a, const Rope& a1, const Rope& b, const Rope& b1) {
    const double before = crossings(a.line, b.line), now = crossings(a1.line, b1.line);
    if (!(std::fabs(now - before) >= 0.5)) return {};
    if (bench::leastDistance({a.line, b.line}, {}) < kFloorShare * (a.radius + b.radius)) return {};
    return {"pass", "the linking number of the ropes of slots " + std::to_string(a.id.index) + " and " +
                        std::to_string(b.id.index) + " went from " + std::to_string(before) + " to " +
                        std::to_string(now)};
}

Fault PassOracle::compare(const Rope& a, const Rope& a1, const Rope& b, const Rope& b1) {
    const bool same = a.id == b.id;
    if (!same && a.closed && b.closed) return compareLinks(a, a1, b, b1);
    // Where little of a rope lies between two of its segments, they meet nearer than it is thick.
    std::size_t apart = 0;
    if (same && a.line.size() > 1) {
        const double edge = std::max(length(a.line[1] - a.line[0]), 1e-9);
        apart = 2 + std::size_t(std::min(8 * a.radius / edge, 1e6));
    }
    const std::size_t count = a.line.size();
    for (std::size_t i = 0; i + 1 < count; ++i) {
        if (nearEnd(a, i)) continue;
        const bench::SegmentMove m = Segment{i, a.line, a1.line}.move();
        for (std::size_t j = same ? i + apart : 0; j + 1 < b.line.size(); ++j) {
            if (nearEnd(b, j) || (same && a.closed && i + count - 1 - j < apart)) continue;
            const bench::SegmentMove n = Segment{j, b.line, b1.line}.move();
            if (!boxesMeet(m, n) || !bench::passesThrough(m, n)) continue;
            const Stretch x = {a.line, a1.line, a.closed, int(i)}, y = {b.line, b1.line, b.closed, int(j)};
            if (!movesLittle(x, y)) continue;
            if (bench::distanceOfSegments(m.p[0], m.q[0], n.p[0], n.q[0]) <
                kFloorShare * (a.radius + b.radius))
                continue;
            if (!(std::fabs(jump(x, y, same)) >= 0.5)) continue; // not a number: segments without length
            return {"pass", "segment " + std::to_string(i) + " of the rope of slot " +
                                std::to_string(a.id.index) + " went through segment " + std::to_string(j) +
                                " of slot " + std::to_string(b.id.index)};
        }
    }
    return {};
}

Fault PassOracle::after(const World& world) const {
    const std::vector<Rope> now = ropesOf(world);
    const auto same = [&](const Rope& r) -> const Rope* {
        for (const Rope& n : now) // a winch gives and takes nodes; then the step is not judged
            if (n.id == r.id && n.line.size() == r.line.size()) return &n;
        return nullptr;
    };
    for (std::size_t i = 0; i < ropes_.size(); ++i) {
        const Rope* a = same(ropes_[i]);
        if (!a) continue;
        for (std::size_t j = i; j < ropes_.size(); ++j) {
            const Rope* b = same(ropes_[j]);
            if (!b || (i == j ? !a->self : !mayTouch(a->filter, b->filter))) continue;
            if (Fault fault = compare(ropes_[i], *a, ropes_[j], *b)) return fault;
        }
    }
    return {};
}

// The share of the energy in play that a step may add, and J that is rounding whatever the scale. Experiment: see
// docs/fuzzing.md, "Energy".
constexpr double kEnergyShare = 0.02, kEnergyFloor = 1e-3;
constexpr int kLasts = 10; // steps

namespace {

// rad in a substep. A brick at 150 rad/s and 1.2 rad in a substep gained 2 % in seven steps.
constexpr double kFarthestTurn = 0.4;

bool turnsFar(const Player& player) {
    const World& world = player.world();
    const double h = player.dt() / world.def().substeps;
    const std::span<const BodyVelocity> all = world.bodyVelocities();
    return std::any_of(all.begin(), all.end(), [&](const BodyVelocity& v) {
        return !(length(widen(v.angular)) * h < kFarthestTurn);
    });
}

bool broke(const World& world) {
    const std::span<const Event> all = world.events();
    return std::any_of(all.begin(), all.end(), [](const Event& e) { return e.kind == Event::Kind::Broke; });
}

} // namespace

void EnergyOracle::before(const Player& player) {
    spins_ = spins_ || turnsFar(player);
    const double now = player.world().energy().total();
    if (!begun_) {
        allowed_ = now;
        begun_ = true;
    } else if (player.position().edited) {
        allowed_ += std::max(now - last_, 0.0);
    }
    last_ = now;
    tied_ = player.position().tied;
}

Fault EnergyOracle::after(const Player& player) {
    const Energy e = player.world().energy();
    scale_ = std::max({scale_, e.kinetic + e.elastic, std::fabs(allowed_ - e.total())});
    // A break drops a segment's mass, and a node that is tied to the ground leaves energy() with the next step.
    if (tied_ || broke(player.world())) allowed_ += std::max(e.total() - last_, 0.0);
    last_ = e.total();
    if (player.position().uncertain || spins_) return {};
    ++judged_;
    const double slack = kEnergyShare * scale_ + kEnergyFloor;
    const double motion = e.kinetic + e.potential;
    above_ = last_ > allowed_ + slack && !player.position().soft ? above_ + 1 : 0;
    if (!(motion > allowed_ + slack) && above_ < kLasts) return {};
    return {"energy", std::to_string(above_ < kLasts ? motion : last_) + " J, at most " +
                          std::to_string(allowed_) + " J went in, slack " + std::to_string(slack)};
}

} // namespace capstan::fuzz
