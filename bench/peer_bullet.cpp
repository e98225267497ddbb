// SPDX-License-Identifier: MIT
// The ropes of a Setup as Bullet's soft bodies: btSoftBody nodes and links, one step per frame, position
// iterations as given and everything else at Bullet's defaults (which are no damping and full stiffness).
// Source: E. Coumans, Bullet Physics SDK 3, btSoftBody.h.
#include <bench/ropes.hpp>

#ifdef CAPSTAN_HAVE_BULLET

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace capstan::bench {

namespace {

Vec3d fromBullet(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }

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
    }
    ~BulletRopes() override {
        for (const auto& body : bodies_) world_.removeSoftBody(body.get());
    }
    BulletRopes(const BulletRopes&) = delete;
    BulletRopes& operator=(const BulletRopes&) = delete;

    void frame() override { world_.stepSimulation(btScalar(frameTime), 0); }

    void read(int rope, std::vector<Vec3d>& x) const override {
        const auto& nodes = bodies_[std::size_t(rope)]->m_nodes;
        x.clear();
        for (int i = 0; i < nodes.size(); ++i) x.push_back(fromBullet(nodes[i].m_x));
    }

    double energy(int rope) const override {
        const auto& nodes = bodies_[std::size_t(rope)]->m_nodes;
        double joules = 0;
        for (int i = 0; i < nodes.size(); ++i)
            if (nodes[i].m_im > 0)
                joules += pointEnergy(1 / double(nodes[i].m_im), fromBullet(nodes[i].m_x),
                                      fromBullet(nodes[i].m_v));
        return joules;
    }

private:
    std::unique_ptr<btSoftBody> make(const Setup& setup, int rope, int iterations) {
        std::vector<btVector3> x;
        std::vector<btScalar> m;
        for (int i = 0; i < setup.nodes; ++i) {
            const Vec3d p = setup.place(rope, i);
            x.emplace_back(btScalar(p.x), btScalar(p.y), btScalar(p.z));
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
