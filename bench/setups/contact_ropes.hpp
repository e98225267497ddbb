// SPDX-License-Identifier: MIT
// Ropes in contact: one workload as an engine runs it. As in ropes.hpp, every engine gets the same setup, advances by
// whole frames and is read in the same way. Passes, distances and stretch are computed here, in double, in the same way
// for all engines.
#pragma once

#include <bench/bench.hpp>
#include <bench/setups/passes.hpp>
#include <bench/setups/race.hpp>
#include <bench/setups/ropes.hpp>
#include <capstan/world.hpp>

namespace capstan::bench {

// A node that follows a given path.
struct Hold {
    int rope = 0, node = 0; // node counts from 0
    bool moves = false;
    std::function<Vec3d(double time)> path; // m, its position; time 0 is the start
};

// Ropes with equal numbers of equal nodes. Their rest lengths are those of the start. There is no sleeping.
struct ContactSetup {
    int ropes = 1;
    int nodes = 20;
    double nodeMass = 0.01;                         // kg
    double radius = 0.01;                           // m
    double friction = 0.3;                          // between any two ropes
    double stretchStiffness = 0, bendStiffness = 0; // N, N m^2; only for Capstan
    double damping = 0;                             // 1/s; only for Capstan
    double down = gravity;                          // m/s^2, downwards
    bool floor = false;                             // the plane y = 0; only for Capstan
    std::function<Vec3d(int rope, int node)> position;
    std::function<Vec3d(int rope)> velocity; // empty: at rest
    std::vector<Hold> holds;
    PairRules rules; // which pairs the oracle counts

    double restLength(int rope) const;
};

class ContactRopes {
public:
    virtual ~ContactRopes() = default;
    virtual void aim(double time) = 0; // s; held nodes reach path(time) at the end of the next frame
    virtual void frame() = 0;          // the only call that is timed
    virtual void read(Lines& lines) const = 0;
    virtual std::uint64_t hash() const { return 0; } // of the state; 0 if the engine has no hash
    virtual Quality counts() const { return {}; }    // the engine's own counters
};

// These return null if the engine was not available at build time. Each segment is a capsule in ball joints. The first
// `rules.skip` capsules of different ropes have no contact, because they overlap at the start.
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
    // Counters over all frames.
    int truncated() const { return truncated_; }
    double meanSubsteps() const { return frames_ > 0 ? double(substeps_) / frames_ : 0; }

private:
    World world_;
    std::vector<Hold> holds_;
    std::vector<RopeId> ids_;
    int frames_ = 0, truncated_ = 0, substeps_ = 0, lastResorts_ = 0;
    float minDistance_ = 1;
};

// The textbook loop on such a setup. It has no contact, so its ropes pass through each other.
std::unique_ptr<ContactRopes> makeTextbookContact(const ContactSetup& setup, int iterations);

// Watcher measures one run, frame by frame.
class Watcher {
public:
    Watcher(const ContactSetup& setup, const ContactRopes& ropes);
    // Call it after a frame. Without `pairs` it checks only stretch, and whether every number is finite.
    void see(const ContactRopes& ropes, bool pairs = true);
    void see(Lines lines, bool pairs = true);

    const Lines& now() const { return now_; }
    double peakStretch() const { return peakStretch_; } // of any rope, at the end of any frame
    double closest() const { return closest_; } // distance of centre lines over the thickness; 1: in contact
    int passed() const { return passed_; }
    bool finite() const { return finite_; }

private:
    PairRules rules_;
    double thickness_;
    std::vector<double> rest_; // m, of each rope
    Lines before_, now_;
    double peakStretch_ = 0, closest_;
    int passed_ = 0;
    bool finite_ = true;
};

// T, the yardstick of all rows with contact, is the textbook loop on the rope of W1. It is timed in turns with the
// rows. The table uses the first textbook row, so this one comes first.
class Yardstick {
public:
    explicit Yardstick(const char* caseName, const Options& options);
    Turn turn();
    // Puts the yardstick's row before all others. Each other row gets `medianT`, its median over the yardstick's.
    std::vector<Row> over(std::vector<Row> rows);

private:
    Row row_;
    TextbookRopes ropes_;
    int frames_;
    std::vector<double> micros_;
};

} // namespace capstan::bench
