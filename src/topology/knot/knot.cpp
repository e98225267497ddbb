// SPDX-License-Identifier: MIT
//
// Identification of a knot; see knot.hpp.
#include <capstan/topology/knot.hpp>

#include "topology/diagram/reroute.hpp"
#include "topology/knot/knot_table.hpp"
#include "topology/knot/signature.hpp"
#include <capstan/math/transcendental.hpp>
#include <capstan/topology/alexander.hpp>
#include <capstan/topology/straighten.hpp>

#include <cstddef>
#include <optional>

namespace capstan {
namespace {

constexpr int views = 32;                // number of directions of view
constexpr int pulls = 12;                // largest number of iterations of pulling and cutting
constexpr std::size_t mostRerouted = 60; // crossings; larger diagrams are simplified without rerouting
// Distance from the middle at which open ends are joined, in sizes of the rope.
constexpr double faraway = 10.;

// Returns direction k of a set that is evenly spread over the sphere: steps of the golden angle around the axis,
// equal steps in height.
Vec3d direction(int k) {
    const double z = 1.0 - (2.0 * k + 1.0) / views, r = sqrt(1.0 - z * z);
    const SinCos<double> a = sincos(2.399963229728653 * k);
    return {r * a.cos, r * a.sin, z};
}

// Extends the ends straight away from the middle and joins them by an arc far outside of the rope. The steps of the
// arc are at most an eighth of a turn.
void closeFarAway(std::vector<Vec3d>& points) {
    if (points.front() == points.back()) return; // already closed
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points) {
        low = min(low, p);
        high = max(high, p);
    }
    const Vec3d middle = 0.5 * (low + high);
    const double far = faraway * length(high - low);
    const Vec3d u = normalize(points.back() - middle, Vec3d{1, 0, 0});
    const Vec3d v = normalize(points.front() - middle, Vec3d{0, 1, 0});
    const Vec3d side = v - dot(v, u) * u;
    // If the ends are in opposite directions, `side` is only rounding error, and any direction of the arc is valid.
    const Vec3d across = length(side) > 1e-6 ? normalize(side) : perpendicular(u);
    const double angle = atan2(length(side), dot(u, v));
    for (int k = 0; k < 4; ++k) {
        const SinCos<double> a = sincos(0.25 * k * angle);
        points.push_back(middle + far * (a.cos * u + a.sin * across));
    }
    points.push_back(middle + far * v);
}

// Sets names, certain, minimal and hand from the invariants and the number of crossings.
void name(KnotReport& report) {
    bool amphichiral = false;
    int fewest = 0;
    for (const KnownKnot& knot : knotTable()) {
        const int size = report.signature < 0 ? -report.signature : report.signature;
        if (knot.crossings > report.crossings || knot.signature != size ||
            knot.alexander() != report.alexander)
            continue;
        report.names.push_back(knot.name);
        fewest = knot.crossings;
        amphichiral = knot.amphichiral;
    }
    report.certain = report.names.size() == 1 && report.crossings <= 8;
    report.minimal = report.certain && report.crossings == fewest;
    if (report.signature != 0)
        report.hand = report.signature < 0 ? Handedness::right : Handedness::left;
    else if (report.certain && amphichiral)
        report.hand = Handedness::amphichiral;
}

Result<KnotReport> describe(const GaussCode& code) {
    auto delta = alexander(code);
    if (!delta) return delta.error();
    auto sigma = signature(code);
    if (!sigma) return sigma.error();
    KnotReport report;
    report.crossings = static_cast<int>(code.signs.size());
    report.writhe = code.writhe();
    report.signature = sigma.value();
    report.alexander = std::move(delta.value());
    report.determinant = knotDeterminant(report.alexander);
    name(report);
    return report;
}

// Stores the simplest diagram so far, over all shapes and directions of view.
struct Search {
    std::optional<GaussCode> best;
    std::optional<KnotReport> report; // set when no diagram can be simpler
    Error trouble;
    CrossingFinder finder;

    Status look(const Polylines& rope) {
        for (int k = 0; k < views && !report; ++k) {
            const auto crossings = finder.find(rope, viewFrom(direction(k)).value());
            if (!crossings) return crossings.error();
            auto code = gaussCode(rope, *crossings);
            if (!code) {
                trouble = code.error(); // not unique in this view; another view may work
                continue;
            }
            if (code->signs.size() <= mostRerouted)
                reroute(*code);
            else
                simplify(*code);
            if (best && code->signs.size() >= best->signs.size()) continue;
            best = std::move(code.value());
            if (best->signs.size() > 8) continue;
            Result<KnotReport> now = describe(*best);
            if (now && now->minimal) report = std::move(now.value());
        }
        return done();
    }
};

// Few corners do not always give few crossings, so the shape after each iteration is examined. The given shape comes
// first, so that a rope that touches itself is detected before anything moves.
Result<KnotReport> simplest(Polylines& rope) {
    Search search;
    Straightener straightener;
    if (Status ok = search.look(rope); !ok) return ok.error();
    for (int k = 0; k <= pulls && !search.report; ++k) {
        for (int i = 0; k > 0 && i < 4; ++i) straightener.relax(rope);
        straightener.cut(rope);
        if (Status ok = search.look(rope); !ok) return ok.error();
    }
    if (search.report) return *std::move(search.report);
    if (!search.best) return search.trouble;
    return describe(*search.best);
}

template <class V> Result<KnotReport> identify(std::span<const V> points, bool closed) {
    Polylines rope;
    if (Status ok = rope.add(points, closed); !ok) return ok.error();
    if (!closed) {
        std::vector<Vec3d> loop = rope.points;
        closeFarAway(loop);
        rope.clear();
        if (Status ok = rope.add(std::span<const Vec3d>(loop), true); !ok) return ok.error();
    }
    return simplest(rope);
}

} // namespace

Result<KnotReport> identifyKnot(std::span<const Point> points, bool closed) {
    return identify(points, closed);
}
Result<KnotReport> identifyKnot(std::span<const Vec3> points, bool closed) {
    return identify(points, closed);
}
Result<KnotReport> identifyKnot(std::span<const Vec3d> points, bool closed) {
    return identify(points, closed);
}

} // namespace capstan
