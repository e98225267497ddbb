// SPDX-License-Identifier: MIT
// The chains of a ChainSetup in one Capstan World, through the public API alone.
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

enum class Root { Still, Moved }; // the world holds the root, or a kinematic body does

class CapstanChains final : public Chains {
public:
    CapstanChains(const ChainSetup& setup, const ChainTuning& tuning, Root root = Root::Still);

    void frame() override;
    void read(int chain, ChainState& out) const override;
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override;

    void moveRoot(int chain, Vec3 position);       // Root::Moved: gets there at the end of the next frame
    void kick(int chain, int body, Vec3 velocity); // added to the speed that its centre has
    void spin(int chain, int body, Vec3 spin);     // in place of the spin it has, rad/s
    int heldStill() const { return lastResorts_; }
    int quarantined() const { return quarantined_; }

private:
    void add(const ChainSetup& setup, int chain, Root root);

    struct Ids {
        BodyId root; // null: the world
        std::vector<BodyId> bodies;
    };
    World world_;
    ChainSetup setup_;
    std::vector<Ids> ids_;
    int retries_ = 0, lastResorts_ = 0; // summed over all frames
    int quarantined_ = 0;               // bodies that are frozen now
};

// Returns a row with its first columns filled in: "tree, 4 substeps", backend and threads.
Row capstanRow(const char* caseName, const ChainTuning& tuning);

} // namespace capstan::bench
