// SPDX-License-Identifier: MIT
// capstan run simulates a scene from start to end without a window, and reports the events as text or JSON.
#include <apps/capstan/commands/output.hpp>
#include <apps/capstan/commands/print.hpp>
#include <apps/capstan/commands/progress.hpp>

#include <capstan/scene/json_text.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace capstan::cli {
namespace {

std::string describe(const Happening& h) {
    using Kind = Event::Kind;
    if (h.event.kind == Kind::Quarantined) {
        return fmt::format("{:.3f} s: {} was frozen, because its state was not finite", h.time, h.name);
    }
    if (h.event.kind == Kind::Tore) {
        return fmt::format("{:.3f} s: {} tore at vertex {} under a strain of {:.3g} %", h.time, h.name,
                           h.event.elementA, 100 * static_cast<double>(h.event.strain));
    }
    std::string where = (h.event.kind == Kind::Broke && h.event.a.kind == ObjectKind::Rope)
                            ? fmt::format(" at segment {}", h.event.elementA)
                            : "";
    return fmt::format("{:.3f} s: {} broke{} under {}", h.time, h.name, where,
                       quantity(static_cast<double>(h.event.force), "N"));
}

const char* word(Event::Kind kind) {
    static constexpr const char* words[] = {"contactBegin", "contactPersist", "contactEnd",
                                            "broke",        "tore",           "quarantined"};
    return words[static_cast<std::size_t>(kind)];
}

std::string backendText(const BackendInfo& r) {
    const char* words[] = {"scalar", "simd", "cuda"};
    const std::string word = words[int(r.backend)];
    return r.why.empty() ? word : fmt::format("{} ({})", word, r.why);
}

std::string bodiesText(const Playback& p) {
    std::size_t all = p.scene().bodies.size(), joints = p.scene().joints.size(), free = 0;
    for (const BodyDef& b : p.scene().bodies) free += b.type == BodyType::Dynamic ? 1 : 0;
    return fmt::format("{}, {} of them free to move, {} joint{}", all, free, joints, joints == 1 ? "" : "s");
}

// drives returns true if the scene has a joint that can add or remove energy.
bool drives(const Scene& scene) {
    auto driven = [](const JointDef& j) {
        return j.type == JointType::Motor || j.type == JointType::Servo || j.type == JointType::Drag ||
               j.turn.damping > 0 || j.slide.damping > 0 || j.distance.damping > 0 ||
               (j.slide.target && j.slide.compliance == 0) || (j.turn.target && j.turn.compliance == 0);
    };
    return std::any_of(scene.joints.begin(), scene.joints.end(), driven);
}

void line(const char* title, const std::string& text) { fmt::print("  {:<14} {}\n", title, text); }

const char* stateOf(const LeashWalk& walk) {
    static constexpr const char* words[] = {"walking", "untangling", "untangled", "stuck"};
    return words[static_cast<std::size_t>(walk.state())];
}

void printLeash(const LeashWalk& walk) {
    line("leashes", fmt::format("{} dogs, {}{}", walk.dogCount(), stateOf(walk),
                                walk.stuckBecause().empty() ? "" : ": " + walk.stuckBecause()));
    line("braid", fmt::format("{}: {} letter{}, at most {} on the way; {} moves walked",
                              formatBraid(walk.word()), walk.complexity(), walk.complexity() == 1 ? "" : "s",
                              walk.peakComplexity(), walk.movesDone()));
    line("", fmt::format("read from the leashes {} times, {} times not readable, {} times another braid",
                         walk.readings(), walk.refusals(), walk.disagreements()));
    line("tangles", fmt::format("{} formed, {} left", walk.tangles().formed(), walk.tangles().count()));
}

// leashJson describes a leash walk as JSON, always with the same fields, or gives null without a walk.
std::string leashJson(const LeashWalk* walk) {
    if (!walk) return "null";
    std::string tangles;
    for (const Tangle& t : walk->tangles().all()) {
        static constexpr const char* phases[] = {"forming", "formed", "tightening", "locked", "broken"};
        tangles += fmt::format(
            "{}{{\"id\": {}, \"phase\": \"{}\", \"wrapAngle\": {}, \"tension\": {}, \"ratio\": {}, "
            "\"bound\": {}, \"restDistance\": {}, \"sign\": {}, \"age\": {}}}",
            tangles.empty() ? "" : ", ", t.id.index, phases[static_cast<std::size_t>(t.phase)],
            jsonNumber(t.wrapAngle), jsonNumber(t.tension), jsonNumber(t.ratio), jsonNumber(t.bound),
            jsonNumber(t.restDistance), t.sign, jsonNumber(t.age));
    }
    return fmt::format(
        "{{\"dogs\": {}, \"state\": \"{}\", \"word\": {}, \"complexity\": {}, "
        "\"peakComplexity\": {}, \"moves\": {}, \"readings\": {}, \"refusals\": {}, "
        "\"disagreements\": {}, \"tanglesFormed\": {}, \"tangles\": [{}], \"stuckBecause\": {}}}",
        walk->dogCount(), stateOf(*walk), jsonString(formatBraid(walk->word())), walk->complexity(),
        walk->peakComplexity(), walk->movesDone(), walk->readings(), walk->refusals(), walk->disagreements(),
        walk->tangles().formed(), tangles, jsonString(walk->stuckBecause()));
}

void printText(const Playback& p, const RunOptions& options) {
    const Summary& s = p.summary();
    const WorldDef& world = p.world().def();
    fmt::print("{}\n{}", options.scene, wrapped(p.scene().about, "  "));
    line("simulated", fmt::format("{:.4g} s in {}: {:.3g} times as fast as real time", s.time,
                                  quantity(s.stepSeconds, "s"), s.time / s.stepSeconds));
    line("frames",
         fmt::format("{} of 1/{:.4g} s, {} substep{}, {}, {} thread{}", s.frames, p.scene().rate,
                     world.substeps, world.substeps == 1 ? "" : "s", backendText(p.world().backendInfo()),
                     world.threads, world.threads == 1 ? "" : "s"));
    if (!p.scene().bodies.empty()) line("bodies", bodiesText(p));
    for (ClothId id : p.world().ids<ClothId>()) {
        line("cloth",
             fmt::format("{}: {} vertices, {} triangles; strain at most {:.3g} %, now {:.3g} % and {:.3g} % "
                         "on average; {} tear{}",
                         p.nameOf(id), p.world().positions(id).size(), p.world().triangles(id).size(),
                         100 * static_cast<double>(s.maxClothStrain),
                         100 * static_cast<double>(p.world().maxStrain(id)),
                         100 * static_cast<double>(p.world().meanStrain(id)), s.tears,
                         s.tears == 1 ? "" : "s"));
    }
    if (!p.scene().joints.empty()) {
        line("largest gap",
             quantity(static_cast<double>(s.maxGap), "m") + " between the two sides of a joint");
    }
    if (s.peakForce > 0) {
        line("peak force",
             fmt::format("{} in {}, at {:.3g} s", quantity(static_cast<double>(s.peakForce), "N"),
                         s.peakJoint, s.peakForceTime));
    }
    if (!p.scene().ropes.empty() || p.leash())
        line("peak stretch", percent(static_cast<double>(s.maxStretch)) + " of the length of a rope");
    if (s.scale > 0) {
        bool worked =
            !p.scene().motions.empty() || !p.scene().actions.empty() || drives(p.scene()) || p.leash();
        double change = (s.energyNow.total() - s.energyStart.total()) / s.scale;
        line("energy", fmt::format("{}{} of the {} at play{}", change > 0 ? "+" : "", percent(change),
                                   quantity(s.scale, "J"),
                                   worked ? " (motions, actions, drives and dogs do work)" : ""));
    }
    if (s.peakTension > 0) {
        // Tension over the rope's weight is shown only if no joint connects a rope to a body, whose weight would
        // dominate.
        bool alone = std::all_of(p.scene().joints.begin(), p.scene().joints.end(),
                                 [](const JointDef& j) { return j.rope.empty(); });
        double weights = alone && s.peakWeight > 0 ? static_cast<double>(s.peakTension) / s.peakWeight : 0;
        line("peak tension",
             fmt::format(
                 "{} in {}, segment {}, at {:.3g} s{}", quantity(static_cast<double>(s.peakTension), "N"),
                 s.peakRope, s.peakSegment, s.peakTime,
                 weights > 0 ? fmt::format(": {:.3g} times the weight of the rope and its loads", weights)
                             : ""));
    }
    if (s.heldStill > 0) {
        line("held still",
             fmt::format("{} substeps in which the solver stopped objects that it could not solve",
                         s.heldStill));
    }
    if (world.contact && (s.contacts > 0 || s.truncated > 0 || s.minSeparationRatio < 1)) {
        line("contact",
             fmt::format("{} contact points with a force at the end, {} moves shortened by the step bound, "
                         "least distance of ropes {} of the distance at which they touch",
                         s.contacts, s.truncated, percent(static_cast<double>(s.minSeparationRatio))));
    }
    if (p.leash()) printLeash(*p.leash());
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < s.happenings.size() && i < most; ++i)
        line("event", describe(s.happenings[i]));
    if (s.happenings.size() > most) line("", fmt::format("and {} more events", s.happenings.size() - most));
    if (options.hash) line("hash", fmt::format("{:016x}", p.world().hash()));
    for (const std::string& file : options.out) line("written", file);
}

