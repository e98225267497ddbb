// SPDX-License-Identifier: MIT
//
// The faces of a diagram; see faces.hpp.
#include "topology/diagram/faces.hpp"

namespace capstan {

DiagramFaces::DiagramFaces(const GaussCode& code) : of(4 * code.signs.size()) {
    std::vector<std::size_t> mate(of.size()); // by slot: the slot at the other end of the edge
    for (const auto& visits : code.ropes)
        for (std::size_t k = 0; k < visits.size(); ++k) {
            const std::size_t from = slot(code, visits[k], true),
                              to = slot(code, visits[(k + 1) % visits.size()], false);
            mate[from] = to;
            mate[to] = from;
        }
    const std::size_t unset = of.size();
    of.assign(unset, unset);
    for (std::size_t start = 0; start < of.size(); ++start) {
        if (of[start] != unset) continue;
        // The loop leaves a crossing along a slot with the face on its left. At the next crossing it takes the next
        // slot clockwise.
        for (std::size_t at = start; of[at] == unset; at = mate[at] / 4 * 4 + (mate[at] + 3) % 4)
            of[at] = count;
        ++count;
    }
}

} // namespace capstan
