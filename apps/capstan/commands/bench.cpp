// SPDX-License-Identifier: MIT
// capstan bench prints the time per frame, quality and state hash of each row, and the ratio to a textbook solver.
#ifdef CAPSTAN_HAVE_BENCH
#include <apps/capstan/commands/case_names.hpp>
#include <apps/capstan/commands/print.hpp>
#include <apps/capstan/commands/progress.hpp>

#include <bench/bench.hpp>
#include <capstan/scene/json_text.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace capstan::cli {
namespace {

using bench::Row;

// textbook gives the time [us] of the textbook row of the same workload, or 0 if the case has none. It is the
// textbook row whose variant shares the longest prefix with this row ("swing 100 kg: ...").
double textbook(const std::vector<Row>& rows, const Row& row) {
    const Row* best = nullptr;
    std::size_t most = 0;
    for (const Row& r : rows) {
        if (r.engine != "textbook") continue;
        std::size_t alike = 0;
        while (alike < std::min(r.variant.size(), row.variant.size()) &&
               r.variant[alike] == row.variant[alike])
            ++alike;
        if (best && alike <= most) continue;
        best = &r;
        most = alike;
    }
    return best ? best->usPerFrame : 0;
}

std::string time(double microseconds) { return microseconds > 0 ? fmt::format("{:.2f}", microseconds) : "-"; }

void printTable(const bench::Case& c, const std::vector<Row>& rows) {
    std::size_t width = 7;
    for (const Row& r : rows) width = std::max(width, r.variant.size());
    fmt::print("{}: {}\n  {:<9} {:<{}} {:<7} {:>7} {:>10} {:>8} {:>10}  {:<16} {}\n", c.name, c.about,
               "engine", "variant", width, "backend", "threads", "us/frame", "", "median", "hash", "quality");
    for (const Row& r : rows) {
        double base = textbook(rows, r);
        std::string ratio = base > 0 && r.usPerFrame > 0 ? fmt::format("{:.3g} T", r.usPerFrame / base) : "";
        std::string quality;
        for (const auto& [name, value] : r.quality) {
            quality += fmt::format("{}{} {:.3g}", quality.empty() ? "" : ", ", name, value);
        }
        fmt::print("  {:<9} {:<{}} {:<7} {:>7} {:>10} {:>8} {:>10}  {:<16} {}\n", r.engine, r.variant, width,
                   r.backend, r.threads, time(r.usPerFrame), ratio, time(r.usMedian),
                   r.hash ? fmt::format("{:016x}", r.hash) : "-", quality);
    }
    fmt::print("\n");
    std::fflush(stdout);
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
                   &r == rows.data() ? "" : ",", jsonString(r.caseName), jsonString(r.engine),
                   jsonString(r.variant), jsonString(r.backend), r.threads, jsonNumber(r.usPerFrame),
                   jsonNumber(r.usMedian), quality, r.hash);
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
    if (!options.json) fmt::print("T is the time of the textbook loop that does the same work.\n\n");
    for (const bench::Case* c : *cases) {
        bench::Options how;
        how.backend = options.backend;
        how.threads = options.threads;
        how.effort = options.quick ? 0.1 : 1;
        how.full = options.full;
        how.progress = [&](const char* what, double done) {
            progress.show(std::string(c->name) + " " + what, done);
        };
        progress.show(c->name, 0);
        std::vector<Row> more = c->run(how);
        progress.wipe();
        if (!options.json) printTable(*c, more);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    if (options.json) printJson(rows);
    return success;
}

} // namespace capstan::cli

#endif // CAPSTAN_HAVE_BENCH
