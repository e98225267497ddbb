// SPDX-License-Identifier: MIT
// An Output writes one file of `run --out` and receives every frame of the run.
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
    virtual Status add(const Playback& now) = 0; // called first with the start, then after each frame
    virtual Status close() = 0;
};

// checkPlaces returns an error if a file of RunOptions::out cannot be written at its path.
Status checkPlaces(const RunOptions& options);

// openOutputs opens the files of RunOptions::out and chooses each format by the file's extension. It returns an error
// if a file cannot be written or two options contradict each other.
Result<std::vector<std::unique_ptr<Output>>> openOutputs(const RunOptions& options, const Playback& start);

// These functions are in pictures.cpp and animation.cpp.
Result<std::unique_ptr<Output>> openPicture(const std::string& file, const PictureOptions& options,
                                            const Playback& start);
Result<std::unique_ptr<Output>> openFilm(const std::string& file, const PictureOptions& options,
                                         const Playback& start);
Result<std::unique_ptr<Output>> openAnimation(const std::string& file, const PictureOptions& options);

// A Shutter converts between frame rates: due(time) gives the number of pictures to add at a simulated time [s].
class Shutter {
public:
    explicit Shutter(float fps) : fps_(static_cast<double>(fps)) {}
    int due(double time) {
        int count = 0;
        while (static_cast<double>(taken_) <= time * fps_ + 1e-6) {
            ++taken_;
            ++count;
        }
        return count;
    }

private:
    double fps_;
    long long taken_ = 0;
};

} // namespace capstan::cli
