// SPDX-License-Identifier: MIT
// See debug_draw.hpp. It reads a World through public calls only.
#include <capstan/debug_draw.hpp>

#include <cstdio>
#include <string>

namespace capstan {
namespace {

constexpr Vec3 kRed = {0.9f, 0.2f, 0.15f}, kGreen = {0.2f, 0.75f, 0.25f}, kBlue = {0.25f, 0.45f, 0.95f},
               kYellow = {1.0f, 0.8f, 0.2f}, kWhite = {1, 1, 1}, kGray = {0.6f, 0.6f, 0.6f},
               kCyan = {0.2f, 0.8f, 0.85f};

// The renderer with the options, and helper functions for shapes made of lines.
struct Pen {
    const World& world;
    DebugDraw& draw;
    const DebugDrawOptions& options;

    void words(Vec3 at, const char* format, double value, Vec3 color) const {
        if (!options.numbers) return;
        char text[48];
        std::snprintf(text, sizeof text, format, value);
        draw.text(at, text, color);
    }
    void axes(const Transform& at, float length) const {
        draw.line(at.position, at.position + length * axisX(at.rotation), kRed);
        draw.line(at.position, at.position + length * axisY(at.rotation), kGreen);
        draw.line(at.position, at.position + length * axisZ(at.rotation), kBlue);
    }
    // Draws an arc around `axis` from angle a to angle b [rad]; the direction `zero` has the angle 0.
    void arc(Vec3 center, Vec3 axis, Vec3 zero, float radius, float a, float b, Vec3 color) const {
        const Vec3 side = cross(axis, zero);
        constexpr int steps = 24;
        Vec3 before = center;
        for (int i = 0; i <= steps; ++i) {
            const SinCos<float> t = sincos(a + (b - a) * float(i) / float(steps));
            const Vec3 here = center + radius * (t.cos * zero + t.sin * side);
            if (i > 0) draw.line(before, here, color);
            before = here;
        }
    }
    void arrow(Vec3 from, Vec3 along, Vec3 color) const {
        const float l = length(along);
        if (!(l > 0)) return;
        const Vec3 to = from + along, u = (1 / l) * along, side = (0.2f * l) * perpendicular(u);
        draw.line(from, to, color);
        draw.line(to, to - (0.25f * l) * u + side, color);
        draw.line(to, to - (0.25f * l) * u - side, color);
    }
    void box(Vec3 lower, Vec3 upper, Vec3 color) const {
        const auto corner = [&](int i) {
            return Vec3{i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z};
        };
        for (int i = 0; i < 8; ++i)
            for (int bit : {1, 2, 4})
                if (!(i & bit)) draw.line(corner(i), corner(i | bit), color);
    }
};

void drawLimits(const Pen& pen, const JointDef& d, const Transform& a, const Transform& b,
                const JointForces& now) {
    const Vec3 x = axisX(a.rotation), y = axisY(a.rotation);
    const float r = pen.options.axisLength;
    switch (d.type) {
    case JointType::Hinge:
    case JointType::Servo:
    case JointType::Motor:
        if (d.turn.min || d.turn.max) {
            const float low = d.turn.min.value_or(-3.1415927f), high = d.turn.max.value_or(3.1415927f);
            pen.arc(a.position, x, y, r, low, high, kYellow);
            for (float end : {low, high}) {
                const SinCos<float> t = sincos(end);
                pen.draw.line(a.position, a.position + r * (t.cos * y + t.sin * cross(x, y)), kYellow);
            }
        }
        pen.draw.line(a.position, a.position + r * axisY(b.rotation), kWhite);
        pen.words(a.position + r * axisY(b.rotation), "%.2f rad", double(now.angle), kWhite);
        break;
    case JointType::Ball:
        if (d.swing.max) {
            const SinCos<float> t = sincos(*d.swing.max);
            const Vec3 center = a.position + (r * t.cos) * x;
            pen.arc(center, x, y, r * t.sin, 0, 6.2831853f, kYellow);
            for (Vec3 side : {y, -y, cross(x, y), -cross(x, y)})
                pen.draw.line(a.position, center + (r * t.sin) * side, kYellow);
        }
        pen.draw.line(a.position, a.position + r * axisX(b.rotation), kWhite);
        break;
    case JointType::Prismatic:
    case JointType::Cylinder:
        if (d.slide.min || d.slide.max) {
            const float low = d.slide.min.value_or(-r), high = d.slide.max.value_or(r);
            pen.draw.line(a.position + low * x, a.position + high * x, kYellow);
            for (float end : {low, high}) {
                const Vec3 at = a.position + end * x, side = (0.3f * r) * y;
                pen.draw.line(at - side, at + side, kYellow);
            }
        }
        pen.draw.point(b.position, 7, kWhite);
        pen.words(b.position, "%.3g m", double(now.distance), kWhite);
        break;
    default:
        pen.draw.line(a.position, b.position, kYellow);
    }
}

void drawJoints(const Pen& pen) {
    for (JointId id : pen.world.ids<JointId>()) {
        const JointDef& d = pen.world.def(id);
        const JointForces now = pen.world.jointForces(id);
        if (!d.enabled || now.broken) continue;
        const Transform a = pen.world.jointFrame(id, 0), b = pen.world.jointFrame(id, 1);
        if (pen.options.jointFrames) {
            pen.axes(a, pen.options.axisLength);
            pen.axes(b, 0.7f * pen.options.axisLength);
            if (const float f = length(now.force); f > 0) pen.words(b.position, "%.3g N", double(f), kCyan);
        }
        if (pen.options.jointLimits) drawLimits(pen, d, a, b, now);
    }
}

void drawContacts(const Pen& pen) {
    for (const Contact& c : pen.world.contacts()) {
        pen.draw.point(c.point, 4, c.slipping ? kYellow : kRed);
        pen.arrow(c.point, (pen.options.forceScale * c.force) * c.normal, kRed);
        pen.arrow(c.point, pen.options.forceScale * c.friction, kYellow);
        if (c.force > 0)
            pen.words(c.point + (pen.options.forceScale * c.force) * c.normal, "%.3g N", double(c.force),
                      kRed);
    }
}

void drawTangles(const Pen& pen, std::span<const Tangle> tangles) {
    for (const Tangle& t : tangles) {
        if (t.phase == TanglePhase::Forming || t.phase == TanglePhase::Broken) continue;
        const Vec3 color = t.sign > 0 ? kGreen : kBlue;
        const float r = 0.3f * pen.options.axisLength;
        pen.draw.point(t.point, t.locked ? 12 : 8, color);
        pen.arc(t.point, {0, 1, 0}, {1, 0, 0}, r, 0, 6.2831853f, color);
        pen.arc(t.point, {1, 0, 0}, {0, 1, 0}, r, 0, 6.2831853f, color);
        pen.words(t.point, t.sign > 0 ? "+ %.0f deg" : "- %.0f deg", double(t.wrapAngle) * 57.29578, color);
        for (RopeId rope : {t.ropeA, t.ropeB}) { // segments of the tangle's arcs
            if (!pen.world.isValid(rope)) continue;
            const bool first = rope == t.ropeA;
            const std::span<const Point> p = pen.world.positions(rope);
            const int from = first ? t.firstA : t.firstB, to = first ? t.lastA : t.lastB;
            for (int i = from; i <= to && i + 1 < int(p.size()); ++i)
                pen.draw.line(p[i], p[std::size_t(i) + 1], color);
        }
    }
}

void grow(Vec3& lower, Vec3& upper, Vec3 center, Vec3 half) {
    lower = min(lower, center - half);
    upper = max(upper, center + half);
}

// Returns half the size of the axis-aligned box around a shape that is centred on its position.
Vec3 halfExtent(const ShapeDef& s, const Quatf& q) {
    const Vec3 x = abs(axisX(q)), y = abs(axisY(q)), z = abs(axisZ(q));
    const Vec3 r = {s.radius, s.radius, s.radius}, one = {1, 1, 1};
    switch (s.kind) {
    case ShapeKind::Box:
        return 0.5f * (s.size.x * x + s.size.y * y + s.size.z * z);
    case ShapeKind::Capsule:
        return (0.5f * s.length) * y + r;
    case ShapeKind::Cylinder: {
        const Vec3 across = max(one - multiply(y, y), Vec3{0, 0, 0});
        return (0.5f * s.length) * y + s.radius * Vec3{sqrt(across.x), sqrt(across.y), sqrt(across.z)};
    }
    default:
        return r;
    }
}

void drawBounds(const Pen& pen) {
    constexpr Vec3 nothing = {1e30f, 1e30f, 1e30f};
    for (RopeId id : pen.world.ids<RopeId>()) {
        const float r = pen.world.def(id).radius;
        Vec3 lower = nothing, upper = -nothing;
        for (const Point& p : pen.world.positions(id)) grow(lower, upper, p, {r, r, r});
        if (lower.x <= upper.x) pen.box(lower, upper, kGray);
    }
    for (BodyId id : pen.world.ids<BodyId>()) {
        const BodyDef& d = pen.world.def(id);
        const Transform at = pen.world.pose(id);
        Vec3 lower = nothing, upper = -nothing;
        for (std::size_t i = 0; i <= d.parts.size(); ++i) {
            const ShapeDef& s = i == 0 ? d.shape : d.parts[i - 1];
            const Vec3 center = at.point(s.position);
            const Quatf q = normalize(at.rotation * s.rotation);
            if (s.kind == ShapeKind::None || s.kind == ShapeKind::Plane) continue; // a plane is not bounded
            if (s.kind == ShapeKind::Hull || s.kind == ShapeKind::Mesh) {
                for (Vec3 p : s.points) grow(lower, upper, center + rotate(q, p), {0, 0, 0});
            } else {
                grow(lower, upper, center, halfExtent(s, q));
            }
        }
        if (lower.x <= upper.x) pen.box(lower, upper, kCyan);
    }
}

void drawNodes(const Pen& pen) {
    for (RopeId id : pen.world.ids<RopeId>()) {
        const std::span<const Point> p = pen.world.positions(id);
        for (std::size_t i = 0; i < p.size(); ++i) {
            pen.draw.point(p[i], p[i].w == 0 ? 9 : 4, p[i].w == 0 ? kRed : kWhite);
            if (i > 0) pen.draw.line(p[i - 1], p[i], kGray);
        }
        if (pen.world.def(id).closed && p.size() > 1) pen.draw.line(p.back(), p.front(), kGray);
    }
}

void drawCenters(const Pen& pen) {
    for (BodyId id : pen.world.ids<BodyId>()) {
        const MassProperties& m = pen.world.massProperties(id);
        if (!(m.mass > 0)) continue;
        const Transform at = pen.world.pose(id);
        pen.draw.point(at.point(m.centerOfMass), 6, kYellow);
        pen.axes({at.point(m.centerOfMass), normalize(at.rotation * m.axes)}, 0.6f * pen.options.axisLength);
    }
}

} // namespace

void drawDebug(const World& world, DebugDraw& draw, const DebugDrawOptions& options,
               std::span<const Tangle> tangles) {
    const Pen pen{world, draw, options};
    if (options.bounds) drawBounds(pen);
    if (options.nodes) drawNodes(pen);
    if (options.centers) drawCenters(pen);
    if (options.jointFrames || options.jointLimits) drawJoints(pen);
    if (options.contacts) drawContacts(pen);
    if (options.tangles) drawTangles(pen, tangles);
}

} // namespace capstan
