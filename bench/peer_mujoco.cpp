// SPDX-License-Identifier: MIT
// A straight rope as MuJoCo has one: a chain of capsules in ball joints, in reduced coordinates, so it cannot
// stretch; one step per frame with the implicit integrator. The joints are damped by 1e-3 N m s: undamped, the
// state blows up within two seconds and MuJoCo resets it.
// Source: E. Todorov et al., "MuJoCo: a physics engine for model-based control", IROS 2012.
#include <bench/ropes.hpp>

#ifdef CAPSTAN_HAVE_MUJOCO

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>

namespace capstan::bench {

namespace {

template <class... A> std::string print(const char* format, A... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

// One link, without the tag that closes it. The load is a ball at the far end of the last one.
std::string linkXml(const Setup& setup, int link) {
    const Vec3d d = setup.place(0, link + 1) - setup.place(0, link);
    const Vec3d at = link == 0 ? setup.place(0, 0) : d;
    std::string xml = print("<body pos='%.9g %.9g %.9g'><joint type='ball' damping='0.001'/>"
                            "<geom type='capsule' size='0.01' fromto='0 0 0 %.9g %.9g %.9g' mass='%.9g'/>",
                            at.x, at.y, at.z, d.x, d.y, d.z, setup.nodeMass);
    if (setup.load > 0 && link == setup.nodes - 2)
        xml += print("<geom type='sphere' size='0.02' pos='%.9g %.9g %.9g' mass='%.9g'/>", d.x, d.y, d.z,
                     setup.load);
    return xml;
}

void addFile(mjVFS& files, const std::string& name, const std::string& text) {
    mj_makeEmptyFileVFS(&files, name.c_str(), int(text.size()));
    std::memcpy(files.filedata[mj_findFileVFS(&files, name.c_str())], text.data(), text.size());
}

// MuJoCo's reader refuses a file nested deeper than 100 tags, so every 40 links are a file of their own, which
// includes the next.
void writeModel(mjVFS& files, const Setup& setup) {
    const int links = setup.nodes - 1, perFile = 40;
    for (int from = 0, part = 0; from < links; from += perFile, ++part) {
        const int to = from + perFile < links ? from + perFile : links;
        std::string xml, close;
        for (int link = from; link < to; ++link) {
            xml += linkXml(setup, link);
            close += "</body>";
        }
        if (to < links) xml += print("<include file='part%d.xml'/>", part + 1);
        addFile(files, print("part%d.xml", part), "<mujoco>" + xml + close + "</mujoco>");
    }
    addFile(files, "rope.xml",
            print("<mujoco><option timestep='%.17g' gravity='0 %.9g 0' integrator='implicit'/>"
                  "<default><geom contype='0' conaffinity='0'/></default>"
                  "<worldbody><include file='part0.xml'/></worldbody></mujoco>",
                  frameTime, -gravity));
}

class MujocoRope final : public Ropes {
public:
    // Takes the model over.
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

    // A step leaves the places of bodies as they were before it, hence the kinematics.
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
        model_->opt.enableflags |= mjENBL_ENERGY; // only here: within a step it would be timed
        mj_energyPos(model_, data_);
        mj_energyVel(model_, data_);
        model_->opt.enableflags &= ~mjENBL_ENERGY;
        return data_->energy[0] + data_->energy[1];
    }

    Quality counts() const override {
        int resets = 0;
        for (int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
            resets += data_->warning[kind].number;
        return {{"resets", double(resets)}};
    }

private:
    Vec3d tip_; // the last node, as its link sees it
    mjModel* model_;
    mjData* data_;
};

} // namespace

std::unique_ptr<Ropes> makeMujoco(const Setup& setup) {
    mju_user_warning = [](const char*) {}; // MuJoCo would write a log file; resets are counted instead
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    writeModel(*files, setup);
    char error[1000] = "";
    mjModel* model = mj_loadXML("rope.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!model) {
        std::fprintf(stderr, "bench: MuJoCo refuses the rope, its row is left out: %s\n", error);
        return nullptr;
    }
    return std::make_unique<MujocoRope>(model, setup.place(0, 1) - setup.place(0, 0));
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Ropes> makeMujoco(const Setup&) { return nullptr; }
} // namespace capstan::bench

#endif
