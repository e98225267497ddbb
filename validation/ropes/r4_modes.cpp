// SPDX-License-Identifier: MIT
// R4: small oscillations of a hanging chain and of a cantilever beam.
//
//   chain of N equal masses on N links of length l, with the sideways offset x_i of mass i:
//     omega^2 = (g / l) * zeros of the Laguerre polynomial L_N, or
//     m_i x_i'' = T_(i+1) (x_(i+1) - x_i) / l - T_i (x_i - x_(i-1)) / l,   T_i = g * mass below link i
//   chain with a bob (D. Bernoulli 1732):  ((r + xi) y')' + Omega^2 y = 0,  y'(0) = -Omega^2 y(0), y(1) = 0
//     r: mass of the bob / mass of the chain; xi: height above the bob / L; y: offset; Omega = omega sqrt(L / g)
//   beam:  cos(b) cosh(b) = -1,  omega = b^2 sqrt(B / (mu L^4)), bending stiffness B, mass per length mu
//
// Each run starts at rest in the shape of one mode, with an amplitude of 1 % of the length. A decaying sinusoid is
// fitted to the modal coordinate over ten periods. The chain is compared with the discrete frequencies. Its masses
// are at the lower ends of the links, so the last node gets half a link's mass as a load. In mode 3 an amplitude of
// 1 % is an angle of 0.19 rad at the tip. That is not small, and the chain swings 0.3 % slower. So the exact motion
// of rigid links,
//   m_i a_i = m_i g + T_i n_i - T_(i+1) n_(i+1),   |p_i - p_(i-1)| = l   (tridiagonal in T)
// with positions p_i, and n_i the unit vector from node i to the node above, is compared, too. It is integrated in double, and the same fit is applied.
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>

namespace capstan::validation {

namespace {

constexpr double kWidth = 0.01, kPeriods = 10;

// Returns positions of nodes with given offsets from a straight line, such that links keep their length. `along` and
// `across` are the components of a position along the line and across it.
struct Position {
    double along, across;
};
std::vector<Position> laid(const std::vector<double>& across) {
    double l = 1 / static_cast<double>(across.size() - 1);
    std::vector<Position> positions = {{0, across[0]}};
    for (std::size_t i = 1; i < across.size(); ++i) {
        double step = across[i] - across[i - 1];
        positions.push_back({positions.back().along + std::sqrt(l * l - step * step), across[i]});
    }
    return positions;
}

// Returns the modal coordinate: the sum of the offsets, weighted by mass and shape.
double coordinate(const std::vector<double>& mass, const std::vector<double>& shape,
                  const std::vector<double>& offset) {
    double along = 0, norm = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        along += mass[i] * shape[i] * offset[i];
        norm += mass[i] * shape[i] * shape[i];
    }
    return along / norm;
}

int periodFrames(double omega) { return frames(kPeriods * 2 * std::numbers::pi / omega); }

// Simulates ten periods and fits a sinusoid. `across` is the component of a position in which the rope oscillates.
Sinusoid ring(World& world, RopeId rope, const std::vector<double>& mass, const std::vector<double>& shape,
              double omega, float Vec3::*across) {
    std::vector<double> q;
    for (int i = 0; i <= periodFrames(omega); ++i) {
        if (i > 0) world.step(kFrame);
        std::vector<double> offset;
        for (Vec3 p : world.positions(rope)) offset.push_back(static_cast<double>(p.*across));
        q.push_back(coordinate(mass, shape, offset));
    }
    return fitSinusoid(q, static_cast<double>(kFrame), omega);
}

double gateOf(int mode) { return mode == 1 ? 0.01 : 0.03; }

std::vector<Measured> judge(const Sinusoid& got, double expected, double unit, const char* unitName,
                            int mode) {
    using enum Measured::Kind;
    std::vector<Measured> list = {
        {Relative, std::string("frequency / ") + unitName, expected, got.omega / unit, gateOf(mode), 0.0005}};
    double change = std::abs(1 - std::exp(-got.decay * kPeriods * 2 * std::numbers::pi / got.omega));
    if (mode == 1) list.push_back({AtMost, "change of amplitude in 10 periods", 0, change, 0.05, 0.001});
    return list;
}

// A chain of mass 1 and length 1. With a bob the expected frequency is that of the continuous chain.
std::vector<Measured> swing(int mode, double bob, Resolution resolution) {
    int n = resolution.segments;
    double each = 1.0 / n, load = bob > 0 ? bob : each / 2;
    std::vector<double> mass(static_cast<std::size_t>(n), each);
    mass.back() = each / 2 + load;
    Modes modes = hangingChain(mass);
    std::vector<double> shape = modes.shape[static_cast<std::size_t>(mode - 1)];
    shape.insert(shape.begin(), 0);
    std::vector<double> across;
    for (double s : shape) across.push_back(kWidth * s);

    World world({.substeps = resolution.substeps, .contact = false});
    RopeDef def;
    def.segments = 0;
    for (Position p : laid(across)) def.points.push_back(at(p.across, -p.along));
    def.mass = 1;
    def.pins = {first};
    def.loads = {{last, static_cast<float>(load)}};
    RopeId rope = world.add(def);

    double unit = std::sqrt(kGravity);
    double expected =
        bob > 0 ? hangingChainOmega(mode, bob) : modes.omega[static_cast<std::size_t>(mode - 1)];
    // Includes the mass of the support, which has no effect because its offset is 0.
    std::vector<double> all = mass;
    all.insert(all.begin(), 0);
    Sinusoid got = ring(world, rope, all, shape, expected * unit, &Vec3::x);
    std::vector<Measured> list = judge(got, expected, unit, "sqrt(g / L)", mode);
    if (bob > 0) return list;

    double step = static_cast<double>(kFrame) * unit; // time in units of sqrt(L / g)
    std::vector<double> exact;
    for (const auto& offset : swingingChain(mass, across, step, periodFrames(expected * unit)))
        exact.push_back(coordinate(all, shape, offset));
    list.push_back({Measured::Kind::Relative, "frequency of exact links at this amplitude",
                    fitSinusoid(exact, step, expected).omega, got.omega / unit, gateOf(mode), 0.0005});
    return list;
}

// A cantilever of length 1 and mass 1, without gravity.
std::vector<Measured> vibrate(int mode, Resolution resolution) {
    double betaL = cantileverBeam(mode), stiffness = 4;
    std::vector<double> mass, shape, across;
    for (int i = 0; i <= resolution.segments; ++i) {
        mass.push_back(i < resolution.segments ? 1 : 0.5);
        shape.push_back(cantileverShape(betaL, static_cast<double>(i) / resolution.segments));
        across.push_back(kWidth * shape.back());
    }
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    RopeDef def;
    def.segments = 0;
    for (Position p : laid(across)) def.points.push_back(at(p.along, p.across));
    def.mass = 1;
    def.bendStiffness = static_cast<float>(stiffness);
    def.clamps = {{first, {1, 0, 0}}};
    RopeId rope = world.add(def);

    double unit = std::sqrt(stiffness), expected = betaL * betaL;
    Sinusoid got = ring(world, rope, mass, shape, expected * unit, &Vec3::y);
    return judge(got, expected, unit, "sqrt(B / mu L^4)", mode);
}

// Equations of motion of rigid links. A state lists x and y of each node from the first below the support on, and
// then their velocities.
class RigidLinks {
public:
    explicit RigidLinks(const std::vector<double>& mass)
        : mass_(mass), l_(1 / static_cast<double>(mass.size())) {}

