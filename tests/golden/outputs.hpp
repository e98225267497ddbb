// SPDX-License-Identifier: MIT
// What a user reads from a World, as one number: the golden record's second hash.
//
// Each value is folded by its meaning (a word for the kind of a thing, its slot, numbers by their bits), so neither the
// layout of a struct nor the order of an enum counts.
#pragma once

#include <capstan/leash/walk.hpp>
#include <capstan/world.hpp>

#include <cstdint>
#include <string_view>

namespace capstan::golden {

class Fold {
public:
    void word(std::string_view text);
    void number(float a);
    void number(double a);
    void number(std::int64_t a);
    void vector(Vec3 a) { number(a.x), number(a.y), number(a.z); }
    std::uint64_t value() const { return hash_; }

private:
    void bits(std::uint64_t a, int bytes);
    std::uint64_t hash_ = 14695981039346656037ull; // FNV-1a
};

void foldReport(Fold& fold, const Report& report);
void foldEvents(Fold& fold, const World& world);   // in their order
void foldContacts(Fold& fold, const World& world); // in any order
// Tensions, joint readings, strains, energies, linking numbers, hair as drawn, what a ray meets.
void foldReadings(Fold& fold, const World& world);
void foldLeash(Fold& fold, const LeashWalk& walk);

} // namespace capstan::golden
