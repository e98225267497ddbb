// SPDX-License-Identifier: MIT
// Initial positions and paths of contact_setups.hpp.
#include <bench/setups/contact_setups.hpp>
#include <worlds/dice.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::bench {

namespace {

constexpr double pi = std::numbers::pi;

// Returns `count` points of a line, at equal distances of arc length.
Line resampled(const Line& line, int count) {
    std::vector<double> arc = {0};
    for (std::size_t i = 1; i < line.size(); ++i) arc.push_back(arc.back() + length(line[i] - line[i - 1]));
    Line out;
    std::size_t k = 0;
    for (int i = 0; i < count; ++i) {
        const double s = arc.back() * i / (count - 1);
        while (k + 2 < line.size() && arc[k + 1] < s) ++k;
        out.push_back(line[k] + ((s - arc[k]) / (arc[k + 1] - arc[k])) * (line[k + 1] - line[k]));
    }
    return out;
}

std::function<Vec3d(int, int)> positionsOf(Lines lines) {
    return [lines = std::move(lines)](int rope, int node) { return lines[rope][node]; };
}

// Sets mass, radius and stiffness of a cord of 5 mm radius and 60 g/m with nodes `spacing` apart [m].
void makeCord(ContactSetup& setup, double spacing) {
    setup.nodeMass = 0.06 * spacing;
    setup.radius = 0.005;
    setup.stretchStiffness = 1e6;
    setup.bendStiffness = 1e-4;
}

constexpr double handlerHeight = 2;

Vec3d wanderingEnd(int k, double t) {
    const double a = 2 * pi * k / 3 + 2 * std::sin((0.7 + 0.3 * k) * t);
    return {0.6 * std::cos(a), handlerHeight + 0.18 * std::sin(1.7 * t + 2 * k), 0.6 * std::sin(a)};
}

} // namespace

// Each rope starts as a V. Ten segments lead down to its lowest node, and nine lead up to the other end. So the V is
// part of a triangle whose sides are 0.5 m, 0.45 m and the distance of the two ends.
ContactSetup threeRopes() {
    ContactSetup setup;
    setup.ropes = 3;
    setup.nodes = 20;
    setup.rules.skip = 3;
    const Vec3d handler = {0, handlerHeight, 0};
    Lines lines;
    for (int k = 0; k < setup.ropes; ++k) {
        const Vec3d end = wanderingEnd(k, 0), d = end - handler;
        const double c = length(d), a = 0.5, b = 0.45;
        const double foot = (a * a - b * b + c * c) / (2 * c), depth = std::sqrt(a * a - foot * foot);
        const Vec3d u = normalize(d), down = normalize(Vec3d{0, -1, 0} + u.y * u);
        const Vec3d lowest = handler + foot * u + depth * down;
        Line line;
        for (int i = 0; i <= 10; ++i) line.push_back(handler + (i / 10.0) * (lowest - handler));
        for (int i = 1; i <= 9; ++i) line.push_back(lowest + (i / 9.0) * (end - lowest));
        lines.push_back(std::move(line));
        setup.holds.push_back({k, 0, false, [handler](double) { return handler; }});
        setup.holds.push_back({k, setup.nodes - 1, true, [k](double t) { return wanderingEnd(k, t); }});
    }
    setup.position = positionsOf(std::move(lines));
    return setup;
}

Collision collision(Impact impact, double speed, int seed) {
    const bool fine = impact != Impact::Dragged;
    Dice dice{std::uint64_t(seed)};
    double ox = 0.013, oz = 0.017, turn = 0;
    if (fine || seed > 0) {
        ox = dice.between(-0.15, 0.15);
        oz = dice.between(-0.15, 0.15);
        turn = dice.between(-0.5, 0.5);
    }
    Collision c;
    c.along = {std::sin(turn), 0, std::cos(turn)};
    ContactSetup& setup = c.setup;
    setup.ropes = 2;
    setup.nodes = fine ? 60 : 21;
    setup.down = 0;
    const double half = fine ? 0.6 : 0.5, sag = fine ? 0.2 : 0;
    const double height = impact == Impact::Dragged ? 0.5 : impact == Impact::Slack ? 0.03 : 0.3;
    if (fine) {
        makeCord(setup, 2 * half / (setup.nodes - 1));
        setup.damping = 0.2;
    }
    Lines lines(2);
    for (int i = 0; i <= 400; ++i) {
        const double u = -1 + i / 200.0;
        lines[0].push_back({half * u, -sag * (1 - u * u), 0});
    }
    lines[0] = resampled(lines[0], setup.nodes);
    for (int i = 0; i < setup.nodes; ++i)
        lines[1].push_back(Vec3d{ox, height, oz} + (half * (-1 + 2.0 * i / (setup.nodes - 1))) * c.along);
    for (const int node : {0, setup.nodes - 1}) {
        const Vec3d a = lines[0][node], b = lines[1][node];
        setup.holds.push_back({0, node, false, [a](double) { return a; }});
        if (impact == Impact::Thrown) continue;
        const double stop = fine ? -0.25 : -0.15;
        setup.holds.push_back({1, node, true, [b, speed, stop](double t) {
                                   return Vec3d{b.x, std::max(b.y - speed * t, stop), b.z};
                               }});
    }
    setup.position = positionsOf(std::move(lines));
    setup.velocity = [speed](int rope) { return Vec3d{0, rope == 1 ? -speed : 0, 0}; };
    c.frames = impact == Impact::Dragged ? int(std::ceil(0.65 / speed / frameTime)) + 60 : 120;
    return c;
}

