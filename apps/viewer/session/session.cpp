// SPDX-License-Identifier: MIT
// This file implements files, time, and mouse and key actions of Session. Live edits are in session_edit.cpp, and
// session_show.cpp fills the Frame.
#include <apps/viewer/session/session.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace capstan::viewer {
namespace {

constexpr double kMostDebt = 0.2; // s of real time, at most, to catch up with
constexpr float kSteerRate = 4;   // units of the control vector per second
constexpr float kDog = 0.4f;      // m, half the length of a drawn dog
constexpr const char* kHold = "viewer pin ";

using Clock = std::chrono::steady_clock;
float seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<float>(to - from).count();
}

float approach(float value, float goal, float most) { return value + std::clamp(goal - value, -most, most); }

} // namespace

Session::Session(Wishes wishes) : wishes_(std::move(wishes)) {}

void Session::say(std::string text) {
    notice_ = std::move(text);
    ++notices_;
}

bool Session::open(const std::filesystem::path& file) {
    std::error_code ignored;
    file_ = file;
    stamp_ = std::filesystem::last_write_time(file, ignored);
    size_ = std::filesystem::file_size(file, ignored);
    Result<Scene> scene = loadScene(file, wishes_.import);
    if (!scene) {
        problem_ = scene.error().text();
        return false;
    }
    if (wishes_.world) wishes_.world(scene->world);
    Result<Playback> started = Playback::start(std::move(*scene));
    if (!started) {
        problem_ = started.error().text();
        return false;
    }
    forgetPicks();
    playback_.reset();
    playback_.emplace(std::move(*started));
    playback_->world().setStepTiming(true);
    problem_.clear();
    notice_.clear();
    const World& world = playback_->world();
    if (world.ids<RopeId>().empty() && world.ids<BodyId>().empty() && world.ids<ClothId>().empty() &&
        world.ids<HairId>().empty())
        say("the scene must have an object, and it is empty; add \"ropes\", \"bodies\", \"cloths\" or "
            "\"hairs\"");
    return true;
}

// A missing file is no change: an editor may be replacing it.
bool Session::reloadIfChanged() {
    if (file_.empty()) return false;
    std::error_code failed;
    const auto stamp = std::filesystem::last_write_time(file_, failed);
    if (failed) return false;
    const auto size = std::filesystem::file_size(file_, failed);
    if (failed || (stamp == stamp_ && size == size_)) return false;
    if (open(file_)) say("read again: " + file_.filename().string());
    return true;
}

void Session::reset() {
    if (!playback_) return;
    Result<Playback> started = Playback::start(playback_->scene());
    if (!started) return say(started.error().text());
    forgetPicks();
    playback_.emplace(std::move(*started));
    playback_->world().setStepTiming(true);
}

void Session::forgetPicks() {
    grip_ = Grip{}; // the joint of the old grip was removed with the old world
    hovered_ = selected_ = Picked{};
    selectedJoint_ = {};
    controlX_ = controlY_ = wantX_ = wantY_ = 0;
    steering_ = false;
    ropeEnd_.reset();
    debt_ = 0;
    steps_ = 0;
    samples_.clear();
    collector_.forget();
    contents_.reset();
    ++scenes_;
}

// ---- time

void Session::setSpeed(float speed) { speed_ = std::clamp(speed, 0.01f, 10.0f); }

int Session::due(double realSeconds) {
    if (!playback_ || !playing_ || filming_) {
        if (!filming_) debt_ = 0;
        return 0;
    }
    const double step = 1.0 / static_cast<double>(playback_->scene().rate);
    const double speed = static_cast<double>(speed_);
    debt_ = std::min(debt_ + realSeconds * speed, std::max(step * 1.5, kMostDebt * speed));
    const int steps = static_cast<int>(debt_ / step);
    debt_ -= steps * step;
    return steps;
}

void Session::filmAdvance(double realSeconds) {
    filming_ = false;
    advance(realSeconds);
    filming_ = true;
}

double Session::untilNext() const {
    if (!playback_ || !playing_ || filming_) return 1e6;
    const double step = 1.0 / static_cast<double>(playback_->scene().rate);
    return std::max(0.0, step - debt_) / static_cast<double>(speed_);
}

void Session::advance(double realSeconds) {
    for (int n = due(realSeconds); n > 0; --n) step();
}

