// SPDX-License-Identifier: MIT
// The coupled solver: assembles and solves the banded matrix of a stiff rope. See stiff_rope.hpp.
#include "solver/coupled/rope_units.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr int kRows = 4;             // three coordinates of a node and the multiplier of its segment
constexpr int kOpen = 8, kRing = 16; // half bandwidths of the matrix: bending couples nodes up to two apart

int bandOf(const ChainLanes<double>& c) { return c.closed ? kRing : kOpen; }

// Returns the first row of a node. A ring's nodes are ordered 0, 1, n - 1, 2, n - 2, ..., so the band is
// narrow.
int rowOf(const ChainLanes<double>& c, int i) {
    if (!c.closed || i == 0) return kRows * i;
    return kRows * (i <= c.nodes - i ? 2 * i - 1 : 2 * (c.nodes - i));
}

class Rows {
public:
    Rows(StiffRope& s, const ChainLanes<double>& c) : s_(s), c_(c) {}

    double& at(int i, int j) { // reads or writes an entry by either order of indices, since only one half of
                               // the symmetric matrix is stored
        const int low = std::min(i, j), high = std::max(i, j);
        return s_.columns[low * (bandOf(c_) + 1) + high - low];
    }
    // Adds m I to the block of two nodes.
    void add(int i, int j, double m) {
        const int p = rowOf(c_, i), q = rowOf(c_, j);
        for (int k = 0; k < 3; ++k) at(p + k, q + k) += m;
    }
    void add(int i, const Sym3<double>& S) {
        const int p = rowOf(c_, i);
        at(p, p) += S.xx;
        at(p + 1, p + 1) += S.yy;
        at(p + 2, p + 2) += S.zz;
        at(p, p + 1) += S.xy;
        at(p, p + 2) += S.xz;
        at(p + 1, p + 2) += S.yz;
    }
    // Adds S to the block between two nodes. The block is symmetric; all nine entries are written.
    void couple(int i, int j, const Sym3<double>& S) {
        const int p = rowOf(c_, i), q = rowOf(c_, j);
        at(p, q) += S.xx;
        at(p + 1, q + 1) += S.yy;
        at(p + 2, q + 2) += S.zz;
        at(p, q + 1) += S.xy;
        at(p, q + 2) += S.xz;
        at(p + 1, q + 2) += S.yz;
        at(p + 1, q) += S.xy;
        at(p + 2, q) += S.xz;
        at(p + 2, q + 1) += S.yz;
    }
    void pushed(int i, Vec3d g) { // subtracts a gradient from the right-hand side
        double* b = s_.rhs.data() + rowOf(c_, i);
        b[0] -= g.x;
        b[1] -= g.y;
        b[2] -= g.z;
    }

private:
    StiffRope& s_;
    const ChainLanes<double>& c_;
};

// Adds the segment whose data are in c.node[from]. It joins node i to its parent p. Its multiplier is the
// fourth row of i.
void addSegment(Rows& rows, StiffRope& s, const ChainLanes<double>& c, int from, int i, int p) {
    const ChainNode<double>& a = c.node[from];
    const Sym3<double> across = Sym3<double>::scaledIdentity(a.t) - a.t * outer(a.n);
    rows.add(i, across);
    rows.add(p, across);
    rows.couple(i, p, -1.0 * across);
    rows.pushed(i, -a.lambda * a.n);
    rows.pushed(p, a.lambda * a.n);
    const int row = rowOf(c, i) + 3, up = rowOf(c, p), down = rowOf(c, i);
    const double n[] = {a.n.x, a.n.y, a.n.z};
    for (int k = 0; k < 3; ++k) {
        rows.at(row, down + k) = -n[k];
        rows.at(row, up + k) = n[k];
    }
    rows.at(row, row) = -compliance(c, a);
    s.rhs[row] = -a.residual;
}

void addBending(Rows& rows, const ChainLanes<double>& c) {
    const int n = c.nodes;
    for (int i = c.closed ? 0 : 1; i < (c.closed ? n : n - 1); ++i) {
        const int who[] = {(i + n - 1) % n, i, (i + 1) % n};
        const BentNode<double> node(c, who[0], i, who[2], i > 0 ? i : n);
        const double k = node.there ? c.bend * 2 / node.span : 0;
        const double share[] = {node.alpha, -(node.alpha + node.beta), node.beta};
        const Vec3d turn = k * node.turn(&ChainNode<double>::x);
        for (int p = 0; p < 3; ++p) {
            rows.pushed(who[p], share[p] * turn);
            for (int q = 0; q <= p; ++q) rows.add(who[p], who[q], k * share[p] * share[q]);
        }
    }
}

// Adds the spring between an end segment and its clamp.
void addClamp(Rows& rows, const ChainLanes<double>& c, int at, int end, double rest, Vec3d direction) {
    if (!(dot(direction, direction) > 0)) return;
    const double k = c.bend * 2 / (rest * rest * rest);
    rows.add(at, at, k);
    rows.pushed(at, k * (c.node[at].x - c.node[end].x - rest * direction));
}

