// SPDX-License-Identifier: MIT
// Ropes of a ContactSetup in MuJoCo: chains of capsules with ball joints, in reduced coordinates, so they cannot
// stretch. The integrator is the default. The implicit one was refused, because it takes three times as long. In W2
// with 1 substep, 1 pair passes with the implicit integrator and 4 with the default; with 8 substeps none passes.
// The joints have a damping of 1e-3 N m s, because with less the state diverges.
//
// A rope whose first node is fixed starts at that node. Any other rope has a free root. Its held nodes are attached
// to bodies that follow their paths by soft constraints, so a held node lags behind. Source: E. Todorov et al.,
// "MuJoCo: a physics engine for model-based control", IROS 2012.
#include <bench/setups/contact_ropes.hpp>

#ifdef CAPSTAN_HAVE_MUJOCO

#include <bench/peers/mujoco_model.hpp>

namespace capstan::bench {

namespace {

class Writer {
public:
    explicit Writer(const ContactSetup& setup, double stepTime) : setup_(setup) {
        xml_ = print("<mujoco><option timestep='%.17g' gravity='0 %.9g 0'/>"
                     "<size nconmax='500' njmax='3000'/>"
                     "<default><geom type='capsule' size='%.9g' friction='%.9g 0.005 0.0001'/></default>"
                     "<worldbody>",
                     stepTime, -setup.down, setup.radius, setup.friction);
        for (std::size_t h = 0; h < setup.holds.size(); ++h) {
            const Vec3d at = setup.holds[h].path(0);
            xml_ +=
                print("<body name='hold%d' mocap='true' pos='%.9g %.9g %.9g'/>", int(h), at.x, at.y, at.z);
        }
        for (int r = 0; r < setup.ropes; ++r) addRope(r);
        xml_ += "</worldbody><contact>" + apart() + "</contact><equality>" + ties() + "</equality></mujoco>";
    }
    const std::string& xml() const { return xml_; }

    static bool beginsStill(const ContactSetup& setup, int rope) {
        for (const Hold& hold : setup.holds)
            if (hold.rope == rope && hold.node == 0 && !hold.moves) return true;
        return false;
    }

private:
    void addRope(int rope) {
        std::string close;
        for (int i = 0; i + 1 < setup_.nodes; ++i) {
            const Vec3d from = setup_.position(rope, i), d = setup_.position(rope, i + 1) - from;
            const Vec3d at = i == 0 ? from : from - setup_.position(rope, i - 1);
            const bool floats = i == 0 && !beginsStill(setup_, rope);
            xml_ += print("<body name='r%ds%d' pos='%.9g %.9g %.9g'>%s", rope, i, at.x, at.y, at.z,
                          floats ? "<freejoint/>" : "<joint type='ball' damping='0.001'/>");
            xml_ +=
                print("<geom fromto='0 0 0 %.9g %.9g %.9g' mass='%.9g'/>", d.x, d.y, d.z, setup_.nodeMass);
            close += "</body>";
        }
        xml_ += close;
    }

    std::string apart() const {
        std::string xml;
        for (int r = 0; r < setup_.ropes; ++r)
            for (int s = r + 1; s < setup_.ropes; ++s)
                for (int i = 0; i < setup_.rules.skip; ++i)
                    for (int j = 0; j < setup_.rules.skip; ++j)
                        xml += print("<exclude body1='r%ds%d' body2='r%ds%d'/>", r, i, s, j);
        return xml;
    }

    std::string ties() const {
        std::string xml;
        for (std::size_t h = 0; h < setup_.holds.size(); ++h) {
            const Hold& hold = setup_.holds[h];
            if (hold.node == 0 && beginsStill(setup_, hold.rope)) continue;
            const bool end = hold.node == setup_.nodes - 1;
            const int segment = end ? hold.node - 1 : hold.node;
            Vec3d at = {0, 0, 0};
            if (end) at = setup_.position(hold.rope, hold.node) - setup_.position(hold.rope, segment);
            xml += print("<connect body1='r%ds%d' body2='hold%d' anchor='%.9g %.9g %.9g'/>", hold.rope,
                         segment, int(h), at.x, at.y, at.z);
        }
        return xml;
    }

