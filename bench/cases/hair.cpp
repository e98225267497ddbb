// SPDX-License-Identifier: MIT
// hair: strands of 32 vertices, 0.3 m long and as stiff as human hair, on a head of radius 10 cm. The head turns to
// and fro by 45 degrees every two seconds. There are eight substeps, bending, and contact with the head. `stretch` is
// the largest stretch of any edge at the end of any frame after 1.5 s. Before that time the strands fall from their
// initial shape, and only peakStretch includes it. One row has its viewpoint 10 m away.
#include <bench/cases.hpp>
#include <bench/setups/contact_ropes.hpp>
#include <worlds/workloads.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

namespace {

constexpr const char* name = "hair";

class Head {
public:
    Head(int strands, int levels, const Tuning& tuning, int frames, float distance)
        : row_(capstanRow(name, tuning)), frames_(frames),
          world_({.backend = tuning.backend, .threads = tuning.threads}) {
        head_ = world_.add(BodyDef{.name = "head", .type = BodyType::Kinematic, .shape = Sphere{0.0995f}});
        if (distance > 0) world_.setViewpoint({0, 0, distance});
        HairDef def = headOfHair(strands, "head");
        def.lod.levels = levels;
        hair_ = world_.add(def);
        row_.variant = std::to_string(strands) + " strands" + (distance > 0 ? " seen from 10 m" : "");
    }

    Turn turn() {
        return {row_.engine + " " + row_.variant, frames_, &micros_, [this] { frame(); },
                [this] { watch(); }};
    }

    Row row() {
        fillTimes(row_, micros_);
        row_.hash = world_.hash();
        row_.quality = {{"frames", double(frames_)},
                        {"stretch", late_},
                        {"peakStretch", peak_},
                        {"level", double(world_.level(hair_))},
                        {"bytes", double(world_.bytes())}};
        return row_;
    }

private:
    void frame() {
        const float yaw = 0.785398f * float(std::sin(3.14159265 * double(++count_) / 60));
        world_.moveTo(head_, {{0, 0, 0}, Quatf::fromAxisAngle({0, 1, 0}, yaw)});
        world_.step(float(frameTime));
    }
    void watch() {
        const double now = double(world_.maxStrain(hair_));
        peak_ = std::max(peak_, now);
        if (count_ > 90) late_ = std::max(late_, now);
    }

    Row row_;
    int frames_;
    World world_;
    BodyId head_;
    HairId hair_;
    std::vector<double> micros_;
    int count_ = 0;
    double peak_ = 0, late_ = 0;
};

} // namespace

std::vector<Row> runHair(const Options& options) {
    std::vector<std::unique_ptr<Head>> heads;
    auto add = [&](int strands, int levels, Backend backend, int threads, int frames, float distance = 0) {
        if (!asked(options, backend)) return;
        const Tuning tuning = {backend, Solver::Chain, 8, 1, options.threads > 0 ? options.threads : threads};
        heads.push_back(std::make_unique<Head>(strands, levels, tuning, frames, distance));
    };
    add(10000, 1, Backend::Simd, 2, scaled(options, 240, 8));
    add(10000, 1, Backend::Simd, 1, scaled(options, 120, 4));
    add(10000, 3, Backend::Simd, 2, scaled(options, 240, 8), 10);
    add(10000, 1, Backend::Scalar, 1, scaled(options, 20, 2));
    if (options.full) add(100000, 1, Backend::Simd, 2, scaled(options, 120, 2));
    if (options.full) add(1000000, 1, Backend::Simd, 2, scaled(options, 20, 1));
    Yardstick yardstick(name, options);
    std::vector<Turn> turns = {yardstick.turn()};
    for (const auto& head : heads) turns.push_back(head->turn());
    takeTurns(turns, options, name);
    std::vector<Row> rows;
    for (const auto& head : heads) rows.push_back(head->row());
    return yardstick.over(std::move(rows));
}

} // namespace capstan::bench
