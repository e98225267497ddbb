// SPDX-License-Identifier: MIT
// B5: each kind of joint agrees with its closed form, in forces and motion.
//
//   hinge        a bar released level: omega^2 = 2 m g l / I, time K(1/2) / omega0; pull on the hinge
//                m g (1 - m l^2 / I) at the start and m g + m l omega^2 at the bottom. I is the inertia about the
//                hinge, l the distance of the centre from the hinge.
//   ball         a conical pendulum (B3); ten rods of mass m and a load M hang: (M + 10 m) g
//   prismatic    a mass on a spring: 2 pi sqrt(m / k); down a slope of angle a: g sin(a)
//   cylinder     falls by g t^2 / 2 along its axis and keeps rotating about it
//   motor        omega = torque t / I, until the target speed is reached
//   servo        stiffness k, damping d, inertia I: overshoot exp(-pi z / sqrt(1 - z^2)) at pi / (w0 sqrt(1 - z^2)),
//                w0^2 = k / I, z = d / (2 sqrt(k I)); under a load it deviates by torque / k
//
// b5_drift.cpp tests how well joints stay closed for a minute.
#include <validation/bodies/bodies.hpp>
#include <validation/bodies/rigid.hpp>
#include <validation/harness/track.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

using enum Measured::Kind;

constexpr double kGate = 0.01, kTarget = 1e-6;
constexpr double kStep = static_cast<double>(kFrame);

// Adds a body of 1 kg with an isotropic inertia [kg m^2] and its centre at the origin.
BodyId addFlywheel(World& world, double inertia, Vec3 spin = {0, 0, 0}) {
    BodyDef def;
    def.mass = 1;
    def.inertia = at(inertia, inertia, inertia);
    def.angularVelocity = spin;
    return world.add(def);
}

// Returns the vertical force on the hinge divided by m g: 1 - r (cos^2 - 2 sin^2). The bar has fallen by the angle
// `fallen`, and `ratio` is r = m l^2 / I.
double tensionForce(double ratio, double fallen) {
    double s = std::sin(fallen), c = std::cos(fallen);
    return 1 - ratio * (c * c - 2 * s * s);
}

std::vector<Measured> letGo(Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    Bar bar;
    Hung hung = hang(world, bar, std::numbers::pi / 2);
    double l = bar.length / 2, weight = bar.mass * kGravity;
    Drop exact = drop(bar.mass, l, bar.inertiaOfHinge());
    Track angle(kStep), rate(kStep), pull(kStep);
    double fallen = 0;
    for (int i = 0; i <= frames(0.75); ++i) {
        if (i > 0) world.step(kFrame);
        Vec3d x = widen(world.centerOfMass(hung.body));
        angle.add(std::atan2(x.x, -x.y));
        rate.add(static_cast<double>(world.angularVelocity(hung.body).z));
        pull.add(static_cast<double>(world.jointForces(hung.joint).force.y) / weight);
        if (i == 1) fallen = std::atan2(-x.y, x.x);
    }
    double bottom = pick(angle.falls(), 0);
    double ratio = bar.mass * l * l / bar.inertiaOfHinge();
    return {
        {Relative, "speed at the bottom (rad/s)", exact.omega, -rate.at(bottom), kGate, kTarget},
        {Relative, "time to the bottom (s)", exact.time, bottom, kGate, kTarget},
        {Relative, "pull on the hinge at the bottom / m g", exact.bottom, pull.at(bottom), kGate, kTarget},
        {Relative, "pull on the hinge one frame after the start / m g", tensionForce(ratio, fallen), pull[1],
         kGate, kTarget}};
}

std::vector<Measured> oscillate(double k, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    BodyId body = addFlywheel(world, 0.1);
    JointDef def;
    def.type = JointType::Prismatic;
    def.body1 = body;
    def.axis = {1, 0, 0};
    def.slide.target = 0.1f;
    def.slide.compliance = static_cast<float>(1 / k);
    JointId joint = world.add(def);
    double omega = std::sqrt(k), period = 2 * std::numbers::pi / omega;
    std::vector<double> q;
    for (int i = 0; i <= frames(10 * period); ++i) {
        if (i > 0) world.step(kFrame);
        q.push_back(static_cast<double>(world.jointForces(joint).distance) - 0.1);
    }
    Sinusoid fit = fitSinusoid(q, kStep, omega);
    double lost = std::abs(1 - std::exp(-fit.decay * 10 * period));
    return {{Relative, "period (s)", period, 2 * std::numbers::pi / fit.omega, kGate, kTarget},
            {Relative, "width (m)", 0.1, fit.amplitude, kGate, kTarget},
            {AtMost, "change of width in 10 periods", 0, lost, kGate, kTarget}};
}

