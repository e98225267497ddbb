// SPDX-License-Identifier: MIT
#include <apps/fuzz/maker.hpp>

namespace capstan::fuzz {

Maker::Maker(std::uint64_t seed) : dice_(seed * 0xD1342543DE82EF95u + 1) {}

Quatf Maker::turn() { return fromTo(Vec3{0, 1, 0}, direction()); }

Vec3 Maker::take(int i, int j, int k) {
    taken_[i][j][k] = true;
    return {kCell * (float(i) - 1.5f), kCell * (float(j) + 0.6f), kCell * (float(k) - 1.5f)};
}

bool Maker::cell(Vec3& center) {
    for (int tries = 0; tries < 40; ++tries) {
        const int i = pick(kAcross), j = pick(kHigh), k = pick(kAcross);
        if (!free(i, j, k)) continue;
        center = take(i, j, k);
        return true;
    }
    return false;
}

bool Maker::column(Vec3& low, Vec3& high) {
    for (int tries = 0; tries < 40; ++tries) {
        const int i = pick(kAcross), j = pick(kHigh - 1), k = pick(kAcross);
        if (!free(i, j, k) || !free(i, j + 1, k)) continue;
        low = take(i, j, k);
        high = take(i, j + 1, k);
        return true;
    }
    return false;
}

bool Maker::row(Vec3& from, Vec3& to) {
    for (int tries = 0; tries < 20; ++tries) {
        const int j = pick(kHigh), k = pick(kAcross);
        bool empty = true;
        for (int i = 0; i < kAcross; ++i) empty = empty && free(i, j, k);
        if (!empty) continue;
        from = take(0, j, k);
        for (int i = 1; i < kAcross; ++i) to = take(i, j, k);
        return true;
    }
    return false;
}

std::string Maker::named(char letter, std::vector<std::string>& list) {
    std::string name = letter + std::to_string(++count_);
    list.push_back(name);
    names.all.push_back(name);
    return name;
}

} // namespace capstan::fuzz
