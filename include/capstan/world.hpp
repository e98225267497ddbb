// SPDX-License-Identifier: MIT
// World holds everything that is simulated. A program adds objects, steps the World, and reads it.
//
// add() takes a Def and returns an Id. Every kind of object has the same calls, as overloads on its Def or its Id.
// A call that reads a column returns a span over live memory. The span is valid until the next call that adds, removes,
// cuts, updates, restores or steps. A call with a stale id, or with a node that does not exist, fails CAPSTAN_CHECK. It
// then changes nothing and returns an empty value.
// Units are SI: metres, seconds, kilograms, newtons, radians. Each call names its unit first in its comment.
// Only one thread at a time may use a World. The World manages its own worker threads.
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

// Snapshot: the whole state of a World at one moment. A World that is restored from it continues bit for bit.
class Snapshot;

// BackendInfo: the backend that a World runs on. `why` explains why it is not the backend that was asked for, or which
// objects stay on the CPU. Otherwise `why` is empty.
struct BackendInfo {
    Backend backend = Backend::Simd;
    std::string device; // name of the GPU; empty without one
    std::string why;
};

class CAPSTAN_API World {
public:
    explicit World(const WorldDef& def = {});
    ~World();
    static Result<World> make(const WorldDef& def); // an Error if the backend is not available
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // Objects. With add(), a bad Def fails CAPSTAN_CHECK. With tryAdd(), a bad Def is an Error. Either way the World is
    // unchanged.
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
    void remove(ObjectId object);        // also its joints and attachments; the id is stale from now on
    bool isValid(ObjectId object) const; // false for a stale or null id
    // Returns the object's Def as it was added, with later updates.
    const RopeDef& def(RopeId rope) const;
    const BodyDef& def(BodyId body) const;
    const JointDef& def(JointId joint) const;
    const ClothDef& def(ClothId cloth) const;
    const HairDef& def(HairId hair) const;
    // Changes the object to the Def. If a field cannot change, update() returns an Error that names it, and nothing
    // changes. Fields that only describe the start (position, velocity, pins) are ignored.
    Status update(RopeId rope, const RopeDef& def);    // material, filter, solver; not the layout
    Status update(BodyId body, const BodyDef& def);    // name, material, filter, mass, damping
    Status update(JointId joint, const JointDef& def); // axes, strengths; not the joined objects or the place
    Status update(ClothId cloth, const ClothDef& def); // material, filter, solver; not the layout
    Status update(HairId hair, const HairDef& def);    // material; not the roots
    std::uint64_t userData(ObjectId object) const;     // userData of its Def; 0 for an attachment
    // Returns the object with that name, or a null id: world.find<BodyId>("crate").
    template <class I> I find(std::string_view name) const {
        return findNamed(kindOf<I>, name).template as<I>();
    }
    // Returns all objects of a kind, in the order of their slots: world.ids<RopeId>().
    template <class I> std::vector<I> ids() const {
        std::vector<I> all;
        listIds(
            kindOf<I>, [](void* to, ObjectId id) { static_cast<std::vector<I>*>(to)->push_back(id.as<I>()); },
            &all);
        return all;
    }

    // Attach and pin.
    // attach() joins a rope's node, or a point of a body or of the world, to a point of a body. It then returns a
    // JointId. It also attaches a vertex of cloth to a body or to a rope's node, and then returns an AttachmentId. The
    // vertex keeps its present place relative to that body or node. Any other pair of kinds is an Error. Points are in
    // metres.
    Result<ObjectId> attach(const Anchor& a, const Anchor& b);
    // m. Holds a node or vertex. It moves to the target evenly during the next step.
    void pin(const Anchor& at, Vec3 target);
    void unpin(const Anchor& at); // ends a pin or an attachment; the node or vertex keeps its velocity

