// SPDX-License-Identifier: MIT
// Starts a Playback, and runs its motions and frames. The actions are in actions.cpp. The summary is in
// scene/check/summary.cpp.
#include <capstan/scene/playback.hpp>

#include "scene/play/motion.hpp"
#include <capstan/scene/json_text.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <set>

namespace capstan {
namespace {

std::string vectorText(Vec3 v) {
    return "[" + jsonNumber(v.x) + ", " + jsonNumber(v.y) + ", " + jsonNumber(v.z) + "]";
}

// The Playback whose frame() runs on this thread.
thread_local const Playback* inFrame = nullptr;

struct FrameMark {
    const Playback* before;
    explicit FrameMark(const Playback* now) : before(inFrame) { inFrame = now; }
    ~FrameMark() { inFrame = before; }
    FrameMark(const FrameMark&) = delete;
    FrameMark& operator=(const FrameMark&) = delete;
};

} // namespace

std::string Playback::where() {
    if (!inFrame) return "";
    const Playback& p = *inFrame;
    const double time = p.summary_.frames / static_cast<double>(p.scene_.rate);
    const std::string at = "at " + jsonNumber(static_cast<float>(time)) + " s";
    if (!p.doing_.empty()) return errorAt(p.scene_, p.doing_, "").where + ", " + at;
    return p.scene_.name.empty() ? at : p.scene_.name + ", " + at;
}

Playback::Playback(Scene scene)
    : scene_(std::move(scene)), world_(scene_.world), expectations_(scene_.expect) {}

Result<Playback> Playback::start(Scene scene) {
    if (Status status = checkScene(scene); !status) return status.error();
    try {
        Playback playback(std::move(scene));
        if (Status status = playback.addRopes(); !status) return status.error();
        if (Status status = playback.addBodies(); !status) return status.error();
        if (Status status = playback.addJoints(); !status) return status.error();
        if (Status status = playback.addHairs(); !status) return status.error();
        if (Status status = playback.addLeash(); !status) return status.error();
        if (Status status = playback.addCloths(); !status) return status.error();
        if (Status status = playback.checkNodes(); !status) return status.error();
        if (Status status = playback.startMotions(); !status) return status.error();
        playback.order_.resize(playback.scene_.actions.size());
        std::iota(playback.order_.begin(), playback.order_.end(), std::size_t(0));
        const std::vector<Action>& actions = playback.scene_.actions;
        std::stable_sort(playback.order_.begin(), playback.order_.end(),
                         [&](std::size_t a, std::size_t b) { return actions[a].at < actions[b].at; });
        playback.startSummary();
        playback.expectations_.look(playback);
        return playback;
    } catch (const std::bad_alloc&) {
        return Error{"this scene needs more memory than there is", ""};
    }
}

Status Playback::addRopes() {
    for (std::size_t i = 0; i < scene_.ropes.size(); ++i) {
        Result<RopeId> id = world_.tryAdd(scene_.ropes[i]);
        if (!id) {
            std::string pointer = "/ropes/" + std::to_string(i) + id.error().where;
            return errorAt(scene_, pointer, id.error().what);
        }
        const std::string& name = scene_.ropes[i].name;
        if (!name.empty() || scene_.ropes.size() == 1) names_[name] = *id;
    }
    // If the scene has one rope, its name may be left out, even if the rope has a name.
    if (scene_.ropes.size() == 1) names_[""] = names_[scene_.ropes[0].name];
    return capstan::done();
}

Status Playback::addBodies() {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        Result<BodyId> id = world_.tryAdd(scene_.bodies[i]);
        if (!id) return errorAt(scene_, "/bodies/" + std::to_string(i) + id.error().where, id.error().what);
    }
    return capstan::done();
}

Status Playback::addJoints() {
    for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
        Result<JointId> id = world_.tryAdd(scene_.joints[i]);
        if (!id) return errorAt(scene_, "/joints/" + std::to_string(i) + id.error().where, id.error().what);
    }
    return capstan::done();
}

Status Playback::addCloths() {
    for (std::size_t i = 0; i < scene_.cloths.size(); ++i) {
        Result<ClothId> id = world_.tryAdd(scene_.cloths[i]);
        if (!id) return errorAt(scene_, "/cloths/" + std::to_string(i) + id.error().where, id.error().what);
    }
    return capstan::done();
}

Status Playback::addHairs() {
    for (std::size_t i = 0; i < scene_.hairs.size(); ++i) {
        Result<HairId> id = world_.tryAdd(scene_.hairs[i]);
        if (!id) return errorAt(scene_, "/hairs/" + std::to_string(i) + id.error().where, id.error().what);
    }
    return capstan::done();
}

Status Playback::addLeash() {
    if (!scene_.leash) return capstan::done();
    Result<LeashWalk> started = LeashWalk::start(world_, *scene_.leash);
    if (!started) return errorAt(scene_, "/leash" + started.error().where, started.error().what);
    leash_.emplace(std::move(*started));
    return capstan::done();
}

