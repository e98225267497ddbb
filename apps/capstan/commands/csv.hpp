// SPDX-License-Identifier: MIT
// A CsvWriter writes a run as a table: frame,time,rope,node,x,y,z,tension, with one row per node and frame. Frame 0 is
// the start. The tension is that of the segment that begins at the node; no segment begins at the last node of a rope.
// A scene with bodies has one more row per body and frame, and the columns body,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz. They
// are position and rotation of the body's origin, the velocity of its centre of mass, and its angular velocity.
// Columns that do not apply to a row are empty.
#pragma once

#include <capstan/scene/playback.hpp>

#include <cstdio>
#include <string>

namespace capstan::cli {

class CsvWriter {
public:
    // The table has columns of bodies, of cloth and of hair only if the scene has such objects.
    CsvWriter(const std::string& file, bool bodies, bool soft);
    ~CsvWriter();
    CsvWriter(const CsvWriter&) = delete;
    CsvWriter& operator=(const CsvWriter&) = delete;

    bool open() const { return file_ != nullptr; }
    void write(const Playback& now);
    bool close(); // false when a write failed

private:
    void writeSoft(const Playback& now, std::string& rows) const;

    std::FILE* file_ = nullptr;
    bool good_ = true;
    bool bodies_ = false, soft_ = false;
};

} // namespace capstan::cli
