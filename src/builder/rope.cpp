// SPDX-License-Identifier: MIT
// See rope.hpp. A rope is laid along its path in equal segments. A rope that is longer than the distance between its
// ends is laid along an arc of a circle that sags with gravity. N chords with the total length L on an arc of
// half-angle a span a distance L sin(a) / (N sin(a/N)). This equation is solved for a.
#include "builder/rope.hpp"

#include "builder/field_check.hpp"
#include "solver/rope/nodes.hpp"
#include <capstan/math/transcendental.hpp>

#include <algorithm>
#include <numbers>

namespace capstan {
namespace {

constexpr int kMostNodes = 1000000;

// kg. The inverse of 1e-39 kg is beyond a float, and multipliers of 1e-34 kg lose their last bits. A rope of 1e-34 kg
// rose by 4 m with Jacobi. Ropes of 1e-25 kg and more fell alike.
constexpr double kLeastNodeMass = 1e-20;

// kg. Tensions are read as floats, which end at 3e38 N.
constexpr double kMostMass = 1e30;

// m, of a segment between two given points. An Atwood machine with one of 1 um went as fast as without, to 0.3 %; with
// 0.3 um it was wrong by 2 %.
constexpr double kLeastPiece = 1e-6;

double pathLength(const std::vector<Vec3d>& path) {
    double sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i) sum += length(path[i] - path[i - 1]);
    return sum;
}

std::vector<Vec3d> pathOf(const RopeDef& d) {
    std::vector<Vec3d> path;
    if (d.points.empty()) {
        path = {widen(d.from), widen(d.to)};
    } else {
        for (Vec3 p : d.points) path.push_back(widen(p));
        if (d.closed) path.push_back(path.front());
    }
    return path;
}

// Returns nodes on an arc of the given length from a to b, in the plane of the chord and gravity.
std::vector<Vec3d> sagging(Vec3d a, Vec3d b, double arc, int segments, Vec3 gravity) {
    const Vec3d chord = b - a;
    const double c = length(chord);
    double low = 0, high = std::numbers::pi; // the ratio below falls from 1 to 0 as the half-angle grows
    for (int i = 0; i < 60; ++i) {
        const double x = 0.5 * (low + high);
        (sin(x) / (segments * sin(x / segments)) > c / arc ? low : high) = x;
    }
    const double half = 0.5 * (low + high), radius = arc / (2 * segments * sin(half / segments));
    const Vec3d along = normalize(chord, Vec3d{1, 0, 0});
    Vec3d down = normalize(widen(gravity), Vec3d{0, -1, 0});
    down = down - dot(down, along) * along;
    down = length(down) > 1e-6 ? normalize(down) : perpendicular(along);
    const Vec3d middle = a + 0.5 * chord, center = middle - (radius * cos(half)) * down;
    std::vector<Vec3d> nodes;
    for (int k = 0; k <= segments; ++k) {
        const double angle = half * (2.0 * k / segments - 1);
        nodes.push_back(center + (radius * sin(angle)) * along + (radius * cos(angle)) * down);
    }
    nodes.front() = a;
    nodes.back() = b;
    return nodes;
}

// Divides the path into equal pieces.
std::vector<Vec3d> resampled(const std::vector<Vec3d>& path, int segments) {
    const double step = pathLength(path) / segments;
    std::vector<Vec3d> nodes = {path.front()};
    std::size_t i = 1;
    double before = 0; // arc length at path[i - 1]
    for (int k = 1; k < segments; ++k) {
        while (i + 1 < path.size() && before + length(path[i] - path[i - 1]) < k * step) {
            before += length(path[i] - path[i - 1]);
            ++i;
        }
        const double piece = length(path[i] - path[i - 1]);
        const double t = piece > 0 ? std::min((k * step - before) / piece, 1.0) : 0;
        nodes.push_back(path[i - 1] + t * (path[i] - path[i - 1]));
    }
    nodes.push_back(path.back());
    return nodes;
}

int segmentCount(const RopeDef& d) {
    if (d.segments > 0) return d.segments;
    return int(d.points.size()) - (d.closed ? 0 : 1);
}

bool sags(const RopeDef& d, const std::vector<Vec3d>& path) {
    return path.size() == 2 && double(d.length) > pathLength(path) * (1 + 1e-6);
}

// Returns the initial positions of the nodes. The last node of a ring equals the first node and is omitted.
std::vector<Vec3d> layout(const RopeDef& d, Vec3 gravity) {
    const std::vector<Vec3d> path = pathOf(d);
    std::vector<Vec3d> nodes;
    if (sags(d, path))
        nodes = sagging(path[0], path[1], double(d.length), segmentCount(d), gravity);
    else
        nodes = d.segments == 0 ? path : resampled(path, d.segments);
    if (d.closed) nodes.pop_back();
    return nodes;
}

double massOf(const RopeDef& d, double rest) {
    return d.mass > 0 ? double(d.mass)
                      : std::numbers::pi * double(d.radius) * double(d.radius) * rest * double(d.density);
}

int nodeCount(const RopeDef& d) { return segmentCount(d) + (d.closed ? 0 : 1); }

std::optional<Error> checkNodes(const RopeDef& d) {
    const int n = nodeCount(d);
    auto bad = [&](int node, const std::string& where) -> std::optional<Error> {
        if (node >= -n && node < n) return {};
        return Error{"there is no node " + std::to_string(node) + "; the rope has " + std::to_string(n) +
                         " nodes",
                     where};
    };
    for (std::size_t i = 0; i < d.pins.size(); ++i)
        if (auto e = bad(d.pins[i], "/pins/" + std::to_string(i))) return e;
    for (std::size_t i = 0; i < d.loads.size(); ++i)
        if (auto e = bad(d.loads[i].node, "/loads/" + std::to_string(i) + "/node")) return e;
    for (std::size_t i = 0; i < d.clamps.size(); ++i) {
        const std::string where = "/clamps/" + std::to_string(i);
        const int node = d.clamps[i].node;
        if (node != 0 && node != -1 && node != n - 1)
            return Error{"a clamp must be at an end: node 0 or -1", where + "/node"};
        if (!(length(widen(d.clamps[i].direction)) > 0))
            return Error{"direction must not be zero", where + "/direction"};
        if (d.closed) return Error{"a closed rope has no end to clamp", where};
        if (d.solver != Solver::Chain) return Error{"clamps need the chain solver", where};
    }
    return {};
}

// Finds the lightest node: half of the segments beside it, and its loads.
std::optional<Error> checkMass(const RopeDef& d, const std::vector<Vec3d>& nodes, double rest) {
    const int n = int(nodes.size()), segments = d.closed ? n : n - 1;
    std::vector<double> mass(nodes.size());
    double laid = 0;
    for (int k = 0; k < segments; ++k) {
        const double l = length(nodes[(k + 1) % n] - nodes[k]);
        laid += l;
        mass[k] += 0.5 * l;
        mass[(k + 1) % n] += 0.5 * l;
    }
    for (double& m : mass) m *= massOf(d, rest) / laid;
    for (const LoadDef& l : d.loads)
        if (l.node >= -n && l.node < n) mass[l.node < 0 ? l.node + n : l.node] += double(l.mass);
    const auto [least, most] = std::minmax_element(mass.begin(), mass.end());
    if (!(*most <= kMostMass))
        return Error{"mass: a node must weigh at most " + shortNumber(kMostMass) + " kg, got " +
                         shortNumber(*most) + " kg at node " + std::to_string(most - mass.begin()),
                     d.mass > 0 ? "/mass" : "/density"};
    if (*least >= kLeastNodeMass) return {};
    return Error{"mass: a node must weigh at least " + shortNumber(kLeastNodeMass) + " kg, got " +
                     shortNumber(*least) + " kg at node " + std::to_string(least - mass.begin()) +
                     "; make the rope heavier",
                 d.mass > 0 ? "/mass" : "/density"};
}

std::optional<Error> checkLayout(const RopeDef& d, Vec3 gravity) {
    const std::string place = d.points.empty() ? "/to" : "/points";
    if (d.points.size() == 1) return Error{"a path needs at least two points", "/points"};
    if (d.segments == 0 && d.points.empty())
        return Error{"segments must be at least 1 where no points are given, got 0", "/segments"};
    if (d.closed && d.points.size() < 3) return Error{"a closed rope needs at least three points", "/points"};
    if (segmentCount(d) > kMostNodes) return Error{"the rope has too many segments", "/segments"};
    const int fewest = d.closed ? (d.bendStiffness > 0 || d.maxBend > 0 ? 6 : 3) : 1;
    if (segmentCount(d) < fewest)
        return Error{"a closed rope needs at least " + std::to_string(fewest) + " segments", "/segments"};

    const std::vector<Vec3d> path = pathOf(d);
    const double span = pathLength(path);
    if (!(span > 0) && !sags(d, path))
        return Error{"the ends coincide; give a length, or another end", place};
    const double rest = d.length > 0 ? double(d.length) : span;
    if (d.length > 0 && double(d.length) < span * (1 - 1e-6) && d.stretchStiffness == 0)
        return Error{"length " + shortNumber(double(d.length)) + " is shorter than the path (" +
                         shortNumber(span) + " m), and a rope with stretchStiffness 0 cannot stretch",
                     "/length"};
    if (d.length > 0 && double(d.length) > span * (1 + 1e-6) && !sags(d, path))
        return Error{"length " + shortNumber(double(d.length)) + " is longer than the path (" +
                         shortNumber(span) + " m); give a longer path, or two ends",
                     "/length"};
    if (!(rest / segmentCount(d) > 1e-7))
        return Error{"segments must be at least 0.1 micrometres long", "/segments"};
    const std::vector<Vec3d> nodes = layout(d, gravity);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const std::string where = d.segments == 0 ? "/points/" + std::to_string(i) : place;
        if (!(length(narrow(nodes[i]) - narrow(nodes[i - 1])) > 0))
            return Error{"neighbouring nodes must not coincide", where};
        const double l = length(nodes[i] - nodes[i - 1]);
        if (d.segments == 0 && l < kLeastPiece)
            return Error{"points: a segment must be at least " + shortNumber(kLeastPiece) + " m long, got " +
                             shortNumber(l) + " m for segment " + std::to_string(i - 1) +
                             "; leave out one of its points",
                         where};
    }
    return checkMass(d, nodes, rest);
}

} // namespace

