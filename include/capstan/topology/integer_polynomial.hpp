// SPDX-License-Identifier: MIT
//
// Polynomials with whole coefficients, found from their values modulo primes: evaluating a determinant at
// numbers is cheap where eliminating with polynomials swells. Exact, not probable: the caller knows a bound
// of the coefficients, and so many primes are taken that their product exceeds it twice.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace capstan {

// c[0] + c[1] t + c[2] t^2 + ...; zero is the empty list, the last coefficient of any other is not zero.
using IntegerPolynomial = std::vector<std::int64_t>;

// Numbers modulo a prime below 2^61.
struct CAPSTAN_API PrimeField {
    std::uint64_t prime;

    std::uint64_t of(std::int64_t a) const;
    std::uint64_t add(std::uint64_t a, std::uint64_t b) const {
        return a + b >= prime ? a + b - prime : a + b;
    }
    std::uint64_t minus(std::uint64_t a) const { return a == 0 ? 0 : prime - a; }
    std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const;
    std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const;
    std::uint64_t inverse(std::uint64_t a) const { return power(a, prime - 2); } // Fermat
    std::uint64_t determinant(std::vector<std::uint64_t> rowByRow, std::size_t size) const;
};

// The polynomial of at most this degree whose value at t, modulo each prime, is value(field, t). `bits`: its
// coefficients are known to be below 2^bits in size. An error says so when bits is above 364, or a
// coefficient is above 2^60.
using ValueAt = std::function<std::uint64_t(const PrimeField&, std::uint64_t t)>;
CAPSTAN_API Result<IntegerPolynomial> interpolate(std::size_t degree, double bits, const ValueAt& value);

CAPSTAN_API IntegerPolynomial multiply(const IntegerPolynomial& a,
                                       const IntegerPolynomial& b);            // no check of overflow
CAPSTAN_API std::int64_t evaluate(const IntegerPolynomial& p, std::int64_t t); // neither
CAPSTAN_API std::string formatPolynomial(const IntegerPolynomial& p);          // "1 - t + t^2"

} // namespace capstan
