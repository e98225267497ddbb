// SPDX-License-Identifier: MIT
// A Playback runs a scene. Each frame carries out the actions that are due and moves nodes, bodies and drag joints
// along their motions. It sets the control vector, drives the dogs, and steps the World once. Then it updates the
// Summary and the measurements of the scene's `expect`.
#pragma once

#include <capstan/api.hpp>
#include <capstan/leash/walk.hpp>
#include <capstan/scene/expectations.hpp>
#include <capstan/scene/scene.hpp>
#include <capstan/world.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace capstan {

// Returns the index of a node or segment, counted from the first end, or -1 if it does not exist. A negative number
// counts from the last end.
inline int indexOf(int number, std::size_t count) {
    int n = static_cast<int>(count);
    int index = number < 0 ? number + n : number;
    return index >= 0 && index < n ? index : -1;
}

// An event of the World with its time [s] and the name of its object.
struct Happening {
    double time = 0;
    Event event;
    std::string name; // name of the rope, body or joint
};

// Totals and extremes of the run so far.
struct Summary {
    int frames = 0;
    double time = 0;          // s, simulated
    double stepSeconds = 0;   // s, spent in World::step
    float maxStretch = 0;     // largest Report::maxStretch so far
    float maxStrain = 0;      // largest Report::maxStrain so far
    float maxGap = 0;         // m, largest Report::maxGap so far
    float maxClothStrain = 0; // largest Report::maxClothStrain so far
    int tears = 0;            // number of Tore events of cloth
    float peakTension = 0;    // N, largest tension of a rope's segment
    std::string peakRope;
    // The next two members describe the moment of peakTension.
    int peakSegment = 0;
    double peakTime = 0;
    double peakWeight = 0; // N, weight of peakRope with its loads
    float peakForce = 0;   // N, largest force on a joint
    std::string peakJoint;
    double peakForceTime = 0;
    Energy energyStart;
    Energy energyNow;
    // The energy at play [J] is a sum of three parts. Each rope adds the weight of its free nodes times its length.
    // Each dynamic body adds its weight times the height that it can fall (reach.hpp). The kinetic and elastic energy
    // of the start is added. Energy errors are given as fractions of this energy. A fraction of the total energy
    // would depend on where y = 0 is.
    double scale = 0;
    double rise = 0; // largest (E - E at the start) / scale
    double loss = 0; // largest (E at the start - E) / scale
    long long solves = 0;
    long long retries = 0;
    long long heldStill = 0;
    double deviceSeconds = 0;     // s, time of work on the GPU
    int contacts = 0;             // number of contacts after the last frame
    long long truncated = 0;      // sum of Report::truncated over all frames
    long long halvedSubsteps = 0; // substeps that were solved again in two halves, summed over all frames
    float minSeparationRatio = 1; // smallest Report::minSeparationRatio so far
    int breaks = 0;
    int quarantined = 0;
    bool finite = true;
    std::vector<Happening> happenings; // all events except contacts
    std::vector<Error> problems;       // actions that could not be carried out
};

class CAPSTAN_API Playback {
public:
    // Adds the scene's objects to a new World and makes the checks that need a World. The Error names line and column
    // where they are known.
    static Result<Playback> start(Scene scene);

    // Runs one frame.
    const Report& frame();

    // cut and steer let the program intervene during the run. cut returns the part behind the cut, or null. Motions
    // and winches continue on the part that has their node. steer sets the control vector (no unit). From then on the
    // scene's `controls` are ignored.
    RopeId cut(RopeId rope, int segment);
    void steer(float x, float y);

    bool done() const { return summary_.frames >= scene_.frames; }

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }
    const World& world() const { return world_; }
    const Summary& summary() const { return summary_; }
    const LeashWalk* leash() const { return leash_ ? &*leash_ : nullptr; } // null: the scene has no leash
    LeashWalk* leash() { return leash_ ? &*leash_ : nullptr; }

    std::string nameOf(RopeId rope) const; // "#0" for the first rope if it has no name
    std::string nameOf(BodyId body) const;
    std::string nameOf(JointId joint) const;
    std::string nameOf(ClothId cloth) const;
    std::string nameOf(HairId hair) const;
    RopeId rope(const std::string& name) const; // null if there is no such rope, or if it was removed

    // Returns the lines of `expect` with the values measured so far.
    std::vector<CheckLine> check() const { return expectations_.check(*this); }

    // Returns the number of the frame that ends at this time [s].
    int frameOf(float time) const;

    // where names the action or motion that this thread carries out now, by file, line and column, and the time. A check
    // handler tells it. It is empty outside of frame().
    static std::string where();

private:
    // A Follower is a pinned node or vertex, a body or a drag joint that follows a motion. `place` is the last
    // position of the node. It identifies the node after a winch has added or removed nodes before it.
    struct Follower {
        std::size_t motion = 0;
        RopeId rope = {};
        BodyId body = {};
        JointId joint = {};
        ClothId cloth = {};
        int node = 0; // number of the node, counted from the first end
        Vec3 start = {0, 0, 0};
        Vec3 place = {0, 0, 0};
        Quatf rotation = Quatf::identity(); // rotation of the body at the start
        bool over = false;
    };
    // An action with a duration that is in progress.
    struct Running {
        std::size_t action = 0;
        RopeId rope = {};
        BodyId body = {};
        Vec3 point = {0, 0, 0}; // point of the body, in its axes, at which the force acts
        int until = 0;          // number of the frame at which the action ends
    };

    explicit Playback(Scene scene);
    Status addRopes();
    Status addBodies();
    Status addJoints();
    Status addHairs();
    Status addLeash();
    Status addCloths();
    Status checkNodes() const;
    Status checkIndex(const std::string& rope, int index, bool segment, const std::string& pointer) const;
    Status startMotions();
    Status startMotion(const Motion& motion, Follower& follower, const std::string& pointer) const;
    void startSummary();
    void act(std::size_t index);
    void actOnRope(const Action& action, std::size_t index, RopeId rope);
    void actOnBody(const Action& action, std::size_t index, BodyId body);
    void actOnJoint(const Action& action, JointId joint);
    std::string whyNot(const Action& action, RopeId rope) const;
    bool attached(RopeId rope, int node) const;
    int lasts(const Action& action) const;
    void cutAs(const Action& action, RopeId rope);
    void goOn();
    void goOn(Running& running);
    void giveUp(Running& running, const std::string& what);
    void lead();
    bool lead(Follower& follower, double t);
    bool find(Follower& follower) const;
    void split(RopeId rope, RopeId other, int segment);
    void watch(const Report& report);
    void watchEvents();
    void watchRopes();
    void watchBodies();
    void watchJoints();

    Scene scene_;
    World world_;
    std::optional<LeashWalk> leash_;
    Summary summary_;
    Expectations expectations_;
    // Ropes by name in the scene; a rope part made by a break is named by the World.
    std::map<std::string, RopeId> names_;
    std::map<std::uint32_t, double> weights_; // weight of each rope [N], by slot of the rope
    std::vector<std::size_t> order_;          // actions sorted by time
    std::size_t next_ = 0;                    // index in order_ of the next action
    std::vector<Running> running_;
    std::vector<Follower> followers_;
    bool steered_ = false; // true: steer() was called
    std::string doing_;    // JSON pointer of the action or motion that is carried out now
};

} // namespace capstan
