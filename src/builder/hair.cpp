// SPDX-License-Identifier: MIT
// See hair.hpp. Strands are spread over a scalp by area. Strand i takes the i-th point of a three-dimensional
// low-discrepancy sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"). Its first
// coordinate selects a triangle from the cumulative sum of areas. The other two give the position in the triangle.
// Every fourth strand is spread as evenly as all strands, which levels of detail need.
#include "builder/hair.hpp"

#include "builder/field_check.hpp"
#include "solver/hair/factors.hpp"

#include <algorithm>

namespace capstan {
namespace {

std::string at(const char* path, std::size_t i) { return std::string(path) + "/" + std::to_string(i); }

// The frame of each strand is rotated about the strand's direction by a different angle, so that curls of neighbours
// differ.
HairRoot rootAt(Vec3d x, Vec3d direction, int strand, int seed) {
    const double turn = 6.283185307179586 * (strand * 0.6180339887498949 + seed * 0.7548776662466927);
    const Quatd q = normalize(
        fromTo(Vec3d{0, 0, 1}, direction) *
        Quatd::fromAxisAngle(Vec3d{0, 0, 1}, turn - 6.283185307179586 * int(turn / 6.283185307179586)));
    HairRoot r;
    r.x = narrow(x);
    r.frame = {narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)};
    return r;
}

Status rootsFromPoints(const HairDef& def, Hair& hair) {
    if (def.directions.empty())
        return Error{"directions must be given: one for each root, or one for all", "/directions"};
    if (def.directions.size() != 1 && def.directions.size() != def.roots.size())
        return Error{"there are " + std::to_string(def.roots.size()) + " roots and " +
                         std::to_string(def.directions.size()) +
                         " directions; give one for each root, or one for all",
                     "/directions"};
    for (std::size_t i = 0; i < def.directions.size(); ++i)
        if (!(length(normalize(def.directions[i])) > 0))
            return Error{"a direction must not be zero", at("/directions", i)};
    for (std::size_t i = 0; i < def.roots.size(); ++i) {
        const Vec3 d = def.directions[def.directions.size() == 1 ? 0 : i];
        hair.roots.push_back(rootAt(widen(def.roots[i]), normalize(widen(d)), int(i), 0));
    }
    return done();
}

double fraction(double a) { return a - double((long long)(a)); }

Status rootsFromScalp(const ScalpDef& scalp, Hair& hair) {
    if (scalp.triangles.empty()) return Error{"a scalp needs triangles", "/scalp/triangles"};
    std::vector<double> upTo; // cumulative area up to and including each triangle [m^2]
    double area = 0;
    for (std::size_t t = 0; t < scalp.triangles.size(); ++t) {
        for (int corner : scalp.triangles[t])
            if (corner < 0 || corner >= int(scalp.points.size()))
                return Error{"there is no point " + std::to_string(corner) + "; the scalp has " +
                                 std::to_string(scalp.points.size()) + " points",
                             at("/scalp/triangles", t)};
        const auto [a, b, c] = scalp.triangles[t];
        const Vec3d p = widen(scalp.points[a]), q = widen(scalp.points[b]), r = widen(scalp.points[c]);
        area += 0.5 * length(cross(q - p, r - p));
        upTo.push_back(area);
    }
    if (!(area > 0)) return Error{"the scalp has no area", "/scalp/triangles"};
    for (int i = 0; i < scalp.strands; ++i) {
        const double n = i + 1.0 + 131.0 * scalp.seed;
        const double where = fraction(n * 0.8191725133961645) * area;
        double u = fraction(n * 0.6710436067037893), v = fraction(n * 0.5497004779019703);
        std::size_t t = std::size_t(std::upper_bound(upTo.begin(), upTo.end(), where) - upTo.begin());
        t = std::min(t, upTo.size() - 1);
        const auto [a, b, c] = scalp.triangles[t];
        const Vec3d p = widen(scalp.points[a]), q = widen(scalp.points[b]), r = widen(scalp.points[c]);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        hair.roots.push_back(
            rootAt(p + u * (q - p) + v * (r - p), normalize(cross(q - p, r - p), {0, 1, 0}), i, scalp.seed));
    }
    return done();
}

bool solidOf(const Shape& shape, HairObstacle& o, std::vector<Point>& faces) {
    HairCollider& k = o.shape;
    k.radius = narrow(shape.radius);
    k.half = narrow(shape.half);
    if (shape.halfLength > 0) k.half.y = narrow(shape.halfLength);
    o.at = shape.at;
    switch (shape.kind) {
    case ShapeKind::Sphere:
        k.kind = HairSolid::Sphere;
        o.reach = shape.radius;
        break;
    case ShapeKind::Capsule:
        k.kind = HairSolid::Capsule;
        o.reach = shape.radius + shape.halfLength;
        break;
    case ShapeKind::Box:
        k.kind = HairSolid::Box;
        o.reach = length(shape.half);
        break;
    case ShapeKind::Cylinder:
        k.kind = HairSolid::Cylinder;
        o.reach = sqrt(shape.radius * shape.radius + shape.halfLength * shape.halfLength);
        break;
    case ShapeKind::Plane:
        k.kind = HairSolid::Plane;
        o.reach = 1e15;
        break;
    case ShapeKind::Hull:
        k.kind = HairSolid::Hull;
        k.face = int(faces.size());
        k.faces = int(shape.triangles.size());
        for (const auto& [a, b, c] : shape.triangles) {
            const Vec3d p = shape.corners[a],
                        n = normalize(cross(shape.corners[b] - p, shape.corners[c] - p));
            faces.push_back({narrow(n.x), narrow(n.y), narrow(n.z), narrow(dot(n, p))});
        }
        for (Vec3d corner : shape.corners) o.reach = max(o.reach, length(corner));
        k.radius = narrow(o.reach);
        break;
    default:
        return false;
    }
    return true;
}

int slotNamed(const Model& m, const std::string& name) {
    for (std::size_t i = 0; i < m.bodies.size(); ++i)
        if (m.bodies[i].alive && m.bodies[i].def.name == name) return int(i);
    return -1;
}

Status addObstacles(const HairDef& def, const Model& m, Hair& hair) {
    std::vector<std::string> names = def.collides;
    const bool own = names.empty();
    if (own && !def.rootBody.empty()) names.push_back(def.rootBody);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int slot = slotNamed(m, names[i]);
        if (slot < 0) return Error{"there is no body named \"" + names[i] + "\"", at("/collides", i)};
        const Body& body = m.bodies[slot];
        if (!mayTouch(def.filter, body.def.filter)) continue;
        for (const Shape& shape : body.shapes) {
            HairObstacle o;
            o.body = {slot, body.generation};
            if (!solidOf(shape, o, hair.faces)) {
                if (own) continue; // without a list of bodies, a mesh of the root body is ignored
                return Error{"hair cannot collide with a mesh", at("/collides", i)};
            }
            o.shape.skin = def.radius;
            o.shape.friction = def.material.friction;
            hair.obstacles.push_back(o);
        }
    }
    return done();
}

