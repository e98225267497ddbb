// SPDX-License-Identifier: MIT
// The second hash of the golden record: a hash of all values that a user can read from a World.
//
// Each value is hashed by its meaning: a name for the kind of object, its slot, and numbers by their bits. So the
// hash depends neither on the layout of a struct nor on the order of an enum.
#pragma once

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
    int notFinite() const { return notFinite_; } // numbers so far that are not finite

private:
    void bits(std::uint64_t a, int bytes);
    int notFinite_ = 0;
    std::uint64_t hash_ = 14695981039346656037ull; // offset basis of FNV-1a
};

void foldReport(Fold& fold, const Report& report);
void foldEvents(Fold& fold, const World& world);   // events in their order
void foldContacts(Fold& fold, const World& world); // contacts, independent of their order
// Hashes tensions, joint forces, strains, energies, linking numbers, drawn hair, and hits of rays.
void foldReadings(Fold& fold, const World& world);

} // namespace capstan::golden