void Session::step() {
    if (!playback_) return;
    World& world = playback_->world();
    const float dt = 1 / playback_->scene().rate;
    const auto begin = Clock::now();
    const double solved = playback_->summary().stepSeconds;
    control(dt);
    grip_.act(world, dt);
    const Report& report = playback_->frame();
    grip_.look(world);
    ++steps_;
    Sample s;
    s.time = world.time();
    s.energy = playback_->summary().energyNow;
    withoutHand(s.energy);
    s.stretch = std::max(report.maxStretch, report.maxClothStrain);
    for (RopeId rope : world.ids<RopeId>())
        for (float t : world.tensions(rope)) s.tension = std::max(s.tension, t);
    s.solve = static_cast<float>(playback_->summary().stepSeconds - solved);
    s.phases = world.stepTimes();
    s.script = seconds(begin, Clock::now()) - s.solve;
    s.show = std::exchange(showSeconds_, 0.0f);
    if (samples_.size() < 10000) samples_.push_back(s);
}

// withoutHand subtracts the energy of the extra mass m_hand of grip.hpp, which is not part of the scene.
void Session::withoutHand(Energy& energy) const {
    const Picked& p = grip_.picked();
    if (!(grip_.hand() > 0) || !viewer::alive(playback_->world(), p)) return;
    const World& world = playback_->world();
    const Vec3 v = world.velocities(p.cloth)[static_cast<std::size_t>(p.node)];
    const double m = static_cast<double>(grip_.hand());
    energy.kinetic -= 0.5 * m * static_cast<double>(dot(v, v));
    energy.potential += m * static_cast<double>(dot(world.def().gravity, positionOf(world, p)));
}

// The scene's own control vector is used until the user presses an arrow key.
void Session::control(float dt) {
    steering_ = steering_ || wantX_ != 0 || wantY_ != 0;
    if (!steering_) return;
    controlX_ = approach(controlX_, wantX_, kSteerRate * dt);
    controlY_ = approach(controlY_, wantY_, kSteerRate * dt);
    playback_->steer(controlX_, controlY_);
}

void Session::steer(float x, float y) {
    wantX_ = x;
    wantY_ = y;
}

// ---- the mouse

// pickAt differs from pick() in two ways. An infinite ground is ignored, so that a drag on it turns the camera. A dog
// is drawn larger than its body, so a ray near its middle hits it.
Picked Session::pickAt(const render::Ray& ray, float spread) const {
    const World& world = playback_->world();
    Picked best = pick(world, ray, spread);
    if (best.body && world.def(best.body).shape.kind == ShapeKind::Plane) best = {};
    if (best || !playback_->leash()) return best;
    for (const LeashWalk::Dog& dog : playback_->leash()->dogs()) {
        if (!world.isValid(dog.body)) continue;
        const Vec3 middle = world.centerOfMass(dog.body);
        const float t = dot(middle - ray.from, ray.direction);
        if (t <= 0 || length(ray.from + t * ray.direction - middle) > kDog) continue;
        if (best && t >= best.distance) continue;
        best.body = dog.body;
        best.point = middle;
        best.distance = t;
    }
    return best;
}

void Session::hover(const render::Ray& ray, float spread) {
    if (playback_) hovered_ = pickAt(ray, spread);
}

void Session::select(const Picked& picked) {
    selected_ = picked;
    selectedJoint_ = {};
}

void Session::select(JointId joint) {
    selected_ = {};
    selectedJoint_ = joint;
}

bool Session::grab(const render::Ray& ray, float spread, Vec3 facing, std::uint64_t ticket) {
    grabs_ = ticket;
    if (!playback_) return false;
    const Picked picked = pickAt(ray, spread);
    select(picked);
    if (!picked) return false;
    const World& world = playback_->world();
    const BodyId carrier = picked.hair ? world.find<BodyId>(world.def(picked.hair).rootBody) : picked.body;
    if (picked.hair && !carrier) return false;
    if (carrier && world.def(carrier).type == BodyType::Static) return false;
    if (Status taken = grip_.take(playback_->world(), picked, facing, strength_); !taken) {
        say(taken.error().text());
        return false;
    }
    return true;
}

void Session::release() {
    if (playback_) grip_.release(playback_->world());
}

JointId Session::holdOf(BodyId body) const {
    return playback_->world().find<JointId>(kHold + std::to_string(body.index));
}

bool Session::pinned(const Picked& p) const {
    const World& world = playback_->world();
    if (!viewer::alive(world, p)) return false;
    if (p.body) return bool(holdOf(p.body));
    if (p.hair) return false;
    if (p.cloth) return world.positions(p.cloth)[static_cast<std::size_t>(p.node)].w == 0;
    return world.positions(p.rope)[static_cast<std::size_t>(p.node)].w == 0;
}

