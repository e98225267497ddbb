// SPDX-License-Identifier: MIT
// Image: pixels in memory, rows from the top, and PNG files of them.
#pragma once

#include <capstan/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace capstan::render {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb; // three bytes each
};

Status writePng(const Image& image, const std::string& file);
Result<Image> readPng(const std::string& file);

// Reads the framebuffer that is bound for reading (GL_READ_FRAMEBUFFER): a screenshot.
void readPixels(int width, int height, Image& image);

} // namespace capstan::render
