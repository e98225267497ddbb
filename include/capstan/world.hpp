// SPDX-License-Identifier: MIT
// World: everything that is simulated. Add, remove, step, read.
//
// A Def goes in and an Id comes out. Every kind of object has the same calls, which are overloads on its Def or its Id.
// Reading gives spans over live memory, valid until the next call that adds, removes, cuts, updates, restores or steps.
// A call with a stale id, or with a node that is not there, fails CAPSTAN_CHECK, changes nothing and returns an empty
// value. Units are SI: metres, seconds, kilograms, newtons, radians.
// One thread at a time uses a World; its workers are its private matter.
#pragma once

#include <capstan/anchor.hpp>
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
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

// A whole world at one moment. Restoring it continues bit for bit.
class Snapshot;

// Which backend a world runs on. `why` says what is not as asked for, or what stays on the CPU; it is empty otherwise.
struct BackendInfo {
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

    // Objects. add: a bad Def fails CAPSTAN_CHECK. tryAdd: a bad Def is an Error, and the world is untouched.
    RopeId add(const RopeDef& def);
    BodyId add(const BodyDef& def);
    JointId add(const JointDef& def);
    ClothId add(const ClothDef& def);
    HairId add(const HairDef& def);
    Result<RopeId> tryAdd(const RopeDef& def);
    Result<BodyId> tryAdd(const BodyDef& def);
    Result<JointId> tryAdd(const JointDef& def);
    Result<ClothId> tryAdd(const ClothDef& def);
    Result<HairId> tryAdd(const HairDef& def);
    void remove(ObjectId object);        // with its joints and attachments; its id is stale from now on
    bool isValid(ObjectId object) const; // false for a stale or null id
    // The object's Def, as added and with later updates.
    const RopeDef& def(RopeId rope) const;
    const BodyDef& def(BodyId body) const;
    const JointDef& def(JointId joint) const;
    const ClothDef& def(ClothId cloth) const;
    const HairDef& def(HairId hair) const;
    // Changes the object to the Def, or is an Error that says what cannot change and changes nothing. What an object
    // starts with (its place, velocity, pins) is past and is not looked at.
    Status update(RopeId rope, const RopeDef& def);    // material, filter, solver; not the layout
    Status update(BodyId body, const BodyDef& def);    // name, material, filter, mass, damping
    Status update(JointId joint, const JointDef& def); // axes, strengths; not what is joined, or where
    Status update(ClothId cloth, const ClothDef& def); // material, filter, solver; not the layout
    Status update(HairId hair, const HairDef& def);    // material; not where it grows
    std::uint64_t userData(ObjectId object) const;     // of its Def; 0 of an attachment
    // The object of that name: world.find<BodyId>("crate"). Null if there is none.
    template <class I> I find(std::string_view name) const {
        return findNamed(kindOf<I>, name).template as<I>();
    }
    // All objects of a kind, in the order of their slots: world.ids<RopeId>().
    template <class I> std::vector<I> ids() const {
        std::vector<I> all;
        listIds(
            kindOf<I>, [](void* to, ObjectId id) { static_cast<std::vector<I>*>(to)->push_back(id.as<I>()); },
            &all);
        return all;
    }

    // Tie and hold
    // A rope's node, or a point of a body or of the world, is joined to a point of a body: a JointId. A vertex of cloth is
    // attached to a body or to a rope's node, and goes with it from where the vertex is now: an AttachmentId. Other pairs
    // are an Error.
    Result<ObjectId> attach(const Anchor& a, const Anchor& b);
    // Holds a node or vertex, which moves to the target [m] evenly during the next step.
    void pin(const Anchor& at, Vec3 target);
    void unpin(const Anchor& at); // ends a pin or an attachment; the node or vertex keeps its velocity

    // Push. Forces act during the next step, impulses at once. Pinned nodes, kinematic bodies and static bodies do not
    // notice them.
    void applyForce(const Anchor& at, Vec3 force);                 // N
    void applyForce(BodyId body, Vec3 force);                      // N, at the centre of mass
    void applyForce(BodyId body, Vec3 force, Vec3 worldPoint);     // N; m
    void applyImpulse(const Anchor& at, Vec3 impulse);             // N s
    void applyImpulse(BodyId body, Vec3 impulse);                  // N s, at the centre of mass
    void applyImpulse(BodyId body, Vec3 impulse, Vec3 worldPoint); // N s; m
    void applyTorque(BodyId body, Vec3 torque);                    // N m, during the next step
    void applyAngularImpulse(BodyId body, Vec3 impulse);           // N m s, at once
    void setVelocity(const Anchor& at, Vec3 velocity);             // m/s, of a node or vertex
    void setVelocity(BodyId body, Vec3 velocity);                  // m/s, of the centre of mass
    void setAngularVelocity(BodyId body, Vec3 angularVelocity);    // rad/s
    void setMass(const Anchor& at, float mass); // kg, of a vertex of cloth, until it tears or is updated
    float mass(const Anchor& at) const;         // kg, of a node, a vertex or a body; also of what is pinned

