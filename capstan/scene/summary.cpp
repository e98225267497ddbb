// SPDX-License-Identifier: MIT
// What Playback remembers of its frames.
#include <capstan/scene/playback.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {

std::string Playback::nameOf(RopeId id) const {
    const std::string& name = world_.def(id).name;
    return name.empty() ? "#" + std::to_string(id.index) : name;
}

RopeId Playback::rope(const std::string& name) const {
    auto found = names_.find(name);
    return found != names_.end() && world_.alive(found->second) ? found->second : RopeId{};
}

void Playback::startSummary() {
    double g = static_cast<double>(length(world_.def().gravity));
    for (RopeId id : world_.ropes()) {
        std::span<const Point> points = world_.points(id);
        double all = 0, free = 0, rest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            double mass = static_cast<double>(world_.mass(id, static_cast<int>(i)));
            all += mass;
            if (points[i].w > 0) free += mass;
        }
        for (float l : world_.restLengths(id)) rest += static_cast<double>(l);
        weights_[id.index] = all * g;
        summary_.scale += free * g * rest;
    }
    summary_.energyStart = summary_.energyNow = world_.energy();
    summary_.scale += summary_.energyStart.kinetic + summary_.energyStart.elastic;
}

void Playback::watch(const Report& report) {
    Summary& s = summary_;
    s.time = s.frames / static_cast<double>(scene_.rate);
    s.maxStretch = std::max(s.maxStretch, report.maxStretch);
    s.maxStrain = std::max(s.maxStrain, report.maxStrain);
    s.solves += report.solves;
    s.retries += report.retries;
    s.lastResorts += report.lastResorts;
    s.quarantined = report.quarantined;
    s.energyNow = world_.energy();
    double change = s.energyNow.total() - s.energyStart.total();
    // With no energy at play, any change is without measure.
    double part = change == 0 ? 0 : change / (s.scale > 0 ? s.scale : std::numeric_limits<double>::min());
    s.rise = std::max(s.rise, part);
    s.loss = std::max(s.loss, -part);
    s.finite =
        s.finite && std::isfinite(change) && std::isfinite(report.maxStrain) && report.quarantined == 0;
    watchRopes();
    watchEvents();
}

void Playback::watchRopes() {
    for (RopeId id : world_.ropes()) {
        for (const Point& p : world_.points(id)) {
            summary_.finite =
                summary_.finite && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
        }
        std::span<const float> tension = world_.tension(id);
        auto most = std::max_element(tension.begin(), tension.end());
        if (most == tension.end() || !(*most > summary_.peakTension)) continue;
        summary_.peakTension = *most;
        summary_.peakRope = nameOf(id);
        summary_.peakSegment = static_cast<int>(most - tension.begin());
        summary_.peakTime = summary_.time;
        summary_.peakWeight = weights_[id.index];
    }
}

void Playback::watchEvents() {
    for (const Event& e : world_.events()) {
        if (e.kind == Event::Kind::RopeBroke) {
            ++summary_.breaks;
            split(e.rope, e.other, e.segment);
        }
        bool again =
            e.kind == Event::Kind::RopeQuarantined &&
            std::any_of(summary_.happenings.begin(), summary_.happenings.end(),
                        [&](const Happening& h) { return h.event.kind == e.kind && h.event.rope == e.rope; });
        if (!again) summary_.happenings.push_back({summary_.time, e, nameOf(e.rope)});
    }
}

} // namespace capstan
