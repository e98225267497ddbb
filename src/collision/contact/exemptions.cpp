// SPDX-License-Identifier: MIT
// Implements exemptions.hpp.
#include "collision/contact/exemptions.hpp"

#include <algorithm>

namespace capstan {
namespace {

std::uint64_t pairKey(int a, int b) {
    return std::uint64_t(std::uint32_t(std::min(a, b))) << 32 | std::uint32_t(std::max(a, b));
}

bool before(const RopeTie& a, const RopeTie& b) {
    return a.rope != b.rope ? a.rope < b.rope : a.body < b.body;
}

} // namespace

void ContactExemptions::list(const Model& m) {
    joined_.clear();
    ties_.clear();
    for (const Joint& j : m.joints) {
        if (!j.on()) continue;
        if (j.rope >= 0)
            ties_.push_back({j.rope, j.body[1], j.node});
        else if (!j.def.collideConnected && j.body[0] >= 0 && j.body[1] >= 0)
            joined_.push_back(pairKey(j.body[0], j.body[1]));
    }
    // Joints are mostly added in the order of their bodies.
    if (!std::is_sorted(joined_.begin(), joined_.end())) std::sort(joined_.begin(), joined_.end());
    if (!std::is_sorted(ties_.begin(), ties_.end(), before)) std::sort(ties_.begin(), ties_.end(), before);
}

bool ContactExemptions::joined(int bodyA, int bodyB) const {
    return std::binary_search(joined_.begin(), joined_.end(), pairKey(bodyA, bodyB));
}

std::span<const RopeTie> ContactExemptions::ties(int rope, int body) const {
    const auto range = std::equal_range(ties_.begin(), ties_.end(), RopeTie{rope, body, 0}, before);
    return {range.first, range.second};
}

} // namespace capstan
