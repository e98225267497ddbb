// SPDX-License-Identifier: MIT
// Boxes of a BoxSetup in Capstan.
#include <bench/setups/boxes.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

double lowestCorner(const std::vector<Motion>& boxes) {
    double least = 1e30;
    for (const Motion& b : boxes) {
        const double reach = std::fabs(axisX(b.q).y) + std::fabs(axisY(b.q).y) + std::fabs(axisZ(b.q).y);
        least = std::min(least, b.x.y - 0.5 * BoxSetup::edge * reach);
    }
    return least;
}

namespace {

class CapstanBoxes final : public Boxes {
public:
    CapstanBoxes(const BoxSetup& setup, const Tuning& tuning)
        : world_({.gravity = {0, -float(gravity), 0},
                  .substeps = tuning.substeps,
                  .contact = true,
                  .backend = tuning.backend,
                  .threads = tuning.threads}) {
        BodyDef ground;
        ground.type = BodyType::Static;
        ground.shape = Plane{};
        ground.material.friction = float(BoxSetup::friction);
        world_.add(ground);
        BodyDef box;
        const float edge = float(BoxSetup::edge);
        box.shape = Box{{edge, edge, edge}};
        box.mass = float(BoxSetup::mass);
        box.material.friction = float(BoxSetup::friction);
        for (const Vec3d position : setup.positions) {
            box.position = narrow(position);
            ids_.push_back(world_.add(box));
        }
    }
    void frame() override {
        const Report& report = world_.step(float(frameTime));
        ++frames_;
        substeps_ += report.substeps;
        truncated_ += report.truncated;
    }
    void read(std::vector<Motion>& out) const override {
        out.clear();
        for (const BodyId id : ids_) {
            const Quatf q = world_.pose(id).rotation;
            out.push_back({widen(world_.centerOfMass(id)),
                           normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)}),
                           widen(world_.velocity(id)), widen(world_.angularVelocity(id))});
        }
    }
    int contacts() const override { return world_.report().contacts; }
    double castRay(Vec3d from, Vec3d direction, double reach) const override {
        const RayHit hit = world_.castRay(narrow(from), narrow(direction), float(reach));
        return hit ? double(hit.distance) : -1;
    }
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override {
        return {{"meanSubsteps", double(substeps_) / std::max(1, frames_)},
                {"truncated", double(truncated_)},
                {"quarantined", double(world_.report().quarantined)}};
    }

private:
    World world_;
    std::vector<BodyId> ids_;
    int frames_ = 0, substeps_ = 0, truncated_ = 0;
};

} // namespace

std::unique_ptr<Boxes> makeCapstanBoxes(const BoxSetup& setup, const Tuning& tuning) {
    return std::make_unique<CapstanBoxes>(setup, tuning);
}

} // namespace capstan::bench
