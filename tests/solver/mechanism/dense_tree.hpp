// SPDX-License-Identifier: MIT
// A tree of bodies and joints in plain numbers, and its linear equations as one dense linear system.
//
// The system has four kinds of unknowns. A body has a displacement dp and a rotation dth, a free column has psi, and
// a row has a multiplier f. Let r, rp be the levers from the centres of child and parent to the anchor. The index p
// marks the parent, e the error of rotation, and s the axis of a free column. The equations are
//     ball      dp + dth x r - (dp_p + dth_p x rp) = -gap
//     columns   dth - dth_p = e + psi s (rotations),  the line above = -gap + psi s (slides)
//               of energy kr psi^2 / 2 + u psi
//     rod       n.(D - dx) + residual = alpha f,  of energy t |across (D - dx)|^2 / 2
//               D and dx being the displacements of the two anchors, n the rod's direction, alpha its compliance
// The energy of a body is m |dp + cp|^2 / 2 + |dth + ct|^2_I / 2, plus the geometric stiffness of the joint forces.
#pragma once

#include <capstan/math/quat.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace capstan {

enum class Sort { Free, Ball, Hinge, Slider, Cylinder, Fixed, RowBall, Rod };

// The structure of a tree, which is the same in all lanes.
struct TreeShape {
    std::vector<int> parent;
    std::vector<Sort> sort;
};

// A body and its joint to the parent, in plain numbers. The names are those of solver/mechanism/tree_joint.hpp.
struct Numbers {
    Vec3d x, cp, ct, inertia, lc, lp, gx, F, e, s[3];
    Quatd q, gq, frame, frameOff;
    double mass, kr[3], u[3], lambda, residual, alpha, t;
    bool locked[3];
};

// Solves a symmetric indefinite system by Gaussian elimination with pivoting.
class Dense {
public:
    explicit Dense(int n) : n_(n), a_(std::size_t(n) * std::size_t(n + 1), 0) {}
    double& at(int i, int k) { return a_[std::size_t(i) * std::size_t(n_ + 1) + std::size_t(k)]; }
    double& rhs(int i) { return at(i, n_); }
    std::vector<double> solve() {
        for (int i = 0; i < n_; ++i) {
            int best = i;
            for (int k = i; k < n_; ++k)
                if (std::abs(at(k, i)) > std::abs(at(best, i))) best = k;
            for (int c = 0; c <= n_; ++c) std::swap(at(i, c), at(best, c));
            for (int k = i + 1; k < n_; ++k) {
                const double l = at(k, i) / at(i, i);
                for (int c = i; c <= n_ && l != 0; ++c) at(k, c) -= l * at(i, c);
            }
        }
        std::vector<double> z(std::size_t(n_), 0);
        for (int i = n_ - 1; i >= 0; --i) {
            double sum = rhs(i);
            for (int k = i + 1; k < n_; ++k) sum -= at(i, k) * z[k];
            z[i] = sum / at(i, i);
        }
        return z;
    }

private:
    int n_;
    std::vector<double> a_;
};

inline double part(Vec3d v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }
inline Vec3d unit(int c) { return {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0}; }

// The dense system of a tree, and its solution.
struct Reference {
    std::vector<Vec3d> dp, dth, F, T; // F, T: force and torque on the child at the anchor, in units of h^2

