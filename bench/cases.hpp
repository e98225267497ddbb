// SPDX-License-Identifier: MIT
// Functions that run the benchmark cases, one per case. cases.cpp lists them.
#pragma once

#include <bench/bench.hpp>

namespace capstan::bench {

std::vector<Row> runW1(const Options& options);
std::vector<Row> runW2(const Options& options);
std::vector<Row> runW3(const Options& options);
std::vector<Row> runW4(const Options& options);
std::vector<Row> runW5(const Options& options);
std::vector<Row> runW6(const Options& options);
std::vector<Row> runW7(const Options& options);
std::vector<Row> runTunnel(const Options& options);
std::vector<Row> runKnots(const Options& options);
std::vector<Row> runPile(const Options& options);
std::vector<Row> runKicks(const Options& options);
std::vector<Row> runCrate(const Options& options);
std::vector<Row> runHinges(const Options& options);
std::vector<Row> runMechanisms(const Options& options);
std::vector<Row> runClassic(const Options& options);
std::vector<Row> runDogs(const Options& options);
std::vector<Row> runClothSizes(const Options& options);
std::vector<Row> runHair(const Options& options);
std::vector<Row> runMemory(const Options& options);
std::vector<Row> runRays(const Options& options);

} // namespace capstan::bench
