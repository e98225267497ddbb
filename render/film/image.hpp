// SPDX-License-Identifier: MIT
// An Image is a picture in memory, with rows from the top. It can be read from and written to PNG files.
#pragma once

#include <capstan/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace capstan::render {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb; // three bytes per pixel
};

Status writePng(const Image& image, const std::string& file);
Result<Image> readPng(const std::string& file);

// readPixels copies the framebuffer that is bound to GL_READ_FRAMEBUFFER into an image.
void readPixels(int width, int height, Image& image);

} // namespace capstan::render
