// SPDX-License-Identifier: MIT
// This file implements csv.hpp. Quotes follow RFC 4180. Each number has the fewest digits that give the same float.
#include <apps/capstan/commands/csv.hpp>

#include <fmt/format.h>

namespace capstan::cli {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

} // namespace

Result<CsvWriter> CsvWriter::open(const std::string& file, bool bodies, bool soft) {
    Result<render::WholeFile> whole = render::WholeFile::open(file);
    if (!whole) return whole.error();
    std::string head = "frame,time,rope,node,x,y,z,tension";
    if (bodies) head += ",body,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz";
    if (soft) head += ",cloth,hair,strand";
    if (Status written = whole->write(head + "\n"); !written) return written.error();
    return CsvWriter(std::move(*whole), bodies, soft);
}

// writeSoft writes one row per vertex of a cloth or a strand; the column `node` is the vertex's number.
void CsvWriter::writeSoft(const Playback& now, std::string& rows) const {
    const World& world = now.world();
    auto row = [&](std::size_t node, Vec3 x, const std::string& tension, const std::string& whose) {
        fmt::format_to(std::back_inserter(rows), "{},{:.9g},,{},{},{},{},{}{}{}\n", now.summary().frames,
                       now.summary().time, node, x.x, x.y, x.z, tension, bodies_ ? ",,,,,,,,,,," : "", whose);
    };
    for (ClothId id : world.ids<ClothId>()) {
        const std::string name = "," + quoted(now.nameOf(id)) + ",,";
        std::span<const Point> points = world.positions(id);
        for (std::size_t i = 0; i < points.size(); ++i) row(i, points[i], "", name);
    }
    for (HairId id : world.ids<HairId>()) {
        for (int k = 0; k < world.strandCount(id); ++k) {
            const std::string name = fmt::format(",,{},{}", quoted(now.nameOf(id)), k);
            std::span<const Point> p = world.strand(id, k);
            for (std::size_t i = 0; i < p.size(); ++i)
                row(i, p[i], i + 1 < p.size() ? fmt::format("{}", p[i + 1].w) : "", name);
        }
    }
}

Status CsvWriter::write(const Playback& now) {
    std::string rows;
    const char* soft = soft_ ? ",,," : "";
    const World& world = now.world();
    for (RopeId id : world.ids<RopeId>()) {
        std::string name = quoted(now.nameOf(id));
        std::span<const Point> points = world.positions(id);
        std::span<const float> tension = world.tensions(id);
        for (std::size_t i = 0; i < points.size(); ++i) {
            fmt::format_to(std::back_inserter(rows), "{},{:.9g},{},{},{},{},{},{}{}{}\n",
                           now.summary().frames, now.summary().time, name, i, points[i].x, points[i].y,
                           points[i].z, i < tension.size() ? fmt::format("{}", tension[i]) : "",
                           bodies_ ? ",,,,,,,,,,," : "", soft);
        }
    }
    for (BodyId id : world.ids<BodyId>()) {
        Transform at = world.pose(id);
        Quatf q = at.rotation;
        Vec3 v = world.velocity(id), w = world.angularVelocity(id);
        fmt::format_to(std::back_inserter(rows), "{},{:.9g},,,{},{},{},,{},{},{},{},{},{},{},{},{},{},{}{}\n",
                       now.summary().frames, now.summary().time, at.position.x, at.position.y, at.position.z,
                       quoted(now.nameOf(id)), q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z, soft);
    }
    if (soft_) writeSoft(now, rows);
    return file_.write(rows);
}

} // namespace capstan::cli
