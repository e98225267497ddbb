// SPDX-License-Identifier: MIT
//
// This file finds polynomials with integer coefficients from their values modulo primes. Evaluating a determinant at
// numbers is cheap, but elimination makes polynomials very large. The result is exact, not probable: the caller knows
// a bound of the coefficients, and the product of the primes exceeds twice that bound.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace capstan {

// The polynomial is c[0] + c[1] t + c[2] t^2 + ... The empty list is zero; any other list ends with a coefficient that
// is not zero.
using IntegerPolynomial = std::vector<std::int64_t>;

// PrimeField computes with numbers modulo a prime below 2^61.
struct CAPSTAN_API PrimeField {
    std::uint64_t prime;

    std::uint64_t of(std::int64_t a) const;
    std::uint64_t add(std::uint64_t a, std::uint64_t b) const {
        return a + b >= prime ? a + b - prime : a + b;
    }
    std::uint64_t minus(std::uint64_t a) const { return a == 0 ? 0 : prime - a; }
    std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const;
    std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const;
    std::uint64_t inverse(std::uint64_t a) const { return power(a, prime - 2); } // Fermat's little theorem
    std::uint64_t determinant(std::vector<std::uint64_t> rowByRow, std::size_t size) const;
};

// interpolate returns the polynomial of at most the given degree whose value at t, modulo each prime, is value(field,
// t). Its coefficients must be below 2^bits in size. The call returns an error when `bits` is above 364 or a
// coefficient is above 2^60.
using ValueAt = std::function<std::uint64_t(const PrimeField&, std::uint64_t t)>;
CAPSTAN_API Result<IntegerPolynomial> interpolate(std::size_t degree, double bits, const ValueAt& value);

CAPSTAN_API IntegerPolynomial multiply(const IntegerPolynomial& a,
                                       const IntegerPolynomial& b);            // overflow is not checked
CAPSTAN_API std::int64_t evaluate(const IntegerPolynomial& p, std::int64_t t); // overflow is not checked
CAPSTAN_API std::string formatPolynomial(const IntegerPolynomial& p);          // "1 - t + t^2"

} // namespace capstan
