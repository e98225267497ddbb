// SPDX-License-Identifier: MIT
// A Playback runs a scene. Each frame does the actions that are due and moves nodes, bodies and drag joints along
// their motions. It sets the control vector, drives the dogs, and steps the World once. Then it records what users and
// the scene's `expect` ask for.
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

// indexOf gives the index of a node or segment, counted from the first end; -1 when there is none. Negative numbers
// count from the last end.
inline int indexOf(int number, std::size_t count) {
    int n = static_cast<int>(count);
    int index = number < 0 ? number + n : number;
    return index >= 0 && index < n ? index : -1;
}

struct Happening {
    double time = 0;
    Event event;
    std::string name; // of the rope, body or joint
};

// Summary records what has happened so far.
struct Summary {
    int frames = 0;
    double time = 0;        // s, simulated
    double stepSeconds = 0; // s, spent in World::step
    float maxStretch = 0;   // largest value of Report's so far
    float maxStrain = 0;
    float maxGap = 0;         // m
    float maxClothStrain = 0; // largest value of Report's so far
    int tears = 0;            // of cloth
    float peakTension = 0;    // N
    std::string peakRope;
    int peakSegment = 0;
    double peakTime = 0;
    double peakWeight = 0; // N, weight of that rope with its loads
    float peakForce = 0;   // N, largest force on a joint
    std::string peakJoint;
    double peakForceTime = 0;
    Energy energyStart;
    Energy energyNow;
    // The energy at play, J, is a sum of three parts. The ropes add (weight of the free nodes of a rope) x (length of
    // the rope). The dynamic bodies add (weight of a body) x (how far it can fall; reach.hpp). The start adds its
    // kinetic and elastic energy. This is the energy that a fall by those heights sets free, so a fraction of it
    // measures how much of the motion is wrong. A fraction of the energy itself would depend on where y = 0 is.
    double scale = 0;
    double rise = 0; // largest (E - E of the start) / scale
    double loss = 0; // largest (E of the start - E) / scale
    long long solves = 0;
    long long retries = 0;
    long long heldStill = 0;
    double deviceSeconds = 0;     // s of a GPU's work
    int contacts = 0;             // contacts after the last frame
    long long truncated = 0;      // in all frames
    long long halvedSubsteps = 0; // substeps that were repeated in halves, in all frames
    float minSeparationRatio = 1; // smallest value of Report's so far
    int breaks = 0;
    int quarantined = 0;
    bool finite = true;
    std::vector<Happening> happenings; // all events except contacts
    std::vector<Error> problems;       // actions that could not be carried out
};

class CAPSTAN_API Playback {
public:
    // start makes the checks that need a World. Its Error names line and column where they are known.
    static Result<Playback> start(Scene scene);

    const Report& frame();

    // cut and steer act from outside while the scene runs. Motions and winches continue on the part that they belong
    // to. After steer, the scene no longer sets the control vector.
    RopeId cut(RopeId rope, int segment);
    void steer(float x, float y);

    bool done() const { return summary_.frames >= scene_.frames; }

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }
    const World& world() const { return world_; }
    const Summary& summary() const { return summary_; }
    const LeashWalk* leash() const { return leash_ ? &*leash_ : nullptr; } // null: the scene has none
    LeashWalk* leash() { return leash_ ? &*leash_ : nullptr; }

    std::string nameOf(RopeId rope) const; // "#0" for the first rope if it has no name
    std::string nameOf(BodyId body) const;
    std::string nameOf(JointId joint) const;
    std::string nameOf(ClothId cloth) const;
    std::string nameOf(HairId hair) const;
    RopeId rope(const std::string& name) const; // null when there is none, or none any more

    // check gives the lines of `expect` as of now.
    std::vector<CheckLine> check() const { return expectations_.check(*this); }

    // frameOf gives the number of the frame that ends at this time.
    int frameOf(float time) const;

private:
    // A Led is a pinned node or vertex, a body or a drag joint that follows a motion. `place` identifies a node when a
    // winch adds or removes nodes before it.
    struct Follower {
        std::size_t motion = 0;
        RopeId rope = {};
        BodyId body = {};
        JointId joint = {};
        ClothId cloth = {};
        int node = 0; // from the first end
        Vec3 start = {0, 0, 0};
        Vec3 place = {0, 0, 0};
        Quatf rotation = Quatf::identity(); // rotation of the body at the start
        bool over = false;
    };
    struct Running {
        std::size_t action = 0;
        RopeId rope = {};
        BodyId body = {};
        Vec3 point = {0, 0, 0}; // point of the body where a drag joint with a position acts
        int until = 0;          // frame at which it ends
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
    void goOn(const Running& running);
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
    std::map<std::string, RopeId> names_; // by name in the scene; the World itself names the parts of breaks
    std::map<std::uint32_t, double> weights_; // by slot of a rope: its weight, N
    std::vector<std::size_t> order_;          // actions sorted by time
    std::size_t next_ = 0;                    // next action, index in order_
    std::vector<Running> running_;
    std::vector<Follower> followers_;
    bool steered_ = false; // true: steer() was called
};

} // namespace capstan
