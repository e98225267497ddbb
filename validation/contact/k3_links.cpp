// SPDX-License-Identifier: MIT
// K3: no rope passes through a rope. Knots and links are pulled apart, shaken and hit by fast rings, and must keep
// their type. The type is identified by the pairwise linking numbers Lk (Gauss) and the determinant det
// (validation/harness/determinant.hpp). The determinant distinguishes Whitehead's link and the Borromean rings from
// separate rings, although no two of their ropes are linked.
//
//   Hopf link Lk +-1, det 2;  Whitehead Lk 0, det 8;  Borromean Lk 0, det 16;  trefoil 3;  figure eight 5
//
// All motions are drawn from a fixed seed, so a failure can be repeated.
#include <validation/harness/at_once.hpp>
#include <validation/harness/curves.hpp>
#include <validation/harness/suite.hpp>

#include <capstan/topology/linking.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

namespace capstan::validation {

namespace {

constexpr double kRadius = 0.005; // m
constexpr double kShake = 20;     // m/s, speed of a node that is shaken
constexpr double kImpact = 50;    // m/s, speed of an impact: many radii per substep
constexpr double kWeights = 1000; // pull divided by the weight of a rope
constexpr int kLookEvery = 6;     // frames between two checks of the type
// Least separation ratio that the step bound guarantees, as a float.
constexpr float kLeast = 0.91f;
// m: the distance of neighbouring nodes is the thickness of the rope.
constexpr double kSegment = 2 * kRadius;

struct Link {
    const char* name;
    std::vector<Curve> curves; // in metres
    std::int64_t determinant = 0;
    int linking = 0; // |Lk| of each two ropes
};

enum class Stress { PullApart, Shake, Impact, Random };

// Random numbers that are the same on every machine. The standard library's distributions differ between compilers.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    double within(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(engine_()) / 4294967296.0;
    }
    Vec3d direction() {
        for (;;) {
            double x = within(-1, 1), y = within(-1, 1), z = within(-1, 1);
            Vec3d p = {x, y, z};
            if (length(p) > 0.1 && length(p) < 1) return normalize(p);
        }
    }

private:
    std::mt19937 engine_;
};

struct Tally {
    int changed = 0;    // number of checks that found another type
    int broken = 0;     // number of ropes with a number that is not finite
    double nearest = 1; // least distance divided by 2 r
};

class Trial {
public:
    Trial(const Link& link, Stress stress, std::uint32_t seed, int substeps = kContactSubsteps,
          float least = kLeast)
        : link_(link), stress_(stress), dice_(seed),
          world_({.gravity = {0, 0, 0}, .substeps = substeps, .minSeparationRatio = least}) {
        for (const Curve& curve : link.curves) ropes_.push_back(add(curve));
        if (stress == Stress::Impact) {
            Vec3d side = dice_.direction();
            Curve ring = scaled(hopfLink(60)[0], 0.12);
            for (Vec3d& p : ring) p += 0.6 * side;
            thrown_ = add(ring);
        }
        axis_ = dice_.direction();
        held_ = positionOf(ropes_[0], 0);
    }

    Tally run(double seconds) {
        Tally tally;
        for (int i = 1; i <= frames(seconds); ++i) {
            load(i);
            const Report& report = world_.step(kFrame);
            tally.broken = std::max(tally.broken, report.quarantined);
            tally.nearest = std::min(tally.nearest, static_cast<double>(report.minSeparationRatio));
            if (i % kLookEvery == 0 || i == frames(seconds)) tally.changed += !same();
        }
        return tally;
    }

private:
    RopeId add(const Curve& curve) {
        RopeDef def;
        for (Vec3d p : curve) def.points.push_back(narrow(p));
        def.closed = true;
        def.radius = static_cast<float>(kRadius);
        def.segments = static_cast<int>(lengthOf(curve) / kSegment) | 1;
        def.damping = 1;
        return world_.add(def);
    }

    void load(int frame) {
        switch (stress_) {
        case Stress::PullApart:
            return pullApart(std::min(1.0, frame / 30.0));
        case Stress::Shake:
            return shake();
        case Stress::Impact:
            if (frame % 30 == 1) hurl();
            return;
        case Stress::Random:
            return pullAbout();
        }
    }

