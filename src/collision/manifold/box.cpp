// SPDX-License-Identifier: MIT
// Contact points of two boxes. They are disjoint if and only if one of 15 axes separates them: 3 face normals
// of each box and 9 cross products of edges (Gottschalk, Lin & Manocha 1996, "OBBTree"). The axis of least
// overlap is the normal. If it is a face normal, the opposite face of the other box is clipped against that
// face (Sutherland & Hodgman 1974, "Reentrant polygon clipping"). If it belongs to two edges, they give one
// point.
//
// Faces are preferred to edges, and faces of a to those of b, unless the alternative is clearly better. For
// two boxes in a pile several axes are almost equally good. A normal that changes from step to step would
// shake the pile.
//
// For disjoint boxes, the points found are the nearest ones if their gap equals the separation of the best
// axis. If it does not (corner to corner, corner to edge), collideConvex of convex.cpp finds the true
// distance.
#include "collision/geometry/closest.hpp"
#include "collision/manifold/parts.hpp"

namespace capstan {
namespace {

// A separation is clearly better if it is greater by these fractions of itself and of the boxes' size.
constexpr double kBetter = 0.05, kBetterOfSize = 1e-4;
constexpr double kExact = 1e-7; // relative to the size: gaps that differ by less count as equal
constexpr double kRim = 3e-7;   // relative to the size: a corner that is outside of a face by less counts as
                                // inside

struct Pair {
    Vec3d ua[3], ub[3]; // axes of the boxes
    double ha[3], hb[3];
    double da[3], db[3];        // vector from b to a, along the axes of a and of b
    double r[3][3], absR[3][3]; // ua[i].ub[j], and its absolute value
    Vec3d d;
    double size;
};

struct Axis {
    double separation = -1e300;
    int kind = -1; // 0 to 2: face of a; 3 to 5: face of b; 6 + 3 i + j: edges i of a and j of b
};

Pair pairOf(const PosedShape& a, const PosedShape& b) {
    Pair p = {{a.axes.x, a.axes.y, a.axes.z},
              {b.axes.x, b.axes.y, b.axes.z},
              {a.shape->half.x, a.shape->half.y, a.shape->half.z},
              {b.shape->half.x, b.shape->half.y, b.shape->half.z},
              {},
              {},
              {},
              {},
              a.x - b.x,
              0};
    for (int i = 0; i < 3; ++i) {
        p.da[i] = dot(p.ua[i], p.d);
        p.db[i] = dot(p.ub[i], p.d);
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            p.r[i][j] = dot(p.ua[i], p.ub[j]);
            p.absR[i][j] = abs(p.r[i][j]);
        }
    p.size = max(p.ha[0], max(p.ha[1], p.ha[2])) + max(p.hb[0], max(p.hb[1], p.hb[2]));
    return p;
}

// Finds the face of least overlap of each box. Returns false if a face separates the boxes by the margin or
// more.
bool bestFaces(const Pair& p, double margin, Axis& ofA, Axis& ofB) {
    for (int i = 0; i < 3; ++i) {
        const double s = abs(p.da[i]) -
                         (p.ha[i] + p.hb[0] * p.absR[i][0] + p.hb[1] * p.absR[i][1] + p.hb[2] * p.absR[i][2]);
        if (s >= margin) return false;
        if (s > ofA.separation) ofA = {s, i};
    }
    for (int j = 0; j < 3; ++j) {
        const double s = abs(p.db[j]) -
                         (p.hb[j] + p.ha[0] * p.absR[0][j] + p.ha[1] * p.absR[1][j] + p.ha[2] * p.absR[2][j]);
        if (s >= margin) return false;
        if (s > ofB.separation) ofB = {s, 3 + j};
    }
    return true;
}

// Finds the pair of edges of least overlap. Returns false if it separates the boxes by the margin or more. An
// axis is normalised only if it can be better than `atLeast`.
bool bestEdges(const Pair& p, double margin, double atLeast, Axis& best) {
    best.separation = atLeast;
    for (int i = 0; i < 3; ++i) {
        const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
        for (int j = 0; j < 3; ++j) {
            const int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
            const double s = abs(p.da[i2] * p.r[i1][j] - p.da[i1] * p.r[i2][j]) -
                             (p.ha[i1] * p.absR[i2][j] + p.ha[i2] * p.absR[i1][j] + p.hb[j1] * p.absR[i][j2] +
                              p.hb[j2] * p.absR[i][j1]);
            // The cross product is shorter than 1, so division by its length can only make an overlap deeper.
            if (s <= 0 && s <= best.separation) continue;
            const double l2 = 1 - p.r[i][j] * p.r[i][j];
            if (l2 < 1e-8) continue; // parallel edges: the face normals suffice
            const double separation = s / sqrt(l2);
            if (separation >= margin) return false;
            if (separation > best.separation) best = {separation, 6 + 3 * i + j};
        }
    }
    return true;
}

// A corner of a polygon in coordinates of the reference face: x and y in its plane, z above it. The corner
// lies on two lines. Each is an edge of the clipped face (0 to 3) or of the reference face (4 to 7). The two
// lines identify the corner.
struct Corner {
    double x, y, z;
    int before, after;
};

// Keeps the part of a polygon where side * x (or side * y) is at most h.
int clip(const Corner* in, int count, bool alongY, double side, double h, int line, Corner* out) {
    int n = 0;
    const Corner* p = &in[count - 1];
    double dp = side * (alongY ? p->y : p->x) - h;
    for (int i = 0; i < count; ++i) {
        const Corner* q = &in[i];
        const double dq = side * (alongY ? q->y : q->x) - h;
        if ((dp <= 0) != (dq <= 0)) {
            const double t = dp / (dp - dq);
            Corner& c = out[n++];
            c = {p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), p->z + t * (q->z - p->z), p->after,
                 line};
            if (dq <= 0) {
                c.before = line;
                c.after = p->after;
            }
        }
        if (dq <= 0) out[n++] = *q;
        p = q;
        dp = dq;
    }
    return n;
}

// Clips the polygon to the rectangle of the reference face. `result` points to one of the two buffers.
// Returns the number of corners.
int clipToFace(Corner* polygon, Corner* spare, double hx, double hy, const Corner** result) {
    int count = 4;
    Corner *in = polygon, *out = spare;
    for (int k = 0; k < 4 && count > 0; ++k) {
        const bool alongY = k >= 2;
        const double side = k % 2 == 0 ? 1 : -1, h = alongY ? hy : hx;
        bool cut = false;
        for (int i = 0; i < count; ++i) cut = cut | (side * (alongY ? in[i].y : in[i].x) > h);
        if (!cut) continue;
        count = clip(in, count, alongY, side, h, 4 + k, out);
        Corner* t = in;
        in = out;
        out = t;
    }
    *result = in;
    return count;
}

// The reference box and the other box.
struct Faces {
    const Vec3d* u;      // axes of the reference box
    const double *h, *g; // half edges of the reference box (h) and of the other box (g)
    double side;         // +1 or -1: the reference face's outward normal is side * u[k]
};

double entry(const Pair& p, bool ofA, int i, int j) { return ofA ? p.r[i][j] : p.r[j][i]; }

// Adds the points of two faces. Returns the least gap of the points.
double collideFaces(const Pair& p, const PosedShape& a, const PosedShape& b, const Axis& best, double margin,
                    Manifold& out) {
    const bool ofA = best.kind < 3;
    const int k = ofA ? best.kind : best.kind - 3, kx = k == 2 ? 0 : k + 1, ky = k == 0 ? 2 : k - 1;
    const Faces f = ofA ? Faces{p.ua, p.ha, p.hb, p.da[k] > 0 ? -1.0 : 1.0}
                        : Faces{p.ub, p.hb, p.ha, p.db[k] < 0 ? -1.0 : 1.0};
    // The face of the other box whose normal is most opposed to that of the reference face.
    const double e0 = entry(p, ofA, k, 0), e1 = entry(p, ofA, k, 1), e2 = entry(p, ofA, k, 2);
    const int m = abs(e2) > abs(e1) && abs(e2) > abs(e0) ? 2 : abs(e1) > abs(e0) ? 1 : 0;
    const int mx = m == 2 ? 0 : m + 1, my = m == 0 ? 2 : m - 1;
    const double against = f.side * (m == 0 ? e0 : m == 1 ? e1 : e2) > 0 ? -1 : 1;

    const double* c = ofA ? p.da : p.db; // centre of one box relative to the other, along the reference box's
                                         // axes
    const double sign = ofA ? -1 : 1, gm = against * f.g[m];
    const auto along = [&](int axis, double& mid, double& ex, double& ey) {
        mid = sign * c[axis] + gm * entry(p, ofA, axis, m);
        ex = f.g[mx] * entry(p, ofA, axis, mx);
        ey = f.g[my] * entry(p, ofA, axis, my);
    };
    double x, xx, xy, y, yx, yy, z, zx, zy;
    along(kx, x, xx, xy);
    along(ky, y, yx, yy);
    along(k, z, zx, zy);
    z = f.side * z - f.h[k];
    zx *= f.side;
    zy *= f.side;
    Corner polygon[12] = {{x - xx - xy, y - yx - yy, z - zx - zy, 3, 0},
                          {x + xx - xy, y + yx - yy, z + zx - zy, 0, 1},
                          {x + xx + xy, y + yx + yy, z + zx + zy, 1, 2},
                          {x - xx + xy, y - yx + yy, z - zx + zy, 2, 3}};
    Corner spare[12];
    const Corner* clipped = nullptr;
    const double rim = kRim * p.size;
    const int count = clipToFace(polygon, spare, f.h[kx] + rim, f.h[ky] + rim, &clipped);

    const Vec3d outward = f.side * f.u[k], n = ofA ? -outward : outward;
    const Vec3d origin = (ofA ? a.x : b.x) + f.h[k] * outward;
    const std::uint32_t face =
        std::uint32_t(best.kind * 12 + (f.side > 0 ? 6 : 0) + 2 * m + (against > 0 ? 1 : 0));
    Candidate list[12];
    double least = 1e300;
    for (int i = 0; i < count; ++i) {
        const Corner& q = clipped[i];
        const Vec3d on = origin + q.x * f.u[kx] + q.y * f.u[ky], off = on + q.z * outward;
        list[i] = {ofA ? on : off, ofA ? off : on, q.z, (face << 6) + std::uint32_t(8 * q.before + q.after)};
        least = min(least, q.z);
    }
    addFour(out, margin, list, count, 0, 0, n, p.size);
    return least;
}

double collideEdges(const Pair& p, const PosedShape& a, const PosedShape& b, const Axis& best, double margin,
                    Manifold& out) {
    const int i = (best.kind - 6) / 3, j = (best.kind - 6) % 3;
    Vec3d n = normalize(cross(p.ua[i], p.ub[j]));
    if (dot(n, p.d) < 0) n = -n;
    Vec3d ca = a.x, cb = b.x;
    std::uint32_t signs = 0;
    for (int k = 0; k < 3; ++k) {
        const bool upA = dot(n, p.ua[k])<0, upB = dot(n, p.ub[k])> 0;
        if (k != i) {
            ca += (upA ? p.ha[k] : -p.ha[k]) * p.ua[k];
            signs |= std::uint32_t(upA) << k;
        }
        if (k != j) {
            cb += (upB ? p.hb[k] : -p.hb[k]) * p.ub[k];
            signs |= std::uint32_t(upB) << (3 + k);
        }
    }
    const Vec3d ea = p.ha[i] * p.ua[i], eb = p.hb[j] * p.ub[j];
    const SegmentSegment<double> c = closest(ca - ea, ca + ea, cb - eb, cb + eb);
    addPoint(out, margin, c.p, c.q, 0, 0, n, std::uint32_t(best.kind * 12) << 6 | signs);
    return best.separation > 0 ? sqrt(c.distanceSquared) : best.separation;
}

} // namespace

void collideBoxes(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const Pair p = pairOf(a, b);
    Axis ofA, ofB, ofEdges;
    if (!bestFaces(p, margin, ofA, ofB)) return;
    const auto clearly = [&](double s) { return s + kBetter * abs(s) + kBetterOfSize * p.size; };
    const Axis face = ofB.separation > clearly(ofA.separation) ? ofB : ofA;
    const double most = max(ofA.separation, ofB.separation);
    if (!bestEdges(p, margin, most, ofEdges)) return;
    const bool edges = ofEdges.kind >= 0 && ofEdges.separation > clearly(face.separation);

    const double least =
        edges ? collideEdges(p, a, b, ofEdges, margin, out) : collideFaces(p, a, b, face, margin, out);
    // If the boxes are disjoint and the points are farther than the best axis says, another feature is
    // nearest. If the boxes overlap but no point does, the two faces lie beside each other.
    const bool missed = ofEdges.separation > 0 ? least > ofEdges.separation + kExact * p.size : least > 0;
    if (missed) {
        out.count = 0;
        collideConvex(a, b, margin, out);
    }
}

} // namespace capstan
