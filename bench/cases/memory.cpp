// SPDX-License-Identifier: MIT
// Memory: the bytes that a world has allocated after its first step, divided by its particles. Rows have no time.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

static Quality held(std::size_t bytes, const Setup& setup) {
    const double particles = double(setup.ropes) * setup.nodes;
    return {
        {"particles", particles}, {"bytes", double(bytes)}, {"bytesPerParticle", double(bytes) / particles}};
}

static void addRows(std::vector<Row>& rows, const Options& options, const Setup& setup,
                    const std::string& what) {
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        const Tuning tuning = {backend, Solver::Chain, 4, 1, options.threads > 0 ? options.threads : 1};
        CapstanRopes ropes(setup, tuning);
        ropes.frame();
        Row row = capstanRow("memory", tuning);
        row.variant = what + ": " + row.variant;
        row.quality = held(ropes.bytes(), setup);
        row.hash = ropes.hash();
        rows.push_back(std::move(row));
    }
    Row row = plainRow("memory", "textbook", what);
    row.quality = held(TextbookRopes(setup, 5).bytes(), setup);
    rows.push_back(std::move(row));
}

std::vector<Row> runMemory(const Options& options) {
    std::vector<Row> rows;
    addRows(rows, options, horizontal(1000, 100), "1000 ropes of 100 nodes");
    if (options.progress) options.progress("memory", 0.5);
    addRows(rows, options, horizontal(1, 10000), "one rope of 10000 nodes");
    return rows;
}

} // namespace capstan::bench
