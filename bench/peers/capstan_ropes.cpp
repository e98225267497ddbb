// SPDX-License-Identifier: MIT
// Ropes of a Setup in Capstan.
#include <bench/peers/capstan_ropes.hpp>

namespace capstan::bench {

static Vec3d wide(const Point& p) { return {double(p.x), double(p.y), double(p.z)}; }
static Quatd wide(Quatf q) { return {double(q.x), double(q.y), double(q.z), double(q.w)}; }

CapstanRopes::CapstanRopes(const Setup& setup, const Tuning& tuning)
    : world_({.gravity = {0, -float(gravity), 0},
              .substeps = tuning.substeps,
              .contact = false,
              .backend = tuning.backend,
              .threads = tuning.threads}),
      corner_(narrow(setup.crateCorner())), substepsPerFrame_(tuning.substeps) {
    RopeDef def;
    def.segments = 0;
    def.pins = {first};
    def.solver = tuning.solver;
    def.iterations = tuning.iterations;
    // Capstan spreads a rope's mass over its segments, so an end node gets half of a node's mass. Loads add the other
    // half.
    def.mass = float(setup.nodeMass * (setup.nodes - 1));
    const double half = 0.5 * setup.nodeMass;
    def.loads = {{first, float(half)}, {last, float(setup.massOf(setup.nodes - 1) - half)}};
    for (int r = 0; r < setup.ropes; ++r) {
        def.points.clear();
        for (int i = 0; i < setup.nodes; ++i) def.points.push_back(narrow(setup.position(r, i)));
        ids_.push_back(world_.add(def));
        if (setup.crate > 0) tie(setup, r);
    }
}

void CapstanRopes::tie(const Setup& setup, int rope) {
    const float edge = float(setup.crateEdge());
    BodyDef def;
    def.shape = Box{{edge, edge, edge}};
    def.mass = float(setup.crate);
    def.position = narrow(setup.position(rope, setup.nodes - 1) - setup.crateCorner());
    def.angularVelocity = narrow(Setup::crateSpin());
    def.velocity = narrow(cross(Setup::crateSpin(), -setup.crateCorner()));
    crates_.push_back(world_.add(def));
    world_.attach({ids_.back(), last}, {crates_.back(), corner_}).value();
}

void CapstanRopes::frame() {
    const Report& report = world_.step(float(frameTime));
    retries_ += report.retries;
    lastResorts_ += report.heldStill;
    refined_ += report.refinedSubsteps;
    substeps_ += long(ids_.size()) * substepsPerFrame_;
    quarantined_ = report.quarantined;
}

void CapstanRopes::read(int rope, std::vector<Vec3d>& x) const {
    x.clear();
    for (const Point& p : world_.positions(ids_[rope])) x.push_back(wide(p));
}

double CapstanRopes::energy(int rope) const {
    const RopeId id = ids_[rope];
    const auto x = world_.positions(id), v = world_.velocities(id);
    double joules = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i].w > 0) joules += pointEnergy(double(world_.mass({id, int(i)})), wide(x[i]), wide(v[i]));
    if (crates_.empty()) return joules;
    const BodyId crate = crates_[rope];
    const MassProperties& m = world_.massProperties(crate);
    return joules + bodyEnergy(double(m.mass), widen(m.inertia), widen(world_.centerOfMass(crate)),
                               wide(world_.pose(crate).rotation * m.axes), widen(world_.velocity(crate)),
                               widen(world_.angularVelocity(crate)));
}

double CapstanRopes::gap(int rope) const {
    if (crates_.empty()) return 0;
    const Transform at = world_.pose(crates_[rope]);
    const Vec3d corner = widen(at.position) + rotate(wide(at.rotation), widen(corner_));
    return length(corner - wide(world_.positions(ids_[rope]).back()));
}

Quality CapstanRopes::counts() const {
    return {{"retries", double(retries_)},
            {"heldStill", double(lastResorts_)},
            {"refinedShare", substeps_ > 0 ? double(refined_) / double(substeps_) : 0}};
}

void CapstanRopes::movePin(int rope, Vec3 position) { world_.pin({ids_[rope], first}, position); }

void CapstanRopes::kick(int rope, int node, Vec3 velocity) {
    const RopeId id = ids_[rope];
    world_.setVelocity({id, node}, Vec3(world_.velocities(id)[node]) + velocity);
}

static const char* nameOf(Solver solver) {
    switch (solver) {
    case Solver::Chain:
        return "chain";
    case Solver::GaussSeidel:
        return "gaussSeidel";
    case Solver::Jacobi:
        return "jacobi";
    }
    return "";
}

static const char* nameOf(Backend backend) { return backend == Backend::Scalar ? "scalar" : "simd"; }

Row capstanRow(const char* caseName, const Tuning& tuning) {
    Row row;
    row.caseName = caseName;
    row.engine = "capstan";
    row.variant = std::string(nameOf(tuning.solver)) + ", " + std::to_string(tuning.substeps) +
                  (tuning.substeps == 1 ? " substep" : " substeps");
    if (tuning.iterations > 1) row.variant += " x " + std::to_string(tuning.iterations) + " iterations";
    row.backend = nameOf(tuning.backend);
    row.threads = tuning.threads;
    return row;
}

bool asked(const Options& options, Backend backend) {
    return options.backend.empty() || options.backend == nameOf(backend);
}

} // namespace capstan::bench