    // Returns the time derivative of a state. Tensions keep the length of each link. With d = x_i - x_(i-1) and its
    // time derivative dv, the condition is (a_i - a_(i-1)) . d + dv . dv = 0. Gravity acts equally on both ends of a
    // link and cancels, except at the first link, whose support does not fall.
    std::vector<double> slope(double, const std::vector<double>& s) const {
        std::size_t n = mass_.size();
        std::vector<double> nx(n), ny(n), diagonal(n), right(n), below(n), f(4 * n);
        for (std::size_t i = 0; i < n; ++i) {
            auto step = [&](std::size_t from) { return s[from + i] - (i > 0 ? s[from + i - 1] : 0); };
            nx[i] = -step(0) / l_;
            ny[i] = -step(n) / l_; // towards the node above
            double vx = step(2 * n), vy = step(3 * n);
            diagonal[i] = 1 / mass_[i] + (i > 0 ? 1 / mass_[i - 1] : 0);
            right[i] = (vx * vx + vy * vy) / l_ + (i > 0 ? 0 : ny[0]);
            if (i > 0) below[i] = -(nx[i] * nx[i - 1] + ny[i] * ny[i - 1]) / mass_[i - 1];
        }
        for (std::size_t i = 1; i < n; ++i) {
            double r = below[i] / diagonal[i - 1];
            diagonal[i] -= r * below[i];
            right[i] -= r * right[i - 1];
        }
        std::vector<double> tension(n);
        for (std::size_t i = n; i-- > 0;)
            tension[i] = (right[i] - (i + 1 < n ? below[i + 1] * tension[i + 1] : 0)) / diagonal[i];
        for (std::size_t i = 0; i < n; ++i) {
            double fx = tension[i] * nx[i], fy = tension[i] * ny[i];
            if (i + 1 < n) {
                fx -= tension[i + 1] * nx[i + 1];
                fy -= tension[i + 1] * ny[i + 1];
            }
            f[i] = s[2 * n + i];
            f[n + i] = s[3 * n + i];
            f[2 * n + i] = fx / mass_[i];
            f[3 * n + i] = fy / mass_[i] - 1;
        }
        return f;
    }

private:
    const std::vector<double>& mass_;
    double l_;
};

} // namespace

