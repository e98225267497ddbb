// SPDX-License-Identifier: MIT
// See json_text.hpp. Numbers are written with printf, because std::to_chars of libc++ 14 does not support floating
// point.
#include <capstan/scene/json_text.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace capstan {
namespace {

// printf and strtod use the decimal point of the program's locale, which JSON does not allow.
void useDecimalPoint(char* text) {
    for (; *text; ++text) {
        if (!std::strchr("+-0123456789eE", *text)) *text = '.';
    }
}

// Returns the shortest text from `digits` to `enough` digits that reads back as the same number. Each text is tested
// as the reader converts it: to double, and then to float. Rounding twice may differ from rounding once.
template <class Real> std::string shortest(Real value, int digits, int enough) {
    if (!std::isfinite(value)) return "null";
    if (value == 0) return std::signbit(value) ? "-0.0" : "0"; // "-0" would be read as the integer 0
    char text[40];
    for (; digits <= enough; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
        if (static_cast<Real>(std::strtod(text, nullptr)) == value) break;
    }
    useDecimalPoint(text);
    return text;
}

} // namespace

std::string jsonNumber(float value) { return shortest(value, 6, 17); }

std::string jsonNumber(double value) { return shortest(value, 15, 17); }

std::string jsonString(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

} // namespace capstan
