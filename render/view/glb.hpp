// SPDX-License-Identifier: MIT
// A Glb is an animated scene as one binary glTF 2.0 file (Khronos,
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html). Solids and pieces are nodes that move. A rope is a tube
// whose rings follow the joints of a skin, with one joint per node. Cloth and hair are meshes with morph targets, each
// for a few frames; then the next mesh replaces it. For a player need not support more than eight morphed attributes
// of one mesh (3.7.2.2). One joint per vertex of a cloth was refused: players fail at far fewer joints than a sheet
// has vertices. An object that is absent in a frame has scale 0 there.
#pragma once

#include <capstan/result.hpp>
#include <render/view/scene_view.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capstan::render {

inline constexpr std::size_t kMostJoints = 20000; // of all ropes in one file; more nodes are thinned to this
inline constexpr int kMostStrands = 1000;         // per head of hair; every k-th strand is taken
inline constexpr int kMostStrandPoints = 16;      // per strand
// kMostSoftPoints is the limit for points of cloth and hair in all frames: about a gigabyte.
inline constexpr std::size_t kMostSoftPoints = 40000000;

class Glb {
public:
    // Frames come in order of time. An object without an id is left out, since it could not be found again in the next
    // frame.
    Status add(const SceneView& view, double time);
    Status write(const std::string& file) const;

    struct Motion { // of a solid, or of a piece if it has a geometry
        Solid solid;
        Piece piece;
        std::size_t first = 0;     // first frame
        std::vector<Transform> at; // by frame, from `first` on
    };
    struct Rope {
        Tube tube;
        std::size_t first = 0;
        Vec3 across = {0, 0, 0}; // direction at the first node, carried from frame to frame
        std::vector<std::vector<Transform>> joints; // by frame: y along the rope
    };
    struct Sheet { // cloth until it tears, or hair as lines
        Color color;
        bool lines = false;
        std::vector<std::uint32_t> index; // three corners per triangle, or two ends per line
        std::size_t first = 0;
        std::vector<std::vector<Vec3>> points, normals; // by frame; lines have no normals
    };
    const std::vector<double>& times() const { return times_; }
    // Every `thin()`-th node of a rope has a joint; 1: every node.
    double thin() const { return thin_; }
    const std::vector<Motion>& motions() const { return motions_; }
    const std::vector<Rope>& ropes() const { return ropes_; }
    const std::vector<Sheet>& sheets() const { return sheets_; }

private:
    void add(std::uint64_t id, const Solid& solid, const Piece& piece, const Transform& at);

    Status addRopes(const SceneView& view);
    void add(const Mesh& mesh);
    void add(const Strands& strands);

    std::vector<double> times_;
    std::vector<Motion> motions_;
    std::vector<Rope> ropes_;
    std::vector<Sheet> sheets_;
    std::map<std::uint64_t, std::size_t> motionOf_, ropeOf_, sheetOf_;
    double thin_ = 1;
    std::size_t soft_ = 0; // number of points of sheets in all frames
};

} // namespace capstan::render
