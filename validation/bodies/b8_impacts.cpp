// SPDX-License-Identifier: MIT
// B8: a body strikes a wall at an angle, without gravity. Coulomb's impact with the restitution e, for the normal
// speed vn and the slip u of the point of contact:
//
//   normal      vn' = e vn
//   sphere      change of the speed along the wall = min(mu (1 + e) vn, 2/7 |u|)    against the slip
//               change of the spin = that / (2/5 r)
//   flat box    change of the speed along the wall = mu (1 + e) vn, while it slides
//               spin <= that m a / I,    a: half its height
// Source: Stronge 2000, "Impact Mechanics", chapter 3.
#include <validation/bodies/rigid.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kRadius = 0.05, kFriction = 0.3; // m
constexpr double kAlong = 4, kInto = 3;           // m/s
constexpr int kPhases = 12;                       // moments of the step at which the body strikes
constexpr Vec3d kBox = {0.4, 0.1, 0.4};           // m

struct Wall {
    const char* name;
    ShapeDef shape;
    bool boxes = true; // also struck by a box
};
// The points of contact lie in one triangle of the mesh.
std::vector<Wall> walls() {
    const Mesh sheet{{{-9, 0, -5}, {9, 0, -5}, {0, 0, 9}, {0, 0, -20}}, {{0, 2, 1}, {0, 1, 3}}};
    return {
        {"plane", Plane{}}, {"box", ShapeDef(Box{{40, 1, 40}}).at({0, -0.5f, 0})}, {"mesh", sheet, false}};
}

struct Shot {
    bool box = false;
    double restitution = 0, spin = 0, yaw = 0, phase = 0;
    int substeps = 1;
};

SphereImpact strike(const Wall& wall, const Shot& shot) {
    World world({.gravity = {0, 0, 0}, .substeps = shot.substeps});
    BodyDef ground, body;
    ground.type = BodyType::Static;
    ground.shape = wall.shape;
    ground.material.friction = body.material.friction = static_cast<float>(kFriction);
    world.add(ground);
    body.material.restitution = static_cast<float>(shot.restitution);
    body.mass = 1;
    body.shape = shot.box ? ShapeDef(Box{narrow(kBox)}) : ShapeDef(Sphere{static_cast<float>(kRadius)});
    const double time = (3 + shot.phase) * static_cast<double>(kFrame);
    const Vec3d along = {std::cos(shot.yaw), 0, std::sin(shot.yaw)}, axis = cross(along, Vec3d{0, 1, 0});
    const Vec3d velocity = kAlong * along - Vec3d{0, kInto, 0};
    body.position = narrow(Vec3d{0.1, kRadius, 0.2} - time * velocity);
    body.velocity = narrow(velocity);
    body.angularVelocity = narrow(-shot.spin * axis);
    body.rotation = Quatf::fromAxisAngle({0, 1, 0}, static_cast<float>(-shot.yaw));
    const BodyId id = world.add(body);
    for (int i = 0; i < 8; ++i) world.step(kFrame);
    const Vec3d v = widen(world.velocity(id));
    return {dot(v, along), -dot(widen(world.angularVelocity(id)), axis), v.y};
}

std::string name(const char* format, const char* what, double e, int substeps) {
    char text[80];
    std::snprintf(text, sizeof text, format, what, e, substeps);
    return text;
}

// The worst of all phases, directions and spins before the impact.
void addSphere(Sheet& sheet, const Wall& wall, double e, int substeps) {
    double speed = 0, spin = 0, away = 0;
    for (double before : {0.0, 40.0, 100.0})
        for (double yaw : {0.0, std::numbers::pi / 4})
            for (int k = 0; k < kPhases; ++k) {
                const SphereImpact got =
                    strike(wall, {false, e, before, yaw, static_cast<double>(k) / kPhases, substeps});
                const SphereImpact law = impactOfSphere(kFriction, e, kInto, kAlong, before, kRadius);
                speed = worse(speed, std::abs(got.along - law.along) / std::abs(law.along));
                spin = worse(spin, std::abs(got.spin - law.spin) / std::abs(law.spin));
                away = worse(away, std::abs(got.away - law.away) / kInto);
            }
    const std::string what = name("sphere on a %s, e = %g, %d substeps: ", wall.name, e, substeps);
    sheet.add(atMost("B8", what + "speed along it, share", speed, 0.005, 0));
    sheet.add(atMost("B8", what + "spin, share", spin, 0.005, 0));
    sheet.add(atMost("B8", what + "speed away / speed before", away, 0.005, 0));
}

void addBox(Sheet& sheet, const Wall& wall, double e, int substeps) {
    double change = 0, spin = 0;
    for (double yaw : {0.0, std::numbers::pi / 4})
        for (int k = 0; k < kPhases; ++k) {
            const SphereImpact got =
                strike(wall, {true, e, 0, yaw, static_cast<double>(k) / kPhases, substeps});
            change += (kAlong - got.along) / (2 * kPhases);
            spin = worse(spin, std::abs(got.spin));
        }
    const double law = kFriction * (1 + e) * kInto;
    const double most = law * 0.5 * kBox.y / ((kBox.x * kBox.x + kBox.y * kBox.y) / 12);
    const std::string what = name("flat box on a %s, e = %g, %d substeps: ", wall.name, e, substeps);
    sheet.add(relative("B8", what + "change of speed along it (m/s)", law, change, 0.02, 0));
    sheet.add(atMost("B8", what + "spin / the most that its points can give", spin / most, 1.001, 0));
}

