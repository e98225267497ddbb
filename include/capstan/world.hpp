// SPDX-License-Identifier: MIT
// World: everything that is simulated. Add, remove, step, read.
//
// Def in, Id out. Reading gives spans over live memory, valid until the next add, remove, cut, edit, restore
// or step. Calls with a stale id or a node that is not there fail CAPSTAN_CHECK and change nothing.
// A World is used by one thread at a time; its own worker threads are its private matter.
#pragma once

#include <capstan/api.hpp>
#include <capstan/defs.hpp>
#include <capstan/id.hpp>
#include <capstan/point.hpp>
#include <capstan/report.hpp>
#include <capstan/result.hpp>
#include <capstan/step_times.hpp>
#include <capstan/transform.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

// A whole world at one moment. Restoring it continues bit for bit.
class Snapshot;

// Which backend a world runs on. `why` says what is not as asked for, or what stays on the CPU; empty if nothing is.
struct Running {
    Backend backend = Backend::Simd;
    std::string device; // name of the GPU
    std::string why;
};

class CAPSTAN_API World {
public:
    explicit World(const WorldDef& def = {});
    ~World();
    static Result<World> make(const WorldDef& def); // an Error where the backend asked for is not there
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // Ropes
    RopeId add(const RopeDef& def);            // a bad Def fails CAPSTAN_CHECK
    Result<RopeId> tryAdd(const RopeDef& def); // a bad Def is an Error; the world is untouched
    void remove(RopeId rope);                  // with its joints; its id is stale from now on
    bool alive(RopeId rope) const;             // false for a stale or null id
    RopeId find(std::string_view name) const;  // null if there is none
    std::vector<RopeId> ropes() const;         // all, in the order of their slots
    const RopeDef& def(RopeId rope) const;     // as added, with later edits
    Status edit(RopeId rope, const std::function<void(RopeDef&)>& change); // material, solver; not the layout
    void pin(RopeId rope, int node, Vec3 target);           // hold; moves there evenly during the next step
    void unpin(RopeId rope, int node);                      // let go, with the speed it had
    void winch(RopeId rope, int end, float speed);          // pay out (> 0) or reel in at first or last, m/s
    RopeId cut(RopeId rope, int segment);                   // the part behind it; null if a ring was opened
    void push(RopeId rope, int node, Vec3 impulse);         // N s, at once
    void pull(RopeId rope, int node, Vec3 force);           // N, during the next step
    void setVelocity(RopeId rope, int node, Vec3 velocity); // m/s

    // Bodies
    BodyId add(const BodyDef& def);
    Result<BodyId> tryAdd(const BodyDef& def);
    void remove(BodyId body); // with its joints
    bool alive(BodyId body) const;
    BodyId findBody(std::string_view name) const;
    std::vector<BodyId> bodies() const;
    const BodyDef& def(BodyId body) const;
    Status edit(BodyId body, const std::function<void(BodyDef&)>& change); // name, material, mass, layers
    void place(BodyId body, const Transform& at);                          // at once, wherever it was
    void moveTo(BodyId body, const Transform& at); // kinematic: gets there evenly during the next step
    void setVelocity(BodyId body, Vec3 velocity);  // m/s, of the centre of mass
    void setSpin(BodyId body, Vec3 spin);          // rad/s
    void push(BodyId body, Vec3 impulse);          // N s, at once, at the centre of mass
    void push(BodyId body, Vec3 impulse, Vec3 at); // at a point of the world
    void turn(BodyId body, Vec3 impulse);          // N m s, at once
    void pull(BodyId body, Vec3 force);            // N, during the next step
    void pull(BodyId body, Vec3 force, Vec3 at);   // at a point of the world
    void twist(BodyId body, Vec3 torque);          // N m, during the next step
    Transform transform(BodyId body) const;        // of the body's origin
    Vec3 center(BodyId body) const;                // of mass, in the world
    Vec3 velocity(BodyId body) const;              // of the centre of mass
    Vec3 spin(BodyId body) const;                  // rad/s
    const MassProperties& massProperties(BodyId body) const; // zero mass: not dynamic
    RayHit pick(Vec3 from, Vec3 direction,
                float reach) const; // the nearest body; a null one if there is none

    // Joints
    JointId add(const JointDef& def);
    Result<JointId> tryAdd(const JointDef& def);
    JointId attach(RopeId rope, int node, BodyId body, Vec3 point); // a point of the body, in its own axes
    void remove(JointId joint);
    bool alive(JointId joint) const;
    JointId findJoint(std::string_view name) const;
    std::vector<JointId> joints() const;
    const JointDef& def(JointId joint) const;
    Status edit(JointId joint, const std::function<void(JointDef&)>& change); // not who is joined, or where
    void enable(JointId joint, bool on);
    void setTarget(JointId joint, float target); // rad (hinge, servo), rad/s (motor), m (prismatic, cylinder)
    void drag(JointId joint, Vec3 target);       // drag: gets there evenly during the next step
    void control(float x, float y);              // moves the targets of joints with controlX, controlY
    JointReading read(JointId joint) const;
    Transform frame(JointId joint, int side) const; // as body0 (0) or body1 (1) carries it; in the world

