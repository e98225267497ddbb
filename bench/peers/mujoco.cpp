// SPDX-License-Identifier: MIT
// A straight rope in MuJoCo: a chain of capsules with ball joints, in reduced coordinates, so it cannot stretch.
// There is one step per frame with the implicit integrator. The joints have a damping of 1e-3 N m s: without it the
// state diverges within two seconds, and MuJoCo resets it. Source: E. Todorov et al., "MuJoCo: a physics engine for
// model-based control", IROS 2012.
#include <bench/setups/ropes.hpp>

#ifdef CAPSTAN_HAVE_MUJOCO

#include <bench/peers/mujoco_model.hpp>

namespace capstan::bench {

namespace {

// Writes one link as XML without its closing tag. The load is a sphere at the far end of the last link.
std::string linkXml(const Setup& setup, int link) {
    const Vec3d d = setup.position(0, link + 1) - setup.position(0, link);
    const Vec3d at = link == 0 ? setup.position(0, 0) : d;
    std::string xml = print("<body pos='%.9g %.9g %.9g'><joint type='ball' damping='0.001'/>"
                            "<geom type='capsule' size='0.01' fromto='0 0 0 %.9g %.9g %.9g' mass='%.9g'/>",
                            at.x, at.y, at.z, d.x, d.y, d.z, setup.nodeMass);
    if (setup.load > 0 && link == setup.nodes - 2)
        xml += print("<geom type='sphere' size='0.02' pos='%.9g %.9g %.9g' mass='%.9g'/>", d.x, d.y, d.z,
                     setup.load);
    return xml;
}

class MujocoRope final : public Ropes {
public:
    // Takes ownership of the model.
    MujocoRope(mjModel* model, Vec3d tip) : tip_(tip), model_(model), data_(mj_makeData(model)) {
        mj_forward(model_, data_);
    }
    ~MujocoRope() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    MujocoRope(const MujocoRope&) = delete;
    MujocoRope& operator=(const MujocoRope&) = delete;

    void frame() override { mj_step(model_, data_); }

    // After a step, MuJoCo's body positions are still those before the step. So read() computes the kinematics first.
    void read(int, std::vector<Vec3d>& x) const override {
        mj_kinematics(model_, data_);
        x.clear();
        for (int b = 1; b < model_->nbody; ++b) {
            const mjtNum* p = data_->xpos + 3 * b;
            x.push_back({p[0], p[1], p[2]});
        }
        const mjtNum local[3] = {tip_.x, tip_.y, tip_.z};
        mjtNum out[3];
        mju_rotVecMat(out, local, data_->xmat + 9 * (model_->nbody - 1));
        x.push_back(x.back() + Vec3d{out[0], out[1], out[2]});
    }

    double energy(int) const override {
        mj_kinematics(model_, data_);
        mj_comPos(model_, data_);
        mj_crb(model_, data_);
        // Set only for this call, because its cost would be timed within a step.
        model_->opt.enableflags |= mjENBL_ENERGY;
        mj_energyPos(model_, data_);
        mj_energyVel(model_, data_);
        model_->opt.enableflags &= ~mjENBL_ENERGY;
        return data_->energy[0] + data_->energy[1];
    }

    Quality counts() const override { return {{"resets", double(mujocoResets(*data_))}}; }

private:
    Vec3d tip_; // m, the last node in the local frame of its link
    mjModel* model_;
    mjData* data_;
};

} // namespace

std::unique_ptr<Ropes> makeMujoco(const Setup& setup) {
    mjModel* model = loadMujocoChain(
        setup.nodes - 1, [&](int link) { return linkXml(setup, link); }, frameTime);
    if (!model) return nullptr;
    return std::make_unique<MujocoRope>(model, setup.position(0, 1) - setup.position(0, 0));
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Ropes> makeMujoco(const Setup&) { return nullptr; }
} // namespace capstan::bench

#endif