// Morton code: interleaves the bits of the three coordinates, ten bits each. Points that are near in space have
// similar codes.
std::uint32_t morton(Vec3 x, Vec3 low, float scale) {
    auto bits = [&](float a, float from) {
        std::uint32_t n = std::uint32_t(clamp((a - from) * scale, 0.0f, 1023.0f));
        n = (n | n << 16) & 0x030000ffu;
        n = (n | n << 8) & 0x0300f00fu;
        n = (n | n << 4) & 0x030c30c3u;
        n = (n | n << 2) & 0x09249249u;
        return n;
    };
    return bits(x.x, low.x) | bits(x.y, low.y) << 1 | bits(x.z, low.z) << 2;
}

// Finds up to three simulated strands near each strand among the 32 with the nearest codes. They are sorted by
// distance, with weights 1 / distance^2.
void findGuides(const Hair& hair, HairLevel& level) {
    Vec3 low = hair.roots[0].x, high = low;
    for (const HairRoot& r : hair.roots) {
        low = min(low, r.x);
        high = max(high, r.x);
    }
    const float size = max(max(high.x - low.x, high.y - low.y), high.z - low.z);
    const float scale = size > 0 ? 1023 / size : 0;
    std::vector<std::pair<std::uint32_t, int>> sorted; // code, guide
    for (int g = 0; g < level.guides(hair.strands()); ++g)
        sorted.push_back({morton(hair.roots[std::size_t(g) * level.every].x, low, scale), g});
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < hair.strands(); ++i) {
        const Vec3 x = hair.roots[i].x;
        const std::pair<std::uint32_t, int> here = {morton(x, low, scale), 0};
        const int middle = int(std::lower_bound(sorted.begin(), sorted.end(), here) - sorted.begin());
        std::vector<std::pair<float, int>> near; // distance squared, guide
        for (int k = std::max(0, middle - 16); k < std::min(int(sorted.size()), middle + 16); ++k) {
            const int g = sorted[k].second;
            near.push_back({lengthSquared(hair.roots[std::size_t(g) * level.every].x - x), g});
        }
        std::sort(near.begin(), near.end());
        HairFollow f;
        float sum = 0;
        for (int k = 0; k < 3; ++k) {
            const bool there = k < int(near.size()) && (k == 0 || near[0].first > 0);
            f.guide[k] = there ? near[k].second : near[0].second;
            f.share[k] = there ? 1 / max(near[k].first, 1e-12f) : 0;
            sum += f.share[k];
        }
        for (float& share : f.share) share /= sum;
        level.follow.push_back(f);
    }
}