// Checks the numbers of nodes and segments as far as they are known at the start. A winch may add nodes later, and
// the part behind a cut does not exist yet. Such numbers are checked when the action is due.
Status Playback::checkNodes() const {
    std::set<std::string> growing;
    for (const Action& a : scene_.actions) {
        if (a.act == Act::Winch) growing.insert(a.rope);
    }
    Status status = capstan::done();
    auto check = [&](const std::string& rope, int index, bool segment, const std::string& pointer) {
        bool canReport = names_.count(rope) != 0 && growing.count(rope) == 0;
        if (status && canReport) status = checkIndex(rope, index, segment, pointer);
    };
    for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
        const Motion& m = scene_.motions[i];
        if (m.body.empty() && m.joint.empty() && m.cloth.empty()) {
            check(m.rope, m.node, false, "/motions/" + std::to_string(i) + "/node");
        }
    }
    for (std::size_t i = 0; i < scene_.actions.size(); ++i) {
        const Action& a = scene_.actions[i];
        std::string pointer = "/actions/" + std::to_string(i);
        if (a.node) check(a.rope, *a.node, false, pointer + "/node");
        if (a.segment) check(a.rope, *a.segment, true, pointer + "/segment");
    }
    const Expect& e = scene_.expect;
    auto place = [](const char* list, std::size_t i, const char* key) {
        return std::string("/expect/") + list + "/" + std::to_string(i) + "/" + key;
    };
    for (std::size_t i = 0; i < e.tension.size(); ++i) {
        check(e.tension[i].rope, e.tension[i].segment, true, place("tension", i, "segment"));
    }
    auto nodes = [&](const auto& all, const char* list) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].body.empty()) check(all[i].rope, all[i].node, false, place(list, i, "node"));
        }
    };
    nodes(e.speed, "speed");
    nodes(e.position, "position");
    nodes(e.height, "height");
    return status;
}

Status Playback::checkIndex(const std::string& name, int index, bool segment,
                            const std::string& pointer) const {
    RopeId id = rope(name);
    std::size_t count = segment ? world_.tensions(id).size() : world_.positions(id).size();
    if (indexOf(index, count) >= 0) return capstan::done();
    const char* what = segment ? "segment" : "node";
    return errorAt(scene_, pointer,
                   std::string("there is no ") + what + " " + std::to_string(index) + "; the rope has " +
                       std::to_string(count) + " " + what + "s");
}

Status Playback::startMotions() {
    for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
        const Motion& m = scene_.motions[i];
        std::string pointer = "/motions/" + std::to_string(i);
        Follower follower;
        follower.motion = i;
        if (Status status = startMotion(m, follower, pointer); !status) return status;
        follower.place = follower.start;
        Vec3 begins = placeAt(m, follower.start, 0);
        if (length(begins - follower.start) > 1e-3f + 1e-5f * length(follower.start)) {
            const char* what = follower.body ? "body" : follower.joint ? "joint" : "node";
            return errorAt(scene_, pointer + "/path/0",
                           "the path begins at " + vectorText(begins) + " but the " + what + " is at " +
                               vectorText(follower.start) +
                               "; begin it there, or give the first waypoint a later time");
        }
        followers_.push_back(follower);
    }
    return capstan::done();
}

Status Playback::startMotion(const Motion& m, Follower& follower, const std::string& pointer) const {
    if (!m.body.empty()) {
        follower.body = world_.find<BodyId>(m.body);
        follower.start = world_.pose(follower.body).position;
        follower.rotation = world_.pose(follower.body).rotation;
        return capstan::done();
    }
    if (!m.joint.empty()) {
        follower.joint = world_.find<JointId>(m.joint);
        const JointDef& def = world_.def(follower.joint);
        // A rope is dragged from the present position of its node.
        follower.start = def.frame1 ? world_.jointFrame(follower.joint, 1).position : def.anchor;
        if (!def.rope.empty()) {
            std::span<const Point> points = world_.positions(def.rope.id);
            follower.start = points[static_cast<std::size_t>(indexOf(def.node, points.size()))];
        }
        return capstan::done();
    }
    if (!m.cloth.empty()) {
        follower.cloth = world_.find<ClothId>(m.cloth);
        std::span<const Point> vertices = world_.positions(follower.cloth);
        follower.node = indexOf(m.node, vertices.size());
        if (follower.node < 0 || vertices[static_cast<std::size_t>(follower.node)].w != 0) {
            return errorAt(scene_, pointer + "/node",
                           "vertex " + std::to_string(m.node) + " is not pinned; add it to the cloth's pins");
        }
        follower.start = vertices[static_cast<std::size_t>(follower.node)];
        return capstan::done();
    }
    follower.rope = rope(m.rope);
    if (!follower.rope)
        return errorAt(scene_, pointer + "/rope",
                       "the rope must exist at the start, and a cut makes it later");
    std::span<const Point> points = world_.positions(follower.rope);
    follower.node = indexOf(m.node, points.size());
    if (follower.node < 0 || points[static_cast<std::size_t>(follower.node)].w != 0) {
        return errorAt(scene_, pointer + "/node",
                       "node " + std::to_string(m.node) + " is not pinned; add it to the rope's pins");
    }
    follower.start = points[static_cast<std::size_t>(follower.node)];
    return capstan::done();
}

