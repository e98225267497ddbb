// SPDX-License-Identifier: MIT
// B5, drift: joints under tension and rotation stay closed for a minute. At the end their gaps are no larger than in
// the first 20 s.
//
// Twenty bars of 0.1 m hang from a ball joint. Hinges join them, and each hinge's axis is perpendicular to the
// previous one. The chain is tilted by 0.2 rad, and all bars rotate at 10 rad/s about the vertical. One bar has 10
// kg, all others 0.1 kg. If the heavy bar is the last, it swings on a taut chain. The hinges must then transmit the
// rotation, like Cardan joints. If the heavy bar is in the middle, the bars below it are thrown about. The gap of a
// joint is measured twice: as JointForces::gap, and as the distance of the two anchors by the bodies' transforms. The
// transforms are in single precision and resolve 3e-6 of a bar. The angle between a hinge's two axes comes from the
// transforms, too.
#include <validation/bodies/bodies.hpp>
#include <validation/harness/reference.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr int kBodies = 20;
constexpr double kLength = 0.1, kMass = 0.1, kLoad = 10, kTilt = 0.2, kSpin = 10, kSeconds = 60;

// A joint, with its anchor and axis in the local frames of its two bodies. A null body means the world.
struct Watched {
    JointId joint;
    BodyId body[2];
    Vec3d anchor[2], axis[2];
    bool hinge = false;

    Vec3d position(const World& world, int side) const {
        if (!body[side]) return anchor[side];
        return widen(world.centerOfMass(body[side])) + direction(world, body[side], anchor[side]);
    }
    double apart(const World& world) const { return length(position(world, 1) - position(world, 0)); }
    double askew(const World& world) const {
        Vec3d a = direction(world, body[0], axis[0]), b = direction(world, body[1], axis[1]);
        return std::atan2(length(cross(a, b)), dot(a, b));
    }
};

// Adds the chain. Each bar lies along its own y axis with its centre at its origin. All bars start with one rotation.
std::vector<Watched> addChain(World& world, int load) {
    std::vector<Watched> joints;
    Vec3d down = {std::sin(kTilt), -std::cos(kTilt), 0}, w = {0, kSpin, 0}, half = {0, kLength / 2, 0};
    BodyId above;
    for (int i = 0; i < kBodies; ++i) {
        Vec3d x = (i + 0.5) * kLength * down;
        BodyDef def;
        def.shape = Box{at(0.02, kLength, 0.02)};
        def.mass = static_cast<float>(i == load ? kLoad : kMass);
        def.position = narrow(x);
        def.rotation = aboutZ(kTilt);
        def.angularVelocity = narrow(w);
        def.velocity = narrow(cross(w, x));
        BodyId body = world.add(def);

        Vec3d across = i % 2 == 0 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
        JointDef joint;
        joint.type = i > 0 ? JointType::Hinge : JointType::Ball;
        joint.body0 = above;
        joint.body1 = body;
        joint.anchor = narrow(i * kLength * down);
        joint.axis = narrow(direction(world, body, across));
        Vec3d upper = above ? -half : Vec3d{0, 0, 0};
        joints.push_back({world.add(joint), {above, body}, {upper, half}, {across, across}, i > 0});
        above = body;
    }
    return joints;
}

} // namespace

std::vector<Measured> whirl(int load, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    std::vector<Watched> joints = addChain(world, load);
    double before = world.energy().total(), swing = kLoad * kGravity * kBodies * kLength;
    double told = 0, seen = 0, askew = 0, lost = 0, gained = 0;
    double early = 0, late = 0; // m, largest gap in the first and in the last 20 s
    for (int i = 0; i < frames(kSeconds); ++i) {
        world.step(kFrame);
        double now = 0;
        for (const Watched& one : joints) {
            now = worse(now, static_cast<double>(world.jointForces(one.joint).gap));
            seen = worse(seen, one.apart(world));
            if (one.hinge) askew = worse(askew, one.askew(world));
        }
        told = worse(told, now);
        if (i < frames(20)) early = worse(early, now);
        if (i >= frames(kSeconds - 20)) late = worse(late, now);
        double energy = world.energy().total();
        lost = worse(lost, (before - energy) / swing);
        gained = worse(gained, (energy - before) / swing);
    }
    const double none = std::numeric_limits<double>::infinity(), degree = std::numbers::pi / 180;
    using enum Measured::Kind;
    return {{AtMost, "largest gap of a joint / length of a bar", 0, told / kLength, 0.001, 1e-6},
            {AtMost, "largest gap of a joint, computed from positions / length of a bar", 0, seen / kLength,
             0.001, 0},
            {AtMost, "largest angle between a hinge's two axes (rad)", 0, askew, 0.1 * degree, 1e-6},
            {AtMost, "growth of the largest gap, last 20 s over first 20 s / length of a bar", 0,
             std::max(0.0, late - early) / kLength, 1e-4, 1e-6},
            {AtMost, "energy gained / weight x length", 0, gained, 0.001, 0},
            {AtMost, "energy lost / weight x length", 0, lost, none, 0}};
}

} // namespace capstan::validation
