// SPDX-License-Identifier: MIT
// This file implements image.hpp. PNG files use stb_image and stb_image_write.
#include <render/film/image.hpp>

#include <render/view/whole_file.hpp>

#include <GLES3/gl3.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace capstan::render {
namespace {

void append(void* context, void* data, int size) {
    const auto* bytes = static_cast<const char*>(data);
    static_cast<std::string*>(context)->append(bytes, bytes + size);
}

} // namespace

Status writePng(const Image& image, const std::string& file) {
    std::string bytes;
    stbi_write_png_compression_level = 9;
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(),
                                3 * image.width))
        return Error{"the picture is empty", file};
    Result<WholeFile> out = WholeFile::open(file);
    if (!out) return out.error();
    if (Status written = out->write(bytes); !written) return written;
    return out->close();
}

Result<Image> readPng(const std::string& file) {
    Image image;
    int channels = 0;
    unsigned char* data = stbi_load(file.c_str(), &image.width, &image.height, &channels, 3);
    if (!data) return Error{std::string("cannot be read as PNG: ") + stbi_failure_reason(), file};
    image.rgb.assign(data, data + 3l * image.width * image.height);
    stbi_image_free(data);
    return image;
}

void readPixels(int width, int height, Image& image) {
    const std::size_t w = std::size_t(width), h = std::size_t(height);
    std::vector<std::uint8_t> rgba(4 * w * h); // GLES guarantees only reads of four bytes per pixel
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    image.width = width;
    image.height = height;
    image.rgb.resize(3 * w * h);
    for (std::size_t y = 0; y < h; ++y) {
        const std::uint8_t* from = rgba.data() + 4 * w * (h - 1 - y); // GL's rows start at the bottom
        std::uint8_t* to = image.rgb.data() + 3 * w * y;
        for (std::size_t x = 0; x < w; ++x, from += 4, to += 3) {
            to[0] = from[0];
            to[1] = from[1];
            to[2] = from[2];
        }
    }
}

} // namespace capstan::render
