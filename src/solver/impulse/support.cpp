// SPDX-License-Identifier: MIT
// The impulse solver: estimates the support load of each contact point, the force of the weights that lie on
// it. See island.hpp.
//
// Bodies are visited from the highest to the lowest. A body together with all bodies on it has the weight W
// and the centre c. It rests on the points r_k, which bear W w_k. In the plane across gravity the shares w_k
// obey
//     sum w_k = 1,  sum w_k (r_k - c) = 0,  sum w_k^2 / q_k least   =>   w_k = q_k (a + b.(r_k - c)).
// q_k is the cosine of the angle between the point's normal and the vertical. The multipliers a and b follow
// from the two constraints. A point with a negative w_k bears nothing. Walls and friction on them are
// ignored, so this is an estimate.
#include "solver/impulse/island.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr double kFlat = 0.2;    // cosine: a steeper patch has no support load
constexpr double kClose = 0.001; // m: a point with a larger gap bears nothing
constexpr double kAtOnce = 1e-4; // m: a point of a new patch with a smaller gap starts with its support load
constexpr double kTrust = 0.97;  // the support load is scaled by it, so that an estimate that is a little
                                 // high does not stop the leak

void setSupport(const ImpulseIsland& p, ContactPatch& patch, Vec3d up) {
    const double u = dot(patch.n, up);
    const int k = u > 0 ? 0 : 1, top = patch.solverBody[k], low = patch.solverBody[1 - k];
    auto height = [&](int i) { return i < p.dynamic ? p.weights[i].height : -1e300; };
    const bool lies = abs(u) > kFlat && height(low) < height(top);
    patch.up = abs(u);
    patch.top = lies ? top : -1;
    patch.low = low;
}

void startWeights(ImpulseIsland& p, Vec3d up, double g) {
    p.weights.resize(std::size_t(p.dynamic));
    if (p.highest.size() != std::size_t(p.dynamic)) {
        p.highest.resize(std::size_t(p.dynamic));
        for (int i = 0; i < p.dynamic; ++i) p.highest[i] = i;
    }
    for (int i = 0; i < p.dynamic; ++i) {
        const SolverBody& m = p.solverBodies[i];
        const Vec3d x = {m.x.x, m.x.y, m.x.z};
        const double load = m.v.w > 0 ? g / m.v.w : 0;
        p.weights[i] = {dot(up, x), load, load * x};
    }
    auto higher = [&](int a, int b) {
        const double x = p.weights[a].height, y = p.weights[b].height;
        return x != y ? x > y : a < b;
    };
    // At rest the order is still that of the previous step.
    if (!std::is_sorted(p.highest.begin(), p.highest.end(), higher))
        std::sort(p.highest.begin(), p.highest.end(), higher);
}

// Sorts patches by the body on top. Patches with no body on top come first.
void listLying(ImpulseIsland& p, Vec3d up) {
    p.lying.assign(std::size_t(p.dynamic) + 2, 0);
    for (ContactPatch& patch : p.patches) {
        setSupport(p, patch, up);
        ++p.lying[patch.top + 2];
    }
    for (std::size_t k = 1; k < p.lying.size(); ++k) p.lying[k] += p.lying[k - 1];
    p.lies.resize(p.patches.size());
    for (std::size_t k = 0; k < p.patches.size(); ++k) p.lies[p.lying[p.patches[k].top + 1]++] = int(k);
}

void shareWeight(ImpulseIsland& p, int body, Vec3d e, Vec3d f) {
    const SupportLoad w = p.weights[body];
    const int from = p.lying[body], to = p.lying[std::size_t(body) + 1];
    if (from == to || !(w.load > 0)) return;
    const Vec3d c = (1 / w.load) * w.moment;
    auto each = [&](auto&& act) {
        for (int k = from; k < to; ++k) {
            const ContactPatch& patch = p.patches[p.lies[k]];
            for (int i = patch.first; i < patch.first + patch.count; ++i)
                if (PatchPoint& q = p.points[i]; q.gap < kClose) act(q, patch);
        }
    };
    Sym3<double> M = {0, 0, 0, 0, 0, 0};
    each([&](const PatchPoint& q, const ContactPatch& s) {
        M += s.up * outer(Vec3d{1, dot(e, q.at - c), dot(f, q.at - c)});
    });
    if (!(M.xx > 0)) return;
    const double floor = 1e-6 * (M.yy + M.zz) + 1e-12; // keeps M regular for points on one line
    M.yy += floor;
    M.zz += floor;
    const Vec3d a = ldltSolve(M, Vec3d{1, 0, 0}, 1e-12);
    double sum = 0;
    each([&](PatchPoint& q, const ContactPatch& s) {
        q.weight = max(0.0, s.up * (a.x + a.y * dot(e, q.at - c) + a.z * dot(f, q.at - c)));
        sum += q.weight;
    });
    if (!(sum > 0)) return;
    each([&](PatchPoint& q, const ContactPatch& s) {
        const double load = w.load * q.weight / sum;
        q.weight = kTrust * p.h * s.up * load;
        if (s.fresh && q.gap < kAtOnce) q.ln = p.h * s.up * load;
        if (s.low >= p.dynamic) return;
        SupportLoad& low = p.weights[s.low];
        low.load += load;
        low.moment = low.moment + load * q.at;
    });
}

} // namespace

void spreadSupportLoads(ImpulseIsland& p, Vec3d gravity) {
    const double g = length(gravity);
    if (!(g > 0)) return;
    const Vec3d up = (-1 / g) * gravity, e = perpendicular(up), f = cross(up, e);
    startWeights(p, up, g);
    listLying(p, up);
    for (int body : p.highest) shareWeight(p, body, e, f);
}

} // namespace capstan
