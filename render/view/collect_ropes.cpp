// SPDX-License-Identifier: MIT
// This file implements collect.hpp for ropes: nodes, ends and heat.
#include <render/view/collect.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::render {
namespace {

struct Yarns {
    Color color, second;
};
constexpr Yarns kYarns[] = {
    {{0.68f, 0.14f, 0.12f}, {0.92f, 0.86f, 0.76f}}, {{0.13f, 0.34f, 0.62f}, {0.86f, 0.88f, 0.90f}},
    {{0.90f, 0.62f, 0.13f}, {0.28f, 0.20f, 0.14f}}, {{0.10f, 0.48f, 0.42f}, {0.90f, 0.88f, 0.78f}},
    {{0.50f, 0.24f, 0.50f}, {0.90f, 0.80f, 0.62f}}, {{0.78f, 0.64f, 0.42f}, {0.62f, 0.46f, 0.27f}},
    {{0.85f, 0.38f, 0.12f}, {0.16f, 0.24f, 0.36f}}, {{0.30f, 0.32f, 0.35f}, {0.88f, 0.70f, 0.25f}}};

constexpr float kIron = 7800; // kg/m^3: loads are drawn as iron balls of the same mass

} // namespace

Color ropeColor(std::uint32_t number) { return kYarns[number % 8].color; }
Color ropeSecondColor(std::uint32_t number) { return kYarns[number % 8].second; }

// ropeEnds draws pins as small bolts and loads as iron balls.
void Collector::ropeEnds(const World& world, RopeId id, SceneView& view) const {
    const RopeDef& d = world.def(id);
    const std::span<const Point> p = world.positions(id);
    const auto ball = [&](IdKind kind, int node, float radius, Color color) {
        const Point at = p[node];
        view.solids.push_back({SolidKind::Sphere,
                               {at, Quatf::identity()},
                               {radius, 0, 0},
                               color,
                               0.3f,
                               idOf(kind, id.index, id.generation, std::uint32_t(node))});
        view.include(at, radius);
    };
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i].w == 0) ball(IdKind::Pin, int(i), std::max(1.9f * d.radius, 0.004f), {0.34f, 0.35f, 0.37f});
    for (const LoadDef& load : d.loads) {
        const int node = indexOf(load.node, p.size());
        if (node < 0 || !(load.mass > 0)) continue;
        const float r = std::cbrt(0.2387f * load.mass / kIron);
        if (r > 1.2f * d.radius) ball(IdKind::Load, node, r, {0.22f, 0.23f, 0.25f});
    }
}

void Collector::ropes(const World& world, SceneView& view, const CollectOptions& options) {
    ropes_ = world.ids<RopeId>();
    for (RopeId id : ropes_) {
        const RopeDef& d = world.def(id);
        const std::span<const Point> p = world.positions(id);
        const std::span<const float> rest = world.restLengths(id);
        Tube t;
        t.first = int(view.tubePoints.size());
        t.count = int(p.size());
        t.closed = d.closed;
        t.radius = d.radius;
        // The middle segment gives the spacing, since winches change the rest lengths at the ends.
        t.spacing = rest.empty() ? d.radius : rest[rest.size() / 2];
        t.color = ropeColor(id.index);
        t.second = ropeSecondColor(id.index);
        if (id == options.highlightRope) t.color = t.second = {1.0f, 0.93f, 0.65f};
        t.id = idOf(IdKind::Rope, id.index, id.generation, 0);
        view.tubes.push_back(t);
        view.tubePoints.resize(view.tubePoints.size() + p.size());
        Vec4* to = view.tubePoints.data() + t.first;
        Vec3 lower = {1e30f, 1e30f, 1e30f}, upper = -lower;
        for (const Point& q : p) {
            *to++ = {q.x, q.y, q.z, q.w};
            lower = min(lower, Vec3(q));
            upper = max(upper, Vec3(q));
        }
        if (!p.empty()) {
            view.include(lower, d.radius);
            view.include(upper, d.radius);
        }
        ropeEnds(world, id, view);
    }
    if (options.heat != Heat::None) heat(world, view, options);
}

void Collector::heat(const World& world, SceneView& view, const CollectOptions& options) {
    view.heat = options.heat;
    view.tubeHeat.assign(view.tubePoints.size(), 0.0f);
    std::vector<float>& h = view.tubeHeat;
    const auto firstOf = [&](RopeId id) { // returns the index of the rope's first point, or -1
        const auto at = std::find(ropes_.begin(), ropes_.end(), id);
        return at == ropes_.end() ? -1 : view.tubes[at - ropes_.begin()].first;
    };
    for (std::size_t k = 0; options.heat != Heat::ContactForce && k < ropes_.size(); ++k) {
        const Tube& t = view.tubes[k];
        const std::span<const float> rest = world.restLengths(ropes_[k]), tension = world.tensions(ropes_[k]);
        for (std::size_t s = 0; s < rest.size(); ++s) {
            const std::size_t a = std::size_t(t.first) + s,
                              b = std::size_t(t.first) + (s + 1) % std::size_t(t.count);
            const Vec4 p = view.tubePoints[a], q = view.tubePoints[b];
            const float l = length(Vec3{q.x - p.x, q.y - p.y, q.z - p.z});
            const float value = options.heat == Heat::Tension ? tension[s]
                                : rest[s] > 0                 ? l / rest[s] - 1
                                                              : 0;
            h[a] = std::max(h[a], value);
            h[b] = std::max(h[b], value);
        }
    }
    if (options.heat == Heat::ContactForce) {
        const auto press = [&](RopeId id, int segment, float force) {
            const int start = id ? firstOf(id) : -1;
            if (start < 0) return;
            const Tube& t = *std::find_if(view.tubes.begin(), view.tubes.end(),
                                          [&](const Tube& x) { return x.first == start; });
            for (int node : {segment, segment + 1}) h[t.first + node % t.count] += 0.5f * force;
        };
        for (const Contact& c : world.contacts()) {
            press(c.a.as<RopeId>(), c.elementA, c.force);
            press(c.b.as<RopeId>(), c.elementB, c.force);
        }
    }
    const float largest = h.empty() ? 0 : *std::max_element(h.begin(), h.end());
    high_ = std::max(0.99f * high_, largest);
    view.heatLow = 0;
    view.heatHigh = options.heatHigh > 0 ? options.heatHigh : std::max(high_, 1e-6f);
    for (float& x : h) x = std::clamp(x / view.heatHigh, 0.0f, 1.0f);
}

} // namespace capstan::render
