// SPDX-License-Identifier: MIT
// The bending matrix K of cloth. D is the bending stiffness, and A_T the area of triangle T. The bending energy is
//     E = 1/2 sum over axes of x.K x = D/2 sum_T A_T |S_T|^2
//
// S_T is the curvature of a triangle. It follows from the slopes of the neighbouring triangles relative to its own:
//     S_T = 1/A_T sum_e m_e h_e n_e n_e^T,   h_e = l_e (slope beyond edge e - own slope) along n_e
// Here l_e is the length of the edge and n_e its normal in the plane of T. The factor m_e is 1/2, because the slope
// at the middle of an edge is the mean of both sides. S_T is the curvature of the triangle with mid-edge normals:
// Grinspun, Gingold, Reisman, Zorin, Computing discrete shape operators on general meshes (2006). K is the same for
// each axis of x, which is exact for a sheet that bends without stretching. Source: Bergou, Wardetzky, Harmon, Zorin,
// Grinspun, A quadratic bending model for inextensible surfaces (2006). Two alternatives were refused. One hinge per
// edge with weights 3 l^2 / A is three times too stiff on right triangles and 1.5 times on equilateral ones. The
// squared Laplacian has no energy for a saddle. Then only the inextensibility of the sheet resisted a saddle, and
// iterations enforce it last, so the sheet hung limp.
//
// An edge at the rim has no neighbouring triangle and adds nothing. A triangle with three pinned corners is a wall
// and has no energy. At an edge to a wall the slope is that of the wall, so m_e = 1. To clamp a beam, pin all corners
// of the triangles at its end.
#include "solver/cloth/rows.hpp"

namespace capstan {
namespace {

// h_e as a weighted sum of the heights of the edge's two ends and of the two opposite corners.
struct Hinge {
    std::int32_t vertex[4];
    double weight[4];
};

// Adds l times the slope from the edge p0 p1 to its opposite corner q. The foot of the perpendicular from q has the
// height (1 - s) f(p0) + s f(p1), and `high` is the distance of q from the edge.
void addSlope(Hinge& h, const std::vector<Vec3d>& rest, int slot, double l) {
    const Vec3d p = rest[h.vertex[0]], d = rest[h.vertex[1]] - p, q = rest[h.vertex[slot]] - p;
    const double s = dot(q, d) / dot(d, d), high = length(q - s * d);
    h.weight[slot] += l / high;
    h.weight[0] -= (1 - s) * l / high;
    h.weight[1] -= s * l / high;
}

Hinge hingeOf(const std::vector<Vec3d>& rest, const ClothEdge& e) {
    Hinge h = {{e.a, e.b, e.opposite[0], e.opposite[1]}, {0, 0, 0, 0}};
    const double l = length(rest[e.b] - rest[e.a]);
    addSlope(h, rest, 2, l);
    addSlope(h, rest, 3, l);
    return h;
}

// One edge of a triangle: its hinge, and the matrix m_e n_e n_e^T in axes of the triangle. `part` holds the entries
// xx, yy and sqrt(2) xy.
struct Side {
    const Hinge* hinge = nullptr;
    double part[3] = {0, 0, 0};
};

struct Column {
    std::int32_t other;
    double weight;
};

void addTo(std::vector<Column>& row, int other, double weight) {
    for (Column& c : row)
        if (c.other == other) {
            c.weight += weight;
            return;
        }
    row.push_back({other, weight});
}

// Adds the part of triangle T to K: stiffness times the sum over pairs of its sides of (part.part) h h. `stiffness`
// is D / A_T.
void addTriangle(std::vector<std::vector<Column>>& rows, const Side (&sides)[3], double stiffness) {
    for (const Side& p : sides)
        for (const Side& q : sides) {
            if (!p.hinge || !q.hinge) continue;
            double k = 0;
            for (int i = 0; i < 3; ++i) k += p.part[i] * q.part[i];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    addTo(rows[p.hinge->vertex[i]], q.hinge->vertex[j],
                          stiffness * k * p.hinge->weight[i] * q.hinge->weight[j]);
        }
}

} // namespace

void bendRows(Cloth& c, const ClothState& s, const std::vector<ClothEdge>& edges) {
    c.bendWeight.clear();
    c.bendBound.clear();
    c.bendRatio = 0;
    if (!(c.def.bendStiffness > 0)) return;
    const auto wall = [&](int t) {
        const auto& v = c.triangles[t];
        return !(s.x[v[0]].w > 0) && !(s.x[v[1]].w > 0) && !(s.x[v[2]].w > 0);
    };
    std::vector<Hinge> hinges(edges.size());
    std::vector<std::array<Side, 3>> sides(c.triangles.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const ClothEdge& e = edges[i];
        if (e.triangle[1] < 0) continue;
        hinges[i] = hingeOf(c.rest, e);
        for (int side = 0; side < 2; ++side) {
            const std::size_t t = std::size_t(e.triangle[side]);
            const auto& v = c.triangles[t];
            const Vec3d o = c.rest[v[0]], x = normalize(c.rest[v[1]] - o);
            const Vec3d up = cross(x, c.rest[v[2]] - o), y = normalize(cross(up, x));
            const Vec3d along = normalize(c.rest[e.b] - c.rest[e.a]);
            // Unit vector perpendicular to the edge, in axes of the triangle.
            const double nx = -dot(along, y), ny = dot(along, x);
            const double m = wall(e.triangle[1 - side]) ? 1 : 0.5;
            for (Side& free : sides[t]) {
                if (free.hinge) continue;
                free = {&hinges[i], {m * nx * nx, m * ny * ny, m * sqrt(2.0) * nx * ny}};
                break;
            }
        }
    }
    std::vector<std::vector<Column>> rows(std::size_t(c.room));
    for (std::size_t t = 0; t < c.triangles.size(); ++t) {
        if (wall(int(t))) continue;
        const Side three[3] = {sides[t][0], sides[t][1], sides[t][2]};
        addTriangle(rows, three, double(c.def.bendStiffness) / areaOf(c.rest, c.triangles[t]));
    }
    std::vector<ClothEntry> entries;
    c.bendBound.assign(std::size_t(c.room), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double bound = 0;
        for (const Column& k : rows[i]) {
            bound += abs(k.weight);
            if (k.other != int(i)) entries.push_back({std::int32_t(i), k.other, float(k.weight), 0});
        }
        c.bendBound[i] = float(bound);
        c.bendRatio = max(c.bendRatio, bound * double(s.x[i].w));
    }
    c.bendOf = clothRows(entries, c.room, true, 0, [&](std::size_t at, const ClothEntry* e) {
        if (e)
            c.bendWeight[at] = e->first;
        else
            c.bendWeight.assign(at, 0);
    });
}

} // namespace capstan
