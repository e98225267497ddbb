// SPDX-License-Identifier: MIT
// The chain of a ChainSetup in MuJoCo: ball or hinge joints in reduced coordinates, so no gap can open. Substeps have
// equal length, and there is no damping. The integrator is the implicit one; this MuJoCo has no faster implicit one.
// Source: E. Todorov et al., "MuJoCo: a physics engine for model-based control", IROS 2012.
#include <bench/setups/chains.hpp>

#ifdef CAPSTAN_HAVE_MUJOCO

#include <bench/peers/mujoco_model.hpp>

namespace capstan::bench {

namespace {

// Writes a body as XML. The body's frame is at the joint to its parent.
std::string bodyXml(const ChainSetup& setup, int body) {
    const Vec3d at = body == 0 ? setup.rootOf(0) : setup.holdsAt(body - 1) - setup.heldAt(body - 1);
    const Vec3d center = -setup.heldAt(body), inertia = setup.inertiaOf(body);
    const char* joint =
        setup.link == Link::Ball ? "<joint type='ball'/>" : "<joint type='hinge' axis='0 0 1'/>";
    return print("<body pos='%.9g %.9g %.9g'>%s", at.x, at.y, at.z, joint) +
           print("<inertial pos='%.9g 0 0' mass='%.9g' diaginertia='%.9g %.9g %.9g'/>", center.x,
                 setup.massOf(body), inertia.x, inertia.y, inertia.z);
}

class MujocoChain final : public Chains {
public:
    // Takes ownership of the model.
    MujocoChain(mjModel* model, Vec3d root, int substeps)
        : model_(model), data_(mj_makeData(model)), root_(root), substeps_(substeps) {
        mj_forward(model_, data_);
    }
    ~MujocoChain() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    MujocoChain(const MujocoChain&) = delete;
    MujocoChain& operator=(const MujocoChain&) = delete;

    void frame() override {
        for (int i = 0; i < substeps_; ++i) mj_step(model_, data_);
    }

    // After a step, MuJoCo's positions and velocities of bodies are still those before the step. So read() computes
    // the kinematics first.
    void read(int, ChainState& out) const override {
        mj_kinematics(model_, data_);
        mj_comPos(model_, data_);
        mj_comVel(model_, data_);
        out.root = root_;
        out.bodies.clear();
        for (int b = 1; b < model_->nbody; ++b) {
            const mjtNum *x = data_->xipos + 3 * b, *q = data_->xquat + 4 * b; // q: w first
            mjtNum v[6];                                                       // angular velocity first
            mj_objectVelocity(model_, data_, mjOBJ_BODY, b, v, 0);
            out.bodies.push_back(
                {{x[0], x[1], x[2]}, {q[1], q[2], q[3], q[0]}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}});
        }
    }

    Quality counts() const override { return {{"resets", double(mujocoResets(*data_))}}; }

private:
    mjModel* model_;
    mjData* data_;
    Vec3d root_;
    int substeps_;
};

} // namespace

std::unique_ptr<Chains> makeMujocoChain(const ChainSetup& setup, int substeps) {
    mjModel* model = loadMujocoChain(
        setup.bodies(), [&](int body) { return bodyXml(setup, body); }, frameTime / substeps);
    if (!model) return nullptr;
    return std::make_unique<MujocoChain>(model, setup.rootOf(0), substeps);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Chains> makeMujocoChain(const ChainSetup&, int) { return nullptr; }
} // namespace capstan::bench

#endif
