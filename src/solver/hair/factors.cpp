// SPDX-License-Identifier: MIT
// Factorises I + S K, K = D^T D, in double. D is the second difference over the vertices -1, 0, 1, ..., of which -1
// and 0 are fixed. S is diagonal, with the entries h^2 B w / (l^3 m). Unknowns are grouped into pairs of vertices. In
// each chunk u is the first pair and s the last:
//     A u + L s_before + M s = f        N u + O s + P u_next = g
// Elimination of u = A^-1 (f - L s_before - M s), with E = N A^-1 and H = P A_next^-1, gives
//     (O - E M - H L_next) s - E L s_before - H M_next s_next = g - E f - H f_next
// This system is block-tridiagonal. A round of cyclic reduction eliminates the neighbours:
//     D' = D - X Q_before - Y P_after,  X = P D_before^-1,  Y = Q D_after^-1,  P' = -X P_before,  Q' = -Y Q_after
// Right-hand sides are stored without the factor s = h^2 B / (l^3 m): see HairChunkTable.
#include "solver/hair/factors.hpp"

namespace capstan {
namespace {

// A 2 x 2 matrix by rows.
struct Block {
    double a = 0, b = 0, c = 0, d = 0;
    friend Block operator*(const Block& x, const Block& y) {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
    friend Block operator-(const Block& x, const Block& y) {
        return {x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d};
    }
    friend Block operator*(double s, const Block& x) { return {s * x.a, s * x.b, s * x.c, s * x.d}; }
    friend Block operator-(const Block& x) { return {-x.a, -x.b, -x.c, -x.d}; }
    Block inverse() const {
        const double r = 1 / (a * d - b * c);
        return {d * r, -b * r, -c * r, a * r};
    }
    double size() const { return max(max(abs(a), abs(b)), max(abs(c), abs(d))); }
    operator Two() const { return {narrow(a), narrow(b), narrow(c), narrow(d)}; }
};

// Relative coupling below which cyclic reduction stops. For human hair this saves a round, and bending displacements
// are correct to 0.3 %.
constexpr double kFelt = 4e-3;

// Upper bound of dt^2 B / (l^3 m) for curls, with dt the length of a whole step. Stiffer curls are simulated with
// this stiffness. The frames of their rest shape follow the strand only once per step. With larger values this delay
// adds energy (seen at 250 and at 400). Straight hair has no such bound. A human hair with edges of 1 cm has 38 at 60
// steps per second.
constexpr double kStiffestCurl = 64;

// Factor c_0 of the bending energy at the root. The vertex at the scalp stands for half an edge only, so its bending
// is twice as stiff. With the factor 1, a cantilever of 31 edges would be 6 % too soft.
constexpr double kClamp = 2;

// The matrix I + S K of a strand.
struct Bending {
    // Two more rows, for an imaginary chunk after the last, with an identity matrix.
    double a[kHairVertices + 2][kHairVertices + 2] = {};

