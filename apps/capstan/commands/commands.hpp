// SPDX-License-Identifier: MIT
// The commands of the command line. main.cpp reads the words; each command is one file.
#pragma once

#include <string>
#include <vector>

namespace capstan::cli {

// Exit codes, the same for every command.
inline constexpr int success = 0;
inline constexpr int failed = 1; // a check did not hold
inline constexpr int badUse = 2; // bad words or bad input

// Changes to a scene's world; empty and 0 leave it as it is. And how to take a file of another format.
struct WorldOptions {
    std::string backend;
    int threads = 0;
    int substeps = 0;
    bool boxCenters = false; // ImportOptions::centerAtOrigin is false
};

// How pictures and films look. Words are checked when they are used.
struct PictureOptions {
    std::string size = "1280x720";
    std::string camera;           // "ex,ey,ez,tx,ty,tz"; empty: as the scene says, or all of it
    std::string quality = "high"; // or low
    std::string heat = "none";    // or tension, stretch, force
    float fps = 30;               // of films and animations
    float at = -1;                // s, of a still; negative: at the end
    bool debug = false;           // joints, contacts, tangles, nodes
};

struct RunOptions {
    std::string scene;
    int frames = 0;               // 0: as the scene says
    std::vector<std::string> out; // files
    PictureOptions picture;
    bool hash = false;
    bool json = false;
    WorldOptions world;
};
int run(const RunOptions& options);

struct ViewOptions {
    std::string scene;  // empty: the three dogs
    std::string scenes; // folder of the browser; empty: scenes/
    int width = 1280, height = 720;
    float scale = 0; // of everything in the window; 0: what the display asks for
    int frames = 0;  // pictures to draw; 0: until the window is closed
    bool paused = false;
    std::string trace;   // file of JSON lines; "-" is the terminal
    std::string photo;   // of the last picture
    std::string quality; // low or high; empty: low where the processor draws
    WorldOptions world;
};
int view(const ViewOptions& options);

struct CheckOptions {
    std::vector<std::string> paths; // scenes and folders
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
    std::vector<std::string> cases; // empty: all
    bool full = false;
    int seeds = 0; // 0: as many as each case has
    bool json = false;
    std::string markdown; // file to write
};
int validate(const ValidateOptions& options);
std::string validateCases(); // for --help

struct BenchOptions {
    std::vector<std::string> cases; // empty: all
    std::string backend;
    int threads = 0;
    bool quick = false;
    bool full = false;
    bool json = false;
};
int bench(const BenchOptions& options);
std::string benchCases(); // for --help

} // namespace capstan::cli
