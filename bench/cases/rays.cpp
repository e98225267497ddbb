// SPDX-License-Identifier: MIT
// Rays: the nearest hits of a thousand rays into a thousand boxes of 1 m. The boxes lie at random places in a cube of
// 40 m. A frame is all the rays. Before the timed frames the boxes fall for a second, with rays after each step. So the trees
// are as old as in a game.
//
// vsBullet: median time divided by Bullet's in the same run. sameHits: share of the rays into the boxes at their start
// that end within 20 mm of Bullet's. Bullet's cast against a convex shape ends at a distance of 10 mm.
#include <bench/cases.hpp>
#include <bench/setups/boxes.hpp>
#include <bench/setups/contact_ropes.hpp>
#include <worlds/dice.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

namespace {

constexpr int kBoxes = 1000, kRays = 1000;
constexpr double kCube = 40, kReach = 100, kSame = 0.02; // m

struct Ray {
    Vec3d from, direction;
};

BoxSetup scattered() {
    BoxSetup setup;
    Dice dice{17};
    const auto somewhere = [&] { return dice.between(-0.5 * kCube, 0.5 * kCube); };
    for (int i = 0; i < kBoxes; ++i) {
        const double x = somewhere(), y = 30 + 0.5 * kCube + somewhere(), z = somewhere();
        setup.positions.push_back({x, y, z});
    }
    return setup;
}

std::vector<Ray> raysInto() {
    std::vector<Ray> rays;
    Dice dice{18};
    const Vec3d middle = {0, 25 + 0.5 * kCube, 0};
    for (int i = 0; i < kRays; ++i) {
        const Vec3d from = middle + kCube * dice.direction();
        const Vec3d to = middle + dice.between(0, 0.5 * kCube) * dice.direction();
        rays.push_back({from, normalize(to - from)});
    }
    return rays;
}

struct Entry {
    Row row;
    std::unique_ptr<Boxes> boxes;
    std::vector<double> micros, reached, first;

    void cast(const std::vector<Ray>& rays) {
        reached.clear();
        for (const Ray& ray : rays) reached.push_back(boxes->castRay(ray.from, ray.direction, kReach));
    }
};

double share(const std::vector<double>& a, const std::vector<double>& b, double apart) {
    int same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) same += std::fabs(a[i] - b[i]) <= apart;
    return double(same) / double(a.size());
}

} // namespace

std::vector<Row> runRays(const Options& options) {
    const char* name = "rays";
    const BoxSetup setup = scattered();
    const std::vector<Ray> rays = raysInto();
    const int frames = scaled(options, 400, 20);
    std::vector<Entry> entries;
    const Tuning tuning = {Backend::Simd, Solver::Chain, 4, 1, 1};
    Row own = capstanRow(name, tuning);
    own.variant = "1000 rays into 1000 boxes";
    if (asked(options, Backend::Simd))
        entries.push_back({std::move(own), makeCapstanBoxes(setup, tuning), {}, {}, {}});
    if (auto bullet = makeBulletBoxes(setup))
        entries.push_back(
            {plainRow(name, "bullet", "1000 rays into 1000 boxes"), std::move(bullet), {}, {}, {}});
    std::vector<Turn> turns;
    for (Entry& e : entries) {
        e.cast(rays);
        e.first = e.reached;
        for (int i = 0; i < 60; ++i) {
            e.boxes->frame();
            e.cast(rays);
        }
        turns.push_back({e.row.engine, frames, &e.micros, [&] { e.cast(rays); }, [] {}});
    }
    takeTurns(turns, options, name);
    std::vector<Row> rows;
    for (Entry& e : entries) fillTimes(e.row, e.micros);
    for (Entry& e : entries) {
        const Entry& last = entries.back();
        const auto hits = std::count_if(e.reached.begin(), e.reached.end(), [](double a) { return a >= 0; });
        e.row.quality = {{"frames", double(frames)}, {"hits", double(hits)}};
        if (last.row.engine == "bullet") {
            e.row.quality.emplace_back("vsBullet", e.row.usMedian / last.row.usMedian);
            e.row.quality.emplace_back("sameHits", share(e.first, last.first, kSame));
        }
        e.row.hash = e.boxes->hash();
        rows.push_back(e.row);
    }
    return rows;
}

} // namespace capstan::bench
