// SPDX-License-Identifier: MIT
// sin, cos, atan2, asin, acos, exp and log of every Real; angles are in radians. They use only arithmetic, sqrt,
// select and the bits of numbers. The functions of libm were refused: their last bit differs between C libraries,
// between scalar and vector code, and on the GPU. The functions of this file give the same bits everywhere.
//
// Method: reduce the argument, evaluate a minimax polynomial, combine the parts.
//   sin cos  x = n pi/2 + r, |r| <= pi/4, by a three-part pi/2 (Cody & Waite, Software Manual for the
//            Elementary Functions, 1980); the part of r below its last digit (dr) enters to first order
//   exp      x = n ln 2 + r;  e^x = 2^n e^r
//   log      x = 2^n m, sqrt(1/2) <= m < sqrt(2);  log m = 2 atanh(s), s = (m - 1) / (m + 1)
//   atan2    the smaller of |x| and |y| over the larger; an angle whose tangent is above 1/2 is first rotated by -pi/4.
//            So there is one division in each case, and the polynomial is evaluated for |tan| <= 1/2 only.
//   asin     a polynomial for |x| <= 1/2; above it asin x = pi/2 - 2 asin sqrt((1 - x) / 2); acos is similar
// The polynomials are fits of this project, by Remez exchange at 50 digits. Each coefficient was rounded in turn, and
// the following coefficients were fitted again. Where rounding all coefficients at once was no worse, that was done
// instead.
//
// Largest error measured, in units of the last place of the true value. Float: over every float of the range (atan2:
// over two million pairs). Double: over a million numbers. transcendental_test checks the bounds on a sample.
//              float                              double
//   sin cos    1.79    |x| <= 1e4                 0.91    |x| <= 1e6
//   atan2      1.41    all quadrants              1.50
//   asin       1.65                               1.63
//   acos       1.14                               1.13
//   exp        0.99    subnormals included        0.94
//   log        0.84    subnormals included        0.80
// Where the true sin or cos is below 2^-13 (float) or 2^-40 (double), the absolute error is below 3e-11 or 1e-28.
// Beyond the range of |x|, sin and cos stay in [-1, 1] but are inaccurate. NaN gives NaN.
#pragma once
#include <capstan/math/real.hpp>

namespace capstan {

// Returns c0 + c1 x + c2 x^2 + ..., by Horner's scheme.
template <class R> CAPSTAN_INLINE R polynomial(R, ElementOf<R> c0) { return R(c0); }
template <class R, class... C> CAPSTAN_INLINE R polynomial(R x, ElementOf<R> c0, C... c) {
    return R(c0) + x * polynomial(x, c...);
}

// Returns the nearest integer, ties to even, for |x| < 2^22 (float) or 2^51 (double). Adding m drops the fraction
// bits.
template <class R> CAPSTAN_INLINE R roundToInteger(R x) {
    R m = constant<R>(0x1.8p23f, 0x1.8p52);
    return (x + m) - m;
}

// Returns 2^n for an integer n that is the exponent of a normal number.
template <class R> CAPSTAN_INLINE R powerOfTwo(R n) {
    if constexpr (isSingle<R>)
        return fromBits<R>(toBits(n + R(0x1.8p23f + 127.0f)) << 23);
    else
        return fromBits<R>(toBits(n + R(0x1.8p52 + 1023.0)) << 52);
}

template <class R> struct SinCos { R sin, cos; };

// Sine and cosine of x [rad].
template <Real R> CAPSTAN_HD inline SinCos<R> sincos(R x) {
    R n = roundToInteger(x * constant<R>(0.636619747f, 0.6366197723675814));
    R x1 = x - n * constant<R>(0x1.92p0f, 0x1.921fb544p0); // exact, and so is n times the second part of pi/2
    R y2 = n * constant<R>(0x1.fb4p-12f, 0x1.0b4611a6p-34), x2 = x1 - y2;
    // Third part of pi/2; the subtraction x2 - y3 is rounded, and dr is its error.
    R y3 = n * constant<R>(0x1.4442d2p-24f, 0x1.3198a2e037073p-69);
    // The clamp acts only outside the range of x, where dr is set to 0 as well.
    R r = clamp(x2 - y3, R(-0.79f), R(0.79f));
    R dr = ((x2 - r) - y3) + ((x1 - x2) - y2);
    dr = select(abs(dr) < R(0x1p-20f), dr, R(0.0f));

    R z = r * r, p, c;
    if constexpr (isSingle<R>) {
        p = polynomial(z, -0x1.555556p-3f, 0x1.111174p-7f, -0x1.a05954p-13f, 0x1.7c2c54p-19f);
        c = polynomial(z, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f);
    } else {
        p = polynomial(z, -0x1.5555555555548p-3, 0x1.111111110f730p-7, -0x1.a01a019be9239p-13,
                       0x1.71de35552ee43p-19, -0x1.ae5e4b62ba9b0p-26, 0x1.5d8b361ae0288p-33);
        c = polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c15014p-10, 0x1.a01a019c8efadp-16,
                       -0x1.27e4f7f169930p-22, 0x1.1ee9dbaf7d1f8p-29, -0x1.8fa6727b1ab91p-37);
    }
    R s = r + (r * z * p + dr);
    R half = R(0.5f) * z, w = R(1.0f) - half;
    // 1 - z/2 is w plus its rounding error, which the bracket adds.
    c = w + (((R(1.0f) - w) - half) + (z * z * c - r * dr));

