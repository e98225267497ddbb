// SPDX-License-Identifier: MIT
#include <worlds/worlds.hpp>

namespace capstan::worlds {

const std::vector<Generated>& all() {
    static const std::vector<Generated> list = [] {
        List made;
        addJointWorlds(made);
        addMechanismWorlds(made);
        addRopeWorlds(made);
        addIterativeWorlds(made);
        addHeapWorlds(made);
        addBodyWorlds(made);
        addClothWorlds(made);
        addSewnWorlds(made);
        addHairWorlds(made);
        addLifeWorlds(made);
        addRareWorlds(made);
        return made;
    }();
    return list;
}

const Generated* find(const std::string& name) {
    for (const Generated& g : all())
        if (g.name == name) return &g;
    return nullptr;
}

} // namespace capstan::worlds
