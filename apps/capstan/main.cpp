// SPDX-License-Identifier: MIT
// This is the command line, capstan. It parses the arguments and calls a command; each command has a file in
// commands/.
//
// Only this file includes CLI11, which takes longer to compile than all the rest.
#include <apps/capstan/commands/checks.hpp>
#include <apps/capstan/commands/commands.hpp>

#include <render/view/whole_file.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

namespace {

using namespace capstan::cli;
namespace render = capstan::render;

// Words holds the parsed options. It must live until the command is called.
struct Words {
    RunOptions run;
    ViewOptions view;
    CheckOptions check;
    InfoOptions info;
    ValidateOptions validate;
    BenchOptions bench;
    FuzzOptions fuzz;
    std::function<int()> chosen;
};

void addImport(CLI::App& command, WorldOptions& world) {
    command.add_flag(
        "--box-centers", world.boxCenters,
        "Ten Minute Physics files: put the centre of each body at the centre of its mesh, not at its origin");
}

void addWorld(CLI::App& command, WorldOptions& world) {
    command
        .add_option("--backend", world.backend, "backend: scalar, simd, cuda or best; all give the same bits")
        ->check(CLI::IsMember({"scalar", "simd", "cuda", "best"}));
    command
        .add_option("--threads", world.threads, "number of worker threads; any number gives the same bits")
        ->check(CLI::Range(1, 256));
    command.add_option("--substeps", world.substeps, "number of substeps per frame, in place of the scene's")
        ->check(CLI::Range(1, 1000));
    addImport(command, world);
}

void addPicture(CLI::App& command, PictureOptions& p) {
    const char* group = "Pictures and films";
    command.add_option("--size", p.size, "width and height in pixels, as 1280x720")
        ->group(group)
        ->capture_default_str();
    command
        .add_option("--camera", p.camera,
                    "eye and target of the camera in m, as ex,ey,ez,tx,ty,tz; left out: the scene's camera, "
                    "or a view of all objects")
        ->group(group);
    command.add_option("--quality", p.quality, "quality of the picture; low renders faster")
        ->check(CLI::IsMember({"low", "high"}))
        ->group(group)
        ->capture_default_str();
    command.add_option("--heat", p.heat, "quantity that the colours of ropes show")
        ->check(CLI::IsMember({"none", "tension", "stretch", "force"}))
        ->group(group)
        ->capture_default_str();
    command.add_option("--fps", p.fps, "number of pictures per simulated second (.mp4, .glb)")
        ->check(CLI::Range(1.0f, 240.0f))
        ->group(group)
        ->capture_default_str();
    command.add_option("--at", p.at, "simulated time of the .png in s; left out: the end of the run")
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    command.add_flag("--debug", p.debug, "draw joints, contacts, tangles and nodes over the picture")
        ->group(group);
}

void addRun(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("run", "Run a scene without a window and report the result");
    RunOptions& o = words.run;
    c.add_option("scene", o.scene, "a scene file")->required();
    c.add_option("--frames", o.frames, "number of frames, in place of the scene's")
        ->check(CLI::Range(1, 100000000));
    c.add_option("--out", o.out,
                 "write this file; may be given more than once. The extension sets the format: .png picture, "
                 ".mp4 film, .glb animated scene (glTF), .csv every node and body of every frame")
        ->allow_extra_args(false);
    addPicture(c, o.picture);
    c.add_flag("--hash", o.hash, "print the hash of the final state");
    c.add_flag("--json", o.json, "print one JSON object instead of text (docs/reference/output.md)");
    addWorld(c, o.world);
    c.footer(
        "Example: capstan run scenes/rope/wrecking_ball.json --frames 300 --out swing.csv --hash\n"
        "         capstan run scenes/tangle/three_dogs.json --out dogs.mp4 --size 640x360 --quality low\n"
        "         capstan run scenes/contact/bowline.json --out knot.png --heat tension");
    c.callback([&words] { words.chosen = [&words] { return run(words.run); }; });
}

void addView(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("view", "Open a scene in a window: look, pull, cut, pin, steer");
    ViewOptions& o = words.view;
    c.add_option("scene", o.scene, "a scene file; left out: three dogs on leashes");
    c.add_option("--scenes", o.scenes, "folder of the scenes in the list (default: scenes)");
    c.add_option("--width", o.width, "width of the window in pixels")->check(CLI::Range(480, 8192));
    c.add_option("--height", o.height, "height of the window in pixels")->check(CLI::Range(320, 8192));
    c.add_option(
         "--scale", o.scale,
         "scale of letters and panels, for dense screens; left out: the scale that the display asks for")
        ->check(CLI::Range(0.5, 4.0));
    CLI::Option* frames = c.add_option("--frames", o.frames, "number of pictures after which the viewer ends")
                              ->check(CLI::Range(1, 100000000));
    c.add_flag("--paused", o.paused, "start paused; the space key plays");
    c.add_option("--quality", o.quality,
                 "quality of the picture: low or high; left out: low where no graphics card draws")
        ->check(CLI::IsMember({"low", "high"}));
    c.add_option("--photo", o.photo, "with --frames: write the window at the end to this file (.png)")
        ->needs(frames);
    c.add_option(
        "--trace", o.trace,
        "write one JSON line per picture to this file; -: to the terminal (docs/reference/output.md)");
    addWorld(c, o.world);
    c.footer("Keys and mouse: press ? in the window, or read docs/manual/viewer.md.\n"
             "Example: capstan view scenes/rigid/crane.json");
    c.callback([&words] { words.chosen = [&words] { return view(words.view); }; });
}

void addCheck(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("check", "Run scenes and test their \"expect\" blocks");
    CheckOptions& o = words.check;
    c.add_option("paths", o.paths, "scene files, and folders of scenes")->required();
    addWorld(c, o.world);
    c.footer("Exits 1 when an expectation does not hold.\nExample: capstan check scenes");
    c.callback([&words] { words.chosen = [&words] { return check(words.check); }; });
}

void addValidate(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("validate", "Compare with formulas and tables of physics");
    ValidateOptions& o = words.validate;
    c.add_option("cases", o.cases, "names of cases; left out: all cases");
    c.add_flag("--full", o.full, "run the long statistics too");
    c.add_option("--seeds", o.seeds, "number of random trials, in place of the case's own number")
        ->check(CLI::Range(1, 1000000));
    c.add_flag("--json", o.json, "print a JSON array instead of a table (docs/reference/output.md)");
    c.add_option("--markdown", o.markdown, "also write the table to this file");
    c.footer("Exits 1 when a gate fails.\nExample: capstan validate R3 R6\n\n" + validateCases());
    c.callback([&words] { words.chosen = [&words] { return validate(words.validate); }; });
}

#ifdef CAPSTAN_HAVE_BENCH
void addBench(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("bench", "Measure the time per frame, with quality and hash");
    BenchOptions& o = words.bench;
    c.add_option("cases", o.cases, "names of cases; left out: all cases");
    c.add_option("--backend", o.backend, "backend: scalar or simd; left out: both")
        ->check(CLI::IsMember({"scalar", "simd"}));
    c.add_option("--threads", o.threads, "number of worker threads, in place of the case's own number")
        ->check(CLI::Range(1, 256));
    c.add_flag("--quick", o.quick, "run a tenth of the frames; times are less exact");
    c.add_flag("--full", o.full,
               "run the largest sizes too: a cloth of a million vertices; W2 for ten minutes");
    c.add_flag("--json", o.json, "print a JSON array instead of a table (docs/reference/output.md)");
    c.footer("Example: capstan bench W1 --backend simd\n\n" + benchCases());
    c.callback([&words] { words.chosen = [&words] { return bench(words.bench); }; });
}
#endif

#ifdef CAPSTAN_HAVE_FUZZ
void addFuzz(CLI::App& app, Words& words) {
    CLI::App& c = *app.add_subcommand("fuzz", "Run worlds and scenes made by chance, and keep what fails");
    FuzzOptions& o = words.fuzz;
    c.add_option("--minutes", o.minutes, "end after so long; one minute where nothing else is given")
        ->check(CLI::Range(0.01, 1e5));
    c.add_option("--seed", o.seed, "seed of the first world and the first scene; the others count on from it")
        ->capture_default_str();
    c.add_option("--worlds", o.worlds, "number of worlds of 200 steps")->check(CLI::Range(0, 100000000));
    c.add_option("--scenes", o.scenes, "number of mutated scene files")->check(CLI::Range(0, 100000000));
    c.add_option("--jobs", o.jobs, "processes beside each other (left out: one for each core)")
        ->check(CLI::Range(1, 256));
    c.add_option("--corpus", o.corpus,
                 "scene files and folders to mutate (left out: scenes, tests/scene/corpus)");
    c.add_option("--keep", o.keep, "folder for what fails, made short")->capture_default_str();
    c.add_flag("--no-minimise", o.noMinimise,
               "list what fails with its seed; make nothing short, keep nothing");
    CLI::Option* replay = c.add_option("--replay", o.replay, "judge this recipe or scene in place of seeds");
    c.add_flag("--print", o.print, "print the recipe of the seed, or with --scenes its scene, and end")
        ->excludes(replay);
    c.add_flag("--json", o.json, "print one JSON object instead of text (docs/reference/output.md)");
    c.footer("Exits 1 when something fails.\nExample: capstan fuzz --minutes 10 --seed 1000");
    c.callback([&words] { words.chosen = [&words] { return fuzz(words.fuzz); }; });
}
#endif

void addInfo(CLI::App& app, Words& words) {
    CLI::App& c =
        *app.add_subcommand("info", "Print the contents of a scene, or the fields of the scene format");
    InfoOptions& o = words.info;
    c.add_option("scene", o.scene, "a scene file");
    c.add_flag("--json", o.json, "print one JSON object instead of text (docs/reference/output.md)");
    c.add_flag("--fields", o.fields,
               "print every field of the scene format with unit, range and meaning (Markdown)");
    addImport(c, o.world);
    c.footer("Example: capstan info scenes/rope/winch.json\n         capstan info --fields");
    c.callback([&words] { words.chosen = [&words] { return info(words.info); }; });
}

int start(int argc, char** argv) {
    CLI::App app("Capstan: physics of ropes, cables, chains and rigid bodies with joints.", "capstan");
    Words words;
    addRun(app, words);
    addView(app, words);
    addCheck(app, words);
    addValidate(app, words);
#ifdef CAPSTAN_HAVE_BENCH
    addBench(app, words);
#endif
#ifdef CAPSTAN_HAVE_FUZZ
    addFuzz(app, words);
#endif
    addInfo(app, words);
    app.require_subcommand(0, 1);
    app.footer("capstan COMMAND --help tells more about each command.\nExample: capstan run "
               "scenes/rope/wrecking_ball.json");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error); // the user asked for --help
        std::fprintf(stderr, "capstan: %s (capstan --help tells more)\n", error.what());
        return badUse;
    }
    if (!words.chosen) {
        std::fputs(app.help().c_str(), stdout);
        return success;
    }
    tellChecks();
    render::stopWhole();
    const int code = words.chosen();
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        std::fputs("capstan: not all of the answer could be printed\n", stderr);
        return failed;
    }
    return code == success && failedChecks() > 0 ? failed : code;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return start(argc, argv);
    } catch (const std::exception& error) { // out of memory in most cases
        std::fprintf(stderr, "capstan: %s\n", error.what());
        return badUse;
    }
}