    R q = n - R(4.0f) * roundToInteger(R(0.25f) * n); // quadrant, -2 to 2
    MaskOf<R> odd = abs(q) == R(1.0f);
    R sine = select(odd, c, s), cosine = select(odd, s, c);
    return {select((q < R(-0.5f)) | (q > R(1.5f)), -sine, sine),
            select((q > R(0.5f)) | (q < R(-1.5f)), -cosine, cosine)};
}
template <Real R> CAPSTAN_HD inline R sin(R x) { return sincos(x).sin; }
template <Real R> CAPSTAN_HD inline R cos(R x) { return sincos(x).cos; }

// e^x. It is zero below the smallest subnormal, and infinity above the largest number.
template <Real R> CAPSTAN_HD inline R exp(R x) {
    x = clamp(x, constant<R>(-105.0f, -746.0), constant<R>(89.0f, 710.0));
    R n = roundToInteger(x * constant<R>(1.44269502f, 1.4426950408889634));
    R r = (x - n * constant<R>(0x1.62e4p-1f, 0x1.62e42fefa4p-1)) -
          n * constant<R>(0x1.7f7d1cp-20f, -0x1.8432a1b0e2634p-43);
    R p;
    if constexpr (isSingle<R>)
        p = polynomial(r, 0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123e0cp-7f, 0x1.6acba8p-10f);
    else
        p = polynomial(r, 0.5, 0.16666666666666682, 0.041666666666666095, 0.008333333333317034,
                       0.001388888888911564, 0.00019841269896383345, 2.480158692659902e-05,
                       2.755723486239786e-06, 2.7557581884364445e-07, 2.511203667694537e-08,
                       2.0826614592104245e-09);
    R k = roundToInteger(R(0.5f) * n); // in two factors, because 2^n alone may not be a normal number
    return (R(1.0f) + (r + r * r * p)) * powerOfTwo(k) * powerOfTwo(n - k);
}

