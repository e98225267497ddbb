// SPDX-License-Identifier: MIT
// Chains of a ChainSetup in Capstan.
#include <bench/peers/capstan_chains.hpp>

#include <bench/peers/capstan_ropes.hpp>

namespace capstan::bench {

CapstanChains::CapstanChains(const ChainSetup& setup, const ChainTuning& tuning, Root root)
    : world_({.gravity = {0, -float(gravity), 0},
              .substeps = tuning.substeps,
              .contact = false,
              .jointSolver = tuning.solver,
              .backend = tuning.backend,
              .threads = tuning.threads}),
      setup_(setup) {
    for (int c = 0; c < setup.chains; ++c) add(setup, c, root);
}

void CapstanChains::add(const ChainSetup& setup, int chain, Root root) {
    Ids ids;
    if (root == Root::Moved) {
        BodyDef def;
        def.type = BodyType::Kinematic;
        def.shape = Sphere{0.01f};
        def.position = narrow(setup.rootOf(chain));
        ids.root = world_.add(def);
    }
    BodyId before = ids.root;
    for (int i = 0; i < setup.bodies(); ++i) {
        const Vec3d position = setup.positionOf(chain, i);
        BodyDef body;
        body.shape = Box{narrow(setup.sizeOf(i))};
        body.mass = float(setup.massOf(i));
        body.position = narrow(position);
        ids.bodies.push_back(world_.add(body));
        JointDef joint;
        joint.type = setup.link == Link::Ball ? JointType::Ball : JointType::Hinge;
        joint.body0 = before;
        joint.body1 = ids.bodies.back();
        joint.anchor = narrow(position + setup.heldAt(i));
        joint.axis = {0, 0, 1};
        world_.add(joint);
        before = ids.bodies.back();
    }
    ids_.push_back(std::move(ids));
}

void CapstanChains::frame() {
    const Report& report = world_.step(float(frameTime));
    retries_ += report.retries;
    lastResorts_ += report.heldStill;
    quarantined_ = report.quarantined;
}

void CapstanChains::read(int chain, ChainState& out) const {
    const Ids& ids = ids_[chain];
    out.root = ids.root ? widen(world_.pose(ids.root).position) : setup_.rootOf(chain);
    out.bodies.clear();
    for (const BodyId body : ids.bodies) {
        const Quatf q = world_.pose(body).rotation;
        out.bodies.push_back({widen(world_.centerOfMass(body)),
                              normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)}),
                              widen(world_.velocity(body)), widen(world_.angularVelocity(body))});
    }
}

Quality CapstanChains::counts() const {
    return {{"retries", double(retries_)}, {"heldStill", double(lastResorts_)}};
}

void CapstanChains::moveRoot(int chain, Vec3 position) {
    world_.moveTo(ids_[chain].root, {.position = position});
}

void CapstanChains::kick(int chain, int body, Vec3 velocity) {
    const BodyId id = ids_[chain].bodies[body];
    world_.setVelocity(id, world_.velocity(id) + velocity);
}

void CapstanChains::spin(int chain, int body, Vec3 spin) {
    world_.setAngularVelocity(ids_[chain].bodies[body], spin);
}

Row capstanRow(const char* caseName, const ChainTuning& tuning) {
    Row row = capstanRow(
        caseName, Tuning{.backend = tuning.backend, .substeps = tuning.substeps, .threads = tuning.threads});
    row.variant = std::string(tuning.solver == JointSolver::Tree ? "tree, " : "xpbd, ") +
                  std::to_string(tuning.substeps) + (tuning.substeps == 1 ? " substep" : " substeps");
    return row;
}

} // namespace capstan::bench