    // Several ropes are pulled in directions whose sum is 0. The force acts on the node that is farthest in that
    // direction. A single rope is pulled at two nodes.
    void pullApart(double share) {
        Vec3d across = perpendicular(axis_);
        if (ropes_.size() == 1) {
            int half = count(ropes_[0]) / 2;
            world_.applyForce({ropes_[0], 0}, narrow(share * force(ropes_[0]) * across));
            world_.applyForce({ropes_[0], half}, narrow(-share * force(ropes_[0]) * across));
            return;
        }
        for (std::size_t k = 0; k < ropes_.size(); ++k) {
            double turn = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(ropes_.size());
            Vec3d way = std::cos(turn) * across + std::sin(turn) * cross(axis_, across);
            world_.applyForce({ropes_[k], farthest(ropes_[k], way)}, narrow(share * force(ropes_[0]) * way));
        }
    }

    // A node of the first rope moves at kShake, in a new random direction in every frame.
    void shake() {
        double step = kShake * static_cast<double>(kFrame);
        Vec3d to = held_ + step * dice_.direction();
        while (length(to) > 0.5) to = held_ + step * dice_.direction();
        held_ = to;
        world_.pin({ropes_[0], 0}, narrow(held_));
    }

    // Throws the link and a ring at each other. On the next call it throws the ropes of the link at each other, or
    // the two halves of its only rope.
    void hurl() {
        Vec3d center = {0, 0, 0};
        double share = 1 / static_cast<double>(ropes_.size());
        for (RopeId rope : ropes_) center += share * middle(rope);
        Vec3d way = normalize(center - middle(thrown_), axis_);
        bool own = hurled_++ % 2 != 0;
        fly(thrown_, (own ? 0.0 : kImpact / 2) * way);
        if (own) way = dice_.direction();
        for (std::size_t k = 0; k < ropes_.size(); ++k) {
            double side = own && k % 2 == 0 ? 1 : -1;
            fly(ropes_[k], side * kImpact / 2 * way);
        }
        if (own && ropes_.size() == 1) fly(ropes_[0], -kImpact / 2 * way, count(ropes_[0]) / 2);
    }

    // Eight nodes of each rope are pulled, in every frame other nodes in other directions.
    void pullAbout() {
        for (RopeId rope : ropes_)
            for (int k = 0; k < 8; ++k) {
                int node = static_cast<int>(dice_.within(0, count(rope)));
                double size = dice_.within(0, 30) * force(rope) / kWeights;
                world_.applyForce({rope, node}, narrow(size * dice_.direction()));
            }
    }

    bool same() const {
        std::vector<Curve> curves;
        for (RopeId rope : ropes_) curves.push_back(curveOf(rope));
        Result<std::int64_t> det = determinant(curves);
        if (!det || *det != link_.determinant) return false;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            for (std::size_t j = i + 1; j < curves.size(); ++j) {
                Result<int> lk = linkingNumber(curves[i], curves[j]);
                if (!lk || std::abs(*lk) != link_.linking) return false;
            }
            if (!thrown_) continue;
            Result<int> lk = linkingNumber(curves[i], curveOf(thrown_));
            if (!lk || *lk != 0) return false;
        }
        return true;
    }

    int count(RopeId rope) const { return static_cast<int>(world_.positions(rope).size()); }
    Vec3d positionOf(RopeId rope, int node) const {
        return widen(Vec3(world_.positions(rope)[static_cast<std::size_t>(node)]));
    }
    Curve curveOf(RopeId rope) const {
        Curve curve;
        for (int i = 0; i < count(rope); ++i) curve.push_back(positionOf(rope, i));
        return curve;
    }
    Vec3d middle(RopeId rope) const {
        Vec3d sum = {0, 0, 0};
        for (Vec3d p : curveOf(rope)) sum += p;
        return sum / count(rope);
    }
    double force(RopeId rope) const {
        double mass = 0;
        for (int i = 0; i < count(rope); ++i) mass += static_cast<double>(world_.mass({rope, i}));
        return kWeights * 9.81 * mass;
    }
    int farthest(RopeId rope, Vec3d way) const {
        int best = 0;
        for (int i = 1; i < count(rope); ++i)
            if (dot(positionOf(rope, i) - positionOf(rope, best), way) > 0) best = i;
        return best;
    }
    void fly(RopeId rope, Vec3d v, int from = 0) {
        for (int i = from; i < count(rope); ++i) world_.setVelocity({rope, i}, narrow(v));
    }

    const Link& link_;
    Stress stress_;
    Dice dice_;
    World world_;
    std::vector<RopeId> ropes_;
    RopeId thrown_ = {};
    int hurled_ = 0;
    Vec3d axis_ = {0, 0, 0}, held_ = {0, 0, 0};
};

