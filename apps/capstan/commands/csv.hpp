// SPDX-License-Identifier: MIT
// A run as a table: frame,time,rope,node,x,y,z,tension, one row per node and frame. The first frame is 0,
// the start. Tension is that of the segment that begins at the node; the last node of a rope begins none.
// A scene with bodies has one more row per body and frame, and the columns body,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz: place
// and rotation of its origin, speed of its centre of mass, spin. What does not concern a row is empty.
#pragma once

#include <capstan/scene/playback.hpp>

#include <cstdio>
#include <string>

namespace capstan::cli {

class CsvWriter {
public:
    // Columns of bodies, of cloth and of hair stand only in the table of a scene that has such.
    CsvWriter(const std::string& file, bool bodies, bool soft);
    ~CsvWriter();
    CsvWriter(const CsvWriter&) = delete;
    CsvWriter& operator=(const CsvWriter&) = delete;

    bool open() const { return file_ != nullptr; }
    void write(const Playback& now);
    bool close(); // false when anything could not be written

private:
    void writeSoft(const Playback& now, std::string& rows) const;

    std::FILE* file_ = nullptr;
    bool good_ = true;
    bool bodies_ = false, soft_ = false;
};

} // namespace capstan::cli