    // Cloth. Vertices are counted as in its def; those that tearing makes stand behind them.
    ClothId add(const ClothDef& def);
    Result<ClothId> tryAdd(const ClothDef& def);
    void remove(ClothId cloth);
    bool alive(ClothId cloth) const;
    ClothId findCloth(std::string_view name) const;
    std::vector<ClothId> cloths() const;
    const ClothDef& def(ClothId cloth) const;
    Status edit(ClothId cloth,
                const std::function<void(ClothDef&)>& change); // material, solver; not the layout
    void pin(ClothId cloth, int vertex, Vec3 target);    // hold; moves there evenly during the next step
    void unpin(ClothId cloth, int vertex);               // let go, of a pin or of what it was attached to
    void attach(ClothId cloth, int vertex, BodyId body); // goes with the body from where it is now
    void attach(ClothId cloth, int vertex, RopeId rope, int node); // goes where the node goes
    void push(ClothId cloth, int vertex, Vec3 impulse);            // N s, at once
    void pull(ClothId cloth, int vertex, Vec3 force);              // N, during the next step
    void setVelocity(ClothId cloth, int vertex, Vec3 velocity);    // m/s
    void setMass(ClothId cloth, int vertex, float mass); // kg: a weight sewn on; until it tears or is edited
    float mass(ClothId cloth, int vertex) const;         // kg, also of a pinned vertex
    void setWind(ClothId cloth, Vec3 wind);              // m/s; the cloth needs drag
    std::span<const Point> points(ClothId cloth) const;  // place and inverse mass (0: pinned)
    std::span<const Point> velocities(ClothId cloth) const;
    std::span<const std::array<int, 3>> triangles(ClothId cloth) const;
    std::span<const float> strain(ClothId cloth) const; // length / rest - 1 of each edge, after the last step
    float maxStrain(ClothId cloth) const;               // the largest of them
    float meanStrain(ClothId cloth) const;              // mean of their sizes
    // Hair
    HairId add(const HairDef& def);
    Result<HairId> tryAdd(const HairDef& def);
    void remove(HairId hair);
    bool alive(HairId hair) const;
    HairId findHair(std::string_view name) const;
    std::vector<HairId> hairs() const;
    const HairDef& def(HairId hair) const;
    Status edit(HairId hair, const std::function<void(HairDef&)>& change); // material; not where it grows
    void moveTo(HairId hair,
                const Transform& at);  // of roots that no body carries: get there during the next step
    void blow(HairId hair, Vec3 wind); // m/s, from now on
    void look(Vec3 from);              // the viewpoint, for levels of detail
    int strands(HairId hair) const;
    int stride(HairId hair) const;                    // points of a strand in memory
    std::span<const Point> points(HairId hair) const; // strand after strand, as drawn; w: tension [N]
    std::span<const Point> strand(HairId hair, int strand) const; // its vertices, root first
    float stretch(HairId hair) const; // largest |length / rest length - 1| of an edge
    int level(HairId hair) const;     // of detail, now

    // Reading
    std::span<const Point> points(RopeId rope) const;      // place and inverse mass (0: pinned)
    std::span<const Point> velocities(RopeId rope) const;  // w is unused
    std::span<const float> tension(RopeId rope) const;     // N per segment; below 0 is a push
    std::span<const float> restLengths(RopeId rope) const; // m per segment
    float mass(RopeId rope, int node) const;               // kg, also of a pinned node
    float stretch(RopeId rope) const;                      // arc length / rest length - 1
    std::span<const Event> events() const;                 // of the last step, in a fixed order
    std::span<const Contact> contacts() const;             // that press, at the end of the last step
    Result<int> linking(RopeId a,
                        RopeId b) const; // of two closed ropes: how often one winds through the other
    std::vector<int> linkings() const;   // of all pairs of closed ropes: no motion changes them

    // Stepping
    const Report& step(float dt);   // seconds
    const Report& report() const;   // of the last step
    void timeSteps(bool on);        // from now on the phases of a step are timed: 0.2 us per step
    const StepTimes& times() const; // of the last step
    double time() const;            // seconds since the start
    Energy energy() const;          // of everything that is not pinned
    const WorldDef& def() const;
    void configure(const WorldDef& def);      // gravity, substeps, backend, threads
    Status tryConfigure(const WorldDef& def); // an Error (no GPU, say) changes nothing
    Status prepare(float dt); // what the next step would do first: an Error if a GPU has no room
    Running running() const;  // which backend works, and why it is that one

    // The whole state
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);
    std::uint64_t hash() const; // of all places and speeds: the golden number
    std::size_t bytes() const;  // memory held

private:
    struct Inside;
    // What a GPU is ahead with comes home before anything is read through this; after an edit it is taken there again.
    class Hold {
    public:
        Hold();
        ~Hold();
        Hold(Hold&&) noexcept;
        Hold& operator=(Hold&&) noexcept;
        Inside* operator->();       // to edit
        Inside* operator->() const; // to read
        Inside& operator*() { return *operator->(); }
        Inside& operator*() const { return *operator->(); }
        Inside& asItIs() const { return *inside_; } // neither places nor speeds are looked at

    private:
        std::unique_ptr<Inside> inside_;
    };
    Hold in_;
};

class Snapshot {
public:
    Snapshot() = default;

private:
    friend class World;
    std::shared_ptr<const void> held_;
};

} // namespace capstan
