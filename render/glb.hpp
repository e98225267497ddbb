// SPDX-License-Identifier: MIT
// Glb: an animated scene as one binary glTF 2.0 file (Khronos, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html).
// Solids and pieces are nodes that move; a rope is a tube whose rings hang on joints of a skin, one joint per node. What
// is not there in some frame is scaled to nothing.
#pragma once

#include <capstan/result.hpp>
#include <render/scene_view.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capstan::render {

inline constexpr std::size_t kMostJoints = 20000; // of ropes in one file; players give up long before

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
    const std::vector<double>& times() const { return times_; }
    const std::vector<Motion>& motions() const { return motions_; }
    const std::vector<Rope>& ropes() const { return ropes_; }

private:
    void add(std::uint64_t id, const Solid& solid, const Piece& piece, const Transform& at);

    std::vector<double> times_;
    std::vector<Motion> motions_;
    std::vector<Rope> ropes_;
    std::map<std::uint64_t, std::size_t> motionOf_, ropeOf_;
};

} // namespace capstan::render
