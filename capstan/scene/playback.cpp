// SPDX-License-Identifier: MIT
// Playback: starting, and one frame after the other. What is remembered of them: summary.cpp.
#include <capstan/scene/playback.hpp>

#include <capstan/scene/json_text.hpp>
#include <capstan/scene/motion.hpp>

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

} // namespace

Playback::Playback(Scene scene)
    : scene_(std::move(scene)), world_(scene_.world), expectations_(scene_.expect) {}

Result<Playback> Playback::start(Scene scene) {
    if (Status status = checkScene(scene); !status) return status.error();
    try {
        Playback playback(std::move(scene));
        if (Status status = playback.addRopes(); !status) return status.error();
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
        return Error{"not enough memory for this scene", ""};
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
    // So that the only rope may be left out even where it has a name.
    if (scene_.ropes.size() == 1) names_[""] = names_[scene_.ropes[0].name];
    return capstan::done();
}

// A rope that is paid out may get the node later, and the part of a cut is not there yet: those are looked at
// when their time comes.
Status Playback::checkNodes() const {
    std::set<std::string> growing;
    for (const Action& a : scene_.actions) {
        if (a.act == Act::Winch) growing.insert(a.rope);
    }
    Status status = capstan::done();
    auto check = [&](const std::string& rope, int index, bool segment, const std::string& pointer) {
        bool canTell = names_.count(rope) != 0 && growing.count(rope) == 0;
        if (status && canTell) status = checkIndex(rope, index, segment, pointer);
    };
    for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
        check(scene_.motions[i].rope, scene_.motions[i].node, false,
              "/motions/" + std::to_string(i) + "/node");
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
    for (std::size_t i = 0; i < e.speed.size(); ++i) {
        check(e.speed[i].rope, e.speed[i].node, false, place("speed", i, "node"));
    }
    for (std::size_t i = 0; i < e.position.size(); ++i) {
        check(e.position[i].rope, e.position[i].node, false, place("position", i, "node"));
    }
    return status;
}

Status Playback::checkIndex(const std::string& name, int index, bool segment,
                            const std::string& pointer) const {
    RopeId id = rope(name);
    std::size_t count = segment ? world_.tension(id).size() : world_.points(id).size();
    if (indexOf(index, count) >= 0) return capstan::done();
    const char* what = segment ? "segment" : "node";
    return errorAt(scene_, pointer,
                   std::string("there is no ") + what + " " + std::to_string(index) + ": the rope has " +
                       std::to_string(count) + " " + what + "s");
}

Status Playback::startMotions() {
    for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
        const Motion& m = scene_.motions[i];
        std::string pointer = "/motions/" + std::to_string(i);
        RopeId id = rope(m.rope);
        if (!id) return errorAt(scene_, pointer + "/rope", "the rope is not there at the start");
        std::span<const Point> points = world_.points(id);
        int node = indexOf(m.node, points.size());
        if (node < 0 || points[static_cast<std::size_t>(node)].w != 0) {
            return errorAt(scene_, pointer + "/node",
                           "node " + std::to_string(m.node) + " is not pinned: add it to the rope's pins");
        }
        Vec3 start = points[static_cast<std::size_t>(node)];
        Vec3 begins = placeAt(m, start, 0);
        if (length(begins - start) > 1e-3f + 1e-5f * length(start)) {
            return errorAt(scene_, pointer + "/path/0",
                           "the path begins at " + vectorText(begins) + " but the node is at " +
                               vectorText(start) +
                               ": begin it there, or give the first waypoint a later time");
        }
        led_.push_back({i, id, node, start, start, false});
    }
    return capstan::done();
}

int Playback::frameOf(float time) const {
    double frames = std::floor(static_cast<double>(time) * static_cast<double>(scene_.rate) + 0.5);
    return static_cast<int>(std::min(frames, 1e9));
}

const Report& Playback::frame() {
    int now = summary_.frames;
    while (next_ < order_.size() && frameOf(scene_.actions[order_[next_]].at) <= now) act(order_[next_++]);
    goOn();
    lead();
    auto begin = std::chrono::steady_clock::now();
    const Report& report = world_.step(1 / scene_.rate);
    summary_.stepSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++summary_.frames;
    watch(report);
    expectations_.look(*this);
    return report;
}

// ---- actions