void Session::togglePin() {
    if (!playback_) return;
    World& world = playback_->world();
    const Picked p = grip_.holds() ? grip_.picked() : selected_;
    if (!viewer::alive(world, p)) return say("select a rope, a body or a cloth first, then pin it");
    const std::string name = nameOf(p);
    grip_.release(world);
    if (p.hair) return say("hair is held by its roots; pin the body that carries it");
    if (p.cloth) {
        const bool held = pinned(p);
        held ? world.unpin({p.cloth, p.node}) : world.pin({p.cloth, p.node}, positionOf(world, p));
        return say((held ? "let go of " : "pinned ") + name);
    }
    if (p.rope && pinned(p)) {
        world.unpin({p.rope, p.node});
        return say("let go of " + name);
    }
    if (p.rope) {
        for (JointId id : world.ids<JointId>()) {
            const JointDef& d = world.def(id);
            const int n = static_cast<int>(world.positions(p.rope).size());
            if (d.rope.id == p.rope && (d.node < 0 ? d.node + n : d.node) == p.node)
                return say("this node is attached to a body; pin the body");
        }
        world.pin({p.rope, p.node}, positionOf(world, p));
        return say("pinned " + name);
    }
    if (JointId hold = holdOf(p.body)) {
        world.remove(hold);
        return say("let go of " + name);
    }
    JointDef def;
    def.type = JointType::Fixed;
    def.name = kHold + std::to_string(p.body.index);
    def.body1 = p.body;
    def.anchor = world.centerOfMass(p.body);
    Result<JointId> made = world.tryAdd(def);
    say(made ? "pinned " + name : made.error().text());
}

void Session::pinAt(const render::Ray& ray, float spread) {
    if (!playback_) return;
    release();
    select(pickAt(ray, spread));
    togglePin();
}

void Session::clickRope(const Spot& spot, float radius) {
    if (!ropeEnd_) {
        ropeEnd_ = spot;
        return say("click the second end of the rope");
    }
    addRope({*ropeEnd_, spot, 1.1f, radius});
    ropeEnd_.reset();
}

// cut returns the number of cuts. A rope with a single segment stays whole.
int Session::cut(const Stroke& stroke) {
    if (!playback_) return 0;
    World& world = playback_->world();
    int count = 0;
    std::string names;
    for (const Crossing& c : crossings(world, stroke)) {
        const std::size_t segments = world.tensions(c.rope).size();
        if (segments < 2 || static_cast<std::size_t>(c.segment) >= segments) continue;
        const std::string name = playback_->nameOf(c.rope);
        const bool ring = world.def(c.rope).closed;
        playback_->cut(c.rope, c.segment);
        ++count;
        names += (names.empty() ? "" : ", ") + name;
        // A cut ring is renumbered, so the remaining crossings of this stroke would name wrong segments.
        if (ring) break;
    }
    if (count > 0) say("cut " + names);
    return count;
}

bool Session::addRope(const NewRope& rope) {
    if (!playback_) return false;
    World& world = playback_->world();
    const float span = length(rope.to.point - rope.from.point);
    RopeDef def;
    def.from = rope.from.point;
    def.to = rope.to.point;
    def.length = rope.slack * span;
    def.radius = rope.radius;
    def.segments = std::clamp(static_cast<int>(def.length / (4 * rope.radius)), 8, 200);
    auto tie = [&](const Spot& s) { return s.body && world.isValid(s.body); };
    if (!tie(rope.from)) def.pins.push_back(first);
    if (!tie(rope.to)) def.pins.push_back(last);
    Result<RopeId> made = world.tryAdd(def);
    if (!made) {
        say("the rope cannot be added: " + made.error().text());
        return false;
    }
    auto attach = [&](const Spot& s, int node) -> Status {
        if (!tie(s)) return done();
        Result<ObjectId> tied = world.attach({*made, node}, {s.body, world.pose(s.body).local(s.point)});
        return tied ? done() : Status(tied.error());
    };
    Status tied = attach(rope.from, first);
    if (tied) tied = attach(rope.to, last);
    if (!tied) {
        world.remove(*made);
        say("no rope there: " + tied.error().text());
        return false;
    }
    say("a rope of " + std::to_string(def.segments) + " segments");
    return true;
}

void Session::removeSelected() {
    if (!playback_) return;
    World& world = playback_->world();
    grip_.release(world);
    if (selected_.body && world.isValid(selected_.body)) world.remove(selected_.body);
    if (selected_.rope && world.isValid(selected_.rope)) world.remove(selected_.rope);
    if (selected_.cloth && world.isValid(selected_.cloth)) world.remove(selected_.cloth);
    if (selected_.hair && world.isValid(selected_.hair)) world.remove(selected_.hair);
    if (selectedJoint_ && world.isValid(selectedJoint_)) world.remove(selectedJoint_);
    select(Picked{});
}

} // namespace capstan::viewer