std::vector<Measured> slide(double slope, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addFlywheel(world, 0.1);
    JointDef def;
    def.type = JointType::Prismatic;
    def.body1 = body;
    def.axis = at(std::cos(slope), -std::sin(slope));
    JointId joint = world.add(def);
    for (int i = 0; i < frames(1); ++i) world.step(kFrame);
    JointForces told = world.jointForces(joint);
    double expected = kGravity * std::sin(slope);
    return {{Relative, "acceleration, from the distance (m/s^2)", expected,
             2 * static_cast<double>(told.distance), kGate, kTarget},
            {Relative, "acceleration, from the speed (m/s^2)", expected,
             dot(widen(world.velocity(body)), widen(def.axis)), kGate, kTarget},
            {Relative, "pull on the joint / m g", std::cos(slope), length(widen(told.force)) / kGravity,
             kGate, kTarget}};
}

std::vector<Measured> screw(Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addFlywheel(world, 0.1, {0, 10, 0});
    JointDef def;
    def.type = JointType::Cylinder;
    def.body1 = body;
    def.axis = {0, 1, 0};
    JointId joint = world.add(def);
    for (int i = 0; i < frames(1); ++i) world.step(kFrame);
    JointForces told = world.jointForces(joint);
    return {{Relative, "distance fallen in 1 s (m)", kGravity / 2, -static_cast<double>(told.distance), kGate,
             kTarget},
            {Relative, "spin after 1 s (rad/s)", 10, static_cast<double>(world.angularVelocity(body).y),
             kGate, kTarget},
            {Relative, "angle after 1 s (rad)", 10, static_cast<double>(told.angle), kGate, kTarget}};
}

// A motor with the target speed [rad/s] and the largest torque [N m] accelerates a flywheel.
std::vector<Measured> spinUp(double speed, double torque, double inertia, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addFlywheel(world, inertia);
    JointDef def;
    def.type = JointType::Motor;
    def.body1 = body;
    def.axis = {0, 0, 1};
    def.turn.speed = static_cast<float>(speed);
    def.turn.maxForce = static_cast<float>(torque);
    world.add(def);
    std::vector<double> rate = {0};
    for (int i = 0; i < frames(4); ++i) {
        world.step(kFrame);
        rate.push_back(static_cast<double>(world.angularVelocity(body).z));
    }
    double reach = inertia * speed / torque, two = torque * 2 / inertia;
    if (reach > 4) {
        return {{Relative, "speed after 2 s (rad/s)", two, rate[static_cast<std::size_t>(frames(2))], kGate,
                 kTarget}};
    }
    // The line through the last two frames below 99 % of the target speed is extrapolated to the target speed.
    std::size_t k = 1;
    while (k + 1 < rate.size() && rate[k + 1] < 0.99 * speed) ++k;
    double time = kStep * (static_cast<double>(k) + (speed - rate[k]) / (rate[k] - rate[k - 1]));
    return {{Relative, "time to reach the speed (s)", reach, time, kGate, kTarget},
            {Relative, "speed after 4 s (rad/s)", speed, rate.back(), kGate, kTarget}};
}

// A servo rotates a body to 1 rad, and then holds it against a load [N m].
std::vector<Measured> serve(double k, double d, double inertia, double load, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addFlywheel(world, inertia);
    JointDef def;
    def.type = JointType::Servo;
    def.body1 = body;
    def.axis = {0, 0, 1};
    def.turn.target = 1.0f;
    def.turn.compliance = static_cast<float>(1 / k);
    def.turn.damping = static_cast<float>(d);
    JointId joint = world.add(def);
    Track angle(kStep), rate(kStep);
    for (int i = 0; i <= frames(5); ++i) {
        if (i > 0) world.step(kFrame);
        angle.add(static_cast<double>(world.jointForces(joint).angle));
        rate.add(static_cast<double>(world.angularVelocity(body).z));
    }
    double peak = pick(rate.falls(), 0);
    for (int i = 0; i < frames(5); ++i) {
        world.applyTorque(body, at(0, 0, -load));
        world.step(kFrame);
    }
    ServoStep exact = servoStep(k, d, inertia);
    JointForces told = world.jointForces(joint);
    return {{Relative, "overshoot", exact.overshoot, angle.at(peak) - 1, kGate, kTarget},
            {Relative, "time of the first peak (s)", exact.peak, peak, kGate, kTarget},
            {Relative, "deflection under the load (rad)", load / k, 1 - static_cast<double>(told.angle),
             kGate, kTarget},
            {Relative, "torque that the joint bears (N m)", load, static_cast<double>(told.torque.z), kGate,
             kTarget}};
}

