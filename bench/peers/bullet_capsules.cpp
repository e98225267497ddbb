// SPDX-License-Identifier: MIT
// Ropes of a ContactSetup in Bullet. Bullet's soft bodies without faces have no contact with each other. So a rope is
// a row of btRigidBody capsules with btPoint2PointConstraints, and 10 iterations (the default). Neighbouring capsules
// have no contact. Held nodes are constraints to points that move evenly over the substeps. Source: E. Coumans,
// Bullet Physics SDK 3, btPoint2PointConstraint.h.
#include <bench/setups/contact_ropes.hpp>

#ifdef CAPSTAN_HAVE_BULLET

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

namespace {

btVector3 toBullet(Vec3d a) { return {btScalar(a.x), btScalar(a.y), btScalar(a.z)}; }
Vec3d fromBullet(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }

class BulletCapsules final : public ContactRopes {
public:
    BulletCapsules(const ContactSetup& setup, int substeps)
        : perRope_(setup.nodes - 1), substeps_(substeps), holds_(setup.holds) {
        world_.setGravity({0, btScalar(-setup.down), 0});
        for (int r = 0; r < setup.ropes; ++r) {
            for (int i = 0; i < perRope_; ++i) addCapsule(setup, r, i);
            for (int i = 1; i < perRope_; ++i) join(r, i);
        }
        for (const Hold& hold : holds_) addHold(hold);
        keepApart(setup);
    }
    ~BulletCapsules() override {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& capsule : capsules_) world_.removeRigidBody(capsule.get());
    }
    BulletCapsules(const BulletCapsules&) = delete;
    BulletCapsules& operator=(const BulletCapsules&) = delete;

    void aim(double time) override {
        for (std::size_t i = 0; i < holds_.size(); ++i) {
            from_[i] = to_[i];
            to_[i] = toBullet(holds_[i].path(time));
        }
    }

    void frame() override {
        for (int s = 1; s <= substeps_; ++s) {
            const btScalar part = btScalar(s) / btScalar(substeps_);
            for (std::size_t i = 0; i < holds_.size(); ++i) held_[i]->setPivotB(from_[i].lerp(to_[i], part));
            world_.stepSimulation(btScalar(frameTime / substeps_), 0);
        }
    }

    // Node i is the near end of capsule i. The last node is the far end of the last capsule.
    void read(Lines& lines) const override {
        lines.assign(capsules_.size() / std::size_t(perRope_), {});
        for (std::size_t r = 0; r < lines.size(); ++r) {
            for (int i = 0; i < perRope_; ++i) lines[r].push_back(endOf(int(r), i, -0.5));
            lines[r].push_back(endOf(int(r), perRope_ - 1, 0.5));
        }
    }

private:
    std::size_t indexOf(int rope, int segment) const { return std::size_t(rope * perRope_ + segment); }

    btVector3 arm(std::size_t capsule, double side) const {
        return {btScalar(side * lengths_[capsule]), 0, 0};
    }

    Vec3d endOf(int rope, int segment, double side) const {
        const std::size_t i = indexOf(rope, segment);
        return fromBullet(capsules_[i]->getCenterOfMassTransform() * arm(i, side));
    }

    void addCapsule(const ContactSetup& setup, int rope, int i) {
        const Vec3d a = setup.position(rope, i), b = setup.position(rope, i + 1);
        lengths_.push_back(length(b - a));
        shapes_.push_back(
            std::make_unique<btCapsuleShapeX>(btScalar(setup.radius), btScalar(lengths_.back())));
        btVector3 inertia;
        shapes_.back()->calculateLocalInertia(btScalar(setup.nodeMass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(setup.nodeMass), nullptr, shapes_.back().get(),
                                                      inertia);
        info.m_friction = btScalar(std::sqrt(setup.friction)); // Bullet multiplies the friction of two bodies
        info.m_startWorldTransform =
            btTransform(shortestArcQuat({1, 0, 0}, toBullet(normalize(b - a))), toBullet(0.5 * (a + b)));
        capsules_.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& capsule = *capsules_.back();
        capsule.setActivationState(DISABLE_DEACTIVATION);
        if (setup.velocity) capsule.setLinearVelocity(toBullet(setup.velocity(rope)));
        world_.addRigidBody(&capsule);
    }

    void join(int rope, int i) {
        const std::size_t a = indexOf(rope, i - 1), b = indexOf(rope, i);
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(*capsules_[a], *capsules_[b], arm(a, 0.5),
                                                                    arm(b, -0.5)));
        world_.addConstraint(joints_.back().get(), true);
    }

    void addHold(const Hold& hold) {
        const std::size_t i = indexOf(hold.rope, std::min(hold.node, perRope_ - 1));
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(
            *capsules_[i], arm(i, hold.node == perRope_ ? 0.5 : -0.5)));
        held_.push_back(joints_.back().get());
        from_.push_back(toBullet(hold.path(0)));
        to_.push_back(from_.back());
        world_.addConstraint(joints_.back().get(), true);
    }

    void keepApart(const ContactSetup& setup) {
        for (int r = 0; r < setup.ropes; ++r)
            for (int s = 0; s < setup.ropes; ++s)
                for (int i = 0; r != s && i < setup.rules.skip; ++i)
                    for (int j = 0; j < setup.rules.skip; ++j)
                        capsules_[indexOf(r, i)]->setIgnoreCollisionCheck(capsules_[indexOf(s, j)].get(),
                                                                          true);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> capsules_; // all capsules of rope 0, then of rope 1, ...
    std::vector<double> lengths_;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> joints_;
    int perRope_, substeps_;
    std::vector<Hold> holds_;
    std::vector<btPoint2PointConstraint*> held_; // one per held node
    std::vector<btVector3> from_, to_;           // m, positions of held nodes before and after the next frame
};

} // namespace

std::unique_ptr<ContactRopes> makeBulletCapsules(const ContactSetup& setup, int substeps) {
    return std::make_unique<BulletCapsules>(setup, substeps);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<ContactRopes> makeBulletCapsules(const ContactSetup&, int) { return nullptr; }
} // namespace capstan::bench

#endif