void printJson(const Playback& p, const RunOptions& options, const StepTimes& times) {
    const Summary& s = p.summary();
    auto number = [](double x) { return jsonNumber(x); };
    fmt::print("{{\n  \"scene\": {},\n  \"about\": {},\n", jsonString(options.scene),
               jsonString(p.scene().about));
    fmt::print("  \"frames\": {},\n  \"seconds\": {},\n  \"wallSeconds\": {},\n  \"timesRealTime\": {},\n",
               s.frames, number(s.time), number(s.stepSeconds), number(s.time / s.stepSeconds));
    fmt::print("  \"deviceSeconds\": {},\n", number(s.deviceSeconds));
    fmt::print("  \"phases\": {{");
    for (int i = 0; i < StepTimes::phases; ++i)
        fmt::print("{}\"{}\": {}", i == 0 ? "" : ", ", StepTimes::name(StepPhase(i)),
                   jsonNumber(times[StepPhase(i)]));
    fmt::print("}},\n");
    fmt::print("  \"maxStretch\": {},\n  \"maxStrain\": {},\n  \"maxGap\": {},\n", jsonNumber(s.maxStretch),
               jsonNumber(s.maxStrain), jsonNumber(s.maxGap));
    fmt::print("  \"bodies\": {},\n  \"joints\": {},\n", p.scene().bodies.size(), p.scene().joints.size());
    fmt::print("  \"peakForce\": {{\"value\": {}, \"joint\": {}, \"time\": {}}},\n", jsonNumber(s.peakForce),
               jsonString(s.peakJoint), number(s.peakForceTime));
    fmt::print("  \"energy\": {{\"start\": {}, \"end\": {}, \"scale\": {}, \"rise\": {}, \"loss\": {}}},\n",
               number(s.energyStart.total()), number(s.energyNow.total()), number(s.scale), number(s.rise),
               number(s.loss));
    fmt::print("  \"peakTension\": {{\"value\": {}, \"rope\": {}, \"segment\": {}, \"time\": {}, \"weight\": "
               "{}}},\n",
               jsonNumber(s.peakTension), jsonString(s.peakRope), s.peakSegment, number(s.peakTime),
               number(s.peakWeight));
    fmt::print("  \"solves\": {},\n  \"retries\": {},\n  \"heldStill\": {},\n  \"quarantined\": {},\n",
               s.solves, s.retries, s.heldStill, s.quarantined);
    fmt::print("  \"contacts\": {},\n  \"truncated\": {},\n  \"halvedSubsteps\": {},\n  "
               "\"minSeparationRatio\": {},\n",
               s.contacts, s.truncated, s.halvedSubsteps, jsonNumber(s.minSeparationRatio));
    fmt::print("  \"leash\": {},\n", leashJson(p.leash()));
    fmt::print("  \"finite\": {},\n  \"events\": [", s.finite);
    for (std::size_t i = 0; i < s.happenings.size(); ++i) {
        const Happening& h = s.happenings[i];
        const ObjectKind kind = h.event.a.kind;
        const char* who = kind == ObjectKind::Rope    ? "rope"
                          : kind == ObjectKind::Joint ? "joint"
                          : kind == ObjectKind::Cloth ? "cloth"
                                                      : "body";
        fmt::print("{}\n    {{\"time\": {}, \"kind\": \"{}\", \"{}\": {}, \"segment\": {}, \"tension\": {}}}",
                   i == 0 ? "" : ",", number(h.time), word(h.event.kind), who, jsonString(h.name),
                   h.event.elementA, jsonNumber(h.event.force));
    }
    fmt::print("{}],\n  \"hash\": \"{:016x}\"\n}}\n", s.happenings.empty() ? "" : "\n  ", p.world().hash());
}