// The ball is part of a dumbbell, with a ball joint at its centre and the bar above it. Or it tows a light rope. Or
// another ball hangs at the other end of a taut rope, and strikes with it.
enum class Held { Dumbbell, Rope, Pair };
constexpr double kBar = 2, kBarInertia = 0.03, kBarArm = 0.3; // kg, kg m^2, m

BodyId addHeldBall(World& world, Held held, const BodyDef& ball) {
    const BodyId id = world.add(ball);
    if (held == Held::Dumbbell) {
        BodyDef bar = ball;
        bar.shape = Box{{0.05f, 0.4f, 0.05f}};
        bar.mass = static_cast<float>(kBar);
        bar.inertia = {static_cast<float>(kBarInertia), 0.001f, static_cast<float>(kBarInertia)};
        bar.position.y += static_cast<float>(kBarArm);
        const BodyId other = world.add(bar);
        world.add(JointDef{.type = JointType::Ball, .body0 = id, .body1 = other, .anchor = ball.position});
        return id;
    }
    const Vec3 way = held == Held::Rope ? Vec3{-0.3f, 0.3f, 0} : Vec3{0, 0, 0.5f};
    RopeDef rope{.from = ball.position, .to = ball.position + way, .segments = 10, .radius = 0.002f};
    rope.mass = 0.001f;
    rope.velocity = ball.velocity;
    const RopeId line = world.add(rope);
    world.attach({line, first}, {id, {0, 0, 0}}).value();
    if (held == Held::Rope) return id;
    BodyDef second = ball;
    second.position = second.position + way;
    world.attach({line, last}, {world.add(second), {0, 0, 0}}).value();
    return id;
}

SphereImpact strikeHeld(Held held, double e, double phase, int substeps) {
    World world({.gravity = {0, 0, 0}, .substeps = substeps});
    BodyDef ground, ball;
    ground.type = BodyType::Static;
    ground.shape = Plane{};
    ground.material.friction = ball.material.friction = static_cast<float>(kFriction);
    world.add(ground);
    ball.material.restitution = static_cast<float>(e);
    ball.mass = 1;
    ball.shape = Sphere{static_cast<float>(kRadius)};
    ball.velocity = at(kAlong, -kInto);
    const double time = (3 + phase) * static_cast<double>(kFrame);
    ball.position = at(-kAlong * time, kRadius + kInto * time, 0.07);
    const BodyId id = addHeldBall(world, held, ball);
    for (int i = 0; i < 10; ++i) {
        world.step(kFrame);
        if (world.velocity(id).y > -2.5f) break; // a bar that swings changes the speed later
    }
    return {static_cast<double>(world.velocity(id).x), -static_cast<double>(world.angularVelocity(id).z), 0};
}

// The impulses are those of the effective masses: `into` along the normal, `along` at the centre of the ball.
void addHeld(Sheet& sheet, Held held, double e, int substeps) {
    const bool bar = held == Held::Dumbbell;
    const double into = bar ? 1 + kBar : 1, inertia = 0.4 * kRadius * kRadius;
    const double along = bar ? 1 + 1 / (1 / kBar + kBarArm * kBarArm / kBarInertia) : 1;
    const double stick = kAlong / (1 / along + kRadius * kRadius / inertia);
    const double impulse = std::min(kFriction * (1 + e) * kInto * into, stick);
    double speed = 0, spin = 0;
    for (int k = 0; k < kPhases; ++k) {
        const SphereImpact got = strikeHeld(held, e, static_cast<double>(k) / kPhases, substeps);
        speed = worse(speed, std::abs(got.along / (kAlong - impulse / along) - 1));
        spin = worse(spin, std::abs(got.spin / (impulse * kRadius / inertia) - 1));
    }
    const char* names[] = {"dumbbell", "tow rope", "pair on a rope"};
    const std::string what = name("ball of a %s, e = %g, %d substeps: ", names[int(held)], e, substeps);
    sheet.add(atMost("B8", what + "speed along the plane, share", speed, 0.02, 0));
    sheet.add(atMost("B8", what + "spin, share", spin, 0.02, 0));
}

} // namespace

SphereImpact impactOfSphere(double friction, double restitution, double into, double along, double spin,
                            double radius) {
    const double slip = along - spin * radius, most = friction * (1 + restitution) * into;
    const double change = std::copysign(std::min(most, 2.0 / 7 * std::abs(slip)), slip);
    return {along - change, spin + change / (0.4 * radius), restitution * into};
}

std::vector<Row> runImpacts(const Options& options) {
    Sheet sheet("B8", options, 1);
    double done = 0;
    for (const Wall& wall : walls())
        for (double e : {0.0, 0.5, 0.9})
            for (int substeps : {1, 4, 16}) {
                if (options.progress) options.progress("impacts", done++ / 30);
                addSphere(sheet, wall, e, substeps);
                if (wall.boxes) addBox(sheet, wall, e, substeps);
            }
    for (Held held : {Held::Dumbbell, Held::Rope, Held::Pair})
        for (double e : {0.0, 0.5, 0.9})
            for (int substeps : {1, 4, 16}) addHeld(sheet, held, e, substeps);
    return sheet.take();
}

} // namespace capstan::validation
