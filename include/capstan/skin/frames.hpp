// SPDX-License-Identifier: MIT
// Frames along a curve that do not flip: each is the one before, turned by the shortest rotation from tangent to tangent.
//     q_(i+1) = fromTo(t_i, t_(i+1)) q_i
// Bishop 1975, "There is more than one way to frame a curve". Frenet frames, from the curvature, flip where a rope is
// straight or bends the other way.
// From one picture to the next the first frame is carried on in the same way: FrameMemory. Around a closed curve the
// transport comes back turned by an angle (its writhe); that angle is spread evenly along it, and of its values a turn
// apart the one nearest to the last picture's is taken.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/quat.hpp>
#include <capstan/point.hpp>

#include <span>
#include <vector>

namespace capstan {

// Of one curve, from picture to picture. A fresh one starts anywhere.
struct FrameMemory {
    bool known = false;
    Quatf start = Quatf::identity();
    float closure = 0; // rad
};

// One frame for each point: z along the tangent, x and y across. Points that lie on each other take the tangent of their
// neighbours. `to` is resized.
CAPSTAN_API void carryFrames(std::span<const Vec3> points, bool closed, FrameMemory& memory,
                             std::vector<Quatf>& to);

} // namespace capstan
