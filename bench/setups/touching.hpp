// SPDX-License-Identifier: MIT
// Touching ropes: one workload with contact as some engine runs it. As in ropes.hpp every engine is made from the same
// setup, advanced by whole frames and read in the same way; what is said of passing through, distance and stretch is
// worked out here, in double, for all engines alike.
#pragma once

#include <bench/bench.hpp>
#include <bench/setups/passes.hpp>
#include <bench/setups/race.hpp>
#include <bench/setups/ropes.hpp>
#include <capstan/world.hpp>

namespace capstan::bench {

// A node that goes where it is told.
struct Hold {
    int rope = 0, node = 0; // node counts from 0
    bool moves = false;
    std::function<Vec3d(double time)> path; // where it is; the start is time 0
};

// Ropes of equal numbers of equal nodes. As long at rest as they start. No sleeping.
struct TouchSetup {
    int ropes = 1;
    int nodes = 20;
    double nodeMass = 0.01;                         // kg
    double radius = 0.01;                           // m
    double friction = 0.3;                          // between any two
    double stretchStiffness = 0, bendStiffness = 0; // N, N m^2: Capstan alone has them
    double damping = 0;                             // 1/s, Capstan alone too
    double down = gravity;                          // m/s^2
    bool floor = false;                             // the plane y = 0: Capstan alone
    std::function<Vec3d(int rope, int node)> place;
    std::function<Vec3d(int rope)> velocity; // empty: at rest
    std::vector<Hold> holds;
    PairRules rules; // which pairs the oracle counts

    double restLength(int rope) const;
};

class TouchRopes {
public:
    virtual ~TouchRopes() = default;
    virtual void aim(double time) = 0; // held nodes shall be there at the end of the next frame
    virtual void frame() = 0;          // the only call that is timed
    virtual void read(Lines& lines) const = 0;
    virtual std::uint64_t hash() const { return 0; } // of the state, where the engine has one
    virtual Quality counts() const { return {}; }    // what the engine says of itself
};

// Null where the engine was not there when this was built. Capsules in ball joints, a capsule for each segment; those
// of `rules.skip` do not touch those of another rope, because they begin inside each other.
std::unique_ptr<TouchRopes> makeBulletCapsules(const TouchSetup& setup, int substeps);
std::unique_ptr<TouchRopes> makeMujocoCapsules(const TouchSetup& setup, int substeps);

class CapstanTouch final : public TouchRopes {
public:
    CapstanTouch(const TouchSetup& setup, const Tuning& tuning);

    void aim(double time) override;
    void frame() override;
    void read(Lines& lines) const override;
    std::uint64_t hash() const override { return world_.hash(); }
    Quality counts() const override;

    World& world() { return world_; }
    const std::vector<RopeId>& ids() const { return ids_; }
    const Report& report() const { return world_.report(); }
    // Of all frames.
    int truncated() const { return truncated_; }
    double meanSubsteps() const { return frames_ > 0 ? double(substeps_) / frames_ : 0; }

private:
    World world_;
    std::vector<Hold> holds_;
    std::vector<RopeId> ids_;
    int frames_ = 0, truncated_ = 0, substeps_ = 0, lastResorts_ = 0;
    float minDistance_ = 1;
};

// The textbook loop on such a setup: it knows no contact and passes through.
std::unique_ptr<TouchRopes> makeTextbookTouch(const TouchSetup& setup, int iterations);

// What is seen of one run, frame by frame.
class Watcher {
public:
    Watcher(const TouchSetup& setup, const TouchRopes& ropes);
    // After a frame. Without `pairs`, only stretch and whether all is finite.
    void see(const TouchRopes& ropes, bool pairs = true);
    void see(Lines lines, bool pairs = true);

    const Lines& now() const { return now_; }
    double peakStretch() const { return peakStretch_; } // of any rope, at the end of any frame
    double closest() const { return closest_; }         // centre lines, over the thickness: 1 is touching
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

// T, the yardstick of all rows with contact: the textbook loop on the one rope of W1, timed in turns with them. The
// table takes the first textbook row it finds, so this one goes first.
class Yardstick {
public:
    explicit Yardstick(const char* caseName, const Options& options);
    Turn turn();
    // Puts its row before all others and `medianT` into each of them: their median over its own.
    std::vector<Row> over(std::vector<Row> rows);

private:
    Row row_;
    TextbookRopes ropes_;
    int frames_;
    std::vector<double> micros_;
};

} // namespace capstan::bench