void assemble(StiffRope& s, const ChainLanes<double>& c, const NodeLoad<double>* load) {
    const std::size_t size = std::size_t(kRows * c.nodes), band = std::size_t(bandOf(c));
    s.columns.assign((size + band) * (band + 1), 0); // padding at the end, so that the last columns are as
                                                     // long as all others
    s.rhs.assign(size, 0);
    Rows rows(s, c);
    for (int i = 0; i < c.nodes; ++i) {
        const ChainNode<double>& a = c.node[i];
        rows.add(i, i, a.mass);
        rows.add(i, load[i].S);
        rows.pushed(i, a.mass * (a.x - a.z) + load[i].g);
        if (i > 0) addSegment(rows, s, c, i, i, i - 1);
    }
    if (c.closed)
        addSegment(rows, s, c, c.nodes, 0, c.nodes - 1);
    else
        rows.at(3, 3) = -1; // node 0 has no segment before it, so its multiplier stays 0
    addBending(rows, c);
    if (c.closed) return;
    addClamp(rows, c, 1, 0, c.node[1].rest, c.clamp[0]);
    addClamp(rows, c, c.nodes - 2, c.nodes - 1, c.node[c.nodes - 1].rest, c.clamp[1]);
}

// Factors the matrix as L D L^T, column by column. Each column subtracts its part from the columns after it.
template <int width> void factor(StiffRope& s) {
    const std::size_t size = s.rhs.size();
    for (std::size_t j = 0; j < size; ++j) {
        double* column = s.columns.data() + j * (width + 1);
        const double inverse = 1 / column[0];
        double below[width + 1];
        for (int k = 1; k <= width; ++k) below[k] = column[k];
        for (int k = 1; k <= width; ++k) column[k] = inverse * below[k];
        column[0] = inverse;
        for (int k = 1; k <= width; ++k) {
            double* next = column + k * (width + 1);
            for (int i = 0; i <= width - k; ++i) next[i] -= column[k] * below[k + i];
        }
    }
}

// Solves for the right-hand side in place. In each sum the term of the nearest row comes last, so that the
// other terms overlap with its computation. Loops of a fixed length unroll, and a stiff rope spends most of
// its time here.
template <int width> void substitute(StiffRope& s) {
    const int size = int(s.rhs.size());
    double* b = s.rhs.data();
    auto column = [&](int j) { return s.columns.data() + std::size_t(j) * (width + 1); };
    auto down = [&](int j, int from) {
        double sum = b[j];
        for (int k = from; k >= 1; --k) sum -= column(j - k)[k] * b[j - k];
        b[j] = sum;
    };
    auto up = [&](int j, int from) {
        double sum = column(j)[0] * b[j];
        for (int k = from; k >= 1; --k) sum -= column(j)[k] * b[j + k];
        b[j] = sum;
    };
    const int edge = std::min(width, size);
    for (int j = 0; j < edge; ++j) down(j, j);
    for (int j = edge; j < size; ++j) down(j, width);
    for (int j = size - 1; j >= size - edge; --j) up(j, size - 1 - j);
    for (int j = size - edge - 1; j >= 0; --j) up(j, width);
}

// Solves for steps of nodes and tensions. The step of the tension in segment i is pull[i]. The closing
// segment of a ring has pull[0].
void solve(StiffRope& s, const ChainLanes<double>& c, std::vector<Vec3d>& step, std::vector<double>& pull) {
    c.closed ? substitute<kRing>(s) : substitute<kOpen>(s);
    for (int i = 0; i < c.nodes; ++i) {
        const double* b = s.rhs.data() + rowOf(c, i);
        step[i] = {b[0], b[1], b[2]};
        pull[i] = b[3];
    }
}

} // namespace

void findStruts(CoupledIsland& t, const Model& m, const State& s) {
    t.endYield.assign(t.x.size(), -1);
    for (IslandRope& rope : t.ropes) {
        const Rope& r = m.ropes[rope.slot];
        rope.strut = 0;
        if (rope.closed || !r.bends() || r.def.maxBend > 0 || r.count <= 2) continue;
        const double L = widen(r.segmentLength) * rope.segments, B = widen(r.def.bendStiffness);
        float most = s.tension[r.begin + 1];
        for (int k = 2; k < r.count; ++k) most = max(most, s.tension[r.begin + k]);
        if (-widen(most) * L * L > t.def.strut * B) rope.strut = t.def.strutYield / widen(r.totalMass);
    }
}

bool tooStiff(const CoupledIsland& t, const IslandRope& rope, const Rope& r) {
    const double l = widen(r.segmentLength), h2 = t.h * t.h,
                 limit = rope.strut > 0 ? t.def.stiffStrut : t.def.stiff;
    return r.def.maxBend <= 0 && r.count > 2 &&
           h2 * widen(r.def.bendStiffness) > limit * widen(r.nodeMass) * l * l * l;
}

void openStiff(CoupledIsland& t, RopeUnits<double>& g) {
    assemble(g.stiff, g.c, g.load.data());
    g.c.closed ? factor<kRing>(g.stiff) : factor<kOpen>(g.stiff);
    solve(g.stiff, g.c, g.first, g.firstPull);
    g.root.phi = g.firstPull[0];
    const std::size_t begin = std::size_t(t.ropes[g.rope[0]].first);
    for (std::size_t i = 0; i < std::size_t(g.c.nodes); ++i) t.step[begin + i] = g.first[i];
}

void answerStiff(CoupledIsland& t, RopeUnits<double>& g) {
    const std::size_t begin = std::size_t(t.ropes[g.rope[0]].first);
    Rows rows(g.stiff, g.c);
    g.stiff.rhs.assign(g.stiff.rhs.size(), 0);
    for (int i = 0; i < g.c.nodes; ++i) rows.pushed(i, -t.off[begin + std::size_t(i)]);
    solve(g.stiff, g.c, g.answer, g.pull);
    double& uphill = t.sums[g.rope[0]];
    for (std::size_t i = 0; i < std::size_t(g.c.nodes); ++i) uphill += goesTo(t, begin + i, g.answer[i]);
}

} // namespace capstan
