// SPDX-License-Identifier: MIT
//
// The faces of a diagram, found from its Gauss code. A face is a region of the sphere between the ropes. The code and
// its signs determine the order of the four edges around each crossing. Following edges and always turning left
// traverses the boundary of one face.
#pragma once

#include <capstan/topology/gauss_code.hpp>

#include <cstddef>
#include <vector>

namespace capstan {

// Slots are the four ends of edges at a crossing, counted counter-clockwise. The under strand enters at slot 0 and
// leaves at slot 2. For a positive crossing the over strand leaves at slot 1 and enters at slot 3; for a negative
// crossing it is the reverse. Corner s lies between slots s and s + 1.
struct DiagramFaces {
    std::vector<std::size_t> of; // index of the face at corner s of crossing c, by 4 c + s
    std::size_t count = 0;

    explicit DiagramFaces(const GaussCode& code);

    // Returns 4 c + s for the slot s by which a visit leaves (out) or enters its crossing c.
    static std::size_t slot(const GaussCode& code, GaussCode::Visit v, bool out) {
        const auto c = static_cast<std::size_t>(v.crossing);
        if (!v.over) return 4 * c + (out ? 2u : 0u);
        return 4 * c + (out == (code.signs[c] > 0) ? 1u : 3u);
    }
    // Return the faces to the left and right of the edge that leaves at the slot `out`.
    std::size_t left(std::size_t out) const { return of[out]; }
    std::size_t right(std::size_t out) const { return of[out / 4 * 4 + (out + 3) % 4]; }
};

} // namespace capstan
