// SPDX-License-Identifier: MIT
// Ropes in contact: the interface for all engines. As in ropes.hpp, every engine gets the same setup, advances by
// whole frames, and reports positions. Passes, distances and stretch are computed from these here, in double, so that
// the formulas are the same for all engines.
#pragma once

#include <bench/bench.hpp>
#include <bench/setups/race.hpp>
#include <bench/setups/ropes.hpp>
#include <capstan/world.hpp>
#include <worlds/passes.hpp>

namespace capstan::bench {

// A node that follows a given path. `moves` is false if the path is a fixed point.
struct Hold {
    int rope = 0, node = 0; // `node` counts from 0
    bool moves = false;
    std::function<Vec3d(double time)> path; // position of the node [m] at a time [s] after the start
};

// Ropes with the same number of equal nodes. Their rest lengths are the lengths at the start. There is no sleeping.
struct ContactSetup {
    int ropes = 1;
    int nodes = 20;
    double nodeMass = 0.01;                         // kg
    double radius = 0.01;                           // m
    double friction = 0.3;                          // between any two ropes
    double stretchStiffness = 0, bendStiffness = 0; // N, N m^2; only for Capstan
    double damping = 0;                             // 1/s; only for Capstan
    double down = gravity;                          // m/s^2, downwards
    bool floor = false;                             // adds the plane y = 0; only for Capstan
    std::function<Vec3d(int rope, int node)> position;
    std::function<Vec3d(int rope)> velocity; // initial velocity [m/s]; empty: at rest
    std::vector<Hold> holds;
    PairRules rules; // pairs of segments that are checked for passes

    double restLength(int rope) const;
};

class ContactRopes {
public:
    virtual ~ContactRopes() = default;
    virtual void aim(double time) = 0; // held nodes will be at path(time) at the end of the next frame
    virtual void frame() = 0;          // the only call that is timed
    virtual void read(Lines& lines) const = 0;
    virtual std::uint64_t hash() const { return 0; } // hash of the state; 0 if the engine has no hash
    virtual Quality counts() const { return {}; }    // the engine's own counters
};

// These functions return null if the engine was not available at build time. Each segment is a capsule with ball
// joints. The first `rules.skip` capsules of different ropes have no contact, because they overlap at the start.
std::unique_ptr<ContactRopes> makeBulletCapsules(const ContactSetup& setup, int substeps);
std::unique_ptr<ContactRopes> makeMujocoCapsules(const ContactSetup& setup, int substeps);

class CapstanContact final : public ContactRopes {
public:
    CapstanContact(const ContactSetup& setup, const Tuning& tuning);

    void aim(double time) override;
    void frame() override;
    void read(Lines& lines) const override;
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override;

    World& world() { return world_; }
    const std::vector<RopeId>& ids() const { return ids_; }
    const Report& report() const { return world_.report(); }
    // Counters, summed over all frames.
    int truncated() const { return truncated_; }
    double meanSubsteps() const { return frames_ > 0 ? double(substeps_) / frames_ : 0; }

private:
    World world_;
    std::vector<Hold> holds_;
    std::vector<RopeId> ids_;
    int frames_ = 0, truncated_ = 0, substeps_ = 0, lastResorts_ = 0;
    float minDistance_ = 1;
};

// Returns the textbook loop with such a setup. It has no contact, so its ropes pass through each other.
std::unique_ptr<ContactRopes> makeTextbookContact(const ContactSetup& setup, int iterations);

// Watcher measures one run: positions are given to it frame by frame.
class Watcher {
public:
    Watcher(const ContactSetup& setup, const ContactRopes& ropes);
    // Measures a frame. If `pairs` is false, it measures only stretch and whether all numbers are finite.
    void see(const ContactRopes& ropes, bool pairs = true);
    void see(Lines lines, bool pairs = true);

    const Lines& now() const { return now_; }
    // Largest stretch of any rope, at the end of any frame.
    double peakStretch() const { return peakStretch_; }
    // Least distance of centre lines over the thickness; 1: surfaces are in contact.
    double closest() const { return closest_; }
    int passed() const { return passed_; }
    bool finite() const { return finite_; }

private:
    PairRules rules_;
    double thickness_;
    std::vector<double> rest_; // m, rest length of each rope
    Lines before_, now_;
    double peakStretch_ = 0, closest_;
    int passed_ = 0;
    bool finite_ = true;
};

// Yardstick is the reference time T of all rows with contact: the textbook loop with the rope of W1. It takes turns
// with the rows. `capstan bench` divides by the first textbook row, so this row comes first.
class Yardstick {
public:
    explicit Yardstick(const char* caseName, const Options& options);
    Turn turn();
    // Puts the row of T before all others. Each other row gets `medianT`, its median time divided by the median of T.
    std::vector<Row> over(std::vector<Row> rows);

private:
    Row row_;
    TextbookRopes ropes_;
    int frames_;
    std::vector<double> micros_;
};

} // namespace capstan::bench
