// SPDX-License-Identifier: MIT
// See expectations.hpp.
#include <capstan/scene/expectations.hpp>

#include <capstan/scene/playback.hpp>

#include <cinttypes>
#include <cmath>
#include <cstdio>

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
std::string ofRope(const std::string& name) { return name.empty() ? "" : " of " + name; }

std::string describe(const ExpectTension& e) {
    return (e.peak ? "peak tension" : "tension") + ofRope(e.rope) + ", segment " + std::to_string(e.segment) +
           moment(e);
}
std::string describe(const ExpectSpeed& e) {
    return (e.peak ? "peak speed" : "speed") + ofRope(e.rope) + ", node " + std::to_string(e.node) +
           moment(e);
}
std::string describe(const ExpectPosition& e) {
    return "position" + ofRope(e.rope) + ", node " + std::to_string(e.node) + moment(e);
}
std::string describe(const ExpectLength& e) { return "length" + ofRope(e.rope) + moment(e); }

std::string percent(float fraction) { return print("%g %%", 100 * static_cast<double>(fraction)); }

std::string vectorText(Vec3 v) {
    return print("[%g, %g, %g] m", static_cast<double>(v.x), static_cast<double>(v.y),
                 static_cast<double>(v.z));
}

} // namespace

Expectations::Expectations(const Expect& e)
    : tension_(e.tension.size()), speed_(e.speed.size()), position_(e.position.size()),
      length_(e.length.size()) {}

Expectations::Seen Expectations::see(const Playback& now, const ExpectTension& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    std::span<const float> tension = now.world().tension(id);
    int i = indexOf(e.segment, tension.size());
    if (i < 0) return {};
    return {true, static_cast<double>(tension[static_cast<std::size_t>(i)])};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectSpeed& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    std::span<const Point> v = now.world().velocities(id);
    int i = indexOf(e.node, v.size());
    if (i < 0) return {};
    return {true, static_cast<double>(length(Vec3(v[static_cast<std::size_t>(i)])))};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectPosition& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    std::span<const Point> x = now.world().points(id);
    int i = indexOf(e.node, x.size());
    if (i < 0) return {};
    Vec3 place = x[static_cast<std::size_t>(i)];
    return {true, static_cast<double>(length(place - e.value)), place};
}

Expectations::Seen Expectations::see(const Playback& now, const ExpectLength& e) {
    RopeId id = now.rope(e.rope);
    if (!id) return {};
    double rest = 0;
    for (float l : now.world().restLengths(id)) rest += static_cast<double>(l);
    return {true, rest * (1 + static_cast<double>(now.world().stretch(id)))};
}

template <class E>
void Expectations::lookAt(const Playback& now, const std::vector<E>& list, std::vector<Seen>& seen) {
    int frame = now.summary().frames;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].at && now.frameOf(*list[i].at) == frame) seen[i] = see(now, list[i]);
        if constexpr (hasPeak<E>) {
            if (!list[i].peak) continue;
            Seen here = see(now, list[i]);
            // Written so that a number that is not a number is kept.
            if (here.there && (!seen[i].there || !(here.value <= seen[i].value))) seen[i] = here;
        }
    }
}

void Expectations::look(const Playback& now) {
    const Expect& e = now.scene().expect;
    lookAt(now, e.tension, tension_);
    lookAt(now, e.speed, speed_);
    lookAt(now, e.position, position_);
    lookAt(now, e.length, length_);
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
            constexpr bool absolute = std::is_same_v<E, ExpectLength>;
            const char* unit = absolute ? "m" : std::is_same_v<E, ExpectTension> ? "N" : "m/s";
            line.expected = print("%g %s within ", value, unit) +
                            (absolute ? print("%g m", tolerance) : percent(e.tolerance));
            line.got = print("%g %s", got.value, unit);
            line.ok =
                got.there && std::abs(got.value - value) <= (absolute ? 1 : std::abs(value)) * tolerance;
        }
        if (!got.there) line.got = "the rope is gone or has no such part";
        lines.push_back(line);
    }
}

std::vector<CheckLine> Expectations::check(const Playback& now) const {
    const Expect& e = now.scene().expect;
    const Summary& s = now.summary();
    std::vector<CheckLine> lines;
    for (const Error& problem : s.problems) lines.push_back({false, "action", "can be done", problem.text()});
    if (e.finite)
        lines.push_back({s.finite, "finite", "every number", s.finite ? "every number" : "some are not"});
    auto atMost = [&](const char* what, const std::optional<float>& limit, double got, const char* unit) {
        if (!limit) return;
        double most = static_cast<double>(*limit);
        lines.push_back({got <= most, what, print("at most %g%s", most, unit), print("%g%s", got, unit)});
    };
    atMost("maxStretch", e.maxStretch, static_cast<double>(s.maxStretch), "");
    atMost("maxStrain", e.maxStrain, static_cast<double>(s.maxStrain), "");
    atMost("energyRise", e.energyRise, s.rise, "");
    atMost("energyLoss", e.energyLoss, s.loss, "");
    if (e.restsWithin) {
        double fastest = 0;
        for (RopeId id : now.world().ropes()) {
            for (const Point& v : now.world().velocities(id)) {
                double speed = static_cast<double>(length(Vec3(v)));
                if (!(speed <= fastest)) fastest = speed;
            }
        }
        atMost("restsWithin", e.restsWithin, fastest, " m/s");
    }
    if (e.lastResorts) {
        lines.push_back({s.lastResorts <= *e.lastResorts, "lastResorts", print("at most %d", *e.lastResorts),
                         print("%lld", s.lastResorts)});
    }
    if (e.breaks) {
        lines.push_back({s.breaks == *e.breaks, "breaks", print("%d", *e.breaks), print("%d", s.breaks)});
    }
    compare(now, e.tension, tension_, lines);
    compare(now, e.speed, speed_, lines);
    compare(now, e.position, position_, lines);
    compare(now, e.length, length_, lines);
    if (!e.hash.empty()) {
        std::string got = print("%016" PRIx64, now.world().hash());
        lines.push_back({got == e.hash, "hash", e.hash, got});
    }
    return lines;
}

} // namespace capstan
