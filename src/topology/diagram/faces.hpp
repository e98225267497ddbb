// SPDX-License-Identifier: MIT
//
// The faces of a diagram, from its Gauss code: the regions that the ropes part the sphere into. With signs the code
// tells the order of the four edges around each crossing, and a face is what one walks around keeping left.
#pragma once

#include <capstan/topology/gauss_code.hpp>

#include <cstddef>
#include <vector>

namespace capstan {

// Around a crossing, counter-clockwise: slot 0 is where the under strand comes in, 2 where it goes out; the
// over strand has 1 and 3, out and in for a positive crossing, in and out for a negative one. Corner s lies
// between slots s and s + 1.
struct DiagramFaces {
    std::vector<std::size_t> of; // of corner 4 c + s
    std::size_t count = 0;

    explicit DiagramFaces(const GaussCode& code);

    static std::size_t slot(const GaussCode& code, GaussCode::Visit v, bool out) {
        const auto c = static_cast<std::size_t>(v.crossing);
        if (!v.over) return 4 * c + (out ? 2u : 0u);
        return 4 * c + (out == (code.signs[c] > 0) ? 1u : 3u);
    }
    // On either side of the edge that goes out from a visit.
    std::size_t left(std::size_t out) const { return of[out]; }
    std::size_t right(std::size_t out) const { return of[out / 4 * 4 + (out + 3) % 4]; }
};

} // namespace capstan