std::vector<Link> links() {
    return {{"Hopf link", scaled(hopfLink(300), 0.15), 2, 1},
            {"Whitehead link", scaled(whitehead(60), 0.02), 8, 0},
            {"Borromean rings", scaled(borromean(300), 0.1), 16, 0},
            {"trefoil", scaled(trefoil(600), 0.04), 3, 0},
            {"figure eight", scaled(figureEight(600), 0.04), 5, 0}};
}

struct Named {
    Stress stress;
    const char* name;
};

} // namespace

std::vector<Row> runLinks(const Options& options) {
    const Named stresses[] = {{Stress::PullApart, "pulled apart at 1000 x a rope's weight"},
                              {Stress::Shake, "shaken at 20 m/s"},
                              {Stress::Impact, "shot at with a ring at 50 m/s"}};
    const std::vector<Link> all = links();
    const int kinds = static_cast<int>(std::size(stresses));
    const int seeds = options.seeds > 0 ? options.seeds : options.full ? 100 : 1;
    const double seconds = options.full ? 60 : 1;
    const int steps = options.full ? 100000 : 300;

    // The longest trial starts first, so that all threads end at about the same time.
    const int trials = static_cast<int>(all.size()) * kinds * seeds;
    std::vector<Tally> got(static_cast<std::size_t>(trials) + 1);
    auto linkOf = [&](int i) -> const Link& {
        return all[i == 0 ? 0 : static_cast<std::size_t>((i - 1) / seeds / kinds)];
    };
    auto run = [&](int i) {
        const Stress stress = i == 0 ? Stress::Random : stresses[(i - 1) / seeds % kinds].stress;
        const int seed = i == 0 ? 7 : (i - 1) % seeds + 1;
        got[static_cast<std::size_t>(i)] = Trial(linkOf(i), stress, static_cast<std::uint32_t>(seed))
                                               .run(i == 0 ? steps * static_cast<double>(kFrame) : seconds);
    };
    eachAtOnce(trials + 1, run, [&](int i, int done) {
        if (options.progress) options.progress(linkOf(i).name, done / (trials + 1.0));
    });

    Sheet sheet("K3", options, 1);
    const Tally* next = got.data() + 1;
    for (const Link& link : all) {
        for (const Named& stress : stresses) {
            Tally sum;
            for (int seed = 1; seed <= seeds; ++seed, ++next) {
                sum.changed += next->changed;
                sum.broken += next->broken;
                sum.nearest = std::min(sum.nearest, next->nearest);
            }
            std::string what = std::string(link.name) + " " + stress.name + ", " + std::to_string(seeds) +
                               " times " + std::to_string(static_cast<int>(seconds)) + " s: ";
            sheet.add(atMost("K3", what + "readings that gave another link", sum.changed, 0));
            sheet.add(atMost("K3", what + "ropes with numbers that are not finite", sum.broken, 0));
            sheet.add(atMost("K3", what + "deepest overlap / rope diameter", 1 - sum.nearest, 0.1));
        }
    }
    std::string what = "Hopf link, eight nodes of each ring pulled at random with up to 30 weights, " +
                       std::to_string(steps) + " steps: ";
    sheet.add(atMost("K3", what + "readings that gave another link", got[0].changed, 0));
    sheet.add(atMost("K3", what + "deepest overlap / rope diameter", 1 - got[0].nearest, 0.1));
    return sheet.take();
}

} // namespace capstan::validation
