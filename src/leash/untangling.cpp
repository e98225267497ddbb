// SPDX-License-Identifier: MIT
//
// Execution of the untangling plan. The hand goes up, and the dogs line up along x under it in their present order.
// In each move of the plan (capstan/topology/untangle.hpp) the mover passes in front of its neighbour. The neighbour
// moves to the mover's position, and the mover steps back into the line. The reading of motion detects every swap. If
// the swaps that happened differ from the plan, a new plan is made. At the end the dogs spread out. The walk is
// untangled only if leashes and motion both read as the trivial braid and there is no tangle.
#include <capstan/leash/walk.hpp>

#include "leash/post.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr float kInFront = 0.6f; // m, distance of a passing mover from the line
constexpr float kNear = 0.12f;   // m, distance at which a dog has arrived

float spacing(std::size_t n) { return n > 1 ? std::min(0.5f, 3.0f / float(n - 1)) : 0; }

} // namespace

Status LeashWalk::untangle() {
    for (const Dog& dog : dogs_)
        if (dog.loose)
            return Error{"the leash of " + dog.name + " is loose, so there is no braid to undo", ""};
    plan_.clear();
    if (dogCount() > 1) {
        Result<std::vector<UntangleMove>> made = capstan::untangle(word_, dogCount());
        if (!made) return made.error();
        plan_ = std::move(*made);
    }
    expected_ = word_;
    state_ = State::Untangling;
    stuckBecause_.clear();
    movesDone_ = 0;
    enter(Phase::LineUp);
    return done();
}

void LeashWalk::walkOn() {
    state_ = State::Walking;
    raised_ = false;
    plan_.clear();
    stuckBecause_.clear();
}

// Returns the height to which the leashes allow the hand to rise while the dogs stand in line and one passes in front
// [m].
float LeashWalk::raisedHeight() const {
    const float half = 0.5f * spacing(dogs_.size()) * float(dogs_.size() - 1);
    const float room = 0.75f * def_.length * def_.length - half * half - kInFront * kInFront;
    return std::max(def_.hand.y, kCollar + std::sqrt(std::max(room, 0.0f)));
}

// Returns the position in the line for a rank, 0 is left.
Vec3 LeashWalk::slot(int rank) const {
    const float middle = 0.5f * float(dogs_.size() - 1);
    return {hand_.x + (float(rank) - middle) * spacing(dogs_.size()), 0, hand_.z};
}

int LeashWalk::rankOf(int dog) const {
    return int(std::find(rows_.begin(), rows_.end(), dog) - rows_.begin());
}

void LeashWalk::enter(Phase phase) {
    if (phase == Phase::LineUp) {
        rows_ = motion_.order();
        if (rows_.empty()) rows_ = {0}; // a single dog
    }
    raised_ = phase != Phase::Spread;
    phase_ = phase;
    waited_ = 0;
}

// Returns the target position of a dog [m]. rows_ is the order in the line before the current move.
Vec3 LeashWalk::goal(std::size_t i) const {
    const int rank = rankOf(int(i));
    if (phase_ == Phase::Spread) { // on an arc in front of the handler, from left to right
        const float share = dogs_.size() > 1 ? float(rank) / float(dogs_.size() - 1) : 0.5f;
        const SinCos<float> a = sincos((1 - share) * 2.6f + share * 0.5f);
        const float out = 0.65f * def_.length;
        return {hand_.x + out * a.cos, 0, hand_.z + out * a.sin};
    }
    if (plan_.empty() || phase_ == Phase::LineUp) return slot(rank);
    const UntangleMove& m = plan_.front();
    const Vec3 front = {0, 0, kInFront};
    if (int(i) == m.mover) return slot(rankOf(m.other)) + (phase_ == Phase::Pass ? front : Vec3{0, 0, 0});
    if (int(i) == m.other && phase_ == Phase::Swap) return slot(rankOf(m.mover));
    return slot(rank);
}

