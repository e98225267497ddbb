// SPDX-License-Identifier: MIT
// carryFrames computes frames along a curve by parallel transport. Each frame is the previous one, rotated by the
// shortest rotation between the two tangents t_i and t_(i+1):
//     q_(i+1) = fromTo(t_i, t_(i+1)) q_i
// Source: R. Bishop 1975, "There is more than one way to frame a curve". Frenet frames, which follow the curvature,
// were refused: they flip where a rope is straight or its curvature changes sign. FrameMemory carries the first frame
// from one picture to the next by the same kind of rotation. On a closed curve the transported frame returns rotated
// by an angle (given by the curve's writhe). That angle is spread evenly along the curve. It is known only up to
// whole turns; the value nearest to that of the previous picture is taken.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/quat.hpp>
#include <capstan/point.hpp>

#include <span>
#include <vector>

namespace capstan {

// A FrameMemory belongs to one curve and is kept between pictures. With a new one the first frame has an arbitrary
// direction about the tangent.
struct FrameMemory {
    bool known = false;
    Quatf start = Quatf::identity();
    float closure = 0; // rad, angle that is spread along a closed curve, as of the last picture
};

// Writes one frame for each point to `to` and resizes it: z is the tangent, x and y are perpendicular to it. Points
// [m] at the same position get the tangent of their neighbours.
CAPSTAN_API void carryFrames(std::span<const Vec3> points, bool closed, FrameMemory& memory,
                             std::vector<Quatf>& to);

} // namespace capstan
