// SPDX-License-Identifier: MIT
// The part of checkScene that looks at one value at a time.
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

Status checkRanges(const Scene& scene);

// What a note says of a quaternion that had this length.
std::string normalisedText(double length);

} // namespace capstan