Status checkRope(const RopeDef& d, Vec3 gravity) {
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkMaterial(d.material, "a rope", true)) return *e;
    if (auto e = checkLayout(d, gravity)) return *e;
    if (auto e = checkNodes(d)) return *e;
    return done();
}

void makeRope(const RopeDef& d, Vec3 gravity, Rope& r, State& s) {
    const std::vector<Vec3d> nodes = layout(d, gravity);
    const int n = int(nodes.size());
    const std::uint32_t generation = r.generation;
    r = Rope{};
    r.generation = generation;
    r.alive = true;
    r.def = d;
    r.begin = s.size();
    r.count = n;
    r.room = n + 1;
    s.resize(r.begin + r.room);

    auto node = [&](int k) { return k < 0 ? k + n : k; };
    double laid = 0;
    for (int k = 0; k < r.segments(); ++k) laid += length(nodes[(k + 1) % n] - nodes[k]);
    const double scale = d.length > 0 ? double(d.length) / laid : 1;
    for (int k = 0; k < n; ++k) {
        const Vec3d p = nodes[k];
        const Vec3 x = narrow(p), low = narrow(p - widen(x));
        const Vec3 v = d.velocity;
        s.x[r.begin + k] = {x.x, x.y, x.z, 0};
        s.low[r.begin + k] = {low.x, low.y, low.z, 0};
        s.v[r.begin + k] = {v.x, v.y, v.z, 0};
    }
    for (int k = 0; k < r.segments(); ++k)
        s.rest[r.begin + k + 1] = float(scale * length(nodes[(k + 1) % n] - nodes[k]));

    const double rest = laid * scale;
    const double mass = massOf(d, rest);
    r.segmentLength = float(rest / r.segments());
    r.massPerLength = float(mass / rest);
    r.nodeMass = float(mass / r.segments());
    for (int k : d.pins) r.pins.push_back({node(k), s.x[r.begin + node(k)]});
    for (const ClampDef& c : d.clamps) {
        r.clamp[node(c.node) == 0 ? 0 : 1] = normalize(c.direction);
        r.pins.push_back({node(c.node), s.x[r.begin + node(c.node)]});
    }
    std::sort(r.pins.begin(), r.pins.end(), [](const Pin& a, const Pin& b) { return a.node < b.node; });
    r.pins.erase(std::unique(r.pins.begin(), r.pins.end(),
                             [](const Pin& a, const Pin& b) { return a.node == b.node; }),
                 r.pins.end());
    for (const LoadDef& l : d.loads) r.loads.push_back({node(l.node), l.mass});
    setMasses(r, s);
    for (const Pin& p : r.pins) s.v[r.begin + p.node] = {0, 0, 0, s.v[r.begin + p.node].w};
}

} // namespace capstan