    Reference(const TreeShape& shape, const std::vector<Numbers>& all, double h2) {
        const int n = int(all.size());
        // A body has at most three columns and six rows. Equations of missing ones are 1 z = 0.
        Dense d(6 * n + 9 * n);
        for (int i = 0; i < n; ++i) {
            const Numbers& a = all[i];
            const Mat3<double> R = toMat3(a.q);
            const Mat3<double> I = R * Mat3<double>::diagonal(a.inertia) * transpose(R);
            for (int c = 0; c < 3; ++c) {
                d.at(6 * i + c, 6 * i + c) += a.mass;
                d.rhs(6 * i + c) -= a.mass * part(a.cp, c);
                for (int k = 0; k < 3; ++k) {
                    d.at(6 * i + 3 + c, 6 * i + 3 + k) += part(I * unit(k), c);
                    d.rhs(6 * i + 3 + c) -= part(I * unit(k), c) * part(a.ct, k);
                }
            }
            addJoint(d, shape, all, i, h2);
        }
        const std::vector<double> z = d.solve();
        for (int i = 0; i < n; ++i) {
            auto vec = [&](int at) { return Vec3d{z[at], z[std::size_t(at) + 1], z[std::size_t(at) + 2]}; };
            dp.push_back(vec(6 * i));
            dth.push_back(vec(6 * i + 3));
            const int first = 6 * n + 9 * i;
            F.push_back(-vec(first + 3));
            T.push_back(-vec(first + 6));
            if (shape.sort[i] == Sort::Rod) F.back() = (all[i].lambda + z[first]) * rodAlong_[i];
        }
    }

private:
    // Adds the relative displacement of the anchors along v (child minus parent) as a row and a column.
    static void addRelative(Dense& d, int row, int i, int p, Vec3d r, Vec3d rp, Vec3d v) {
        auto put = [&](int column, double value) {
            d.at(row, column) += value;
            d.at(column, row) += value;
        };
        for (int c = 0; c < 3; ++c) {
            put(6 * i + c, part(v, c));
            put(6 * i + 3 + c, part(cross(r, v), c));
            if (p < 0) continue;
            put(6 * p + c, -part(v, c));
            put(6 * p + 3 + c, -part(cross(rp, v), c));
        }
    }
    static void addGeometric(Dense& d, int i, Vec3d l, Vec3d r) {
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                double k = 0.5 * (part(l, a) * part(r, b) + part(r, a) * part(l, b));
                if (a == b) k += 0.5 * (length(l) * length(r) - dot(l, r));
                d.at(6 * i + 3 + a, 6 * i + 3 + b) += k;
            }
    }

    void addJoint(Dense& d, const TreeShape& shape, const std::vector<Numbers>& all, int i, double h2) {
        const Numbers& a = all[i];
        const int p = shape.parent[i], first = 6 * int(all.size()) + 9 * i;
        const Sort sort = shape.sort[i];
        rodAlong_.resize(all.size(), Vec3d{0, 0, 0});
        bool used[9] = {};
        if (sort != Sort::Free) {
            const Vec3d r = rotate(a.q, a.lc), px = p < 0 ? a.gx : all[p].x;
            const Vec3d rp = rotate(p < 0 ? a.gq : all[p].q, a.lp);
            const Vec3d apart = (a.x + r) - (px + rp), x = axisX(a.frame), x1 = axisX(a.frameOff * a.frame);
            const bool slides = sort == Sort::Slider || sort == Sort::Cylinder;
            const bool turns = sort == Sort::Hinge || sort == Sort::Cylinder;
            // For a slide the force acts on the parent at the child's anchor.
            const Vec3d lever = slides ? rp + dot(apart, x) * x : rp;
            addGeometric(d, i, -h2 * a.F, r);
            if (p >= 0) addGeometric(d, p, h2 * a.F, lever);
            if (sort == Sort::Rod) {
                addRod(d, a, i, p, first, r, rp, apart);
                used[0] = true;
            } else {
                for (int c = 0; c < 3; ++c) { // rows 3 to 5: positions
                    addRelative(d, first + 3 + c, i, p, r, lever, unit(c));
                    d.rhs(first + 3 + c) = -part(slides ? apart - dot(apart, x) * x : apart, c);
                    used[3 + c] = true;
                }
                Vec3d e = cross(x1, x);
                if (!turns) e += dot(cross(axisY(a.frameOff * a.frame), axisY(a.frame)), x) * x;
                if (sort == Sort::RowBall) e = a.e;
                for (int c = 0; c < 3 && sort != Sort::Ball; ++c) { // rows 6 to 8: rotations
                    auto put = [&](int column, double v) {
                        d.at(first + 6 + c, column) += v;
                        d.at(column, first + 6 + c) += v;
                    };
                    put(6 * i + 3 + c, 1);
                    if (p >= 0) put(6 * p + 3 + c, -1);
                    d.rhs(first + 6 + c) = part(e, c);
                    used[6 + c] = true;
                }
                int k = 0; // free columns of the joint
                auto column = [&](Vec3d s, bool slide) {
                    const int at = first + k;
                    used[k] = true;
                    d.at(at, at) = a.locked[k] ? 1 : a.kr[k];
                    for (int c = 0; c < 3 && !a.locked[k]; ++c) {
                        const int row = first + (slide ? 3 : 6) + c;
                        d.at(row, at) -= part(s, c);
                        d.at(at, row) -= part(s, c);
                    }
                    d.rhs(at) = a.locked[k] ? 0 : -a.u[k];
                    ++k;
                };
                if (turns) column(x, false);
                if (slides) column(x, true);
                for (int c = 0; c < 3 && sort == Sort::RowBall; ++c) column(a.s[c], false);
            }
        }
        for (int k = 0; k < 9; ++k)
            if (!used[k]) d.at(first + k, first + k) = 1;
    }

    // Adds a rod: the row n.(D - dx) - alpha f = -residual. The force is lambda + f along n, plus t per metre across
    // n.
    void addRod(Dense& d, const Numbers& a, int i, int p, int row, Vec3d r, Vec3d rp, Vec3d apart) {
        const Vec3d n = (-1 / length(apart)) * apart;
        rodAlong_[i] = n;
        addRelative(d, row, i, p, r, rp, -n);
        d.at(row, row) = -a.alpha;
        d.rhs(row) = -a.residual;
        // The energy across n is t w^2 / 2, where w is the relative displacement along one of two directions.
        const Vec3d u = normalize(cross(n, std::abs(n.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})),
                    v = cross(n, u);
        auto gradient = [&](Vec3d along) {
            std::vector<std::pair<int, double>> w;
            for (int c = 0; c < 3; ++c) {
                w.push_back({6 * i + c, part(along, c)});
                w.push_back({6 * i + 3 + c, part(cross(r, along), c)});
                if (p < 0) continue;
                w.push_back({6 * p + c, -part(along, c)});
                w.push_back({6 * p + 3 + c, -part(cross(rp, along), c)});
            }
            return w;
        };
        for (Vec3d along : {u, v}) {
            const auto w = gradient(along);
            for (const auto& x : w)
                for (const auto& y : w) d.at(x.first, y.first) += a.t * x.second * y.second;
        }
        for (const auto& x : gradient(n))
            d.rhs(x.first) += a.lambda * x.second; // the force that already acts
    }

    std::vector<Vec3d> rodAlong_;
};

} // namespace capstan
