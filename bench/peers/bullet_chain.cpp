// SPDX-License-Identifier: MIT
// The chain of a ChainSetup in Bullet, in two forms, with substeps of equal length:
//   joints      btRigidBody and btPoint2PointConstraint or btHingeConstraint: sequential impulses, 10 iterations
//               (Bullet's default)
//   multi-body  btMultiBody: joint angles as unknowns (R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter
//               7), so that no gap can open. Its damping (default 0.04) is set to 0. Its limits of velocity (default
//               100 rad/s) and impulse are set too large to act.
// There is no contact. Energies use the velocities that Bullet reports, which belong to the end of the substep like
// its positions.
// Source: E. Coumans, Bullet Physics SDK 3, btMultiBody.h.
#include <bench/setups/chains.hpp>

#ifdef CAPSTAN_HAVE_BULLET

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace capstan::bench {

namespace {

btVector3 toBullet(Vec3d a) { return {btScalar(a.x), btScalar(a.y), btScalar(a.z)}; }
Vec3d fromBullet(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }
Quatd fromBullet(const btQuaternion& q) {
    return normalize(Quatd{double(q.x()), double(q.y()), double(q.z()), double(q.w())});
}
const btVector3 hingeAxis(0, 0, 1);

class BulletJoints final : public Chains {
public:
    BulletJoints(const ChainSetup& setup, int substeps) : root_(setup.rootOf(0)), substeps_(substeps) {
        world_.setGravity({0, btScalar(-gravity), 0});
        for (int i = 0; i < setup.bodies(); ++i) {
            addBody(setup, i);
            addJoint(setup, i);
        }
    }
    ~BulletJoints() override {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    BulletJoints(const BulletJoints&) = delete;
    BulletJoints& operator=(const BulletJoints&) = delete;

    void frame() override {
        for (int i = 0; i < substeps_; ++i) world_.stepSimulation(btScalar(frameTime / substeps_), 0);
    }

    void read(int, ChainState& out) const override {
        out.root = root_;
        out.bodies.clear();
        for (const auto& body : bodies_)
            out.bodies.push_back({fromBullet(body->getCenterOfMassPosition()),
                                  fromBullet(body->getOrientation()), fromBullet(body->getLinearVelocity()),
                                  fromBullet(body->getAngularVelocity())});
    }

private:
    void addBody(const ChainSetup& setup, int i) {
        shapes_.push_back(std::make_unique<btBoxShape>(toBullet(0.5 * setup.sizeOf(i))));
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(setup.massOf(i)), nullptr,
                                                      shapes_.back().get(), toBullet(setup.inertiaOf(i)));
        info.m_startWorldTransform.setOrigin(toBullet(setup.positionOf(0, i)));
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get(), 0, 0); // collision group and mask 0: no contact
    }

    void addJoint(const ChainSetup& setup, int i) {
        btRigidBody& body = *bodies_[i];
        const btVector3 here = toBullet(setup.heldAt(i));
        const bool ball = setup.link == Link::Ball;
        if (i == 0) {
            if (ball)
                joints_.push_back(std::make_unique<btPoint2PointConstraint>(body, here));
            else
                joints_.push_back(std::make_unique<btHingeConstraint>(body, here, hingeAxis));
        } else {
            btRigidBody& before = *bodies_[i - 1];
            const btVector3 there = toBullet(setup.holdsAt(i - 1));
            if (ball)
                joints_.push_back(std::make_unique<btPoint2PointConstraint>(before, body, there, here));
            else
                joints_.push_back(
                    std::make_unique<btHingeConstraint>(before, body, there, here, hingeAxis, hingeAxis));
        }
        world_.addConstraint(joints_.back().get(), true);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
    Vec3d root_;
    int substeps_;
};

class BulletMultiBody final : public Chains {
public:
    BulletMultiBody(const ChainSetup& setup, int substeps)
        : chain_(setup.bodies(), 0, {0, 0, 0}, true, false), root_(setup.rootOf(0)), substeps_(substeps) {
        world_.setGravity({0, btScalar(-gravity), 0});
        chain_.setBasePos(toBullet(root_));
        for (int i = 0; i < setup.bodies(); ++i) addLink(setup, i);
        chain_.finalizeMultiDof();
        chain_.setCanSleep(false);
        chain_.setLinearDamping(0);
        chain_.setAngularDamping(0);
        chain_.setMaxCoordinateVelocity(btScalar(1e30));
        chain_.setMaxAppliedImpulse(btScalar(1e30));
        world_.addMultiBody(&chain_);
    }
    ~BulletMultiBody() override { world_.removeMultiBody(&chain_); }
    BulletMultiBody(const BulletMultiBody&) = delete;
    BulletMultiBody& operator=(const BulletMultiBody&) = delete;

    void frame() override {
        for (int i = 0; i < substeps_; ++i) world_.stepSimulation(btScalar(frameTime / substeps_), 0);
    }

    // Velocities are in each link's local frame. Entry 0 is the base.
    void read(int, ChainState& out) const override {
        const int n = chain_.getNumLinks();
        turns_.resize(n + 1);
        positions_.resize(n + 1);
        w_.resize(n + 1);
        v_.resize(n + 1);
        chain_.forwardKinematics(turns_, positions_);
        chain_.compTreeLinkVelocities(&w_[0], &v_[0]);
        out.root = root_;
        out.bodies.clear();
        for (int i = 0; i < n; ++i) {
            const btTransform& at = chain_.getLink(i).m_cachedWorldTransform;
            out.bodies.push_back({fromBullet(at.getOrigin()), fromBullet(at.getRotation()),
                                  fromBullet(at.getBasis() * v_[i + 1]),
                                  fromBullet(at.getBasis() * w_[i + 1])});
        }
    }

private:
    void addLink(const ChainSetup& setup, int i) {
        const btVector3 there = i == 0 ? btVector3(0, 0, 0) : toBullet(setup.holdsAt(i - 1));
        const btVector3 here = toBullet(-setup.heldAt(i));
        const btScalar mass = btScalar(setup.massOf(i));
        const btVector3 inertia = toBullet(setup.inertiaOf(i));
        const btQuaternion straight = btQuaternion::getIdentity();
        if (setup.link == Link::Ball)
            chain_.setupSpherical(i, mass, inertia, i - 1, straight, there, here, true);
        else
            chain_.setupRevolute(i, mass, inertia, i - 1, straight, hingeAxis, there, here, true);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btMultiBodyConstraintSolver solver_;
    btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    mutable btMultiBody chain_; // mutable, because reading it updates its caches
    mutable btAlignedObjectArray<btQuaternion> turns_;
    mutable btAlignedObjectArray<btVector3> positions_, w_, v_;
    Vec3d root_;
    int substeps_;
};

} // namespace

std::unique_ptr<Chains> makeBulletJoints(const ChainSetup& setup, int substeps) {
    return std::make_unique<BulletJoints>(setup, substeps);
}

std::unique_ptr<Chains> makeBulletMultiBody(const ChainSetup& setup, int substeps) {
    return std::make_unique<BulletMultiBody>(setup, substeps);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Chains> makeBulletJoints(const ChainSetup&, int) { return nullptr; }
std::unique_ptr<Chains> makeBulletMultiBody(const ChainSetup&, int) { return nullptr; }
} // namespace capstan::bench

#endif
