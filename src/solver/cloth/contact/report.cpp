// SPDX-License-Identifier: MIT
// See report.hpp.
#include "solver/cloth/contact/report.hpp"

#include <algorithm>

namespace capstan {

void ClothContacts::store(std::vector<StoredContact>& to, double dt) {
    std::sort(all_.begin(), all_.end(), // keys are unique
              [](const Sum& x, const Sum& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    to.clear();
    for (const Sum& s : all_) {
        const double odd = s.force + dot(s.friction, s.friction) + dot(s.point, s.point);
        if (!(s.force > 0) || !(odd - odd == 0)) continue;
        StoredContact t;
        t.a = s.a;
        t.b = s.b | std::uint64_t(s.part);
        t.force = (1 / dt) * s.force;
        t.friction = (-1 / dt) * s.friction;
        t.normal = normalize(s.normal, Vec3d{0, 1, 0});
        t.point = (1 / s.force) * s.point;
        to.push_back(t);
    }
}

} // namespace capstan