    Bending(const HairTable& t, double s) {
        for (int i = 0; i < kHairVertices + 2; ++i) a[i][i] = 1;
        for (int b = 0; b + 1 < t.vertices; ++b) { // b_i = x_(i-1) - 2 x_i + x_(i+1)
            const double c[3] = {1, -2, 1};
            const int free = b < 2 ? 2 - b : 0; // vertices before 1 are fixed
            for (int i = free; i < 3; ++i)
                for (int j = free; j < 3; ++j) {
                    const int row = b - 1 + i, column = b - 1 + j;
                    const double w = row + 1 == t.vertices ? 2 : 1;
                    a[row][column] += s * w * (b == 0 ? kClamp : 1) * c[i] * c[j];
                }
        }
    }
    Block at(int row, int column) const {
        if (column < 0 || row + 1 >= kHairVertices + 2 || column + 1 >= kHairVertices + 2) return {};
        return {a[row][column], a[row][column + 1], a[row + 1][column], a[row + 1][column + 1]};
    }
};

// S / s for the first two vertices of a chunk.
Block weights(const HairChunkTable& k) { return {double(k.w[0]), 0, 0, double(k.w[1])}; }

// Fills the blocks of all chunks and t.iterations.
void factor(HairTable& t, double s) {
    const Bending m(t, s);
    Block D[kHairChunks], P[kHairChunks], Q[kHairChunks];
    for (int c = 0; c < t.chunks; ++c) {
        HairChunkTable& k = t.chunk[c];
        const int u = 4 * c, next = u + 4;
        const bool has = c + 1 < t.chunks;
        const Block inner = m.at(u, u).inverse(), left = m.at(u, u - 2), right = m.at(u, u + 2);
        const Block own = m.at(u + 2, u) * inner;
        const Block after = has ? m.at(u + 2, next) * m.at(next, next).inverse() : Block{};
        D[c] = m.at(u + 2, u + 2) - own * right;
        if (has) D[c] = D[c] - after * m.at(next, u + 2);
        P[c] = -(own * left);
        Q[c] = has ? -(after * m.at(next, next + 2)) : Block{};
        k.fromOwn = own * weights(k);
        k.fromNext = has ? after * weights(t.chunk[c + 1]) : Block{};
        k.own = s * (inner * weights(k));
        k.ownLeft = inner * left;
        k.ownLast = inner * right;
    }
    auto coupled = [&] {
        double worst = 0;
        for (int c = 0; c < t.chunks; ++c) {
            const Block inverse = D[c].inverse();
            worst = max(worst, max((inverse * P[c]).size(), (inverse * Q[c]).size()));
        }
        return worst;
    };
    t.iterations = 0;
    for (int step = 1; step < t.chunks && coupled() > kFelt; step *= 2, ++t.iterations) {
        Block D2[kHairChunks], P2[kHairChunks], Q2[kHairChunks];
        for (int c = 0; c < t.chunks; ++c) {
            const bool before = c - step >= 0, after = c + step < t.chunks;
            const Block X = before ? P[c] * D[c - step].inverse() : Block{};
            const Block Y = after ? Q[c] * D[c + step].inverse() : Block{};
            t.chunk[c].fromLeft[t.iterations] = X;
            t.chunk[c].fromRight[t.iterations] = Y;
            D2[c] = D[c];
            if (before) {
                D2[c] = D2[c] - X * Q[c - step];
                P2[c] = -(X * P[c - step]);
            }
            if (after) {
                D2[c] = D2[c] - Y * P[c + step];
                Q2[c] = -(Y * Q[c + step]);
            }
        }
        for (int c = 0; c < t.chunks; ++c) {
            D[c] = D2[c];
            P[c] = P2[c];
            Q[c] = Q2[c];
        }
    }
    for (int c = 0; c < t.chunks; ++c) t.chunk[c].last = s * D[c].inverse();
}

} // namespace

// The rest shape is a plane wave or a helix about z. In the wave, the tangent oscillates in the plane of x and z. The
// tangent of the helix has a constant angle to z. Both amplitudes grow from zero over the first wavelength, so that a
// strand leaves the scalp along z.
void hairRestEdges(const HairDef& def, int edges, Vec3d* direction) {
    const double l = double(def.length) / edges, turn = 6.283185307179586;
    const double rise = turn * double(def.amplitude) / double(def.wavelength);
    const double lean = def.shape == HairShape::Straight ? 0 : atan2(rise, 1.0);
    const double perTurn =
        double(def.wavelength) * sqrt(1 + rise * rise); // arc length of one turn of the helix
    direction[0] = {0, 0, 1};
    for (int i = 1; i <= edges; ++i) {
        const double s = (i - 0.5) * l, phase = turn * s / perTurn;
        const double angle = lean * min(1.0, s / perTurn);
        if (def.shape == HairShape::Curly)
            direction[i] = {sin(angle) * cos(phase), sin(angle) * sin(phase), cos(angle)};
        else
            direction[i] = {sin(angle * sin(phase)), 0, cos(angle * sin(phase))};
    }
}

namespace {

// Computes the second differences of the rest shape, each in the frame of its chunk; see solver/hair/frames.hpp.
void restShape(HairTable& t, const HairDef& def, double l) {
    Vec3d direction[kHairVertices + 1], x[kHairVertices];
    hairRestEdges(def, t.vertices - 1, direction);
    x[0] = {0, 0, 0};
    for (int i = 1; i < t.vertices; ++i) x[i] = x[i - 1] + l * direction[i];
    Quatd frame = Quatd::identity();
    Vec3d axis = {0, 0, 1};
    for (int c = 0; c < t.chunks; ++c) {
        const int from = c > 0 ? 4 * c - 3 : 0, tip = t.vertices - 1;
        const int to = c + 1 == t.chunks ? tip : tip < 4 * c + 6 ? 4 * c + 4 : 4 * c + 6;
        const Vec3d next = normalize(x[to] - x[from], axis);
        frame = normalize(fromTo(axis, next) * frame);
        axis = next;
        for (int i = 4 * c; i < 4 * c + 4 && i + 1 < t.vertices; ++i)
            t.chunk[c].rest[i % 4] = narrow(l * rotate(conjugate(frame), direction[i + 1] - direction[i]));
    }
}

} // namespace

HairTable hairTable(const HairDef& def, int vertices, double h) {
    HairTable t;
    t.vertices = vertices;
    t.chunks = (vertices + 3) / 4;
    const double l = double(def.length) / (vertices - 1), r = double(def.radius);
    const double mass = 3.141592653589793 * r * r * double(def.density) * l;
    double s = h * h * double(def.bendStiffness) / (l * l * l * mass);
    if (def.shape != HairShape::Straight) s = min(s, kStiffestCurl / (double(def.substeps) * def.substeps));
    t.l = narrow(l);
    t.l2 = narrow(l * l);
    t.newtons = narrow(mass * l / (h * h));
    t.bends = s > 0;
    t.curls = def.shape != HairShape::Straight && t.bends && def.amplitude > 0;

    for (int i = 0; i < 4 * t.chunks; ++i) {
        HairChunkTable& k = t.chunk[i / 4];
        const int j = i % 4;
        const bool there = i < vertices, inner = i + 1 < vertices;
        k.w[j] = !there || i == 0 ? 0.0f : inner ? 1.0f : 2.0f;
        k.edge[j] = there && i > 0 ? 1.0f : 0.0f;
        k.idle[j] = 1 - k.edge[j];
        k.pair[j] = 2 * k.edge[j] * (k.w[j] + (i > 1 ? 1.0f : 0.0f));
        k.link[j] = inner && i > 0 ? -2 * k.w[j] : 0.0f;
        k.bends[j] = !inner ? 0.0f : i == 0 ? float(kClamp) : 1.0f;
        k.bendRate[j] = narrow(s * double(k.w[j]));
    }
    if (t.curls) restShape(t, def, l);
    if (t.bends) factor(t, s);
    return t;
}

} // namespace capstan
