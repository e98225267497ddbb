// SPDX-License-Identifier: MIT
// Energy and memory of a cloth, for the files of World. This header is not part of the API.
#pragma once

#include "model/cloth.hpp"
#include <capstan/report.hpp>

namespace capstan {

// J; memory in bytes.
Energy clothEnergy(const Cloth& c, const ClothState& s, Vec3 gravity);
std::size_t bytesOfCloth(const Cloth& c, const ClothState& s);

} // namespace capstan
