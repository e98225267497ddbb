// SPDX-License-Identifier: MIT
// This file implements Session::show, which fills the Frame for the window.
#include <apps/viewer/session/session.hpp>
#include <capstan/scene/field_types.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace capstan::viewer {
namespace {

std::string text(const char* format, double a, double b = 0, double c = 0) {
    char buffer[160];
    std::snprintf(buffer, sizeof buffer, format, a, b, c);
    return buffer;
}

std::string text(const char* format, Vec3 v) {
    return text(format, static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

void describeRope(const World& world, const Picked& p, Frame& f) {
    double mass = 0, rest = 0, most = 0;
    const std::size_t n = world.positions(p.rope).size();
    for (std::size_t i = 0; i < n; ++i)
        mass += static_cast<double>(world.mass({p.rope, static_cast<int>(i)}));
    for (float l : world.restLengths(p.rope)) rest += static_cast<double>(l);
    for (float t : world.tensions(p.rope)) most = std::max(most, static_cast<double>(t));
    std::span<const float> tension = world.tensions(p.rope);
    const std::size_t segment = std::min(static_cast<std::size_t>(p.node), tension.size() - 1);
    f.facts.push_back({"node", text("%.0f of %.0f", p.node, static_cast<double>(n))});
    f.facts.push_back({"tension here", text("%.5g N", static_cast<double>(tension[segment]))});
    f.facts.push_back({"largest tension", text("%.5g N", most)});
    f.facts.push_back({"stretch", text("%.4f %%", 100 * static_cast<double>(world.stretch(p.rope)))});
    f.facts.push_back({"rest length", text("%.4g m", rest)});
    f.facts.push_back({"mass", text("%.4g kg", mass)});
    f.facts.push_back({"position", text("%.3f  %.3f  %.3f m", positionOf(world, p))});
}

void describeBody(const World& world, BodyId body, Frame& f) {
    f.facts.push_back({"mass", text("%.4g kg", static_cast<double>(world.massProperties(body).mass))});
    f.facts.push_back({"centre", text("%.3f  %.3f  %.3f m", world.centerOfMass(body))});
    f.facts.push_back({"speed", text("%.3g m/s", static_cast<double>(length(world.velocity(body))))});
    f.facts.push_back(
        {"angular velocity", text("%.3g rad/s", static_cast<double>(length(world.angularVelocity(body))))});
}

void describeCloth(const World& world, const Picked& p, float hand, Frame& f) {
    const std::size_t n = world.positions(p.cloth).size();
    double mass = -static_cast<double>(hand);
    for (std::size_t i = 0; i < n; ++i)
        mass += static_cast<double>(world.mass({p.cloth, static_cast<int>(i)}));
    f.facts.push_back({"vertex", text("%.0f of %.0f", p.node, static_cast<double>(n))});
    f.facts.push_back(
        {"largest strain", text("%.3f %%", 100 * static_cast<double>(world.maxStrain(p.cloth)))});
    f.facts.push_back({"mean strain", text("%.3f %%", 100 * static_cast<double>(world.meanStrain(p.cloth)))});
    f.facts.push_back({"mass", text("%.4g kg", mass)});
    f.facts.push_back({"position", text("%.3f  %.3f  %.3f m", positionOf(world, p))});
}

void describeHair(const World& world, const Picked& p, Frame& f) {
    float pull = 0;
    for (const Point& x : world.strand(p.hair, p.node)) pull = std::max(pull, x.w);
    f.facts.push_back({"strand", text("%.0f of %.0f", p.node, world.strandCount(p.hair))});
    f.facts.push_back({"its tension", text("%.3g N", static_cast<double>(pull))});
    f.facts.push_back({"stretch", text("%.4f %%", 100 * static_cast<double>(world.maxStrain(p.hair)))});
    f.facts.push_back({"level of detail", text("%.0f", world.level(p.hair))});
    f.facts.push_back({"root", text("%.3f  %.3f  %.3f m", positionOf(world, p))});
}

void describeJoint(const World& world, JointId joint, Frame& f) {
    const JointForces r = world.jointForces(joint);
    f.facts.push_back({"force", text("%.5g N", static_cast<double>(length(r.force)))});
    f.facts.push_back({"torque", text("%.5g N m", static_cast<double>(length(r.torque)))});
    f.facts.push_back({"angle", text("%.1f deg", static_cast<double>(r.angle) * 57.29578)});
    f.facts.push_back({"distance", text("%.4g m", static_cast<double>(r.distance))});
    f.facts.push_back({"gap", text("%.2g m", static_cast<double>(r.gap))});
    if (r.broken) f.facts.push_back({"broken", "yes"});
}

} // namespace

std::string Session::nameOf(const Picked& p) const {
    const World& world = playback_->world();
    if (p.body && world.isValid(p.body)) return playback_->nameOf(p.body);
    if (p.rope && world.isValid(p.rope)) return playback_->nameOf(p.rope) + " node " + std::to_string(p.node);
    if (p.cloth && world.isValid(p.cloth))
        return playback_->nameOf(p.cloth) + " vertex " + std::to_string(p.node);
    if (p.hair && world.isValid(p.hair))
        return playback_->nameOf(p.hair) + " strand " + std::to_string(p.node);
    return "";
}

void Session::show(Frame& f) {
    const auto begin = std::chrono::steady_clock::now();
    f.problem = problem_;
    f.notice = notice_;
    f.notices = notices_;
    f.loaded = loaded();
    f.scene = scenes_;
    f.playing = playing_;
    f.speed = speed_;
    f.steps = steps_;
    f.facts.clear();
    f.notes.clear();
    f.samples.clear();
    f.samples.swap(samples_);
    if (!playback_) {
        f.view.clear();
        f.file = file_.string();
        f.contents = std::make_shared<const Contents>();
        return;
    }
    const World& world = playback_->world();
    if (!viewer::alive(world, hovered_)) hovered_ = {};
    if (!viewer::alive(world, selected_)) selected_ = {};
    if (selectedJoint_ && !world.isValid(selectedJoint_)) selectedJoint_ = {};
    look_.highlightBody = selected_.body;
    look_.highlightRope = selected_.rope;
    look_.highlightCloth = selected_.cloth;
    look_.highlightHair = selected_.hair;
    collector_.collect(*playback_, f.view, look_);
    f.file = playback_->scene().name;
    f.about = playback_->scene().about;
    f.camera = playback_->scene().camera;
    f.rate = playback_->scene().rate;
    f.time = world.time();
    f.report = world.report();
    f.world = world.def();
    showThings(f);
    showSelected(f);
    showLeash(f);
    showWhereabouts(f);
    showSeconds_ += std::chrono::duration<float>(std::chrono::steady_clock::now() - begin).count();
}

void Session::showThings(Frame& f) {
    listContents();
    f.contents = contents_;
    f.hovered = hovered_;
    f.hoveredName = nameOf(hovered_);
    f.pulling = grip_.holds();
    f.grabs = grabs_;
    f.held = grip_.held();
    f.goal = grip_.goal();
    f.force = grip_.force();
    f.controlX = controlX_;
    f.controlY = controlY_;
    f.ropeEnd = ropeEnd_ ? std::optional(ropeEnd_->point) : std::nullopt;
    const World& world = playback_->world();
    f.steerable = std::any_of(jointIds_.begin(), jointIds_.end(), [&](JointId id) {
        const JointDef& d = world.def(id);
        return d.controlX != 0 || d.controlY != 0;
    });
    for (const Error& e : playback_->scene().notes) f.notes.push_back(e.text());
    for (const Error& e : playback_->summary().problems) f.notes.push_back(e.text());
}

void Session::showSelected(Frame& f) {
    const World& world = playback_->world();
    f.selected = selected_;
    f.selectedJoint = selectedJoint_;
    f.selectedName = selectedJoint_ ? playback_->nameOf(selectedJoint_) : nameOf(selected_);
    f.selectedPinned = pinned(selected_);
    f.rope.reset();
    f.body.reset();
    f.joint.reset();
    f.cloth.reset();
    f.hair.reset();
    f.follow = 0.5f * (f.view.lower + f.view.upper);
    if (selected_) f.follow = positionOf(world, selected_);
    if (selected_.rope) {
        f.rope = world.def(selected_.rope);
        describeRope(world, selected_, f);
    } else if (selected_.body) {
        f.body = world.def(selected_.body);
        describeBody(world, selected_.body, f);
    } else if (selected_.cloth) {
        f.cloth = world.def(selected_.cloth);
        const bool held = grip_.picked().cloth == selected_.cloth;
        describeCloth(world, selected_, held ? grip_.hand() : 0, f);
    } else if (selected_.hair) {
        f.hair = world.def(selected_.hair);
        describeHair(world, selected_, f);
    } else if (selectedJoint_) {
        f.joint = world.def(selectedJoint_);
        describeJoint(world, selectedJoint_, f);
    }
}

void Session::showLeash(Frame& f) const {
    f.leash.reset();
    const LeashWalk* walk = playback_->leash();
    if (!walk) return;
    static constexpr const char* states[] = {"walking", "untangling", "untangled", "stuck"};
    static constexpr const char* phases[] = {"forming", "formed", "tightening", "locked", "broken"};
    LeashLine& l = f.leash.emplace();
    l.word = formatBraid(walk->word());
    l.letters = walk->word();
    l.strands = walk->dogCount();
    for (const LeashWalk::Dog& dog : walk->dogs()) l.slots.push_back(dog.leash.index);
    l.state = states[static_cast<std::size_t>(walk->state())];
    l.why = walk->stuckBecause();
    l.complexity = walk->complexity();
    l.peak = walk->peakComplexity();
    l.readings = walk->readings();
    l.refusals = walk->refusals();
    l.disagreements = walk->disagreements();
    l.untangling = walk->state() != LeashWalk::State::Walking;
    for (const UntangleMove& m : walk->plan()) {
        auto dog = [&](int i) { return walk->dogs()[static_cast<std::size_t>(i)].name; };
        l.plan.push_back(dog(m.mover) + (m.toTheRight ? " goes right" : " goes left") + " in front of " +
                         dog(m.other));
    }
    for (const Tangle& t : walk->tangles().all()) {
        if (!playback_->world().isValid(t.ropeA) || !playback_->world().isValid(t.ropeB)) continue;
        std::string ropes = playback_->nameOf(t.ropeA);
        if (t.ropeA != t.ropeB) ropes += " + " + playback_->nameOf(t.ropeB);
        l.tangles.push_back(
            {t.id.index, phases[static_cast<std::size_t>(t.phase)], ropes, t.wrapAngle, t.tension, t.sign});
    }
}

void Session::showWhereabouts(Frame& f) const {
    f.whereabouts.clear();
    if (!whereabouts_) return;
    using Kind = Whereabouts::Kind;
    constexpr std::size_t most = 40;
    const World& world = playback_->world();
    for (const auto& body : f.contents->bodies)
        if (f.whereabouts.size() < most)
            f.whereabouts.push_back({body.name, Kind::Body, world.centerOfMass(body.id)});
    for (const auto& rope : f.contents->ropes) {
        std::span<const Point> points = world.positions(rope.id);
        if (f.whereabouts.size() < 2 * most)
            f.whereabouts.push_back({rope.name, Kind::Rope, points[points.size() / 2]});
    }
    for (const auto& cloth : f.contents->cloths) {
        std::span<const Point> points = world.positions(cloth.id);
        if (f.whereabouts.size() < 3 * most)
            f.whereabouts.push_back({cloth.name, Kind::Cloth, points[points.size() / 2]});
    }
}

// The list is made again only when an object was added or removed.
void Session::listContents() {
    const World& world = playback_->world();
    std::vector<RopeId> ropes = world.ids<RopeId>();
    std::vector<BodyId> bodies = world.ids<BodyId>();
    std::vector<JointId> joints = world.ids<JointId>();
    std::vector<ClothId> cloths = world.ids<ClothId>();
    std::vector<HairId> hairs = world.ids<HairId>();
    if (contents_ && ropes == ropeIds_ && bodies == bodyIds_ && joints == jointIds_ && cloths == clothIds_ &&
        hairs == hairIds_)
        return;
    ropeIds_.swap(ropes);
    bodyIds_.swap(bodies);
    jointIds_.swap(joints);
    clothIds_.swap(cloths);
    hairIds_.swap(hairs);
    auto list = std::make_shared<Contents>();
    for (RopeId id : ropeIds_) list->ropes.push_back({id, playback_->nameOf(id)});
    for (ClothId id : clothIds_) list->cloths.push_back({id, playback_->nameOf(id)});
    for (HairId id : hairIds_) list->hairs.push_back({id, playback_->nameOf(id)});
    for (BodyId id : bodyIds_) list->bodies.push_back({id, playback_->nameOf(id)});
    for (JointId id : jointIds_) {
        const char* type = word(world.def(id).type);
        list->joints.push_back({id, playback_->nameOf(id) + " (" + type + ")"});
    }
    contents_ = std::move(list);
}

} // namespace capstan::viewer
