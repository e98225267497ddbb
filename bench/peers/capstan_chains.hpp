// SPDX-License-Identifier: MIT
// Chains of a ChainSetup in one Capstan World, through the public API only.
#pragma once

#include <bench/bench.hpp>
#include <bench/setups/chains.hpp>
#include <capstan/world.hpp>

namespace capstan::bench {

struct ChainTuning {
    Backend backend = Backend::Simd;
    JointSolver solver = JointSolver::Tree;
    int substeps = 4;
    int threads = 1;
};

enum class Root { Still, Moved }; // Still: the world holds the root; Moved: a kinematic body holds it

class CapstanChains final : public Chains {
public:
    CapstanChains(const ChainSetup& setup, const ChainTuning& tuning, Root root = Root::Still);

    void frame() override;
    void read(int chain, ChainState& out) const override;
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override;

    // For Root::Moved; the root is there at the end of the next frame.
    void moveRoot(int chain, Vec3 position);
    void kick(int chain, int body, Vec3 velocity); // m/s, added to the velocity of the body's centre
    void spin(int chain, int body, Vec3 spin);     // rad/s, replaces the body's angular velocity
    int heldStill() const { return lastResorts_; }
    int quarantined() const { return quarantined_; }

private:
    void add(const ChainSetup& setup, int chain, Root root);

    struct Ids {
        BodyId root; // the kinematic body that holds the root; null: the world
        std::vector<BodyId> bodies;
    };
    World world_;
    ChainSetup setup_;
    std::vector<Ids> ids_;
    int retries_ = 0, lastResorts_ = 0; // summed over all frames
    int quarantined_ = 0;               // number of quarantined bodies
};

// Returns a row with case, engine, variant ("tree, 4 substeps"), backend and threads filled in.
Row capstanRow(const char* caseName, const ChainTuning& tuning);

} // namespace capstan::bench
