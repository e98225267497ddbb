// SPDX-License-Identifier: MIT
// See hull.hpp. Points are inserted one by one in a shuffled order (Clarkson & Shor 1989, "Applications of random
// sampling in computational geometry, II"). A point sees a triangle if it lies above the triangle's plane. The
// triangles that a new point sees are removed. Each edge of the rim of the hole is then joined to the point by a new
// triangle.
//
// Each point that is still outside is stored with one triangle that it sees. If that triangle is removed, the point
// sees one of the new triangles, or is inside (Barber, Dobkin & Huhdanpaa 1996, "The quickhull algorithm"). The
// shuffle is the same in each run and keeps the expected work near n log n. If points on a curve were inserted from
// left to right, each might see half of all triangles.
//
// Every decision depends on the side of the triangle abc on which the point p lies. It is the sign of (b-a) x (c-a) .
// (p-a), and it is computed exactly. Coordinates are integers up to 2^40 on a grid whose cell is a power of two, and
// the sign is computed in 128 bits. A float that is 2^16 times smaller than the largest one is on the grid without
// rounding. So coplanar and collinear points are no special cases. A tolerance was refused: with it, decisions can
// contradict each other, and the surface tears.
//
// A point in the plane of a triangle does not see it. Therefore the seen triangles form one connected patch with one
// rim, and no triangle is degenerate.
#include "builder/hull.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace capstan {
namespace {

__extension__ using Int128 = __int128;
constexpr double kGrid = 0x1p40; // largest coordinate; the sign of side() then needs 126 bits
// Share of the largest coordinate; rounding to float moves a point by up to 6e-8 of its coordinate.
constexpr double kThinnest = 1e-6;

using Corner = std::array<std::int64_t, 3>;
using Big = std::array<Int128, 3>;

Big difference(const Corner& a, const Corner& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Big cross(const Big& a, const Big& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Returns the side of p relative to the plane through a with the normal n: 1 above, 0 in the plane, -1 below.
int side(const Big& n, const Corner& a, const Corner& p) {
    const Big d = difference(p, a);
    const Int128 volume = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
    return int(volume > 0) - int(volume < 0);
}

// Returns 0 to n - 1 in an order that Knuth's linear congruential generator shuffles, the same in each run.
std::vector<int> shuffled(int n) {
    std::vector<int> order;
    for (int i = 0; i < n; ++i) order.push_back(i);
    std::uint64_t seed = 1;
    for (int i = n - 1; i > 0; --i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[i], order[(seed >> 33) % std::uint64_t(i + 1)]);
    }
    return order;
}

class Builder {
public:
    // Takes sorted, distinct points.
    explicit Builder(std::vector<Corner> points)
        : p_(std::move(points)), faceAt_(p_.size(), -1), seenBy_(p_.size(), -1), nextOutside_(p_.size(), -1) {
        const int n = int(p_.size());
        int i = 2; // i: the first point off the line of 0 and 1; j: the first point off their plane
        while (i < n && normal(0, 1, i) == Big{0, 0, 0}) ++i;
        int j = i + 1;
        while (j < n && side(normal(0, 1, i), at(0), at(j)) == 0) ++j;
        if (j >= n) return;
        start(i, j);
        const std::vector<int> order = shuffled(n);
        for (int k : order)
            if (k != 0 && k != 1 && k != i && k != j) place(k, {0, 1, 2, 3});
        for (int k : order)
            if (seenBy_[k] >= 0) insert(k);
    }

    // Returns the points at which at least three planes meet. Other points of the surface lie within a face or an
    // edge.
    std::vector<Corner> sharp() const {
        std::vector<Corner> list;
        for (int v = 0; v < int(p_.size()); ++v)
            if (creases(v) >= 3) list.push_back(at(v));
        return list;
    }

    const std::vector<Corner>& points() const { return p_; }

    std::vector<std::array<int, 3>> triangles() const {
        std::vector<std::array<int, 3>> list;
        for (const Face& f : faces_)
            if (f.alive) list.push_back(f.v);
        return list;
    }

private:
    struct Face {
        std::array<int, 3> v;
        std::array<int, 3> next; // the face across the edge from v[k] to v[k + 1]
        Big n;                   // outward normal
        int outside = -1;        // head of the list of outside points that are stored with this face
        bool alive = true;
    };
    struct Edge {
        int face, k;
    };

    const Corner& at(int v) const { return p_[v]; }
    Face& face(int f) { return faces_[f]; }
    const Face& face(int f) const { return faces_[f]; }
    Big normal(int a, int b, int c) const {
        return cross(difference(at(b), at(a)), difference(at(c), at(a)));
    }
    int sideOf(int f, int p) const { return side(face(f).n, at(face(f).v[0]), at(p)); }
    static std::size_t after(std::size_t k) { return k == 2 ? 0 : k + 1; }
    static std::size_t corner(const Face& f, int v) { return f.v[0] == v ? 0 : f.v[1] == v ? 1 : 2; }

    int add(std::array<int, 3> v, std::array<int, 3> next) {
        const Face made = {v, next, normal(v[0], v[1], v[2])};
        int f = int(faces_.size());
        if (free_.empty()) {
            faces_.push_back(made);
        } else {
            f = free_.back();
            free_.pop_back();
            face(f) = made;
        }
        for (int c : v) faceAt_[c] = f;
        return f;
    }

    // Builds the tetrahedron of the points 0, 1, i, j.
    void start(int i, int j) {
        int a = 0, b = 1;
        if (side(normal(a, b, i), at(a), at(j)) > 0) std::swap(a, b); // j lies below the first face
        add({a, b, i}, {1, 2, 3});
        add({b, a, j}, {0, 3, 2});
        add({i, b, j}, {0, 1, 3});
        add({a, i, j}, {0, 2, 1});
    }

    // Stores the point k with the first of the given faces that it sees. A point that sees none of them is inside,
    // and is dropped.
    void place(int k, const std::vector<int>& faces) {
        int& by = seenBy_[k];
        by = -1;
        for (int f : faces)
            if (sideOf(f, k) > 0) {
                by = f;
                nextOutside_[k] = face(f).outside;
                face(f).outside = k;
                return;
            }
    }

    // Adds the point k to the hull.
    void insert(int k) {
        const int first = seenBy_[k];
        seen_ = {first};
        rim_.clear();
        face(first).alive = false;
        for (std::size_t s = 0; s < seen_.size(); ++s)
            for (int e = 0; e < 3; ++e) {
                const int g = face(seen_[s]).next[e];
                if (!face(g).alive) continue;
                if (sideOf(g, k) > 0) {
                    face(g).alive = false;
                    seen_.push_back(g);
                } else {
                    rim_.push_back({seen_[s], e});
                }
            }
        close(k);
        for (int f : seen_)
            for (int p = face(f).outside, next; p >= 0; p = next) {
                next = nextOutside_[p];
                if (p != k) place(p, cone_);
            }
        seenBy_[k] = -1;
        free_.insert(free_.end(), seen_.begin(), seen_.end());
    }

    // Adds a triangle from each edge of the rim to the point k. Each corner of the rim is the start of exactly one
    // rim edge.
    void close(int k) {
        cone_.clear();
        for (const Edge& e : rim_) {
            const std::size_t i = std::size_t(e.k);
            const int a = face(e.face).v[i], b = face(e.face).v[after(i)], g = face(e.face).next[i];
            const int f = add({a, b, k}, {g, -1, -1});
            face(g).next[corner(face(g), b)] = f;
            cone_.push_back(f);
        }
        for (int f : cone_) faceAt_[face(f).v[0]] = f;
        for (int f : cone_) {
            const int g = faceAt_[face(f).v[1]];
            face(f).next[1] = g;
            face(g).next[2] = f;
        }
    }

    // Returns the number of edges at v whose two faces are not coplanar; 0 if v is not a corner of any triangle.
    int creases(int v) const {
        const int first = faceAt_[v];
        if (first < 0 || !face(first).alive || face(first).v[corner(face(first), v)] != v) return 0;
        int count = 0, f = first;
        do {
            const int g = face(f).next[corner(face(f), v)]; // across the edge that starts at v
            const int beyond = face(g).v[after(corner(face(g), v))];
            count += sideOf(f, beyond) != 0;
            f = g;
        } while (f != first);
        return count;
    }

    std::vector<Corner> p_;
    std::vector<int> faceAt_;      // by point: a face that has it as a corner
    std::vector<int> seenBy_;      // by point: the face with which an outside point is stored, or -1
    std::vector<int> nextOutside_; // by point: the next point in the list of the same face
    std::vector<Face> faces_;
    std::vector<int> free_, seen_, cone_;
    std::vector<Edge> rim_;
};

// Returns true if all points are nearly in one plane. It picks three points that are far apart, and measures the
// point farthest from their plane.
bool flat(const std::vector<Vec3d>& points, double largest) {
    auto farthest = [&](auto distance) {
        double most = 0;
        Vec3d best = points.front();
        for (Vec3d p : points)
            if (const double d = distance(p); d > most) {
                most = d;
                best = p;
            }
        return best;
    };
    const double thin = kThinnest * largest;
    const Vec3d a = points.front();
    const Vec3d b = farthest([&](Vec3d p) { return length(p - a); });
    const Vec3d along = normalize(b - a);
    const Vec3d c = farthest([&](Vec3d p) { return length(cross(along, p - a)); });
    if (!(length(cross(along, c - a)) > thin)) return true;
    const Vec3d up = normalize(cross(along, c - a));
    const Vec3d d = farthest([&](Vec3d p) { return abs(dot(up, p - a)); });
    return !(abs(dot(up, d - a)) > thin);
}

std::int64_t rounded(double a) { return std::int64_t(a < 0 ? a - 0.5 : a + 0.5); }

} // namespace

ConvexHull convexHull(const std::vector<Vec3d>& points) {
    double largest = 0;
    for (Vec3d p : points) largest = max(largest, max(abs(p.x), max(abs(p.y), abs(p.z))));
    if (!(largest > 0) || flat(points, largest)) return {};

    double cells = 1; // grid cells per metre
    while (largest * cells > kGrid) cells *= 0.5;
    while (largest * cells <= 0.5 * kGrid) cells *= 2;
    std::vector<Corner> whole;
    for (Vec3d p : points)
        whole.push_back({rounded(p.x * cells), rounded(p.y * cells), rounded(p.z * cells)});
    std::sort(whole.begin(), whole.end());
    whole.erase(std::unique(whole.begin(), whole.end()), whole.end());

    // The hull is built again from its corners only. Otherwise points within a face or an edge would be corners of
    // triangles.
    const Builder hull(Builder(std::move(whole)).sharp());
    ConvexHull h;
    for (const Corner& c : hull.points())
        h.corners.push_back({double(c[0]) / cells, double(c[1]) / cells, double(c[2]) / cells});
    h.triangles = hull.triangles();
    return h;
}

} // namespace capstan