    const ContactSetup& setup_;
    std::string xml_;
};

class MujocoCapsules final : public ContactRopes {
public:
    // Takes ownership of the model.
    MujocoCapsules(mjModel* model, const ContactSetup& setup, int substeps)
        : model_(model), data_(mj_makeData(model)), holds_(setup.holds), nodes_(setup.nodes),
          substeps_(substeps) {
        for (int r = 0; r < setup.ropes; ++r) {
            const int segment = firstOf(r), joint = model_->body_jntadr[segment];
            tips_.push_back(setup.position(r, nodes_ - 1) - setup.position(r, nodes_ - 2));
            if (!setup.velocity || model_->jnt_type[joint] != mjJNT_FREE) continue;
            const Vec3d v = setup.velocity(r);
            mjtNum* qvel = data_->qvel + model_->jnt_dofadr[joint];
            qvel[0] = v.x;
            qvel[1] = v.y;
            qvel[2] = v.z;
        }
        for (const Hold& hold : holds_) to_.push_back(hold.path(0));
        from_ = to_;
        mj_forward(model_, data_);
    }
    ~MujocoCapsules() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    MujocoCapsules(const MujocoCapsules&) = delete;
    MujocoCapsules& operator=(const MujocoCapsules&) = delete;

    void aim(double time) override {
        from_ = to_;
        for (std::size_t i = 0; i < holds_.size(); ++i) to_[i] = holds_[i].path(time);
    }

    void frame() override {
        for (int s = 1; s <= substeps_; ++s) {
            for (std::size_t i = 0; i < holds_.size(); ++i) {
                const Vec3d at = from_[i] + (double(s) / substeps_) * (to_[i] - from_[i]);
                mjtNum* position = data_->mocap_pos + 3 * i;
                position[0] = at.x;
                position[1] = at.y;
                position[2] = at.z;
            }
            mj_step(model_, data_);
        }
    }

    // After a step, MuJoCo's body positions are still those before the step. So read() computes the kinematics first.
    void read(Lines& lines) const override {
        mj_kinematics(model_, data_);
        lines.assign(tips_.size(), {});
        for (std::size_t r = 0; r < tips_.size(); ++r) {
            const int begin = firstOf(int(r));
            for (int b = begin; b < begin + nodes_ - 1; ++b) {
                const mjtNum* x = data_->xpos + 3 * b;
                lines[r].push_back({x[0], x[1], x[2]});
            }
            const mjtNum local[3] = {tips_[r].x, tips_[r].y, tips_[r].z};
            mjtNum out[3];
            mju_rotVecMat(out, local, data_->xmat + 9 * (begin + nodes_ - 2));
            lines[r].push_back(lines[r].back() + Vec3d{out[0], out[1], out[2]});
        }
    }

    Quality counts() const override { return {{"resets", double(mujocoResets(*data_))}}; }

private:
    // Returns the first body of a rope. Body 0 is the world, and the bodies that hold nodes come next.
    int firstOf(int rope) const { return 1 + int(holds_.size()) + rope * (nodes_ - 1); }

    mjModel* model_;
    mjData* data_;
    std::vector<Hold> holds_;
    std::vector<Vec3d> from_, to_; // m, positions of held nodes before and after the next frame
    std::vector<Vec3d> tips_;      // m, last node of each rope in the local frame of its last segment
    int nodes_, substeps_;
};

} // namespace

std::unique_ptr<ContactRopes> makeMujocoCapsules(const ContactSetup& setup, int substeps) {
    mjModel* model = loadMujoco(Writer(setup, frameTime / substeps).xml());
    if (!model) return nullptr;
    return std::make_unique<MujocoCapsules>(model, setup, substeps);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<ContactRopes> makeMujocoCapsules(const ContactSetup&, int) { return nullptr; }
} // namespace capstan::bench

#endif
