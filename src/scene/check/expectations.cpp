// SPDX-License-Identifier: MIT
// See expectations.hpp.
#include <capstan/scene/expectations.hpp>

#include <capstan/scene/field_types.hpp>
#include <capstan/scene/playback.hpp>
#include <capstan/topology/linking.hpp>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>

namespace capstan {
namespace {

template <class... A> std::string print(const char* format, A... a) {
    char text[200];
    std::snprintf(text, sizeof text, format, a...);
    return text;
}

template <class E> constexpr bool hasPeak = requires(E e) { e.peak; };

template <class E> std::string moment(const E& e) {
    if (e.at) return print(" at %g s", static_cast<double>(*e.at));
    return "";
}
std::string of(const std::string& name) { return name.empty() ? "" : " of " + name; }
// Returns text such as "speed of crate" or "peak speed of line, node -1 at 2 s".
template <class E> std::string ofWhom(const char* what, const E& e) {
    if (!e.body.empty()) return what + of(e.body) + moment(e);
    return what + of(e.rope) + ", node " + std::to_string(e.node) + moment(e);
}

std::string describe(const ExpectTension& e) {
    return (e.peak ? "peak tension" : "tension") + of(e.rope) + ", segment " + std::to_string(e.segment) +
           moment(e);
}
std::string describe(const ExpectSpeed& e) { return ofWhom(e.peak ? "peak speed" : "speed", e); }
std::string describe(const ExpectAngularSpeed& e) {
    return (e.peak ? "peak angular speed" : "angular speed") + of(e.body) + moment(e);
}
std::string describe(const ExpectPosition& e) { return ofWhom("position", e); }
std::string describe(const ExpectHeight& e) { return ofWhom(e.peak ? "peak height" : "height", e); }
std::string describe(const ExpectLength& e) { return "length" + of(e.rope) + moment(e); }
std::string describe(const ExpectJoint& e) {
    return (e.peak ? "peak " : "") + std::string(word(e.what)) + of(e.joint) + moment(e);
}
std::string describe(const ExpectContact& e) {
    return (e.peak ? "peak contact" : "contact") + of(e.body.empty() ? e.rope : e.body) + " with " +
           (e.otherBody.empty() ? e.otherRope : e.otherBody) + moment(e);
}

const char* unitOf(const ExpectTension&) { return "N"; }
const char* unitOf(const ExpectSpeed&) { return "m/s"; }
const char* unitOf(const ExpectAngularSpeed&) { return "rad/s"; }
const char* unitOf(const ExpectHeight&) { return "m"; }
const char* unitOf(const ExpectLength&) { return "m"; }
const char* unitOf(const ExpectJoint& e) {
    static constexpr const char* units[] = {"rad", "m", "N", "N m", "m"};
    return units[static_cast<std::size_t>(e.what)];
}
const char* unitOf(const ExpectContact&) { return "N"; }
// Tolerances of these types are in the unit of the value; all other tolerances are fractions of the value.
template <class E>
constexpr bool absolute =
    std::is_same_v<E, ExpectHeight> || std::is_same_v<E, ExpectLength> || std::is_same_v<E, ExpectJoint>;

// Position [m] and velocity [m/s] of a node or body. find() returns nullopt if it does not exist.
struct Moving {
    Vec3 place, velocity;
};
template <class E> std::optional<Moving> find(const Playback& now, const E& e) {
    const World& world = now.world();
    if (!e.body.empty()) {
        BodyId body = world.find<BodyId>(e.body);
        if (!body) return {};
        return Moving{world.pose(body).position, world.velocity(body)};
    }
    RopeId rope = now.rope(e.rope);
    if (!rope) return {};
    int i = indexOf(e.node, world.positions(rope).size());
    if (i < 0) return {};
    auto k = static_cast<std::size_t>(i);
    return Moving{world.positions(rope)[k], world.velocities(rope)[k]};
}

std::string percent(float fraction) { return print("%g %%", 100 * static_cast<double>(fraction)); }

// Returns the largest speed of all nodes and bodies [m/s]. The comparison is written so that a NaN becomes the
// result.
double fastest(const World& world) {
    double most = 0;
    auto see = [&](Vec3 v) {
        double speed = static_cast<double>(length(v));
        if (!(speed <= most)) most = speed;
    };
    for (RopeId id : world.ids<RopeId>()) {
        for (const Point& v : world.velocities(id)) see(v);
    }
    for (BodyId id : world.ids<BodyId>()) see(world.velocity(id));
    for (ClothId id : world.ids<ClothId>()) {
        for (const Point& v : world.velocities(id)) see(v);
    }
    return most;
}

// One side of a contact: a rope or a body.
struct Side {
    RopeId rope = {};
    BodyId body = {};
    explicit operator bool() const { return bool(rope) || bool(body); }
    bool operator==(const Side& b) const { return rope == b.rope && body == b.body; }
};
Side sideOf(const Playback& now, const std::string& rope, const std::string& body) {
    if (!body.empty()) return {{}, now.world().find<BodyId>(body)};
    return {now.rope(rope), {}};
}

// Returns the linking number, or NaN if the centre lines touch, because it is undefined there.
double linkingOf(const World& world, RopeId a, RopeId b) {
    std::vector<Vec3> points[2];
    bool closed[2];
    for (int k : {0, 1}) {
        const RopeId id = k == 0 ? a : b;
        for (const Point& p : world.positions(id)) points[k].push_back(p);
        closed[k] = world.tensions(id).size() == points[k].size();
    }
    if (closed[0] && closed[1]) {
        Result<int> whole = linkingNumber(std::span<const Vec3>(points[0]), std::span<const Vec3>(points[1]));
        return whole ? *whole : std::numeric_limits<double>::quiet_NaN();
    }
    for (int k : {0, 1})
        if (closed[k]) points[k].push_back(points[k].front());
    return gaussIntegral(std::span<const Vec3>(points[0]), std::span<const Vec3>(points[1]));
}

std::string vectorText(Vec3 v) {
    return print("[%g, %g, %g] m", static_cast<double>(v.x), static_cast<double>(v.y),
                 static_cast<double>(v.z));
}

} // namespace

Expectations::Expectations(const Expect& e)
    : tension_(e.tension.size()), speed_(e.speed.size()), spin_(e.angularSpeed.size()),
      position_(e.position.size()), height_(e.height.size()), length_(e.length.size()),
      joint_(e.joint.size()), contact_(e.contact.size()), linking_(e.linking.size()) {}

Expectations::Seen Expectations::see(const Playback& now, const ExpectTension& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    std::span<const float> tension = now.world().tensions(id);
    int i = indexOf(e.segment, tension.size());
    if (i < 0) return {};
    return {true, static_cast<double>(tension[static_cast<std::size_t>(i)])};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectSpeed& e) {
    std::optional<Moving> found = find(now, e);
    if (!found) return {};
    return {true, static_cast<double>(length(found->velocity))};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectAngularSpeed& e) {
    BodyId body = now.world().find<BodyId>(e.body);
    if (!body) return {};
    return {true, static_cast<double>(length(now.world().angularVelocity(body)))};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectPosition& e) {
    std::optional<Moving> found = find(now, e);
    if (!found) return {};
    return {true, static_cast<double>(length(found->place - e.value)), found->place};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectHeight& e) {
    std::optional<Moving> found = find(now, e);
    if (!found) return {};
    return {true, static_cast<double>(found->place.y)};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectJoint& e) {
    JointId joint = now.world().find<JointId>(e.joint);
    if (!joint) return {};
    JointForces r = now.world().jointForces(joint);
    const float values[] = {r.angle, r.distance, length(r.force), length(r.torque), r.gap};
    return {true, static_cast<double>(values[static_cast<std::size_t>(e.what)])};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectLength& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    double rest = 0;
    for (float l : now.world().restLengths(id)) rest += static_cast<double>(l);
    return {true, rest * (1 + static_cast<double>(now.world().stretch(id)))};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectContact& e) {
    const Side one = sideOf(now, e.rope, e.body), other = sideOf(now, e.otherRope, e.otherBody);
    if (!one || !other) return {};
    double sum = 0;
    for (const Contact& c : now.world().contacts()) {
        const Side a = {c.a.as<RopeId>(), c.a.as<BodyId>()}, b = {c.b.as<RopeId>(), c.b.as<BodyId>()};
        if ((a == one && b == other) || (a == other && b == one)) sum += static_cast<double>(c.force);
    }
    return {true, sum};
}

void Expectations::lookAtLinking(const Playback& now) {
    const std::vector<ExpectLinking>& list = now.scene().expect.linking;
    for (std::size_t i = 0; i < list.size(); ++i) {
        Wound& w = linking_[i];
        const RopeId a = now.rope(list[i].rope), b = now.rope(list[i].otherRope);
        w.there = w.there && a && b;
        if (!w.there) continue;
        const double here = linkingOf(now.world(), a, b);
        if (now.summary().frames == 0) {
            w.expected = list[i].value ? static_cast<double>(*list[i].value) : here;
            w.got = here;
        }
        // The comparison is written so that a NaN becomes the result and stays.
        if (!std::isnan(w.got) && !(std::abs(here - w.expected) <= std::abs(w.got - w.expected)))
            w.got = here;
    }
}

template <class E>
void Expectations::lookAt(const Playback& now, const std::vector<E>& list, std::vector<Seen>& seen) {
    int frame = now.summary().frames;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].at && now.frameOf(*list[i].at) == frame) seen[i] = see(now, list[i]);
        if constexpr (hasPeak<E>) {
            if (!list[i].peak) continue;
            Seen here = see(now, list[i]);
            // The comparison is written so that a NaN becomes the result and stays.
            if (here.there && (!seen[i].there || !(here.value <= seen[i].value))) seen[i] = here;
        }
    }
}

