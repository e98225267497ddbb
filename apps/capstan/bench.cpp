// SPDX-License-Identifier: MIT
// capstan bench: time per frame with quality and state hash beside it, and the ratio to a textbook loop.
#include <apps/capstan/case_names.hpp>
#include <apps/capstan/print.hpp>
#include <apps/capstan/progress.hpp>

#include <bench/bench.hpp>
#include <capstan/scene/json_text.hpp>

#include <fmt/core.h>

#include <cstdio>

namespace capstan::cli {
namespace {

using bench::Row;

// Time of the case's textbook row; 0 when it has none.
double textbook(const std::vector<Row>& rows, const Row& row) {
    for (const Row& r : rows) {
        if (r.caseName == row.caseName && r.engine == "textbook") return r.usPerFrame;
    }
    return 0;
}

void printRow(const Row& r, double textbookTime) {
    std::string ratio = textbookTime > 0 ? fmt::format("{:.3g} T", r.usPerFrame / textbookTime) : "-";
    std::string quality;
    for (const auto& [name, value] : r.quality) {
        quality += fmt::format("{}{} {:.3g}", quality.empty() ? "" : ", ", name, value);
    }
    fmt::print("{:<10} {:<9} {:<30} {:<7} {:>3} {:>11.2f} {:>11.2f} {:>9}  {:<16} {}\n", r.caseName, r.engine,
               r.variant, r.backend, r.threads, r.usPerFrame, r.usMedian, ratio,
               r.hash ? fmt::format("{:016x}", r.hash) : "-", quality);
}

void printJson(const std::vector<Row>& rows) {
    fmt::print("[");
    for (const Row& r : rows) {
        std::string quality;
        for (const auto& [name, value] : r.quality) {
            quality += (quality.empty() ? "" : ", ") + jsonString(name) + ": " + jsonNumber(value);
        }
        fmt::print("{}\n  {{\"case\": {}, \"engine\": {}, \"variant\": {}, \"backend\": {}, \"threads\": {}, "
                   "\"usPerFrame\": {}, \"usMedian\": {}, \"quality\": {{{}}}, \"hash\": \"{:016x}\"}}",
                   &r == rows.data() ? "" : ",", jsonString(r.caseName), jsonString(r.engine), jsonString(r.variant),
                   jsonString(r.backend), r.threads, jsonNumber(r.usPerFrame), jsonNumber(r.usMedian), quality,
                   r.hash);
    }
    fmt::print("\n]\n");
}

} // namespace

std::string benchCases() { return caseList(capstan::bench::cases()); }

int bench(const BenchOptions& options) {
    Result<std::vector<const bench::Case*>> cases = chosen(capstan::bench::cases(), options.cases);
    if (!cases) return fail(cases.error());
    std::vector<Row> rows;
    Progress progress;
    if (!options.json) {
        fmt::print("T is the time of the textbook loop in the same case.\n");
        fmt::print("{:<10} {:<9} {:<30} {:<7} {:>3} {:>11} {:>11} {:>9}  {:<16} {}\n", "case", "engine", "variant",
                   "backend", "thr", "us/frame", "median", "ratio", "hash", "quality");
    }
    for (const bench::Case* c : *cases) {
        bench::Options how;
        how.backend = options.backend;
        how.threads = options.threads;
        how.effort = options.quick ? 0.1 : 1;
        how.progress = [&](const char* what, double done) { progress.show(std::string(c->name) + " " + what, done); };
        progress.show(c->name, 0);
        std::vector<Row> more = c->run(how);
        progress.wipe();
        for (const Row& r : more) {
            if (!options.json) printRow(r, textbook(more, r));
        }
        std::fflush(stdout);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    if (options.json) printJson(rows);
    return success;
}

} // namespace capstan::cli
