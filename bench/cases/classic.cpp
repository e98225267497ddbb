// SPDX-License-Identifier: MIT
// Classic: the simple loops of textbooks. Both engines do the same work, with equal particles, links and iterations,
// and one substep. So the time shows the overhead of the engine and the gain of its SIMD lanes.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>
#include <capstan/integrators.hpp>

#include <algorithm>
#include <chrono>
#include <span>

namespace capstan::bench {

namespace {

// Returns the initial velocity of particle i, which starts at the origin [m/s].
Vec3 thrown(int i) { return {float(i % 10), 5 + float(i % 7), float(i % 3)}; }

class LibraryVerlet {
public:
    explicit LibraryVerlet(int count) {
        const std::size_t n = std::size_t(count);
        x.assign(n, Vec3{0, 0, 0});
        previous.resize(n);
        a.resize(n);
        std::vector<Vec3> v(n);
        for (int i = 0; i < count; ++i) v[i] = thrown(i);
        startPositionVerlet(x, v, float(frameTime), field, previous, a);
    }
    void frame() { positionVerlet(x, previous, float(frameTime), field, a); }
    Vec3 position(int i) const { return x[i]; }

private:
    static void field(std::span<const Vec3>, std::span<Vec3> out) {
        std::fill(out.begin(), out.end(), Vec3{0, -float(gravity), 0});
    }
    std::vector<Vec3> x, previous, a;
};

class PlainVerlet {
public:
    explicit PlainVerlet(int count) {
        const float h = float(frameTime);
        for (int i = 0; i < count; ++i)
            particles.push_back({{0, 0, 0}, Vec3{0, -float(gravity) * h * h / 2, 0} - h * thrown(i)});
    }
    void frame() {
        const float h = float(frameTime);
        for (Particle& p : particles) {
            const Vec3 next = 2.0f * p.x - p.previous + (h * h) * Vec3{0, -float(gravity), 0};
            p.previous = p.x;
            p.x = next;
        }
    }
    Vec3 position(int i) const { return particles[i].x; }

private:
    struct Particle {
        Vec3 x, previous;
    };
    std::vector<Particle> particles;
};

template <class Verlet> double timed(Verlet& verlet) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    verlet.frame();
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// Returns the largest distance from x = v t - g t^2 / 2, divided by the longest distance flown.
template <class Verlet> double offParabola(const Verlet& verlet, int count, int frames) {
    const double t = frames * frameTime;
    double off = 0, way = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3d truth = t * widen(thrown(i)) - Vec3d{0, gravity * t * t / 2, 0};
        off = std::max(off, length(widen(verlet.position(i)) - truth));
        way = std::max(way, length(truth));
    }
    return off / way;
}

std::vector<Row> runVerlet(const Options& options) {
    const int count = 1000, frames = scaled(options, 6000, 60);
    LibraryVerlet library(count);
    PlainVerlet plain(count);
    std::vector<double> libraryMicros, plainMicros;
    for (int i = 0; i < frames; ++i) {
        plainMicros.push_back(timed(plain));
        libraryMicros.push_back(timed(library));
    }
    const auto row = [&](const char* engine, std::vector<double> micros, double error) {
        Row r = plainRow("classic", engine, "Verlet, 1000 particles");
        r.quality = {{"frames", double(frames)}, {"error", error}};
        fillTimes(r, std::move(micros));
        return r;
    };
    return {row("textbook", plainMicros, offParabola(plain, count, frames)),
            row("capstan", libraryMicros, offParabola(library, count, frames))};
}

void addIterations(std::vector<Entrant>& entrants, const Options& options, int nodes, int iterations) {
    const Setup setup = horizontal(1, nodes);
    const int frames = scaled(options, 6000, 60);
    const std::size_t begin = entrants.size();
    for (const Sweep sweep : {Sweep::GaussSeidel, Sweep::Jacobi})
        entrants.push_back(textbookEntrant("classic", setup, frames, iterations, sweep));
    for (const Backend backend : {Backend::Scalar, Backend::Simd})
        if (asked(options, backend))
            for (const Solver solver : {Solver::GaussSeidel, Solver::Jacobi})
                entrants.push_back(
                    capstanEntrant("classic", setup, frames, {backend, solver, 1, iterations, 1}));
    for (std::size_t i = begin; i < entrants.size(); ++i)
        entrants[i].row.variant = std::to_string(nodes) + " particles: " + entrants[i].row.variant;
}

} // namespace

std::vector<Row> runClassic(const Options& options) {
    std::vector<Entrant> entrants;
    addIterations(entrants, options, 100, 5);
    addIterations(entrants, options, 101, 1); // 100 links, one iteration
    race(entrants, options, "classic");
    std::vector<Row> rows = rowsOf(entrants);
    for (Row& row : runVerlet(options)) rows.push_back(std::move(row));
    return rows;
}

} // namespace capstan::bench
