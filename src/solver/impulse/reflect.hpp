// SPDX-License-Identifier: MIT
// Impacts with restitution among bodies that meet, pair by pair. See reflect.cpp.
//
// Velocities have two parts, v and y, so that both solvers can use them. In the impulse solver y is the angular
// momentum, in the coupled solver the angular velocity. The speed of a point along the direction d is
//     d.(v0 - v1) + k0.y0 - k1.y1
// A direction lists the responses to a unit impulse along it. These are those of its two bodies, or of all bodies that
// joints and ropes take along.
#pragma once

#include <capstan/math/vec.hpp>

#include <vector>

namespace capstan {

struct ImpactResponse {
    int body;
    Vec3d v, y; // per unit impulse
};
struct ImpactDirection {
    Vec3d d, k[2];
    int first, end; // responses
};
struct ImpactPoint {
    ImpactDirection n, t, u;
    double massN, massT; // massT: no more than the effective mass in any direction sideways
    double approach;     // m/s, at the time of the impact, if it was noted; else 0
    double ln, lt, lu;   // N s: what the impacts gave
};
// All points of two bodies that share one normal.
struct ImpactPair {
    int body[2];
    int first, end; // points
    double restitution, friction;
    double speed; // m/s: fastest approach of its points; 0: none approaches
};

struct Impacts {
    std::vector<Vec3d> v, y; // by body
    std::vector<ImpactResponse> responses;
    std::vector<ImpactPoint> points;
    std::vector<ImpactPair> pairs;

    void clear(std::size_t bodies);
    double speed(const ImpactPair& pair, const ImpactDirection& d) const {
        const std::size_t a = std::size_t(pair.body[0]), b = std::size_t(pair.body[1]);
        return dot(d.d, v[a] - v[b]) + (dot(d.k[0], y[a]) - dot(d.k[1], y[b]));
    }
    // The speed along `seen` that a unit impulse along `pushed` gives.
    double yields(const ImpactPair& pair, const ImpactDirection& seen, const ImpactDirection& pushed) const {
        double sum = 0;
        for (int k = pushed.first; k < pushed.end; ++k) {
            const ImpactResponse& r = responses[std::size_t(k)];
            if (r.body == pair.body[0]) sum += dot(seen.d, r.v) + dot(seen.k[0], r.y);
            if (r.body == pair.body[1]) sum -= dot(seen.d, r.v) + dot(seen.k[1], r.y);
        }
        return sum;
    }
    void push(const ImpactDirection& d, double impulse) {
        for (int k = d.first; k < d.end; ++k) {
            const ImpactResponse& r = responses[std::size_t(k)];
            v[std::size_t(r.body)] = v[std::size_t(r.body)] + impulse * r.v;
            y[std::size_t(r.body)] = y[std::size_t(r.body)] + impulse * r.y;
        }
    }

    // Working memory of reflect().
    struct Next {
        int pair;
        double speed;
    };
    std::vector<Next> queue;           // a heap, the fastest first
    std::vector<int> first, use, fill; // by body: its pairs
};

void reflect(Impacts& w);

} // namespace capstan
