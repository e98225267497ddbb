// SPDX-License-Identifier: MIT
// This file implements collect.hpp for bodies, display meshes, dogs and debug drawing. Ropes are in
// collect_ropes.cpp.
#include <render/view/collect.hpp>

#include "builder/hull.hpp"
#include <render/view/figures.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::render {
namespace {

Transform operator*(const Transform& a, const Transform& b) {
    return {a.point(b.position), normalize(a.rotation * b.rotation)};
}

// IntoView adds the lines and points of debug drawing to a SceneView.
class IntoView : public DebugDraw {
public:
    explicit IntoView(SceneView& view) : view_(view) {}
    void line(Vec3 from, Vec3 to, Vec3 color) override { view_.lines.push_back({from, to, color, true}); }
    void point(Vec3 at, float pixels, Vec3 color) override {
        view_.dots.push_back({at, color, pixels, true});
    }
    void text(Vec3 at, std::string_view words, Vec3 color) override {
        view_.labels.push_back({at, std::string(words), color});
    }

private:
    SceneView& view_;
};

std::shared_ptr<const Geometry> geometryOf(const ShapeDef& s) {
    if (s.kind == ShapeKind::Mesh) {
        Geometry g;
        g.points = s.points;
        g.triangles = s.triangles;
        g.twoSided = true;
        return std::make_shared<Geometry>(std::move(g));
    }
    if (s.kind != ShapeKind::Hull) return nullptr;
    std::vector<Vec3d> points;
    for (Vec3 p : s.points) points.push_back(widen(p));
    const ConvexHull hull = convexHull(points);
    Geometry g;
    for (Vec3d p : hull.corners) g.points.push_back(narrow(p));
    g.triangles = hull.triangles;
    return std::make_shared<Geometry>(std::move(g));
}

void includeShape(SceneView& view, const Transform& at, const ShapeDef& s) {
    switch (s.kind) {
    case ShapeKind::Box:
        for (int i = 0; i < 8; ++i)
            view.include(at.point(0.5f * multiply(s.size, Vec3{i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f,
                                                               i & 4 ? 1.0f : -1.0f})));
        break;
    case ShapeKind::Sphere:
        view.include(at.position, s.radius);
        break;
    case ShapeKind::Capsule:
    case ShapeKind::Cylinder:
        view.include(at.point({0, 0.5f * s.length, 0}), s.radius);
        view.include(at.point({0, -0.5f * s.length, 0}), s.radius);
        break;
    default:
        for (Vec3 p : s.points) view.include(at.point(p));
    }
}

// A horizontal infinite plane is the ground. Any other plane is drawn as a slab as large as the scene.
void addPlane(SceneView& view, const Transform& at, Color color, std::uint64_t name) {
    const float side = std::max(2.0f, 1.5f * length(view.upper - view.lower));
    Solid slab;
    slab.kind = SolidKind::Box;
    slab.size = {side, 0.02f, side};
    slab.color = color;
    slab.id = name;
    slab.at = at * Transform{{0, -0.01f, 0}, Quatf::identity()};
    view.solids.push_back(slab);
}

Color brighter(Color c) { return 0.55f * c + 0.45f * Color{1.0f, 0.95f, 0.75f}; }

bool hasPlane(const BodyDef& d, Transform at, float& height) {
    bool found = false;
    const auto look = [&](const ShapeDef& s) {
        if (s.kind != ShapeKind::Plane) return;
        const Transform t = at * Transform{s.position, s.rotation};
        if (axisY(t.rotation).y < 0.999f) return;
        height = found ? std::max(height, t.position.y) : t.position.y;
        found = true;
    };
    look(d.shape);
    for (const ShapeDef& s : d.parts) look(s);
    return found;
}

} // namespace

Color bodyColor(std::uint32_t number) {
    static constexpr Color all[] = {{0.85f, 0.52f, 0.30f}, {0.33f, 0.54f, 0.68f}, {0.78f, 0.68f, 0.42f},
                                    {0.52f, 0.62f, 0.40f}, {0.64f, 0.42f, 0.50f}, {0.42f, 0.48f, 0.64f}};
    return all[number % 6];
}

void Collector::forget() { *this = Collector(); }

void Collector::hide(BodyId id) {
    if (hidden_.size() <= id.index) hidden_.resize(id.index + 1);
    hidden_[id.index] = 1;
}
bool Collector::hidden(BodyId id) const { return id.index < hidden_.size() && hidden_[id.index]; }

