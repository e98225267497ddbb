// SPDX-License-Identifier: MIT
// Film: pictures one after another, piped to ffmpeg, which makes an MP4 of them (H.264, yuv420p: what every browser
// plays).
#pragma once

#include <capstan/result.hpp>
#include <render/film/image.hpp>

#include <cstdio>
#include <string>

namespace capstan::render {

class Film {
public:
    // Width and height are even (yuv420p halves them).
    static Result<Film> open(const std::string& file, int width, int height, float fps);
    ~Film(); // without close(): the file is not finished
    Film(Film&& other) noexcept;
    Film& operator=(Film&& other) noexcept;
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    Status add(const Image& image); // of the same size
    Status close();

private:
    Film() = default;
    std::string file_;
    std::FILE* log_ = nullptr; // what ffmpeg says
    int pipe_ = -1;
    int child_ = -1;
};

} // namespace capstan::render
