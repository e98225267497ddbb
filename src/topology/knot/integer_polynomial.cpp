// SPDX-License-Identifier: MIT
//
// Interpolation of polynomials modulo primes; see integer_polynomial.hpp.
#include <capstan/topology/integer_polynomial.hpp>

#include <cstddef>
#include <utility>

namespace capstan {
namespace {

__extension__ using Wide128 = unsigned __int128;

// The largest primes below 2^61.
constexpr std::uint64_t top = std::uint64_t{1} << 61;
constexpr std::uint64_t primes[] = {top - 1, top - 31, top - 45, top - 229, top - 259, top - 283};
constexpr double bitsOfPrime = 60.9;

// Interpolates modulo a prime: Newton's divided differences at t = 1, 2, .. degree + 1, expanded into powers of t.
std::vector<std::uint64_t> newton(const PrimeField& field, std::size_t degree, const ValueAt& value) {
    std::vector<std::uint64_t> d;
    for (std::size_t k = 0; k <= degree; ++k) d.push_back(value(field, k + 1));
    for (std::size_t gap = 1; gap <= degree; ++gap) {
        const std::uint64_t scale = field.inverse(gap);
        for (std::size_t k = degree; k >= gap; --k)
            d[k] = field.multiply(field.add(d[k], field.minus(d[k - 1])), scale);
    }
    std::vector<std::uint64_t> p{d[degree]};
    for (std::size_t k = degree; k-- > 0;) { // p = p (t - (k + 1)) + d[k]
        p.insert(p.begin(), 0);
        for (std::size_t i = 0; i + 1 < p.size(); ++i)
            p[i] = field.add(p[i], field.minus(field.multiply(p[i + 1], k + 1)));
        p[0] = field.add(p[0], d[k]);
    }
    return p;
}

} // namespace

std::uint64_t PrimeField::of(std::int64_t a) const {
    const std::int64_t rest = a % static_cast<std::int64_t>(prime);
    return rest < 0 ? static_cast<std::uint64_t>(rest + static_cast<std::int64_t>(prime))
                    : static_cast<std::uint64_t>(rest);
}

std::uint64_t PrimeField::multiply(std::uint64_t a, std::uint64_t b) const {
    return static_cast<std::uint64_t>(static_cast<Wide128>(a) * b % prime);
}

std::uint64_t PrimeField::power(std::uint64_t a, std::uint64_t exponent) const {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, a = multiply(a, a))
        if (exponent & 1) result = multiply(result, a);
    return result;
}

std::uint64_t PrimeField::determinant(std::vector<std::uint64_t> m, std::size_t n) const {
    std::uint64_t det = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (pivot < n && m[pivot * n + k] == 0) ++pivot;
        if (pivot == n) return 0;
        if (pivot != k) {
            for (std::size_t c = k; c < n; ++c) std::swap(m[pivot * n + c], m[k * n + c]);
            det = minus(det);
        }
        det = multiply(det, m[k * n + k]);
        const std::uint64_t scale = inverse(m[k * n + k]);
        for (std::size_t r = k + 1; r < n; ++r) {
            if (m[r * n + k] == 0) continue;
            const std::uint64_t f = minus(multiply(m[r * n + k], scale));
            for (std::size_t c = k; c < n; ++c)
                if (m[k * n + c] != 0) m[r * n + c] = add(m[r * n + c], multiply(f, m[k * n + c]));
        }
    }
    return det;
}

Result<IntegerPolynomial> interpolate(std::size_t degree, double bits, const ValueAt& value) {
    std::size_t count = 1;
    while (static_cast<double>(count) * bitsOfPrime < bits + 1.0) ++count;
    if (count > std::size(primes))
        return Error{"the polynomial is too large to be found exactly", "polynomial"};
    IntegerPolynomial p;
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<std::uint64_t> residues = newton({primes[k]}, degree, value);
        IntegerPolynomial lifted;
        for (const std::uint64_t r : residues)
            lifted.push_back(r > primes[k] / 2 ? -static_cast<std::int64_t>(primes[k] - r)
                                               : static_cast<std::int64_t>(r));
        // If the residues modulo every prime are equal to one small number, that number is the coefficient. The
        // reason is that the product of the primes exceeds the difference to any other candidate.
        if (k > 0 && lifted != p)
            return Error{"a coefficient of the polynomial exceeds 60 bits", "polynomial"};
        p = std::move(lifted);
    }
    while (!p.empty() && p.back() == 0) p.pop_back();
    return p;
}

IntegerPolynomial multiply(const IntegerPolynomial& a, const IntegerPolynomial& b) {
    if (a.empty() || b.empty()) return {};
    IntegerPolynomial out(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
    return out;
}

std::int64_t evaluate(const IntegerPolynomial& p, std::int64_t t) {
    std::int64_t sum = 0;
    for (std::size_t k = p.size(); k-- > 0;) sum = sum * t + p[k];
    return sum;
}

std::string formatPolynomial(const IntegerPolynomial& p) {
    std::string text;
    for (std::size_t k = 0; k < p.size(); ++k) {
        if (p[k] == 0) continue;
        const std::int64_t size = p[k] < 0 ? -p[k] : p[k];
        if (text.empty())
            text = p[k] < 0 ? "-" : "";
        else
            text += p[k] < 0 ? " - " : " + ";
        if (size != 1 || k == 0) text += std::to_string(size);
        if (size != 1 && k > 0) text += " ";
        if (k > 0) text += "t";
        if (k > 1) text += "^" + std::to_string(k);
    }
    return text.empty() ? "0" : text;
}

} // namespace capstan
