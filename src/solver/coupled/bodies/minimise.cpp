// SPDX-License-Identifier: MIT
// One round of bodies in contact: Newton's method for the step x of all bodies, with the points, normals and multipliers
// of the rows fixed:
//     min  g.x + x.H x / 2 + sum p(J x),    p(d) = max(0, ln - rho n.d)^2 / 2 rho + huber(lt + rho d_t, mu fn) / rho
//
// H has the bodies' masses and the geometric stiffness of the rows' forces. The limit of friction mu fn is that of the
// last round. So the function is convex and once differentiable, and Newton's method with an exact line search converges
// from anywhere (Hintermueller, Ito and Kunisch 2002; friction as in Haslinger 1983). Where no row changes its state, one
// step is exact.
#include "solver/coupled/bodies/body_solver.hpp"

namespace capstan {
namespace {

using Block = BlockFactor::Block;
using Part = BlockFactor::Part;

// m/s: unbalanced force on a body, as the change of its velocity in a substep
constexpr double kBalanced = 1e-6;
constexpr int kSteps = 50;         // largest number of Newton steps in a round
constexpr int kSearches = 30;      // largest number of trials of a line search
constexpr double kSearched = 0.02; // of the slope where the line begins: a smaller slope ends its search

Vec3d shift(const Part& x) { return {x[0], x[1], x[2]}; }
Vec3d turn(const Part& x) { return {x[3], x[4], x[5]}; }
void add(Part& to, Vec3d f, Vec3d torque) {
    const double all[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < 6; ++i) to[i] += all[i];
}
double dotOf(const Part& a, const Part& b) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}
Part times(const Block& a, const Part& x) {
    Part y;
    for (int i = 0; i < 6; ++i) {
        y[i] = 0;
        for (int j = 0; j < 6; ++j) y[i] += a[6 * i + j] * x[j];
    }
    return y;
}

Vec3d seen(const BodyRow& r, const std::vector<Part>& x) {
    Vec3d d = {0, 0, 0};
    for (int k : {0, 1}) {
        if (r.unknown[k] < 0) continue;
        const Part& y = x[r.unknown[k]];
        const Vec3d one = shift(y) + cross(turn(y), r.arm[k]);
        d = k == 0 ? d + one : d - one;
    }
    return d;
}
Vec3d forceOf(const BodyRow& r, Vec3d d) {
    const double away = dot(r.n, d), fn = max(0.0, r.push - r.rho * away);
    Vec3d tau = r.rub + r.rho * (d - away * r.n);
    const double size = length(tau);
    if (size > r.grip) tau = (r.grip / size) * tau;
    return tau - fn * r.n;
}

// The derivative of the force, by rows of a symmetric matrix.
void stiffnessOf(const BodyRow& r, Vec3d (&K)[3]) {
    const double away = dot(r.n, r.d);
    const Vec3d tau = r.rub + r.rho * (r.d - away * r.n);
    const double size = length(tau), normal = r.push - r.rho * away > 0 ? r.rho : 0;
    const bool slipping = size >= r.grip;
    const double across = !slipping ? r.rho : size > 0 ? r.rho * (r.grip / size) : 0;
    const Vec3d u = slipping && size > 0 ? (1 / size) * tau : Vec3d{0, 0, 0};
    const double n[3] = {r.n.x, r.n.y, r.n.z}, v[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; ++i)
        K[i] = (i == 0   ? Vec3d{across, 0, 0}
                : i == 1 ? Vec3d{0, across, 0}
                         : Vec3d{0, 0, across}) +
               ((normal - across) * n[i]) * r.n - (across * v[i]) * u;
}

// Adds sign J_a^T K J_b to a block, with J = (1, -[arm]).
void addBlock(Block& to, const Vec3d (&K)[3], Vec3d a, Vec3d b, double sign) {
    const Vec3d ca[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
    const Vec3d cb[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -b.z, b.y}, {b.z, 0, -b.x}, {-b.y, b.x, 0}};
    for (int j = 0; j < 6; ++j) {
        const Vec3d f = sign * Vec3d{dot(K[0], cb[j]), dot(K[1], cb[j]), dot(K[2], cb[j])};
        for (int i = 0; i < 6; ++i) to[6 * i + j] += dot(ca[i], f);
    }
}

void buildMatrix(BodySolver& s) {
    s.matrix.clear();
    for (std::size_t k = 0; k < s.own.size(); ++k) s.matrix.diagonal[s.matrix.position[k]] = s.own[k];
    for (const BodyRow& r : s.rows) {
        if (r.grip == 0 && r.push <= r.rho * dot(r.n, r.d)) continue;
        Vec3d K[3];
        stiffnessOf(r, K);
        for (int k : {0, 1})
            if (r.unknown[k] >= 0)
                addBlock(s.matrix.diagonal[s.matrix.position[r.unknown[k]]], K, r.arm[k], r.arm[k], 1);
        if (r.block >= 0)
            addBlock(s.matrix.below[r.block], K, r.arm[r.swapped ? 1 : 0], r.arm[r.swapped ? 0 : 1], -1);
    }
}

// Writes the gradient at x. Returns the largest unbalanced force, as a displacement of its body.
double findGradient(const CoupledIsland& t, BodySolver& s) {
    for (std::size_t k = 0; k < s.x.size(); ++k) {
        s.pull[k] = times(s.own[k], s.x[k]);
        const TreeBody<double>& b = *t.bodies[s.bodyOf[k]].tree;
        add(s.pull[k], b.gp, b.gt);
        s.gradient[k] = s.pull[k];
    }
    for (BodyRow& r : s.rows) {
        r.d = seen(r, s.x);
        if (r.grip == 0 && r.push <= r.rho * dot(r.n, r.d)) continue;
        const Vec3d f = forceOf(r, r.d);
        for (int k : {0, 1})
            if (r.unknown[k] >= 0) {
                const Vec3d one = k == 0 ? f : -f;
                add(s.gradient[r.unknown[k]], one, cross(r.arm[k], one));
            }
    }
    double most = 0;
    for (std::size_t k = 0; k < s.x.size(); ++k) {
        const IslandBody& b = t.bodies[s.bodyOf[k]];
        const Vec3d f = shift(s.gradient[k]), l = turn(s.gradient[k]);
        const Vec3d turned = b.R * multiply(b.invInertia, transposeTimes(b.R, l));
        const double off = max(b.invMass * length(f), b.reach * length(turned));
        if (!(off <= most)) most = off; // also if it is not a number
    }
    return most;
}

// Lists the rows that act between x and x + step. Where a row does not push at either end, it does not push between them.
void listLines(BodySolver& s) {
    s.lines.clear();
    for (const BodyRow& r : s.rows) {
        const Vec3d e = seen(r, s.step);
        const double away = dot(r.n, r.d), more = dot(r.n, e);
        const double push = r.push - r.rho * away, change = -r.rho * more;
        if (push <= 0 && push + change <= 0 && r.grip == 0) continue;
        const Vec3d across = e - more * r.n;
        s.lines.push_back(
            {push, change, more, r.grip, r.rub + r.rho * (r.d - away * r.n), r.rho * across, across});
    }
}

// Returns the share of the Newton step at which the function is least.
double searchLine(BodySolver& s) {
    double slope = 0, bend = 0;
    for (std::size_t k = 0; k < s.x.size(); ++k) {
        slope += dotOf(s.step[k], s.pull[k]);
        bend += dotOf(s.step[k], times(s.own[k], s.step[k]));
    }
    listLines(s);
    const auto slopeAt = [&](double share) {
        double sum = slope + share * bend;
        for (const RowLine& l : s.lines) {
            const Vec3d tau = l.rub + share * l.rubChange;
            const double size = length(tau), along = dot(tau, l.across);
            sum += (size > l.grip ? l.grip / size : 1.0) * along -
                   max(0.0, l.push + share * l.pushChange) * l.away;
        }
        return sum;
    };
    const double begin = slopeAt(0), enough = kSearched * abs(begin);
    double low = 0, high = 1, atLow = begin, atHigh = slopeAt(1);
    if (atHigh <= enough) return 1;
    for (int k = 0; k < kSearches; ++k) {
        // The secant, but never so near to an end that the interval hardly shrinks.
        const double secant = low + (high - low) * clamp(atLow / (atLow - atHigh), 0.05, 0.95);
        const double share = k % 3 == 2 ? 0.5 * (low + high) : secant, at = slopeAt(share);
        if (abs(at) <= enough) return share;
        if (at < 0) {
            low = share;
            atLow = at;
        } else {
            high = share;
            atHigh = at;
        }
    }
    return low > 0 ? low : high;
}

} // namespace

bool minimise(CoupledIsland& t, BodySolver& s) {
    s.pull.resize(s.x.size());
    s.gradient.resize(s.x.size());
    for (int k = 0; k < kSteps; ++k) {
        if (findGradient(t, s) <= kBalanced * t.h) return true;
        buildMatrix(s);
        s.matrix.factor();
        s.step = s.gradient;
        for (Part& p : s.step)
            for (double& a : p) a = -a;
        s.matrix.solve(s.step);
        const double share = searchLine(s);
        for (std::size_t i = 0; i < s.x.size(); ++i)
            for (int j = 0; j < 6; ++j) s.x[i][j] += share * s.step[i][j];
    }
    return false;
}

} // namespace capstan
