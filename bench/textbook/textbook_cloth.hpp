// SPDX-License-Identifier: MIT
// The textbook loop for cloth: particles, links, and position based dynamics by Gauss-Seidel. Links lie along both
// directions of the grid, along both diagonals, and over two cells against bending.
#pragma once

#include <capstan/math/vec.hpp>

#include <cstddef>
#include <vector>

namespace capstan::bench {

class TextbookCloth {
public:
    // Makes a horizontal sheet of side x side particles, `spacing` apart [m], with a total `mass` [kg]. Two corners
    // of one edge are pinned.
    TextbookCloth(int side, float spacing, float mass, int substeps, int iterations);

    void frame();
    std::size_t links() const { return links_.size(); }
    // Computes the largest stretch and the mean absolute strain of the links along the grid.
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
