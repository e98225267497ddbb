// SPDX-License-Identifier: MIT
// Ropes of a ContactSetup in Capstan and in the textbook loop, and the measurements of a Watcher.
#include <bench/setups/contact_ropes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::bench {

static double lengthOf(const Line& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i) sum += length(line[i] - line[i - 1]);
    return sum;
}

double ContactSetup::restLength(int rope) const {
    Line line;
    for (int i = 0; i < nodes; ++i) line.push_back(position(rope, i));
    return lengthOf(line);
}

CapstanContact::CapstanContact(const ContactSetup& setup, const Tuning& tuning)
    : world_({.gravity = {0, -float(setup.down), 0},
              .substeps = tuning.substeps,
              .contact = true,
              .backend = tuning.backend,
              .threads = tuning.threads}),
      holds_(setup.holds) {
    RopeDef def;
    def.segments = 0;
    def.radius = float(setup.radius);
    def.material.friction = float(setup.friction);
    def.stretchStiffness = float(setup.stretchStiffness);
    def.bendStiffness = float(setup.bendStiffness);
    def.damping = float(setup.damping);
    def.mass = float(setup.nodeMass * (setup.nodes - 1));
    // Capstan spreads a rope's mass over its segments, so an end node gets half of a node's mass. Loads add the other
    // half.
    def.loads = {{first, float(0.5 * setup.nodeMass)}, {last, float(0.5 * setup.nodeMass)}};
    for (int r = 0; r < setup.ropes; ++r) {
        def.points.clear();
        for (int i = 0; i < setup.nodes; ++i) def.points.push_back(narrow(setup.position(r, i)));
        if (setup.velocity) def.velocity = narrow(setup.velocity(r));
        def.pins.clear();
        for (const Hold& hold : holds_)
            if (hold.rope == r) def.pins.push_back(hold.node);
        ids_.push_back(world_.add(def));
    }
    if (!setup.floor) return;
    BodyDef floor;
    floor.type = BodyType::Static;
    floor.shape = Plane{};
    floor.material.friction = float(setup.friction);
    world_.add(floor);
}

void CapstanContact::aim(double time) {
    for (const Hold& hold : holds_)
        if (hold.moves) world_.pin({ids_[hold.rope], hold.node}, narrow(hold.path(time)));
}

void CapstanContact::frame() {
    const Report& report = world_.step(float(frameTime));
    ++frames_;
    truncated_ += report.truncated;
    substeps_ += report.substeps;
    lastResorts_ += report.heldStill;
    minDistance_ = std::min(minDistance_, report.minSeparationRatio);
}

void CapstanContact::read(Lines& lines) const {
    lines.resize(ids_.size());
    for (std::size_t r = 0; r < ids_.size(); ++r) {
        lines[r].clear();
        for (const Point& p : world_.positions(ids_[r])) lines[r].push_back(widen(Vec3(p)));
    }
}

Quality CapstanContact::counts() const {
    return {{"contacts", double(world_.report().contacts)},
            {"truncated", double(truncated_)},
            {"meanSubsteps", meanSubsteps()},
            {"minSeparationRatio", double(minDistance_)},
            {"heldStill", double(lastResorts_)}};
}

namespace {

class TextbookContact final : public ContactRopes {
public:
    TextbookContact(const ContactSetup& setup, int iterations)
        : count_(setup.ropes), holds_(setup.holds), ropes_(plain(setup), iterations) {
        aim(0);
    }

    void aim(double time) override {
        for (const Hold& hold : holds_) ropes_.hold(hold.rope, hold.node, narrow(hold.path(time)));
    }
    void frame() override { ropes_.frame(); }
    void read(Lines& lines) const override {
        lines.resize(std::size_t(count_));
        for (int r = 0; r < count_; ++r) ropes_.read(r, lines[r]);
    }

private:
    static Setup plain(const ContactSetup& setup) {
        Setup s;
        s.ropes = setup.ropes;
        s.nodes = setup.nodes;
        s.nodeMass = setup.nodeMass;
        s.spacing = setup.restLength(0) / (setup.nodes - 1);
        s.position = setup.position;
        return s;
    }
    int count_;
    std::vector<Hold> holds_;
    TextbookRopes ropes_;
};

} // namespace

std::unique_ptr<ContactRopes> makeTextbookContact(const ContactSetup& setup, int iterations) {
    return std::make_unique<TextbookContact>(setup, iterations);
}

Watcher::Watcher(const ContactSetup& setup, const ContactRopes& ropes)
    : rules_(setup.rules), thickness_(2 * setup.radius), closest_(std::numeric_limits<double>::infinity()) {
    for (int r = 0; r < setup.ropes; ++r) rest_.push_back(setup.restLength(r));
    ropes.read(now_);
}

void Watcher::see(const ContactRopes& ropes, bool pairs) {
    Lines lines = std::move(before_);
    ropes.read(lines);
    see(std::move(lines), pairs);
}

void Watcher::see(Lines lines, bool pairs) {
    before_ = std::move(now_);
    now_ = std::move(lines);
    if (!isFinite(now_)) {
        finite_ = false;
        peakStretch_ = std::numeric_limits<double>::infinity();
        return;
    }
    for (std::size_t r = 0; r < now_.size(); ++r)
        peakStretch_ = std::max(peakStretch_, std::fabs(lengthOf(now_[r]) / rest_[r] - 1));
    if (!pairs) return;
    passed_ += passes(before_, now_, rules_);
    closest_ = std::min(closest_, leastDistance(now_, rules_) / thickness_);
}

Yardstick::Yardstick(const char* caseName, const Options& options)
    : row_(plainRow(caseName, "textbook", "rope of W1: gaussSeidel, 5 iterations")),
      ropes_(horizontal(1, 100), 5), frames_(scaled(options, 3000, 60)) {}

Turn Yardstick::turn() {
    return {row_.engine, frames_, &micros_, [this] { ropes_.frame(); }, [] {}};
}

std::vector<Row> Yardstick::over(std::vector<Row> rows) {
    fillTimes(row_, micros_);
    row_.quality = {{"frames", double(frames_)}};
    for (Row& row : rows)
        if (row.usMedian > 0) row.quality.emplace_back("medianT", row.usMedian / row_.usMedian);
    rows.insert(rows.begin(), row_);
    return rows;
}

} // namespace capstan::bench
