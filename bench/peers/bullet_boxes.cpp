// SPDX-License-Identifier: MIT
// Boxes of a BoxSetup in Bullet: each is a btBoxShape, and the ground is a wide flat btBoxShape. There is one step
// per frame with 10 iterations (the default). Sleeping is off, and all other settings are defaults. A
// btStaticPlaneShape as ground was refused: boxes sink in twice as deep, and a step takes longer. Source: E. Coumans,
// Bullet Physics SDK 3, btDiscreteDynamicsWorld.h.
#include <bench/setups/boxes.hpp>

#ifdef CAPSTAN_HAVE_BULLET

#include <btBulletDynamicsCommon.h>

#include <cmath>

namespace capstan::bench {

namespace {

btVector3 toBullet(Vec3d a) { return {btScalar(a.x), btScalar(a.y), btScalar(a.z)}; }
Vec3d fromBullet(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }

class BulletBoxes final : public Boxes {
public:
    explicit BulletBoxes(const BoxSetup& setup) {
        world_.setGravity({0, btScalar(-gravity), 0});
        add(ground_, 0, {0, -5, 0});
        for (const Vec3d position : setup.positions) add(box_, btScalar(BoxSetup::mass), position);
    }
    ~BulletBoxes() override {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    BulletBoxes(const BulletBoxes&) = delete;
    BulletBoxes& operator=(const BulletBoxes&) = delete;

    void frame() override { world_.stepSimulation(btScalar(frameTime), 0); }

    void read(std::vector<Motion>& out) const override {
        out.clear();
        for (std::size_t i = 1; i < bodies_.size(); ++i) { // body 0 is the ground
            const btRigidBody& b = *bodies_[i];
            const btQuaternion q = b.getOrientation();
            out.push_back({fromBullet(b.getCenterOfMassPosition()),
                           normalize(Quatd{double(q.x()), double(q.y()), double(q.z()), double(q.w())}),
                           fromBullet(b.getLinearVelocity()), fromBullet(b.getAngularVelocity())});
        }
    }

    int contacts() const override {
        int sum = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            sum += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
        return sum;
    }

    double castRay(Vec3d from, Vec3d direction, double reach) const override {
        const btVector3 a = toBullet(from), b = toBullet(from + reach * direction);
        btCollisionWorld::ClosestRayResultCallback nearest(a, b);
        world_.rayTest(a, b, nearest);
        return nearest.hasHit() ? double(nearest.m_closestHitFraction) * reach : -1;
    }

private:
    void add(btCollisionShape& shape, btScalar mass, Vec3d position) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setOrigin(toBullet(position));
        // Bullet multiplies the friction of two bodies.
        info.m_friction = btScalar(std::sqrt(BoxSetup::friction));
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        if (mass > 0) bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    btBoxShape ground_{{50, 5, 50}};
    btBoxShape box_{toBullet(0.5 * Vec3d{BoxSetup::edge, BoxSetup::edge, BoxSetup::edge})};
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

} // namespace

std::unique_ptr<Boxes> makeBulletBoxes(const BoxSetup& setup) { return std::make_unique<BulletBoxes>(setup); }

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Boxes> makeBulletBoxes(const BoxSetup&) { return nullptr; }
} // namespace capstan::bench

#endif
