// SPDX-License-Identifier: MIT
// Common parts of all cases: substeps, runs at two resolutions, settling, and the list of the cases.
#pragma once

#include <capstan/world.hpp>
#include <validation/harness/validation.hpp>

#include <functional>
#include <string>
#include <vector>

namespace capstan::validation {

inline constexpr float kFrame = 1.0f / 60;
// Quasi-static cases and R6 use the default of WorldDef.
inline constexpr int kStaticSubsteps = 4;
// Used by all dynamic cases (R4, R5, B1 to B5, E1). It is the least power of two that passes every gate with a
// margin. The pulse of R5 is the hardest, with a gate of 1 %. Its speed is 0.3 % low at 32, 0.7 % at 16 and 1.7 % at
// 8.
inline constexpr int kDynamicSubsteps = 32;
// Cases of contact and friction (C1, K2, B6, B7) and the stiff rods of K1 use the default of WorldDef. K3 also sets
// WorldDef::minSeparationRatio.
inline constexpr int kContactSubsteps = 4;

struct Resolution {
    int segments = 0; // 0: the case has no segments
    int substeps = 0;
};

// A value that was measured in a run.
struct Measured {
    enum class Kind { Relative, AtMost };
    Kind kind = Kind::Relative;
    std::string claim;
    double expected = 0; // for Relative only
    double got = 0;
    double tolerance = 0;
    double target = 0;
};

// Sheet collects the rows of a case.
class Sheet {
public:
    // `parts` is the number of calls of refine() in the case, for the progress bar.
    Sheet(const char* caseName, const Options& options, int parts);

    // Measures with (N segments, n substeps), (2N, n) and (N, 2n), or without segments with n and 2n. Each run and
    // each value has a row. A Relative value has one more row for the change of its error between the runs. A result
    // that changes by more than its tolerance fails, even if its error is small.
    void refine(const std::string& what, Resolution base,
                const std::function<std::vector<Measured>(Resolution)>& measure);
    void add(Row row);
    std::vector<Row> take();

private:
    const char* caseName_;
    const Options& options_;
    int parts_;
    int done_ = 0;
    std::vector<Row> rows_;
};

// Brings a rope to rest: simulates `damped` seconds with the rope's damping, then `free` seconds without damping.
void settle(World& world, RopeId rope, double damped, double free);

// Returns the larger number, or NaN if either is NaN. std::max would lose a NaN.
inline double worse(double a, double b) { return b <= a || a != a ? a : b; }

inline int frames(double seconds) { return static_cast<int>(seconds / static_cast<double>(kFrame) + 0.5); }
inline Vec3 at(double x, double y, double z = 0) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

std::vector<Row> runCantilever(const Options& options);
std::vector<Row> runHair(const Options& options);
std::vector<Row> runCatenary(const Options& options);
std::vector<Row> runModes(const Options& options);
std::vector<Row> runWave(const Options& options);
std::vector<Row> runInextensible(const Options& options);
std::vector<Row> runKinks(const Options& options);
std::vector<Row> runUnequal(const Options& options);
std::vector<Row> runDzhanibekov(const Options& options);
std::vector<Row> runHeavyTop(const Options& options);
std::vector<Row> runPendula(const Options& options);
std::vector<Row> runDoublePendulum(const Options& options);
std::vector<Row> runJoints(const Options& options);
std::vector<Row> runConservation(const Options& options);
std::vector<Row> runBlock(const Options& options);
std::vector<Row> runRolling(const Options& options);
std::vector<Row> runImpacts(const Options& options);
std::vector<Row> runCradle(const Options& options);
std::vector<Row> runChainOfLinks(const Options& options);
std::vector<Row> runCapstan(const Options& options);
std::vector<Row> runAtwood(const Options& options);
std::vector<Row> runWheel(const Options& options);
std::vector<Row> runPeg(const Options& options);
std::vector<Row> runOverhand(const Options& options);
std::vector<Row> runRopelength(const Options& options);
std::vector<Row> runLinks(const Options& options);
std::vector<Row> runKnots(const Options& options);
std::vector<Row> runBraids(const Options& options);
std::vector<Row> runTopology(const Options& options);
std::vector<Row> runCloth(const Options& options);
std::vector<Row> runDrape(const Options& options);
std::vector<Row> runWrinkles(const Options& options);
std::vector<Row> runTangle(const Options& options);

} // namespace capstan::validation
