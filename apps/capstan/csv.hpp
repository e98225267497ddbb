// SPDX-License-Identifier: MIT
// A run as a table: frame,time,rope,node,x,y,z,tension, one row per node and frame. The first frame is 0,
// the start. Tension is that of the segment that begins at the node; the last node of a rope begins none.
#pragma once

#include <capstan/scene/playback.hpp>

#include <cstdio>
#include <string>

namespace capstan::cli {

class CsvWriter {
public:
    explicit CsvWriter(const std::string& file);
    ~CsvWriter();
    CsvWriter(const CsvWriter&) = delete;
    CsvWriter& operator=(const CsvWriter&) = delete;

    bool open() const { return file_ != nullptr; }
    void write(const Playback& now);
    bool close(); // false when anything could not be written

private:
    std::FILE* file_ = nullptr;
    bool good_ = true;
};

} // namespace capstan::cli