    // Forces and impulses. A force or torque acts during the next step, an impulse at once. Pinned nodes, kinematic
    // bodies and static bodies do not respond to them.
    void applyForce(const Anchor& at, Vec3 force);                 // N
    void applyForce(BodyId body, Vec3 force);                      // N, at the centre of mass
    void applyForce(BodyId body, Vec3 force, Vec3 worldPoint);     // N, at a point in m, in the world
    void applyImpulse(const Anchor& at, Vec3 impulse);             // N s
    void applyImpulse(BodyId body, Vec3 impulse);                  // N s, at the centre of mass
    void applyImpulse(BodyId body, Vec3 impulse, Vec3 worldPoint); // N s, at a point in m, in the world
    void applyTorque(BodyId body, Vec3 torque);                    // N m, during the next step
    void applyAngularImpulse(BodyId body, Vec3 impulse);           // N m s, at once
    void setVelocity(const Anchor& at, Vec3 velocity);             // m/s, of a node or vertex
    void setVelocity(BodyId body, Vec3 velocity);                  // m/s, of the centre of mass
    void setAngularVelocity(BodyId body, Vec3 angularVelocity);    // rad/s
    void setMass(const Anchor& at, float mass); // kg, of a vertex of cloth, until it tears or is updated
    float mass(const Anchor& at) const; // kg, of a node, a vertex or a body; pinned ones keep their mass

    // Move
    void teleport(BodyId body, const Transform& pose); // m, in the world; the body is there at once
    void moveTo(BodyId body, const Transform& pose);   // m; kinematic: gets there evenly in the next step
    void moveTo(HairId hair, const Transform& pose);   // m; the same for roots that no body carries
    void setWind(ClothId cloth, Vec3 wind);            // m/s, from now on; the cloth must have drag
    void setWind(HairId hair, Vec3 wind);              // m/s, from now on
    void setViewpoint(Vec3 from);                      // m; levels of detail depend on the distance to it
    void setTarget(JointId joint, float target); // rad (hinge, servo), rad/s (motor), m (prismatic, cylinder)
    void setTarget(JointId joint, Vec3 target); // m; drag joint: its point gets there evenly in the next step
    void setControl(float x, float y); // no unit; moves the targets of joints with controlX or controlY
    void setEnabled(JointId joint, bool enabled);          // enabling a broken joint repairs it
    void setWinchSpeed(RopeId rope, int end, float speed); // m/s; the end pays out (> 0) or reels in (< 0)
    RopeId cut(RopeId rope, int segment);                  // returns the part behind the cut, or null

    // Read ropes, cloth and hair. Nodes and vertices are numbered as in the Def. New vertices that tearing makes follow
    // after them.
    std::span<const Point> positions(RopeId rope) const;    // m; w: inverse mass, 1/kg (0: pinned)
    std::span<const Point> positions(ClothId cloth) const;  // m; w: inverse mass, 1/kg (0: pinned)
    std::span<const Point> positions(HairId hair) const;    // m, strand by strand, as drawn; w: tension, N
    std::span<const Point> velocities(RopeId rope) const;   // m/s; w: mass, kg
    std::span<const Point> velocities(ClothId cloth) const; // m/s; w: mass, kg
    std::span<const float> tensions(RopeId rope) const;     // N, one for each segment; below 0: compression
    std::span<const float> restLengths(RopeId rope) const;  // m, one for each segment
    std::span<const float> strains(ClothId cloth) const;    // length / rest length - 1 of each edge; a ratio
    // A ratio: the largest |length / rest length - 1| of a segment or an edge, after the last step. Edges of cloth
    // count only if they are longer than at rest, because cloth folds under compression.
    float maxStrain(RopeId rope) const;
    float maxStrain(ClothId cloth) const;
    float maxStrain(HairId hair) const;
    float meanStrain(ClothId cloth) const; // mean of |length / rest length - 1|, after the last step; a ratio
    float stretch(RopeId rope) const;      // arc length / rest length - 1; a ratio
    std::span<const std::array<int, 3>> triangles(ClothId cloth) const; // three vertex numbers each
    int strandCount(HairId hair) const;                                 // number of strands
    int strandStride(HairId hair) const;                                // points of a strand in memory
    std::span<const Point> strand(HairId hair, int strand) const;       // m, root first; w: tension, N
    int level(HairId hair) const;                                       // present level of detail

