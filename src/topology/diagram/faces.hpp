// SPDX-License-Identifier: MIT
//
// This file finds the faces of a diagram from its Gauss code. A face is a region of the sphere between the ropes. With
// its signs the code fixes the order of the four edges around each crossing. A walk that keeps left goes around one
// face.
#pragma once

#include <capstan/topology/gauss_code.hpp>

#include <cstddef>
#include <vector>

namespace capstan {

// The slots of a crossing count counter-clockwise. The under strand comes in at slot 0 and goes out at 2. The over
// strand goes out at 1 and comes in at 3 for a positive crossing; for a negative one it is the reverse. Corner s lies
// between slots s and s + 1.
struct DiagramFaces {
    std::vector<std::size_t> of; // face of the corner 4 c + s
    std::size_t count = 0;

    explicit DiagramFaces(const GaussCode& code);

    static std::size_t slot(const GaussCode& code, GaussCode::Visit v, bool out) {
        const auto c = static_cast<std::size_t>(v.crossing);
        if (!v.over) return 4 * c + (out ? 2u : 0u);
        return 4 * c + (out == (code.signs[c] > 0) ? 1u : 3u);
    }
    // left and right are the faces on either side of the edge that goes out from a visit at slot `out`.
    std::size_t left(std::size_t out) const { return of[out]; }
    std::size_t right(std::size_t out) const { return of[out / 4 * 4 + (out + 3) % 4]; }
};

} // namespace capstan