void Collector::begin(const World& world, SceneView& view) {
    view.clear();
    if (world.time() < time_) forget();
    std::fill(hidden_.begin(), hidden_.end(), char(0));
}

// A horizontal plane sets the height of the ground. Without one, the ground lies a little below all objects, and its
// height never rises.
void Collector::end(const World& world, SceneView& view, const CollectOptions& options,
                    std::span<const Tangle> tangles) {
    float height = 0;
    bool plane = false;
    for (BodyId id : world.ids<BodyId>()) {
        float h = 0;
        if (!hasPlane(world.def(id), world.pose(id), h)) continue;
        height = plane ? std::max(height, h) : h;
        plane = true;
    }
    if (!plane && view.lower.x <= view.upper.x) {
        const float below = view.lower.y - 0.08f * length(view.upper - view.lower);
        height = groundKnown_ ? std::min(ground_, view.lower.y) : below;
    }
    ground_ = height;
    groundKnown_ = true;
    view.groundHeight = height;
    time_ = world.time();
    IntoView into(view);
    drawDebug(world, into, options.debug, tangles);
}

void Collector::body(const World& world, BodyId id, SceneView& view, const CollectOptions& options) {
    const BodyDef& d = world.def(id);
    const Transform at = world.pose(id);
    Shape& known = shapes_[id.index];
    if (known.generation != id.generation) {
        known = {id.generation, {geometryOf(d.shape)}};
        for (const ShapeDef& s : d.parts) known.geometry.push_back(geometryOf(s));
    }
    Color color = d.type == BodyType::Dynamic ? bodyColor(id.index) : Color{0.58f, 0.59f, 0.60f};
    if (d.type == BodyType::Kinematic) color = {0.50f, 0.56f, 0.62f};
    if (id == options.highlightBody) color = brighter(color);
    for (std::size_t i = 0; i <= d.parts.size(); ++i) {
        const ShapeDef& s = i == 0 ? d.shape : d.parts[i - 1];
        const Transform position = at * Transform{s.position, s.rotation};
        if (d.type == BodyType::Dynamic) includeShape(view, position, s);
        const std::uint64_t name = idOf(IdKind::Body, id.index, id.generation, std::uint32_t(i));
        Solid solid{SolidKind::Box, position, s.size, color, 0.55f, name};
        switch (s.kind) {
        case ShapeKind::None:
            continue;
        case ShapeKind::Plane:
            if (axisY(position.rotation).y < 0.999f) addPlane(view, position, color, name);
            continue;
        case ShapeKind::Hull:
        case ShapeKind::Mesh:
            view.pieces.push_back({known.geometry[i], position, color, name});
            continue;
        case ShapeKind::Box:
            break;
        default:
            solid.size = {s.radius, s.length, 0};
            solid.kind = s.kind == ShapeKind::Sphere    ? SolidKind::Sphere
                         : s.kind == ShapeKind::Capsule ? SolidKind::Capsule
                                                        : SolidKind::Cylinder;
        }
        view.solids.push_back(solid);
    }
}

// Dynamic bodies set the size of the scene. Floors and walls extend it only as far as they are near those bodies.
void Collector::bodies(const World& world, SceneView& view, const CollectOptions& options) {
    const std::vector<BodyId> all = world.ids<BodyId>();
    for (BodyId id : all)
        if (world.def(id).type == BodyType::Dynamic && !hidden(id)) body(world, id, view, options);
    const bool some = view.lower.x <= view.upper.x;
    const Vec3 lower = view.lower, upper = view.upper;
    const float r = some ? std::max(length(upper - lower), 0.2f) : 0;
    for (BodyId id : all) {
        if (world.def(id).type == BodyType::Dynamic || hidden(id)) continue;
        body(world, id, view, options);
        const BodyDef& d = world.def(id);
        const Transform at = world.pose(id);
        includeShape(view, at * Transform{d.shape.position, d.shape.rotation}, d.shape);
        for (const ShapeDef& s : d.parts) includeShape(view, at * Transform{s.position, s.rotation}, s);
    }
    if (some) {
        view.lower = max(view.lower, lower - Vec3{r, r, r});
        view.upper = min(view.upper, upper + Vec3{r, r, r});
    }
}

