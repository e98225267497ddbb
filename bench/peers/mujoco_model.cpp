// SPDX-License-Identifier: MIT
// Loading of MuJoCo models from XML.
#ifdef CAPSTAN_HAVE_MUJOCO

#include <bench/peers/mujoco_model.hpp>
#include <bench/setups/ropes.hpp>

#include <cstring>

namespace capstan::bench {

static void addFile(mjVFS& files, const std::string& name, const std::string& text) {
    mj_makeEmptyFileVFS(&files, name.c_str(), int(text.size()));
    std::memcpy(files.filedata[mj_findFileVFS(&files, name.c_str())], text.data(), text.size());
}

// MuJoCo's reader refuses more than 100 nested tags in a file. So a file contains at most 40 bodies and includes the
// next file.
static void writeModel(mjVFS& files, int bodies, const std::function<std::string(int)>& bodyXml,
                       double stepTime) {
    const int perFile = 40;
    for (int from = 0, part = 0; from < bodies; from += perFile, ++part) {
        const int to = from + perFile < bodies ? from + perFile : bodies;
        std::string xml, close;
        for (int body = from; body < to; ++body) {
            xml += bodyXml(body);
            close += "</body>";
        }
        if (to < bodies) xml += print("<include file='part%d.xml'/>", part + 1);
        addFile(files, print("part%d.xml", part), "<mujoco>" + xml + close + "</mujoco>");
    }
    addFile(files, "chain.xml",
            print("<mujoco><option timestep='%.17g' gravity='0 %.9g 0' integrator='implicit'/>"
                  "<default><geom contype='0' conaffinity='0'/></default>"
                  "<worldbody><include file='part0.xml'/></worldbody></mujoco>",
                  stepTime, -gravity));
}

static mjModel* load(const char* name, const std::function<void(mjVFS&)>& write) {
    mju_user_warning = [](const char*) {}; // otherwise MuJoCo writes a log file; resets are counted instead
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    write(*files);
    char error[1000] = "";
    mjModel* model = mj_loadXML(name, files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!model) std::fprintf(stderr, "bench: MuJoCo refuses %s, its row is left out: %s\n", name, error);
    return model;
}

mjModel* loadMujocoChain(int bodies, const std::function<std::string(int)>& bodyXml, double stepTime) {
    return load("chain.xml", [&](mjVFS& files) { writeModel(files, bodies, bodyXml, stepTime); });
}

mjModel* loadMujoco(const std::string& xml) {
    return load("model.xml", [&](mjVFS& files) { addFile(files, "model.xml", xml); });
}

int mujocoResets(const mjData& data) {
    int resets = 0;
    for (int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) resets += data.warning[kind].number;
    return resets;
}

} // namespace capstan::bench

#endif