void Expectations::look(const Playback& now) {
    const Expect& e = now.scene().expect;
    lookAt(now, e.tension, tension_);
    lookAt(now, e.speed, speed_);
    lookAt(now, e.angularSpeed, spin_);
    lookAt(now, e.position, position_);
    lookAt(now, e.height, height_);
    lookAt(now, e.length, length_);
    lookAt(now, e.joint, joint_);
    lookAt(now, e.contact, contact_);
    lookAtLinking(now);
}

template <class E>
void Expectations::compare(const Playback& now, const std::vector<E>& list, const std::vector<Seen>& seen,
                           std::vector<CheckLine>& lines) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const E& e = list[i];
        bool remembered = e.at.has_value();
        if constexpr (hasPeak<E>) remembered = remembered || e.peak;
        Seen got = remembered ? seen[i] : see(now, e);
        CheckLine line;
        line.what = describe(e);
        double tolerance = static_cast<double>(e.tolerance);
        if constexpr (std::is_same_v<E, ExpectPosition>) {
            line.expected = vectorText(e.value) + print(" within %g m", tolerance);
            line.got = vectorText(got.place) + print(", %g m away", got.value);
            line.ok = got.there && got.value <= tolerance;
        } else {
            double value = static_cast<double>(e.value);
            line.expected = print("%g %s within ", value, unitOf(e)) +
                            (absolute<E> ? print("%g %s", tolerance, unitOf(e)) : percent(e.tolerance));
            line.got = print("%g %s", got.value, unitOf(e));
            line.ok =
                got.there && std::abs(got.value - value) <= (absolute<E> ? 1 : std::abs(value)) * tolerance;
        }
        if (!got.there) line.got = "the object is gone, or has no such part";
        lines.push_back(line);
    }
}