// Returns the wanted velocity of a dog [m/s]: straight to its target, slower when near. A mover first steps in front
// of the line, then moves along it. It returns into the line only when its neighbour has moved away.
Vec3 LeashWalk::obey(const World& world, std::size_t i) const {
    if (state_ != State::Untangling) return {0, 0, 0};
    const Vec3 x = positionOf(world, i);
    Vec3 to = goal(i);
    if (!plan_.empty() && int(i) == plan_.front().mover && phase_ != Phase::LineUp &&
        phase_ != Phase::Spread) {
        const Vec3 mine = slot(rankOf(int(i))), line = slot(0);
        const bool inFront = x.z - line.z > 0.75f * kInFront;
        if (phase_ == Phase::Pass && !inFront && std::abs(x.x - to.x) > kNear) to.x = mine.x;
        const Vec3 other = positionOf(world, std::size_t(plan_.front().other));
        const bool room = std::abs(other.x - to.x) > 2 * kThick + 0.03f;
        if (phase_ == Phase::Swap && !room) to.z = line.z + kInFront;
    }
    const Vec3 d = {to.x - x.x, 0, to.z - x.z};
    const float far = length(d);
    return far > 1e-4f ? (std::min(1.2f, 4 * far) / far) * d : Vec3{0, 0, 0};
}

// Returns true if the dog has arrived at its target.
bool LeashWalk::there(const World& world, std::size_t i) const {
    const Vec3 x = positionOf(world, i), to = goal(i);
    return length(Vec3{to.x - x.x, 0, to.z - x.z}) < kNear;
}

void LeashWalk::giveUp(std::string why) {
    state_ = State::Stuck;
    stuckBecause_ = std::move(why);
}

// Starts the next move of the plan if the swaps so far agree with the plan; otherwise makes a new plan.
void LeashWalk::nextMove() {
    const int n = dogCount();
    if (n > 1 && !word_.empty()) {
        const Result<bool> follows = sameBraid(word_, expected_, n);
        if (plan_.empty() || !follows || !*follows) {
            Result<std::vector<UntangleMove>> made = capstan::untangle(word_, n);
            if (!made) return giveUp("the plan failed: " + made.error().what);
            plan_ = std::move(*made);
        }
        if (!plan_.empty()) {
            const UntangleMove& m = plan_.front();
            if (std::abs(rankOf(m.mover) - rankOf(m.other)) != 1) return enter(Phase::LineUp);
            expected_ = product(word_, {m.letter});
            return enter(Phase::Pass);
        }
    }
    plan_.clear();
    enter(Phase::Spread);
}

// Continues with the present phase.
void LeashWalk::goOn(const World& world, float dt) {
    for (const Dog& dog : dogs_)
        if (dog.loose) return giveUp("the leash of " + dog.name + " came loose");
    waited_ += dt;
    bool all = true;
    for (std::size_t i = 0; i < dogs_.size(); ++i) all = all && there(world, i);
    if (waited_ > def_.patience) {
        static constexpr const char* doing[] = {"lining up", "passing in front", "changing places",
                                                "spreading out"};
        return giveUp(std::string("no progress in ") + doing[int(phase_)]);
    }
    switch (phase_) {
    case Phase::LineUp:
        if (all && (dogCount() < 2 || rows_ == motion_.order()))
            nextMove();
        else if (all)
            enter(Phase::LineUp);
        return;
    case Phase::Pass:
        if (there(world, std::size_t(plan_.front().mover))) enter(Phase::Swap);
        return;
    case Phase::Swap: {
        const UntangleMove m = plan_.front();
        if (!there(world, std::size_t(m.mover)) || !there(world, std::size_t(m.other))) return;
        std::swap(rows_[rankOf(m.mover)], rows_[rankOf(m.other)]);
        plan_.erase(plan_.begin());
        ++movesDone_;
        if (rows_ != motion_.order()) return enter(Phase::LineUp);
        return nextMove();
    }
    case Phase::Spread:
        if (!word_.empty()) return enter(Phase::LineUp);
        if (!all || !straightNow_ || tangles_.count() > 0) {
            if (dogCount() > 1 || !all) return;
        }
        state_ = State::Untangled;
    }
}

} // namespace capstan
