// SPDX-License-Identifier: MIT
// The part of checkScene that checks one value at a time.
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

Status checkRanges(const Scene& scene);

// Returns the note about a quaternion that had this length.
std::string normalisedText(double length);

} // namespace capstan