void Expectations::compareLinking(const std::vector<ExpectLinking>& list,
                                  std::vector<CheckLine>& lines) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Wound& w = linking_[i];
        const double tolerance = static_cast<double>(list[i].tolerance);
        lines.push_back({w.there && std::abs(w.got - w.expected) <= tolerance,
                         "linking of " + list[i].rope + " with " + list[i].otherRope,
                         print("%g within %g all the time", w.expected, tolerance),
                         w.there ? print("%g", w.got) : "one of the ropes is gone"});
    }
}

std::vector<CheckLine> Expectations::check(const Playback& now) const {
    const Expect& e = now.scene().expect;
    const Summary& s = now.summary();
    std::vector<CheckLine> lines;
    for (const Error& problem : s.problems) lines.push_back({false, "action", "can be done", problem.text()});
    if (e.finite)
        lines.push_back({s.finite, "finite", "every number", s.finite ? "every number" : "not every number"});
    auto atMost = [&](const char* what, const std::optional<float>& limit, double got, const char* unit) {
        if (!limit) return;
        double most = static_cast<double>(*limit);
        lines.push_back({got <= most, what, print("at most %g%s", most, unit), print("%g%s", got, unit)});
    };
    atMost("maxStretch", e.maxStretch, static_cast<double>(s.maxStretch), "");
    atMost("maxStrain", e.maxStrain, static_cast<double>(s.maxStrain), "");
    atMost("maxGap", e.maxGap, static_cast<double>(s.maxGap), " m");
    atMost("maxClothStrain", e.maxClothStrain, static_cast<double>(s.maxClothStrain), "");
    double meanStrain = 0, lowest = std::numeric_limits<double>::infinity();
    for (ClothId id : now.world().ids<ClothId>()) {
        meanStrain = std::max(meanStrain, static_cast<double>(now.world().meanStrain(id)));
        for (const Point& p : now.world().positions(id)) lowest = std::min(lowest, static_cast<double>(p.y));
    }
    atMost("meanClothStrain", e.meanClothStrain, meanStrain, "");
    if (e.clothAbove) {
        const double least = static_cast<double>(*e.clothAbove);
        lines.push_back(
            {lowest >= least, "clothAbove", print("at least %g m", least), print("%g m", lowest)});
    }
    atMost("energyRise", e.energyRise, s.rise, "");
    atMost("energyLoss", e.energyLoss, s.loss, "");
    if (e.restsWithin) atMost("restsWithin", e.restsWithin, fastest(now.world()), " m/s");
    auto count = [&](const char* what, const std::optional<int>& limit, long long got, bool most) {
        if (!limit) return;
        lines.push_back({most ? got <= *limit : got >= *limit, what,
                         print(most ? "at most %d" : "at least %d", *limit), print("%lld", got)});
    };
    count("heldStill", e.heldStill, s.heldStill, true);
    count("minTears", e.minTears, s.tears, false);
    count("minContacts", e.minContacts, s.contacts, false);
    count("maxContacts", e.maxContacts, s.contacts, true);
    count("truncated", e.truncated, s.truncated, true);
    if (e.minSeparationRatio) {
        const double least = static_cast<double>(*e.minSeparationRatio),
                     got = static_cast<double>(s.minSeparationRatio);
        lines.push_back({got >= least, "minSeparationRatio", print("at least %g", least), print("%g", got)});
    }
    if (e.untangled) {
        static constexpr const char* states[] = {"walking", "untangling", "untangled", "stuck"};
        const LeashWalk* walk = now.leash();
        const bool got = walk && walk->state() == LeashWalk::State::Untangled;
        const int wrong = walk ? walk->disagreements() : 0;
        lines.push_back({got == *e.untangled && wrong == 0, "untangled", *e.untangled ? "yes" : "no",
                         !walk       ? std::string("the scene has no leash")
                         : wrong > 0 ? print("%d readings of the leashes gave another braid", wrong)
                                     : std::string(states[static_cast<std::size_t>(walk->state())])});
    }
    if (e.breaks) {
        lines.push_back({s.breaks == *e.breaks, "breaks", print("%d", *e.breaks), print("%d", s.breaks)});
    }
    compare(now, e.tension, tension_, lines);
    compare(now, e.speed, speed_, lines);
    compare(now, e.angularSpeed, spin_, lines);
    compare(now, e.position, position_, lines);
    compare(now, e.height, height_, lines);
    compare(now, e.length, length_, lines);
    compare(now, e.joint, joint_, lines);
    compare(now, e.contact, contact_, lines);
    compareLinking(e.linking, lines);
    if (!e.hash.empty()) {
        std::string got = print("%016" PRIx64, now.world().hash());
        lines.push_back({got == e.hash, "hash", e.hash, got});
    }
    return lines;
}

} // namespace capstan
