// SPDX-License-Identifier: MIT
// See draw.hpp.
#include "solver/hair/draw.hpp"

#include "math/pack.hpp"
#include "solver/hair/collide.hpp"

namespace capstan {

// Converts a pose to floats and three axes.
HairPose hairPose(const Pose& p) {
    return {narrow(p.x), narrow(axisX(p.q)), narrow(axisY(p.q)), narrow(axisZ(p.q))};
}

int hairLevelFor(const Model& m, const Hair& hair, const HairState& state) {
    const int coarsest = int(hair.levels.size()) - 1;
    if (coarsest == 0) return 0;
    int level = 0;
    if (m.hasViewpoint) {
        const double away = length(widen(m.viewpoint) - state.root.x);
        // hysteresis: to a coarser level, the border is 10 % farther away.
        for (int k = 1; k <= coarsest; ++k) {
            const double border = double(hair.def.lod.distance) * k * (state.level >= k ? 1 : 1.1);
            if (away > border) level = k;
        }
    }
    auto vertices = [&](int k) {
        const HairLevel& l = hair.levels[k];
        return double(l.guides(hair.strands())) * l.vertices;
    };
    while (hair.def.lod.budget > 0 && level < coarsest && vertices(level) > hair.def.lod.budget) ++level;
    return level;
}

namespace {

using Quad = Pack<float, 4>; // holds a Point

Quad get(const Point& p) { return load<Quad>(&p.x); }
void put(Point& p, Quad a) { store(&p.x, a); }

// A vertex of a strand with n vertices, interpolated on a strand of fewer vertices. It lies on a smooth curve between
// the vertices k[1] and k[2], which also uses their neighbours (Catmull & Rom 1974).
struct Sample {
    int k[4];
    float share[4];
};

std::vector<Sample> samples(int n, int fewer) {
    std::vector<Sample> all;
    for (int i = 0; i < n; ++i) {
        const double u = double(i) * (fewer - 1) / (n - 1);
        const int k = u >= fewer - 1 ? fewer - 2 : int(u);
        const double t = u - k, t2 = t * t, t3 = t2 * t;
        Sample s = {{k > 0 ? k - 1 : 0, k, k + 1, k + 2 < fewer ? k + 2 : k + 1},
                    {narrow(0.5 * (-t3 + 2 * t2 - t)), narrow(0.5 * (3 * t3 - 5 * t2 + 2)),
                     narrow(0.5 * (-3 * t3 + 4 * t2 + t)), narrow(0.5 * (t3 - t2))}};
        all.push_back(s);
    }
    return all;
}

Point rootPoint(const Hair& hair, const HairPose& pose, int strand) {
    const Vec3 x = position(pose, hair.roots[strand].x);
    return {x.x, x.y, x.z, 0};
}

// Interpolates all vertices of each simulated strand. With `positions`, results are relative to the roots.
std::vector<Point> fill(Threads& threads, const Hair& hair, const HairState& state,
                        const std::vector<Point>& from, bool positions) {
    const HairLevel &fine = hair.levels[0], &coarse = hair.levels[state.level];
    const std::vector<Sample> at = samples(fine.vertices, coarse.vertices);
    const int guides = coarse.guides(hair.strands()), n = fine.points();
    std::vector<Point> all(std::size_t(guides) * std::size_t(n), Point{0, 0, 0, 0});
    threads.run(guides, 64, [&](int begin, int end, int) {
        for (int g = begin; g < end; ++g) {
            const Point* x = from.data() + std::size_t(g) * std::size_t(coarse.points());
            Point* to = all.data() + std::size_t(g) * std::size_t(n);
            const Quad root = positions ? get(x[0]) : Quad(0.0f);
            for (int i = 0; i < fine.vertices; ++i) {
                const Sample& s = at[i];
                Quad sum = Quad(s.share[0]) * (get(x[s.k[0]]) - root);
                for (int j = 1; j < 4; ++j) sum += Quad(s.share[j]) * (get(x[s.k[j]]) - root);
                put(to[i], sum);
            }
            for (int i = fine.vertices; i < n; ++i) to[i] = to[fine.vertices - 1];
        }
    });
    return all;
}

// Interpolates all strands from the simulated strands.
void spreadOver(Threads& threads, const Hair& hair, const HairState& state, const std::vector<Point>& guides,
                bool positions, std::vector<Point>& to) {
    const HairLevel& level = hair.levels[state.level];
    const std::size_t n = std::size_t(hair.levels[0].points());
    const HairPose pose = hairPose(state.root);
    to.resize(std::size_t(hair.strands()) * n);
    threads.run(hair.strands(), 64, [&](int begin, int end, int) {
        for (int s = begin; s < end; ++s) {
            const HairFollow& f = level.follow[s];
            const Point *a = guides.data() + std::size_t(f.guide[0]) * n,
                        *b = guides.data() + std::size_t(f.guide[1]) * n,
                        *c = guides.data() + std::size_t(f.guide[2]) * n;
            const Quad p = Quad(f.share[0]), q = Quad(f.share[1]), r = Quad(f.share[2]);
            const Point root = positions ? rootPoint(hair, pose, s) : Point{0, 0, 0, 0};
            const Quad from = get(root);
            Point* out = to.data() + std::size_t(s) * n;
            for (std::size_t i = 0; i < n; ++i)
                put(out[i], from + (p * get(a[i]) + (q * get(b[i]) + r * get(c[i]))));
        }
    });
}

// Computes the drawn strands without the offset that blends a change of level.
void drawPlain(Threads& threads, const Hair& hair, HairState& state) {
    if (state.level == 0)
        state.drawn = state.x;
    else
        spreadOver(threads, hair, state, fill(threads, hair, state, state.x, true), true, state.drawn);
}

// Moves x to the nearest position outside the obstacles. It is needed because the mean of strands left and right of a
// head may lie inside the head.
Vec3 outside(const Hair& hair, const HairState& state, Vec3 x) {
    for (std::size_t k = 0; k < hair.obstacles.size(); ++k) {
        const HairObstacle& o = hair.obstacles[k];
        const Pose at = state.obstacle[k] * o.at;
        const Vec3 local = narrow(at.local(widen(x)));
        const HairPlane<float> plane = hairPlane(o.shape, hair.faces.data(), local);
        const float depth = plane.offset + o.shape.skin - dot(plane.n, local);
        if (depth > 0) x = narrow(at.point(widen(local + depth * plane.n)));
    }
    return x;
}

// Computes the strands of the new level from all strands as they are drawn. They follow the drawn curves, with edges
// of the correct length, outside of all shapes.
void resample(const Hair& hair, HairState& state, const std::vector<Point>& x, const std::vector<Point>& v,
              int level) {
    const HairLevel &fine = hair.levels[0], &to = hair.levels[level];
    const std::size_t stride = std::size_t(fine.points()), points = std::size_t(to.points());
    const int guides = to.guides(hair.strands());
    const float l = narrow(double(hair.def.length) / (to.vertices - 1));
    const std::vector<Sample> at = samples(to.vertices, fine.vertices);
    state.x.assign(std::size_t(guides) * points, Point{0, 0, 0, 0});
    state.v.assign(state.x.size(), Point{0, 0, 0, 0});
    state.strain.assign(std::size_t(guides), 0);
    for (int g = 0; g < guides; ++g) {
        const std::size_t from = std::size_t(g) * std::size_t(to.every) * stride,
                          out = std::size_t(g) * points;
        for (int i = 0; i < int(points); ++i) {
            const Sample& s = at[i < to.vertices ? i : to.vertices - 1];
            Vec3 position = {0, 0, 0}, velocity = {0, 0, 0};
            for (int j = 0; j < 4; ++j) {
                position += s.share[j] * Vec3(x[from + std::size_t(s.k[j])]);
                velocity += s.share[j] * Vec3(v[from + std::size_t(s.k[j])]);
            }
            if (i > 0) {
                const Vec3 before = state.x[out + std::size_t(i) - 1];
                auto step = [&](Vec3 target) {
                    return before + l * normalize(target - before, Vec3{0, -1, 0});
                };
                position = i < to.vertices ? step(position) : before;
                for (int again = 0; again < 4 && i < to.vertices; ++again)
                    position = step(outside(hair, state, position));
                position = i < to.vertices ? outside(hair, state, position) : before;
            }
            state.x[out + std::size_t(i)] = {position.x, position.y, position.z, 0};
            if (i > 0 && i < to.vertices)
                state.v[out + std::size_t(i)] = {velocity.x, velocity.y, velocity.z, 0};
        }
    }
}

// Smoothstep: 0 to 1 with slope 0 at both ends.
float eased(float f) { return f * f * (3 - 2 * f); }

} // namespace

void setHairLevel(Threads& threads, const Hair& hair, HairState& state, int level) {
    const std::vector<Point> seen = state.drawn.empty() ? state.x : state.drawn;
    std::vector<Point> velocity;
    if (state.level == 0)
        velocity = state.v;
    else
        spreadOver(threads, hair, state, fill(threads, hair, state, state.v, false), false, velocity);
    resample(hair, state, seen, velocity, level);
    state.level = level;
    drawPlain(threads, hair, state);
    state.offset = seen;
    for (std::size_t i = 0; i < seen.size(); ++i) put(state.offset[i], get(seen[i]) - get(state.drawn[i]));
    state.blendLeft = hair.def.lod.blend > 0 ? 1.0f : 0.0f;
    if (state.blendLeft > 0) state.drawn = seen;
}

void drawHair(Threads& threads, const Hair& hair, HairState& state, float dt) {
    if (state.blendLeft > 0) state.blendLeft = max(0.0f, state.blendLeft - dt / hair.def.lod.blend);
    if (state.level == 0 && !(state.blendLeft > 0)) {
        state.drawn.clear();
        state.offset.clear();
        return;
    }
    drawPlain(threads, hair, state);
    if (!(state.blendLeft > 0)) {
        state.offset.clear();
        return;
    }
    const Quad f = Quad(eased(state.blendLeft));
    threads.run(int(state.drawn.size()), 4096, [&](int begin, int end, int) {
        for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
            put(state.drawn[i], get(state.drawn[i]) + f * get(state.offset[i]));
    });
}

} // namespace capstan