// live formats the line that a terminal shows during a leash walk.
std::string live(const LeashWalk& walk) {
    return fmt::format("{:6.1f} s  {:<10}  {} tangle{}  braid {}", walk.time(), stateOf(walk),
                       walk.tangles().count(), walk.tangles().count() == 1 ? "" : "s",
                       formatBraid(walk.word()));
}

// play simulates the scene to its end and gives every frame to every Output.
std::optional<Error> play(Playback& p, const RunOptions& options,
                          std::vector<std::unique_ptr<Output>>& outputs, StepTimes& times) {
    Progress progress;
    p.world().setStepTiming(options.json);
    for (auto& out : outputs)
        if (Status s = out->add(p); !s) return s.error();
    while (!p.done()) {
        p.frame();
        for (int i = 0; i < StepTimes::phases; ++i)
            times[StepPhase(i)] += p.world().stepTimes()[StepPhase(i)];
        for (auto& out : outputs)
            if (Status s = out->add(p); !s) return s.error();
        if (p.leash() && outputs.empty())
            progress.show(live(*p.leash()));
        else
            progress.show(options.scene, p.summary().frames / static_cast<double>(p.scene().frames));
    }
    for (auto& out : outputs)
        if (Status s = out->close(); !s) return s.error();
    return {};
}

} // namespace

int run(const RunOptions& options) {
    Result<Scene> scene = load(options.scene, options.world);
    if (!scene) return fail(scene.error());
    if (options.frames > 0) scene->frames = options.frames;
    scene->expect = {}; // expectations are evaluated only by `capstan check`
    Result<Playback> started = Playback::start(std::move(*scene));
    if (!started) return fail(started.error());
    Playback& p = *started;

    if (Status s = checkPlaces(options); !s) return fail(s.error(), failed);
    Result<std::vector<std::unique_ptr<Output>>> outputs = openOutputs(options, p);
    if (!outputs) return fail(outputs.error());
    StepTimes times;
    if (std::optional<Error> error = play(p, options, *outputs, times)) return fail(*error, failed);
    if (options.json)
        printJson(p, options, times);
    else
        printText(p, options);
    for (const Error& problem : p.summary().problems) fail(problem);
    if (!p.summary().finite) fail({"the run did not stay finite", options.scene});
    return p.summary().problems.empty() && p.summary().finite ? success : failed;
}

} // namespace capstan::cli
