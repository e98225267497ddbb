// SPDX-License-Identifier: MIT
// See step.hpp and plan.hpp: the step of a hair, with the poses of roots and obstacles in each substep.
#include "solver/hair/step.hpp"

#include "solver/hair/draw.hpp"
#include "solver/hair/factors.hpp"
#include "solver/hair/group.hpp"
#include "solver/hair/plan.hpp"
#include "solver/hair/strand.hpp"

namespace capstan {
namespace {

// If the roots move faster than this [m/s], they were teleported. Then the whole hair moves with them as a rigid
// body.
constexpr double kJump = 60;

// Returns the pose of a body's origin, or `before` if the body was removed.
Pose originNow(const Model& m, const State& s, const HairBody& b, const Pose& before) {
    if (b.slot < 0 || !m.bodies[b.slot].alive || m.bodies[b.slot].generation != b.generation)
        return before; // its body was removed: the pose stays
    const BodyState& at = s.bodies[b.slot];
    return Pose{at.x, at.q} * from(m.bodies[b.slot].principal, Pose{});
}

bool gone(const Model& m, const HairBody& b) {
    return !m.bodies[b.slot].alive || m.bodies[b.slot].generation != b.generation;
}

Pose between(const Pose& a, const Pose& b, double t) { return {a.x + t * (b.x - a.x), slerp(a.q, b.q, t)}; }

void carry(HairState& state, const Pose& to) {
    const Pose move = to * from(state.root, Pose{});
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        const Vec3 x = narrow(move.point(widen(Vec3(state.x[i]))));
        const Vec3 v = narrow(rotate(move.q, widen(Vec3(state.v[i]))));
        state.x[i] = {x.x, x.y, x.z, state.x[i].w};
        state.v[i] = {v.x, v.y, v.z, state.v[i].w};
    }
    state.root = to;
}

Pose rootNow(const Model& m, const State& s, const Hair& hair, const HairState& state) {
    return hair.rootBody.slot < 0 ? hair.target : originNow(m, s, hair.rootBody, state.root);
}

// Computes the poses of the root body and of the obstacles at the end of each substep.
void schedule(const Model& m, const Hair& hair, const HairState& state, HairPlan& plan) {
    const Pose& root = plan.root;
    const std::vector<Pose>& to = plan.obstacle;
    const int n = hair.def.substeps;
    for (int i = 0; i < n; ++i) {
        const double t0 = double(i) / n, t1 = double(i + 1) / n;
        HairSubstep now;
        now.root = hairPose(between(state.root, root, t1));
        now.still = i > 0 && now.root == plan.substep.back().root;
        now.collider = int(plan.collider.size());
        for (std::size_t k = 0; k < hair.obstacles.size(); ++k) {
            const HairObstacle& o = hair.obstacles[k];
            if (gone(m, o.body)) continue;
            const Pose a = between(state.obstacle[k], to[k], t0) * o.at,
                       b = between(state.obstacle[k], to[k], t1) * o.at;
            HairCollider c = o.shape;
            c.before = hairPose(a);
            c.now = hairPose(b);
            c.still = c.before == c.now;
            // Radius of the obstacle and the strand, with a margin for rounding.
            const double far = 1.01 * (o.reach + double(hair.def.radius));
            const double move = length(b.x - a.x) + 2 * far * length(log(normalize(b.q * conjugate(a.q))));
            c.reach = narrow(min(1.05 * far * far + 168 * move * move,
                                 1e30)); // (a + 2 (b + c))^2 <= 1.05 a^2 + 168 b^2 + 168 c^2
            plan.collider.push_back(c);
        }
        now.colliders = int(plan.collider.size()) - now.collider;
        plan.substep.push_back(now);
    }
}

HairStep constants(const Model& m, Hair& hair, const HairState& state, const StepDef& d) {
    HairLevel& level = hair.levels[state.level];
    const double h = double(d.dt) / hair.def.substeps;
    if (level.tableStep != narrow(h)) {
        level.table = hairTable(hair.def, level.vertices, h);
        level.tableStep = narrow(h);
    }
    HairStep step;
    step.table = level.table;
    step.h = narrow(h);
    step.invH = narrow(1 / h);
    const double response = double(hair.def.windResponse) * h, share = response / (1 + response);
    step.keep = narrow((1 - share) * exp(-(double(hair.def.damping) + double(m.damping)) * h));
    step.fall = narrow(h * (h * widen(d.gravity) + share * widen(hair.def.wind)));
    step.rootTurn = {narrow(state.root.q.x), narrow(state.root.q.y), narrow(state.root.q.z),
                     narrow(state.root.q.w)};
    step.substeps = hair.def.substeps;
    return step;
}

// Puts strands with a position that is not finite on their roots, so that no code reads such values. The hair is then
// frozen.
void quarantine(Hair& hair, HairState& state) {
    const HairLevel& level = hair.levels[state.level];
    const std::size_t points = std::size_t(level.points());
    for (std::size_t g = 0; g < state.strain.size(); ++g) {
        if (state.strain[g] < kNotFinite) continue;
        hair.frozen = true;
        const Vec3 x = position(hairPose(state.root), hair.roots[g * std::size_t(level.every)].x);
        for (std::size_t i = 0; i < points; ++i) {
            state.x[g * points + i] = {x.x, x.y, x.z, 0};
            state.v[g * points + i] = {0, 0, 0, 0};
        }
        state.strain[g] = 0;
    }
}

void stepHair(Threads& threads, int lanes, Model& m, State& s, Hair& hair, HairState& state,
              const StepDef& d) {
    if (const int level = hairLevelFor(m, hair, state); level != state.level)
        setHairLevel(threads, hair, state, level);
    if (hairJumps(m, s, hair, state, d)) carryHair(m, s, hair, state);
    const HairPlan plan = planHair(m, s, hair, state, d);
    const HairLevel& level = hair.levels[state.level];

    std::vector<HairRoot> some; // roots of the simulated strands; empty if all strands are simulated
    if (level.every > 1)
        for (int i = 0; i < hair.strands(); i += level.every) some.push_back(hair.roots[i]);
    HairRun run;
    run.d = plan.d;
    run.substep = plan.substep.data();
    run.collider = plan.collider.data();
    run.faces = hair.faces.data();
    run.root = level.every > 1 ? some.data() : hair.roots.data();
    run.x = state.x.data();
    run.v = state.v.data();
    run.strain = state.strain.data();
    threads.run(level.guides(hair.strands()), 64,
                [&](int begin, int end, int) { stepStrands(run, begin, end, lanes); });
    float worst = 0;
    for (float strain : state.strain) worst = max(worst, strain);
    endHair(hair, state, plan, worst);
    drawHair(threads, hair, state, d.dt);
}

} // namespace

