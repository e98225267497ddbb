// SPDX-License-Identifier: MIT
// W3: a horizontal cloth of 32 x 32 vertices, 0.05 m apart, of 1 kg. It is pinned at two corners of one edge and
// released. The rows have the largest and the mean absolute strain of the edges after 2 s. The textbook row uses the
// loop of textbook_cloth.hpp with five iterations over 5826 links per frame. Another textbook row has twenty
// substeps. cloth: the same sheet with 1024 and 16384 vertices (a million with --full), by both cloth solvers.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>
#include <bench/textbook/textbook_cloth.hpp>
#include <worlds/workloads.hpp>

#include <capstan/world.hpp>

#include <cstdio>
#include <memory>

namespace capstan::bench {

namespace {

bool wanted(const Options& options, Backend backend) {
    return options.backend.empty() || options.backend == (backend == Backend::Scalar ? "scalar" : "simd");
}

ClothDef sheet(int side, ClothSolver solver, int iterations, float bend) {
    ClothDef d = hungSheet(side);
    d.mass = float(side * side) / 1024;
    d.solver = solver;
    d.iterations = iterations;
    d.bendStiffness = bend;
    d.selfContact = false;
    return d;
}

struct Sheet {
    Row row;
    std::unique_ptr<World> world;
    std::unique_ptr<TextbookCloth> textbook;
    ClothId cloth = {};
    int frames = 0;
    std::vector<double> micros = {};
    double max = 0, mean = 0; // strains after 2 s, or at the end of a shorter run

    void watch() {
        if (micros.size() > 120) return;
        if (textbook) return textbook->strains(max, mean);
        max = double(world->maxStrain(cloth));
        mean = double(world->meanStrain(cloth));
    }
};

struct Way {
    ClothSolver solver;
    int substeps, iterations;
    float bend;
};

Sheet capstanSheet(const char* name, int side, Backend backend, int threads, const Way& way, int frames) {
    Sheet s;
    char text[80];
    std::snprintf(text, sizeof text, "%d vertices, %s, %d x %d%s", side * side,
                  way.solver == ClothSolver::Jacobi ? "jacobi" : "gaussSeidel", way.substeps, way.iterations,
                  way.bend > 0 ? ", bends" : "");
    s.row = plainRow(name, "capstan", text);
    s.row.backend = backend == Backend::Scalar ? "scalar" : "simd";
    s.row.threads = threads;
    s.world = std::make_unique<World>(
        WorldDef{.substeps = way.substeps, .contact = false, .backend = backend, .threads = threads});
    s.cloth = s.world->add(sheet(side, way.solver, way.iterations, way.bend));
    s.frames = frames;
    return s;
}

Sheet textbookSheet(const char* name, int side, int substeps, int iterations, int frames) {
    Sheet s;
    s.textbook =
        std::make_unique<TextbookCloth>(side, 0.05f, float(side * side) / 1024, substeps, iterations);
    s.row = plainRow(name, "textbook",
                     std::to_string(side * side) + " vertices, " + std::to_string(substeps) + " x " +
                         std::to_string(iterations) + ", " + std::to_string(s.textbook->links()) + " links");
    s.frames = frames;
    return s;
}

std::vector<Row> race(std::vector<Sheet>& sheets, const Options& options, const char* name) {
    std::vector<Turn> turns;
    for (Sheet& s : sheets)
        turns.push_back({s.row.engine, s.frames, &s.micros,
                         [&s] {
                             if (s.textbook)
                                 s.textbook->frame();
                             else
                                 s.world->step(1.0f / 60);
                         },
                         [&s] { s.watch(); }});
    takeTurns(turns, options, name);
    std::vector<Row> rows;
    for (Sheet& s : sheets) {
        fillTimes(s.row, s.micros);
        s.row.quality = {{"frames", double(s.frames)}, {"maxStrain", s.max}, {"meanStrain", s.mean}};
        if (s.world) s.row.hash = s.world->hash();
        rows.push_back(std::move(s.row));
    }
    return rows;
}

} // namespace

std::vector<Row> runW3(const Options& options) {
    const char* name = "W3";
    const int frames = scaled(options, 600, 120), threads = options.threads > 0 ? options.threads : 1;
    std::vector<Sheet> sheets;
    sheets.push_back(textbookSheet(name, 32, 1, 5, frames));
    sheets.push_back(textbookSheet(name, 32, 20, 1, frames));
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!wanted(options, backend)) continue;
        for (const Way& way : {Way{ClothSolver::GaussSeidel, 5, 1, 0},
                               Way{ClothSolver::GaussSeidel, 5, 1, 1e-5f}, Way{ClothSolver::Jacobi, 8, 2, 0}})
            sheets.push_back(capstanSheet(name, 32, backend, threads, way, frames));
    }
    return race(sheets, options, name);
}

std::vector<Row> runClothSizes(const Options& options) {
    const char* name = "cloth";
    std::vector<Row> rows;
    for (const int side : {32, 128, 1024}) {
        if (side == 1024 && !options.full) continue; // a frame takes seconds, and the world gigabytes
        const int frames = side == 32    ? scaled(options, 600, 120)
                           : side == 128 ? scaled(options, 240, 24)
                                         : 4;
        std::vector<Sheet> sheets;
        sheets.push_back(textbookSheet(name, side, 1, 5, frames));
        for (const Backend backend : {Backend::Scalar, Backend::Simd})
            for (const int threads : {1, 2}) {
                if (!wanted(options, backend) || (options.threads > 0 && threads != options.threads))
                    continue;
                if (side == 1024 && backend == Backend::Scalar) continue;
                for (const Way& way :
                     {Way{ClothSolver::GaussSeidel, 5, 1, 0}, Way{ClothSolver::Jacobi, 8, 2, 0}})
                    sheets.push_back(capstanSheet(name, side, backend, threads, way, frames));
            }
        for (Row& row : race(sheets, options, name)) rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace capstan::bench