// Sets the initial positions: each strand has its rest shape at its root.
void layStrands(const Hair& hair, const Pose& root, HairState& state) {
    const HairLevel& level = hair.levels[0];
    const int n = level.vertices;
    Vec3d edge[kHairVertices + 1];
    hairRestEdges(hair.def, n - 1, edge);
    const double l = double(hair.def.length) / (n - 1);
    for (const HairRoot& r : hair.roots) {
        const Quatd q = {double(r.frame.x), double(r.frame.y), double(r.frame.z), double(r.frame.w)};
        Vec3d x = widen(r.x);
        for (int i = 0; i < level.points(); ++i) {
            if (i > 0 && i < n) x += l * rotate(q, edge[i]);
            const Vec3 p = narrow(root.point(x));
            state.x.push_back({p.x, p.y, p.z, 0});
        }
    }
    state.v.assign(state.x.size(), Point{0, 0, 0, 0});
    state.strain.assign(std::size_t(hair.strands()), 0);
}

} // namespace

float hairMassPerLength(const HairDef& def) {
    return narrow(3.141592653589793 * double(def.radius) * double(def.radius) * double(def.density));
}

Status makeHair(const HairDef& def, const Model& m, const State& s, Hair& hair, HairState& state) {
    if (auto e = checkFields(def)) return *e;
    if (auto e = checkMaterial(def.material, "hair", false)) return *e;
    hair.def = def;
    const bool points = !def.roots.empty(), scalp = def.scalp.strands > 0 || !def.scalp.triangles.empty();
    if (points && scalp) return Error{"hair must have either roots or a scalp; leave one out", "/roots"};
    if (!points && !scalp) return Error{"hair needs roots, or a scalp with strands", "/roots"};
    if (!points && def.scalp.strands == 0) return Error{"the scalp has no strands", "/scalp/strands"};
    if (Status made = points ? rootsFromPoints(def, hair) : rootsFromScalp(def.scalp, hair); !made)
        return made;
    hair.massPerLength = hairMassPerLength(def);

    if (!def.rootBody.empty()) {
        const int slot = slotNamed(m, def.rootBody);
        if (slot < 0) return Error{"there is no body named \"" + def.rootBody + "\"", "/rootBody"};
        hair.rootBody = {slot, m.bodies[slot].generation};
    }
    if (Status added = addObstacles(def, m, hair); !added) return added;

    auto originOf = [&](int slot) {
        const BodyState& b = s.bodies[slot];
        return Pose{b.x, b.q} * from(m.bodies[slot].principal, Pose{});
    };
    if (hair.rootBody.slot >= 0) state.root = originOf(hair.rootBody.slot);
    for (const HairObstacle& o : hair.obstacles) state.obstacle.push_back(originOf(o.body.slot));
    for (int k = 0; k < def.lod.levels; ++k) {
        HairLevel level;
        level.every = 1 << (2 * k);
        level.vertices = std::max(2, (def.vertices - 1) / (1 << k) + 1);
        hair.levels.push_back(level);
        if (k > 0) findGuides(hair, hair.levels.back());
    }
    layStrands(hair, state.root, state);
    return done();
}

} // namespace capstan