// Natural logarithm. log(0) is -infinity, and the logarithm of a negative number is NaN.
template <Real R> CAPSTAN_HD inline R log(R x) {
    using Bits = BitsOf<R>;
    MaskOf<R> tiny = x < constant<R>(0x1p-126f, 0x1p-1022);
    R y = select(tiny, x * constant<R>(0x1p24f, 0x1p54), x);
    // y = 2^n m; bits are counted from those of sqrt(1/2), so that n increases where m would reach sqrt(2).
    R n, m;
    if constexpr (isSingle<R>) {
        Bits u = toBits(y) + Bits(0x3f800000u - 0x3f3504f3u);
        n = fromBits<R>((u >> 23) | Bits(0x4b000000u)) - R(0x1p23f + 127.0f);
        m = fromBits<R>((u & Bits(0x007fffffu)) + Bits(0x3f3504f3u));
    } else {
        Bits u = toBits(y) + Bits(0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
        n = fromBits<R>((u >> 52) | Bits(0x4330000000000000u)) - R(0x1p52 + 1023.0);
        m = fromBits<R>((u & Bits(0x000fffffffffffffu)) + Bits(0x3fe6a09e667f3bcdu));
    }
    n = n - select(tiny, constant<R>(24.0f, 54.0), R(0.0f));

    R f = m - R(1.0f), s = f / (R(2.0f) + f), z = s * s, p;
    if constexpr (isSingle<R>)
        p = polynomial(z, 0x1.555554p-1f, 0x1.999c26p-2f, 0x1.23d3e0p-2f, 0x1.f13becp-3f);
    else
        p = polynomial(z, 0x1.5555555555592p-1, 0x1.999999997ff03p-2, 0x1.24924941e3580p-2,
                       0x1.c71c52123329dp-3, 0x1.74663d7175985p-3, 0x1.39a1d9aae820fp-3,
                       0x1.2f0462abc7f32p-3);
    // 2 atanh(s) = f - (h - s (h + z p)), with h = f^2 / 2. The large terms are exact, so only the small term has a
    // rounding error.
    R h = R(0.5f) * f * f;
    R low = n * constant<R>(0x1.7f7d1cp-20f, -0x1.8432a1b0e2634p-43);
    R value = n * constant<R>(0x1.62e4p-1f, 0x1.62e42fefa4p-1) + (f - (h - (s * (h + z * p) + low)));
    value = select(x < R(INFINITY), value, x);
    value = select(x > R(0.0f), value, R(NAN));
    value = select(x == R(0.0f), R(-INFINITY), value);
    return value;
}

// The angle of the point (x, y) [rad], in (-pi, pi]. Zeros and infinities give the results of the C standard.
template <Real R> CAPSTAN_HD inline R atan2(R y, R x) {
    R ax = abs(x), ay = abs(y), one = R(1.0f), zero = R(0.0f);
    MaskOf<R> steep = ay > ax;
    R big = select(steep, ay, ax), small = select(steep, ax, ay);
    MaskOf<R> endless = big == R(INFINITY);
    small = select(endless, select(small == R(INFINITY), one, select(small == small, zero, small)), small);
    big = select(endless, one, big);
    R scale = select(big > constant<R>(1e38f, 1e307), R(0.25f), one); // small + big must not overflow
    small = small * scale;
    big = big * scale;

    MaskOf<R> turned = small > R(0.5f) * big; // if small >= big / 2, the difference small - big is exact
    R den = select(turned, small + big, big);
    R b = select(turned, small - big, small) / select(den == zero, one, den);
    R z = b * b, p;
    if constexpr (isSingle<R>)
        p = polynomial(z, -0x1.555552p-2f, 0x1.999744p-3f, -0x1.24502ep-3f, 0x1.c07222p-4f, -0x1.480bb8p-4f,
                       0x1.3fcfe6p-5f);
    else
        p = polynomial(z, -0x1.5555555555552p-2, 0x1.99999999990d6p-3, -0x1.249249245364bp-3,
                       0x1.c71c71aaef62ap-4, -0x1.745d138f3be7fp-4, 0x1.3b1360ae8f09dp-4,
                       -0x1.110c71051757bp-4, 0x1.e182d580216e7p-5, -0x1.ac72a646e6be9p-5,
                       0x1.77fc11ce1e199p-5, -0x1.301d4bad04a50p-5, 0x1.83aa703dbd6cdp-6,
                       -0x1.1241211222632p-7);
    // The angle is k pi/4 + b + db. The three cases turned (rotation by -pi/4), steep (swap of x and y) and left
    // (x < 0) change k and the sign of b + db.
    R db = b * z * p, k = select(turned, one, zero);
    k = select(steep, R(2.0f) - k, k);
    b = select(steep, -b, b);
    db = select(steep, -db, db);
    MaskOf<R> left = withSign(one, x) < zero;
    k = select(left, R(4.0f) - k, k);
    b = select(left, -b, b);
    db = select(left, -db, db);
    R base = k * constant<R>(0x1.921fbp-1f, 0x1.921fb54442d18p-1);
    R angle = base + (b + (db + k * constant<R>(0x1.5110b4p-23f, 0x1.1a62633145c07p-55)));
    return withSign(angle, y);
}

// Returns asin(b) - b for 0 <= b <= 1/2.
template <class R> CAPSTAN_INLINE R asinTail(R b) {
    R z = b * b, p;
    if constexpr (isSingle<R>)
        p = polynomial(z, 0x1.55554cp-3f, 0x1.3338acp-4f, 0x1.6ca754p-5f, 0x1.04d2d4p-5f, 0x1.d52abcp-7f,
                       0x1.34be78p-5f);
    else
        p = polynomial(z, 0x1.5555555555577p-3, 0x1.333333332e0e3p-4, 0x1.6db6db7215a45p-5,
                       0x1.f1c71a93d0dd9p-6, 0x1.6e8bdefed5c4fp-6, 0x1.1c49ee4627ca5p-6, 0x1.ca1fbeae92377p-7,
                       0x1.7583faa8f757bp-7, 0x1.61453e09a09ffp-7, 0x1.e57257bf06016p-9, 0x1.63c466cea118bp-6,
                       -0x1.583638c0eb665p-6, 0x1.0b5891c1b8af3p-5);
    return b * z * p;
}
// asin and acos in radians. An argument outside [-1, 1], as rounding of a dot product may give, counts as the nearer
// of -1 and 1.
template <Real R> CAPSTAN_HD inline R asin(R x) {
    R a = min(abs(x), R(1.0f));
    MaskOf<R> steep = a > R(0.5f);
    R b = select(steep, sqrt(R(0.5f) * (R(1.0f) - a)), a);
    R tail = asinTail(b);
    R low = constant<R>(2.0f * 0x1.5110b4p-23f, 2.0 * 0x1.1a62633145c07p-55) - R(2.0f) * tail;
    R far = constant<R>(2.0f * 0x1.921fbp-1f, 2.0 * 0x1.921fb54442d18p-1) - (R(2.0f) * b - low);
    return withSign(select(steep, far, b + tail), x);
}
template <Real R> CAPSTAN_HD inline R acos(R x) {
    R a = min(abs(x), R(1.0f));
    MaskOf<R> steep = a > R(0.5f);
    R b = select(steep, sqrt(R(0.5f) * (R(1.0f) - a)), a);
    // The result is k pi/4 + c (b + tail). For |x| <= 1/2 it is pi/2 - asin x. For larger |x| it is 2 asin b (x > 0)
    // or pi - 2 asin b (x < 0).
    R side = withSign(R(1.0f), x);
    R c = select(steep, R(2.0f) * side, -side);
    R k = select(steep, R(2.0f) - R(2.0f) * side, R(2.0f));
    R low = c * asinTail(b) + k * constant<R>(0x1.5110b4p-23f, 0x1.1a62633145c07p-55);
    return k * constant<R>(0x1.921fbp-1f, 0x1.921fb54442d18p-1) + (c * b + low);
}

} // namespace capstan
