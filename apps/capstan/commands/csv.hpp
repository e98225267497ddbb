// SPDX-License-Identifier: MIT
// A CsvWriter writes a run as a table: frame,time,rope,node,x,y,z,tension, with one row per node and frame. Frame 0 is
// the start. `tension` [N] is that of the segment that begins at the node; the last node of a rope begins none.
// A scene with bodies has one more row per body and frame, and the columns body,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz. They
// are the body's name, the rotation q, the velocity v of its centre of mass, and its angular velocity w. In such a
// row x,y,z is the body's origin. Columns that do not apply to a row are empty.
#pragma once

#include <capstan/scene/playback.hpp>
#include <render/view/whole_file.hpp>

#include <string>
#include <utility>

namespace capstan::cli {

class CsvWriter {
public:
    // The table has columns of bodies, of cloth and of hair only if the scene has such objects.
    static Result<CsvWriter> open(const std::string& file, bool bodies, bool soft);

    Status write(const Playback& now);
    Status close() { return file_.close(); }

private:
    CsvWriter(render::WholeFile file, bool bodies, bool soft)
        : file_(std::move(file)), bodies_(bodies), soft_(soft) {}
    void writeSoft(const Playback& now, std::string& rows) const;

    render::WholeFile file_;
    bool bodies_ = false, soft_ = false;
};

} // namespace capstan::cli
