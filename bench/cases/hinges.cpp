// SPDX-License-Identifier: MIT
// Hinges: a thousand pairs of boxes. Each pair is joined by a hinge and tumbles without gravity. The case shows the
// gain of SIMD lanes for small mechanisms. `speedup` is the time of the scalar row divided by that of this row.
// `sameState` is 1 if the scalar row and this row end in the same bits.
#include <bench/cases.hpp>
#include <bench/peers/capstan_chains.hpp>
#include <bench/setups/race.hpp>
#include <worlds/dice.hpp>

#include <algorithm>

namespace capstan::bench {

namespace {

constexpr int pairs = 1000;
constexpr double boxLength = 0.2; // m along x; 0.1 m in y and z

class Pairs {
public:
    explicit Pairs(const ChainTuning& tuning)
        : world_({.gravity = {0, 0, 0},
                  .substeps = tuning.substeps,
                  .contact = false,
                  .jointSolver = tuning.solver,
                  .backend = tuning.backend,
                  .threads = tuning.threads}) {
        for (int i = 0; i < pairs; ++i) add(i);
        energyFirst_ = world_.energy().total();
    }

    void frame() { world_.step(float(frameTime)); }
    std::uint64_t hash() const { return world_.hash(); }
    double energyChange() const { return world_.energy().total() / energyFirst_ - 1; }

    // Returns the largest distance between the two anchors of a hinge [m].
    double gap() const {
        double worst = 0;
        for (std::size_t i = 0; i < ids_.size(); i += 2) {
            const Vec3d a = pointOf(ids_[i], 0.5 * boxLength), b = pointOf(ids_[i + 1], -0.5 * boxLength);
            worst = std::max(worst, length(a - b));
        }
        return worst;
    }

private:
    // Adds a pair of boxes. Both rotate about the middle of the hinge: together about a random axis, and against each
    // other about the hinge.
    void add(int i) {
        Dice dice{std::uint64_t(i)};
        const Vec3d middle = {double(i % 10), double(i / 10 % 10), double(i / 100)};
        const Vec3d together = dice.between(1, 5) * dice.direction();
        const double against = dice.between(1, 5);
        for (const double side : {-1.0, 1.0}) {
            const Vec3d arm = {side * 0.5 * boxLength, 0, 0}, spin = together + Vec3d{0, 0, side * against};
            BodyDef body;
            body.shape = Box{{float(boxLength), 0.1f, 0.1f}};
            body.mass = 1;
            body.position = narrow(middle + arm);
            body.angularVelocity = narrow(spin);
            body.velocity = narrow(cross(spin, arm));
            ids_.push_back(world_.add(body));
        }
        JointDef hinge;
        hinge.type = JointType::Hinge;
        hinge.body0 = ids_[ids_.size() - 2];
        hinge.body1 = ids_.back();
        hinge.anchor = narrow(middle);
        hinge.axis = {0, 0, 1};
        world_.add(hinge);
    }

    Vec3d pointOf(BodyId body, double along) const {
        const Quatf q = world_.pose(body).rotation;
        const Quatd turn = normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)});
        return widen(world_.centerOfMass(body)) + along * axisX(turn);
    }

    World world_;
    std::vector<BodyId> ids_; // two bodies per pair, pair after pair
    double energyFirst_ = 0;
};

struct PairsEntrant {
    Row row;
    std::unique_ptr<Pairs> pairs;
    std::vector<double> micros;
    double worstGap = 0;
};

} // namespace

std::vector<Row> runHinges(const Options& options) {
    const char* name = "hinges";
    const int frames = scaled(options, 600, 20);
    std::vector<PairsEntrant> entrants;
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        const ChainTuning tuning = {backend, JointSolver::Tree, 4, options.threads > 0 ? options.threads : 1};
        entrants.push_back({capstanRow(name, tuning), std::make_unique<Pairs>(tuning), {}, 0});
    }
    std::vector<Turn> turns;
    for (PairsEntrant& e : entrants)
        turns.push_back({e.row.backend, frames, &e.micros, [&e] { e.pairs->frame(); },
                         [&e] { e.worstGap = std::max(e.worstGap, e.pairs->gap()); }});
    takeTurns(turns, options, name);

    std::vector<Row> rows;
    for (PairsEntrant& e : entrants) {
        fillTimes(e.row, e.micros);
        e.row.hash = e.pairs->hash();
        e.row.quality = {{"frames", double(frames)},
                         {"gapMm", 1e3 * e.worstGap},
                         {"energyChange", e.pairs->energyChange()}};
        if (!rows.empty()) { // rows[0] is the scalar row
            e.row.quality.emplace_back("speedup", rows[0].usPerFrame / e.row.usPerFrame);
            e.row.quality.emplace_back("sameState", e.row.hash == rows[0].hash ? 1 : 0);
        }
        rows.push_back(std::move(e.row));
    }
    return rows;
}

} // namespace capstan::bench
