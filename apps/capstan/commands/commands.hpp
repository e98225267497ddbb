// SPDX-License-Identifier: MIT
// These are the commands of the command line. main.cpp parses the arguments; each command has a file of its own.
#pragma once

#include <string>
#include <vector>

namespace capstan::cli {

// The exit codes are the same for every command.
inline constexpr int success = 0;
inline constexpr int failed = 1; // a check failed, or a file could not be written
inline constexpr int badUse = 2; // wrong arguments or wrong input

// WorldOptions change a scene's world and the import of other file formats. An empty text or 0 leaves a value
// unchanged.
struct WorldOptions {
    std::string backend;
    int threads = 0;
    int substeps = 0;
    bool boxCenters = false; // true: ImportOptions::centerAtOrigin is false
};

// PictureOptions set the look of pictures and films. Their texts are checked when an output is opened.
struct PictureOptions {
    std::string size = "1280x720";
    std::string camera;           // "ex,ey,ez,tx,ty,tz"; empty: the scene's camera, or the whole scene
    std::string quality = "high"; // "high" or "low"
    std::string heat = "none";    // "none", "tension", "stretch" or "force"
    float fps = 30;               // pictures per second of films and animations
    float at = -1;                // s, time of a still; negative: at the end
    bool debug = false;           // draws joints, contacts, tangles, nodes
};

struct RunOptions {
    std::string scene;
    int frames = 0;               // 0: as many as the scene says
    std::vector<std::string> out; // paths of output files
    PictureOptions picture;
    bool hash = false;
    bool json = false;
    WorldOptions world;
};
int run(const RunOptions& options);

struct ViewOptions {
    std::string scene;  // path of a scene; empty: the scene with three dogs
    std::string scenes; // folder that the browser lists; empty: scenes/
    int width = 1280, height = 720;
    float scale = 0; // scale of the window's content; 0: the display's scale
    int frames = 0;  // pictures to draw; 0: until the window closes
    bool paused = false;
    std::string trace;   // path for JSON lines; "-": stdout
    std::string photo;   // path for a picture of the last frame
    std::string quality; // "low" or "high"; empty: low if GL runs on the processor
    WorldOptions world;
};
int view(const ViewOptions& options);

struct CheckOptions {
    std::vector<std::string> paths; // paths of scenes, and of folders with scenes
    WorldOptions world;
};
int check(const CheckOptions& options);

struct InfoOptions {
    std::string scene;
    bool json = false;
    bool fields = false;
    WorldOptions world;
};
int info(const InfoOptions& options);

struct ValidateOptions {
    std::vector<std::string> cases; // names of cases; empty: all cases
    bool full = false;
    int seeds = 0; // number of random seeds; 0: each case's default
    bool json = false;
    std::string markdown; // file to write as Markdown
};
int validate(const ValidateOptions& options);
std::string validateCases(); // list of cases, for --help

struct BenchOptions {
    std::vector<std::string> cases; // names of cases; empty: all cases
    std::string backend;
    int threads = 0;
    bool quick = false;
    bool full = false;
    bool json = false;
};
int bench(const BenchOptions& options);
std::string benchCases(); // list of cases, for --help

struct FuzzOptions {
    double minutes = 0; // 0: by the numbers below, or one minute without them
    unsigned long long seed = 1;
    int worlds = 0, scenes = 0;
    int jobs = 0;                    // 0: as many as there are cores
    std::vector<std::string> corpus; // folders of scenes; empty: the project's own
    std::string keep = "tests/regressions";
    bool noMinimise = false; // lists what fails, and keeps nothing
    bool json = false;
    std::string replay; // a file to judge in place of seeds
    bool print = false; // prints the recipe or scene of the seed
};
int fuzz(const FuzzOptions& options);

} // namespace capstan::cli