bool hairJumps(const Model& m, const State& s, const Hair& hair, const HairState& state, const StepDef& d) {
    return length(rootNow(m, s, hair, state).x - state.root.x) > kJump * double(d.dt);
}

void carryHair(const Model& m, const State& s, const Hair& hair, HairState& state) {
    carry(state, rootNow(m, s, hair, state));
}

HairPlan planHair(const Model& m, const State& s, Hair& hair, const HairState& state, const StepDef& d) {
    HairPlan plan;
    plan.root = rootNow(m, s, hair, state);
    for (std::size_t k = 0; k < hair.obstacles.size(); ++k)
        plan.obstacle.push_back(originNow(m, s, hair.obstacles[k].body, state.obstacle[k]));
    schedule(m, hair, state, plan);
    plan.d = constants(m, hair, state, d);
    return plan;
}

void endHair(Hair& hair, HairState& state, const HairPlan& plan, float worst) {
    state.root = plan.root;
    state.obstacle = plan.obstacle;
    if (worst >= kNotFinite) {
        quarantine(hair, state);
        worst = 0;
    }
    state.worst = worst;
}

void stepHairs(Threads& threads, int lanes, Model& m, State& s, const StepDef& d, Report& report) {
    for (std::size_t i = 0; i < m.hairs.size(); ++i) {
        if (!m.hairs[i].alive) continue;
        if (!m.hairs[i].frozen) stepHair(threads, lanes, m, s, m.hairs[i], s.hairs[i], d);
        report.maxStrain = max(report.maxStrain, s.hairs[i].worst);
        report.quarantined += m.hairs[i].frozen;
    }
}

} // namespace capstan