Modes hangingChain(const std::vector<double>& mass) {
    std::size_t n = mass.size();
    double l = 1 / static_cast<double>(n), tension = 0;
    std::vector<double> k(n * n);
    for (std::size_t i = n; i-- > 0;) { // link i joins node i - 1 (the support for i = 0) to node i
        tension += mass[i];
        k[i * n + i] += tension / l;
        if (i == 0) continue;
        k[(i - 1) * n + (i - 1)] += tension / l;
        k[i * n + i - 1] = k[(i - 1) * n + i] = -tension / l;
    }
    return oscillations(mass, k);
}

std::vector<std::vector<double>> swingingChain(const std::vector<double>& mass,
                                               const std::vector<double>& offset, double step, int count) {
    std::size_t n = mass.size();
    std::vector<double> state(4 * n);
    std::vector<Position> positions = laid(offset);
    for (std::size_t i = 0; i < n; ++i) {
        state[i] = positions[i + 1].across;
        state[n + i] = -positions[i + 1].along;
    }
    // The highest frequency of the chain is below 2 n sqrt(g / L). This number of steps resolves it.
    int parts = static_cast<int>(std::ceil(step * 4 * static_cast<double>(n)));
    RigidLinks links(mass);
    std::vector<std::vector<double>> result;
    for (int k = 0; k <= count; ++k) {
        for (int i = 0; k > 0 && i < parts; ++i) {
            state = rungeKutta(0, state, step / parts,
                               [&](double t, const std::vector<double>& s) { return links.slope(t, s); });
        }
        std::vector<double> now(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(n));
        now.insert(now.begin(), 0);
        result.push_back(std::move(now));
    }
    return result;
}

double hangingChainOmega(int mode, double bob) {
    // As Omega grows, one zero of y per mode enters the interval at xi = 1. So the number of zeros is monotone in
    // Omega.
    auto tooFast = [&](double omega) {
        using State = std::array<double, 2>; // y and (r + xi) y'
        auto slope = [&](double xi, const State& s) -> State {
            double r = bob + xi;
            return {r > 0 ? s[1] / r : -omega * omega * s[0], -omega * omega * s[0]};
        };
        const int steps = 8192;
        State s = {1, -bob * omega * omega};
        int zeros = 0;
        for (int i = 0; i < steps; ++i) {
            State next = rungeKutta(static_cast<double>(i) / steps, s, 1.0 / steps, slope);
            if ((next[0] < 0) != (s[0] < 0)) ++zeros;
            s = next;
        }
        return zeros >= mode;
    };
    double high = 1;
    while (!tooFast(high)) high *= 2;
    return threshold(0, high, tooFast);
}

double cantileverBeam(int mode) {
    double sign = mode % 2 == 1 ? -1 : 1;
    return threshold((mode - 1) * std::numbers::pi, mode * std::numbers::pi,
                     [&](double b) { return sign * (std::cos(b) + 1 / std::cosh(b)) > 0; });
}

double cantileverShape(double betaL, double s) {
    double b = betaL, r = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
    auto shape = [&](double x) { return std::cosh(x) - std::cos(x) - r * (std::sinh(x) - std::sin(x)); };
    return shape(b * s) / shape(b);
}

std::vector<Row> runModes(const Options& options) {
    struct Chain {
        int mode;
        double bob;
    };
    std::vector<Chain> chains = {{1, 0}, {3, 0}, {1, 1000}};
    std::vector<int> beams = {1};
    if (options.full) {
        chains = {{1, 0}, {2, 0}, {3, 0}, {1, 0.1}, {1, 1}, {2, 1}, {1, 10}, {1, 100}, {1, 1000}};
        beams = {1, 2};
    }
    Sheet sheet("R4", options, static_cast<int>(chains.size() + beams.size()));
    for (Chain chain : chains) {
        char bob[40] = "";
        if (chain.bob > 0) std::snprintf(bob, sizeof bob, " with a bob of %g x its mass", chain.bob);
        std::string what = std::string("chain") + bob + ", mode " + std::to_string(chain.mode);
        sheet.refine(what, {50, kDynamicSubsteps},
                     [&](Resolution r) { return swing(chain.mode, chain.bob, r); });
    }
    for (int mode : beams) {
        sheet.refine("cantilever beam, mode " + std::to_string(mode), {32, kDynamicSubsteps},
                     [&](Resolution r) { return vibrate(mode, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