void Playback::act(std::size_t index) {
    const Action& a = scene_.actions[index];
    RopeId id = rope(a.rope);
    if (std::string why = whyNot(a, id); !why.empty()) {
        summary_.problems.push_back(errorAt(scene_, "/actions/" + std::to_string(index), why));
        return;
    }
    int now = summary_.frames;
    int frames = a.duration ? std::max(1, frameOf(*a.duration)) : 1;
    switch (a.act) {
    case Act::Cut:
        cut(a, id);
        break;
    case Act::Winch:
        world_.winch(id, *a.node, *a.speed);
        std::erase_if(running_, [&](const Running& r) { // a later winch at the same end takes over
            const Action& b = scene_.actions[r.action];
            return b.act == Act::Winch && r.rope == id && *b.node == *a.node;
        });
        if (a.duration) running_.push_back({index, id, now + frames});
        break;
    case Act::Pin: {
        std::span<const Point> points = world_.points(id);
        Vec3 here = points[static_cast<std::size_t>(indexOf(*a.node, points.size()))];
        world_.pin(id, *a.node, a.position ? *a.position : here);
        break;
    }
    case Act::Unpin:
        world_.unpin(id, *a.node);
        break;
    case Act::Push:
        world_.push(id, *a.node, *a.impulse);
        break;
    case Act::Pull:
        running_.push_back({index, id, now + frames});
        break;
    case Act::Remove:
        world_.remove(id);
        break;
    }
}

// Why an action cannot be done now; empty when it can.
std::string Playback::whyNot(const Action& a, RopeId id) const {
    if (!id) return "the rope is not there at " + jsonNumber(a.at) + " s";
    std::size_t nodes = world_.points(id).size(), segments = world_.tension(id).size();
    if (a.node && indexOf(*a.node, nodes) < 0) {
        return "there is no node " + std::to_string(*a.node) + " at " + jsonNumber(a.at) +
               " s: the rope has " + std::to_string(nodes) + " nodes";
    }
    if (a.segment && indexOf(*a.segment, segments) < 0) {
        return "there is no segment " + std::to_string(*a.segment) + " at " + jsonNumber(a.at) +
               " s: the rope has " + std::to_string(segments) + " segments";
    }
    if (a.act == Act::Cut && segments < 2) return "a rope of one segment cannot be cut";
    if (a.act == Act::Winch && world_.def(id).closed) return "a closed rope has no end for a winch";
    return "";
}

void Playback::cut(const Action& a, RopeId id) {
    int segment = indexOf(*a.segment, world_.tension(id).size());
    RopeId other = world_.cut(id, segment);
    split(id, other, segment);
    if (!other || a.part.empty()) return;
    names_[a.part] = other;
    // The name is free: checkScene knows all names of the scene.
    if (Status named = world_.edit(other, [&](RopeDef& d) { d.name = a.part; }); !named) {
        summary_.problems.push_back(named.error());
    }
}

// Pulls last while they last; winches stop when their time is over.
void Playback::goOn() {
    int now = summary_.frames;
    for (const Running& r : running_) {
        const Action& a = scene_.actions[r.action];
        if (!world_.alive(r.rope) || indexOf(*a.node, world_.points(r.rope).size()) < 0) continue;
        if (a.act == Act::Pull && now < r.until) world_.pull(r.rope, *a.node, *a.force);
        if (a.act == Act::Winch && now >= r.until) world_.winch(r.rope, *a.node, 0);
    }
    std::erase_if(running_, [&](const Running& r) { return now >= r.until; });
}

// ---- motions

void Playback::lead() {
    double t = (summary_.frames + 1) / static_cast<double>(scene_.rate);
    for (Led& led : led_) {
        if (led.over || !find(led)) {
            led.over = true;
            continue;
        }
        led.place = placeAt(scene_.motions[led.motion], led.start, t);
        world_.pin(led.rope, led.node, led.place);
    }
}

// Where the node is now among the nodes of its rope; false when it was let go or is no more.
bool Playback::find(Led& led) const {
    if (!world_.alive(led.rope)) return false;
    std::span<const Point> points = world_.points(led.rope);
    auto here = [&](int i) {
        const Point& p = points[static_cast<std::size_t>(i)];
        return p.w == 0 && Vec3(p) == led.place;
    };
    int count = static_cast<int>(points.size());
    if (led.node < count && here(led.node)) return true;
    bool fromLast = scene_.motions[led.motion].node < 0;
    for (int k = 0; k < count; ++k) {
        int i = fromLast ? count - 1 - k : k;
        if (!here(i)) continue;
        led.node = i;
        return true;
    }
    return false;
}

// What was led or wound behind the segment now belongs to the part behind it. (Where there is no such part,
// a ring opened or an end fell off, and find() sees where the nodes are now.)
void Playback::split(RopeId id, RopeId other, int segment) {
    if (!other) return;
    for (Led& led : led_) {
        if (led.rope != id || led.node <= segment) continue;
        led.rope = other;
        led.node -= segment + 1;
    }
    for (Running& r : running_) {
        if (r.rope == id && *scene_.actions[r.action].node < 0) r.rope = other;
    }
}

} // namespace capstan
