// SPDX-License-Identifier: MIT
// Ropes of a Setup in one Capstan World, through the public API only.
#pragma once

#include <bench/bench.hpp>
#include <bench/setups/ropes.hpp>
#include <capstan/world.hpp>

#include <cstddef>

namespace capstan::bench {

struct Tuning {
    Backend backend = Backend::Simd;
    Solver solver = Solver::Chain;
    int substeps = 4;
    int iterations = 1;
    int threads = 1;
};

class CapstanRopes final : public Ropes {
public:
    CapstanRopes(const Setup& setup, const Tuning& tuning);

    void frame() override;
    void read(int rope, std::vector<Vec3d>& x) const override;
    double energy(int rope) const override;
    double gap(int rope) const override;
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override;

    void movePin(int rope, Vec3 position);        // the pin is there at the end of the next frame
    void kick(int rope, int node, Vec3 velocity); // m/s, added to the velocity of the node
    std::size_t bytes() const { return world_.bytes(); }
    int heldStill() const { return lastResorts_; }
    int quarantined() const { return quarantined_; }

private:
    void tie(const Setup& setup, int rope);

    World world_;
    std::vector<RopeId> ids_;
    std::vector<BodyId> crates_;        // empty, or one per rope
    Vec3 corner_;                       // m, the crate's corner at which the rope is attached
    int retries_ = 0, lastResorts_ = 0; // summed over all frames
    int substepsPerFrame_ = 0;
    long refined_ = 0, substeps_ = 0; // summed over all frames and ropes: substeps cut into parts, and all
    int quarantined_ = 0;             // number of quarantined ropes
};

// Returns a row with case, engine, variant ("chain, 4 substeps"), backend and threads filled in.
Row capstanRow(const char* caseName, const Tuning& tuning);

// Returns whether the options include this backend.
bool asked(const Options& options, Backend backend);

} // namespace capstan::bench
