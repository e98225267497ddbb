// SPDX-License-Identifier: MIT
// This file implements writable.hpp.
#include <render/view/writable.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace capstan::render {

Status checkWritable(const std::string& file) {
    std::error_code ignored;
    const bool there = std::filesystem::exists(file, ignored);
    std::FILE* f = std::fopen(file.c_str(), "ab");
    if (!f) return Error{std::string("cannot be written: ") + std::strerror(errno), file};
    std::fclose(f);
    if (!there) std::filesystem::remove(file, ignored);
    return done();
}

} // namespace capstan::render
