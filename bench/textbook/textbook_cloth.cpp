// SPDX-License-Identifier: MIT
// The textbook loop for cloth.
#include <bench/textbook/textbook_cloth.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

void TextbookCloth::join(int a, int b, float compliance) {
    const Vec3 d = particles_[b].x - particles_[a].x;
    links_.push_back({a, b, length(d), compliance});
}

TextbookCloth::TextbookCloth(int side, float spacing, float mass, int substeps, int iterations)
    : substeps_(substeps), iterations_(iterations) {
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const Vec3 x = {float(i) * spacing, 0, float(j) * spacing};
            const bool pinned = j == 0 && (i == 0 || i == side - 1);
            particles_.push_back({x, x, {0, 0, 0}, pinned ? 0 : float(side * side) / mass});
        }
    const auto each = [&](int di, int dj, float compliance) {
        for (int j = 0; j + dj < side; ++j)
            for (int i = std::max(0, -di); i + std::max(0, di) < side; ++i)
                join(j * side + i, (j + dj) * side + i + di, compliance);
    };
    each(1, 0, 0);
    each(0, 1, 0);
    structural_ = links_.size();
    each(1, 1, 0);
    each(-1, 1, 0);
    each(2, 0, 1e-5f);
    each(0, 2, 1e-5f);
}

void TextbookCloth::frame() {
    const float h = 1.0f / 60 / float(substeps_);
    for (int s = 0; s < substeps_; ++s) {
        for (Particle& p : particles_) {
            if (p.w > 0) p.v.y -= 9.81f * h;
            p.p = p.x + h * p.v;
        }
        for (int k = 0; k < iterations_; ++k)
            for (const Link& link : links_) {
                Particle &a = particles_[link.a], &b = particles_[link.b];
                const Vec3 d = b.p - a.p;
                const float l = length(d), w = a.w + b.w;
                if (l == 0 || w == 0) continue;
                const Vec3 c = ((l - link.rest) / (l * (w + link.compliance / (h * h)))) * d;
                a.p += a.w * c;
                b.p -= b.w * c;
            }
        for (Particle& p : particles_) {
            p.v = (p.p - p.x) / h;
            p.x = p.p;
        }
    }
}

void TextbookCloth::strains(double& max, double& mean) const {
    max = mean = 0;
    for (std::size_t i = 0; i < structural_; ++i) {
        const Link& l = links_[i];
        const Vec3 d = particles_[l.b].x - particles_[l.a].x;
        const double strain = double(length(d)) / double(l.rest) - 1;
        max = std::max(max, strain);
        mean += std::abs(strain) / double(structural_);
    }
}

} // namespace capstan::bench