int Playback::frameOf(float time) const {
    double frames = std::floor(static_cast<double>(time) * static_cast<double>(scene_.rate) + 0.5);
    return static_cast<int>(std::min(frames, 1e9));
}

const Report& Playback::frame() {
    FrameMark mark(this);
    int now = summary_.frames;
    while (next_ < order_.size() && frameOf(scene_.actions[order_[next_]].at) <= now) act(order_[next_++]);
    goOn();
    lead();
    if (!scene_.controls.empty() && !steered_) {
        Control c = controlAt(scene_.controls, (now + 1) / static_cast<double>(scene_.rate));
        world_.setControl(c.x, c.y);
    }
    if (leash_) doing_ = "/leash";
    if (leash_) leash_->drive(world_, 1 / scene_.rate);
    doing_.clear();
    auto begin = std::chrono::steady_clock::now();
    const Report& report = world_.step(1 / scene_.rate);
    summary_.stepSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++summary_.frames;
    if (leash_) leash_->look(world_, 1 / scene_.rate);
    watch(report);
    expectations_.look(*this);
    return report;
}

RopeId Playback::cut(RopeId id, int segment) {
    RopeId other = world_.cut(id, segment);
    split(id, other, segment);
    return other;
}

void Playback::steer(float x, float y) {
    steered_ = true;
    world_.setControl(x, y);
}

// ---- motions

// Moves each follower to its position at the end of the frame.
void Playback::lead() {
    double t = (summary_.frames + 1) / static_cast<double>(scene_.rate);
    for (Follower& follower : followers_) follower.over = follower.over || !lead(follower, t);
    doing_.clear();
}

bool Playback::lead(Follower& follower, double t) {
    const Motion& m = scene_.motions[follower.motion];
    doing_ = "/motions/" + std::to_string(follower.motion);
    bool there = follower.body    ? world_.isValid(follower.body)
                 : follower.joint ? world_.isValid(follower.joint)
                 : follower.cloth ? world_.isValid(follower.cloth)
                                  : find(follower);
    if (!there) return false;
    follower.place = placeAt(m, follower.start, t);
    Quatf rotation = rotationAt(m, follower.rotation, t);
    if (!std::isfinite(length(follower.place)) || !std::isfinite(length(rotation))) {
        std::string what = "the motion leads too far; at " + jsonNumber(static_cast<float>(t)) +
                           " s its position exceeds single precision";
        summary_.problems.push_back(errorAt(scene_, "/motions/" + std::to_string(follower.motion), what));
        return false;
    }
    if (follower.body) {
        world_.moveTo(follower.body, {follower.place, rotation});
    } else if (follower.joint) {
        world_.setTarget(follower.joint, follower.place);
    } else if (follower.cloth) {
        world_.pin({follower.cloth, follower.node}, follower.place);
    } else {
        world_.pin({follower.rope, follower.node}, follower.place);
    }
    return true;
}

// Updates the follower's node number in its rope. Returns false if the node was unpinned or no longer exists.
bool Playback::find(Follower& follower) const {
    if (!world_.isValid(follower.rope)) return false;
    std::span<const Point> points = world_.positions(follower.rope);
    auto here = [&](int i) {
        const Point& p = points[static_cast<std::size_t>(i)];
        return p.w == 0 && Vec3(p) == follower.place;
    };
    int count = static_cast<int>(points.size());
    if (follower.node < count && here(follower.node)) return true;
    bool fromLast = scene_.motions[follower.motion].node < 0;
    for (int k = 0; k < count; ++k) {
        int i = fromLast ? count - 1 - k : k;
        if (!here(i)) continue;
        follower.node = i;
        return true;
    }
    return false;
}

// After a cut, motions and winches behind the segment belong to the part behind it. If there is no such part, a ring
// was opened or an end segment was dropped, and find() searches for the nodes.
void Playback::split(RopeId id, RopeId other, int segment) {
    if (!other) return;
    for (Follower& follower : followers_) {
        if (follower.rope != id || follower.node <= segment) continue;
        follower.rope = other;
        follower.node -= segment + 1;
    }
    for (Running& r : running_) {
        if (r.rope && r.rope == id && *scene_.actions[r.action].node < 0) r.rope = other;
    }
}

} // namespace capstan
