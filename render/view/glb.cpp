// SPDX-License-Identifier: MIT
// This file implements glb.hpp: it collects frames into tracks, one track per object. glb_file.cpp writes the tracks.
#include <render/view/glb.hpp>
#include <render/view/shape_meshes.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::render {
namespace {

// track returns the track of an object in this frame. An object that reappears after a gap gets a new track.
template <class T, class Frames>
T& track(std::vector<T>& all, std::map<std::uint64_t, std::size_t>& known, std::uint64_t id,
         std::size_t frame, Frames T::*frames) {
    const auto [found, fresh] = known.try_emplace(id, all.size());
    if (!fresh) {
        const T& old = all[found->second];
        if (old.first + (old.*frames).size() == frame) return all[found->second];
        found->second = all.size();
    }
    all.emplace_back();
    all.back().first = frame;
    return all.back();
}

// axes returns the rotation whose y axis is `along` and whose x axis is `across`; the two must be orthogonal.
Quatf axes(Vec3 along, Vec3 across) {
    const Quatf q = fromTo(Vec3{0, 1, 0}, along);
    const Vec3 x = rotate(q, Vec3{1, 0, 0});
    const float angle = std::atan2(dot(cross(x, across), along), dot(x, across));
    return normalize(Quatf::fromAxisAngle(along, angle) * q);
}

// resampled returns `count` points, evenly spaced by index over n points. A winch or a cut changes n, but a mesh must
// keep its number of joints.
std::vector<Vec3> resampled(const Vec4* p, int n, int count) {
    std::vector<Vec3> out;
    for (int i = 0; i < count; ++i) {
        const float at = count > 1 ? float(i) * float(n - 1) / float(count - 1) : 0;
        const int k = std::min(int(at), n - 2);
        const float t = at - float(k);
        const Vec4 a = p[k], b = p[k + 1];
        out.push_back((1 - t) * Vec3{a.x, a.y, a.z} + t * Vec3{b.x, b.y, b.z});
    }
    return out;
}

// jointsOf returns the transform of each joint. Directions across the rope follow by parallel transport (as in
// render/gl/tubes.cpp). Quaternions keep their sign from frame to frame, so that they interpolate the short way.
std::vector<Transform> jointsOf(const std::vector<Vec3>& p, bool closed, Vec3& across,
                                const std::vector<Transform>* before) {
    std::vector<Transform> out;
    const std::size_t n = p.size();
    Vec3 u = across;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 a = i > 0    ? p[i - 1]
                       : closed ? p[n - 1]
                                : p[0],
                   b = i + 1 < n ? p[i + 1]
                       : closed  ? p[0]
                                 : p[n - 1];
        const Vec3 t = normalize(b - a, {0, 1, 0});
        u = u - dot(u, t) * t;
        u = lengthSquared(u) > 1e-6f ? normalize(u) : perpendicular(t);
        if (i == 0) across = u;
        Quatf q = axes(t, u);
        if (before && dot((*before)[i].rotation, q) < 0) q = -q;
        out.push_back({p[i], q});
    }
    return out;
}

} // namespace

void Glb::add(std::uint64_t id, const Solid& solid, const Piece& piece, const Transform& at) {
    if (id == 0) return;
    Motion& m = track(motions_, motionOf_, id, times_.size(), &Motion::at);
    if (m.at.empty()) {
        m.solid = solid;
        m.piece = piece;
    }
    m.at.push_back(at);
}

void Glb::add(const Mesh& mesh) {
    if (mesh.key == 0 || mesh.triangles.empty()) return;
    Sheet& s = track(sheets_, sheetOf_, mesh.key, times_.size(), &Sheet::points);
    if (s.points.empty()) {
        s.color = mesh.color;
        for (const std::array<int, 3>& t : mesh.triangles)
            for (int corner : t) s.index.push_back(std::uint32_t(corner));
    }
    s.points.push_back(mesh.points);
    s.normals.emplace_back();
    smoothNormals(mesh.points, mesh.triangles, s.normals.back());
    for (Vec3& n : s.normals.back()) n = normalize(n, {0, 1, 0});
    soft_ += mesh.points.size();
}

// The file contains every k-th strand, each with at most kMostStrandPoints points, evenly spaced by index.
void Glb::add(const Strands& strands) {
    if (strands.id == 0 || strands.counts.empty()) return;
    Sheet& s = track(sheets_, sheetOf_, strands.id, times_.size(), &Sheet::points);
    const bool fresh = s.points.empty();
    s.color = strands.tip;
    s.lines = true;
    const std::size_t all = strands.counts.size(), every = (all + kMostStrands - 1) / kMostStrands;
    std::vector<Vec3> positions;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < all; begin += std::size_t(strands.counts[k++])) {
        const int n = strands.counts[k], taken = std::min(n, kMostStrandPoints);
        if (k % every != 0 || n < 2) continue;
        for (int i = 0; i < taken; ++i) {
            if (fresh && i > 0)
                s.index.insert(s.index.end(),
                               {std::uint32_t(positions.size() - 1), std::uint32_t(positions.size())});
            positions.push_back(strands.points[begin + std::size_t(i * (n - 1) / (taken - 1))]);
        }
    }
    soft_ += positions.size();
    s.points.push_back(std::move(positions));
}

// If there are more nodes than kMostJoints, every rope keeps its ends and an even selection of its nodes.
Status Glb::addRopes(const SceneView& view) {
    std::size_t nodes = 0, fewest = 0;
    for (const Tube& t : view.tubes) {
        nodes += std::size_t(t.count);
        fewest += t.closed ? 3 : 2;
    }
    if (fewest > kMostJoints)
        return Error{"there are " + std::to_string(view.tubes.size()) + " ropes; a glTF file takes " +
                         std::to_string(kMostJoints) + " of their nodes",
                     ""};
    if (nodes > kMostJoints) thin_ = std::max(thin_, double(nodes - fewest) / double(kMostJoints - fewest));
    for (const Tube& t : view.tubes) {
        if (t.id == 0 || t.count < 2) continue;
        Rope& r = track(ropes_, ropeOf_, t.id, times_.size(), &Rope::joints);
        if (r.joints.empty()) {
            const int ends = std::min(t.count, t.closed ? 3 : 2);
            r.tube = t;
            r.tube.count = ends + int(double(t.count - ends) / thin_);
        }
        const std::vector<Vec3> p = resampled(view.tubePoints.data() + t.first, t.count, r.tube.count);
        r.joints.push_back(
            jointsOf(p, r.tube.closed, r.across, r.joints.empty() ? nullptr : &r.joints.back()));
    }
    return done();
}

Status Glb::add(const SceneView& view, double time) {
    for (const Solid& s : view.solids) add(s.id, s, {}, s.at);
    for (const Piece& p : view.pieces) add(p.id, {}, p, p.at);
    if (Status added = addRopes(view); !added) return added;
    for (const Mesh& m : view.meshes) add(m);
    for (const Strands& s : view.strands) add(s);
    if (soft_ > kMostSoftPoints)
        return Error{"cloth and hair have more than " + std::to_string(kMostSoftPoints / 1000000) +
                         " million points in all frames; use fewer frames, or a lower --fps",
                     ""};
    times_.push_back(time);
    return done();
}

} // namespace capstan::render
