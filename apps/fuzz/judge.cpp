// SPDX-License-Identifier: MIT
#include <apps/fuzz/judge.hpp>

#include <worlds/outputs.hpp>

#include <ctime>
#include <optional>
#include <vector>

namespace capstan::fuzz {
namespace {

constexpr int kReadEvery = 10;       // steps between two readings of everything
constexpr double kLongestStep = 5.0; // s; the bound of docs/fuzzing.md
constexpr double kResumeAt = 0.4;    // share of the steps at which the snapshot is taken

double processorSeconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Trace: the hashes of a run after every step, of the state and of all that users read. Runs are compared by it.
struct Trace {
    std::vector<std::uint64_t> states, outputs;

    void add(const Player& player) {
        const World& world = player.world();
        golden::Fold fold;
        golden::foldReport(fold, world.report());
        golden::foldEvents(fold, world);
        golden::foldContacts(fold, world);
        if (player.position().steps % kReadEvery == 0) golden::foldReadings(fold, world);
        states.push_back(world.hash());
        outputs.push_back(fold.value());
    }
};

struct Kept {
    Position position;
    Snapshot snapshot;
};

// The watched run.
class Watched {
public:
    explicit Watched(const Recipe& recipe)
        : player_(recipe, {}), resumeAt_(int(kResumeAt * recipe.steps())) {}

    Fault run(Verdict& verdict) {
        for (;;) {
            if (player_.position().steps == resumeAt_ && !kept)
                kept = Kept{player_.position(), player_.world().snapshot()};
            if (!player_.edit()) break;
            if (Fault fault = step(verdict)) return fault;
        }
        verdict.judgedEnergy = energy_.judged();
        return {};
    }

    Trace trace;
    std::optional<Kept> kept;
    bool overflowed = false; // something was frozen in a lawless world

private:
    Fault step(Verdict& verdict) {
        passes_.before(player_.world());
        energy_.before(player_);
        const double begun = processorSeconds();
        player_.step();
        const double took = processorSeconds() - begun;
        trace.add(player_);
        ++verdict.steps;
        verdict.longestStep = std::max(verdict.longestStep, took);
        if (took > kLongestStep) return at({"slow", textOf(float(took)) + " s for a step"});
        return at(look(verdict));
    }

    Fault look(Verdict& verdict) {
        const World& world = player_.world();
        if (const int frozen = world.report().quarantined; frozen > 0) {
            if (!player_.position().lawless) return {"quarantined", std::to_string(frozen) + " objects"};
            overflowed = true;
            verdict.quarantined = std::max(verdict.quarantined, frozen);
        }
        if (Fault fault = findNotFinite(world)) return fault;
        if (Fault fault = passes_.after(world)) return fault;
        return energy_.after(player_);
    }

    Fault at(Fault fault) const {
        if (fault) fault.text = "step " + std::to_string(player_.position().steps) + ": " + fault.text;
        return fault;
    }

    Player player_;
    int resumeAt_;
    PassOracle passes_;
    EnergyOracle energy_;
};

// Goes on until this many steps of the recipe are done.
void runUntil(int steps, Player& player, Trace& trace) {
    while (player.position().steps < steps && player.edit()) {
        player.step();
        trace.add(player);
    }
}

// Returns a fault where the second run differs from the first, which began `ahead` steps earlier.
Fault compare(const char* kind, const Trace& first, const Trace& second, std::size_t ahead, bool outputs) {
    if (first.states.size() != ahead + second.states.size()) return {kind, "the numbers of steps differ"};
    for (std::size_t i = 0; i < second.states.size(); ++i) {
        const std::string where = "step " + std::to_string(ahead + i + 1) + ": ";
        if (first.states[ahead + i] != second.states[i]) return {kind, where + "the states differ"};
        if (outputs && first.outputs[ahead + i] != second.outputs[i])
            return {kind, where + "the states agree, what is read differs"};
    }
    return {};
}

struct Runs {
    const Recipe& recipe;
    const Watched& watched;

    // The first steps, then those after the snapshot of the watched run. Every step tests the number of threads, and
    // every step after the snapshot tests the snapshot too. Two runs for that took a sixth of a world's time more.
    Fault onTwoThreads() const {
        const On two = {Backend::Simd, 2};
        Trace trace;
        {
            Player begins(recipe, two);
            runUntil(watched.kept ? watched.kept->position.steps : recipe.steps(), begins, trace);
        }
        if (watched.kept) {
            Player goesOn(recipe, two, watched.kept->position, watched.kept->snapshot);
            runUntil(recipe.steps(), goesOn, trace);
        }
        const Fault both = compare("threads", watched.trace, trace, 0, true);
        return both ? tellApart(both) : both;
    }

    Fault onScalarCode() const {
        Player player(recipe, {Backend::Scalar, 1});
        Trace trace;
        runUntil(recipe.steps(), player, trace);
        // Outputs are not compared: docs/manual/backends.md lists where they differ.
        return compare("backends", watched.trace, trace, 0, false);
    }

private:
    // Runs each by itself, to tell a snapshot that differs from threads that differ.
    Fault tellApart(const Fault& both) const {
        Player threads(recipe, {Backend::Simd, 2});
        Trace trace;
        runUntil(recipe.steps(), threads, trace);
        if (Fault fault = compare("threads", watched.trace, trace, 0, true)) return fault;
        if (!watched.kept) return both;
        Player resumed(recipe, {}, watched.kept->position, watched.kept->snapshot);
        Trace rest;
        runUntil(recipe.steps(), resumed, rest);
        const auto ahead = std::size_t(watched.kept->position.steps);
        if (Fault fault = compare("snapshot", watched.trace, rest, ahead, true)) return fault;
        return {"snapshot", both.text + " on two threads only"};
    }
};

} // namespace

Verdict judge(const Recipe& recipe) {
    Verdict verdict;
    Watched watched(recipe);
    verdict.fault = watched.run(verdict);
    const Runs runs = {recipe, watched};
    if (!verdict.fault) verdict.fault = runs.onTwoThreads();
    if (!verdict.fault && !watched.overflowed) verdict.fault = runs.onScalarCode();
    verdict.refused = Player::refused();
    return verdict;
}

} // namespace capstan::fuzz
