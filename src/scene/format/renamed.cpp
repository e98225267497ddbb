// SPDX-License-Identifier: MIT
// See renamed.hpp.
#include "scene/format/renamed.hpp"

namespace capstan {
namespace {

struct RenamedKey {
    std::string_view object;
    std::string_view old;
    std::string_view now;
    // joint: the joint types for which this row is valid, each with blanks around it; "": all types.
    std::string_view types = "";
    std::string_view note = "";
};

constexpr std::string_view kCategory = " (2^layer)", kMask = " (4294967295 less 2^k for each layer k)";
constexpr std::string_view kTurns = " hinge servo motor ", kSlides = " prismatic cylinder ";

constexpr RenamedKey kKeys[] = {
    {"world", "minDistance", "minSeparationRatio"},
    {"rope", "friction", "material.friction"},
    {"rope", "staticFriction", "material.staticFriction"},
    {"rope", "layer", "filter.category", "", kCategory},
    {"rope", "ignores", "filter.mask", "", kMask},
    {"body", "friction", "material.friction"},
    {"body", "staticFriction", "material.staticFriction"},
    {"body", "restitution", "material.restitution"},
    {"body", "layer", "filter.category", "", kCategory},
    {"body", "ignores", "filter.mask", "", kMask},
    {"body", "center", "centerOfMass"},
    {"body", "spin", "angularVelocity"},
    {"cloth", "friction", "material.friction"},
    {"cloth", "layer", "filter.category", "", kCategory},
    {"cloth", "ignores", "filter.mask", "", kMask},
    {"hair", "friction", "material.friction"},
    {"joint", "collide", "collideConnected"},
    {"joint", "restDistance", "distance.target"},
    {"joint", "compliance", "slide.compliance", kSlides},
    {"joint", "compliance", "distance.compliance"},
    {"joint", "damping", "turn.damping", " hinge servo motor ball "},
    {"joint", "damping", "slide.damping", kSlides, ", and turn.damping if it turns"},
    {"joint", "damping", "distance.damping"},
    {"joint", "swingMin", "turn.min"},
    {"joint", "swingMax", "turn.max", kTurns},
    {"joint", "swingMax", "swing.max"},
    {"joint", "twistMin", "turn.min"},
    {"joint", "twistMax", "turn.max"},
    {"joint", "targetAngle", "turn.target"},
    {"joint", "targetAngleCompliance", "turn.compliance"},
    {"joint", "velocity", "turn.speed"},
    {"joint", "velocityMin", "turn.speedMin"},
    {"joint", "velocityMax", "turn.speedMax"},
    {"joint", "distanceMin", "slide.min"},
    {"joint", "distanceMax", "slide.max"},
    {"joint", "targetDistance", "slide.target"},
    {"joint", "maxForce", "slide.maxForce", kSlides},
    {"joint", "maxForce", "distance.maxForce"},
    {"joint", "maxTorque", "turn.maxForce"},
    {"motion", "spin", "angularVelocity"},
    {"expect", "spin", "angularSpeed"},
    {"expect", "lastResorts", "heldStill"},
    {"expect", "minTouching", "minContacts"},
    {"expect", "maxTouching", "maxContacts"},
    {"expect", "minDistance", "minSeparationRatio"},
};

struct RenamedAct {
    std::string_view old, now;
};
constexpr RenamedAct kActs[] = {
    {"push", "applyImpulse"}, {"pull", "applyForce"}, {"twist", "applyTorque"}, {"target", "setTarget"}};

} // namespace

std::string keySince01(std::string_view object, std::string_view old, std::string_view type) {
    const std::string blanks = " " + std::string(type) + " ";
    for (const RenamedKey& k : kKeys) {
        if (k.object != object || k.old != old) continue;
        if (k.types.empty() || k.types.find(blanks) != k.types.npos)
            return "\"" + std::string(k.now) + "\"" + std::string(k.note);
    }
    return "";
}

std::string actSince01(std::string_view old) {
    for (const RenamedAct& a : kActs)
        if (a.old == old) return "\"" + std::string(a.now) + "\"";
    return "";
}

} // namespace capstan
