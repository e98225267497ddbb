// SPDX-License-Identifier: MIT
// Evaluates motions at a time t:
//   path    straight lines between waypoints, also from the start to the first waypoint
//   circle  x = c + k (k.r) + (r - k (k.r)) cos a + (k x r) sin a,  r = start - c, a = rate t   (Rodrigues 1840)
//   shake   x = start + amplitude sin(2 pi frequency t)
//   angularVelocity  q = exp(angularVelocity t) start
// The computation is in double with the sin and cos of math/transcendental.hpp. The last bit of libm differs between
// machines, and a pin that moves by one bit changes the whole run.
#include "scene/play/motion.hpp"

#include <capstan/math/transcendental.hpp>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr double pi = 3.14159265358979323846;

Vec3d wide(Vec3 a) { return {a.x, a.y, a.z}; }
Vec3 single(Vec3d a) { return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}; }

Vec3 between(double t0, Vec3 a, double t1, Vec3 b, double t) {
    double part = (t - t0) / (t1 - t0);
    return part < 1 ? single(wide(a) + part * (wide(b) - wide(a))) : b; // the path ends exactly at b
}

Vec3 alongPath(const Motion& m, Vec3 start, double t) {
    const std::vector<Waypoint>& path = m.path;
    double begins = path.front().t, ends = path.back().t;
    if (m.loop && t > begins) t = begins + std::fmod(t - begins, ends - begins); // fmod is exact
    if (t >= ends) return path.back().position;
    auto later = [](double time, const Waypoint& w) { return time < static_cast<double>(w.t); };
    auto next = std::upper_bound(path.begin(), path.end(), t, later);
    if (next == path.begin()) return between(0, start, next->t, next->position, t);
    return between((next - 1)->t, (next - 1)->position, next->t, next->position, t);
}

Vec3 roundCircle(const Circle& c, Vec3 start, double t) {
    SinCos<double> a = sincos(static_cast<double>(c.rate) * t);
    Vec3d k = normalize(wide(c.axis), Vec3d{0, 1, 0});
    Vec3d r = wide(start) - wide(c.center);
    Vec3d lift = dot(k, r) * k;
    return single(wide(c.center) + lift + a.cos * (r - lift) + a.sin * cross(k, r));
}

} // namespace

Vec3 placeAt(const Motion& motion, Vec3 start, double t) {
    if (motion.circle) return roundCircle(*motion.circle, start, t);
    if (!motion.path.empty()) return alongPath(motion, start, t);
    if (!motion.shake) return start;
    // Whole periods are subtracted first, because sin loses digits far from 0.
    double turns = static_cast<double>(motion.shake->frequency) * t;
    return single(wide(start) + sin(2 * pi * (turns - std::floor(turns))) * wide(motion.shake->amplitude));
}

Quatf rotationAt(const Motion& motion, Quatf start, double t) {
    Quatd q = {start.x, start.y, start.z, start.w};
    if (motion.circle && motion.circle->turn) {
        Vec3d k = normalize(wide(motion.circle->axis), Vec3d{0, 1, 0});
        q = exp(static_cast<double>(motion.circle->rate) * t * k) * q;
    }
    if (motion.angularVelocity) q = exp(t * wide(*motion.angularVelocity)) * q;
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
            static_cast<float>(q.w)};
}

Control controlAt(const std::vector<ControlPoint>& points, double t) {
    auto later = [](double time, const ControlPoint& c) { return time < static_cast<double>(c.t); };
    auto next = std::upper_bound(points.begin(), points.end(), t, later);
    ControlPoint before = next == points.begin() ? ControlPoint{} : *(next - 1);
    if (next == points.end()) return {before.x, before.y};
    Vec3 at = between(before.t, {before.x, before.y, 0}, next->t, {next->x, next->y, 0}, t);
    return {at.x, at.y};
}

} // namespace capstan
