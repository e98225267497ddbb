// SPDX-License-Identifier: MIT
// Boxes of a BoxSetup in MuJoCo: free bodies on a plane, one step per frame, default solver (Newton) and integrator.
// Source: E. Todorov et al., "MuJoCo: a physics engine for model-based control", IROS 2012.
#include <bench/setups/boxes.hpp>

#ifdef CAPSTAN_HAVE_MUJOCO

#include <bench/peers/mujoco_model.hpp>

namespace capstan::bench {

namespace {

class MujocoBoxes final : public Boxes {
public:
    // Takes ownership of the model.
    explicit MujocoBoxes(mjModel* model) : model_(model), data_(mj_makeData(model)) {
        mj_forward(model_, data_);
    }
    ~MujocoBoxes() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    MujocoBoxes(const MujocoBoxes&) = delete;
    MujocoBoxes& operator=(const MujocoBoxes&) = delete;

    void frame() override { mj_step(model_, data_); }

    // A free body has these coordinates: position, rotation (w first); velocity, and angular velocity in its local
    // frame.
    void read(std::vector<Motion>& out) const override {
        out.clear();
        for (int b = 0; b < model_->nbody - 1; ++b) {
            const mjtNum *q = data_->qpos + 7 * b, *v = data_->qvel + 6 * b;
            const Quatd turn = normalize(Quatd{q[4], q[5], q[6], q[3]});
            out.push_back(
                {{q[0], q[1], q[2]}, turn, {v[0], v[1], v[2]}, rotate(turn, Vec3d{v[3], v[4], v[5]})});
        }
    }
    int contacts() const override { return data_->ncon; }
    Quality counts() const override { return {{"resets", double(mujocoResets(*data_))}}; }

private:
    mjModel* model_;
    mjData* data_;
};

} // namespace

std::unique_ptr<Boxes> makeMujocoBoxes(const BoxSetup& setup) {
    const double half = 0.5 * BoxSetup::edge;
    // Memory is reserved for 20 contacts of four rows per box, which is more than any box ever has.
    const int boxes = int(setup.positions.size());
    std::string xml = print("<mujoco><option timestep='%.17g' gravity='0 %.9g 0'/>"
                            "<size nconmax='%d' njmax='%d'/>"
                            "<default><geom friction='%.9g 0.005 0.0001'/></default>"
                            "<worldbody><geom type='plane' size='50 50 1' zaxis='0 1 0'/>",
                            frameTime, -gravity, 20 * boxes, 80 * boxes, BoxSetup::friction);
    for (const Vec3d at : setup.positions)
        xml += print("<body pos='%.9g %.9g %.9g'><freejoint/>"
                     "<geom type='box' size='%.9g %.9g %.9g' mass='%.9g'/></body>",
                     at.x, at.y, at.z, half, half, half, BoxSetup::mass);
    mjModel* model = loadMujoco(xml + "</worldbody></mujoco>");
    if (!model) return nullptr;
    return std::make_unique<MujocoBoxes>(model);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Boxes> makeMujocoBoxes(const BoxSetup&) { return nullptr; }
} // namespace capstan::bench

#endif
