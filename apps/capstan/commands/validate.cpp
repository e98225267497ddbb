// SPDX-License-Identifier: MIT
// capstan validate compares the engine with formulas and reference solutions, one row per claim.
#include <apps/capstan/commands/case_names.hpp>
#include <apps/capstan/commands/print.hpp>
#include <apps/capstan/commands/progress.hpp>

#include <capstan/scene/json_text.hpp>
#include <render/view/whole_file.hpp>
#include <validation/harness/validation.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::cli {
namespace {

// toleranceText formats a row's tolerance. An infinite tolerance means that the row is reported and never fails.
std::string toleranceText(double tolerance) {
    return std::isfinite(tolerance) ? fmt::format("{:.2g}", tolerance) : "-";
}

void printTable(const validation::Case& c, const std::vector<validation::Row>& rows) {
    std::size_t width = 5;
    for (const validation::Row& r : rows) width = std::max(width, r.claim.size());
    fmt::print("{}: {}\n  {:<{}} {:>12} {:>12} {:>9} {:>9}  {}\n", c.name, c.about, "claim", width,
               "expected", "got", "error", "tolerance", "ok");
    for (const validation::Row& r : rows) {
        fmt::print("  {:<{}} {:>12.6g} {:>12.6g} {:>9.2g} {:>9}  {}\n", r.claim, width, r.expected, r.got,
                   r.error, toleranceText(r.tolerance),
                   !r.ok                     ? "FAIL"
                   : validation::reported(r) ? "reported"
                                             : "ok");
    }
    fmt::print("\n");
    std::fflush(stdout);
}

void printJson(const std::vector<validation::Row>& rows) {
    fmt::print("[");
    for (const validation::Row& r : rows) {
        fmt::print("{}\n  {{\"case\": {}, \"claim\": {}, \"expected\": {}, \"got\": {}, \"error\": {}, "
                   "\"tolerance\": {}, "
                   "\"ok\": {}}}",
                   &r == rows.data() ? "" : ",", jsonString(r.caseName), jsonString(r.claim),
                   jsonNumber(r.expected), jsonNumber(r.got), jsonNumber(r.error), jsonNumber(r.tolerance),
                   r.ok);
    }
    fmt::print("\n]\n");
}

Status write(const std::string& file, const std::string& text) {
    Result<render::WholeFile> out = render::WholeFile::open(file);
    if (!out) return out.error();
    if (Status written = out->write(text); !written) return written;
    return out->close();
}

} // namespace

std::string validateCases() { return caseList(validation::cases()); }

int validate(const ValidateOptions& options) {
    Result<std::vector<const validation::Case*>> cases = chosen(validation::cases(), options.cases);
    if (!cases) return fail(cases.error());
    std::vector<validation::Row> rows;
    Progress progress;
    for (const validation::Case* c : *cases) {
        validation::Options how;
        how.full = options.full;
        how.seeds = options.seeds;
        how.progress = [&](const char* what, double done) {
            progress.show(std::string(c->name) + " " + what, done);
        };
        progress.show(c->name, 0);
        std::vector<validation::Row> more = c->run(how);
        progress.wipe();
        if (!options.json) printTable(*c, more);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    auto bad = std::count_if(rows.begin(), rows.end(), [](const validation::Row& r) { return !r.ok; });
    auto reported = std::count_if(rows.begin(), rows.end(), validation::reported);
    if (options.json)
        printJson(rows);
    else
        fmt::print("{} claims, {} failed; {} lines more are reported\n", rows.size() - std::size_t(reported),
                   bad, reported);
    if (!options.markdown.empty())
        if (Status s = write(options.markdown, validation::markdown(rows)); !s)
            return fail(s.error(), failed);
    return bad == 0 ? success : failed;
}

} // namespace capstan::cli