void Collector::visuals(const Playback& playback, SceneView& view) {
    const std::vector<Visual>& all = playback.scene().visuals;
    if (visuals_.size() != all.size()) {
        visuals_.clear();
        for (const Visual& v : all) {
            Geometry g;
            g.points = v.vertices;
            if (v.normals.size() == v.vertices.size()) g.normals = v.normals;
            for (std::size_t i = 0; i + 2 < v.triangles.size(); i += 3)
                g.triangles.push_back({v.triangles[i], v.triangles[i + 1], v.triangles[i + 2]});
            visuals_.push_back(std::make_shared<Geometry>(std::move(g)));
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const BodyId id = playback.world().find<BodyId>(all[i].body);
        if (!id || visuals_[i]->triangles.empty()) continue;
        hide(id);
        const Transform at = playback.world().pose(id);
        view.pieces.push_back({visuals_[i], at, all[i].color, idOf(IdKind::Visual, std::uint32_t(i), 0, 0)});
        for (Vec3 p : all[i].vertices) view.include(at.point(p));
    }
}

void Collector::figures(const LeashWalk& leash, const World& world, SceneView& view) {
    static constexpr Color coats[][2] = {{{0.78f, 0.58f, 0.34f}, {0.55f, 0.36f, 0.18f}},
                                         {{0.30f, 0.25f, 0.23f}, {0.17f, 0.14f, 0.13f}},
                                         {{0.86f, 0.83f, 0.78f}, {0.45f, 0.36f, 0.30f}},
                                         {{0.55f, 0.34f, 0.22f}, {0.34f, 0.20f, 0.13f}},
                                         {{0.50f, 0.50f, 0.52f}, {0.30f, 0.30f, 0.32f}}};
    const std::size_t n = leash.dogs().size();
    const auto named = [&](std::size_t first, std::size_t figure) {
        for (std::size_t i = first; i < view.solids.size(); ++i)
            view.solids[i].id = idOf(IdKind::Figure, std::uint32_t(figure), 0, std::uint32_t(i - first));
    };
    if (headings_.size() != n) {
        headings_.clear();
        strides_.assign(n, 0.0f);
    }
    const float passed = float(std::clamp(world.time() - time_, 0.0, 0.2));
    for (std::size_t i = 0; i < n; ++i) {
        const LeashWalk::Dog& dog = leash.dogs()[i];
        if (headings_.size() <= i) headings_.push_back(dog.heading);
        if (world.isValid(dog.finger)) hide(dog.finger);
        if (!world.isValid(dog.body)) continue;
        hide(dog.body);
        const Vec3 v = world.velocity(dog.body);
        const float speed = std::sqrt(v.x * v.x + v.z * v.z);
        // m/s. The heading turns at most at a dog's pace, and slower when the dog is dragged slowly.
        if (speed > 0.05f) {
            const float off = std::remainder(std::atan2(v.z, v.x) - headings_[i], 6.2831853f);
            headings_[i] += off * std::min(1.0f, 6 * passed * std::min(1.0f, speed / 0.5f));
        }
        strides_[i] += speed * passed;
        const Vec3 p = world.pose(dog.body).position;
        const Color* coat = coats[i % 5];
        const std::size_t first = view.solids.size();
        addDog(view, {p.x, 0, p.z}, headings_[i], strides_[i],
               {coat[0], coat[1], ropeColor(dog.leash.index)});
        named(first, i);
    }
    const std::size_t first = view.solids.size();
    addHandle(view, leash.hand(), leash.def().gripSpacing * float(n - 1) + 0.1f);
    named(first, n);
}

void Collector::collect(const World& world, SceneView& view, const CollectOptions& options) {
    begin(world, view);
    ropes(world, view, options);
    cloths(world, view, options);
    hairs(world, view, options);
    bodies(world, view, options);
    end(world, view, options, {});
}

void Collector::collect(const Playback& playback, SceneView& view, const CollectOptions& options) {
    const World& world = playback.world();
    const LeashWalk* leash = playback.leash();
    begin(world, view);
    ropes(world, view, options);
    cloths(world, view, options);
    hairs(world, view, options);
    if (options.visuals) visuals(playback, view);
    if (leash && options.figures) figures(*leash, world, view);
    bodies(world, view, options);
    end(world, view, options, leash ? leash->tangles().all() : std::span<const Tangle>{});
}

} // namespace capstan::render