double crossingOf(const Lines& lines, Vec3d along) {
    const double far = 1000;
    Line a = lines[0], b = lines[1];
    a.insert(a.end(), {{far, 0, 0}, {0, far, 0}, {-far, 0, 0}});
    const Vec3d from = b.front() - far * along, to = b.back() + far * along;
    b.insert(b.end(), {to, {0, -far, 0}, from});
    return linkingNumber(a, b);
}

// A trefoil curve, (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t), cut open at the tip of a lobe. From the cut the two
// ends lead outwards, and then apart along +x and -x.
ContactSetup overhand() {
    const double rope = 1.2, knot = 0.6, aside = 0.06;
    const auto trefoil = [](double t) {
        return Vec3d{std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -std::sin(3 * t)};
    };
    // Tips are where |(sin t + 2 sin 2t, cos t - 2 cos 2t)|^2 = 5 - 4 cos 3t is largest: t = pi / 3, pi, 5 pi / 3.
    const double tip = pi / 3, cut = 0.25;
    Line middle;
    const int steps = 2000;
    for (int i = 0; i <= steps; ++i) middle.push_back(trefoil(tip + cut + (2 * pi - 2 * cut) * i / steps));
    double arc = 0;
    for (int i = 0; i < steps; ++i) arc += length(middle[i + 1] - middle[i]);
    for (Vec3d& x : middle) x = (knot / arc) * x;

    const Vec3d p = trefoil(tip), out = normalize(Vec3d{p.x, p.y, 0});
    Vec3d side = {-out.y, out.x, 0};
    if (dot(side, middle.front() - middle.back()) < 0) side = -side;
    const Vec3d leave = 0.8 * out + 0.6 * side, come = 0.8 * out - 0.6 * side;
    const double tail = (rope - knot) / 2 - aside;
    Line line = {middle.front() + aside * leave + tail * side, middle.front() + aside * leave};
    line.insert(line.end(), middle.begin(), middle.end());
    line.push_back(middle.back() + aside * come);
    line.push_back(line.back() - tail * side);
    for (Vec3d& x : line) x = {dot(x, side), dot(x, out), x.z};

    ContactSetup setup;
    setup.nodes = 100;
    setup.down = 0;
    makeCord(setup, rope / (setup.nodes - 1));
    setup.damping = 1;
    setup.rules.selfApart = 3;
    setup.position = positionsOf({resampled(line, setup.nodes)});
    return setup;
}

ContactSetup grating() {
    ContactSetup setup;
    setup.ropes = 16;
    setup.nodes = 64;
    setup.down = 0;
    const double spacing = 0.012;
    makeCord(setup, spacing);
    setup.damping = 2;
    setup.position = [spacing](int rope, int node) {
        const int layer = rope % 4, row = rope / 4;
        const double u = (node - 31.5) * spacing, o = (row - 1.5) * 0.05 + 0.01 * std::sin(0.4 * node + rope);
        const double y = (layer - 1.5) * 0.03;
        return layer % 2 == 1 ? Vec3d{u, y, o} : Vec3d{o, y, u};
    };
    return setup;
}

// Ropes of 0.4 m start in a square of cells of 0.25 m. The side of the square grows with the cube root of the number
// of ropes, as that of a heap. Each of four neighbouring cells uses every fourth level, so that no two ropes overlap
// at the start at any rotation.
ContactSetup heap(int ropes) {
    ContactSetup setup;
    setup.ropes = ropes;
    setup.nodes = 21;
    const double spacing = 0.02;
    makeCord(setup, spacing);
    setup.damping = 1;
    setup.floor = true;
    const int side = std::max(1, int(std::lround(std::cbrt(ropes / 10.0))));
    setup.position = [side, spacing](int rope, int node) {
        const int cell = rope % (side * side), turn = rope / (side * side), x = cell % side, z = cell / side;
        Dice dice{std::uint64_t(rope)};
        const double yaw = dice.between(0, pi), dx = dice.between(-0.04, 0.04),
                     dz = dice.between(-0.04, 0.04);
        const double level = (4 * turn + 2 * (z % 2) + x % 2) * 0.0125, u = (node - 10) * spacing;
        return Vec3d{0.25 * x + dx + u * std::cos(yaw), 0.05 + level, 0.25 * z + dz + u * std::sin(yaw)};
    };
    return setup;
}

} // namespace capstan::bench
