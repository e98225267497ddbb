// SPDX-License-Identifier: MIT
#include <apps/fuzz/fuzz.hpp>

#include <apps/fuzz/child.hpp>
#include <apps/fuzz/maker.hpp>
#include <apps/fuzz/scenes.hpp>
#include <apps/fuzz/shorten.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace capstan::fuzz {
namespace {

constexpr int kShortened = 4; // failures of a kind that are made short; the others are counted
constexpr int kTrials = 600;  // of making one short
constexpr std::string_view kOpen = "# open ";

// A verdict as lines of text, for the way from a child to its parent.
std::string lines(const Verdict& v) {
    return v.fault.kind + "\n" + v.fault.text + "\n" + std::to_string(v.steps) + "\n" +
           std::to_string(v.judgedEnergy) + "\n" + std::to_string(v.refused) + "\n" +
           std::to_string(v.quarantined) + "\n" + textOf(float(v.longestStep)) + "\n";
}

Verdict verdictOf(const Ending& e) {
    Verdict v;
    if (!e.returned) {
        const bool own = e.how == "hang" || e.how == "memory";
        const std::string told = e.errors.substr(0, e.errors.find('\n', 200));
        v.fault = {own ? e.how : "crash", e.how + (told.empty() ? "" : ": " + told)};
        return v;
    }
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < e.text.size();) {
        const std::size_t end = std::min(e.text.find('\n', at), e.text.size());
        parts.push_back(e.text.substr(at, end - at));
        at = end + 1;
    }
    parts.resize(7);
    float longest = 0;
    v.fault = {parts[0], parts[1]};
    read(parts[2], v.steps);
    read(parts[3], v.judgedEnergy);
    read(parts[4], v.refused);
    read(parts[5], v.quarantined);
    read(parts[6], longest);
    v.longestStep = double(longest);
    return v;
}

std::string judgeText(const std::string& text, bool scene) {
    Verdict v;
    if (scene) {
        v.fault = judgeScene(text);
    } else {
        const Result<Recipe> recipe = readRecipe(text);
        if (recipe)
            v = judge(*recipe);
        else
            v.fault = {"recipe", recipe.error().text()};
    }
    return lines(v);
}

class Fuzzer {
public:
    Fuzzer(const Options& options, std::vector<std::string> scenes)
        : options_(options), scenes_(std::move(scenes)), begun_(clockSeconds()) {}

    Summary run() {
        Children children;
        while (true) {
            while (children.running() < options_.jobs && next()) {
                const int number = turn_ - 1;
                children.start(number, [&] { return judgeText(textOf(number), isScene(number)); });
            }
            if (children.running() == 0) break;
            take(children.wait());
        }
        return std::move(summary_);
    }

private:
    // Worlds and scenes take turns; even numbers are worlds, unless there are no more of them.
    bool isScene(int number) const { return scene_[std::size_t(number)]; }
    std::uint64_t seedOf(int number) const { return seed_[std::size_t(number)]; }
    std::string textOf(int number) const {
        return isScene(number) ? mutated(scenes_, seedOf(number))
                               : generate(seedOf(number), options_.steps).text();
    }

    bool next() {
        if (options_.minutes > 0 && clockSeconds() - begun_ > 60 * options_.minutes) return false;
        const bool endless = options_.minutes > 0 && options_.worlds == 0 && options_.scenes == 0;
        const bool worlds = endless || worlds_ < options_.worlds,
                   scenes = endless || madeScenes_ < options_.scenes;
        if (!worlds && !scenes) return false;
        const bool scene = scenes && (!worlds || madeScenes_ < worlds_);
        scene_.push_back(scene);
        seed_.push_back(options_.seed + std::uint64_t(scene ? madeScenes_++ : worlds_++));
        ++turn_;
        return true;
    }

    void take(const Ending& ending) {
        const Verdict v = verdictOf(ending);
        const bool scene = isScene(ending.number);
        ++(scene ? summary_.scenes : summary_.worlds);
        (scene ? summary_.sceneSeconds : summary_.worldSeconds) += ending.seconds;
        summary_.steps += v.steps;
        summary_.judgedEnergy += v.judgedEnergy;
        summary_.refused += v.refused;
        summary_.quarantined += v.quarantined > 0;
        summary_.longestStep = std::max(summary_.longestStep, v.longestStep);
        if (!scene && ending.seconds > summary_.slowestWorld) {
            summary_.slowestWorld = ending.seconds;
            summary_.slowestSeed = seedOf(ending.number);
        }
        summary_.kilobytes = std::max(summary_.kilobytes, ending.kilobytes);
        if (v.fault) keep(ending.number, v.fault);
        options_.progress(std::to_string(summary_.worlds) + " worlds, " + std::to_string(summary_.scenes) +
                              " scenes, " + std::to_string(summary_.failures.size()) + " failures",
                          done());
    }

    double done() const {
        if (options_.minutes > 0) return (clockSeconds() - begun_) / (60 * options_.minutes);
        return double(summary_.worlds + summary_.scenes) / std::max(options_.worlds + options_.scenes, 1);
    }

    void keep(int number, const Fault& fault) {
        const bool scene = isScene(number);
        Failure failure = {scene, seedOf(number), fault, {}};
        if (++summary_.kinds[(scene ? "scene " : "world ") + fault.kind] <= kShortened && options_.minimise) {
            const auto fails = [&](const std::string& text) {
                return judgeFile(text, scene).fault.kind == fault.kind;
            };
            const std::string text = textOf(number);
            // A hang takes its whole time in each trial.
            const int trials = fault.kind == "hang" || fault.kind == "slow" ? 12 : kTrials;
            const std::string less =
                scene ? shortenScene(text, fails, trials) : shortenRecipe(text, fails, trials);
            failure.file = write(failure, less);
        }
        options_.failed(failure);
        summary_.failures.push_back(std::move(failure));
    }

    std::string write(const Failure& f, const std::string& text) const {
        const std::filesystem::path file =
            std::filesystem::path(options_.keep) /
            (f.fault.kind + "_" + std::to_string(f.seed) + (f.scene ? ".json" : ".recipe"));
        std::error_code error;
        std::filesystem::create_directories(options_.keep, error);
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }

    const Options& options_;
    std::vector<std::string> scenes_;
    double begun_;
    int turn_ = 0, worlds_ = 0, madeScenes_ = 0;
    std::vector<char> scene_;
    std::vector<std::uint64_t> seed_;
    Summary summary_;
};

} // namespace

Result<Summary> fuzz(const Options& options) {
    std::vector<std::string> texts;
    if (options.scenes > 0 || options.worlds == 0) {
        Result<std::vector<std::string>> read = readScenes(options.corpus);
        if (!read) return read.error();
        texts = std::move(*read);
    }
    return Fuzzer(options, std::move(texts)).run();
}

Verdict judgeFile(const std::string& text, bool scene) {
    return verdictOf(runAlone([&] { return judgeText(text, scene); }));
}

std::string openKind(const std::string& text) {
    if (text.rfind(kOpen, 0) != 0) return {};
    return text.substr(kOpen.size(), text.find('\n') - kOpen.size());
}

} // namespace capstan::fuzz
