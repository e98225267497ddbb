// SPDX-License-Identifier: MIT
// What `run --out` writes: one Output per file, which sees every frame.
#pragma once

#include <apps/capstan/commands/commands.hpp>

#include <capstan/result.hpp>
#include <capstan/scene/playback.hpp>

#include <memory>
#include <string>
#include <vector>

namespace capstan::cli {

class Output {
public:
    virtual ~Output() = default;
    virtual Status add(const Playback& now) = 0; // first the start, then after each frame
    virtual Status close() = 0;
};

// By the extensions of RunOptions::out. Each file can be written, and everything asked for makes sense, or it is an error.
Result<std::vector<std::unique_ptr<Output>>> openOutputs(const RunOptions& options, const Playback& start);

// pictures.cpp and animation.cpp
Result<std::unique_ptr<Output>> openPicture(const std::string& file, const PictureOptions& options,
                                            const Playback& start);
Result<std::unique_ptr<Output>> openFilm(const std::string& file, const PictureOptions& options,
                                         const Playback& start);
Result<std::unique_ptr<Output>> openAnimation(const std::string& file, const PictureOptions& options);

// Frames at an even rate out of a run at another: how many are due at a time.
class Shutter {
public:
    explicit Shutter(float fps) : fps_(static_cast<double>(fps)) {}
    int due(double time) {
        int count = 0;
        while (static_cast<double>(taken_) <= time * fps_ + 1e-6) ++taken_, ++count;
        return count;
    }

private:
    double fps_;
    long long taken_ = 0;
};

} // namespace capstan::cli
