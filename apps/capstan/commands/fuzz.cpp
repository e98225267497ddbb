// SPDX-License-Identifier: MIT
// capstan fuzz runs worlds and scenes made by chance, and prints what failed.
#ifdef CAPSTAN_HAVE_FUZZ
#include <apps/capstan/commands/print.hpp>
#include <apps/capstan/commands/progress.hpp>

#include <apps/fuzz/fuzz.hpp>
#include <apps/fuzz/maker.hpp>
#include <apps/fuzz/scenes.hpp>
#include <capstan/scene/json_text.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace capstan::cli {
namespace {

double mean(double sum, long parts) { return parts > 0 ? sum / double(parts) : 0; }

// Printed at once: a long run that is ended from outside has told what it found.
void printFailure(const fuzz::Failure& f) {
    fmt::print("{} {}: {}: {}{}\n", f.scene ? "scene" : "world", f.seed, f.fault.kind, f.fault.text,
               f.file.empty() ? "" : "\n  kept as " + f.file);
    std::fflush(stdout);
}

void printText(const fuzz::Summary& s, unsigned long long seed) {
    for (const auto& [kind, times] : s.kinds) {
        const bool scenes = kind.starts_with("scene");
        fmt::print("{}: {}, seeds", kind, times);
        for (const fuzz::Failure& f : s.failures)
            if (f.scene == scenes && kind.substr(6) == f.fault.kind) fmt::print(" {}", f.seed);
        fmt::print("\n");
    }
    fmt::print("{} worlds of {:.0f} steps, {:.3f} s each, seed {} {:.3f} s; {} scenes, {:.3f} s each\n",
               s.worlds, mean(double(s.steps), s.worlds), mean(s.worldSeconds, s.worlds), s.slowestSeed,
               s.slowestWorld, s.scenes, mean(s.sceneSeconds, s.scenes));
    fmt::print("seeds from {} on, so the next are {} and {}\n", seed, seed + (unsigned long long)(s.worlds),
               seed + (unsigned long long)(s.scenes));
    fmt::print(
        "energy judged in {:.0f} % of the steps, {} calls refused, {} lawless worlds froze something\n",
        100 * mean(double(s.judgedEnergy), s.steps), s.refused, s.quarantined);
    fmt::print("longest step {:.3f} s, largest process {} MB, {} failures\n", s.longestStep,
               s.kilobytes / 1024, s.failures.size());
}

void printJson(const fuzz::Summary& s) {
    fmt::print("{{\"worlds\": {}, \"scenes\": {}, \"steps\": {}, \"judgedEnergy\": {}, \"refused\": {}, "
               "\"quarantined\": {}, \"secondsPerWorld\": {}, \"secondsPerScene\": {}, \"longestStep\": {}, "
               "\"kilobytes\": {}, \"slowestWorld\": {}, \"slowestSeed\": {}, \"kinds\": {{",
               s.worlds, s.scenes, s.steps, s.judgedEnergy, s.refused, s.quarantined,
               jsonNumber(mean(s.worldSeconds, s.worlds)), jsonNumber(mean(s.sceneSeconds, s.scenes)),
               jsonNumber(s.longestStep), s.kilobytes, jsonNumber(s.slowestWorld), s.slowestSeed);
    const char* comma = "";
    for (const auto& [kind, times] : s.kinds) {
        fmt::print("{}{}: {}", comma, jsonString(kind), times);
        comma = ", ";
    }
    fmt::print("}}, \"failures\": [");
    comma = "";
    for (const fuzz::Failure& f : s.failures) {
        fmt::print("{}\n  {{\"what\": \"{}\", \"seed\": {}, \"kind\": {}, \"text\": {}, \"file\": {}}}",
                   comma, f.scene ? "scene" : "world", f.seed, jsonString(f.fault.kind),
                   jsonString(f.fault.text), jsonString(f.file));
        comma = ",";
    }
    fmt::print("]}}\n");
}

int replay(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return fail({"cannot be read", file});
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const fuzz::Verdict v = fuzz::judgeFile(text, file.ends_with(".json"));
    if (!v.fault) {
        fmt::print("no fault in {} steps, {} calls refused\n", v.steps, v.refused);
        return success;
    }
    fmt::print("{}: {}\n", v.fault.kind, v.fault.text);
    return failed;
}

int print(const fuzz::Options& how) {
    if (how.scenes == 0) {
        fmt::print("{}", fuzz::generate(how.seed, how.steps).text());
        return success;
    }
    const Result<std::vector<std::string>> scenes = fuzz::readScenes(how.corpus);
    if (!scenes) return fail(scenes.error());
    fmt::print("{}", fuzz::mutated(*scenes, how.seed));
    return success;
}

} // namespace

int fuzz(const FuzzOptions& options) {
    if (!options.replay.empty()) return replay(options.replay);
    fuzz::Options how;
    how.minutes = options.minutes;
    if (how.minutes == 0 && options.worlds == 0 && options.scenes == 0) how.minutes = 1;
    how.seed = options.seed;
    how.worlds = options.worlds;
    how.scenes = options.scenes;
    how.jobs = options.jobs > 0 ? options.jobs : std::max(int(std::thread::hardware_concurrency()), 1);
    if (!options.corpus.empty()) how.corpus = options.corpus;
    how.keep = options.keep;
    how.minimise = !options.noMinimise;
    if (options.print) return print(how);
    Progress progress;
    if (!options.json)
        how.failed = [&](const fuzz::Failure& f) {
            progress.wipe();
            printFailure(f);
        };
    how.progress = [&](const std::string& text, double done) { progress.show(text, done); };
    const Result<fuzz::Summary> summary = fuzz::fuzz(how);
    progress.wipe();
    if (!summary) return fail(summary.error());
    if (options.json)
        printJson(*summary);
    else
        printText(*summary, options.seed);
    return summary->failures.empty() ? success : failed;
}

} // namespace capstan::cli
#endif
