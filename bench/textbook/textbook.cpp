// SPDX-License-Identifier: MIT
// The textbook loop for ropes.
#include <bench/textbook/textbook.hpp>

namespace capstan::bench {

TextbookRopes::TextbookRopes(const Setup& setup, int iterations, Sweep sweep)
    : iterations_(iterations), sweep_(sweep) {
    for (int r = 0; r < setup.ropes; ++r) {
        Rope rope;
        for (int i = 0; i < setup.nodes; ++i) {
            const Vec3 x = narrow(setup.position(r, i));
            const float m = float(setup.massOf(i));
            rope.particles.push_back({x, x, {0, 0, 0}, m, i == 0 ? 0.0f : 1.0f / m});
            if (i > 0) rope.links.push_back({i - 1, i, float(setup.spacing)});
        }
        ropes_.push_back(std::move(rope));
    }
    if (sweep == Sweep::Jacobi) {
        shift_.resize(std::size_t(setup.nodes));
        touched_.resize(std::size_t(setup.nodes));
    }
}

void TextbookRopes::iterateGaussSeidel(Rope& rope) {
    for (const Link& link : rope.links) {
        Particle& a = rope.particles[link.a];
        Particle& b = rope.particles[link.b];
        const Vec3 d = b.p - a.p;
        const float l = length(d), w = a.w + b.w;
        if (l == 0 || w == 0) continue;
        const Vec3 c = ((l - link.rest) / (l * w)) * d;
        a.p += a.w * c;
        b.p -= b.w * c;
    }
}

void TextbookRopes::iterateJacobi(Rope& rope) {
    shift_.assign(shift_.size(), Vec3{0, 0, 0});
    touched_.assign(touched_.size(), 0);
    for (const Link& link : rope.links) {
        const Particle& a = rope.particles[link.a];
        const Particle& b = rope.particles[link.b];
        const Vec3 d = b.p - a.p;
        const float l = length(d), w = a.w + b.w;
        if (l == 0 || w == 0) continue;
        const Vec3 c = ((l - link.rest) / (l * w)) * d;
        shift_[link.a] += a.w * c;
        shift_[link.b] -= b.w * c;
        ++touched_[link.a];
        ++touched_[link.b];
    }
    for (std::size_t i = 0; i < rope.particles.size(); ++i)
        if (touched_[i] > 0) rope.particles[i].p += shift_[i] / float(touched_[i]);
}

void TextbookRopes::step(Rope& rope) {
    const float h = float(frameTime);
    const Vec3 g = {0, -float(gravity), 0};
    for (Particle& p : rope.particles) {
        if (p.w > 0) p.v += h * g;
        p.p = p.x + h * p.v;
    }
    for (int k = 0; k < iterations_; ++k) {
        if (sweep_ == Sweep::GaussSeidel)
            iterateGaussSeidel(rope);
        else
            iterateJacobi(rope);
    }
    for (Particle& p : rope.particles) {
        p.v = (p.p - p.x) / h;
        p.x = p.p;
    }
}

void TextbookRopes::frame() {
    for (Rope& rope : ropes_) step(rope);
}

void TextbookRopes::read(int rope, std::vector<Vec3d>& x) const {
    x.clear();
    for (const Particle& p : ropes_[rope].particles) x.push_back(widen(p.x));
}

double TextbookRopes::energy(int rope) const {
    double joules = 0;
    for (const Particle& p : ropes_[rope].particles)
        if (p.w > 0) joules += pointEnergy(double(p.m), widen(p.x), widen(p.v));
    return joules;
}

void TextbookRopes::movePin(int rope, Vec3 position) { ropes_[rope].particles[0].x = position; }

void TextbookRopes::hold(int rope, int node, Vec3 position) {
    Particle& p = ropes_[rope].particles[node];
    p.x = position;
    p.v = {0, 0, 0};
    p.w = 0;
}

void TextbookRopes::kick(int rope, int node, Vec3 velocity) { ropes_[rope].particles[node].v += velocity; }

std::size_t TextbookRopes::bytes() const {
    std::size_t sum = shift_.size() * sizeof(Vec3) + touched_.size() * sizeof(int);
    for (const Rope& rope : ropes_)
        sum += rope.particles.size() * sizeof(Particle) + rope.links.size() * sizeof(Link) + sizeof(Rope);
    return sum;
}

} // namespace capstan::bench
