// SPDX-License-Identifier: MIT
// A Film pipes pictures one after another to ffmpeg, which makes an MP4 of them (H.264, yuv420p, which every browser
// plays).
#pragma once

#include <capstan/result.hpp>
#include <render/film/image.hpp>

#include <cstdio>
#include <string>

namespace capstan::render {

class Film {
public:
    // Width and height must be even, since yuv420p halves them.
    static Result<Film> open(const std::string& file, int width, int height, float fps);
    ~Film(); // without close(), the file stays incomplete
    Film(Film&& other) noexcept;
    Film& operator=(Film&& other) noexcept;
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    Status add(const Image& image); // all images have the same size
    Status close();

private:
    Film() = default;
    std::string file_;
    std::FILE* log_ = nullptr; // output of ffmpeg
    int pipe_ = -1;
    int child_ = -1;
};

} // namespace capstan::render
