// SPDX-License-Identifier: MIT
// The cloth of a textbook: a list of particles, a list of links, and position-based dynamics by Gauss-Seidel. Links go
// along both edges, along both diagonals, and over two cells against bending.
#pragma once

#include <capstan/math/vec.hpp>

#include <cstddef>
#include <vector>

namespace capstan::bench {

class TextbookCloth {
public:
    // Makes a level sheet of side x side particles, `spacing` apart [m], with a total `mass` [kg]. It is pinned at two
    // corners of one edge.
    TextbookCloth(int side, float spacing, float mass, int substeps, int iterations);

    void frame();
    std::size_t links() const { return links_.size(); }
    // Finds the largest stretch and the mean absolute strain of the links along the edges.
    void strains(double& max, double& mean) const;

private:
    struct Particle {
        Vec3 x, p, v;
        float w;
    };
    struct Link {
        int a, b;
        float rest, compliance;
    };
    void join(int a, int b, float compliance);

    std::vector<Particle> particles_;
    std::vector<Link> links_;
    std::size_t structural_ = 0;
    int substeps_, iterations_;
};

} // namespace capstan::bench
