// SPDX-License-Identifier: MIT
// World holds everything that is simulated. A program adds objects, calls step(), and reads the results.
//
// add() takes a Def and returns an Id. Every kind of object has the same calls, as overloads on its Def or its Id. A
// call that returns a span gives a view of live memory. The span is valid until the next call that adds, removes,
// cuts, updates, restores or steps. A call with a stale id, or with a node that does not exist, fails CAPSTAN_CHECK.
// It then changes nothing and returns an empty value.
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

// Snapshot: the whole state of a World at one moment. After restore(), a World continues with the same bits.
class Snapshot;

// BackendInfo: the backend that a World runs on. `why` gives the reason if it is not the requested backend, or if
// some objects stay on the CPU. Otherwise `why` is empty.
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

    // Objects. A bad Def fails CAPSTAN_CHECK in add(), and is an Error from tryAdd(). In both cases the World is
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
    void remove(ObjectId object);        // also removes its joints and attachments; the id becomes stale
    bool isValid(ObjectId object) const; // false for a stale or null id
    // Returns the object's Def as it was added, with all later updates.
    const RopeDef& def(RopeId rope) const;
    const BodyDef& def(BodyId body) const;
    const JointDef& def(JointId joint) const;
    const ClothDef& def(ClothId cloth) const;
    const HairDef& def(HairId hair) const;
    // Changes the object to the given Def. If a changed field cannot be updated, update() returns an Error that names
    // the field, and nothing changes. Fields that only describe the start (position, velocity, pins) are ignored.
    Status update(RopeId rope, const RopeDef& def); // material, filter, solver; not nodes or lengths
    Status update(BodyId body, const BodyDef& def); // name, material, filter, mass, damping
    // Axes and limits; not the joined objects or the frames.
    Status update(JointId joint, const JointDef& def);
    Status update(ClothId cloth, const ClothDef& def); // material, filter, solver; not vertices or triangles
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

    // Attach and pin

    // attach() joins a point of a body to a rope's node, or to a point of a body or of the world. It then returns a
    // JointId. It also attaches a vertex of cloth to a body or to a rope's node, and then returns an AttachmentId.
    // The vertex keeps its present offset from that body or node. Any other pair of kinds is an Error. Points are
    // in metres.
    Result<ObjectId> attach(const Anchor& a, const Anchor& b);
    // m. Pins a node or vertex, which moves to the target at constant velocity during the next step.
    void pin(const Anchor& at, Vec3 target);
    void unpin(const Anchor& at); // ends a pin or an attachment; the node or vertex keeps its velocity

    // Forces and impulses. A force or torque acts during the next step, an impulse at once. Pinned nodes, kinematic
    // bodies and static bodies do not respond to them.
    void applyForce(const Anchor& at, Vec3 force);                 // N
    void applyForce(BodyId body, Vec3 force);                      // N, at the centre of mass
    void applyForce(BodyId body, Vec3 force, Vec3 worldPoint);     // N, at a point [m] in the world
    void applyImpulse(const Anchor& at, Vec3 impulse);             // N s
    void applyImpulse(BodyId body, Vec3 impulse);                  // N s, at the centre of mass
    void applyImpulse(BodyId body, Vec3 impulse, Vec3 worldPoint); // N s, at a point [m] in the world
    void applyTorque(BodyId body, Vec3 torque);                    // N m, during the next step
    void applyAngularImpulse(BodyId body, Vec3 impulse);           // N m s, at once
    void setVelocity(const Anchor& at, Vec3 velocity);             // m/s, of a node or vertex
    void setVelocity(BodyId body, Vec3 velocity);                  // m/s, of the centre of mass
    void setAngularVelocity(BodyId body, Vec3 angularVelocity);    // rad/s
    void setMass(const Anchor& at, float mass); // kg, of a vertex of cloth, until it tears or is updated
    // kg, of a node, a vertex or a body; a pinned node or vertex keeps its mass.
    float mass(const Anchor& at) const;

    // Move
    void teleport(BodyId body, const Transform& pose); // m, in the world; the body moves there at once
    // m; a kinematic body moves there at constant velocity in the next step.
    void moveTo(BodyId body, const Transform& pose);
    // m; hair without a rootBody: its roots move to this pose at constant velocity in the next step.
    void moveTo(HairId hair, const Transform& pose);
    void setWind(ClothId cloth, Vec3 wind); // m/s, until changed; the cloth must have drag
    void setWind(HairId hair, Vec3 wind);   // m/s, until changed
    void setViewpoint(Vec3 from); // m; the levels of detail of hair depend on the distance to this point
    void setTarget(JointId joint, float target); // rad (hinge, servo), rad/s (motor), m (prismatic, cylinder)
    // m; the target of a drag joint moves there at constant velocity in the next step.
    void setTarget(JointId joint, Vec3 target);
    void setControl(float x, float y); // no unit; shifts the targets of joints with controlX or controlY
    void setEnabled(JointId joint, bool enabled); // enabling a broken joint repairs it
    // m/s; the end pays out rope (> 0) or reels it in (< 0).
    void setWinchSpeed(RopeId rope, int end, float speed);
    RopeId cut(RopeId rope, int segment); // returns the part behind the cut, or null

    // Read ropes, cloth and hair. Nodes and vertices are numbered as in the Def. Vertices that tearing adds come
    // last.
    std::span<const Point> positions(RopeId rope) const;   // m; w: inverse mass, 1/kg (0: pinned)
    std::span<const Point> positions(ClothId cloth) const; // m; w: inverse mass, 1/kg (0: pinned)
    // m, strand by strand, all strands as drawn; w: tension, N.
    std::span<const Point> positions(HairId hair) const;
    std::span<const Point> velocities(RopeId rope) const;   // m/s; w: mass, kg
    std::span<const Point> velocities(ClothId cloth) const; // m/s; w: mass, kg
    std::span<const float> tensions(RopeId rope) const;     // N, one for each segment; negative: compression
    std::span<const float> restLengths(RopeId rope) const;  // m, one for each segment
    std::span<const float> strains(ClothId cloth) const;    // length / rest length - 1 of each edge; no unit
    // No unit: the largest |length / rest length - 1| of a segment or edge after the last step. Edges of cloth count
    // only if they are longer than at rest, because cloth folds under compression.
    float maxStrain(RopeId rope) const;
    float maxStrain(ClothId cloth) const;
    float maxStrain(HairId hair) const;
    float meanStrain(ClothId cloth) const; // mean of |length / rest length - 1| over the edges; no unit
    float stretch(RopeId rope) const;      // arc length / rest length - 1; no unit
    // Three vertex numbers for each triangle.
    std::span<const std::array<int, 3>> triangles(ClothId cloth) const;
    int strandCount(HairId hair) const;  // number of strands
    int strandStride(HairId hair) const; // distance in memory between the starts of two strands, in points
    std::span<const Point> strand(HairId hair, int strand) const; // m, root first; w: tension, N
    int level(HairId hair) const;                                 // present level of detail, 0 is the finest

    // Read bodies and joints
    Transform pose(BodyId body) const;       // m, of the body's origin
    Vec3 position(BodyId body) const;        // m, of the body's origin
    Vec3 centerOfMass(BodyId body) const;    // m, in the world
    Vec3 velocity(BodyId body) const;        // m/s, of the centre of mass
    Vec3 angularVelocity(BodyId body) const; // rad/s, in the world
    // kg, m, kg m^2; zero mass if the body is not dynamic.
    const MassProperties& massProperties(BodyId body) const;
    std::span<const Transform> bodyPoses() const; // m, of all bodies in the order of ids<BodyId>()
    // m/s and rad/s, of all bodies in the order of ids<BodyId>().
    std::span<const BodyVelocity> bodyVelocities() const;
    // N, N m, rad, m: force, torque, angle and distance of the joint.
    JointForces jointForces(JointId joint) const;
    // m, in the world. Side 0 is the frame on body0, side 1 the frame on body1.
    Transform jointFrame(JointId joint, int side) const;

    // Contacts and events of the last step, in a fixed order. The contacts of a pair are neighbours in the list.
    // Contact, Event and ContactPair give the units of their members.
    std::span<const Contact> contacts() const;
    std::span<const ContactPair> contactPairs() const;
    // empty: the pair is not in contact.
    std::span<const Contact> contactPoints(const ContactPair& pair) const;
    std::span<const Event> events() const;
    // m. Returns the first hit on a body within maxDistance. `direction` may have any length except 0.
    RayHit castRay(Vec3 from, Vec3 direction, float maxDistance) const;
    // Signed number of times that one closed rope winds through the other.
    Result<int> linkingNumber(RopeId a, RopeId b) const;
    std::vector<int> linkingNumbers() const; // for all pairs of closed ropes; motion never changes them

    // Step
    const Report& step(float dt);             // s; simulates dt, 0 to 10; less than 1e-9 changes nothing
    const Report& report() const;             // of the last step
    void setStepTiming(bool on);              // measures the time of each phase; costs 0.2 us per step
    const StepTimes& stepTimes() const;       // s, of the last step
    double time() const;                      // s, since the start
    Energy energy() const;                    // J, of ropes, dynamic bodies, cloth and joints
    const WorldDef& def() const;              // current WorldDef
    void configure(const WorldDef& def);      // a bad Def fails CAPSTAN_CHECK
    Status tryConfigure(const WorldDef& def); // a bad Def or a missing GPU is an Error, and nothing changes
    Status prepare(float dt); // s; prepares a step of this length; an Error if the GPU has too little memory
    BackendInfo backendInfo() const; // backend in use, and the reason

    // The whole state
    Snapshot snapshot() const;              // copies the state
    void restore(const Snapshot& snapshot); // returns to the state of the snapshot, including its WorldDef
    std::uint64_t hash() const; // hash of all positions and velocities; equal states have equal hashes
    std::size_t bytes() const;  // bytes, memory that the World holds

private:
    struct Impl;
    // Access to Impl that keeps the CPU and GPU copies consistent. Before a read, newer state is copied back from the
    // GPU. After an edit, the state is copied to the GPU again.
    class Hold {
    public:
        Hold();
        ~Hold();
        Hold(Hold&&) noexcept;
        Hold& operator=(Hold&&) noexcept;
        Impl* operator->();       // for edits
        Impl* operator->() const; // for reads
        Impl& operator*() { return *operator->(); }
        Impl& operator*() const { return *operator->(); }
        // Access without a copy from the GPU, for calls that read no position and no velocity.
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