    // Read bodies and joints
    Transform pose(BodyId body) const;                       // m, of the body's origin
    Vec3 position(BodyId body) const;                        // m, of the body's origin
    Vec3 centerOfMass(BodyId body) const;                    // m, in the world
    Vec3 velocity(BodyId body) const;                        // m/s, of the centre of mass
    Vec3 angularVelocity(BodyId body) const;                 // rad/s, in the world
    const MassProperties& massProperties(BodyId body) const; // kg, m, kg m^2; zero mass: not dynamic
    std::span<const Transform> bodyPoses() const;            // m, of all bodies in the order of ids<BodyId>()
    std::span<const BodyVelocity> bodyVelocities() const;    // m/s and rad/s, in the same order
    JointForces jointForces(JointId joint) const; // N, N m, and the joint's angle (rad) and distance (m)
    // m, in the world. body0 carries side 0, body1 carries side 1.
    Transform jointFrame(JointId joint, int side) const;

    // Contacts and events of the last step, in a fixed order. The contacts of a pair follow each other. Contact, Event
    // and ContactPair name the units of their fields.
    std::span<const Contact> contacts() const;
    std::span<const ContactPair> contactPairs() const;
    std::span<const Contact> contactPoints(const ContactPair& pair) const; // empty: not in contact
    std::span<const Event> events() const;
    // m. Returns the first body that the ray hits. The direction may have any length but 0.
    RayHit castRay(Vec3 from, Vec3 direction, float maxDistance) const;
    Result<int> linkingNumber(RopeId a, RopeId b) const; // how often one closed rope winds through another
    std::vector<int> linkingNumbers() const; // of all pairs of closed ropes; motion never changes them

    // Step
    const Report& step(float dt);             // s, 0 to 10; 0 changes nothing
    const Report& report() const;             // of the last step
    void setStepTiming(bool on);              // times the phases of each step; costs 0.2 us per step
    const StepTimes& stepTimes() const;       // s, of the last step
    double time() const;                      // s, since the start
    Energy energy() const;                    // J, of ropes, dynamic bodies, cloth and joints
    const WorldDef& def() const;              // as configured last
    void configure(const WorldDef& def);      // a bad Def fails CAPSTAN_CHECK
    Status tryConfigure(const WorldDef& def); // a bad Def or a missing GPU is an Error, and nothing changes
    Status prepare(float dt);        // s; prepares the next step; an Error if the GPU has too little memory
    BackendInfo backendInfo() const; // the backend in use, and why

    // The whole state
    Snapshot snapshot() const;              // copies the state
    void restore(const Snapshot& snapshot); // returns to the state of the snapshot, with its WorldDef
    std::uint64_t hash() const;             // of all positions and velocities; equal states have equal hashes
    std::size_t bytes() const;              // bytes of memory that the World holds

private:
    struct Impl;
    // Access to Inside that keeps a GPU in step. Before a read, newer state is copied back from the GPU. After an edit,
    // the state is copied to the GPU again.
    class Hold {
    public:
        Hold();
        ~Hold();
        Hold(Hold&&) noexcept;
        Hold& operator=(Hold&&) noexcept;
        Impl* operator->();       // to edit
        Impl* operator->() const; // to read
        Impl& operator*() { return *operator->(); }
        Impl& operator*() const { return *operator->(); }
        // Access without a copy from the GPU, for calls that read no position or velocity.
        Impl& asItIs() const { return *inside_; }

    private:
        std::unique_ptr<Impl> inside_;
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
