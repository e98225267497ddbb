// SPDX-License-Identifier: MIT
// A Glb is an animated scene as one binary glTF 2.0 file (Khronos,
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html). Solids and pieces are animated nodes. A rope is a
// skinned tube with one joint per node. Cloth and hair are meshes with morph targets. Each such mesh covers a few
// frames, and then the next mesh replaces it: a player must support only eight morphed attributes per mesh (3.7.2.2).
// One joint per vertex of a cloth was refused: players fail at far fewer joints than a sheet has vertices. An object
// that is absent in a frame has scale 0 in that frame.
#pragma once

#include <capstan/result.hpp>
#include <render/view/scene_view.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capstan::render {

// Most joints of all ropes in one file; further nodes are left out evenly.
inline constexpr std::size_t kMostJoints = 20000;
inline constexpr int kMostStrands = 1000;    // most strands per Strands object; every k-th strand is kept
inline constexpr int kMostStrandPoints = 16; // most points per strand
// Most points of cloth and hair, summed over all frames: about a gigabyte.
inline constexpr std::size_t kMostSoftPoints = 40000000;

class Glb {
public:
    // Adds a frame; frames must come in order of time. An object without an id is left out, since it cannot be found
    // again in the next frame.
    Status add(const SceneView& view, double time);
    Status write(const std::string& file) const;

    struct Motion { // track of a solid, or of a piece if it has a geometry
        Solid solid;
        Piece piece;
        std::size_t first = 0;     // first frame
        std::vector<Transform> at; // transform of each frame, from `first` on
    };
    struct Rope {
        Tube tube;
        std::size_t first = 0;
        Vec3 across = {0, 0, 0}; // direction across the rope at the first node, carried from frame to frame
        std::vector<std::vector<Transform>> joints; // of each frame: joint transforms, y along the rope
    };
    struct Sheet { // track of cloth until it tears, or of hair as lines
        Color color;
        bool lines = false;
        std::vector<std::uint32_t> index; // three vertices per triangle, or two per line
        std::size_t first = 0;
        std::vector<std::vector<Vec3>> points, normals; // of each frame; lines have no normals
    };
    const std::vector<double>& times() const { return times_; }
    // thin() is the spacing of joints in nodes: 1 means that every node has a joint.
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
