// SPDX-License-Identifier: MIT
// The second hash of the golden record: all that a user reads from a World, as one number.
//
// Each value is folded by its meaning: a word for the kind of object, its slot, and numbers by their bits. So neither
// the layout of a struct nor the order of an enum changes the hash.
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
    void vector(Vec3 a) {
        number(a.x);
        number(a.y);
        number(a.z);
    }
    std::uint64_t value() const { return hash_; }

private:
    void bits(std::uint64_t a, int bytes);
    std::uint64_t hash_ = 14695981039346656037ull; // offset basis of FNV-1a
};

void foldReport(Fold& fold, const Report& report);
void foldEvents(Fold& fold, const World& world);   // events in their order
void foldContacts(Fold& fold, const World& world); // contacts in any order
// Tensions, joint forces, strains, energies, linking numbers, hair as drawn, and the hits of rays.
void foldReadings(Fold& fold, const World& world);
void foldLeash(Fold& fold, const LeashWalk& walk);

} // namespace capstan::golden