    // Move
    void teleport(BodyId body, const Transform& pose); // m; at once, wherever it was
    void moveTo(BodyId body, const Transform& pose);   // m; kinematic: gets there evenly during the next step
    void moveTo(HairId hair, const Transform& pose);   // m; of roots that no body carries, in the same way
    void setWind(ClothId cloth, Vec3 wind);            // m/s, from now on; the cloth needs drag
    void setWind(HairId hair, Vec3 wind);              // m/s, from now on
    void setViewpoint(Vec3 from);                      // m, for levels of detail
    void setTarget(JointId joint, float target); // rad (hinge, servo), rad/s (motor), m (prismatic, cylinder)
    void setTarget(JointId joint, Vec3 target);  // m, of a drag joint: gets there evenly during the next step
    void setControl(float x, float y); // moves the targets of joints with controlX, controlY; no unit
    void setEnabled(JointId joint, bool enabled);          // switching a broken joint on mends it
    void setWinchSpeed(RopeId rope, int end, float speed); // m/s, paid out (> 0) or reeled in at an end
    RopeId cut(RopeId rope, int segment);                  // the part behind the cut; null if there is none

    // Read ropes, cloth and hair. Nodes and vertices are counted as in the Def; those that tearing makes stand behind.
    std::span<const Point> positions(RopeId rope) const;    // m; w: inverse mass, 1/kg (0: pinned)
    std::span<const Point> positions(ClothId cloth) const;  // m; w: inverse mass, 1/kg (0: pinned)
    std::span<const Point> positions(HairId hair) const;    // m, strand after strand, as drawn; w: tension, N
    std::span<const Point> velocities(RopeId rope) const;   // m/s; w: mass, kg
    std::span<const Point> velocities(ClothId cloth) const; // m/s; w: mass, kg
    std::span<const float> tensions(RopeId rope) const;     // N per segment; below 0 is a push
    std::span<const float> restLengths(RopeId rope) const;  // m per segment
    std::span<const float> strains(ClothId cloth) const;    // length / rest length - 1 of each edge; a ratio
    // The largest |length / rest length - 1| of a segment or an edge, after the last step; a ratio. Edges of cloth count
    // only where they are longer than at rest, for cloth folds where it is pushed.
    float maxStrain(RopeId rope) const;
    float maxStrain(ClothId cloth) const;
    float maxStrain(HairId hair) const;
    float meanStrain(ClothId cloth) const; // mean of |length / rest length - 1|, after the last step; a ratio
    float stretch(RopeId rope) const;      // arc length / rest length - 1; a ratio
    std::span<const std::array<int, 3>> triangles(ClothId cloth) const; // three vertices each
    int strandCount(HairId hair) const;
    int strandStride(HairId hair) const;                          // points of a strand in memory
    std::span<const Point> strand(HairId hair, int strand) const; // m, root first; w: tension, N
    int level(HairId hair) const;                                 // of detail, now

    // Read bodies and joints
    Transform pose(BodyId body) const;                       // m, of the body's origin
    Vec3 position(BodyId body) const;                        // m, of the body's origin
    Vec3 centerOfMass(BodyId body) const;                    // m, in the world
    Vec3 velocity(BodyId body) const;                        // m/s, of the centre of mass
    Vec3 angularVelocity(BodyId body) const;                 // rad/s
    const MassProperties& massProperties(BodyId body) const; // kg, m; zero mass: not dynamic
    std::span<const Transform> bodyPoses() const;            // m, of all bodies in the order of ids<BodyId>()
    std::span<const BodyVelocity> bodyVelocities() const;    // m/s and rad/s, in the same order
    JointForces jointForces(JointId joint) const;            // N, N m, and where the joint stands
    Transform jointFrame(JointId joint,
                         int side) const; // m, in the world; as body0 (0) or body1 (1) carries it

    // Contacts and events of the last step, in a fixed order. The contacts of a pair stand together.
    std::span<const Contact> contacts() const;
    std::span<const ContactPair> contactPairs() const;
    std::span<const Contact> contactPoints(const ContactPair& pair) const; // empty: not in contact
    std::span<const Event> events() const;
    RayHit castRay(Vec3 from, Vec3 direction, float maxDistance) const; // m; the nearest body
    Result<int> linkingNumber(RopeId a, RopeId b) const; // how often one closed rope winds through another
    std::vector<int> linkingNumbers() const; // of all pairs of closed ropes: no motion changes them

    // Step
    const Report& step(float dt);       // s, 0 to 10; 0 changes nothing
    const Report& report() const;       // of the last step
    void setStepTiming(bool on);        // from now on the phases of a step are timed: 0.2 us per step
    const StepTimes& stepTimes() const; // s, of the last step
    double time() const;                // s, since the start
    Energy energy() const;              // J, of everything that is not pinned
    const WorldDef& def() const;
    void configure(const WorldDef& def);      // a bad Def fails CAPSTAN_CHECK
    Status tryConfigure(const WorldDef& def); // an Error (no GPU, say) changes nothing
    Status prepare(float dt);        // s; what the next step would do first: an Error if a GPU has no room
    BackendInfo backendInfo() const; // which backend works, and why it is that one

    // The whole state
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);
    std::uint64_t hash() const; // of all positions and velocities: the golden number
    std::size_t bytes() const;  // memory held

private:
    struct Inside;
    // What a GPU is ahead with comes back before anything is read through this; after an edit it is taken there again.
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
        Inside& asItIs() const { return *inside_; } // no position or velocity is looked at

    private:
        std::unique_ptr<Inside> inside_;
    };
    ObjectId findNamed(ObjectKind kind, std::string_view name) const;
    void listIds(ObjectKind kind, void (*to)(void* list, ObjectId id), void* list) const;

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
