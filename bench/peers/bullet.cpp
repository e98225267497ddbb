// SPDX-License-Identifier: MIT
// Ropes of a Setup in Bullet: btSoftBody nodes and links, one step per frame, with a given number of position
// iterations. All other settings are Bullet's defaults, which are no damping and full stiffness.
// A crate is a btRigidBody at an anchor of the soft body.
// Source: E. Coumans, Bullet Physics SDK 3, btSoftBody.h.
#include <bench/setups/ropes.hpp>

#ifdef CAPSTAN_HAVE_BULLET

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace capstan::bench {

namespace {

btVector3 toBullet(Vec3d a) { return {btScalar(a.x), btScalar(a.y), btScalar(a.z)}; }
Vec3d fromBullet(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }
Quatd fromBullet(const btQuaternion& q) {
    return normalize(Quatd{double(q.x()), double(q.y()), double(q.z()), double(q.w())});
}

class BulletRopes final : public Ropes {
public:
    BulletRopes(const Setup& setup, int iterations) {
        const btVector3 g(0, btScalar(-gravity), 0);
        world_.setGravity(g);
        info_.m_dispatcher = &dispatcher_;
        info_.m_broadphase = &broadphase_;
        info_.m_gravity = g;
        info_.m_sparsesdf.Initialize();
        for (int r = 0; r < setup.ropes; ++r) bodies_.push_back(make(setup, r, iterations));
        for (const auto& body : bodies_) world_.addSoftBody(body.get());
        if (setup.crate > 0)
            for (int r = 0; r < setup.ropes; ++r) tie(setup, r);
    }
    ~BulletRopes() override {
        for (const auto& crate : crates_) world_.removeRigidBody(crate.get());
        for (const auto& body : bodies_) world_.removeSoftBody(body.get());
    }
    BulletRopes(const BulletRopes&) = delete;
    BulletRopes& operator=(const BulletRopes&) = delete;

    void frame() override { world_.stepSimulation(btScalar(frameTime), 0); }

    void read(int rope, std::vector<Vec3d>& x) const override {
        const auto& nodes = bodies_[rope]->m_nodes;
        x.clear();
        for (int i = 0; i < nodes.size(); ++i) x.push_back(fromBullet(nodes[i].m_x));
    }

    double energy(int rope) const override {
        const auto& nodes = bodies_[rope]->m_nodes;
        double joules = 0;
        for (int i = 0; i < nodes.size(); ++i)
            if (nodes[i].m_im > 0)
                joules += pointEnergy(1 / double(nodes[i].m_im), fromBullet(nodes[i].m_x),
                                      fromBullet(nodes[i].m_v));
        if (crates_.empty()) return joules;
        const btRigidBody& crate = *crates_[rope];
        const double m = 1 / double(crate.getInvMass());
        const Vec3d inverse = fromBullet(crate.getInvInertiaDiagLocal());
        return joules + bodyEnergy(m, {1 / inverse.x, 1 / inverse.y, 1 / inverse.z},
                                   fromBullet(crate.getCenterOfMassPosition()),
                                   fromBullet(crate.getOrientation()), fromBullet(crate.getLinearVelocity()),
                                   fromBullet(crate.getAngularVelocity()));
    }

    double gap(int rope) const override {
        if (crates_.empty()) return 0;
        const btRigidBody& crate = *crates_[rope];
        const auto& nodes = bodies_[rope]->m_nodes;
        const Vec3d corner =
            fromBullet(crate.getCenterOfMassPosition()) + rotate(fromBullet(crate.getOrientation()), corner_);
        return length(corner - fromBullet(nodes[nodes.size() - 1].m_x));
    }

private:
    void tie(const Setup& setup, int rope) {
        corner_ = setup.crateCorner();
        const btScalar half = btScalar(0.5 * setup.crateEdge());
        shapes_.push_back(std::make_unique<btBoxShape>(btVector3(half, half, half)));
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(setup.crate), nullptr, shapes_.back().get(),
                                                      toBullet(setup.crateInertia()));
        info.m_startWorldTransform.setOrigin(toBullet(setup.position(rope, setup.nodes - 1) - corner_));
        crates_.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& crate = *crates_.back();
        crate.setAngularVelocity(toBullet(Setup::crateSpin()));
        crate.setLinearVelocity(toBullet(cross(Setup::crateSpin(), -corner_)));
        crate.setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(&crate, 0, 0); // collision group and mask 0: no contact
        bodies_[rope]->appendAnchor(setup.nodes - 1, &crate, toBullet(corner_), true);
    }

    std::unique_ptr<btSoftBody> make(const Setup& setup, int rope, int iterations) {
        std::vector<btVector3> x;
        std::vector<btScalar> m;
        for (int i = 0; i < setup.nodes; ++i) {
            x.push_back(toBullet(setup.position(rope, i)));
            m.push_back(i == 0 ? btScalar(0) : btScalar(setup.massOf(i)));
        }
        auto body = std::make_unique<btSoftBody>(&info_, setup.nodes, x.data(), m.data());
        for (int i = 1; i < setup.nodes; ++i) body->appendLink(i - 1, i);
        body->m_cfg.piterations = iterations;
        body->setActivationState(DISABLE_DEACTIVATION);
        return body;
    }

    btSoftBodyRigidBodyCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btSoftRigidDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    btSoftBodyWorldInfo info_;
    std::vector<std::unique_ptr<btSoftBody>> bodies_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> crates_; // empty, or one per rope
    Vec3d corner_ = {0, 0, 0};                         // m, the crate's corner at which the rope is attached
};

} // namespace

std::unique_ptr<Ropes> makeBullet(const Setup& setup, int iterations) {
    return std::make_unique<BulletRopes>(setup, iterations);
}

} // namespace capstan::bench

#else

namespace capstan::bench {
std::unique_ptr<Ropes> makeBullet(const Setup&, int) { return nullptr; }
} // namespace capstan::bench

#endif