// Ten rods of 0.1 kg hang from each other, the first from the world. A load [kg] hangs from the last rod.
std::vector<Measured> carry(double load, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    const int count = 10;
    const double l = 0.1, mass = 0.1, radius = 0.05;
    BodyRef above;
    std::vector<JointId> joints;
    for (int i = 0; i <= count; ++i) {
        BodyDef def;
        bool rod = i < count;
        def.shape = rod ? ShapeDef(Box{at(0.01, l, 0.01)}) : ShapeDef(Sphere{static_cast<float>(radius)});
        def.mass = static_cast<float>(rod ? mass : load);
        def.position = at(0, -l * i - (rod ? l / 2 : radius));
        BodyId body = world.add(def);
        JointDef ball;
        ball.body0 = above;
        ball.body1 = body;
        ball.anchor = at(0, -l * i);
        joints.push_back(world.add(ball));
        above = body;
    }
    double gap = 0;
    for (int i = 0; i < frames(2); ++i) {
        world.step(kFrame);
        for (JointId joint : joints) gap = worse(gap, static_cast<double>(world.jointForces(joint).gap));
    }
    auto pull = [&](std::size_t i) { return static_cast<double>(world.jointForces(joints[i]).force.y); };
    return {{Relative, "pull on the highest joint (N)", (load + count * mass) * kGravity, pull(0), kGate,
             kTarget},
            {Relative, "pull on the lowest joint (N)", load * kGravity, pull(count), kGate, kTarget},
            {AtMost, "largest gap of a joint / length of a rod", 0, gap / l, 0.001, kTarget}};
}

} // namespace

Drop drop(double m, double l, double inertiaOfHinge) {
    double omega = std::sqrt(2 * m * kGravity * l / inertiaOfHinge);
    double omega0 = std::sqrt(m * kGravity * l / inertiaOfHinge);
    return {omega, pendulumPeriod(std::numbers::pi / 2) / 4 / omega0, 1 + l * omega * omega / kGravity,
            1 - m * l * l / inertiaOfHinge};
}

ServoStep servoStep(double k, double d, double inertia) {
    double w0 = std::sqrt(k / inertia), z = d / (2 * std::sqrt(k * inertia)), root = std::sqrt(1 - z * z);
    return {std::exp(-std::numbers::pi * z / root), std::numbers::pi / (w0 * root)};
}

std::vector<Row> runJoints(const Options& options) {
    Sheet sheet("B5", options, options.full ? 13 : 11);
    Resolution base = {0, kDynamicSubsteps};
    const double degrees30 = std::numbers::pi / 6;
    sheet.refine("hinge: a bar of 1 m let go level", base, letGo);
    sheet.refine("ball: conical pendulum, 30 degrees", base,
                 [&](Resolution r) { return conicalPendulum(degrees30, r); });
    sheet.refine("ball: 10 rods carry 100 x the mass of one", base,
                 [](Resolution r) { return carry(10, r); });
    sheet.refine("prismatic: 1 kg on a spring of 100 N/m", base,
                 [](Resolution r) { return oscillate(100, r); });
    sheet.refine("prismatic: down a slope of 30 degrees", base,
                 [&](Resolution r) { return slide(degrees30, r); });
    sheet.refine("cylinder: upright, spun and let fall", base, screw);
    sheet.refine("motor: 0.5 N m turn 0.1 kg m^2", base,
                 [](Resolution r) { return spinUp(1e4, 0.5, 0.1, r); });
    sheet.refine("motor: to 10 rad/s with at most 0.5 N m", base,
                 [](Resolution r) { return spinUp(10, 0.5, 0.1, r); });
    sheet.refine("servo: 10 N m/rad, 1 N m s/rad, 0.1 kg m^2, load 2 N m", base,
                 [](Resolution r) { return serve(10, 1, 0.1, 2, r); });
    if (options.full) {
        sheet.refine("ball: 10 rods carry 10000 x the mass of one", base,
                     [](Resolution r) { return carry(1000, r); });
        sheet.refine("servo: 40 N m/rad, 0.8 N m s/rad, 0.1 kg m^2, load 4 N m", base,
                     [](Resolution r) { return serve(40, 0.8, 0.1, 4, r); });
    }
    sheet.refine("20 bodies, the last of 100 x mass, spun at 10 rad/s, 60 s", base,
                 [](Resolution r) { return whirl(19, r); });
    sheet.refine("20 bodies, the tenth of 100 x mass, spun at 10 rad/s, 60 s", base,
                 [](Resolution r) { return whirl(9, r); });
    return sheet.take();
}

} // namespace capstan::validation
