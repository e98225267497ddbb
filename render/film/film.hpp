// SPDX-License-Identifier: MIT
// A Film writes an MP4 file: it sends pictures to ffmpeg, which encodes them as H.264 with yuv420p, for all browsers.
#pragma once

#include <capstan/result.hpp>
#include <render/film/image.hpp>
#include <render/view/whole_file.hpp>

#include <cstdio>
#include <optional>
#include <string>

namespace capstan::render {

class Film {
public:
    // Width and height must be even, since yuv420p halves the resolution of colours.
    static Result<Film> open(const std::string& file, int width, int height, float fps);
    ~Film(); // without close(), there is no file
    Film(Film&& other) noexcept;
    Film& operator=(Film&& other) noexcept;
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    Status add(const Image& image); // all images must have the size given to open()
    Status close();

private:
    Film() = default;
    int wait(); // ends the input of ffmpeg and gives its status
    std::string file_;
    std::optional<WholeFile> whole_;
    std::FILE* log_ = nullptr; // messages of ffmpeg
    int pipe_ = -1;
    int child_ = -1;
};

} // namespace capstan::render
