// SPDX-License-Identifier: MIT
// carryFrames computes frames along a curve that do not flip: each is the one before, turned by the shortest rotation
// from tangent to tangent.
//     q_(i+1) = fromTo(t_i, t_(i+1)) q_i
// Source: R. Bishop 1975, "There is more than one way to frame a curve". Frenet frames, which follow the curvature,
// were refused: they flip where a rope is straight or bends the other way. FrameMemory carries the first frame from
// one picture to the next in the same way. Along a closed curve the transport comes back turned by an angle (its
// writhe). That angle is spread evenly along the curve. It is known up to whole turns; the value nearest to that of
// the last picture is taken.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/quat.hpp>
#include <capstan/point.hpp>

#include <span>
#include <vector>

namespace capstan {

// A FrameMemory belongs to one curve and is kept from picture to picture. A new one starts with any first frame.
struct FrameMemory {
    bool known = false;
    Quatf start = Quatf::identity();
    float closure = 0; // rad, angle that is spread along a closed curve
};

// The result has one frame for each point: z along the tangent, x and y across it. Points at the same position take
// the tangent of their neighbours. The call resizes `to`.
CAPSTAN_API void carryFrames(std::span<const Vec3> points, bool closed, FrameMemory& memory,
                             std::vector<Quatf>& to);

} // namespace capstan
