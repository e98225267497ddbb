// SPDX-License-Identifier: MIT
// The list of cases, and the text of docs/validation.md from their rows.
#include <capstan/check.hpp>
#include <validation/harness/suite.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace capstan::validation {

const std::vector<Case>& cases() {
    static const std::vector<Case> list = {
        {"R1", "a cantilever bends under its weight as the heavy elastica does", runCantilever},
        {"R3", "a hanging rope is a catenary, in shape and in tension", runCatenary},
        {"R4", "hanging chains and beams swing at their exact frequencies and keep their amplitude",
         runModes},
        {"R5", "a pulse runs along a taut string at sqrt(T / mu) and keeps its height", runWave},
        {"R6", "a rope does not stretch under a thousand times its own weight", runInextensible},
        {"R7", "a fold that runs along a rope keeps its energy", runKinks},
        {"R8", "a heavy pendulum swings alike whatever the lengths of the steps", runUnequal},
        {"B1", "a free body spun about its middle axis flips at the exact times", runDzhanibekov},
        {"B2", "a heavy top precesses, nutates and sleeps as Lagrange's top does", runHeavyTop},
        {"B3", "pendula swing at their exact periods at any amplitude, and keep it", runPendula},
        {"B4", "a double pendulum follows the exact motion", runDoublePendulum},
        {"B5", "joints, motors and servos follow their closed formulas, and joints have no gap", runJoints},
        {"B6", "a block sticks, slides and stops by Coulomb's law, in all directions alike", runBlock},
        {"B7", "round bodies roll, slip and begin to roll as rigid-body mechanics says", runRolling},
        {"B8", "a body that strikes a wall at an angle slides, spins and bounces by Coulomb's law",
         runImpacts},
        {"B9", "impacts go through lines of balls as through Newton's cradle", runCradle},
        {"B10", "a chain of real links holds its pitch, comes to rest and gains no energy", runChainOfLinks},
        {"E1", "free objects keep their momentum, angular momentum and energy", runConservation},
        {"T1", "a strip of cloth bends as the heavy elastica, on two triangulations; sheets hang and stretch",
         runCloth},
        {"T2", "a disc of cloth drapes over a smaller disc in folds; stiffer cloth drapes less", runDrape},
        {"T3", "a stretched sheet wrinkles at the wavelength of Cerda and Mahadevan", runWrinkles},
        {"H1",
         "a strand of hair bends as the elastica, hangs by its weight and swings at the Bessel frequencies",
         runHair},
        {"C1", "a rope around a drum holds exp(mu theta) times the pull", runCapstan},
        {"C2", "two weights on a rope over a bar fall as Atwood and Euler say", runAtwood},
        {"C3", "two weights on a rope turn a drum as Atwood's machine with a wheel does", runWheel},
        {"C4", "a pendulum that swings against a peg comes back to its height", runPeg},
        {"K1", "an overhand knot draws tight and opens at the forces of elastic knots", runOverhand, true},
        {"K2", "tight knots and links reach the known ropelengths, and not less", runRopelength, true},
        {"K3", "knots and links keep their type, because ropes never pass through each other", runLinks},
        {"K4", "braid words are equal exactly when their braids are", runBraids},
        {"K5", "tied knots hold for ten minutes, and a granny knot does not", runKnots},
        {"topology", "shaken braids and knots, and the braid of walking dogs, are identified correctly",
         runTopology},
        {"tangle", "tangles hold as friction can hold, and plans undo them", runTangle},
    };
    return list;
}

Row relative(const char* caseName, std::string claim, double expected, double got, double tolerance,
             double target) {
    double error = std::abs(got - expected) / std::abs(expected);
    return {caseName, std::move(claim), expected, got, error, tolerance, target, error <= tolerance};
}

Row atMost(const char* caseName, std::string claim, double got, double tolerance, double target) {
    return {caseName, std::move(claim), 0, got, got, tolerance, target, got <= tolerance};
}

namespace {

std::string textOf(Resolution r) {
    std::string segments = r.segments > 0 ? std::to_string(r.segments) + " segments, " : "";
    return segments + std::to_string(r.substeps) + " substeps";
}

} // namespace

Sheet::Sheet(const char* caseName, const Options& options, int parts)
    : caseName_(caseName), options_(options), parts_(parts) {}

