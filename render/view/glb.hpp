// SPDX-License-Identifier: MIT
// Glb: an animated scene as one binary glTF 2.0 file (Khronos, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html).
// Solids and pieces are nodes that move; a rope is a tube whose rings hang on joints of a skin, one joint per node. Cloth
// and hair are meshes with morph targets, a few frames each, because a player need not know more than eight morphed
// attributes of one mesh (3.7.2.2): one mesh takes the place of the other every few frames. (One joint per vertex of a
// cloth was refused: players give up at far fewer joints than a sheet has vertices.) What is not there in some frame is
// scaled to nothing.
#pragma once

#include <capstan/result.hpp>
#include <render/view/scene_view.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capstan::render {

inline constexpr std::size_t kMostJoints = 20000; // of ropes in one file; longer ropes are thinned to this
inline constexpr int kMostStrands = 1000;         // of one head of hair; every k-th is taken
inline constexpr int kMostStrandPoints = 16;      // of one of them
inline constexpr std::size_t kMostSoftPoints = 40000000; // of cloth and hair in all frames: about a gigabyte

class Glb {
public:
    // Frames in order of time. What has no id is left out: it could not be found again in the next frame.
    Status add(const SceneView& view, double time);
    Status write(const std::string& file) const;

    struct Motion { // of a solid, or of a piece where it has a geometry
        Solid solid;
        Piece piece;
        std::size_t first = 0;     // frame
        std::vector<Transform> at; // from then on
    };
    struct Rope {
        Tube tube;
        std::size_t first = 0;
        Vec3 across = {0, 0, 0};                    // of the first node, carried from frame to frame
        std::vector<std::vector<Transform>> joints; // per frame: y along the rope
    };
    struct Sheet { // cloth, until it tears; or hair, as lines
        Color color;
        bool lines = false;
        std::vector<std::uint32_t> index; // three corners per triangle, two ends per line
        std::size_t first = 0;
        std::vector<std::vector<Vec3>> points, normals; // per frame; lines have no normals
    };
    const std::vector<double>& times() const { return times_; }
    // Of every `thin()`-th node of ropes there is a joint; 1: of all.
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
    std::size_t soft_ = 0; // points of sheets in all frames
};

} // namespace capstan::render
