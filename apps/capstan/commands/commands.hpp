// SPDX-License-Identifier: MIT
// These are the commands of the command line. main.cpp parses the arguments; each command has a file of its own.
#pragma once

#include <string>
#include <vector>

namespace capstan::cli {

// The exit codes are the same for every command.
inline constexpr int success = 0;
inline constexpr int failed = 1; // a check failed
inline constexpr int badUse = 2; // wrong arguments or wrong input

// WorldOptions change a scene's world; an empty text and 0 leave it unchanged. They also say how to read a file of
// another format.
struct WorldOptions {
    std::string backend;
    int threads = 0;
    int substeps = 0;
    bool boxCenters = false; // true: ImportOptions::centerAtOrigin is false
};

// PictureOptions say how pictures and films look. Their texts are checked when they are used.
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
    std::vector<std::string> out; // files
    PictureOptions picture;
    bool hash = false;
    bool json = false;
    WorldOptions world;
};
int run(const RunOptions& options);

struct ViewOptions {
    std::string scene;  // empty: the scene with three dogs
    std::string scenes; // folder of the browser; empty: scenes/
    int width = 1280, height = 720;
    float scale = 0; // scale of the window's content; 0: as the display requests
    int frames = 0;  // pictures to draw; 0: until the window closes
    bool paused = false;
    std::string trace;   // file of JSON lines; "-": the terminal
    std::string photo;   // file for the last picture
    std::string quality; // "low" or "high"; empty: low if GL runs on the processor
    WorldOptions world;
};
int view(const ViewOptions& options);

struct CheckOptions {
    std::vector<std::string> paths; // scenes, and folders of scenes
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
    std::vector<std::string> cases; // names; empty: all
    bool full = false;
    int seeds = 0; // 0: the number of each case
    bool json = false;
    std::string markdown; // file to write as Markdown
};
int validate(const ValidateOptions& options);
std::string validateCases(); // list for --help

struct BenchOptions {
    std::vector<std::string> cases; // names; empty: all
    std::string backend;
    int threads = 0;
    bool quick = false;
    bool full = false;
    bool json = false;
};
int bench(const BenchOptions& options);
std::string benchCases(); // list for --help

} // namespace capstan::cli
