// SPDX-License-Identifier: MIT
//
// Polynomials with integer coefficients, found from their values modulo primes. Elimination on numbers is cheap,
// while elimination on polynomials makes them very large. The result is exact, not probable: the caller gives a bound
// of the coefficients, and the product of the primes exceeds twice that bound.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace capstan {

// The polynomial c[0] + c[1] t + c[2] t^2 + ... The empty list is zero; any other list ends with a coefficient that
// is not zero.
using IntegerPolynomial = std::vector<std::int64_t>;

// Arithmetic of integers modulo a prime below 2^61.
struct CAPSTAN_API PrimeField {
    std::uint64_t prime;

    // Returns a modulo the prime, in [0, prime).
    std::uint64_t of(std::int64_t a) const;
    std::uint64_t add(std::uint64_t a, std::uint64_t b) const {
        return a + b >= prime ? a + b - prime : a + b;
    }
    std::uint64_t minus(std::uint64_t a) const { return a == 0 ? 0 : prime - a; }
    std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const;
    std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const;
    std::uint64_t inverse(std::uint64_t a) const { return power(a, prime - 2); } // Fermat's little theorem
    // Returns the determinant of a square matrix.
    std::uint64_t determinant(std::vector<std::uint64_t> rowByRow, std::size_t size) const;
};

// Returns the polynomial of at most the given degree whose value at t, modulo each prime, is value(field, t). Its
// coefficients must be below 2^bits in absolute value. Returns an Error if `bits` is above 364 or a coefficient is
// above 2^60.
using ValueAt = std::function<std::uint64_t(const PrimeField&, std::uint64_t t)>;
CAPSTAN_API Result<IntegerPolynomial> interpolate(std::size_t degree, double bits, const ValueAt& value);

CAPSTAN_API IntegerPolynomial multiply(const IntegerPolynomial& a,
                                       const IntegerPolynomial& b);            // overflow is not checked
CAPSTAN_API std::int64_t evaluate(const IntegerPolynomial& p, std::int64_t t); // overflow is not checked
CAPSTAN_API std::string formatPolynomial(const IntegerPolynomial& p);          // "1 - t + t^2"

} // namespace capstan
