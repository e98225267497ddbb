// SPDX-License-Identifier: MIT
// E1: free objects conserve momentum sum m v, angular momentum sum m x cross v (with I w for bodies), and energy.
// There is no gravity and no contact.
//
// A straight rope of length 1 is thrown with v_y = 3 (s - 1/2) (1 + s/2), s in [0, 1] along it, so that it rotates
// and bends. A chain of rods on ball joints gets the same velocities. A tree of bodies on ball joints and hinges is
// thrown with a rotation, and each joint has its own angular velocity. The error is the largest deviation at any
// frame of the run, not the deviation at the end. The sums are computed here from positions and velocities.
#include <validation/bodies/bodies.hpp>

#include <cmath>
#include <functional>

namespace capstan::validation {

namespace {

struct Bars {
    double momentum, angular, lost, gained;
};
constexpr Bars kShort = {1e-6, 0.01, 0.03, 0.001}; // tolerances for runs of 5 s
constexpr Bars kMinute = {1e-5, 1e-5, 0.01, 0.01}; // tolerances for runs of 60 s, bodies
constexpr double kMinuteSeconds = 60, kShortSeconds = 5;

std::vector<Measured> hold(World& world, double seconds, const Bars& bars, const std::function<Kept()>& sum) {
    Kept start = sum();
    double momentum = 0, angular = 0, lost = 0, gained = 0;
    for (int i = 0; i < frames(seconds); ++i) {
        world.step(kFrame);
        Kept now = sum();
        momentum = worse(momentum, length(now.momentum - start.momentum) / start.scale);
        angular = worse(angular, length(now.angular - start.angular) / length(start.angular));
        lost = worse(lost, 1 - now.energy / start.energy);
        gained = worse(gained, now.energy / start.energy - 1);
    }
    using enum Measured::Kind;
    return {{AtMost, "change of momentum", 0, momentum, bars.momentum, 1e-6},
            {AtMost, "change of angular momentum", 0, angular, bars.angular, 1e-6},
            {AtMost, "energy lost", 0, lost, bars.lost, 1e-4},
            {AtMost, "energy gained", 0, gained, bars.gained, 1e-4}};
}

Kept sum(const World& world, RopeId rope) {
    auto x = world.positions(rope);
    auto v = world.velocities(rope);
    Kept all;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double m = static_cast<double>(world.mass({rope, static_cast<int>(i)}));
        Vec3d p = m * widen(Vec3(v[i]));
        all.momentum += p;
        all.angular += cross(widen(Vec3(x[i])), p);
        all.scale += length(p);
        all.energy += dot(p, p) / (2 * m);
    }
    all.energy += world.energy().elastic;
    return all;
}

double thrown(double s) { return 3 * (s - 0.5) * (1 + s / 2); }

std::vector<Measured> whip(double bendStiffness, double seconds, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    RopeDef def;
    def.from = {0, 0, 0};
    def.to = {1, 0, 0};
    def.segments = resolution.segments;
    def.mass = 1;
    def.bendStiffness = static_cast<float>(bendStiffness);
    RopeId rope = world.add(def);
    for (int i = 0; i <= resolution.segments; ++i)
        world.setVelocity({rope, i}, at(0, thrown(static_cast<double>(i) / resolution.segments)));
    return hold(world, seconds, kShort, [&] { return sum(world, rope); });
}

// A chain of rods. Their ends start with the velocities of the rope's nodes.
std::vector<Measured> whipRods(double seconds, const Bars& bars, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    std::vector<BodyId> bodies;
    double l = 1.0 / resolution.segments;
    for (int i = 0; i < resolution.segments; ++i) {
        double left = thrown(i * l), right = thrown((i + 1) * l);
        BodyDef def;
        def.shape = Box{at(l, 0.01, 0.01)};
        def.mass = static_cast<float>(l);
        def.position = at((i + 0.5) * l, 0);
        def.velocity = at(0, (left + right) / 2);
        def.angularVelocity = at(0, 0, (right - left) / l);
        bodies.push_back(world.add(def));
        if (i == 0) continue;
        JointDef joint;
        joint.body0 = bodies[static_cast<std::size_t>(i) - 1];
        joint.body1 = bodies.back();
        joint.anchor = at(i * l, 0);
        world.add(joint);
    }
    return hold(world, seconds, bars, [&] { return kept(world, bodies); });
}

// A body of the tree. Its centre is 0.3 m from that of its parent, with the joint half way.
struct Branch {
    int parent;
    Vec3d towards; // direction from the parent
    JointType type;
    Vec3d turning; // rad/s, angular velocity relative to the parent; for a hinge along its axis
};
const Branch kTree[] = {
    {-1, {1, 0, 0}, JointType::Ball, {1, 2, -1.5}}, {0, {1, 0, 0}, JointType::Ball, {0.5, -1, 2}},
    {0, {-1, 0, 0}, JointType::Hinge, {0, 0, 3}},   {0, {0, 1, 0}, JointType::Hinge, {-2, 0, 0}},
    {1, {1, 0, 0}, JointType::Hinge, {0, 0, -4}},   {1, {0, 0, 1}, JointType::Ball, {1, -3, 0.5}},
    {2, {-1, 0, 0}, JointType::Hinge, {0, 2.5, 0}}, {3, {0, 1, 0}, JointType::Ball, {2, 1, 1}},
    {3, {0, 0, 1}, JointType::Hinge, {0, 3, 0}},    {8, {0, 0, 1}, JointType::Ball, {-1, 2, 2}}};

std::vector<Measured> throwTree(double seconds, const Bars& bars, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    std::vector<BodyId> bodies;
    std::vector<Vec3d> x, v, w;
    for (const Branch& one : kTree) {
        Vec3d anchor = {0, 0, 0};
        if (one.parent < 0) {
            x.push_back(anchor);
            v.push_back({0.3, -0.2, 0.5});
            w.push_back(one.turning);
        } else {
            auto of = static_cast<std::size_t>(one.parent);
            Vec3d arm = 0.15 * one.towards;
            anchor = x[of] + arm;
            w.push_back(w[of] + one.turning);
            v.push_back(v[of] + cross(w[of], arm) + cross(w.back(), arm));
            x.push_back(anchor + arm);
        }
        BodyDef def;
        def.shape = Box{narrow(Vec3d{0.06, 0.08, 0.1} + 0.18 * abs(one.towards))};
        def.mass = 0.5f + 0.25f * static_cast<float>(bodies.size() % 4);
        def.position = narrow(x.back());
        def.velocity = narrow(v.back());
        def.angularVelocity = narrow(w.back());
        bodies.push_back(world.add(def));
        if (one.parent < 0) continue;
        JointDef joint;
        joint.type = one.type;
        joint.body0 = bodies[static_cast<std::size_t>(one.parent)];
        joint.body1 = bodies.back();
        joint.anchor = narrow(anchor);
        joint.axis = narrow(normalize(one.turning));
        world.add(joint);
    }
    return hold(world, seconds, bars, [&] { return kept(world, bodies); });
}

} // namespace

std::vector<Row> runConservation(const Options& options) {
    Sheet sheet("E1", options, options.full ? 7 : 3);
    Resolution base = {20, kDynamicSubsteps}, whole = {0, kDynamicSubsteps};
    sheet.refine("free chain, 5 s", base, [](Resolution r) { return whip(0, kShortSeconds, r); });
    sheet.refine("free chain of rods, 5 s", base,
                 [](Resolution r) { return whipRods(kShortSeconds, kShort, r); });
    sheet.refine("free tree of 10 bodies, 5 s", whole,
                 [](Resolution r) { return throwTree(kShortSeconds, kShort, r); });
    if (options.full) {
        sheet.refine("free chain, 60 s", base, [](Resolution r) { return whip(0, kMinuteSeconds, r); });
        sheet.refine("free rod, B = 0.01 N m^2, 5 s", base,
                     [](Resolution r) { return whip(0.01, kShortSeconds, r); });
        sheet.refine("free chain of rods, 60 s", base,
                     [](Resolution r) { return whipRods(kMinuteSeconds, kMinute, r); });
        sheet.refine("free tree of 10 bodies, 60 s", whole,
                     [](Resolution r) { return throwTree(kMinuteSeconds, kMinute, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