void Sheet::refine(const std::string& what, Resolution base,
                   const std::function<std::vector<Measured>(Resolution)>& measure) {
    std::vector<Resolution> at = {base, {base.segments, 2 * base.substeps}};
    if (base.segments > 0) at.insert(at.begin() + 1, {2 * base.segments, base.substeps});
    std::vector<std::vector<Measured>> runs;
    for (std::size_t k = 0; k < at.size(); ++k) {
        double part = static_cast<double>(k) / static_cast<double>(at.size());
        if (options_.progress) options_.progress(what.c_str(), (done_ + part) / parts_);
        runs.push_back(measure(at[k]));
    }
    ++done_;
    for (std::size_t i = 0; i < runs[0].size(); ++i) {
        double moved = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const Measured& m = runs[k][i];
            std::string claim = what + ", " + textOf(at[k]) + ": " + m.claim;
            if (m.kind == Measured::Kind::AtMost) {
                add(atMost(caseName_, claim, m.got, m.tolerance, m.target));
                continue;
            }
            add(relative(caseName_, claim, m.expected, m.got, m.tolerance, m.target));
            moved = worse(moved, std::abs(m.got / m.expected - runs[0][i].got / runs[0][i].expected));
        }
        const Measured& m = runs[0][i];
        if (m.kind == Measured::Kind::Relative) {
            std::string finer = base.segments > 0 ? "segments or substeps" : "substeps";
            add(atMost(caseName_, what + ": " + m.claim + ", change with twice the " + finer, moved,
                       m.tolerance));
        }
    }
}

void Sheet::add(Row row) { rows_.push_back(std::move(row)); }

std::vector<Row> Sheet::take() {
    if (options_.progress) options_.progress(caseName_, 1);
    return std::move(rows_);
}

void settle(World& world, RopeId rope, double damped, double free) {
    for (int i = 0; i < frames(damped); ++i) world.step(kFrame);
    RopeDef wanted = world.def(rope);
    wanted.damping = 0;
    Status undamped = world.update(rope, wanted);
    if (!CAPSTAN_CHECK(undamped.has_value(), "damping could not be switched off")) return;
    for (int i = 0; i < frames(free); ++i) world.step(kFrame);
}

namespace {

std::string print(const char* format, double x) {
    char text[40];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

// Formats an error as 0.34 % or 2e-07. An infinite gate gives "none", because such a row is only reported. If `count`
// is true the number is a count.
std::string errorText(double x, bool count) {
    if (x == std::numeric_limits<double>::infinity()) return "none";
    if (count || x == 0) return print("%.6g", x);
    return std::abs(x) < 1e-4 ? print("%.1e", x) : print("%.3g %%", 100 * x);
}

std::string verdict(const Row& row) {
    if (reported(row)) return "reported";
    if (!row.ok) return "**NO**";
    return row.target > 0 && row.error <= row.target ? "yes, target" : "yes";
}

void addTable(std::string& text, const Case& c, const std::vector<Row>& rows) {
    std::string lines;
    for (const Row& row : rows) {
        if (row.caseName != c.name) continue;
        bool bound = row.expected == 0, count = bound && row.tolerance == 0;
        lines += "| " + row.claim + " | " + (bound ? "" : print("%.7g", row.expected)) + " | " +
                 (bound ? "" : print("%.7g", row.got)) + " | " + errorText(row.error, count) + " | " +
                 errorText(row.tolerance, count) + " | " +
                 (row.target > 0 ? errorText(row.target, false) : "") + " | " + verdict(row) + " |\n";
    }
    if (lines.empty()) return;
    text += std::string("\n## ") + c.name + ": " + c.about +
            "\n\n| claim | expected | got | error | gate | target | ok |\n|---|---|---|---|---|---|---|\n" +
            lines;
}

} // namespace

bool reported(const Row& row) { return row.tolerance == std::numeric_limits<double>::infinity(); }

std::string markdown(const std::vector<Row>& rows) {
    std::size_t passed = 0, judged = 0;
    for (const Row& row : rows) {
        judged += reported(row) ? 0u : 1u;
        passed += row.ok && !reported(row) ? 1u : 0u;
    }
    std::string text =
        "# Validation\n\n"
        "Every line compares the engine with a closed formula, with an equation that is integrated in double "
        "precision, or with a theorem. None of them was tuned to the engine. The truth is computed beside "
        "the "
        "measurement, so other parameters can be put in. `capstan validate --markdown FILE` makes these "
        "tables "
        "again.\n\n"
        "Each number is measured at N and 2N segments, where there are any, and at n and 2n substeps of a 60 "
        "Hz "
        "frame. It may not move between them by more than its gate. The dynamic cases (R4, R5, B1 to B5, E1) "
        "share one configuration: " +
        std::to_string(kDynamicSubsteps) +
        " substeps, no damping. Quasi-static ones (R1, R3) settle with damping, which is then switched off "
        "before anything is measured.\n\n"
        "A gate must hold. A target is the best that published simulators reach. A line without a gate is "
        "reported, and not counted among those that hold.\n\n" +
        std::to_string(passed) + " of " + std::to_string(judged) + " lines hold; " +
        std::to_string(rows.size() - judged) + " more are reported.\n";
    for (const Case& c : cases()) addTable(text, c, rows);
    return text;
}

} // namespace capstan::validation
