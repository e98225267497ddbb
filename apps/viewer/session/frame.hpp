// SPDX-License-Identifier: MIT
// A Frame is a copy of all data that the window shows. The simulation fills it, and the window never reads the World.
// So a step never waits for a picture, and a picture never waits for a step.
#pragma once

#include <apps/viewer/session/pick.hpp>
#include <capstan/defs.hpp>
#include <capstan/report.hpp>
#include <capstan/scene/camera_def.hpp>
#include <capstan/step_times.hpp>
#include <capstan/transform.hpp>
#include <render/view/scene_view.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace capstan::viewer {

// A Sample holds the values of one step for the plots.
struct Sample {
    double time = 0; // s, simulated
    Energy energy;
    float stretch = 0; // Report::maxStretch, or maxClothStrain where that is larger
    float tension = 0; // N, largest of all ropes
    float script = 0;  // s, time of motions, dogs, braid and summary
    float solve = 0;   // s, time of World::step
    StepTimes phases;  // parts of `solve`
    float show = 0;    // s: time to make the Frame before this step, if one was made
};

struct TangleLine {
    unsigned id = 0;
    std::string phase, ropes;
    float wrapAngle = 0; // rad
    float tension = 0;   // N
    int sign = 0;
};

// LeashLine describes a leash walk.
struct LeashLine {
    std::string word, state, why;
    std::vector<int> letters; // the braid word: +i crosses strands i and i + 1, -i crosses them the other way
    int strands = 0;
    std::vector<std::uint32_t> slots; // slots of the leashes, in the order of the strands at the start
    int complexity = 0, peak = 0;
    int readings = 0, refusals = 0, disagreements = 0;
    std::vector<std::string> plan;
    std::vector<TangleLine> tangles;
    bool untangling = false;
};

template <class Which> struct Named {
    Which id;
    std::string name;
};

// Contents lists all objects with their names. It is updated only when an object was added or removed.
struct Contents {
    std::vector<Named<RopeId>> ropes;
    std::vector<Named<BodyId>> bodies;
    std::vector<Named<JointId>> joints;
    std::vector<Named<ClothId>> cloths;
    std::vector<Named<HairId>> hairs;
};

// Whereabouts is the position of an object, for programs that watch the viewer (docs/reference/output.md, --trace).
struct Whereabouts {
    std::string name;
    enum class Kind { Body, Rope, Cloth };
    Kind kind = Kind::Body;
    Vec3 at = {0, 0, 0}; // a body's centre, a rope's middle node, a cloth's middle vertex
};

struct Frame {
    render::SceneView view;
    std::string file, about;         // path of the running scene; its description
    std::optional<CameraDef> camera; // camera that the scene gives
    std::uint64_t scene = 0;         // number of scenes and restarts so far
    bool loaded = false, playing = false;
    float rate = 60, speed = 1; // steps per simulated second; requested simulated seconds per real second
    float realSpeed = 0;        // measured simulated seconds per real second
    double time = 0;            // s, simulated
    long long steps = 0;
    Report report;
    std::string problem;            // error of the scene file, with line and column; empty: none
    std::string notice;             // message about the last action
    int notices = 0;                // number of notices so far: shows that a notice is new
    std::vector<std::string> notes; // messages of the scene reader, and about actions that failed

    Picked hovered, selected;
    JointId selectedJoint;
    std::string hoveredName, selectedName;
    bool selectedPinned = false;
    bool pulling = false;
    std::uint64_t grabs = 0; // ticket of the last grab that was processed
    Vec3 held = {0, 0, 0}, goal = {0, 0, 0};
    float force = 0;         // N, force of the pull
    Vec3 follow = {0, 0, 0}; // position of the selection, or the middle of the scene
    float controlX = 0, controlY = 0;
    bool steerable = false;      // true: a joint follows the control vector
    std::optional<Vec3> ropeEnd; // first end of a rope that is being added

    std::shared_ptr<const Contents> contents;
    WorldDef world;
    std::optional<RopeDef> rope;
    std::optional<BodyDef> body;
    std::optional<JointDef> joint;
    std::optional<ClothDef> cloth;
    std::optional<HairDef> hair;
    std::vector<std::pair<std::string, std::string>> facts; // name and value of facts about the selection
    std::optional<LeashLine> leash;
    std::vector<Whereabouts> whereabouts; // positions of the first few objects, on request
    std::vector<Sample> samples;          // samples of the steps since the last Frame
};

} // namespace capstan::viewer
